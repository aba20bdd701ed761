/** Handling requests about passes. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import * as Language from "../languages/Language.js"
import { type NewPass, type Pass, Passes, type PassesService } from "../service/Passes.js"
import type { Unreadable } from "../Unreadable.js"
import type { PassView } from "../wire/PassSchemas.js"
import type { Failure } from "./Answer.js"
import { Api } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import { respondOnce } from "./Once.js"
import type { createPass } from "./PassApi.js"

type WithToken = (typeof createPass)["~Success"]["Type"]

const write = (pass: Pass): typeof PassView.Type => ({
  id: pass.id,
  collaborator_id: pass.collaboratorId,
  language: pass.language,
  ...{ created_at: pass.createdAt, created_by: pass.createdBy, expires_at: pass.expiresAt },
  ...{ revoked_at: pass.revokedAt, revoked_by: pass.revokedBy },
})

/** No field may be misspelt: without its end, a pass would be in force for 30 days. */
const readNew = (body: unknown): Result.Result<NewPass, Unreadable> =>
  reader.read(body, {
    what: "pass",
    known: ["expires_at", "language"],
    read: (node) => ({
      expiresAt: reader.time(node, "expires_at"),
      language: reader.choice(node, "language", Language.all),
    }),
  })

const createWith =
  (passes: PassesService, collaboratorId: string) =>
  ({ accountId, body }: CallerService): Effect.Effect<WithToken, Failure> =>
    Effect.flatMap(Effect.fromResult(readNew(body)), (options) =>
      Effect.map(passes.create(accountId, collaboratorId, options), ({ token, ...pass }) => ({
        data: { ...write(pass), token },
      })),
    )

/** The answer to a repetition: the token was shown once. */
const withoutToken = (passes: PassesService, collaboratorId: string) => ({
  isSecret: true,
  recall: ({ accountId }: CallerService, id: string): Effect.Effect<WithToken, Failure> =>
    Effect.map(passes.get(accountId, collaboratorId, id), (pass) => ({
      data: { ...write(pass), token: null },
    })),
})

export const layer = HttpApiBuilder.group(
  Api,
  "passes",
  Effect.fnUntraced(function* (handlers) {
    const passes = yield* Passes
    return handlers
      .handle("list", (call) =>
        respond(call, ({ accountId }) =>
          Effect.map(passes.list(accountId, call.params.collaborator_id), (all) => ({
            data: all.map(write),
          })),
        ),
      )
      .handleRaw("create", (call) => {
        const { collaborator_id: id } = call.params
        return respondOnce(call, createWith(passes, id), withoutToken(passes, id))
      })
      .handle("view", (call) =>
        respond(call, ({ accountId }) => {
          const { collaborator_id, pass_id } = call.params
          return Effect.map(passes.get(accountId, collaborator_id, pass_id), (pass) => ({
            data: write(pass),
          }))
        }),
      )
      .handle("revoke", (call) =>
        respond(call, ({ accountId }) => {
          const { collaborator_id, pass_id } = call.params
          return Effect.asVoid(passes.revoke(accountId, collaborator_id, pass_id))
        }),
      )
  }),
)
