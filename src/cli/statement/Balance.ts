/** The check that every cent is accounted for, in each currency in which something was sold. */
import * as Table from "../output/Table.js"

/** What came of the sales in one currency, refunds taken off. */
interface CurrencyAccount {
  distributable: bigint
  store: bigint
  shares: bigint
  items: bigint
}

/** What the check needs of a split. */
export interface SoldSplit {
  readonly currency: string
  readonly items: ReadonlyArray<{ readonly distributable: number }>
  readonly store: ReadonlyArray<{ readonly amount: number }>
  readonly shares: ReadonlyArray<{ readonly amount: number }>
}

/** What a refund took back: of the store, and of each share. */
export interface Taken {
  readonly store: number
  readonly shares: ReadonlyArray<{ readonly groupId: string; readonly amount: number }>
}

export class Balance {
  private readonly accounts = new Map<string, CurrencyAccount>()

  /** Adds a sale that was recorded. */
  addSale(split: SoldSplit): void {
    const account = this.account(split.currency)
    for (const { distributable } of split.items) account.distributable += BigInt(distributable)
    for (const { amount } of split.store) account.store += BigInt(amount)
    for (const { amount } of split.shares) account.shares += BigInt(amount)
  }

  /** Takes off a refund that was recorded. */
  addRefund(currency: string, reversal: Taken): void {
    const account = this.account(currency)
    account.store -= BigInt(reversal.store)
    account.distributable -= BigInt(reversal.store)
    for (const { amount } of reversal.shares) {
      account.shares -= BigInt(amount)
      account.distributable -= BigInt(amount)
    }
  }

  /** Adds what a payout holds of a sale or a refund, in the currency of the sale. */
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
