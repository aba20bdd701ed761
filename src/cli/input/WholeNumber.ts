/** Whole numbers of flags. */

/** What a flag's number may be. */
export interface Range {
  readonly flag: string
  readonly least: number
  readonly most: number
}

/** What is wrong with the number that was written for a flag. */
export const wholeProblem = (text: string, { flag, least, most }: Range): string | undefined => {
  const value = Number(text)
  const isWithin = /^\d+$/.test(text) && value >= least && value <= most
  return isWithin
    ? undefined
    : `--${flag}: must be a whole number from ${least} to ${most}, got "${text}"`
}
