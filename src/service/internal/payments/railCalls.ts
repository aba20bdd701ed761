/** Claiming payouts for rails, and asking rails: between transactions, never within one. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Payment from "../../../payouts/Payment.js"
import { type FoundPayment, type PaymentRail, RailUnclear } from "../../../ports/PaymentRail.js"
import type { StoredPayment } from "../../../ports/PaymentStore.js"
import { NotFound } from "../../ServiceError.js"
import { needPayout } from "../lookups.js"
import { now } from "../transactions.js"
import {
  type ClaimFailure,
  confirmation,
  happen,
  type PaymentCall,
  type PaymentCallTools,
  type PaymentFailure,
  stepTools,
} from "./paymentCalls.js"
import { claimPayout, needPayment } from "./paymentSteps.js"

/** The rail with a name; fails when the host has none. */
export const railOf = (
  { rails }: Pick<PaymentCallTools, "rails">,
  name: string,
): Effect.Effect<PaymentRail, NotFound> => {
  const found = rails.find((rail) => rail.name === name)
  return found === undefined ? Effect.fail(NotFound.of("rail", name)) : Effect.succeed(found)
}

/** Whether a rail without such a payment can't get it any more, and would know it if it had had it. */
const isClear = ({ terms }: PaymentRail, { sentAt }: StoredPayment, at: number): boolean => {
  if (sentAt === null) return false
  const isLate = at > sentAt + Math.max(terms.lateSeconds, 1)
  return isLate && (terms.knownSeconds === null || at < sentAt + terms.knownSeconds)
}

const eventOfAnswer = (answer: FoundPayment, at: number): Payment.Event => {
  switch (answer.type) {
    case "accepted":
      return { type: "accept", at, reference: answer.reference }
    case "confirmed": {
      const { reference, fee } = answer
      const given = { at: answer.at, reference: reference ?? undefined, fee: fee ?? undefined }
      return confirmation(given, at)
    }
    case "rejected":
      return { type: "reject", at, reason: answer.reason }
    case "absent":
      return { type: "absent", at }
  }
}

const reasonOf = (cause: Cause.Cause<RailUnclear>): string => {
  const failure = Cause.findError(cause)
  if (Result.isSuccess(failure)) return failure.success.reason
  return Cause.hasInterrupts(cause) ? "asking was interrupted" : "the rail broke while it was asked"
}

/** Asks a rail about a payment as it was read, and notes its answer, also when asking is interrupted. */
const ask = (
  tools: PaymentCallTools,
  place: { readonly accountId: string; readonly rail: PaymentRail },
  asked: StoredPayment,
  question: Effect.Effect<FoundPayment, RailUnclear>,
): Effect.Effect<StoredPayment, PaymentFailure> => {
  const { accountId, rail } = place
  const { id: paymentId, version } = asked
  // While a question may be under way, an answer that the rail has nothing is not believed.
  const bounded = Effect.timeoutOrElse(question, {
    duration: Math.max(rail.terms.lateSeconds, 1) * 1_000,
    orElse: () => Effect.fail(RailUnclear.of(rail.name, paymentId, "no answer came in time")),
  })
  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const askedAt = yield* now
      const exit = yield* Effect.exit(restore(bounded))
      const noted = happen(tools, { accountId, paymentId }, (payment, at) => {
        if (Exit.isFailure(exit)) return [{ type: "lose", at, reason: reasonOf(exit.cause) }]
        const answer = exit.value
        if (answer.type !== "absent") return [eventOfAnswer(answer, at)]
        if (payment.version !== version) return []
        const reason = "the rail has no such payment, but may still get it, or have forgotten it"
        return isClear(rail, asked, askedAt)
          ? [{ type: "absent", at }]
          : [{ type: "lose", at, reason }]
      })
      const payment = yield* noted
      return Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)
        ? yield* Effect.interrupt
        : payment
    }),
  )
}

/** The text that the receiver reads. */
const referenceOf = ({ payoutId }: StoredPayment): string => `Payout ${payoutId}`

/** A rail that gets files is not asked for single payments. */
const isOfFiles = ({ terms }: PaymentRail): boolean => terms.mode === "batch"

const sentInFiles = (
  { id: paymentId, status }: StoredPayment,
  { name }: PaymentRail,
): Payment.InvalidPaymentTransition => {
  const message = `payment ${paymentId} goes over rail ${name}, which gets files: it is sent with the file that has it`
  return new Payment.InvalidPaymentTransition({ paymentId, status, event: "send", message })
}

/** `Payments.send` */
export const send = (tools: PaymentCallTools): PaymentCall =>
  Effect.fn("Payments.send")(function* (accountId: string, paymentId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, paymentId })
    const known = yield* tools.read(accountId, (stores) => needPayment(stores, paymentId))
    const rail = yield* railOf(tools, known.rail)
    if (isOfFiles(rail)) return yield* Effect.fail(sentInFiles(known, rail))
    const sending = Effect.flatMap(
      happen(tools, { accountId, paymentId }, (_, at) => [{ type: "send", at }]),
      (sent) => {
        const { currency, amount, collaboratorId } = sent
        const reference = referenceOf(sent)
        const instruction = { key: sent.id, amount, currency, reference, collaboratorId }
        return ask(
          tools,
          { accountId, rail },
          sent,
          Effect.suspend(() => rail.send(instruction)),
        )
      },
    )
    return yield* tools.outside("ask a rail", sending)
  })

/** `Payments.resolve` */
export const resolve = (tools: PaymentCallTools): PaymentCall =>
  Effect.fn("Payments.resolve")(function* (accountId: string, paymentId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, paymentId })
    const known = yield* tools.read(accountId, (stores) => needPayment(stores, paymentId))
    if (!Payment.isUnderWay(known.status)) return known
    const rail = yield* railOf(tools, known.rail)
    if (isOfFiles(rail)) return known
    const asking = ask(
      tools,
      { accountId, rail },
      known,
      Effect.suspend(() => rail.find(known.id)),
    )
    return yield* tools.outside("ask a rail", asking)
  })

/** The calls that need a rail. */
export interface RailCalls {
  readonly claim: (
    accountId: string,
    payoutId: string,
    rail: string,
  ) => Effect.Effect<StoredPayment, ClaimFailure>
  readonly send: PaymentCall
  readonly resolve: PaymentCall
}

/** `Payments.claim` */
export const claim = (tools: PaymentCallTools): RailCalls["claim"] =>
  Effect.fn("Payments.claim")(function* (accountId: string, payoutId: string, name: string) {
    const paymentId = yield* tools.newId
    yield* Effect.annotateCurrentSpan({ accountId, payoutId, paymentId })
    const rail = yield* railOf(tools, name)
    const at = yield* now
    return yield* tools.write(accountId, (stores) =>
      Effect.flatMap(needPayout(stores, payoutId), (payout) =>
        claimPayout(stores, stepTools(tools, accountId), { payout, rail, paymentId, at }),
      ),
    )
  })

/** The calls that need a rail. */
export const make = (tools: PaymentCallTools): RailCalls => ({
  claim: claim(tools),
  send: send(tools),
  resolve: resolve(tools),
})
