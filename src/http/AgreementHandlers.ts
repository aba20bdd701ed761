/** Handling requests about agreements. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { kinds } from "../agreements/Agreement.js"
import * as Page from "../pagination/Page.js"
import type { AgreementKey } from "../ports/AgreementStore.js"
import {
  type AgreementBooking,
  type AgreementPreview,
  type AgreementStanding,
  Agreements,
  type AgreementsService,
  type GivenAgreement,
} from "../service/Agreements.js"
import { NotFound } from "../service/ServiceError.js"
import type { Unreadable } from "../Unreadable.js"
import * as Agreement from "../wire/Agreement.js"
import type * as Schemas from "../wire/AgreementSchemas.js"
import { write as writePage } from "../wire/Page.js"
import { Api } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import { respondOnce } from "./Once.js"
import { pageOf } from "./Query.js"
import { writeFindings } from "./RulesHandlers.js"
import { writeGuarantee, writeReserve } from "./StatementViews.js"

type WrittenAgreement = (typeof Schemas.AgreementView)["Type"]

const writeStored = (stored: AgreementStanding) => ({
  ...{ made_at: stored.madeAt, made_by: stored.madeBy },
  ...{ ended_at: stored.endedAt, ended_by: stored.endedBy, is_used: stored.isUsed },
})

const write = (standing: AgreementStanding): WrittenAgreement => {
  const stored = writeStored(standing)
  switch (standing.kind) {
    case "advance":
      return { ...Agreement.writeOne(standing), ...stored, balance: standing.balance }
    case "reserve": {
      const balance = writeReserve(standing.balance)
      return { ...Agreement.writeOne(standing), ...stored, balance }
    }
    case "guarantee": {
      const balance = writeGuarantee(standing.balance)
      return { ...Agreement.writeOne(standing), ...stored, balance }
    }
    case "override":
      return { ...Agreement.writeOne(standing), ...stored, balance: null }
  }
}

const writePreview = ({
  change,
  agreed,
  before,
  ...findings
}: AgreementPreview): (typeof Schemas.AgreementPreviewView)["Type"] => ({
  change,
  agreed: Agreement.writeOne(agreed),
  before: before && Agreement.writeOne(before),
  ...writeFindings(findings),
})

const writeBooking = (
  booking: AgreementBooking,
): (typeof Schemas.AgreementBookingView)["Type"] => ({
  ...{ order_id: booking.orderId, item_id: booking.itemId, at: booking.at },
  lines: booking.lines.map(({ line, payoutId }) => ({
    ...{ kind: line.kind, event: line.event, collaborator_id: line.collaboratorId },
    group_id: line.kind === "shortfall" ? null : line.groupId,
    ...{ currency: line.currency, amount: line.amount, payout_id: payoutId },
  })),
})

/** The agreement of a request, as the service takes it. */
const given = (body: unknown): Effect.Effect<GivenAgreement, Unreadable> =>
  Effect.map(Effect.fromResult(Agreement.readOne(body)), ({ kind, agreement }) => ({
    kind,
    agreement: { ...agreement },
  }))

/** The agreement that a path names. */
const keyOf = (path: {
  readonly kind: string
  readonly agreement_id: string
}): Effect.Effect<AgreementKey, NotFound> => {
  const kind = kinds.find((one) => one === path.kind)
  return kind === undefined
    ? Effect.fail(NotFound.of("agreement", `${path.kind}/${path.agreement_id}`))
    : Effect.succeed({ kind, id: path.agreement_id })
}

const list = (agreements: AgreementsService) =>
  HttpApiBuilder.handler(Api, "agreements", "list", (call) =>
    respond(
      call,
      Effect.fnUntraced(function* ({ accountId, url }) {
        const { collaborator: collaboratorId, kind, ended } = call.query
        const page = pageOf(call.query)
        const filter = { collaboratorId, kind, ended }
        const { entries, total } = yield* agreements.standings(accountId, filter, page)
        const meta = Page.meta(total, page, { path: url })
        return writePage({ data: entries, meta }, write)
      }),
    ),
  )

const bookings = (agreements: AgreementsService) =>
  HttpApiBuilder.handler(Api, "agreements", "bookings", (call) =>
    respond(
      call,
      Effect.fnUntraced(function* ({ accountId, url }) {
        const key = yield* keyOf(call.params)
        const page = pageOf(call.query)
        const { entries, total } = yield* agreements.bookings(accountId, key, page)
        const meta = Page.meta(total, page, { path: url })
        return writePage({ data: entries, meta }, writeBooking)
      }),
    ),
  )

export const layer = HttpApiBuilder.group(
  Api,
  "agreements",
  Effect.fnUntraced(function* (handlers) {
    const agreements = yield* Agreements
    const view = ({ accountId }: CallerService, key: AgreementKey) =>
      Effect.map(agreements.standing(accountId, key), (standing) => ({ data: write(standing) }))
    return handlers
      .handle("list", list(agreements))
      .handleRaw("put", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* (caller) {
            const { kind, agreement } = yield* given(caller.body)
            yield* agreements.put(caller.accountId, { kind, agreement })
            return yield* view(caller, { kind, id: agreement.id })
          }),
        ),
      )
      .handleRaw("preview", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* ({ accountId, body }) {
            const asked = yield* given(body)
            return { data: writePreview(yield* agreements.preview(accountId, asked)) }
          }),
        ),
      )
      .handle("view", (call) =>
        respond(call, (caller) => Effect.flatMap(keyOf(call.params), (key) => view(caller, key))),
      )
      .handle("bookings", bookings(agreements))
      .handleRaw("end", (call) =>
        respondOnce(
          call,
          Effect.fnUntraced(function* (caller) {
            const key = yield* keyOf(call.params)
            yield* agreements.end(caller.accountId, key)
            return yield* view(caller, key)
          }),
        ),
      )
  }),
)
