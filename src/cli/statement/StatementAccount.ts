import * as Result from "effect/Result"
import type { DocumentWords } from "../../documents/DocumentWords.js"
import type { Phrase } from "../../languages/Messages.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import * as Lifecycle from "../../payouts/Lifecycle.js"
import * as Maturity from "../../payouts/Maturity.js"
import type { Payout } from "../../payouts/Payout.js"
import type * as PayoutItem from "../../payouts/PayoutItem.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import * as ExitCode from "../ExitCode.js"
import { ExactSum } from "../output/ExactSum.js"
import * as Table from "../output/Table.js"
import * as Places from "./Places.js"
import type { Spool } from "./Spool.js"
import * as StatementRecord from "./StatementRecord.js"

// The check that every cent is accounted for, in each currency of the sales.

/** The sums of the sales in one currency, less refunds. */
interface CurrencyAccount {
  distributable: bigint
  store: bigint
  shares: bigint
  items: bigint
}

/** The fields of a split that the check needs. */
export interface SoldSplit {
  readonly currency: string
  readonly items: ReadonlyArray<{ readonly distributable: number }>
  readonly store: ReadonlyArray<{ readonly amount: number }>
  readonly shares: ReadonlyArray<{ readonly amount: number }>
}

/** The amounts that a refund reversed: of the store, and of each share. */
export interface Taken {
  readonly store: number
  readonly shares: ReadonlyArray<{ readonly groupId: string; readonly amount: number }>
}

export class Balance {
  private readonly accounts = new Map<string, CurrencyAccount>()

  /** Adds a recorded sale. */
  addSale(split: SoldSplit): void {
    const account = this.account(split.currency)
    for (const { distributable } of split.items) account.distributable += BigInt(distributable)
    for (const { amount } of split.store) account.store += BigInt(amount)
    for (const { amount } of split.shares) account.shares += BigInt(amount)
  }

  /** Subtracts a recorded refund. */
  addRefund(currency: string, reversal: Taken): void {
    const account = this.account(currency)
    account.store -= BigInt(reversal.store)
    account.distributable -= BigInt(reversal.store)
    for (const { amount } of reversal.shares) {
      account.shares -= BigInt(amount)
      account.distributable -= BigInt(amount)
    }
  }

  /** Adds a payout's item of a sale or a refund, in the currency of the sale. */
  addItem(currency: string, originalAmount: number): void {
    this.account(currency).items += BigInt(originalAmount)
  }

  /** Whether it all adds up. */
  get holds(): boolean {
    return [...this.accounts.values()].every(
      ({ distributable, store, shares, items }) =>
        distributable === shares + store && shares === items,
    )
  }

  /** The sums in one line for each currency. */
  toText(): string {
    const lines = [...this.accounts]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, { distributable, store, shares, items }]) => {
        const money = (amount: bigint) => Table.money(amount, currency)
        const first = distributable === shares + store ? "=" : "is not"
        const second = shares === items ? "=" : "are not"
        return `${money(distributable)} brought in ${first} ${money(shares)} shares + ${money(store)} store; shares ${second} payout items (${money(items)})`
      })
    if (lines.length === 0) return "No sale was recorded.\n"
    const verdict = this.holds
      ? "Every cent is accounted for (refunds taken off):"
      : "This does not add up:"
    return `${verdict}\n${lines.map((line) => `  ${line}\n`).join("")}`
  }

  private account(currency: string): CurrencyAccount {
    const account = this.accounts.get(currency) ?? {
      distributable: 0n,
      store: 0n,
      shares: 0n,
      items: 0n,
    }
    this.accounts.set(currency, account)
    return account
  }
}

// A payout of a statement: its state, its sums, and its items, which are read on demand.

type Items = () => Iterable<ReadonlyArray<PayoutItem.PayoutItem>>

export interface StatementPayout extends Omit<Payout, "items"> {
  /** The sum of all its items, in cents. */
  readonly total: number
  /** Its total when the period began, in cents; `undefined`: it was opened in the period. */
  readonly broughtForward: number | undefined
  /** All its items, in batches; it can be iterated repeatedly. */
  readonly all: Items
  /** The items of the period: their sum is the total less the amount brought forward. */
  readonly ofPeriod: Items
}

/** The state of a payout, as `paid on 2025-02-28`. */
export const standing = (
  payout: StatementPayout,
  timeZone: string,
  { say, day: dayOf }: DocumentWords,
): Phrase => {
  const day = (seconds: number | null) => dayOf(seconds ?? payout.toBePaidAt, timeZone)
  switch (payout.status) {
    case "active":
      return say("stateActive", { day: day(payout.toBePaidAt) })
    case "pending":
      return say("statePending", { closed: day(payout.closedAt), day: day(payout.payableAt) })
    case "failed":
      return say("stateFailed", { reason: payout.failureReason ?? say("noReason") })
    case "paid":
      return say("statePaid", { day: day(payout.paidAt) })
    default:
      return say("stateManuallyPaid", { day: day(payout.paidAt) })
  }
}

/** A collaborator's sums in one currency: opening + earned = paid + owed. */
export interface Sum {
  readonly currency: string
  readonly payouts: number
  /** The unpaid amount when the period began. */
  readonly opening: bigint
  /** The sum of the period's items, with refunds, expenses and incomes. */
  readonly earned: bigint
  readonly paid: bigint
  /** The unpaid amount at the end. */
  readonly owed: bigint
}

/** The sums of several payouts by currency. */
export const sums = (payouts: ReadonlyArray<StatementPayout>): ReadonlyArray<Sum> =>
  [...Map.groupBy(payouts, ({ currency }) => currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, group]) => {
      const sum = { opening: 0n, paid: 0n, owed: 0n }
      for (const { broughtForward = 0, total, status } of group) {
        sum.opening += BigInt(broughtForward)
        sum[PayoutStatus.isSettled(status) ? "paid" : "owed"] += BigInt(total)
      }
      const earned = sum.paid + sum.owed - sum.opening
      return { currency, payouts: group.length, ...sum, earned }
    })

// One collaborator's payouts in one currency, built from facts in the order of their times.

/** The period of a statement. */
export interface StatementPeriod {
  readonly timeZone: string
  /** The first second that counts; `undefined`: from the beginning. */
  readonly from: number | undefined
  /** The first second that no longer counts. */
  readonly until: number
}

/** A period in words, as `up to 2025-12-31 (UTC)`. */
export const periodOf = (
  { from, until, timeZone }: StatementPeriod,
  { say, day }: DocumentWords,
): Phrase => {
  const last = { until: day(until - 1, timeZone), zone: timeZone }
  return from === undefined
    ? say("upTo", last)
    : say("fromUntilIn", { ...last, from: day(from, timeZone) })
}

/** The collaborator and the currency of an account. */
export interface AccountOwner {
  readonly collaborator: Collaborator
  readonly currency: string
}

/** A payout, and the places of its items. */
interface Collecting {
  readonly head: Lifecycle.PayoutHead
  readonly places: Places.Places
  readonly broughtForward: bigint | undefined
}

/** A sale with refunds that are not taken yet. */
interface OpenSale extends Lifecycle.PostedSale {
  readonly payoutId: string
  /** The place of its record. */
  readonly place: number
  readonly refundsLeft: number
}

const orRefuse = <A>(result: Result.Result<A, { readonly message: string }>): A => {
  if (Result.isSuccess(result)) return result.success
  throw new ExitCode.UnusableInput({ message: result.failure.message })
}

const itemsTogether = 256

/** Reads items, and checks their sum. */
function* readItems(
  spool: Spool,
  places: Places.Places,
  options: {
    readonly itemOf: (record: Buffer) => PayoutItem.PayoutItem | undefined
    readonly sum: number
  },
): Generator<ReadonlyArray<PayoutItem.PayoutItem>> {
  const found = new ExactSum()
  let items: Array<PayoutItem.PayoutItem> = []
  for (const record of Places.records(spool, places)) {
    const item = options.itemOf(record)
    if (item === undefined) continue
    found.add(item.amount)
    items.push(item)
    if (items.length < itemsTogether) continue
    yield items
    items = []
  }
  if (found.value !== BigInt(options.sum)) {
    const message = `the items of a payout come to ${found.value}, and its total is ${options.sum}`
    throw new ExitCode.Defect({ message })
  }
  if (items.length > 0) yield items
}

export class StatementAccount {
  readonly owner: AccountOwner
  private readonly period: StatementPeriod
  private readonly items: Spool
  private readonly balance: Balance
  private readonly maturityDays: number
  private head: Lifecycle.Head
  private readonly payouts = new Map<string, Collecting>()
  private readonly sold = new Map<number, OpenSale>()
  private hasBegun: boolean

  constructor(
    owner: AccountOwner,
    options: {
      readonly period: StatementPeriod
      readonly items: Spool
      readonly balance: Balance
      /** How many days after its sale a share can be closed. */
      readonly maturityDays: number
    },
  ) {
    this.maturityDays = options.maturityDays
    this.owner = owner
    this.period = options.period
    this.items = options.items
    this.balance = options.balance
    this.hasBegun = options.period.from === undefined
    const { collaborator, currency } = owner
    this.head = Lifecycle.empty({ collaboratorId: collaborator.id, currency })
  }

  /** Takes the next fact. */
  take(record: Buffer): void {
    const at = StatementRecord.timeOf(record)
    this.advance(at)
    const key = StatementRecord.keyOf(record)
    if (StatementRecord.isRefund(record)) {
      this.reverse(key, { at, amount: StatementRecord.figuresIn(record).amount })
    } else {
      const payoutId = this.active(at)
      const place = this.put(payoutId, record)
      if (key.link > 0) this.keepSold(key, { record, payoutId, place })
    }
  }

  /** The payouts at the end of the period; payouts that were settled before it are left out. */
  finish(): ReadonlyArray<StatementPayout> {
    this.advance(this.period.until - 1)
    const { from = Number.NEGATIVE_INFINITY } = this.period
    return [...this.payouts.values()]
      .filter(({ head: { paidAt } }) => paidAt === null || paidAt >= from)
      .map((payout) => this.finished(payout))
  }

  /** Closes and pays payouts that are due by a time; notes their totals when the period begins. */
  private advance(to: number): void {
    const { from } = this.period
    if (!this.hasBegun && from !== undefined && to >= from) {
      this.hasBegun = true
      this.advance(from - 1)
      for (const [id, payout] of this.payouts) {
        if (PayoutStatus.isSettled(payout.head.status)) continue
        this.payouts.set(id, { ...payout, broughtForward: payout.head.total })
      }
    }
    const maturing = this.maturing(to)
    const fact = { type: "time", at: to, terms: this.terms(), maturing } as const
    this.follow(Lifecycle.transition(this.head, fact))
  }

  /** The items of the active payout that are not mature when it is due; `undefined`: none can be. */
  private maturing(to: number): Lifecycle.Maturing | undefined {
    const { maturityDays } = this
    const { active } = this.head
    if (maturityDays === 0 || active === null || !Lifecycle.isDue(active, to)) return undefined
    const shares: Array<Maturity.WaitingShare> = []
    for (const record of Places.records(this.items, this.payout(active.id).places)) {
      shares.push(...Maturity.sharesOf([StatementRecord.read(record)]))
    }
    return { maturityDays, shares, payoutId: this.nameOf }
  }

  private terms(): Lifecycle.Terms {
    return { collaborator: this.owner.collaborator, timeZone: this.period.timeZone }
  }

  /** Applies a step of the life cycle. */
  private follow(taken: Result.Result<Lifecycle.Step, { readonly message: string }>): void {
    const { head, changes } = orRefuse(taken)
    this.head = head
    for (const { payout, moved } of changes) {
      const known = this.payouts.get(payout.id) ?? { places: [], broughtForward: undefined }
      this.payouts.set(payout.id, { ...known, head: payout })
      if (moved !== undefined) this.move(payout.id, moved)
    }
  }

  /** Moves immature items from a closed payout to the one that is opened for them. */
  private move(fromId: string, { itemIds, toPayoutId }: Lifecycle.MovedItems): void {
    const from = this.payout(fromId)
    const moving = new Set(itemIds)
    const { from: begin } = this.period
    let forward: bigint | undefined
    const [left, gone] = Places.divide(this.items, from.places, (record) => {
      const item = StatementRecord.read(record)
      const isMoving = item.kind === "sale" && moving.has(item.id)
      const isEarlier = this.hasBegun && begin !== undefined && item.createdAt < begin
      if (isMoving && isEarlier) {
        forward = (forward ?? 0n) + BigInt(StatementRecord.earlierIn(record).amount)
      }
      return isMoving
    })
    const broughtForward =
      forward === undefined ? from.broughtForward : (from.broughtForward ?? 0n) - forward
    this.payouts.set(fromId, { ...from, places: left, broughtForward })
    this.payouts.set(toPayoutId, { head: from.head, places: gone, broughtForward: forward })
    for (const [number, sale] of this.sold) {
      const isMoved = sale.payoutId === fromId && moving.has(sale.sale.id)
      if (isMoved) this.sold.set(number, { ...sale, payoutId: toPayoutId })
    }
  }

  private payout(id: string): Collecting {
    const payout = this.payouts.get(id)
    if (payout === undefined) throw new ExitCode.Defect({ message: `there is no payout ${id}` })
    return payout
  }

  private readonly nameOf = (number: number): string => {
    const { collaborator, currency } = this.owner
    return Lifecycle.payoutId({ collaboratorId: collaborator.id, currency, number })
  }

  /** The active payout at a time; it is opened if there is none. */
  private active(at: number): string {
    const fact = { type: "posting", at, terms: this.terms(), payoutId: this.nameOf } as const
    if (this.head.active === null) this.follow(Lifecycle.transition(this.head, fact))
    const { active } = this.head
    if (active === null) throw new ExitCode.Defect({ message: "there is no payout that collects" })
    return active.id
  }

  /** Puts an item into a payout, and returns its place. */
  private put(payoutId: string, record: Buffer): number {
    const payout = this.payout(payoutId)
    const place = this.items.append(record)
    const { amount, originalAmount } = StatementRecord.figuresIn(record)
    const currency = StatementRecord.currencyOf(record)
    if (currency !== undefined) this.balance.addItem(currency, originalAmount)
    const places = Places.add(payout.places, { begin: place, end: this.items.end })
    this.payouts.set(payoutId, { ...payout, places })
    this.changeItems(payout, { amounts: [amount], added: 1 })
    return place
  }

  private changeItems(
    { head: payout }: Collecting,
    change: { readonly amounts: ReadonlyArray<number>; readonly added: number },
  ): void {
    this.follow(Lifecycle.changeItems(this.head, { payout, ...change }))
  }

  private keepSold(
    { number, link: refundsLeft }: StatementRecord.Key,
    { record, ...found }: { record: Buffer; readonly payoutId: string; readonly place: number },
  ): void {
    const sale = StatementRecord.read(record)
    if (sale.kind !== "sale") return
    this.sold.set(number, { sale, ...found, reversed: 0, refunds: 0, refundsLeft })
  }

  /** Reverses a part of a share, in its payout or, when that is settled, in the active one. */
  private reverse(
    key: StatementRecord.Key,
    { at, amount }: { readonly at: number; readonly amount: number },
  ): void {
    const found = this.sold.get(key.link)
    if (found === undefined) throw new ExitCode.Defect({ message: "a refund before its sale" })
    const payout = this.payout(found.payoutId)
    const { item, ...left } = orRefuse(Lifecycle.refund(payout.head, found, { amount, at }))
    const refundsLeft = found.refundsLeft - 1
    const sale = item?.kind === "sale" ? item : found.sale
    if (refundsLeft === 0) this.sold.delete(key.link)
    else this.sold.set(key.link, { ...found, ...left, sale, refundsLeft })
    if (item?.kind === "sale") {
      this.reduce(found, payout, { sale: item, at })
      this.settleDebt(found.payoutId, { at, key })
    }
    if (item?.kind !== "refund") return
    const { account, number } = key
    this.put(this.active(at), StatementRecord.write(item, { account, number, link: 0 }))
  }

  private reduce(
    { place, sale: before }: OpenSale,
    payout: Collecting,
    { sale, at }: { readonly sale: PayoutItem.Sale; readonly at: number },
  ): void {
    const figures = StatementRecord.figuresBytes(StatementRecord.figuresOf(sale))
    this.items.patch(place + StatementRecord.places.now, figures)
    const { from = Number.NEGATIVE_INFINITY } = this.period
    if (at < from) this.items.patch(place + StatementRecord.places.earlier, figures)
    this.balance.addItem(sale.originalCurrency, sale.originalAmount - before.originalAmount)
    this.changeItems(payout, { amounts: [sale.amount, -before.amount], added: 0 })
  }

  /** Offsets a closed payout that has fallen below zero against the active one. */
  private settleDebt(
    payoutId: string,
    { at, key }: { readonly at: number; readonly key: StatementRecord.Key },
  ): void {
    const { head } = this.payout(payoutId)
    if (!Lifecycle.isDebt(head)) return
    const activeId = this.active(at)
    const { income, expense } = Lifecycle.setOff(head, { activeId, at })
    const own = { ...key, link: 0 }
    this.put(payoutId, StatementRecord.write(income, own))
    this.put(activeId, StatementRecord.write(expense, own))
  }

  private finished({ head, broughtForward, places }: Collecting): StatementPayout {
    const { from = Number.NEGATIVE_INFINITY } = this.period
    const { itemsCount: _count, paymentId: _none, ...standing } = head
    const sum = orRefuse(Lifecycle.totalOf(head))
    const forward =
      broughtForward === undefined
        ? undefined
        : orRefuse(Lifecycle.totalOf({ ...head, total: broughtForward }))
    // The returned closures keep only the items in memory, not the account.
    const { items } = this
    return {
      ...standing,
      total: sum,
      broughtForward: forward,
      all: () => readItems(items, places, { itemOf: StatementRecord.read, sum }),
      ofPeriod: () => {
        const itemOf = StatementRecord.readSince(from)
        return readItems(items, places, { itemOf, sum: sum - (forward ?? 0) })
      },
    }
  }
}
