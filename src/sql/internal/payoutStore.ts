import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { PayoutStore, StoredPayout } from "../../ports/PayoutStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { list } from "./payoutLists.js"
import { firstAfter } from "./productLists.js"
import {
  columnsOf,
  documentOf,
  entryOf,
  fieldsOf,
  itemFieldsOf,
  type Parameter,
  payoutColumns,
  payoutOf,
  type Row,
  text,
  textOf,
  texts,
  whole,
  wholeOf,
  wholeOrNull,
} from "./rows.js"
import type { Session } from "./Session.js"

// How many payouts are due, and were paid, on each day: what changes about that when a payout does.

/** The same as `day_of` in the database. */
const dayOf = (at: number): number => Math.floor(at / 86_400)

/** Where a payout is counted: its status, the day on which it is due, and that on which it was paid. */
interface DayCount {
  readonly status: string
  readonly day: number
  readonly paidDay: number | null
}

const placeOf = ({ status, toBePaidAt, paidAt }: StoredPayout): DayCount => ({
  status,
  day: dayOf(toBePaidAt),
  paidDay: paidAt === null ? null : dayOf(paidAt),
})

// What is taken off where it was and added where it is are different rows, or nothing changes there.
const isDueElsewhere = "($2::text, $3::bigint) IS DISTINCT FROM ($5::text, $6::bigint)"
const isPaidElsewhere = `($2::text, $3::bigint, $4::bigint)
        IS DISTINCT FROM ($5::text, $6::bigint, $7::bigint)`

const moving = `WITH no_more_due AS (
    UPDATE apportion.payout_days SET payouts = payouts - 1
    WHERE account_id = $1::text AND status = $2 AND day = $3 AND ${isDueElsewhere}
  ), no_more_paid AS (
    UPDATE apportion.payment_days SET payouts = payouts - 1
    WHERE account_id = $1 AND paid_day = $4 AND status = $2 AND day = $3 AND ${isPaidElsewhere}
  ), paid AS (
    INSERT INTO apportion.payment_days AS known (account_id, paid_day, status, day, payouts)
    SELECT $1, $7, $5, $6, 1 WHERE $7 IS NOT NULL AND ${isPaidElsewhere}
    ON CONFLICT (account_id, paid_day, status, day) DO UPDATE SET payouts = known.payouts + 1
  )
  INSERT INTO apportion.payout_days AS known (account_id, status, day, payouts)
  SELECT $1, $5, $6, 1 WHERE ${isDueElsewhere}
  ON CONFLICT (account_id, status, day) DO UPDATE SET payouts = known.payouts + 1`

/** Counts a payout where it is now and no more where it was; most changes leave it there. */
export const move = (
  session: Session,
  before: StoredPayout,
  after: StoredPayout,
): Effect.Effect<void, StorageError> => {
  const [from, to] = [placeOf(before), placeOf(after)]
  const stays = from.status === to.status && from.day === to.day && from.paidDay === to.paidDay
  if (stays) return Effect.void
  return Effect.asVoid(
    session.write("count the payouts of a day", moving, [
      ...[from.status, whole(from.day), wholeOrNull(from.paidDay)],
      ...[to.status, whole(to.day), wholeOrNull(to.paidDay)],
    ]),
  )
}

// Changes of payouts: the row, its items and the entry of its history, all in one statement.

/** What became of a payout; `nothing` of items changed, or `items` did. */
export interface PayoutWrite {
  readonly nothing: string
  readonly items: string
}

/** What was put and removed, as the parameters from `first` on, and what history says of it. */
const itemsFrom = (first: number): { readonly written: string; readonly told: string } => {
  const parameter = (index: number) => `$${first + index}`
  const [ids, documents, removed] = [parameter(0), parameter(8), parameter(9)]
  const wholes = (index: number) => `${parameter(index)}::text[]::bigint[]`
  const columns = [
    ...[`${ids}::text[]`, wholes(1), `${parameter(2)}::text[]`, wholes(3), wholes(4)],
    ...[`${parameter(5)}::text[]`, `${parameter(6)}::text[]`, wholes(7), `${documents}::text[]`],
  ]
  const isAddedAgain = `known.item_id = ANY(${removed}::text[])`
  return {
    written: `, taken AS (
    SELECT i.item_id, given.place FROM unnest(${removed}::text[]) WITH ORDINALITY AS given (item_id, place)
    JOIN apportion.payout_items i ON i.account_id = $1 AND i.payout_id = $2 AND i.item_id = given.item_id
  ), gone AS (
    DELETE FROM apportion.payout_items i USING stored
    WHERE i.account_id = $1 AND i.payout_id = $2
      AND i.item_id = ANY(${removed}::text[]) AND i.item_id <> ALL(${ids}::text[])
  ), written AS (
    INSERT INTO apportion.payout_items AS known (account_id, payout_id, item_id, added_in, place,
      kind, amount, original_amount, original_currency, exchange_rate, created_at, document)
    SELECT $1, $2, given.item_id, stored.version, given.place, given.kind, given.amount,
      given.original_amount, given.original_currency, nullif(given.exchange_rate, ''),
      given.created_at, given.document::json
    FROM stored CROSS JOIN unnest(${columns.join(", ")}) AS given (item_id, place, kind, amount,
      original_amount, original_currency, exchange_rate, created_at, document)
    WHERE given.place >= 0
    ON CONFLICT (account_id, payout_id, item_id) DO UPDATE SET
      added_in = CASE WHEN ${isAddedAgain} THEN excluded.added_in ELSE known.added_in END,
      place = CASE WHEN ${isAddedAgain} THEN excluded.place ELSE known.place END,
      kind = excluded.kind, amount = excluded.amount, original_amount = excluded.original_amount,
      original_currency = excluded.original_currency, exchange_rate = excluded.exchange_rate,
      created_at = excluded.created_at, document = excluded.document
  )`,
    told: `array_to_json(${documents}::text[]::json[]),
      (SELECT coalesce(json_agg(taken.item_id ORDER BY taken.place), '[]') FROM taken)`,
  }
}

const intoHistory = `INSERT INTO apportion.payout_history
    (account_id, payout_id, version, at, actor, before, after, put, removed)`

const noItems = { written: "", told: "'[]', '[]'" }

// What is looked at beside the columns of a payout, the values of which are parameters from the second on.
const [owner, currency, status] = ["$3::text", "$4::text", "$5::text"]
const parameters = payoutColumns.map(
  (_, index) => ["$2::text", owner, currency, status][index] ?? `$${index + 2}`,
)

/** The place of a parameter that comes after them. */
const afterColumns = (place: number): number => payoutColumns.length + 2 + place

const inserting = ({ written, told }: typeof noItems) => `WITH stored AS (
    INSERT INTO apportion.payouts AS p (account_id, ${payoutColumns.join(", ")}, version)
    VALUES ($1::text, ${parameters.join(", ")}, 1)
    ON CONFLICT DO NOTHING RETURNING ${columnsOf("p")}
  ), counted AS (
    INSERT INTO apportion.payout_days AS known (account_id, status, day, payouts)
    SELECT $1, status, apportion.day_of(to_be_paid_at), 1 FROM stored
    ON CONFLICT (account_id, status, day) DO UPDATE SET payouts = known.payouts + 1
  ), paid AS (
    INSERT INTO apportion.payment_days AS known (account_id, paid_day, status, day, payouts)
    SELECT $1, apportion.day_of(paid_at), status, apportion.day_of(to_be_paid_at), 1 FROM stored
    WHERE paid_at IS NOT NULL
    ON CONFLICT (account_id, paid_day, status, day) DO UPDATE SET payouts = known.payouts + 1
  )${written}
  ${intoHistory}
  SELECT $1, $2, version, $${afterColumns(0)}::bigint, $${afterColumns(1)}::text, NULL, row_to_json(stored), ${told}
  FROM stored RETURNING 'null' AS before`

/** Whether a collaborator that gets an active payout by a change has another one of the currency. */
const isActiveTwice = `CASE WHEN ${status} = 'active' AND (p.status, p.collaborator_id, p.currency)
        IS DISTINCT FROM ('active', ${owner}, ${currency})
      THEN EXISTS (
        SELECT 1 FROM apportion.payouts o
        WHERE o.account_id = $1 AND o.collaborator_id = ${owner} AND o.currency = ${currency}
          AND o.status = 'active' AND o.payout_id <> $2
      )
      ELSE FALSE
    END`

const knownVersion = `$${afterColumns(0)}::bigint`

/** All but the id, which is the payout's. */
const changes = payoutColumns
  .map((name, index) => `${name} = ${parameters[index]}`)
  .slice(1)
  .join(", ")

const updating = ({ written, told }: typeof noItems) => `WITH known AS (
    SELECT ${columnsOf("p")} FROM apportion.payouts p
    WHERE p.account_id = $1::text AND p.payout_id = $2::text AND p.version = ${knownVersion}
  ), stored AS (
    UPDATE apportion.payouts p SET ${changes}, version = p.version + 1
    WHERE p.account_id = $1 AND p.payout_id = $2 AND p.version = ${knownVersion}
      AND NOT ${isActiveTwice}
    RETURNING ${columnsOf("p")}
  )${written}
  ${intoHistory}
  SELECT $1, $2, stored.version, $${afterColumns(1)}::bigint, $${afterColumns(2)}::text, row_to_json(known), row_to_json(stored),
    ${told}
  FROM stored CROSS JOIN known RETURNING before::text AS before`

/** Gives a row when the payout was stored, none when there is a conflict; it is counted on its days, too. */
export const insert: PayoutWrite = {
  nothing: inserting(noItems),
  items: inserting(itemsFrom(afterColumns(2))),
}

/** Gives what the payout was before when it was changed, no row when there is a conflict. */
export const update: PayoutWrite = {
  nothing: updating(noItems),
  items: updating(itemsFrom(afterColumns(3))),
}

const select = `SELECT ${columnsOf("p")} FROM apportion.payouts p WHERE p.account_id = $1`

const get = `${select} AND p.payout_id = $2`

const active = `${select} AND p.collaborator_id = $2 AND p.currency = $3 AND p.status = 'active'`

const firstOpenedAt = `SELECT opened_at FROM apportion.payouts
  WHERE account_id = $1 AND collaborator_id = $2 AND currency = $3 ORDER BY opened_at LIMIT 1`

const item = `SELECT document::text AS document FROM apportion.payout_items
  WHERE account_id = $1 AND payout_id = $2 AND item_id = $3`

const items = `SELECT document::text AS document FROM apportion.payout_items
  WHERE account_id = $1 AND payout_id = $2 ORDER BY added_in, place`

/** Where the part lies is found in the index alone: what comes before it is passed over unread. */
const someItems = `SELECT i.document::text AS document FROM (
    SELECT added_in, place FROM apportion.payout_items
    WHERE account_id = $1 AND payout_id = $2 ORDER BY added_in, place OFFSET $3 LIMIT $4
  ) AS part JOIN apportion.payout_items i ON i.account_id = $1 AND i.payout_id = $2
    AND i.added_in = part.added_in AND i.place = part.place
  ORDER BY part.added_in, part.place`

const entries = `SELECT i.payout_id, i.document::text AS document
  FROM apportion.payout_items i JOIN apportion.payouts p
    ON p.account_id = i.account_id AND p.payout_id = i.payout_id
  WHERE i.account_id = $1 AND p.collaborator_id = $2 AND i.item_id = $3
    AND i.kind IN ('expense', 'income') ORDER BY i.payout_id`

/** What is not settled is little beside the rest, and found by its status. */
const belowZero = `${select} AND p.status IN ('active', 'pending', 'failed') AND p.total < 0
  AND p.payout_id >= $2 ORDER BY p.payout_id LIMIT $3`

const due = `${select} AND p.status = 'active' AND p.to_be_paid_at <= $2
  ORDER BY p.to_be_paid_at, p.payout_id LIMIT $3`

const payable = `${select} AND p.status = 'pending' AND p.payable_at <= $2
  ORDER BY p.payable_at, p.payout_id LIMIT $3`

const batch = `${select} AND p.payout_id >= $2 ORDER BY p.payout_id LIMIT $3`

const history = `SELECT payout_id, version, at, actor, coalesce(before, 'null')::text AS before,
    after::text AS after, put::text AS put, removed::text AS removed
  FROM apportion.payout_history
  WHERE account_id = $1 AND payout_id = $2 AND version > $3 ORDER BY version LIMIT $4`

type PayoutOwner = Parameters<PayoutStore["active"]>[0]

const ownerOf = ({ collaboratorId, currency }: PayoutOwner) => [
  text(collaboratorId),
  text(currency),
]

/** What a change is written with. */
interface PayoutFields {
  readonly doing: string
  readonly change: PayoutWrite
  readonly fields: ReadonlyArray<Parameter>
  readonly put: ReadonlyArray<PayoutItem> | undefined
  readonly remove?: ReadonlyArray<string> | undefined
}

/** Writes a change, or ends in a conflict when there is nothing that it changed. */
const write = (
  session: Session,
  stored: StoredPayout,
  { doing, change, fields, put = [], remove = [] }: PayoutFields,
): Effect.Effect<StoredPayout, StorageError> =>
  Effect.gen(function* () {
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const head = [...fields, whole(now), text(session.actor)]
    const rows =
      put.length === 0 && remove.length === 0
        ? yield* session.write(doing, change.nothing, head)
        : yield* session.write(doing, change.items, [
            ...[...head, ...itemFieldsOf(put)],
            texts([...new Set(remove)]),
          ])
    const [row] = rows
    if (row === undefined) return yield* session.conflict("payout", stored.id)
    const before = documentOf<Row | null>(row, "before")
    if (before !== null) yield* move(session, payoutOf(before), stored)
    return stored
  })

const changing = (session: Session): Pick<PayoutStore, "insert" | "update"> => ({
  insert: ({ payout, put }) =>
    write(
      session,
      { ...payout, version: 1 },
      { doing: "insert a payout", change: insert, fields: fieldsOf(payout), put },
    ),
  update: ({ payout, put, remove }) => {
    const fields = [...fieldsOf(payout), whole(payout.version)]
    return write(
      session,
      { ...payout, version: payout.version + 1 },
      { doing: "update a payout", change: update, fields, put, remove },
    )
  },
})

const firstOf = <A>(rows: ReadonlyArray<Row>, read: (row: Row) => A): A | undefined => {
  const [row] = rows
  return row === undefined ? undefined : read(row)
}

/** A statement's parameters, and what is read of each row. */
interface RowReading<A> {
  readonly given: ReadonlyArray<Parameter>
  readonly read: (row: Row) => A
}

const rowsRead = (session: Session) => ({
  one: <A>(doing: string, statement: string, { given, read }: RowReading<A>) =>
    Effect.map(session.read(doing, statement, given), (rows) => firstOf(rows, read)),
  many: <A>(doing: string, statement: string, { given, read }: RowReading<A>) =>
    Effect.map(session.read(doing, statement, given), (rows) => rows.map(read)),
})

const readItem = (row: Row): PayoutItem => documentOf(row)

const readingItems = (
  session: Session,
): Pick<PayoutStore, "entries" | "item" | "items" | "someItems"> => {
  const { one, many } = rowsRead(session)
  return {
    item: (payoutId, itemId) =>
      one("read a payout item", item, { given: [text(payoutId), text(itemId)], read: readItem }),
    items: (payoutId) =>
      many("read the items of a payout", items, { given: [text(payoutId)], read: readItem }),
    someItems: (payoutId, { offset, limit }) =>
      many("read some items of a payout", someItems, {
        given: [text(payoutId), whole(offset), whole(limit)],
        read: readItem,
      }),
    entries: ({ collaboratorId, itemId }) =>
      many("find entries of a collaborator", entries, {
        given: [text(collaboratorId), text(itemId)],
        read: (row) => ({ payoutId: textOf(row, "payout_id"), item: readItem(row) }),
      }),
  }
}

/** The store of payouts within one transaction. */
export const make = (session: Session): PayoutStore => {
  const { one, many } = rowsRead(session)
  return {
    ...changing(session),
    ...readingItems(session),
    get: (id) => one("read a payout", get, { given: [text(id)], read: payoutOf }),
    active: (owner) =>
      one("read an active payout", active, { given: ownerOf(owner), read: payoutOf }),
    firstOpenedAt: (owner) =>
      one("read when the first payout was opened", firstOpenedAt, {
        given: ownerOf(owner),
        read: (row) => wholeOf(row, "opened_at"),
      }),
    list: (filter, slice) => list(session, filter, slice),
    due: ({ at, limit }) =>
      many("read the due payouts", due, { given: [whole(at), whole(limit)], read: payoutOf }),
    payable: ({ at, limit }) =>
      many("read the payable payouts", payable, {
        given: [whole(at), whole(limit)],
        read: payoutOf,
      }),
    batch: ({ after, limit }) =>
      many("read a batch of payouts", batch, {
        given: [firstAfter(after), whole(limit)],
        read: payoutOf,
      }),
    belowZero: ({ after, limit }) =>
      many("find payouts below zero", belowZero, {
        given: [firstAfter(after), whole(limit)],
        read: payoutOf,
      }),
    history: ({ payoutId, after, limit }) =>
      many("read the history of a payout", history, {
        given: [text(payoutId), whole(after), whole(limit)],
        read: entryOf,
      }),
  }
}
