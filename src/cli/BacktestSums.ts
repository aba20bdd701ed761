/** The sums of many orders: by currency, by who gets it, by month. */
import type { Change, Row, Total } from "./Backtest.js"
import * as BacktestAmounts from "./BacktestAmounts.js"

type Months = Map<string | null, BacktestAmounts.Amounts>

/** By name, and the one without a name last: the store, or the orders without a time. */
const byName = <A>(entries: Iterable<readonly [string | null, A]>) =>
  [...entries].sort(([one], [other]) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return one < other ? -1 : 1
  })

export const changeOf = ({ before, after }: BacktestAmounts.Amounts): Change => ({
  before: before.value,
  after: after.value,
  difference: before.differenceTo(after),
})

const sumOf = (months: Months): BacktestAmounts.Amounts => {
  const sum = BacktestAmounts.none()
  for (const { before, after } of months.values()) {
    sum.before.addSum(before)
    sum.after.addSum(after)
  }
  return sum
}

export class BacktestSums {
  private readonly byCurrency = new Map<string, Map<BacktestAmounts.Who, Months>>()

  /** Adds what each one gets of an order. */
  add(
    order: { readonly currency: string; readonly month: string | null },
    amounts: ReadonlyMap<BacktestAmounts.Who, BacktestAmounts.Amounts>,
  ): void {
    const everyone = this.byCurrency.get(order.currency) ?? new Map<BacktestAmounts.Who, Months>()
    this.byCurrency.set(order.currency, everyone)
    for (const [who, { before, after }] of amounts) {
      const months: Months = everyone.get(who) ?? new Map()
      everyone.set(who, months)
      const sum = months.get(order.month) ?? BacktestAmounts.none()
      months.set(order.month, sum)
      sum.before.addSum(before)
      sum.after.addSum(after)
    }
  }

  /** Each one's months, by currency. */
  rows(): ReadonlyArray<Row> {
    return this.each().flatMap(({ months, ...total }) =>
      byName(months).map(([month, sum]) => ({ ...total, month, ...changeOf(sum) })),
    )
  }

  /** Each one's sum of all months, by currency. */
  totals(): ReadonlyArray<Total> {
    return this.each().map(({ months, ...total }) => ({ ...total, ...changeOf(sumOf(months)) }))
  }

  private each() {
    return byName(this.byCurrency).flatMap(([currency, everyone]) =>
      byName(everyone).map(([collaboratorId, months]) => ({
        collaboratorId,
        currency: currency ?? "",
        months,
      })),
    )
  }
}
