import * as Result from "effect/Result"
import type { Order } from "../../orders/Order.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import type { EarnedShare } from "../../payouts/PayoutBook.js"
import * as PayoutItem from "../../payouts/PayoutItem.js"
import * as Schedule from "../../payouts/Schedule.js"
import type { Reversal } from "../../shares/Refund.js"
import type { Entry } from "../../wire/Entry.js"
import * as ExitCode from "../ExitCode.js"
import type { CollaboratorList } from "../input/Collaborators.js"
import type { RateAt } from "../input/Rates.js"
import { SortedSpool, Spool } from "./Spool.js"
import {
  type AccountOwner,
  Balance,
  type SoldSplit,
  StatementAccount,
  type StatementPayout,
  type StatementPeriod,
  type Taken,
} from "./StatementAccount.js"
import type { BookedLine } from "./StatementAgreements.js"
import type { FinalBalances } from "./StatementBalances.js"
import * as StatementRecord from "./StatementRecord.js"

// The payouts of all collaborators, from sales, refunds, expenses and incomes in the order of their times. These are
// kept as byte records sorted by account, so that their number is not limited by memory.

/** A finished statement. */
export interface Statement {
  readonly period: StatementPeriod
  /** Where agreements and terms stand at the end. */
  readonly balances?: FinalBalances | undefined
  readonly sections: ReadonlyArray<Section>
}

/** One collaborator's payouts, in the order in which they were opened. */
export interface Section {
  readonly collaborator: Collaborator
  readonly payouts: ReadonlyArray<StatementPayout>
}

/** A sale with the reversals of its refunds. */
export interface RefundedSale {
  readonly order: Order
  readonly split: SoldSplit & { readonly shares: ReadonlyArray<EarnedShare> }
  readonly at: number
  readonly reversals: ReadonlyArray<Taken & Pick<Reversal, "orderId" | "itemId" | "refundedAt">>
}

type SaleError = Schedule.InvalidTime | PayoutItem.MissingExchangeRate | PayoutItem.ConversionError

/** A share in its payout's currency, with its account. */
interface PlacedSale {
  readonly account: number
  readonly item: PayoutItem.Sale
}

const orRefuse = <A>(result: Result.Result<A, { readonly message: string }>): A => {
  if (Result.isSuccess(result)) return result.success
  throw new ExitCode.UnusableInput({ message: result.failure.message })
}

const byOpening = (one: StatementPayout, other: StatementPayout): number =>
  one.openedAt - other.openedAt || (one.id < other.id ? -1 : 1)

export class StatementLedger {
  readonly balance = new Balance()
  private readonly collaborators: CollaboratorList
  private readonly rate: RateAt | undefined
  private readonly period: StatementPeriod
  private readonly maturityDays: number
  private readonly owners: Array<AccountOwner> = []
  private readonly numbers = new Map<string, number>()
  private readonly facts: SortedSpool
  private readonly items: Spool
  private factCount = 0

  constructor(options: {
    readonly collaborators: CollaboratorList
    /** Finds exchange rates; when absent, payouts are in the order's currency. */
    readonly rate: RateAt | undefined
    readonly period: StatementPeriod
    /** How many days after its sale a share can be closed; 0 when absent. */
    readonly maturityDays?: number
    /** How many bytes are kept in memory: for sorting, and for the sorted facts. */
    readonly memoryBytes?: number
  }) {
    this.collaborators = options.collaborators
    this.rate = options.rate
    this.period = options.period
    this.maturityDays = options.maturityDays ?? 0
    this.facts = new SortedSpool(StatementRecord.compare, options.memoryBytes)
    this.items = new Spool(options.memoryBytes)
  }

  /** Adds a sale with its refunds completely, or not at all. */
  addSale({ order, split, at, reversals }: RefundedSale): Result.Result<void, SaleError> {
    return Result.map(this.place(order, split.shares, at), (placed) => {
      this.balance.addSale(split)
      for (const reversal of reversals) this.balance.addRefund(split.currency, reversal)
      if (reversals.length === 0) for (const one of placed) this.add(one.item, one.account)
      else this.addRefunded(placed, reversals)
    })
  }

  /** Adds an expense or an income. */
  addEntry({ kind, collaboratorId, ...entry }: Entry): void {
    const collaborator = this.collaboratorOf(collaboratorId)
    const { currency } = collaborator
    const make = kind === "expense" ? PayoutItem.expense : PayoutItem.income
    const id = `entry ${this.factCount + 1}`
    const item = orRefuse(make({ id, ...entry }, { currency }))
    if (entry.at < this.period.until) this.add(item, this.accountOf({ collaborator, currency }))
  }

  /** Adds a line of an agreement. */
  addBooked({ collaboratorId, currency, at, amount, name }: BookedLine): void {
    const make = amount < 0 ? PayoutItem.expense : PayoutItem.income
    const id = `entry ${this.factCount + 1}`
    const item = orRefuse(make({ id, at, amount: Math.abs(amount), name }, { currency }))
    this.add(item, this.accountOf({ collaborator: this.collaboratorOf(collaboratorId), currency }))
  }

  /** Advances every payout to the end of the period. The added facts can't be read afterwards. */
  finish(): Statement {
    const payouts = new Map<string, Array<StatementPayout>>()
    let account: { readonly number: number; readonly run: StatementAccount } | undefined
    const finish = () => {
      if (account === undefined) return
      const { collaborator } = account.run.owner
      const others = payouts.get(collaborator.id) ?? []
      payouts.set(collaborator.id, [...others, ...account.run.finish()])
    }
    for (const record of this.facts.take()) {
      const { account: number } = StatementRecord.keyOf(record)
      if (account?.number !== number) {
        finish()
        account = { number, run: this.runOf(number) }
      }
      account.run.take(record)
    }
    finish()
    const sections = [...this.collaborators.values()].map((collaborator) => ({
      collaborator,
      payouts: (payouts.get(collaborator.id) ?? []).sort(byOpening),
    }))
    return { period: this.period, sections }
  }

  /** Frees memory and files; no item can be read afterwards. */
  close(): void {
    this.facts.close()
    this.items.close()
  }

  private runOf(number: number): StatementAccount {
    const owner = this.owners[number]
    if (owner === undefined) throw new ExitCode.Defect({ message: `there is no account ${number}` })
    return new StatementAccount(owner, {
      period: this.period,
      items: this.items,
      balance: this.balance,
      maturityDays: this.maturityDays,
    })
  }

  private place(
    order: Order,
    shares: RefundedSale["split"]["shares"],
    at: number,
  ): Result.Result<ReadonlyArray<PlacedSale>, SaleError> {
    const time = Schedule.checkTime(at, "at")
    if (Result.isFailure(time)) return Result.fail(time.failure)
    const placed: Array<PlacedSale> = []
    for (const share of shares) {
      const collaborator = this.collaboratorOf(share.collaboratorId)
      const { currency, rate } = this.conversionOf(collaborator, order.currency, at)
      const item = PayoutItem.fromShare(share, { order, currency, rate, at })
      if (Result.isSuccess(item)) {
        placed.push({ account: this.accountOf({ collaborator, currency }), item: item.success })
      } else if (item.failure._tag !== "UnknownOrderItem") return Result.fail(item.failure)
      else throw new ExitCode.Defect({ message: item.failure.message })
    }
    return Result.succeed(placed)
  }

  /** The currency of the payout for a share, and the rate to it if it differs and is known. */
  private conversionOf({ currency }: Collaborator, from: string, at: number) {
    return this.rate === undefined || from === currency
      ? { currency: from }
      : { currency, rate: this.rate(from, currency, at) }
  }

  private addRefunded(
    placed: ReadonlyArray<PlacedSale>,
    reversals: RefundedSale["reversals"],
  ): void {
    const counts = new Map<string, number>()
    for (const { itemId } of reversals) counts.set(itemId, (counts.get(itemId) ?? 0) + 1)
    const sold = new Map<string, { readonly one: PlacedSale; readonly number: number }>()
    for (const one of placed) {
      const refunds = counts.get(one.item.orderItem.itemId) ?? 0
      const number = this.add(one.item, one.account, refunds)
      if (refunds > 0) sold.set(one.item.id, { one, number })
    }
    for (const { orderId, itemId, refundedAt, shares } of reversals) {
      for (const { groupId, amount } of shares) {
        const sale = sold.get(PayoutItem.keyOf({ orderId, itemId, groupId }))
        if (sale === undefined) throw new ExitCode.Defect({ message: "a refund of no share" })
        const { item, account } = sale.one
        const taken = { createdAt: refundedAt, amount, originalAmount: amount }
        this.add({ ...item, ...taken, kind: "refund" }, account, sale.number)
      }
    }
  }

  /** Adds a fact, and returns its number. */
  private add(item: PayoutItem.PayoutItem, account: number, link = 0): number {
    this.factCount += 1
    this.facts.add(StatementRecord.write(item, { account, number: this.factCount, link }))
    return this.factCount
  }

  private collaboratorOf(id: string): Collaborator {
    const collaborator = this.collaborators.get(id)
    if (collaborator !== undefined) return collaborator
    throw new ExitCode.Defect({ message: `there is no collaborator with the id ${id}` })
  }

  private accountOf(owner: AccountOwner): number {
    // A currency has no space in it, so no two accounts have the same key.
    const key = `${owner.currency} ${owner.collaborator.id}`
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    this.numbers.set(key, this.owners.length)
    this.owners.push(owner)
    return this.owners.length - 1
  }
}
