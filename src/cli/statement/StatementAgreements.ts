/** What agreements book of the sales of a statement. */
import * as Result from "effect/Result"
import type { AgreementSet } from "../../agreements/Agreement.js"
import type { AgreementItem } from "../../agreements/AgreementItem.js"
import * as Agreements from "../../agreements/Agreements.js"
import * as Balances from "../../agreements/Balances.js"
import type { Reversal } from "../../shares/Refund.js"
import type { Split } from "../../shares/Split.js"
import * as ExitCode from "../ExitCode.js"

/** A line of a collaborator's payout. */
export interface BookedLine {
  readonly collaboratorId: string
  readonly currency: string
  readonly at: number
  /** Cents, not 0. */
  readonly amount: number
  readonly name: string
}

/** What happened to a sale, at a time. */
interface Occasion {
  readonly at: number
  /** Of what happens in the same second, sales come before refunds. */
  readonly rank: 1 | 2
  readonly split: Split
  /** `undefined`: it was sold. */
  readonly reversal: Reversal | undefined
}

/** Names may have 200 characters in all. */
const longestId = 60

const short = (id: string): string => (id.length > longestId ? `${id.slice(0, longestId)}…` : id)

const received = (given: string, back: string, isBack: boolean): string => (isBack ? back : given)

/** What a line is called in a statement; `undefined`: it is no line of a payout. */
const nameOf = (item: AgreementItem): string | undefined => {
  const isBack = item.event === "refund"
  const order = "orderId" in item ? `, order ${short(item.orderId)}` : ""
  switch (item.kind) {
    case "recoupment": {
      const what = item.purpose === "expense" ? "expense" : "advance"
      const done = received("recouped for", "open again of", isBack)
      return `${done} ${what} ${short(item.advanceId)}${order}`
    }
    case "reserve": {
      const done = received("withheld for", "given back by", isBack)
      return `${done} reserve ${short(item.reserveId)}${order}`
    }
    case "release":
      return `released by reserve ${short(item.reserveId)}${order}`
    case "override": {
      const whose = item.share === null ? "the sale" : short(item.share.collaboratorId)
      const whom = item.side === "received" ? `of ${whose}` : `to ${short(item.receiverId)}`
      return `override ${short(item.overrideId)} ${whom}${order}`
    }
    case "shortfall":
      return `shortfall of guarantee ${short(item.guaranteeId)}`
    default:
      return undefined
  }
}

const keyOf = ({ orderId, itemId }: { readonly orderId: string; readonly itemId: string }) =>
  JSON.stringify([orderId, itemId])

const orRefuse = <A>(result: Result.Result<A, Agreements.PostingError>, what: string): A => {
  if (Result.isSuccess(result)) return result.success
  throw new ExitCode.UnusableInput({ message: `--agreements: ${what}: ${result.failure.message}` })
}

/** Books sales and refunds in the order of their times, when all are known. */
export class StatementAgreements {
  readonly agreements: AgreementSet
  balances: Balances.AgreementBalances = Balances.empty
  /** What the store paid for overrides, in cents by currency. */
  readonly paidByStore = new Map<string, bigint>()
  private readonly occasions: Array<Occasion> = []
  /** The lines of items that are refunded. */
  private readonly recorded = new Map<string, Array<AgreementItem>>()
  private readonly ends: ReadonlyArray<number>
  private endsClosed = 0
  private lines: Array<BookedLine> = []

  constructor(agreements: AgreementSet) {
    this.agreements = agreements
    this.ends = [...new Set(agreements.guarantees.map(({ until }) => until))].sort((a, b) => a - b)
  }

  addSale(split: Split, at: number, reversals: ReadonlyArray<Reversal>): void {
    this.occasions.push({ at, rank: 1, split, reversal: undefined })
    for (const reversal of reversals) {
      this.recorded.set(keyOf(reversal), [])
      this.occasions.push({ at: reversal.refundedAt, rank: 2, split, reversal })
    }
  }

  /** The lines of payouts up to a time. */
  book(until: number): ReadonlyArray<BookedLine> {
    this.occasions.sort((one, other) => one.at - other.at || one.rank - other.rank)
    for (const occasion of this.occasions) {
      if (occasion.at >= until) break
      this.passTime(occasion.at)
      this.bookOccasion(occasion)
    }
    this.passTime(until - 1)
    return this.lines
  }

  private bookOccasion({ at, split, reversal }: Occasion): void {
    const what = `order ${split.orderId}`
    if (reversal === undefined) {
      this.take(orRefuse(Agreements.post(this.agreements, this.balances, { ...split, at }), what))
      return
    }
    const lines = this.recorded.get(keyOf(reversal)) ?? []
    this.take(orRefuse(Agreements.refund(this.balances, lines, reversal), what))
  }

  /** Books what is due up to a time: what reserves release, and what guarantees lack. */
  private passTime(until: number): void {
    for (;;) {
      const release = this.balances.held[0]?.releaseAt ?? Number.POSITIVE_INFINITY
      const end = this.ends[this.endsClosed] ?? Number.POSITIVE_INFINITY
      const at = Math.min(release, end)
      if (at > until) return
      const what = `the time ${at}`
      if (at === release) {
        this.take(orRefuse(Agreements.release(this.agreements, this.balances, { at }), what))
      } else {
        this.endsClosed += 1
        this.take(orRefuse(Agreements.close(this.agreements, this.balances, { at }), what))
      }
    }
  }

  private take({ items, balances }: Agreements.AgreementOutcome): void {
    this.balances = balances
    for (const item of items) {
      if ("itemId" in item) this.recorded.get(keyOf(item))?.push(item)
      this.addLine(item)
    }
  }

  private addLine(item: AgreementItem): void {
    const name = nameOf(item)
    const { collaboratorId, currency, at, amount } = item
    if (name === undefined || amount === 0) return
    if (collaboratorId !== null) {
      this.lines.push({ collaboratorId, currency, at, amount, name })
      return
    }
    const before = this.paidByStore.get(currency) ?? 0n
    this.paidByStore.set(currency, before - BigInt(amount))
  }
}
