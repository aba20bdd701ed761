/**
 * Ids of accounts and names of jobs as a column of text can hold them. The database has no NUL and no half of a surrogate
 * pair, and refuses a whole statement for one of them: what the clock enqueues for all accounts would come to none.
 */

/** What an id begins with that is written in other letters. */
const sign = "\u0001"

const isStorable = (text: string): boolean =>
  !text.includes("\0") && text.isWellFormed() && !text.startsWith(sign)

/** Nearly every text stays as it is; two texts never become the same. */
export const toStored = (text: string): string =>
  isStorable(text) ? text : `${sign}${JSON.stringify(text)}`

const textIn = (json: string): string => {
  const text: unknown = JSON.parse(json)
  return typeof text === "string" ? text : json
}

/** The text of which `toStored` made this one. */
export const fromStored = (stored: string): string =>
  stored.startsWith(sign) ? textIn(stored.slice(sign.length)) : stored
