/** Everything of an account that can be read, once its products are linked, to compare it to the letter. */
import { isDeepStrictEqual } from "node:util"
import type { StorageService, Stores } from "apportion/ports"
import { Effect } from "effect"
import { type Books, readBooks } from "./Books.js"
import type { Lane } from "./Lane.js"

export interface Everything extends Books {
  readonly collaborators: unknown
  readonly products: ReadonlyArray<unknown>
  readonly groups: ReadonlyArray<unknown>
  readonly keys: ReadonlyArray<unknown>
}

const all = { offset: 0, limit: 1_000_000 }

const readGroups = Effect.fnUntraced(function* ({ groups, links }: Stores) {
  const ids = (yield* groups.all).map(({ id }) => id).sort()
  const found = yield* groups.find(ids)
  const counts = yield* links.counts(ids)
  return yield* Effect.forEach(ids, (id, index) =>
    Effect.gen(function* () {
      const job = yield* links.job(id)
      return {
        stored: found.find(({ group }) => group.id === id),
        count: counts[index],
        products: yield* links.products(id, all),
        // When and by whom it was done is different each time.
        job: { status: job?.status, groupVersion: job?.groupVersion },
      }
    }),
  )
})

const readRest = (storage: StorageService, accountId: string, keys: ReadonlyArray<string>) =>
  storage.transaction(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const products = yield* stores.products.batch({ after: undefined, limit: all.limit })
      return {
        collaborators: yield* stores.collaborators.list(all),
        products,
        groups: yield* readGroups(stores),
        keys: yield* Effect.forEach(keys, (key) => stores.keys.get(key)),
      }
    }),
    { mode: "read" },
  )

/** Waits until no job runs any more. */
const linked = (storage: StorageService, accountId: string) =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 3_000; tries += 1) {
      const jobs = yield* storage.transaction(accountId, ({ links }) => links.runningJobs(1), {
        mode: "read",
      })
      if (jobs.length === 0) return
      yield* Effect.sleep("10 millis")
    }
    return yield* Effect.die(new Error(`the products of ${accountId} are never linked`))
  })

/** What is not there reads as what is undefined. */
const plain = (value: Everything): Everything => JSON.parse(JSON.stringify(value))

/** Reads everything, as data that can be written down. */
export const readEverything = (
  { storage, accountId }: Pick<Lane, "storage" | "accountId">,
  keys: ReadonlyArray<string>,
): Effect.Effect<Everything> =>
  Effect.gen(function* () {
    yield* linked(storage, accountId)
    const books = yield* readBooks(storage, accountId)
    return plain({ ...books, ...(yield* readRest(storage, accountId, keys)) })
  }).pipe(Effect.orDie)

/** The first place in which two values of plain data differ, in words; `undefined`: they do not. */
export const differenceOf = (is: unknown, must: unknown, path: string): string | undefined => {
  if (isDeepStrictEqual(is, must)) return undefined
  const isBranch =
    typeof is === "object" && typeof must === "object" && is !== null && must !== null
  if (isBranch) {
    for (const key of new Set([...Object.keys(must), ...Object.keys(is)])) {
      const [left, right]: ReadonlyArray<unknown> = [Reflect.get(is, key), Reflect.get(must, key)]
      const found = differenceOf(left, right, `${path}.${key}`)
      if (found !== undefined) return found
    }
  }
  return `${path} is ${JSON.stringify(is)} and must be ${JSON.stringify(must)}`.slice(0, 2_000)
}
