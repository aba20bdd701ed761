/** Handling requests about re-splits of past sales. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as reader from "../internal/reader.js"
import * as Page from "../pagination/Page.js"
import type { ResplitRequest, ResplitRun } from "../ports/ResplitStore.js"
import { Resplits, type ResplitsService } from "../service/Resplits.js"
import { NotFound } from "../service/ServiceError.js"
import type { Unreadable } from "../Unreadable.js"
import { write as writePage } from "../wire/Page.js"
import { Api } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import { respondInParts, respondOnce } from "./Once.js"
import { pageOf } from "./Query.js"
import { readApproval, readNew, readPreview, writePreview, writeRun } from "./ResplitViews.js"

const ofRun = (run: ResplitRun) => ({ data: writeRun(run) })

/** An unknown collaborator in given rules is a problem of the request, which names no others. */
const withRules = <A, E>(
  { groups }: ResplitRequest,
  work: Effect.Effect<A, E | NotFound>,
): Effect.Effect<A, E | NotFound | Unreadable> =>
  Effect.catchIf(
    work,
    (error): error is NotFound => error instanceof NotFound && groups !== undefined,
    ({ message }) =>
      Effect.fail(reader.unreadable("re-split", [{ path: "groups", value: undefined, message }])),
  )

const preview = (resplits: ResplitsService) =>
  Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
    const { request, biggest } = yield* Effect.fromResult(readPreview(body))
    const previewed = resplits.preview(accountId, request, { biggest })
    return { data: writePreview(yield* withRules(request, previewed)) }
  })

const propose = (resplits: ResplitsService) =>
  Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
    const resplit = yield* Effect.fromResult(readNew(body))
    return ofRun(yield* withRules(resplit, resplits.propose(accountId, resplit)))
  })

const approve = (resplits: ResplitsService, runId: string) =>
  Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
    const approval = yield* Effect.fromResult(readApproval(body))
    return ofRun(yield* resplits.approve(accountId, runId, approval))
  })

const list = (resplits: ResplitsService) =>
  HttpApiBuilder.handler(Api, "resplits", "list", (call) =>
    respond(
      call,
      Effect.fnUntraced(function* ({ accountId, url }) {
        const page = pageOf(call.query)
        const { entries, total } = yield* resplits.list(accountId, page)
        const meta = Page.meta(total, page, { path: url })
        return writePage({ data: entries, meta }, writeRun)
      }),
    ),
  )

// A proposal reads many sales and a booking changes many: neither is one transaction, and both can be repeated.
export const layer = HttpApiBuilder.group(
  Api,
  "resplits",
  Effect.fnUntraced(function* (handlers) {
    const resplits = yield* Resplits
    return handlers
      .handle("list", list(resplits))
      .handleRaw("propose", (call) => respondInParts(call, propose(resplits)))
      .handleRaw("preview", (call) => respond(call, preview(resplits)))
      .handle("view", (call) =>
        respond(call, ({ accountId }) =>
          Effect.map(resplits.get(accountId, call.params.run_id), ofRun),
        ),
      )
      .handleRaw("approve", (call) => respondOnce(call, approve(resplits, call.params.run_id)))
      .handle("book", (call) =>
        respondInParts(call, ({ accountId }) =>
          Effect.map(resplits.book(accountId, call.params.run_id), ofRun),
        ),
      )
  }),
)
