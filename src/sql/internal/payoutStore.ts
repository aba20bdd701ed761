import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { PayoutStore, StoredPayout } from "../../ports/PayoutStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import * as changes from "./payoutChanges.js"
import { move } from "./payoutDays.js"
import { list } from "./payoutLists.js"
import { columnsOf, entryOf, fieldsOf, itemFieldsOf, payoutOf } from "./payoutRows.js"
import { firstAfter } from "./productSelection.js"
import { documentOf, type Parameter, type Row, text, texts, whole, wholeOf } from "./rows.js"
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

/** Where the part lies is found in the index alone: what comes before it is passed over unread. */
const someItems = `SELECT i.document::text AS document FROM (
    SELECT added_in, place FROM apportion.payout_items
    WHERE account_id = $1 AND payout_id = $2 ORDER BY added_in, place OFFSET $3 LIMIT $4
  ) AS part JOIN apportion.payout_items i ON i.account_id = $1 AND i.payout_id = $2
    AND i.added_in = part.added_in AND i.place = part.place
  ORDER BY part.added_in, part.place`

const due = `${select} AND p.status = 'active' AND p.to_be_paid_at <= $2
  ORDER BY p.to_be_paid_at, p.payout_id LIMIT $3`

const payable = `${select} AND p.status = 'pending' AND p.payable_at <= $2
  ORDER BY p.payable_at, p.payout_id LIMIT $3`

const batch = `${select} AND p.payout_id >= $2 ORDER BY p.payout_id LIMIT $3`

const history = `SELECT payout_id, version, at, actor, coalesce(before, 'null')::text AS before,
    after::text AS after, put::text AS put, removed::text AS removed
  FROM apportion.payout_history
  WHERE account_id = $1 AND payout_id = $2 AND version > $3 ORDER BY version LIMIT $4`

type Owner = Parameters<PayoutStore["active"]>[0]

const ownerOf = ({ collaboratorId, currency }: Owner) => [text(collaboratorId), text(currency)]

/** What a change is written with. */
interface Written {
  readonly doing: string
  readonly change: changes.Change
  readonly fields: ReadonlyArray<Parameter>
  readonly put: ReadonlyArray<PayoutItem> | undefined
  readonly remove?: ReadonlyArray<string> | undefined
}

/** Writes a change, or ends in a conflict when there is nothing that it changed. */
const write = (
  session: Session,
  stored: StoredPayout,
  { doing, change, fields, put = [], remove = [] }: Written,
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
      { doing: "insert a payout", change: changes.insert, fields: fieldsOf(payout), put },
    ),
  update: ({ payout, put, remove }) => {
    const fields = [...fieldsOf(payout), whole(payout.version)]
    return write(
      session,
      { ...payout, version: payout.version + 1 },
      { doing: "update a payout", change: changes.update, fields, put, remove },
    )
  },
})

const firstOf = <A>(rows: ReadonlyArray<Row>, read: (row: Row) => A): A | undefined => {
  const [row] = rows
  return row === undefined ? undefined : read(row)
}

/** The store of payouts within one transaction. */
export const make = (session: Session): PayoutStore => {
  const one = <A>(
    doing: string,
    statement: string,
    { given, read }: { readonly given: ReadonlyArray<Parameter>; readonly read: (row: Row) => A },
  ) => Effect.map(session.read(doing, statement, given), (rows) => firstOf(rows, read))
  const many = <A>(
    doing: string,
    statement: string,
    { given, read }: { readonly given: ReadonlyArray<Parameter>; readonly read: (row: Row) => A },
  ) => Effect.map(session.read(doing, statement, given), (rows) => rows.map(read))
  const readItem = (row: Row): PayoutItem => documentOf(row)
  return {
    ...changing(session),
    get: (id) => one("read a payout", get, { given: [text(id)], read: payoutOf }),
    active: (owner) =>
      one("read an active payout", active, { given: ownerOf(owner), read: payoutOf }),
    firstOpenedAt: (owner) =>
      one("read when the first payout was opened", firstOpenedAt, {
        given: ownerOf(owner),
        read: (row) => wholeOf(row, "opened_at"),
      }),
    item: (payoutId, itemId) =>
      one("read a payout item", item, { given: [text(payoutId), text(itemId)], read: readItem }),
    items: (payoutId) =>
      many("read the items of a payout", items, { given: [text(payoutId)], read: readItem }),
    someItems: (payoutId, { offset, limit }) =>
      many("read some items of a payout", someItems, {
        given: [text(payoutId), whole(offset), whole(limit)],
        read: readItem,
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
    history: ({ payoutId, after, limit }) =>
      many("read the history of a payout", history, {
        given: [text(payoutId), whole(after), whole(limit)],
        read: entryOf,
      }),
  }
}
