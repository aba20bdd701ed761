/** Handling requests about collaborators. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Result from "effect/Result"
import { misspelt } from "../internal/fieldNames.js"
import { addProblems } from "../internal/problems.js"
import { unreadable } from "../internal/reader.js"
import * as Page from "../pagination/Page.js"
import type { Collaborator as CoreCollaborator } from "../payouts/Collaborator.js"
import { Collaborators } from "../service/Collaborators.js"
import type { Unreadable } from "../Unreadable.js"
import * as Collaborator from "../wire/Collaborator.js"
import { write as writePage } from "../wire/Page.js"
import { Api } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import { respondOnce } from "./Once.js"
import { pageOf } from "./Query.js"

/** A misspelt field would leave a payout date or a permission at its default. */
const readNew = (body: unknown): Result.Result<CoreCollaborator, Unreadable> => {
  const problems = [...misspelt(body, Collaborator.fields)]
  const read = Collaborator.read(body)
  if (problems.length === 0) return read
  if (Result.isFailure(read)) addProblems(problems, read.failure.problems)
  return Result.fail(unreadable("collaborator", problems))
}

const write = ({ collaborator }: { readonly collaborator: CoreCollaborator }) => ({
  data: Collaborator.write(collaborator),
})

export const layer = HttpApiBuilder.group(
  Api,
  "collaborators",
  Effect.fnUntraced(function* (handlers) {
    const collaborators = yield* Collaborators
    const view = ({ accountId }: CallerService, id: string) =>
      Effect.map(collaborators.get(accountId, id), write)
    return handlers
      .handle("list", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* ({ accountId, url }) {
            const page = pageOf(call.query)
            const { entries, total } = yield* collaborators.list(accountId, page)
            const meta = Page.meta(total, page, { path: url })
            return writePage({ data: entries, meta }, (entry) => write(entry).data)
          }),
        ),
      )
      .handle("view", (call) =>
        respond(call, (caller) => view(caller, call.params.collaborator_id)),
      )
      .handleRaw("create", (call) =>
        respondOnce(
          call,
          Effect.fnUntraced(function* ({ accountId, body }) {
            const collaborator = yield* Effect.fromResult(readNew(body))
            return write(yield* collaborators.create(accountId, collaborator))
          }),
          { recall: view },
        ),
      )
      .handleRaw("update", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* ({ accountId, body }) {
            const changes = yield* Effect.fromResult(Collaborator.readChanges(body))
            const { collaborator_id } = call.params
            return write(yield* collaborators.update(accountId, collaborator_id, changes))
          }),
        ),
      )
  }),
)
