/**
 * The limits of schedules: collaborators are checked against them, and every date is computed within them.
 */

/**
 * What payout dates are counted in: every N months, weeks or days, or one day of each month.
 *
 * @since 0.1.0
 * @category models
 */
export type PayoutMeasurement = "month" | "monthly_date" | "week" | "day"

/** Larger than anyone needs, and small enough that every date can be computed. */
const largestFrequency = 1_000
export const longestHoldingDays = 3_650

const isWithin = (value: number, first: number, last: number): boolean =>
  Number.isInteger(value) && value >= first && value <= last

/** The problem of a frequency; with an invalid one, no next date would ever be found. */
export const frequencyProblem = (measurement: string, frequency: number): string | undefined => {
  if (measurement !== "monthly_date") {
    const expected = `must be from 1 to ${largestFrequency} (every how many ${measurement}s)`
    return isWithin(frequency, 1, largestFrequency) ? undefined : `${expected}, got ${frequency}`
  }
  const expected = "must be a day of the month from 1 to 28, or -1 for its last day"
  const fits = frequency === -1 || isWithin(frequency, 1, 28)
  return fits ? undefined : `${expected}, got ${frequency}`
}

/** The problem of a number of days, for holding payouts or for shares to mature. */
export const dayCountProblem = (days: number): string | undefined =>
  isWithin(days, 0, longestHoldingDays)
    ? undefined
    : `must be a whole number from 0 to ${longestHoldingDays}, got ${days}`
