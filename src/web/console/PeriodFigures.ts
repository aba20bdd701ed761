/** What a period came to, and how the figures of its parts are added up. */

export interface SalesFigures {
  readonly sales: number
  readonly refunds: number
  readonly came_in: number
  readonly shares: number
  readonly store: number
}

export interface MonthRow extends SalesFigures {
  readonly month: string
}

export interface EarnerRow {
  readonly collaborator_id: string
  readonly collaborator_name: string | null
  readonly amount: number
  /** For each month of the currency, in their order. */
  readonly months: ReadonlyArray<number>
}

export interface CurrencyFigures extends SalesFigures {
  readonly currency: string
  readonly months: ReadonlyArray<MonthRow>
  readonly collaborators: ReadonlyArray<EarnerRow>
  readonly others: { readonly collaborators: number; readonly amount: number } | null
  /** `false`: there are more than can be added up one by one, and none is listed. */
  readonly has_all_earners?: boolean
}

export interface PeriodFigures {
  readonly first_sale_at: number | null
  readonly last_sale_at: number | null
  /** Where the next answer goes on; `null`: the figures are of the whole period. */
  readonly next: number | null
  readonly currencies: ReadonlyArray<CurrencyFigures>
}

const none: SalesFigures = { sales: 0, refunds: 0, came_in: 0, shares: 0, store: 0 }

/** Too large for figures that are exact. */
class InexactSum extends Error {}

const plus = (one: number, other: number): number => {
  const sum = one + other
  if (!Number.isSafeInteger(sum)) throw new InexactSum()
  return sum
}

const addFigures = (one: SalesFigures, other: SalesFigures): SalesFigures => ({
  sales: plus(one.sales, other.sales),
  refunds: plus(one.refunds, other.refunds),
  came_in: plus(one.came_in, other.came_in),
  shares: plus(one.shares, other.shares),
  store: plus(one.store, other.store),
})

const monthsOf = ({ currencies }: PeriodFigures): ReadonlyArray<string> =>
  currencies.flatMap(({ months }) => months.map(({ month }) => month))

const empty = (currency: string): CurrencyFigures => ({
  ...none,
  currency,
  months: [],
  collaborators: [],
  others: null,
})

/** The amounts of the months of a currency, for each of all months. */
const spread = (
  { months }: CurrencyFigures,
  amounts: ReadonlyArray<number> | undefined,
  all: ReadonlyArray<string>,
): ReadonlyArray<number> =>
  all.map((month) => amounts?.[months.findIndex((one) => one.month === month)] ?? 0)

const addAll = (one: ReadonlyArray<number>, other: ReadonlyArray<number>) =>
  one.map((amount, index) => plus(amount, other[index] ?? 0))

const addEarners = (
  one: CurrencyFigures,
  other: CurrencyFigures,
  all: ReadonlyArray<string>,
): ReadonlyArray<EarnerRow> => {
  const sums = new Map<string, EarnerRow>()
  for (const figures of [one, other]) {
    for (const earner of figures.collaborators) {
      const months = spread(figures, earner.months, all)
      const known = sums.get(earner.collaborator_id)
      sums.set(earner.collaborator_id, {
        ...earner,
        amount: plus(known?.amount ?? 0, earner.amount),
        months: known === undefined ? months : addAll(known.months, months),
      })
    }
  }
  return [...sums.values()].sort((a, b) => b.amount - a.amount)
}

/** Who is not listed in one answer may be listed in another: then it is not known what each of them has. */
const hasAllEarners = ({ others, has_all_earners }: CurrencyFigures): boolean =>
  others === null && has_all_earners !== false

const addCurrency = (
  one: CurrencyFigures,
  other: CurrencyFigures,
  all: ReadonlyArray<string>,
): CurrencyFigures => {
  const isListed = hasAllEarners(one) && hasAllEarners(other)
  const ofMonth = ({ months }: CurrencyFigures, month: string): SalesFigures =>
    months.find((row) => row.month === month) ?? none
  return {
    currency: one.currency,
    ...addFigures(one, other),
    months: all.map((month) => ({
      month,
      ...addFigures(ofMonth(one, month), ofMonth(other, month)),
    })),
    collaborators: isListed ? addEarners(one, other, all) : [],
    others: null,
    has_all_earners: isListed,
  }
}

const addExactly = (one: PeriodFigures, other: PeriodFigures): PeriodFigures => {
  const all = [...new Set([...monthsOf(one), ...monthsOf(other)])].sort()
  const names = [...one.currencies, ...other.currencies].map(({ currency }) => currency)
  const find = ({ currencies }: PeriodFigures, name: string) =>
    currencies.find(({ currency }) => currency === name) ?? empty(name)
  return {
    ...other,
    currencies: [...new Set(names)]
      .sort()
      .map((name) => addCurrency(find(one, name), find(other, name), all)),
  }
}

/** The figures of two answers, of which the second goes on where the first ends; `undefined`: no number holds them exactly. */
export const add = (one: PeriodFigures, other: PeriodFigures): PeriodFigures | undefined => {
  try {
    return addExactly(one, other)
  } catch (cause) {
    if (cause instanceof InexactSum) return undefined
    throw cause
  }
}
