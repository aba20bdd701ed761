/** What every collaborator is paid: sales, refunds, expenses and incomes, in the order of their times. */
import * as Result from "effect/Result"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { Payout } from "../payouts/Payout.js"
import * as PayoutBook from "../payouts/PayoutBook.js"
import type { Reversal } from "../shares/Refund.js"
import type { Split } from "../shares/Split.js"
import type { Entry } from "../wire/Entry.js"
import { Balance } from "./Balance.js"
import type { Collaborators } from "./Collaborators.js"
import * as ExitCode from "./ExitCode.js"
import type { SplitOrder } from "./Orders.js"
import type { RateAt } from "./Rates.js"

/** A finished statement. */
export interface Statement {
  readonly timeZone: string
  /** The first second that no longer counts. */
  readonly until: number
  readonly sections: ReadonlyArray<Section>
  readonly balance: Balance
}

/** One collaborator's payouts, in the order in which they were opened. */
export interface Section {
  readonly collaborator: Collaborator
  readonly payouts: ReadonlyArray<Payout>
}

/** A sale with what was refunded of it. */
export interface Sale {
  readonly split: SplitOrder
  readonly at: number
  readonly reversals: ReadonlyArray<Reversal>
}

/** A fact could not be recorded; the sale it belongs to is told by its split. */
export interface Refused {
  readonly sale: SplitOrder
  readonly error: PayoutBook.BookError
}

interface Step {
  readonly fact: PayoutBook.Fact
  readonly sale: SplitOrder | undefined
  readonly recorded: (balance: Balance) => void
}

const stepsOfSale = ({ split, at, reversals }: Sale): ReadonlyArray<Step> => {
  const whole: Split = split.split
  return [
    {
      fact: { type: "split", at, order: split.order, split: whole },
      sale: split,
      recorded: (balance) => balance.addSale(whole),
    },
    ...reversals.map(
      (reversal): Step => ({
        fact: { type: "refund", at: reversal.refundedAt, reversal },
        sale: split,
        recorded: (balance) => balance.addRefund(whole.currency, reversal),
      }),
    ),
  ]
}

const stepOfEntry = (entry: Entry, index: number): Step => ({
  fact: {
    type: entry.kind,
    id: `entry ${index + 1}`,
    collaboratorId: entry.collaboratorId,
    amount: entry.amount,
    name: entry.name,
    at: entry.at,
  },
  sale: undefined,
  recorded: () => undefined,
})

const orRefuse = <A>(result: Result.Result<A, { readonly message: string }>): A => {
  if (Result.isSuccess(result)) return result.success
  throw new ExitCode.UnusableInput({ message: result.failure.message })
}

/** Records every fact before `until`, and brings the payouts up to it. */
export const make = (options: {
  readonly collaborators: Collaborators
  readonly timeZone: string
  readonly rate: RateAt | undefined
  readonly until: number
  /** Gives the sales away: once they are in the payouts nobody needs their orders any more. */
  readonly takeSales: () => ReadonlyArray<Sale>
  readonly entries: ReadonlyArray<Entry>
  readonly onRefused: (refused: Refused) => void
}): Statement => {
  const { collaborators, timeZone, until, rate } = options
  const balance = new Balance()
  const steps = [...options.takeSales().flatMap(stepsOfSale), ...options.entries.map(stepOfEntry)]
    .filter(({ fact }) => fact.at < until)
    .sort((one, other) => PayoutBook.order(one.fact, other.fact))
  let book = orRefuse(
    PayoutBook.empty({ collaborators: [...collaborators.values()], timeZone, rate }),
  )
  // From the end of the reversed list, so that each step can be forgotten once it is done.
  steps.reverse()
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { fact, sale, recorded } = step
    const next = PayoutBook.record(book, fact)
    if (Result.isSuccess(next)) {
      book = next.success
      recorded(balance)
    } else if (sale !== undefined) options.onRefused({ sale, error: next.failure })
    else orRefuse(next)
  }
  const payouts = PayoutBook.payouts(orRefuse(PayoutBook.advance(book, until - 1)))
  balance.addPayouts(payouts)
  const byOwner = Map.groupBy(payouts, ({ collaboratorId }) => collaboratorId)
  const sections = [...collaborators.values()].map((collaborator) => ({
    collaborator,
    payouts: byOwner.get(collaborator.id) ?? [],
  }))
  return { timeZone, until, sections, balance }
}
