/** Exchange rates of a file: for each pair of currencies, the latest rate whose date has come counts. */

import * as reader from "../../internal/reader.js"
import * as Currency from "../../money/Currency.js"
import * as ExchangeRate from "../../money/ExchangeRate.js"
import * as Days from "./Days.js"
import * as Input from "./Input.js"
import type { Note } from "./Records.js"
import * as Problems from "./Records.js"
import { readEach } from "./Rules.js"
import type { Source } from "./Sources.js"

/** The rate from one currency to another at a time; `undefined` when it is not known. */
export type RateAt = (from: string, to: string, at: number) => string | undefined

interface Rate {
  readonly from: string
  readonly to: string
  readonly rate: string
  readonly fromDate: number
}

const currency = {
  parse: (value: unknown) => (Currency.isCurrency(value) ? value : undefined),
  expected: "an ISO 4217 currency code in capital letters, as USD",
}

const rate = {
  parse: (value: unknown) => (ExchangeRate.isExchangeRate(value) ? value : undefined),
  expected: `${ExchangeRate.expected} (in quotes, so that no digit is lost)`,
}

const readRate = (timeZone: string) => (node: reader.Node) => {
  const needed = <A>(
    key: string,
    options: { readonly parse: (value: unknown) => A | undefined; readonly expected: string },
  ) => {
    const value = options.parse(reader.field(node, key))
    if (value === undefined) reader.refuse(node, key, options.expected)
    return value
  }
  const parseDate = (value: unknown) => Days.startOf(value, timeZone)
  return {
    from: needed("from", currency) ?? "",
    to: needed("to", currency) ?? "",
    rate: needed("rate", rate) ?? "",
    fromDate: needed("from_date", { parse: parseDate, expected: Days.expected }) ?? 0,
  }
}

/** Looks up the rates of one pair, which are sorted latest first. */
const lookUp = (rates: ReadonlyArray<Rate>): RateAt => {
  const pairs = Map.groupBy(rates, ({ from, to }) => `${from} ${to}`)
  for (const pair of pairs.values()) pair.sort((one, other) => other.fromDate - one.fromDate)
  return (from, to, at) => pairs.get(`${from} ${to}`)?.find(({ fromDate }) => fromDate <= at)?.rate
}

/** Reads exchange rates; `undefined` without a file. */
export const read = async (
  source: Source | undefined,
  options: { readonly timeZone: string; readonly note: Note },
): Promise<RateAt | undefined> => {
  if (source === undefined) return undefined
  const { timeZone, note } = options
  const records = await Input.readAll(source, { kind: Input.rates, note })
  const rates = readEach(source.name, records, (value) =>
    reader.read(value, { what: "exchange rate", read: readRate(timeZone) }),
  )
  const seen = new Set<string>()
  const repeated = rates.flatMap(({ from, to, fromDate }, index) => {
    const record = records[index]
    const key = `${from} ${to} ${fromDate}`
    if (record === undefined || !seen.has(key)) {
      seen.add(key)
      return []
    }
    const message = `there is another rate from ${from} to ${to} from the same day`
    return [Problems.lineOf(source.name, record, { path: "from_date", message })]
  })
  if (repeated.length > 0) throw Problems.unusable(repeated)
  return lookUp(rates)
}
