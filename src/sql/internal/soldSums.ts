/**
 * Sums of what was sold, by spans of time. Months begin at other times in each time zone, so spans are quarters of an hour
 * around the beginning of a month, where it begins somewhere on Earth; all other time is in spans of a day. A period that
 * begins or ends within a span takes the sales of that span one by one.
 */
import * as Effect from "effect/Effect"
import type { SaleStore } from "../../ports/SaleStore.js"
import { soldBySale } from "../../ports/SoldSales.js"
import {
  periodAt,
  type SoldChange,
  type SoldSum,
  type SoldSums,
  SoldTally,
} from "../../ports/SoldSums.js"
import type { StorageError } from "../../ports/StorageError.js"
import { type Parameter, type Row, textOf, texts, wholeOf, wholeOrNullOf, wholes } from "./rows.js"
import type { Session } from "./Session.js"

// Spans of time, in Unix seconds.

interface Span {
  readonly since: number
  /** The first second after it. */
  readonly until: number
}

const [quarter, hour, day] = [900, 3_600, 86_400]

/** Within so long before and after the time at which a month begins in UTC, it begins everywhere. */
const [earliest, latest] = [14 * hour, 12 * hour]

const ofLength = (at: number, length: number): Span => {
  const passed = ((at % length) + length) % length
  return { since: at - passed, until: at - passed + length }
}

/** The first second of the month of a time in UTC, or of one after it. */
const monthAt = (at: number, after = 0): number => {
  const date = new Date(at * 1_000)
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + after, 1) / 1_000
}

/** The span that a time is in. Times that no calendar has are in spans of a day. */
export const spanAt = (at: number): Span => {
  const whole = ofLength(at, day)
  const begin = monthAt(at)
  const next = monthAt(at, 1)
  if (Number.isNaN(begin) || Number.isNaN(next)) return whole
  if (at < begin + latest || at >= next - earliest) return ofLength(at, quarter)
  return {
    since: Math.max(whole.since, begin + latest),
    until: Math.min(whole.until, next - earliest),
  }
}

// Writing.

/** What changes of a sum. */
interface SpanChange extends SoldChange {
  readonly since: number
}

/** The changes of sums by sales that were recorded at some time, each sum once, in the order of the key. */
export const changesIn = (
  all: ReadonlyArray<{ readonly at: number; readonly changes: ReadonlyArray<SoldChange> }>,
): ReadonlyArray<SpanChange> => {
  const tally = new SoldTally()
  // Most of what is written at once was recorded at the same time.
  const spans = new Map<number, number>()
  for (const { at, changes } of all) {
    const since = spans.get(at) ?? spanAt(at).since
    spans.set(at, since)
    tally.add(since, changes)
  }
  return tally.sums.map(({ period, ...sum }) => ({ ...sum, since: period }))
}

/** The parameters of {@link addingSold}. */
export const changeFields = (changes: ReadonlyArray<SpanChange>): ReadonlyArray<Parameter> => [
  wholes(changes.map(({ since }) => since)),
  texts(changes.map(({ currency }) => currency)),
  texts(changes.map(({ collaboratorId }) => collaboratorId ?? "")),
  changes.map(({ amount }) => String(amount)),
  wholes(changes.map(({ sales }) => sales)),
  wholes(changes.map(({ refunds }) => refunds)),
]

/** Adds changes to the sums of the account $1; their parameters begin with the number `first`. */
export const addingSold = (first: number): string => {
  const given = ["bigint[]", "text[]", "text[]", "numeric[]", "bigint[]", "bigint[]"].map(
    (type, index) => `$${first + index}::text[]::${type}`,
  )
  return `INSERT INTO apportion.sold_sums AS s
      (account_id, since, currency, collaborator_id, amount, sales, refunds)
    SELECT $1::text, c.* FROM unnest(${given.join(", ")}) AS c
    ON CONFLICT (account_id, since, currency, collaborator_id) DO UPDATE SET
      amount = s.amount + excluded.amount, sales = s.sales + excluded.sales,
      refunds = s.refunds + excluded.refunds`
}

// Reading.

const hours = `SELECT min(recorded_hour) AS first, max(recorded_hour) AS last
    FROM apportion.sale_parts WHERE account_id = $1 AND recorded_hour IS NOT NULL`

/** When the first and the last part was recorded; those that are not packed yet have no hour. */
const ends = `WITH hours AS MATERIALIZED (${hours})
  SELECT least(
      (SELECT min(recorded_at::bigint) FROM apportion.sale_parts
        WHERE account_id = $1 AND recorded_hour = (SELECT first FROM hours)),
      (SELECT min(recorded_at::bigint) FROM apportion.sale_parts
        WHERE account_id = $1 AND recorded_hour IS NULL)
    ) AS first, greatest(
      (SELECT max(recorded_at::bigint) FROM apportion.sale_parts
        WHERE account_id = $1 AND recorded_hour = (SELECT last FROM hours)),
      (SELECT max(recorded_at::bigint) FROM apportion.sale_parts
        WHERE account_id = $1 AND recorded_hour IS NULL)
    ) AS last`

const sumsOf = `SELECT p.period, s.currency, s.collaborator_id, sum(s.amount)::text AS amount,
    sum(s.sales)::bigint AS sales, sum(s.refunds)::bigint AS refunds
  FROM unnest($2::text[]::bigint[], $3::text[]::bigint[], $4::text[]::bigint[])
    AS p (period, since, until)
  JOIN apportion.sold_sums s
    ON s.account_id = $1 AND s.since >= p.since AND s.since < p.until
  GROUP BY p.period, s.currency, s.collaborator_id`

const sumIn = (row: Row): SoldSum => {
  const owner = textOf(row, "collaborator_id")
  return {
    ...{ period: wholeOf(row, "period"), currency: textOf(row, "currency") },
    ...{ collaboratorId: owner === "" ? null : owner, amount: BigInt(textOf(row, "amount")) },
    ...{ sales: wholeOf(row, "sales"), refunds: wholeOf(row, "refunds") },
  }
}

/** Where spans end as if a time that is within one was there: nothing was recorded in the part that is cut off. */
const placeOf = (
  at: number,
  { first, last }: { readonly first: number; readonly last: number },
) => {
  const { since, until } = spanAt(at)
  if (at === since || at <= first) return { whole: since, rest: since }
  return at > last ? { whole: until, rest: until } : { whole: until, rest: since }
}

const partsAtATime = 500

/** The sums of periods. */
export const readSold = (
  session: Session,
  list: SaleStore["list"],
  times: ReadonlyArray<number>,
): Effect.Effect<SoldSums, StorageError> =>
  Effect.gen(function* () {
    const [row] = yield* session.read("read when something was sold", ends, [])
    const [first, last] =
      row === undefined ? [null, null] : [wholeOrNullOf(row, "first"), wholeOrNullOf(row, "last")]
    const [from, until] = [times[0], times.at(-1)]
    if (first === null || last === null || from === undefined || until === undefined) {
      return { first, last, sums: [] }
    }
    // The whole spans of a period begin where that of its beginning ends, if that is cut in two.
    const places = times.map((at) => placeOf(at, { first, last }))
    const begins = places.slice(0, -1).map(({ whole }) => whole)
    const rows = yield* session.read("read sums of what was sold", sumsOf, [
      wholes(begins.map((_, period) => period)),
      wholes(begins),
      wholes(places.slice(1).map(({ rest }) => rest)),
    ])
    const tally = new SoldTally()
    for (const one of rows) {
      const { period, ...change } = sumIn(one)
      tally.add(period, [change])
    }
    const cut = new Map(
      places.flatMap(({ whole, rest }) => (whole === rest ? [] : [[rest, whole] as const])),
    )
    for (const [since, end] of cut) {
      const recorded = { from: Math.max(since, from), to: Math.min(end, until) - 1 }
      for (let offset = 0; ; offset += partsAtATime) {
        const { entries } = yield* list({ recorded }, { offset, limit: partsAtATime })
        for (const sale of entries) tally.add(periodAt(times, sale.recordedAt), soldBySale(sale))
        if (entries.length < partsAtATime) break
      }
    }
    return { first, last, sums: tally.sums }
  })
