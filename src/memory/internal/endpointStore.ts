import type { DeadLetter, EndpointStore, StoredEndpoint } from "../../ports/EndpointStore.js"
import { Conflict } from "../../ports/StorageError.js"
import type { MemoryAccount } from "./Account.js"
import { everything, type Journal, sealed } from "./Table.js"

const letterKey = ({ endpointId, event }: DeadLetter): string => `${event.number}/${endpointId}`

/** The store of webhook endpoints within one transaction. */
export const makeEndpoints = (account: MemoryAccount, journal: Journal): EndpointStore => {
  const { endpoints, endpointsInOrder, deadLetters, deadLettersOf } = account
  const put = (endpoint: StoredEndpoint): StoredEndpoint => {
    const row = sealed(endpoint)
    endpoints.put(journal, row)
    return row
  }
  return {
    get: (id) => journal.read("read a webhook endpoint", () => endpoints.get(id)),
    list: () =>
      journal.read("list webhook endpoints", () => endpointsInOrder.list(everything)?.all() ?? []),
    insert: (endpoint) =>
      journal.write("insert a webhook endpoint", () =>
        endpoints.get(endpoint.id) === undefined
          ? put({ ...endpoint, version: 1 })
          : Conflict.of("webhook endpoint", endpoint.id),
      ),
    update: (endpoint) =>
      journal.write("update a webhook endpoint", () =>
        endpoints.get(endpoint.id)?.version === endpoint.version
          ? put({ ...endpoint, version: endpoint.version + 1 })
          : Conflict.of("webhook endpoint", endpoint.id),
      ),
    remove: (id) =>
      journal.write("remove a webhook endpoint", () => {
        for (const letter of deadLettersOf.list(id)?.all() ?? []) {
          deadLetters.remove(journal, letterKey(letter))
        }
        endpoints.remove(journal, id)
      }),
    putDeadLetters: (letters) =>
      journal.write("store dead letters", () => {
        for (const letter of letters) deadLetters.put(journal, sealed(letter))
      }),
    deadLetters: ({ endpointId, after, limit, isReplayed }) =>
      journal.read("list dead letters", () => {
        const all = deadLettersOf.list(endpointId)?.all() ?? []
        const next = all.filter(({ event }) => event.number > after)
        return next.filter((letter) => isReplayed !== true || letter.isReplayed).slice(0, limit)
      }),
    removeDeadLetter: (endpointId, number) =>
      journal.write("remove a dead letter", () =>
        deadLetters.remove(journal, `${number}/${endpointId}`),
      ),
  }
}
