/** New parts of orders, with all that is found by them, many in one statement. */
import * as Effect from "effect/Effect"
import type { NewSale, RecordedSale } from "../../ports/SaleStore.js"
import { soldBySale } from "../../ports/SoldSales.js"
import type { StorageError } from "../../ports/StorageError.js"
import { hourOf } from "./migrations/recordedHours.js"
import { subjectColumns } from "./migrations/subjectColumns.js"
import { Packer } from "./Packer.js"
import { packPostings, packSale, type SaleDocument } from "./packedSales.js"
import type { PayoutNumbers } from "./payoutNumbers.js"
import {
  isTrue,
  json,
  type ListedColumns,
  listed,
  type Parameter,
  textOf,
  texts,
  wholes,
} from "./rows.js"
import type { Session } from "./Session.js"
import {
  columnsFrom,
  digestsOf,
  subjectFields,
  subjectsInColumns,
  subjectsInRows,
  subjectsOf,
} from "./saleSubjects.js"
import { addingSold, changeFields, changesIn } from "./soldSums.js"

/** Parts: `rules` is the place of a list of rules. */
const columnsOfParts: ListedColumns = {
  order_id: "text",
  part: "bigint",
  packed: "text",
  rules: "integer",
  postings: "text",
  recorded_at: "bigint",
  places: "text",
}

const columnsOfSubjects: ListedColumns = {
  order_id: "text",
  part: "bigint",
  recorded_at: "bigint",
  collaborator_id: "text",
  product_id: "text",
}

/**
 * The numbers of rules that are given packed, in their order. Those that the account does not have yet get the next ones:
 * whoever gives the same at the same time is in a conflict.
 */
export const numberedRules = (first: number): string => `contents AS MATERIALIZED (
    SELECT c.nth, decode(c.content, 'hex') AS content, (SELECT r.number FROM apportion.recorded_rules r
      WHERE r.account_id = $1::text AND sha256(r.content) = sha256(decode(c.content, 'hex'))) AS number
    FROM ${listed("c", { content: "text" }, first)}
  ), new_contents AS MATERIALIZED (
    SELECT nth, content, row_number() OVER (ORDER BY nth) + coalesce(
      (SELECT max(number) FROM apportion.recorded_rules WHERE account_id = $1::text), 0) AS number
    FROM contents WHERE number IS NULL
  ), added AS (
    INSERT INTO apportion.recorded_rules (account_id, number, content)
    SELECT $1::text, number, content FROM new_contents
  ), numbers AS MATERIALIZED (
    SELECT array_agg(number ORDER BY nth) AS list FROM (
      SELECT nth, number FROM contents WHERE number IS NOT NULL UNION ALL SELECT nth, number FROM new_contents
    ) AS n
  )`

/** What parts name their rules by: of each list of places among the rules that are given, the numbers. */
export const namedRules = (first: number): string => `named AS MATERIALIZED (
    SELECT array_agg(coalesce((
      SELECT string_agg(int4send(numbers.list[r.rule]::integer), ''::bytea ORDER BY r.place)
      FROM unnest(l.rules::integer[]) WITH ORDINALITY AS r (rule, place)
    ), ''::bytea) ORDER BY l.nth) AS lists FROM numbers CROSS JOIN ${listed("l", { rules: "text" }, first)}
  )`

/**
 * Stores sales, and gives those that are there already, and those of orders that have other parts. Nothing is joined that
 * could be compared each with each but where some are there: so the plan is kept.
 */
const insert = `WITH given AS MATERIALIZED (
    SELECT g.order_id, g.part, g.packed, g.rules, g.postings, g.recorded_at, g.places::integer[] AS places
    FROM ${listed("g", columnsOfParts, 2)}
  ), ${numberedRules(9)}, ${namedRules(10)}, ${digestsOf("$11", "$12")}, recorded AS (
    INSERT INTO apportion.sale_parts (account_id, order_id, part, packed, rules, postings, recorded_at,
      recorded_hour, version, ${subjectColumns.join(", ")})
    SELECT $1::text, order_id, part, decode(packed, 'hex'), named.lists[g.rules],
      decode(postings, 'hex'), recorded_at, ${hourOf("recorded_at")}, 1, ${columnsFrom("subjects.digests", "g.places")}
    FROM given g CROSS JOIN named CROSS JOIN subjects
    -- Ids that are too long are refused wherever they are stored.
    WHERE (SELECT count(id::apportion.key_text) FROM unnest($13::text[]) AS i (id)) >= 0
    ON CONFLICT (account_id, order_id, part) DO NOTHING RETURNING order_id, part
  ), found AS (
    INSERT INTO apportion.sale_subjects
      (account_id, order_id, part, recorded_at, collaborator_id, product_id)
    SELECT $1::text, f.order_id, f.part, f.recorded_at, f.collaborator_id, apportion.term_of(f.product_id)
    FROM ${listed("f", columnsOfSubjects, 14)}
  ), sold AS (
    ${addingSold(19)}
  )
  SELECT order_id, TRUE AS is_there FROM given g
  WHERE (SELECT count(*) FROM recorded) < (SELECT count(*) FROM given) AND NOT EXISTS (
    SELECT FROM recorded r WHERE r.order_id = g.order_id AND r.part = g.part
  )
  UNION ALL SELECT order_id, FALSE FROM (
    SELECT g.order_id, count(*) OVER (PARTITION BY g.order_id) > 1 OR EXISTS (
        SELECT FROM apportion.sale_parts o
        WHERE o.account_id = $1::text AND o.order_id = g.order_id AND o.part <> g.part
      ) AS has_others
    FROM given g
  ) AS g WHERE has_others ORDER BY is_there DESC`

/** An item is in one part of an order: of orders with more than one, the table of items has each. */
const insertItems = `WITH sold AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::text[]::bigint[], $4::text[]) AS i (order_id, part, item_id)
  ), added AS (
    INSERT INTO apportion.sale_items (account_id, order_id, item_id, part)
    SELECT $1::text, order_id, item_id, part FROM sold
    ON CONFLICT (account_id, order_id, item_id) DO NOTHING RETURNING order_id, item_id, part
  )
  SELECT s.order_id FROM sold s WHERE NOT EXISTS (
    SELECT FROM added a WHERE a.order_id = s.order_id AND a.item_id = s.item_id AND a.part = s.part
  ) AND NOT EXISTS (
    SELECT FROM apportion.sale_items k WHERE k.account_id = $1::text AND k.order_id = s.order_id
      AND k.item_id = s.item_id AND k.part = s.part
  ) LIMIT 1`

const insertRefunds = `INSERT INTO apportion.refunds
    (account_id, refund_id, order_id, part, position, document, recorded_at)
  SELECT $1::text, r.refund_id, r.order_id, r.part, r.position, r.document::json, r.recorded_at
  FROM unnest($2::text[], $3::text[]::bigint[], $4::text[]::bigint[], $5::text[], $6::text[],
    $7::text[]::bigint[]) AS r (order_id, part, position, refund_id, document, recorded_at)
  ON CONFLICT (account_id, refund_id) DO NOTHING RETURNING refund_id`

/** Something of a sale, with the sale that it is of. */
interface OfSale<A> {
  readonly sale: NewSale
  readonly one: A
  /** Its place among those of the sale, from 1 on. */
  readonly position: number
}

const ofEach = <A>(
  sales: ReadonlyArray<NewSale>,
  listed: (sale: NewSale) => ReadonlyArray<A>,
): ReadonlyArray<OfSale<A>> =>
  sales.flatMap((sale) => listed(sale).map((one, index) => ({ sale, one, position: index + 1 })))

/** The orders and the parts of what sales have. */
const placesOf = (all: ReadonlyArray<{ readonly sale: NewSale }>): ReadonlyArray<Parameter> => [
  texts(all.map(({ sale }) => sale.orderId)),
  wholes(all.map(({ sale }) => sale.part)),
]

const itemIdsOf = ({ order }: Pick<RecordedSale, "order">): ReadonlyArray<string> => [
  ...new Set(order.items.map(({ id }) => id)),
]

/** Texts, each once, by their places from 1 on. */
class NumberedTexts {
  readonly #places = new Map<string, number>()

  of(text: string): number {
    const place = this.#places.get(text) ?? this.#places.size + 1
    this.#places.set(text, place)
    return place
  }

  get all(): ReadonlyArray<string> {
    return [...this.#places.keys()]
  }
}

/** The parts as they are packed, the lists of rules that they name, and the rules of these lists: all but the parts once. */
export const packAll = (sales: ReadonlyArray<Pick<NewSale, "orderId" | keyof SaleDocument>>) => {
  const packer = new Packer()
  const packs = new Map<object, string>()
  const packRule = (rule: object): string => {
    const packed = packs.get(rule) ?? packer.pack(rule)
    packs.set(rule, packed)
    return packed
  }
  const [contents, lists] = [new NumberedTexts(), new NumberedTexts()]
  const parts = sales.map((sale) => {
    const { packed, rules } = packSale(sale.orderId, sale, packer, packRule)
    return { packed, rules: lists.of(`{${rules.map((rule) => contents.of(rule)).join(",")}}`) }
  })
  return { parts, contents: contents.all, lists: lists.all }
}

const saleFields = (
  sales: ReadonlyArray<NewSale>,
  numbers: PayoutNumbers,
): ReadonlyArray<Parameter> => {
  const subjects = sales.map(subjectsOf)
  const rest = sales.flatMap((sale, index) =>
    subjectsInRows(subjects[index] ?? []).map((one) => ({ sale, one })),
  )
  const inColumns = subjectsInColumns(subjects)
  const { parts, contents, lists } = packAll(sales)
  const packer = new Packer()
  return [
    ...placesOf(sales.map((sale) => ({ sale }))),
    ...[parts.map(({ packed }) => packed), wholes(parts.map(({ rules }) => rules))],
    sales.map((sale) => packPostings(sale, sale.postings, numbers, packer)),
    wholes(sales.map(({ recordedAt }) => recordedAt)),
    ...[inColumns.places, contents, lists],
    ...subjectFields(inColumns.pairs),
    texts(sales.flatMap(itemIdsOf)),
    ...[...placesOf(rest), wholes(rest.map(({ sale }) => sale.recordedAt))],
    ...subjectFields(rest.map(({ one }) => one)),
    ...changeFields(
      changesIn(sales.map((sale) => ({ at: sale.recordedAt, changes: soldBySale(sale) }))),
    ),
  ]
}

/** Refunds that a part comes with are before those that are added to it. */
const insertRefundsOf = (
  session: Session,
  sales: ReadonlyArray<NewSale>,
): Effect.Effect<void, StorageError> => {
  const all = ofEach(sales, (sale) => sale.refunds)
  if (all.length === 0) return Effect.void
  const parameters = [
    ...placesOf(all),
    wholes(all.map(({ sale, position }) => position - sale.refunds.length)),
    texts(all.map(({ one }) => one.id)),
    all.map(({ one }) => json(one)),
    wholes(all.map(({ one }) => one.recordedAt)),
  ]
  return Effect.flatMap(session.write("insert refunds", insertRefunds, parameters), (rows) => {
    const added = new Set(rows.map((row) => textOf(row, "refund_id")))
    const taken = all.find(({ one }) => !added.has(one.id))
    if (taken !== undefined) return session.conflict("refund", taken.one.id)
    return added.size === all.length ? Effect.void : session.conflict("refund", "")
  })
}

/** The order of which a part comes twice; `undefined`: there is none. */
const repeated = (sales: ReadonlyArray<NewSale>): string | undefined => {
  const seen = new Set<string>()
  for (const { orderId, part } of sales) {
    const name = `${part}/${orderId}`
    if (seen.has(name)) return orderId
    seen.add(name)
  }
  return undefined
}

/** Reads the parts of orders. */
type Parts = (
  orderIds: ReadonlyArray<string>,
) => Effect.Effect<ReadonlyArray<RecordedSale>, StorageError>

/** Keeps apart what is in the parts of orders that have more than one. */
const keepItemsApart = (
  session: Session,
  orderIds: ReadonlyArray<string>,
  partsOf: Parts,
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const parts = yield* partsOf(orderIds)
    const items = parts.flatMap((sale) => itemIdsOf(sale).map((one) => ({ sale, one })))
    const [row] = yield* session.write("insert items of sales", insertItems, [
      texts(items.map(({ sale }) => sale.orderId)),
      wholes(items.map(({ sale }) => sale.part)),
      texts(items.map(({ one }) => one)),
    ])
    if (row !== undefined) yield* session.conflict("sale", textOf(row, "order_id"))
  })

/** Stores new parts, or ends in a conflict when one is there already. */
export const insertSales = (
  session: Session,
  sales: ReadonlyArray<NewSale>,
  partsOf: Parts,
): Effect.Effect<ReadonlyArray<RecordedSale>, StorageError> =>
  Effect.gen(function* () {
    const twice = repeated(sales)
    if (twice !== undefined) return yield* session.conflict("sale", twice)
    const fields = saleFields(sales, session.payoutNumbers)
    yield* session.send("insert sales", { kept: insert }, fields, (rows) => {
      const [row] = rows
      if (row === undefined) return Effect.void
      const orderId = textOf(row, "order_id")
      if (isTrue(row, "is_there")) return session.conflict("sale", orderId)
      const orderIds = new Set(rows.map((one) => textOf(one, "order_id")))
      return keepItemsApart(session, [...orderIds], partsOf)
    })
    yield* insertRefundsOf(session, sales)
    return sales.map((sale) => ({ ...sale, version: 1 }))
  })
