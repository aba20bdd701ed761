/** The answers of the library and of the oracle to a history, in one shape. */
import { CountedRules, CountedSplit, Counters, type Refund, type Split } from "apportion"
import * as Result from "effect/Result"
import type { OracleRefund, OracleReversal } from "../oracle/Oracle.js"
import {
  type OracleCountedSplit,
  type OracleCounts,
  oracleCounted,
  oracleCountedRefunds,
} from "../oracle/terms/CountedOracle.js"
import type { History } from "./History.js"

/** What one step came to: figures, or the names of the errors that are right. */
export interface Answer {
  readonly figures?: string
  readonly errors?: ReadonlyArray<string>
  /** Whether a sum on the way is out of range, though no figure is: it may be refused. */
  readonly mayBeRefused?: boolean
}

/** Without the names of counters in the records of terms, which the oracle has in a form of its own. */
const text = (value: unknown): string =>
  JSON.stringify(value, (name, part: unknown) =>
    typeof part === "bigint" ? Number(part) : name === "counter" ? undefined : part,
  )

const sorted = <A extends { readonly itemId?: string; readonly groupId?: string }>(
  parts: ReadonlyArray<A>,
): ReadonlyArray<A> => {
  const key = ({ itemId = "", groupId = "" }: A) => JSON.stringify([itemId, groupId])
  return parts.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}

type AnyShare = Pick<Split.Split["shares"][number], "itemId" | "groupId"> & {
  readonly [Name in "amount" | "shippingAmount" | "base" | "percentTotal" | "flatTotal" | "claim"]:
    | number
    | bigint
} & { readonly terms?: object | undefined }

const shareOf = (share: AnyShare) => [
  share.itemId,
  share.groupId,
  share.amount,
  share.shippingAmount,
  share.base,
  share.percentTotal,
  share.flatTotal,
  share.claim,
  share.terms ?? null,
]

const figuresOf = (
  split: {
    readonly shares: ReadonlyArray<AnyShare>
    readonly store: ReadonlyArray<{ readonly itemId: string; readonly amount: number | bigint }>
  },
  counts: Readonly<Record<string, number>>,
): string =>
  text([
    sorted(split.shares).map(shareOf),
    sorted(split.store).map(({ itemId, amount }) => [itemId, amount]),
    Object.entries(counts)
      .filter(([, count]) => count !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ])

const reversalFigures = (
  reversal: Pick<Refund.Reversal, "itemId" | "fullyRefunded"> & {
    readonly store: number | bigint
    readonly shares: ReadonlyArray<{
      readonly groupId: string
      readonly amount: number | bigint
      readonly shippingAmount: number | bigint
    }>
  },
  counts: Readonly<Record<string, number>>,
): string =>
  text([
    reversal.itemId,
    reversal.fullyRefunded,
    reversal.store,
    sorted(reversal.shares).map(({ groupId, amount, shippingAmount }) => [
      groupId,
      amount,
      shippingAmount,
    ]),
    Object.entries(counts)
      .filter(([, count]) => count !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ])

/** What the library is asked for; a test puts faults in. */
export interface Engine {
  readonly order: typeof CountedSplit.orderResult
  readonly refund: typeof CountedSplit.refund
}

export const library: Engine = { order: CountedSplit.orderResult, refund: CountedSplit.refund }

/** What the library says to each step. */
export const libraryAnswers = (history: History, engine = library): ReadonlyArray<Answer> => {
  let rules = CountedRules.make(history.groups)
  const splits = new Map<string, Split.Split>()
  const refunds: Array<Refund.Refund> = []
  let counters: Counters.Counters = history.before
  return history.steps.map((step): Answer => {
    if ("sale" in step) {
      const { timeZone, policy } = history
      const { sale, payout } = step
      const done = engine.order(rules, sale, policy, counters, { timeZone, payout })
      if (Result.isFailure(done)) return { errors: [done.failure._tag] }
      counters = done.success.counters
      splits.set(sale.id, done.success.split)
      return { figures: figuresOf(done.success.split, counters) }
    }
    if ("groups" in step) {
      rules = CountedRules.make(step.groups)
      return { figures: "" }
    }
    const split = splits.get(step.refund.orderId)
    if (split === undefined) return { errors: [] }
    const done = engine.refund(split, step.refund, { earlier: refunds, counters })
    if (Result.isFailure(done)) return { errors: [done.failure._tag] }
    counters = done.success.counters
    refunds.push(step.refund)
    return { figures: reversalFigures(done.success.reversal, counters) }
  })
}

const oracleKey = (key: string): string => {
  const counter = Counters.read(key)
  if (counter === undefined) throw new Error(`no counter: ${key}`)
  const { counted, currency, period, per, id } = counter
  const time = period.replace(/^payout:/, "")
  return JSON.stringify([counted, currency, time, per === "group" ? "g" : "c", id])
}

const libraryKey = (key: string, payouts: ReadonlySet<string>): string => {
  const [counted, currency, time, per, id]: ReadonlyArray<string> = JSON.parse(key)
  const period = payouts.has(time ?? "") ? `payout:${time}` : time
  return `${counted}/${currency}/${period}/${per === "g" ? "group" : "collaborator"}/${id}`
}

/** What the oracle says to each step. */
export const oracleAnswers = (history: History): ReadonlyArray<Answer> => {
  const { policy, timeZone } = history
  let { groups } = history
  const payouts = new Set(history.steps.flatMap((step) => ("sale" in step ? step.payout : [])))
  const splits = new Map<string, OracleCountedSplit>()
  const refunded = new Map<string, Array<OracleRefund>>()
  let counts: OracleCounts = new Map(
    Object.entries(history.before).map(([key, count]) => [oracleKey(key), BigInt(count)]),
  )
  const told = () =>
    Object.fromEntries([...counts].map(([key, count]) => [libraryKey(key, payouts), Number(count)]))
  const orders = new Map(
    history.steps.flatMap((step) => ("sale" in step ? [[step.sale.id, step.sale] as const] : [])),
  )
  return history.steps.map((step): Answer => {
    if ("sale" in step) {
      const { sale, payout } = step
      const outcome = oracleCounted(groups, sale, policy, counts, { timeZone, payout })
      if (outcome.split === undefined) return { errors: outcome.errors.map(({ tag }) => tag) }
      counts = outcome.counts
      splits.set(sale.id, outcome.split)
      const mayBeRefused = outcome.split.shares.some(
        ({ percentTotal, flatTotal }) => !Number.isSafeInteger(Number(percentTotal + flatTotal)),
      )
      return { figures: figuresOf(outcome.split, told()), mayBeRefused }
    }
    if ("groups" in step) {
      groups = step.groups
      return { figures: "" }
    }
    const { orderId, refundedAt: _, ...refund } = step.refund
    const split = splits.get(orderId)
    const order = orders.get(orderId)
    if (split === undefined || order === undefined) return { errors: [] }
    const earlier = refunded.get(orderId) ?? []
    const before = oracleCountedRefunds(split, order, earlier, counts).counts
    const { answers, counts: after } = oracleCountedRefunds(
      split,
      order,
      [...earlier, refund],
      counts,
    )
    const answer = answers.at(-1)
    if (answer === undefined || "error" in answer) return { errors: [answer?.error ?? ""] }
    // Both began with the counts of now; what the earlier refunds took off was taken off before.
    const next = new Map(
      [...counts].map(([key, count]) => [
        key,
        count + (after.get(key) ?? 0n) - (before.get(key) ?? 0n),
      ]),
    )
    if ([...next.values()].some((count) => !Number.isSafeInteger(Number(count)))) {
      return { errors: ["AmountOutOfRange"] }
    }
    counts = next
    refunded.set(orderId, [...earlier, refund])
    const reversal: OracleReversal = answer
    return { figures: reversalFigures(reversal, told()) }
  })
}

export interface Finding {
  readonly step: number
  readonly library: Answer | undefined
  readonly oracle: Answer | undefined
}

const agree = (library: Answer, oracle: Answer): boolean => {
  if (oracle.errors === undefined) {
    const isRefused = library.errors?.includes("AmountOutOfRange") === true
    return library.figures === oracle.figures || (isRefused && oracle.mayBeRefused === true)
  }
  const [error] = library.errors ?? []
  return (
    library.figures === undefined &&
    (error === undefined || oracle.errors.includes(error) || oracle.errors.includes("Unrefundable"))
  )
}

/** The first step at which the two differ; the library may be shown another history, to see that it is noticed. */
export const difference = (
  history: History,
  engine = library,
  shownToLibrary = history,
): Finding | undefined => {
  const [ours, theirs] = [libraryAnswers(shownToLibrary, engine), oracleAnswers(history)]
  for (const [step, library] of ours.entries()) {
    const oracle = theirs[step]
    if (oracle === undefined || !agree(library, oracle)) return { step, library, oracle }
    // Where a sum on the way is out of range one may refuse what the other reckons: the histories part.
    if (library.errors?.includes("AmountOutOfRange") === true) return undefined
  }
  return undefined
}
