/** The maximum number of entries in a batch. */

/** An entry and its addenda record count as two, in six digits of the control record. */
const mostInBatch = 499_999

/** The problem of the sizes of a file's batches, if any. */
export const problemOf = (sizes: {
  readonly people: number
  readonly companies: number
}): string | undefined => {
  const longest = Math.max(sizes.people, sizes.companies)
  return longest > mostInBatch
    ? `must be at most ${mostInBatch} to people and as many to companies, there are ${longest}`
    : undefined
}
