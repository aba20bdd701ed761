/** The check that every cent is accounted for, in each currency in which something was sold. */
import type { Payout } from "../payouts/Payout.js"
import type { Reversal } from "../shares/Refund.js"
import type { Split } from "../shares/Split.js"
import * as Table from "./Table.js"

/** What came of the sales in one currency, refunds taken off. */
interface Account {
  broughtIn: bigint
  store: bigint
  shares: bigint
  items: bigint
}

export class Balance {
  private readonly accounts = new Map<string, Account>()

  /** Adds a sale that was recorded. */
  addSale(split: Split): void {
    const account = this.account(split.currency)
    for (const { broughtIn } of split.items) account.broughtIn += BigInt(broughtIn)
    for (const { amount } of split.store) account.store += BigInt(amount)
    for (const { amount } of split.shares) account.shares += BigInt(amount)
  }

  /** Takes off a refund that was recorded. */
  addRefund(currency: string, reversal: Reversal): void {
    const account = this.account(currency)
    account.store -= BigInt(reversal.store)
    account.broughtIn -= BigInt(reversal.store)
    for (const { amount } of reversal.shares) {
      account.shares -= BigInt(amount)
      account.broughtIn -= BigInt(amount)
    }
  }

  /** Adds what the payouts hold of sales and refunds, in the currency of the sale. */
  addPayouts(payouts: ReadonlyArray<Payout>): void {
    for (const item of payouts.flatMap(({ items }) => items)) {
      if (item.kind === "expense" || item.kind === "income") continue
      this.account(item.originalCurrency).items += BigInt(item.originalAmount)
    }
  }

  /** Whether it all adds up. */
  get holds(): boolean {
    return [...this.accounts.values()].every(
      ({ broughtIn, store, shares, items }) => broughtIn === shares + store && shares === items,
    )
  }

  /** The sums in one line for each currency. */
  toText(): string {
    const lines = [...this.accounts]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, { broughtIn, store, shares, items }]) => {
        const money = (amount: bigint) => Table.money(amount, currency)
        const first = broughtIn === shares + store ? "=" : "is not"
        const second = shares === items ? "=" : "are not"
        return `${money(broughtIn)} brought in ${first} ${money(shares)} shares + ${money(store)} store; shares ${second} payout items (${money(items)})`
      })
    if (lines.length === 0) return "No sale was recorded.\n"
    const verdict = this.holds
      ? "Every cent is accounted for (refunds taken off):"
      : "This does not add up:"
    return `${verdict}\n${lines.map((line) => `  ${line}\n`).join("")}`
  }

  private account(currency: string): Account {
    const account = this.accounts.get(currency) ?? {
      broughtIn: 0n,
      store: 0n,
      shares: 0n,
      items: 0n,
    }
    this.accounts.set(currency, account)
    return account
  }
}
