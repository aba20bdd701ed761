import { type Collaborator, Payout, PayoutBook } from "apportion"
import * as Result from "effect/Result"
import { collaborator, order } from "./Samples.js"

type Fact<Type extends PayoutBook.Fact["type"]> = Extract<PayoutBook.Fact, { type: Type }>

/** Shares of an order, as group, collaborator and cents; the group is named after the collaborator. */
export const sold = (
  orderId: string,
  at: number,
  amounts: Readonly<Record<string, number>>,
  currency = "USD",
): Fact<"split"> => ({
  type: "split",
  at,
  order: { ...order, id: orderId, currency },
  split: {
    shares: Object.entries(amounts).map(([collaboratorId, amount]) => ({
      itemId: "1",
      groupId: collaboratorId,
      collaboratorId,
      amount,
    })),
  },
})

/** What a run changed of an order, as collaborator and cents. */
export const adjusted = (
  orderId: string,
  at: number,
  runId: string,
  amounts: Readonly<Record<string, number>>,
  currency = "USD",
): Fact<"adjustment"> => {
  const { split, ...fact } = sold(orderId, at, amounts, currency)
  const changed = (share: (typeof split.shares)[number]) => ({
    ...share,
    ...{ before: 0, after: share.amount },
  })
  return { ...fact, type: "adjustment", runId, adjustment: { shares: split.shares.map(changed) } }
}

export const refunded = (
  orderId: string,
  at: number,
  amounts: Readonly<Record<string, number>>,
  id?: string,
  ofRuns: Readonly<Record<string, Readonly<Record<string, number>>>> = {},
): Fact<"refund"> => ({
  type: "refund",
  at,
  id,
  adjusted: Object.entries(ofRuns).map(([runId, taken]) => ({
    runId,
    shares: Object.entries(taken).map(([collaboratorId, amount]) => ({
      ...{ groupId: collaboratorId, collaboratorId, amount },
    })),
  })),
  reversal: {
    orderId,
    itemId: "1",
    shares: Object.entries(amounts).map(([groupId, amount]) => ({ groupId, amount })),
  },
})

export const entered = (
  type: "expense" | "income",
  id: string,
  at: number,
  amount: number,
  collaboratorId = "ada",
): Extract<PayoutBook.Fact, { readonly name: string }> => ({
  type,
  id,
  at,
  amount,
  collaboratorId,
  name: `Entry ${id}`,
})

export const bookOf = (
  collaborators: ReadonlyArray<Collaborator.Collaborator> = [collaborator()],
  options: Omit<PayoutBook.Options, "collaborators"> = {},
): PayoutBook.PayoutBook => Result.getOrThrow(PayoutBook.empty({ collaborators, ...options }))

export const recordAll = (
  book: PayoutBook.PayoutBook,
  facts: ReadonlyArray<PayoutBook.Fact>,
): PayoutBook.PayoutBook =>
  facts.reduce((before, fact) => Result.getOrThrow(PayoutBook.record(before, fact)), book)

export const advanced = (book: PayoutBook.PayoutBook, to: number): PayoutBook.PayoutBook =>
  Result.getOrThrow(PayoutBook.advance(book, to))

/** Each payout with its amounts in one line: `ada-USD-1 paid 1000 -300`. */
export const lines = (book: PayoutBook.PayoutBook): ReadonlyArray<string> =>
  PayoutBook.payouts(book).map(({ id, status, items }) =>
    [id, status, ...items.map(({ amount }) => amount)].join(" "),
  )

export const totals = (book: PayoutBook.PayoutBook): ReadonlyArray<number> =>
  PayoutBook.payouts(book).map((payout) => Result.getOrThrow(Payout.total(payout)))
