/** Handling requests about payments. */
import * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import * as CorePayment from "../payouts/Payment.js"
import type { PaymentPlace, StoredPayment } from "../ports/PaymentStore.js"
import type { StorageError } from "../ports/StorageError.js"
import { Payments, type PaymentsService } from "../service/Payments.js"
import { type DueOutlook, type DuePayout, Payouts } from "../service/Payouts.js"
import type { NotFound } from "../service/ServiceError.js"
import type { Unreadable } from "../Unreadable.js"
import * as Outcome from "../wire/Outcome.js"
import * as Payment from "../wire/Payment.js"
import { type Failure, InvalidRequest, RailGone, refusalOf } from "./Answer.js"
import { Api } from "./Api.js"
import type { Caller, CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import { type KeyedCall, keyedRequest, respondInParts, respondOnce } from "./Once.js"
import type { answers, claim, listPayments, send } from "./PaymentApi.js"
import * as Query from "./Query.js"

type Answered = (typeof send)["~Success"]["Type"]

const write = (payment: StoredPayment): Answered => ({ data: Payment.write(payment) })

// What is due.

const writeDue = ({ payout, collaborator, total }: DuePayout) => ({
  payout_id: payout.id,
  collaborator_id: collaborator.id,
  collaborator_name: collaborator.account.name ?? null,
  currency: payout.currency,
  status: payout.status === "active" ? ("active" as const) : ("pending" as const),
  total,
  to_be_paid_at: payout.toBePaidAt,
  automatic: collaborator.shouldPayAutomatically,
})

const writeRun = ({ at, payouts, payable, isWhole }: DueOutlook) => ({
  data: {
    at,
    totals: payable,
    pay: payouts.filter(({ waits }) => waits === null).map(writeDue),
    wait: payouts.flatMap((due) =>
      due.waits === null
        ? []
        : [
            {
              ...writeDue(due),
              ...{ why: due.waits, until: due.until },
              threshold: due.collaborator.payoutThreshold,
            },
          ],
    ),
    is_whole: isWhole,
  },
})

// Lists.

type Part = ReturnType<typeof Query.partOf>

/** A part of a list, and where the next one begins: none after a part that is not full. */
const writePart = (
  payments: ReadonlyArray<StoredPayment>,
  { limit }: Part,
): (typeof listPayments)["~Success"]["Type"] => {
  const last = payments.length < limit ? undefined : payments.at(-1)
  const next = last === undefined ? null : Query.writePlace(last)
  return { data: payments.map(Payment.write), meta: { limit, next } }
}

const isAfter = (payment: StoredPayment, place: PaymentPlace | undefined): boolean =>
  place === undefined ||
  payment.claimedAt > place.claimedAt ||
  (payment.claimedAt === place.claimedAt && payment.id > place.id)

/** The payments of one payout, which are few; an unknown payout has none. */
const listOfPayout = (
  payments: PaymentsService,
  accountId: string,
  asked: Part & { readonly payout: string; readonly status: StoredPayment["status"] | undefined },
): Effect.Effect<ReadonlyArray<StoredPayment>, StorageError> =>
  payments.ofPayout(accountId, asked.payout).pipe(
    Effect.catchTag("NotFound", () => Effect.succeed([])),
    Effect.map((all) =>
      all
        .filter(({ status }) => asked.status === undefined || status === asked.status)
        .filter((payment) => isAfter(payment, asked.after))
        .slice(0, asked.limit),
    ),
  )

// Reports about one payment, which are kept with the key of their request.

/** A request about one payment that answers with it. */
interface PaymentCall extends KeyedCall {
  readonly endpoint: KeyedCall["endpoint"] & Pick<typeof send, "~Success">
  readonly params: { readonly payment_id: string }
}

const said =
  <A>(
    read: (body: unknown) => Result.Result<A, Unreadable>,
    note: (accountId: string, said: A) => Effect.Effect<StoredPayment, Failure>,
  ) =>
  ({ accountId, body }: CallerService): Effect.Effect<Answered, Failure> =>
    Effect.flatMap(Effect.fromResult(read(body)), (given) =>
      Effect.map(note(accountId, given), write),
    )

const unknownRail = ({ id }: NotFound): InvalidRequest =>
  InvalidRequest.of([
    {
      path: "rail",
      value: id,
      message: `must be the name of a rail that this service has, got ${show(id)}`,
    },
  ])

const claimFor =
  (payments: PaymentsService, payoutId: string) =>
  ({
    accountId,
    body,
  }: CallerService): Effect.Effect<(typeof claim)["~Success"]["Type"], Failure> =>
    Effect.gen(function* () {
      const { rail } = yield* Effect.fromResult(Payment.readClaim(body))
      const claimed = payments.claim(accountId, payoutId, rail)
      const payment = yield* Effect.catchTag(claimed, "NotFound", (missing) =>
        Effect.fail(missing.what === "rail" ? unknownRail(missing) : missing),
      )
      return write(payment)
    })

// Questions to a rail, which can't be inside a transaction.

/** Whether a rail can be asked about a payment at all; if not, nothing is noted for the key. */
const canAsk = {
  send: (payment: StoredPayment) =>
    Effect.asVoid(
      Effect.fromResult(CorePayment.transition(payment, { type: "send", at: payment.claimedAt })),
    ),
  resolve: () => Effect.void,
}

const gone = ({ id }: NotFound): RailGone =>
  new RailGone({ message: `this service has no rail ${id}, which this payment names` })

/**
 * Asks a rail, for a key only as long as the payment is as it was at the first request with it: otherwise something has
 * happened since, and the payment as it is now is the answer.
 */
const askRail = (
  call: PaymentCall,
  payments: PaymentsService,
  question: keyof typeof canAsk,
): Effect.Effect<HttpServerResponse, never, Caller> =>
  respond(
    call,
    Effect.fnUntraced(function* (caller): Effect.fn.Return<Answered, Failure> {
      const { accountId, keys } = caller
      const { payment_id } = call.params
      const current = payments.get(accountId, payment_id)
      const asking = Effect.catchTag(
        payments[question](accountId, payment_id),
        "NotFound",
        (missing) => Effect.fail(missing.what === "rail" ? gone(missing) : missing),
      )
      const request = keyedRequest(call, caller)
      if (request === undefined) return write(yield* asking)
      const first = Effect.tap(current, canAsk[question])
      const noted = Effect.map(first, ({ version }) => ({ version }))
      const { version } = yield* keys.once(accountId, request, noted)
      const payment = yield* current
      if (payment.version !== version) return write(payment)
      const meanwhile = Effect.catchTag(asking, "InvalidPaymentTransition", (error) =>
        Effect.flatMap(current, (now) =>
          now.version === version ? Effect.fail(error) : Effect.succeed(now),
        ),
      )
      return write(yield* meanwhile)
    }),
  )

// Many outcomes from rails at once.

type OutcomeAnswer = (typeof answers)["~Success"]["Type"]["data"][number]
type OutcomeRefusal = NonNullable<OutcomeAnswer["refusal"]>

const isStatus = (status: number): status is OutcomeRefusal["status"] =>
  status === 404 || status === 409 || status === 422

const keyOf = (part: object): string | null => {
  const key: unknown = Reflect.get(part, "key")
  return typeof key === "string" ? key : null
}

/** The refusal of one outcome; a failure of the storage concerns the whole request. */
const refuse = (key: string | null, failure: Failure): Effect.Effect<OutcomeAnswer, Failure> => {
  const { status, body } = refusalOf(failure)
  return isStatus(status)
    ? Effect.succeed({ key, payment: null, refusal: { status, ...body } })
    : Effect.fail(failure)
}

const take = (
  payments: PaymentsService,
  accountId: string,
  part: object,
): Effect.Effect<OutcomeAnswer, Failure> => {
  const key = keyOf(part)
  const taken: Effect.Effect<StoredPayment, Failure> = Effect.flatMap(
    Effect.fromResult(Outcome.read(part)),
    (outcome) => payments.answer(accountId, outcome),
  )
  return Effect.matchEffect(taken, {
    onFailure: (failure) => refuse(key, failure),
    onSuccess: (payment) => Effect.succeed({ key, payment: Payment.write(payment), refusal: null }),
  })
}

const list = (payments: PaymentsService) =>
  HttpApiBuilder.handler(Api, "payments", "list", (call) =>
    respond(call, ({ accountId }) => {
      const { payout, status } = call.query
      const part = Query.partOf(call.query)
      const listed =
        payout === undefined
          ? payments.list(accountId, { ...part, status })
          : listOfPayout(payments, accountId, { ...part, payout, status })
      return Effect.map(listed, (found) => writePart(found, part))
    }),
  )

const stuck = (payments: PaymentsService) =>
  HttpApiBuilder.handler(Api, "payments", "stuck", (call) =>
    respond(call, ({ accountId }) => {
      const part = Query.partOf(call.query)
      return Effect.map(payments.stuck(accountId, part), (found) => writePart(found, part))
    }),
  )

const ofPayout = (payments: PaymentsService) =>
  HttpApiBuilder.handler(Api, "payments", "ofPayout", (call) =>
    respond(call, ({ accountId }) =>
      Effect.map(payments.ofPayout(accountId, call.params.payout_id), (all) => ({
        data: all.map(Payment.write),
      })),
    ),
  )

/** What can be reported about a payment. */
const notesOf = (payments: PaymentsService, paymentId: string) => ({
  noteSent: said(Payment.readSent, (accountId, reference) =>
    payments.noteSent(accountId, paymentId, reference),
  ),
  confirm: said(Payment.readConfirmation, (accountId, given) =>
    payments.confirm(accountId, paymentId, given),
  ),
  reject: said(Payment.readReason, (accountId, why) => payments.reject(accountId, paymentId, why)),
  return: said(Payment.readReason, (accountId, why) => payments.return(accountId, paymentId, why)),
  release: said(Payment.readRelease, (accountId, why) =>
    payments.release(accountId, paymentId, why),
  ),
  settle: ({ accountId }: CallerService) =>
    Effect.map(payments.settle(accountId, paymentId), write),
})

const takeAll = (payments: PaymentsService) =>
  Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
    const parts = yield* Effect.fromResult(Outcome.readParts(body))
    return { data: yield* Effect.forEach(parts, (part) => take(payments, accountId, part)) }
  })

export const layer = HttpApiBuilder.group(
  Api,
  "payments",
  Effect.fnUntraced(function* (handlers) {
    const [payments, payouts] = [yield* Payments, yield* Payouts]
    const view = ({ accountId }: CallerService, id: string) =>
      Effect.map(payments.get(accountId, id), write)
    const notes = (id: string) => notesOf(payments, id)
    return handlers
      .handle("list", list(payments))
      .handle("stuck", stuck(payments))
      .handle("ofPayout", ofPayout(payments))
      .handle("view", (call) => respond(call, (caller) => view(caller, call.params.payment_id)))
      .handleRaw("claim", (call) =>
        respondOnce(call, claimFor(payments, call.params.payout_id), { recall: view }),
      )
      .handle("send", (call) => askRail(call, payments, "send"))
      .handleRaw("noteSent", (call) =>
        respondOnce(call, notes(call.params.payment_id).noteSent, { recall: view }),
      )
      .handle("resolve", (call) => askRail(call, payments, "resolve"))
      .handleRaw("confirm", (call) =>
        respondOnce(call, notes(call.params.payment_id).confirm, { recall: view }),
      )
      .handleRaw("reject", (call) =>
        respondOnce(call, notes(call.params.payment_id).reject, { recall: view }),
      )
      .handleRaw("return", (call) =>
        respondOnce(call, notes(call.params.payment_id).return, { recall: view }),
      )
      .handleRaw("release", (call) =>
        respondOnce(call, notes(call.params.payment_id).release, { recall: view }),
      )
      .handle("settle", (call) =>
        respondOnce(call, notes(call.params.payment_id).settle, { recall: view }),
      )
      .handle("run", (call) =>
        respond(call, ({ accountId }) => Effect.map(payouts.outlook(accountId), writeRun)),
      )
      .handleRaw("answers", (call) => respondInParts(call, takeAll(payments)))
  }),
)
