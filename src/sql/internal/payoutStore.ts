import * as Effect from "effect/Effect"
import type {
  ItemPlace,
  OwnedPayouts,
  PayoutOwner,
  PayoutStore,
  PlacedItem,
} from "../../ports/PayoutStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import * as payoutChanges from "./payoutChanges.js"
import { entriesIn, entriesOfPayout, idsOfHistories, stateOfPayout } from "./payoutEntryRows.js"
import { columnsOfItem, itemsOfPayout, numberOf, placeOfItem, readItem } from "./payoutItems.js"
import { list } from "./payoutLists.js"
import { firstAfter } from "./productLists.js"
import {
  columnsOf,
  documentOf,
  listed,
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
  wholes,
  wrongCopiesOf,
} from "./rows.js"
import type { Session, SqlText } from "./Session.js"

const select = `SELECT ${columnsOf("p")} FROM apportion.payouts p WHERE p.account_id = $1`

const get = `${select} AND p.payout_id = $2`

const active = `${select} AND p.collaborator_id = $2 AND p.currency = $3 AND p.status = 'active'`

const firstOpenedAt = `SELECT opened_at FROM apportion.payouts
  WHERE account_id = $1 AND collaborator_id = $2 AND currency = $3 ORDER BY opened_at LIMIT 1`

const item = `SELECT ${columnsOfItem("found")} FROM (
    ${placeOfItem({ number: numberOf("$2"), payoutId: "$2", itemId: "$3" })}
  ) AS found`

/** A collaborator has few payouts, in each of which it is looked for. */
const entries = `SELECT p.payout_id, ${columnsOfItem("found")} FROM apportion.payouts p CROSS JOIN LATERAL (
    ${placeOfItem({ number: "p.number", payoutId: "p.payout_id", itemId: "$3" })} OFFSET 0
  ) AS found WHERE p.account_id = $1 AND p.collaborator_id = $2 ORDER BY p.payout_id`

/** What is not settled is little beside the rest, and found by its status. */
const belowZero = `${select} AND p.status IN ('active', 'pending', 'failed') AND p.total < 0
  AND p.payout_id >= $2 ORDER BY p.payout_id LIMIT $3`

const due = `${select} AND p.status = 'active' AND p.to_be_paid_at <= $2
  ORDER BY p.to_be_paid_at, p.payout_id LIMIT $3`

const payable = `${select} AND p.status = 'pending' AND p.payable_at <= $2
  ORDER BY p.payable_at, p.payout_id LIMIT $3`

const batch = `${select} AND p.payout_id >= $2 ORDER BY p.payout_id LIMIT $3`

const lastHash = `SELECT history_hash AS hash FROM apportion.payouts
  WHERE account_id = $1 AND payout_id = $2`

/** Each owner is looked up in the index, however many there are. */
const ofOwners = `SELECT ${columnsOf("p")}, p.number, first.opened_at AS first_opened_at
  FROM ${listed("owner", { collaborator_id: "text", currency: "text" }, 2)}
  LEFT JOIN LATERAL (
    SELECT ${columnsOf("a")}, a.number FROM apportion.payouts a WHERE a.account_id = $1
      AND a.collaborator_id = owner.collaborator_id AND a.currency = owner.currency
      AND a.status = 'active' LIMIT 1
  ) AS p ON TRUE LEFT JOIN LATERAL (
    SELECT o.opened_at FROM apportion.payouts o WHERE o.account_id = $1
      AND o.collaborator_id = owner.collaborator_id AND o.currency = owner.currency
    ORDER BY o.opened_at LIMIT 1
  ) AS first ON TRUE ORDER BY owner.nth`

/** The OFFSET keeps it a question about each of them in turn. */
const itemsAt = `SELECT given.payout_id, ${columnsOfItem("found")} FROM (
    SELECT DISTINCT payout_id, item_id FROM unnest($2::text[], $3::text[]) AS p (payout_id, item_id)
  ) AS given JOIN apportion.payouts p ON p.account_id = $1 AND p.payout_id = given.payout_id
  CROSS JOIN LATERAL (
    ${placeOfItem({ number: "p.number", payoutId: "p.payout_id", itemId: "given.item_id" })} OFFSET 0
  ) AS found`

const itemsOfNumbered = `SELECT given.payout_id, ${columnsOfItem("found")} FROM (
    SELECT DISTINCT payout_id, item_id, number
    FROM ${listed("p", { payout_id: "text", item_id: "text", number: "integer" }, 2)}
  ) AS given CROSS JOIN LATERAL (
    ${placeOfItem({ number: "given.number", payoutId: "given.payout_id", itemId: "given.item_id" })} OFFSET 0
  ) AS found`

/** Items at places. Where all payouts have been read by the transaction, they need not be looked for. */
const readItemsAt = (
  session: Session,
  places: ReadonlyArray<ItemPlace>,
): Effect.Effect<ReadonlyArray<Row>, StorageError> => {
  const given = [places.map(({ payoutId }) => payoutId), places.map(({ itemId }) => itemId)].map(
    texts,
  )
  const numbers = places.flatMap(({ payoutId }) => session.payoutNumbers.get(payoutId) ?? [])
  return numbers.length === places.length
    ? session.read("read items of payouts", { kept: itemsOfNumbered }, [...given, wholes(numbers)])
    : session.read("read items of payouts", itemsAt, given)
}

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
  one: <A>(doing: string, statement: SqlText, { given, read }: RowReading<A>) =>
    Effect.map(session.read(doing, statement, given), (rows) => firstOf(rows, read)),
  many: <A>(doing: string, statement: SqlText, { given, read }: RowReading<A>) =>
    Effect.map(session.read(doing, statement, given), (rows) => rows.map(read)),
})

const ownedOf = (session: Session, row: Row): OwnedPayouts => {
  const active = row["payout_id"] === null ? undefined : payoutOf(row)
  if (active !== undefined) {
    session.payoutNumbers.set(active.id, wholeOf(row, "number"))
    session.seenPayouts.set(active.id, active)
  }
  return { active, firstOpenedAt: wholeOrNullOf(row, "first_opened_at") ?? undefined }
}

const readPlaced = (row: Row): PlacedItem => ({
  payoutId: textOf(row, "payout_id"),
  item: readItem(row),
})

/** Notes the places at which no items were found: whoever puts some there need not look again. */
const noteAbsent = (
  { absentItems }: Session,
  places: ReadonlyArray<ItemPlace>,
  found: ReadonlyArray<PlacedItem>,
): void => {
  for (const { payoutId, itemId } of places) absentItems.note(payoutId, itemId)
  for (const { payoutId, item } of found) absentItems.forget(payoutId, item.id)
}

/** The items of a payout from the first to the last. */
const allOf = (payoutId: string): ReadonlyArray<Parameter> => [text(payoutId), null, null]

const readingItems = (
  session: Session,
): Pick<PayoutStore, "entries" | "item" | "items" | "itemsAt" | "someItems" | "comparedItems"> => {
  const { one, many } = rowsRead(session)
  return {
    item: (payoutId, itemId) =>
      one("read a payout item", item, { given: [text(payoutId), text(itemId)], read: readItem }),
    itemsAt: (places) =>
      Effect.map(readItemsAt(session, places), (rows) => {
        const found = rows.map(readPlaced)
        noteAbsent(session, places, found)
        return found
      }),
    items: (payoutId) =>
      many("read the items of a payout", itemsOfPayout, {
        given: allOf(payoutId),
        read: readItem,
      }),
    comparedItems: (payoutId) => {
      const read = (row: Row) => ({ item: readItem(row), wrong: wrongCopiesOf(row) })
      const found = many("compare payout items", itemsOfPayout, { given: allOf(payoutId), read })
      return Effect.map(found, (rows) => ({
        items: rows.map((row) => row.item),
        wrongCopies: rows.flatMap(({ wrong }) => wrong),
      }))
    },
    someItems: (payoutId, { offset, limit }) =>
      many("read some items of a payout", itemsOfPayout, {
        given: [text(payoutId), whole(offset), whole(limit)],
        read: readItem,
      }),
    entries: ({ collaboratorId, itemId }) => {
      const given = [text(collaboratorId), text(itemId)]
      const found = many("find entries of a collaborator", entries, { given, read: readPlaced })
      const isEntry = ({ item: { kind } }: PlacedItem) => kind === "expense" || kind === "income"
      return Effect.map(found, (placed) => placed.filter(isEntry))
    },
  }
}

/** The entries after a version follow from the one that has it, which is read with them. */
const historyOf = Effect.fnUntraced(function* (
  session: Session,
  { payoutId, after, limit }: Parameters<PayoutStore["history"]>[0],
) {
  const given = [text(payoutId), whole(after)]
  const read = [...given, whole(limit)]
  const rows = yield* session.read("read the history of a payout", entriesOfPayout, read)
  const isWhole = rows[0] === undefined || rows[0]["state"] != null || rows[0]["after"] != null
  const states = isWhole ? [] : yield* session.read("read what a payout was", stateOfPayout, given)
  const [state] = states
  const from = state === undefined ? undefined : documentOf<Row>(state, "state")
  return entriesIn(payoutId, rows, from)
    .filter(({ version }) => version > after)
    .slice(0, limit)
})

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
      many(
        "read payouts of owners",
        { kept: ofOwners },
        {
          given: [
            texts(owners.map(({ collaboratorId }) => collaboratorId)),
            texts(owners.map(({ currency }) => currency)),
          ],
          read: (row) => ownedOf(session, row),
        },
      ),
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
      many("find the next histories", idsOfHistories, {
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
    history: (part) => historyOf(session, part),
  }
}
