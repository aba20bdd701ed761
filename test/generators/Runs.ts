const asked = process.env.APPORTION_RUNS

/**
 * Whether everything is tried, and not only the slice of it that `npm test` tries. The long run sets `APPORTION_RUNS` to
 * "all"; "third" tries everything with a third of the random cases, and a number is how many of them each test tries.
 */
export const isWhole: boolean = asked === "all" || asked === "third"

/** Whether all random cases are tried, too. */
export const isAll: boolean = asked === "all"

/** How many of the random cases are tried. */
const part = asked === "all" ? 1 : asked === "third" ? 1 / 3 : 1 / 10

/**
 * How many random cases a test tries, of those that the long run tries; never fewer than `least`, which a test sets that
 * says how often something has to come.
 */
export const runs = (whole: number, least = 10): { readonly numRuns: number } => {
  const count = Number(asked)
  if (Number.isSafeInteger(count) && count > 0) return { numRuns: count }
  return { numRuns: Math.min(whole, Math.max(least, Math.ceil(whole * part))) }
}
