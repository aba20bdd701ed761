/** One collaborator's payouts in one currency, as the facts come in the order of their times. */
import * as Result from "effect/Result"
import * as Cents from "../../money/Cents.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import * as PayoutAccount from "../../payouts/PayoutAccount.js"
import * as PayoutItem from "../../payouts/PayoutItem.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import * as ExitCode from "../ExitCode.js"
import { ExactSum } from "../output/ExactSum.js"
import type { Balance } from "./Balance.js"
import type { Spool } from "./Spool.js"
import type { StatementPayout } from "./StatementPayout.js"
import * as StatementRecord from "./StatementRecord.js"

/** The time that a statement is about. */
export interface StatementPeriod {
  readonly timeZone: string
  /** The first second that counts; `undefined`: from the beginning. */
  readonly from: number | undefined
  /** The first second that no longer counts. */
  readonly until: number
}

/** Whose payouts, in which currency. */
export interface AccountOwner {
  readonly collaborator: Collaborator
  readonly currency: string
}

/** A payout that collects items: those between two places of the spool. */
interface Collecting extends PayoutAccount.Counted {
  readonly begin: number
  readonly end: number
  readonly broughtForward: bigint | undefined
}

/** A sale of which refunds are still to come. */
interface OpenSale {
  readonly sale: PayoutItem.Sale
  readonly payoutId: string
  /** Where its record begins. */
  readonly place: number
  /** What was taken back of it since its payout was settled, in the original currency. */
  readonly reversed: number
  readonly refunds: number
  readonly refundsLeft: number
}

const orRefuse = <A>(result: Result.Result<A, { readonly message: string }>): A => {
  if (Result.isSuccess(result)) return result.success
  throw new ExitCode.UnusableInput({ message: result.failure.message })
}

const safeTotal = (id: string, total: bigint): number => {
  if (Cents.isCents(Number(total))) return Number(total)
  const { message } = Cents.AmountOutOfRange.of(`the total of payout ${id}`, total)
  throw new ExitCode.UnusableInput({ message })
}

const itemsTogether = 256

export class StatementAccount {
  readonly owner: AccountOwner
  private readonly period: StatementPeriod
  private readonly items: Spool
  private readonly balance: Balance
  private account: PayoutAccount.PayoutAccount
  private readonly payouts = new Map<string, Collecting>()
  private readonly sold = new Map<number, OpenSale>()
  private hasBegun: boolean

  constructor(
    owner: AccountOwner,
    options: { readonly period: StatementPeriod; readonly items: Spool; readonly balance: Balance },
  ) {
    this.owner = owner
    this.period = options.period
    this.items = options.items
    this.balance = options.balance
    this.hasBegun = options.period.from === undefined
    const { collaborator, currency } = owner
    this.account = PayoutAccount.empty({ collaboratorId: collaborator.id, currency })
  }

  /** Takes the next fact. */
  take(record: Buffer): void {
    const at = StatementRecord.timeOf(record)
    this.advance(at)
    const key = StatementRecord.keyOf(record)
    if (StatementRecord.isRefund(record)) {
      this.takeBack(key, { at, amount: StatementRecord.figuresIn(record).amount })
    } else {
      const payoutId = this.active(at)
      const place = this.put(payoutId, record)
      if (key.link > 0) this.keepSold(key, { record, payoutId, place })
    }
  }

  /** The payouts at the end of the period; those that were settled before it are left out. */
  finish(): ReadonlyArray<StatementPayout> {
    this.advance(this.period.until - 1)
    const { from = Number.NEGATIVE_INFINITY } = this.period
    return [...this.payouts.values()]
      .filter(({ head: { paidAt } }) => paidAt === null || paidAt >= from)
      .map((payout) => this.finished(payout))
  }

  /** Closes and pays what is due by a time; notes what there was when the period began. */
  private advance(to: number): void {
    const { from } = this.period
    if (!this.hasBegun && from !== undefined && to >= from) {
      this.hasBegun = true
      this.advance(from - 1)
      for (const [id, payout] of this.payouts) {
        if (PayoutStatus.isSettled(payout.head.status)) continue
        this.payouts.set(id, { ...payout, broughtForward: payout.total })
      }
    }
    const { collaborator } = this.owner
    const { timeZone } = this.period
    const find = (id: string) => this.payout(id)
    const options = { collaborator, timeZone, to, find }
    const { account, changed } = orRefuse(PayoutAccount.advance(this.account, options))
    this.account = account
    for (const payout of changed) this.payouts.set(payout.head.id, payout)
  }

  private payout(id: string): Collecting {
    const payout = this.payouts.get(id)
    if (payout === undefined) throw new ExitCode.Defect({ message: `there is no payout ${id}` })
    return payout
  }

  /** The payout that collects at a time; it is opened when there is none. */
  private active(at: number): string {
    if (this.account.activeId !== null) return this.account.activeId
    const { collaborator, currency } = this.owner
    const number = this.account.opened + 1
    const id = PayoutAccount.payoutId({ collaboratorId: collaborator.id, currency, number })
    const { timeZone } = this.period
    const opened = orRefuse(PayoutAccount.open(this.account, { id, at, collaborator, timeZone }))
    this.account = opened.account
    const place = { begin: this.items.end, end: this.items.end }
    const none = { total: 0n, broughtForward: undefined }
    this.payouts.set(id, { head: opened.payout, ...none, ...place })
    return id
  }

  /** Puts an item into the active payout, and answers where it is. */
  private put(payoutId: string, record: Buffer): number {
    const payout = this.payout(payoutId)
    const place = this.items.append(record)
    const { amount, originalAmount } = StatementRecord.figuresIn(record)
    const currency = StatementRecord.currencyOf(record)
    if (currency !== undefined) this.balance.addItem(currency, originalAmount)
    const total = payout.total + BigInt(amount)
    this.payouts.set(payoutId, { ...payout, total, end: this.items.end })
    return place
  }

  private keepSold(
    { number, link: refundsLeft }: StatementRecord.Key,
    { record, ...found }: { record: Buffer; readonly payoutId: string; readonly place: number },
  ): void {
    const sale = StatementRecord.read(record)
    if (sale.kind !== "sale") return
    this.sold.set(number, { sale, ...found, reversed: 0, refunds: 0, refundsLeft })
  }

  /** Takes back a part of a share, in its payout or, when that is settled, in the active one. */
  private takeBack(
    key: StatementRecord.Key,
    { at, amount }: { readonly at: number; readonly amount: number },
  ): void {
    const found = this.sold.get(key.link)
    if (found === undefined) throw new ExitCode.Defect({ message: "a refund before its sale" })
    const payout = this.payout(found.payoutId)
    const changed = PayoutStatus.isSettled(payout.head.status)
      ? this.takeBackLater(found, key, { at, amount })
      : this.reduce(found, payout, { at, amount })
    const refundsLeft = found.refundsLeft - 1
    if (refundsLeft === 0) this.sold.delete(key.link)
    else this.sold.set(key.link, { ...changed, refundsLeft })
  }

  private reduce(
    found: OpenSale,
    payout: Collecting,
    { at, amount }: { readonly at: number; readonly amount: number },
  ): OpenSale {
    const { currency } = this.owner
    const sale = orRefuse(PayoutItem.reduce(found.sale, { currency, amount, at }))
    const figures = StatementRecord.figuresBytes(StatementRecord.figuresOf(sale))
    this.items.patch(found.place + StatementRecord.places.now, figures)
    const { from = Number.NEGATIVE_INFINITY } = this.period
    if (at < from) this.items.patch(found.place + StatementRecord.places.earlier, figures)
    const total = payout.total + BigInt(sale.amount) - BigInt(found.sale.amount)
    this.balance.addItem(sale.originalCurrency, sale.originalAmount - found.sale.originalAmount)
    this.payouts.set(found.payoutId, { ...payout, total })
    return { ...found, sale }
  }

  private takeBackLater(
    found: OpenSale,
    { account, number }: StatementRecord.Key,
    { at, amount }: { readonly at: number; readonly amount: number },
  ): OpenSale {
    const { currency } = this.owner
    const { sale, reversed: alreadyRefunded, refunds } = found
    const id = `${sale.id}/refund/${refunds + 1}`
    const options = { id, currency, amount, alreadyRefunded, at }
    const refund = orRefuse(PayoutItem.takeBack(sale, options))
    if (refund.originalAmount === 0) return found
    this.put(this.active(at), StatementRecord.write(refund, { account, number, link: 0 }))
    return { ...found, reversed: alreadyRefunded + amount, refunds: refunds + 1 }
  }

  private finished({ head, total, broughtForward, begin, end }: Collecting): StatementPayout {
    const { from = Number.NEGATIVE_INFINITY } = this.period
    const sum = safeTotal(head.id, total)
    const forward = broughtForward === undefined ? undefined : safeTotal(head.id, broughtForward)
    const range = { begin, end }
    return {
      ...head,
      total: sum,
      broughtForward: forward,
      all: () => this.read(range, StatementRecord.read, sum),
      ofPeriod: () => this.read(range, StatementRecord.readSince(from), sum - (forward ?? 0)),
    }
  }

  /** Reads items, which must come to a sum. */
  private *read(
    { begin, end }: { readonly begin: number; readonly end: number },
    itemOf: (record: Buffer) => PayoutItem.PayoutItem | undefined,
    sum: number,
  ): Generator<ReadonlyArray<PayoutItem.PayoutItem>> {
    const found = new ExactSum()
    let items: Array<PayoutItem.PayoutItem> = []
    for (const record of this.items.records(begin, end)) {
      const item = itemOf(record)
      if (item === undefined) continue
      found.add(item.amount)
      items.push(item)
      if (items.length < itemsTogether) continue
      yield items
      items = []
    }
    if (found.value !== BigInt(sum)) {
      const message = `the items of a payout come to ${found.value}, and its total is ${sum}`
      throw new ExitCode.Defect({ message })
    }
    if (items.length > 0) yield items
  }
}
