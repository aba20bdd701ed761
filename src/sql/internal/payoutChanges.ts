/** Changes of payouts: the row, its items, the entry of its history with its hash, and on which days it is counted. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import { type HashedEntry, historyText } from "../../ports/PayoutHistory.js"
import type { PayoutStore, StoredPayout } from "../../ports/PayoutStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import {
  columnsOf,
  documentOf,
  fieldsOf,
  itemFieldsOf,
  json,
  type Parameter,
  payoutColumns,
  payoutOf,
  type Row,
  text,
  texts,
  whole,
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

/** What becomes of items. */
interface ItemWrite {
  /** What finds those that are removed: a row each, with its id as JSON. */
  readonly taken: string
  readonly written: string
  /** What history says of them. */
  readonly told: string
  /** The same as its text does: the ids of those that were removed. */
  readonly removed: string
}

/** What was put and removed, as the parameters from `first` on. */
const itemsFrom = (first: number): ItemWrite => {
  const parameter = (index: number) => `$${first + index}`
  const [ids, documents, removed] = [parameter(0), parameter(8), parameter(9)]
  const removedAsJson = parameter(10)
  const wholes = (index: number) => `${parameter(index)}::text[]::bigint[]`
  const columns = [
    ...[`${ids}::text[]`, wholes(1), `${parameter(2)}::text[]`, wholes(3), wholes(4)],
    ...[`${parameter(5)}::text[]`, `${parameter(6)}::text[]`, wholes(7), `${documents}::text[]`],
  ]
  const isAddedAgain = `known.item_id = ANY(${removed}::text[])`
  return {
    taken: `taken AS (
    SELECT i.item_id, given.told, given.place
    FROM unnest(${removed}::text[], ${removedAsJson}::text[]) WITH ORDINALITY AS given (item_id, told, place)
    JOIN apportion.payout_items i ON i.account_id = $1::text AND i.payout_id = $2::text
      AND i.item_id = given.item_id
  ), `,
    removed: "(SELECT coalesce(string_agg(taken.told, ',' ORDER BY taken.place), '') FROM taken)",
    written: `, gone AS (
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
    (account_id, payout_id, version, at, actor, before, after, put, removed, hash)`

const noItems: ItemWrite = { taken: "", written: "", told: "'[]', '[]'", removed: "''" }

// What is looked at beside the columns of a payout, the values of which are parameters from the second on.
const [owner, currency, status] = ["$3::text", "$4::text", "$5::text"]
const parameters = payoutColumns.map(
  (_, index) => ["$2::text", owner, currency, status][index] ?? `$${index + 2}`,
)

/** The place of a parameter that comes after them. */
const afterColumns = (place: number): number => payoutColumns.length + 2 + place

/** The hash of an entry, of which a parameter is the text up to the ids that were removed. */
const hashOf = (previous: string, entry: string, { removed }: ItemWrite): string =>
  `encode(sha256(convert_to(${previous} || chr(10) || ${entry}::text || ${removed} || ']}', 'UTF8')), 'hex')`

const inserting = (items: ItemWrite) => `WITH ${items.taken}hashed AS (
    SELECT ${hashOf("''", `$${afterColumns(2)}`, items)} AS hash
  ), stored AS (
    INSERT INTO apportion.payouts AS p (account_id, ${payoutColumns.join(", ")}, version, history_hash)
    VALUES ($1::text, ${parameters.join(", ")}, 1, (SELECT hash FROM hashed))
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
  )${items.written}
  ${intoHistory}
  SELECT $1, $2, version, $${afterColumns(0)}::bigint, $${afterColumns(1)}::text, NULL, row_to_json(stored), ${items.told},
    hashed.hash
  FROM stored CROSS JOIN hashed RETURNING 'null' AS before`

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

const updating = (items: ItemWrite) => `WITH ${items.taken}known AS (
    SELECT ${columnsOf("p")} FROM apportion.payouts p
    WHERE p.account_id = $1::text AND p.payout_id = $2::text AND p.version = ${knownVersion}
  ), hashed AS (
    SELECT ${hashOf("coalesce(p.history_hash, '')", `$${afterColumns(3)}`, items)} AS hash
    FROM apportion.payouts p WHERE p.account_id = $1 AND p.payout_id = $2
  ), stored AS (
    UPDATE apportion.payouts p SET ${changes}, version = p.version + 1, history_hash = hashed.hash
    FROM hashed
    WHERE p.account_id = $1 AND p.payout_id = $2 AND p.version = ${knownVersion}
      AND NOT ${isActiveTwice}
    RETURNING ${columnsOf("p")}
  )${items.written}
  ${intoHistory}
  SELECT $1, $2, stored.version, $${afterColumns(1)}::bigint, $${afterColumns(2)}::text, row_to_json(known), row_to_json(stored),
    ${items.told}, hashed.hash
  FROM stored CROSS JOIN known CROSS JOIN hashed RETURNING before::text AS before`

/** Gives a row when the payout was stored, none when there is a conflict; it is counted on its days, too. */
export const insert: PayoutWrite = {
  nothing: inserting(noItems),
  items: inserting(itemsFrom(afterColumns(3))),
}

/** Gives what the payout was before when it was changed, no row when there is a conflict. */
export const update: PayoutWrite = {
  nothing: updating(noItems),
  items: updating(itemsFrom(afterColumns(4))),
}

/** What a change is written with. */
interface PayoutFields {
  readonly doing: string
  readonly change: PayoutWrite
  readonly fields: ReadonlyArray<Parameter>
  readonly put: ReadonlyArray<PayoutItem> | undefined
  readonly remove?: ReadonlyArray<string> | undefined
}

/** A payout with what its row has, and nothing else. */
const storedOf = (payout: StoredPayout): StoredPayout => ({
  ...{ id: payout.id, collaboratorId: payout.collaboratorId, currency: payout.currency },
  ...{ status: payout.status, openedAt: payout.openedAt, toBePaidAt: payout.toBePaidAt },
  ...{ closedAt: payout.closedAt, payableAt: payout.payableAt, paidAt: payout.paidAt },
  ...{ failureReason: payout.failureReason, total: payout.total, itemsCount: payout.itemsCount },
  ...{ paymentId: payout.paymentId, version: payout.version },
})

/** What comes after the ids of items that were removed. */
const endOfText = "]}".length

/** The text of an entry up to those ids: which of the given ones were there is for the database to say. */
const beginningOf = (entry: Omit<HashedEntry, "removed">): string =>
  historyText({ ...entry, removed: [] }).slice(0, -endOfText)

/** Writes a change, or ends in a conflict when there is nothing that it changed. */
const write = (
  session: Session,
  stored: StoredPayout,
  { doing, change, fields, put = [], remove = [] }: PayoutFields,
): Effect.Effect<StoredPayout, StorageError> =>
  Effect.gen(function* () {
    const removed = [...new Set(remove)]
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const beginning = beginningOf({ at: now, actor: session.actor, after: storedOf(stored), put })
    const head = [...fields, whole(now), text(session.actor), beginning]
    const rows =
      put.length === 0 && remove.length === 0
        ? yield* session.write(doing, change.nothing, head)
        : yield* session.write(doing, change.items, [
            ...[...head, ...itemFieldsOf(put)],
            ...[texts(removed), removed.map(json)],
          ])
    const [row] = rows
    if (row === undefined) return yield* session.conflict("payout", stored.id)
    const before = documentOf<Row | null>(row, "before")
    if (before !== null) yield* move(session, payoutOf(before), stored)
    return stored
  })

/** What changes payouts within one transaction. */
export const make = (session: Session): Pick<PayoutStore, "insert" | "update"> => ({
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
