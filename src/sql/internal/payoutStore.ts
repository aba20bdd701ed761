import * as Effect from "effect/Effect"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { OwnedPayouts, PayoutOwner, PayoutStore, PlacedItem } from "../../ports/PayoutStore.js"
import * as payoutChanges from "./payoutChanges.js"
import { list } from "./payoutLists.js"
import { firstAfter } from "./productLists.js"
import {
  columnsOf,
  documentOf,
  entryOf,
  namesOfItemColumns,
  type Parameter,
  payoutOf,
  type Row,
  text,
  textOf,
  textOrNullOf,
  texts,
  whole,
  wholeOf,
  wholeOrNullOf,
  wrongCopiesOf,
} from "./rows.js"
import type { Session } from "./Session.js"

const select = `SELECT ${columnsOf("p")} FROM apportion.payouts p WHERE p.account_id = $1`

const get = `${select} AND p.payout_id = $2`

const active = `${select} AND p.collaborator_id = $2 AND p.currency = $3 AND p.status = 'active'`

const firstOpenedAt = `SELECT opened_at FROM apportion.payouts
  WHERE account_id = $1 AND collaborator_id = $2 AND currency = $3 ORDER BY opened_at LIMIT 1`

const item = `SELECT document::text AS document FROM apportion.payout_items
  WHERE account_id = $1 AND payout_id = $2 AND item_id = $3`

const items = `SELECT document::text AS document FROM apportion.payout_items
  WHERE account_id = $1 AND payout_id = $2 ORDER BY added_in, place`

const copies = `SELECT ${namesOfItemColumns}, document::text AS document FROM apportion.payout_items
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
    after::text AS after, put::text AS put, removed::text AS removed, hash
  FROM apportion.payout_history
  WHERE account_id = $1 AND payout_id = $2 AND version > $3 ORDER BY version LIMIT $4`

/** From one id to the next in the index, however many entries each has. */
const historyIds = `WITH RECURSIVE ids AS (
    (SELECT payout_id FROM apportion.payout_history
      WHERE account_id = $1 AND payout_id >= $2 ORDER BY payout_id LIMIT 1)
    UNION ALL
    SELECT (SELECT h.payout_id FROM apportion.payout_history h
      WHERE h.account_id = $1 AND h.payout_id > ids.payout_id ORDER BY h.payout_id LIMIT 1)
    FROM ids WHERE ids.payout_id IS NOT NULL
  ) SELECT payout_id FROM ids WHERE payout_id IS NOT NULL LIMIT $3`

const lastHash = `SELECT history_hash AS hash FROM apportion.payouts
  WHERE account_id = $1 AND payout_id = $2`

/** Each owner is looked up in the index, however many there are. */
const ofOwners = `SELECT ${columnsOf("p")}, first.opened_at AS first_opened_at
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS owner (collaborator_id, currency, place)
  LEFT JOIN LATERAL (
    SELECT ${columnsOf("a")} FROM apportion.payouts a WHERE a.account_id = $1
      AND a.collaborator_id = owner.collaborator_id AND a.currency = owner.currency
      AND a.status = 'active' LIMIT 1
  ) AS p ON TRUE LEFT JOIN LATERAL (
    SELECT o.opened_at FROM apportion.payouts o WHERE o.account_id = $1
      AND o.collaborator_id = owner.collaborator_id AND o.currency = owner.currency
    ORDER BY o.opened_at LIMIT 1
  ) AS first ON TRUE ORDER BY owner.place`

/** The OFFSET keeps it a question about each of them in turn. */
const itemsAt = `SELECT i.payout_id, i.document::text AS document FROM (
    SELECT DISTINCT payout_id, item_id FROM unnest($2::text[], $3::text[]) AS p (payout_id, item_id)
  ) AS place CROSS JOIN LATERAL (
    SELECT i.payout_id, i.document FROM apportion.payout_items i
    WHERE i.account_id = $1 AND i.payout_id = place.payout_id AND i.item_id = place.item_id OFFSET 0
  ) AS i`

const ownerOf = ({ collaboratorId, currency }: PayoutOwner) => [
  text(collaboratorId),
  text(currency),
]

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

const ownedOf = (row: Row): OwnedPayouts => ({
  active: row["payout_id"] === null ? undefined : payoutOf(row),
  firstOpenedAt: wholeOrNullOf(row, "first_opened_at") ?? undefined,
})

const readItem = (row: Row): PayoutItem => documentOf(row)

const readPlaced = (row: Row): PlacedItem => ({
  payoutId: textOf(row, "payout_id"),
  item: readItem(row),
})

const readingItems = (
  session: Session,
): Pick<PayoutStore, "entries" | "item" | "items" | "itemsAt" | "someItems" | "comparedItems"> => {
  const { one, many } = rowsRead(session)
  return {
    item: (payoutId, itemId) =>
      one("read a payout item", item, { given: [text(payoutId), text(itemId)], read: readItem }),
    itemsAt: (places) =>
      many("read items of payouts", itemsAt, {
        given: [texts(places.map((one) => one.payoutId)), texts(places.map((one) => one.itemId))],
        read: readPlaced,
      }),
    items: (payoutId) =>
      many("read the items of a payout", items, { given: [text(payoutId)], read: readItem }),
    comparedItems: (payoutId) => {
      const read = (row: Row) => ({ item: readItem(row), wrong: wrongCopiesOf(row) })
      const found = many("compare payout items", copies, { given: [text(payoutId)], read })
      return Effect.map(found, (rows) => ({
        items: rows.map((row) => row.item),
        wrongCopies: rows.flatMap(({ wrong }) => wrong),
      }))
    },
    someItems: (payoutId, { offset, limit }) =>
      many("read some items of a payout", someItems, {
        given: [text(payoutId), whole(offset), whole(limit)],
        read: readItem,
      }),
    entries: ({ collaboratorId, itemId }) =>
      many("find entries of a collaborator", entries, {
        given: [text(collaboratorId), text(itemId)],
        read: readPlaced,
      }),
  }
}

/** The store of payouts within one transaction. */
export const make = (session: Session): PayoutStore => {
  const { one, many } = rowsRead(session)
  return {
    ...payoutChanges.make(session),
    ...readingItems(session),
    get: (id) => one("read a payout", get, { given: [text(id)], read: payoutOf }),
    active: (owner) =>
      one("read an active payout", active, { given: ownerOf(owner), read: payoutOf }),
    firstOpenedAt: (owner) =>
      one("read when the first payout was opened", firstOpenedAt, {
        given: ownerOf(owner),
        read: (row) => wholeOf(row, "opened_at"),
      }),
    ofOwners: (owners) =>
      many("read payouts of owners", ofOwners, {
        given: [
          texts(owners.map(({ collaboratorId }) => collaboratorId)),
          texts(owners.map(({ currency }) => currency)),
        ],
        read: ownedOf,
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
    historyIds: ({ after, limit }) =>
      many("find the next histories", historyIds, {
        given: [firstAfter(after), whole(limit)],
        read: (row) => textOf(row, "payout_id"),
      }),
    lastHash: (id) =>
      Effect.map(
        one("read the hash of a history", lastHash, {
          given: [text(id)],
          read: (row) => textOrNullOf(row, "hash"),
        }),
        (hash) => hash ?? null,
      ),
    history: ({ payoutId, after, limit }) =>
      many("read the history of a payout", history, {
        given: [text(payoutId), whole(after), whole(limit)],
        read: entryOf,
      }),
  }
}
