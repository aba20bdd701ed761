import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { AccountEvent, NewEvent } from "../../events/AccountEvent.js"
import type { EventStore } from "../../ports/EventStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { isFields } from "./impliedFields.js"
import { Packer } from "./Packer.js"
import { idOf, nameOf, type PayoutIds, type PayoutNumbers, payoutIdsOf } from "./payoutNumbers.js"
import { documentOf, json, type Row, text, textOf, whole, wholeOf, wholes } from "./rows.js"
import type { Session } from "./Session.js"
import { unpack } from "./Unpacker.js"

const append = `INSERT INTO apportion.new_events (account_id, at, document, packed)
  SELECT $1::text, e.at, nullif(e.document, '')::json, decode(nullif(e.packed, ''), 'hex')
  FROM unnest($2::text[]::bigint[], $3::text[], $4::text[])
    WITH ORDINALITY AS e (at, document, packed, place)
  ORDER BY e.place`

const after = `SELECT number, event_id::text AS event_id, at, document::text AS document,
    encode(packed, 'hex') AS packed
  FROM apportion.events WHERE account_id = $1 AND number > $2 ORDER BY number LIMIT $3`

const last = "SELECT number FROM apportion.event_heads WHERE account_id = $1"

// The first that stays is looked for in the first numbers only, however many are behind them.
const removeBefore = `WITH first AS (
    SELECT number, at FROM apportion.events WHERE account_id = $1 AND number <= $2
    ORDER BY number LIMIT $4
  ), gone AS (
    DELETE FROM apportion.events WHERE account_id = $1
      AND number <= (SELECT max(number) FROM first)
      AND number < coalesce((SELECT min(number) FROM first WHERE at >= $3), $2 + 1)
    RETURNING number
  ) SELECT count(*) AS total FROM gone`

const number = "SELECT apportion.number_events($1, $2) AS given"

/** What there are many of, one of each sale: packed. Everything else stays a document that anybody can read. */
const packedTypes: ReadonlySet<string> = new Set(["sale.recorded", "sale.imported"])

const isPacked = ({ type }: NewEvent): boolean => packedTypes.has(type)

const isEvent = (value: unknown): value is NewEvent =>
  typeof value === "object" && value !== null && "type" in value && "data" in value

/** An event with each of the payouts that it names under another name. */
const renamed = (event: object, rename: (payout: unknown) => unknown): object => {
  const data: unknown = Reflect.get(event, "data")
  if (!isFields(data) || !Array.isArray(data["payoutIds"])) return event
  return { ...event, data: { ...data, payoutIds: data["payoutIds"].map(rename) } }
}

/** An event, packed: when it was has a column. */
const packEvent = ({ at: _, ...event }: NewEvent, numbers: PayoutNumbers, packer: Packer): string =>
  packer.pack(renamed(event, (id) => (typeof id === "string" ? nameOf(id, numbers) : id)))

/** The numbers of the payouts that an event names. */
const payoutNumbersIn = (event: object): ReadonlyArray<number> => {
  const numbers: Array<number> = []
  renamed(event, (name) => (typeof name === "number" ? numbers.push(name) : 0))
  return numbers
}

/** What is packed in a row, with the payouts as they are stored; `undefined`: it has a document. */
const packedIn = (row: Row): object | undefined => {
  const { packed } = row
  if (typeof packed !== "string") return undefined
  const stored = unpack(packed)
  if (!isFields(stored)) throw new TypeError(otherwisePacked)
  return { at: wholeOf(row, "at"), ...stored }
}

const otherwisePacked = "an event is packed as something else"

const eventIn = (row: Row, packed: object | undefined, ids: PayoutIds): NewEvent => {
  if (packed === undefined) return documentOf<NewEvent>(row)
  const event = renamed(packed, (name) => idOf(name, ids))
  if (!isEvent(event)) throw new TypeError(otherwisePacked)
  return event
}

/** The events in rows, with the ids of the payouts that they name. */
const readAll = (
  session: Session,
  rows: ReadonlyArray<Row>,
): Effect.Effect<ReadonlyArray<AccountEvent>, StorageError> => {
  const all = rows.map((row) => ({ row, packed: packedIn(row) }))
  const numbers = new Set(
    all.flatMap(({ packed }) => (packed === undefined ? [] : payoutNumbersIn(packed))),
  )
  return Effect.map(payoutIdsOf(session, numbers), (ids) =>
    all.map(({ row, packed }) => ({
      ...eventIn(row, packed, ids),
      number: wholeOf(row, "number"),
      id: textOf(row, "event_id"),
    })),
  )
}

/** Gives numbers to the events of an account that have none, in a transaction of its own; gives to how many. */
export const numberEvents = (
  sql: SqlClient,
  accountId: string,
  limit: number,
): Effect.Effect<number, SqlError> =>
  Effect.map(sql.unsafe<Row>(number, [text(accountId), whole(limit)]), ([row]) =>
    row === undefined ? 0 : wholeOf(row, "given"),
  )

/** The store of events within one transaction. */
export const make = (session: Session): EventStore => ({
  append: (events) =>
    events.length === 0
      ? Effect.void
      : Effect.suspend(() => {
          const packer = new Packer()
          const fields = [
            wholes(events.map(({ at }) => at)),
            events.map((event) => (isPacked(event) ? "" : json(event))),
            events.map((event) =>
              isPacked(event) ? packEvent(event, session.payoutNumbers, packer) : "",
            ),
          ]
          return session.send("add events", append, fields, () => Effect.void)
        }),
  after: (options) =>
    Effect.flatMap(
      session.read("read the next events", after, [whole(options.after), whole(options.limit)]),
      (rows) => readAll(session, rows),
    ),
  last: () =>
    Effect.map(session.read("read the number of the last event", last), ([row]) =>
      row === undefined ? 0 : wholeOf(row, "number"),
    ),
  removeBefore: ({ upTo, at, limit }) =>
    Effect.map(
      session.write("forget events", removeBefore, [whole(upTo), whole(at), whole(limit)]),
      ([row]) => (row === undefined ? 0 : wholeOf(row, "total")),
    ),
})
