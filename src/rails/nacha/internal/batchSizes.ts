/** How many entries a batch has place for. */

/** An entry and its addenda record count as two, in six digits of the control record. */
const mostInBatch = 499_999

/** What is wrong with the sizes of the batches of a file, or nothing. */
export const problemOf = (sizes: {
  readonly people: number
  readonly companies: number
}): string | undefined => {
  const longest = Math.max(sizes.people, sizes.companies)
  return longest > mostInBatch
    ? `must be at most ${mostInBatch} to people and as many to companies, there are ${longest}`
    : undefined
}
