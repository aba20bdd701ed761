/** Which entries are about an agreement, and the same of entries that were booked before that was kept. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type AgreementEntry, agreementsIn } from "../../ports/AgreementStore.js"
import { agreementBookings } from "./migrations/agreementBookings.js"
import { documentOf, type Parameter, type Row, texts, wholeOf, wholes } from "./rows.js"

/** An entry, and the place at which a statement has its number. */
interface PlacedEntry {
  readonly place: number
  readonly entry: AgreementEntry
}

/** As parameters: a place, a kind and an id for each agreement of each entry. */
export const bookingsOf = (entries: ReadonlyArray<PlacedEntry>): ReadonlyArray<Parameter> => {
  const rows = entries.flatMap(({ place, entry }) =>
    agreementsIn(entry).map(({ kind, id }) => ({ place, kind, id })),
  )
  return [
    wholes(rows.map(({ place }) => place)),
    rows.map(({ kind }) => kind),
    texts(rows.map(({ id }) => id)),
  ]
}

const next = `SELECT account_id::text, number, document::text AS document
  FROM apportion.agreement_entries
  WHERE (account_id, number) > ($1::text, $2::text::bigint) ORDER BY account_id, number LIMIT 500`

/** Ids of accounts stay as they are stored. */
const add = `INSERT INTO apportion.agreement_bookings (account_id, kind, agreement_id, number)
  SELECT e.account_id, b.kind, b.agreement_id, e.number
  FROM unnest($1::text[]::bigint[], $2::text[], $3::text[]) AS b (place, kind, agreement_id)
  JOIN unnest($4::text[], $5::text[]::bigint[]) WITH ORDINALITY AS e (account_id, number, place)
    ON e.place = b.place`

const fill: Effect.Effect<void, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (let last: readonly [string, string] = ["", "0"]; ; ) {
    const rows = yield* sql.unsafe<Row>(next, last)
    const end = rows.at(-1)
    if (end === undefined) return
    const numbers = rows.map((row) => String(wholeOf(row, "number")))
    const accounts = rows.map((row) => String(row["account_id"]))
    const entries = rows.map((row, index) => ({
      place: index + 1,
      entry: documentOf<AgreementEntry>(row),
    }))
    yield* sql.unsafe(add, [...bookingsOf(entries), accounts, numbers])
    last = [accounts.at(-1) ?? "", numbers.at(-1) ?? ""]
  }
})

/** The step of the schema with which entries are found by agreement. */
export const agreementBookingsStep = {
  ...{ name: "agreement_bookings", statements: agreementBookings, fill },
} as const
