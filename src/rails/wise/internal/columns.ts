import { addProblems, show } from "../../../internal/problems.js"
import type { Problem } from "../../../Problem.js"
import { wise } from "../../Fields.js"
import { type Fitting, takeText } from "../../internal/batchFields.js"

/**
 * A bank account in the columns of Wise's file. The currency decides which columns are required.
 *
 * @since 0.6.0
 * @category models
 */
export interface WiseAccount {
  /** In capitals and without blanks. */
  readonly IBAN?: string | undefined
  /** Of a bank in the United Kingdom: six digits. */
  readonly sortCode?: string | undefined
  readonly accountNumber?: string | undefined
  /** Of a bank in the United States: the routing number, nine digits. */
  readonly abartn?: string | undefined
  readonly accountType?: "CHECKING" | "SAVINGS" | undefined
  /** Of a bank in Australia: six digits. */
  readonly bsbCode?: string | undefined
  /** Of a bank in Canada: three digits. */
  readonly institutionNumber?: string | undefined
  /** Of a bank in Canada: five digits. */
  readonly transitNumber?: string | undefined
  /** Two letters, as US. */
  readonly addressCountryCode?: string | undefined
  readonly addressFirstLine?: string | undefined
  readonly addressCity?: string | undefined
  /** Two letters, as NY. */
  readonly addressState?: string | undefined
  readonly addressPostCode?: string | undefined
}

/** A column of the file for a part of an account. */
export type AccountColumn = keyof WiseAccount

/** All columns, in the order of the file. */
export const accountColumns: ReadonlyArray<AccountColumn> = [
  ...(["IBAN", "sortCode", "abartn", "bsbCode", "institutionNumber", "transitNumber"] as const),
  ...(["accountNumber", "accountType", "addressCountryCode", "addressFirstLine"] as const),
  ...(["addressCity", "addressState", "addressPostCode"] as const),
]

const forms: { readonly [Column in AccountColumn]?: readonly [pattern: RegExp, words: string] } = {
  IBAN: [/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, "an IBAN in capitals and without blanks"],
  sortCode: [/^\d{6}$/, "six digits"],
  accountNumber: [/^\d[\d-]{3,19}$/, "4 to 20 digits"],
  abartn: [/^\d{9}$/, "nine digits"],
  accountType: [/^(?:CHECKING|SAVINGS)$/, "CHECKING or SAVINGS"],
  bsbCode: [/^\d{6}$/, "six digits"],
  institutionNumber: [/^\d{3}$/, "three digits"],
  transitNumber: [/^\d{5}$/, "five digits"],
  addressCountryCode: [/^[A-Z]{2}$/, "two capitals, as US"],
  addressState: [/^[A-Z]{2}$/, "two capitals, as NY"],
}

const unitedStates: ReadonlyArray<AccountColumn> = [
  ...(["abartn", "accountNumber", "accountType", "addressCountryCode"] as const),
  ...(["addressFirstLine", "addressCity", "addressPostCode"] as const),
]

const withIban = [
  "AED",
  "CHF",
  "CZK",
  "DKK",
  "EUR",
  "HUF",
  "ILS",
  "NOK",
  "PKR",
  "PLN",
  "RON",
  "SEK",
  "TRY",
]

/** The required columns of an account by currency. */
const needed: Readonly<Record<string, ReadonlyArray<AccountColumn>>> = {
  ...Object.fromEntries(withIban.map((currency) => [currency, ["IBAN"] as const])),
  GBP: ["sortCode", "accountNumber"],
  USD: unitedStates,
  AUD: ["bsbCode", "accountNumber"],
  CAD: ["institutionNumber", "transitNumber", "accountNumber", "accountType"],
  NZD: ["accountNumber"],
}

/** Optional columns of an account. */
const optional: ReadonlyArray<AccountColumn> = ["addressState"]

const columnProblem = (
  account: WiseAccount,
  column: AccountColumn,
  currency: string,
): string | undefined => {
  const value = account[column] ?? ""
  const columns = needed[currency] ?? []
  if (value === "") {
    return columns.includes(column) ? `must be there for an account in ${currency}` : undefined
  }
  if (!columns.includes(column) && !optional.includes(column)) {
    return `is no part of an account in ${currency}`
  }
  const [pattern, words] = forms[column] ?? []
  if (pattern === undefined || pattern.test(value)) return undefined
  return `must be ${words}, got ${show(value)}`
}

const problemsOf = (account: WiseAccount, currency: string): ReadonlyArray<Problem> => {
  if (!Object.hasOwn(needed, currency)) {
    const all = Object.keys(needed).sort().join(", ")
    const message = `must be one of ${all} for a bank account, got ${show(currency)}: others Wise pays to saved recipients and e-mail addresses`
    return [{ path: "currency", value: currency, message }]
  }
  return accountColumns.flatMap((column) => {
    const message = columnProblem(account, column, currency)
    const path = `recipient.account.${column}`
    return message === undefined ? [] : [{ path, value: account[column], message }]
  })
}

/** The cells of an account by column; missing, unexpected and invalid values are noted. */
export const accountCells = (
  fitting: Fitting,
  place: string,
  account: WiseAccount,
  currency: string,
): Readonly<Record<string, string>> => {
  const problems = problemsOf(account, currency)
  const placed = problems.map((one) => ({ ...one, path: `${place}.${one.path}` }))
  addProblems(fitting.problems, placed)
  const given = accountColumns.filter((column) => (account[column] ?? "") !== "")
  const cells = given.map((column) => {
    const path = `recipient.account.${column}`
    return [column, takeText(fitting, place, account[column], wise.address, path)]
  })
  return Object.fromEntries(cells)
}
