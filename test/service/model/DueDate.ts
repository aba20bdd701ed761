/** Due dates once more, in UTC only and counted one by one. */

const day = 86_400

export interface Terms {
  readonly currency: string
  readonly payoutMeasurement: "month" | "monthly_date" | "week" | "day"
  readonly payoutFrequency: number
  readonly payoutThreshold: number
  readonly payoutHoldingDays: number | null
  readonly shouldPayAutomatically: boolean
}

const midnight = (at: number) => Math.floor(at / day) * day

const dateOf = (at: number) => {
  const date = new Date(at * 1_000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() }
}

const lastDateOf = (year: number, month: number): number =>
  new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

const inMonth = (year: number, month: number, date: number): number => {
  const most = lastDateOf(year, month)
  return Date.UTC(year, month, date === -1 ? most : Math.min(date, most)) / 1_000
}

/** The count-th day on which a schedule falls. */
const dueDay = (terms: Terms, firstOpenedAt: number, count: number): number => {
  const { payoutMeasurement, payoutFrequency } = terms
  const { year, month, date } = dateOf(firstOpenedAt)
  switch (payoutMeasurement) {
    case "day":
      return midnight(firstOpenedAt) + count * payoutFrequency * day
    case "week":
      return midnight(firstOpenedAt) + count * payoutFrequency * 7 * day
    case "month":
      return inMonth(year, month + count * payoutFrequency, date)
    case "monthly_date":
      return inMonth(year, month + count - 1, payoutFrequency)
  }
}

/** The first due date after a time. */
export const nextDueDate = (terms: Terms, firstOpenedAt: number, after: number): number => {
  for (let count = 1; ; count += 1) {
    const due = dueDay(terms, firstOpenedAt, count)
    if (due > after) return due
  }
}

/** When the holding days of a payout that was closed are over. */
export const heldUntil = (terms: Terms, closedAt: number): number =>
  closedAt + (terms.payoutHoldingDays ?? 0) * day
