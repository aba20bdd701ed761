/**
 * Splits as laws look at them: as results, and free of the order in which their parts are listed.
 */
import { RuleSet, Split } from "apportion"
import * as Result from "effect/Result"
import { type Sale, spellingsOf } from "../generators/Sales.js"
import { sorted } from "../oracle/Answer.js"

/** Splits a sale, or says why it can't be. */
export const split = (sale: Sale): Result.Result<Split.Split, Split.SplitError> =>
  Split.orderResult(RuleSet.make(sale.groups), sale.order, sale.policy)

/** The split of a sale that must be possible under its policy. */
export const splitOf = (sale: Sale): Split.Split => Result.getOrThrow(split(sale))

/** What must be the same for two answers to be the same: every figure, but not the order of the lists. */
export const essence = (result: Result.Result<Split.Split, Split.SplitError>): object => {
  if (Result.isSuccess(result)) {
    const { shares, store, items, outranked, ...rest } = result.success
    return {
      ...rest,
      shares: sorted(shares),
      store: sorted(store),
      items: sorted(items),
      outranked: sorted(outranked),
    }
  }
  const error = result.failure
  if (error._tag !== "OverAllocated") return { error: error._tag }
  const { itemId, broughtIn, claims } = error
  return { error: error._tag, itemId, broughtIn, claims: sorted(claims) }
}

/** The exact sum of the parts' amounts. */
export const total = (parts: ReadonlyArray<{ readonly amount: number }>): bigint =>
  parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

/** The same sale with every text in another spelling of itself. */
export const respelt = (sale: Sale, choices: ReadonlyArray<number>): Sale => {
  let next = 0
  const again = (text: string): string => {
    const spellings = spellingsOf(text)
    next += 1
    return spellings[(choices[next % choices.length] ?? 0) % spellings.length] ?? text
  }
  const all = (texts: ReadonlyArray<string> | undefined) => texts?.map(again)
  const { order } = sale
  return {
    ...sale,
    groups: sale.groups.map(({ link, condition, ...group }) => ({
      ...group,
      link: link.type === "products" ? link : { ...link, values: all(link.values) },
      condition: condition && { ...condition, values: condition.values.map(again) },
    })),
    order: {
      ...order,
      tags: all(order.tags),
      customerTags: all(order.customerTags),
      discountCodes: all(order.discountCodes),
      referers: all(order.referers),
      billingCountry: order.billingCountry == null ? null : again(order.billingCountry),
      items: order.items.map((item) => ({
        ...item,
        product: {
          ...item.product,
          tags: all(item.product.tags),
          vendor: item.product.vendor === undefined ? undefined : again(item.product.vendor),
        },
      })),
    },
  }
}
