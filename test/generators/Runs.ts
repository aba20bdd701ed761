const asked = process.env.APPORTION_RUNS

/**
 * Whether everything is tried, and not only the slice of it that `npm test` tries. The long run sets `APPORTION_RUNS` to
 * "all"; a number there is how many random cases each test tries.
 */
export const isWhole: boolean = asked === "all"

/** How many random cases a test tries, of those that the long run tries. */
export const runs = (whole: number): { readonly numRuns: number } => {
  const count = Number(asked)
  if (Number.isSafeInteger(count) && count > 0) return { numRuns: count }
  return { numRuns: isWhole ? whole : Math.min(whole, Math.max(20, Math.ceil(whole / 5))) }
}
