/**
 * Carries parts of orders over from the form of before version 0.6.0, some at a time: packed, with their postings in the
 * row and what they are found by in columns. Items of orders with one part need no rows of their own.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { sameData } from "../../internal/sameData.js"
import type { RecordedSale } from "../../ports/SaleStore.js"
import { hourOf } from "./migrations/recordedHours.js"
import { subjectColumns } from "./migrations/subjectColumns.js"
import { namedRules, numberedRules, packAll } from "./newSales.js"
import { packPostings, packSale, unpackPostings, unpackSale } from "./packedSales.js"
import { type Row, text, textOf, texts, wholeOf, wholes } from "./rows.js"
import { storageErrorOf } from "./Session.js"
import { columnsOfPart, readPart } from "./saleStore.js"
import {
  columnsFrom,
  digestsOf,
  subjectFields,
  subjectsInColumns,
  subjectsOf,
} from "./saleSubjects.js"
import { unpack } from "./Unpacker.js"

const partsAtATime = 200

const nextAccount = `SELECT account_id::text FROM apportion.sale_parts
  WHERE document IS NOT NULL AND (account_id, order_id, part) > ($1::text, $2::text, $3::text::bigint)
  ORDER BY account_id, order_id, part LIMIT 1`

/** Nothing of the account changes meanwhile. */
const lock = "SELECT account_id FROM apportion.accounts WHERE account_id = $1 FOR UPDATE"

const nextParts = `SELECT ${columnsOfPart} FROM apportion.sale_parts s
  WHERE s.account_id = $1::text AND s.document IS NOT NULL
    AND (s.order_id, s.part) > ($2::text, $3::text::bigint)
  ORDER BY s.order_id, s.part LIMIT ${partsAtATime}`

const numbersOfPayouts = `SELECT payout_id::text, number FROM apportion.payouts
  WHERE account_id = $1 AND payout_id = ANY($2::text[])`

const allow = "SELECT set_config('apportion.carrying_over', 'yes', true)"

const replace = `WITH given AS MATERIALIZED (
    SELECT g.order_id, g.part, g.version, g.packed, g.rules, g.postings, g.places::integer[] AS places
    FROM unnest($4::text[], $5::text[]::bigint[], $6::text[]::bigint[], $7::text[], $8::text[]::integer[], $9::text[],
      $10::text[]) AS g (order_id, part, version, packed, rules, postings, places)
  ), ${digestsOf("$15", "$16")}, ${numberedRules(2)}, ${namedRules(3)}, changed AS (
    UPDATE apportion.sale_parts s SET document = NULL, packed = decode(g.packed, 'hex'),
      rules = named.lists[g.rules], postings = decode(g.postings, 'hex'),
      recorded_hour = ${hourOf("s.recorded_at")},
      (${subjectColumns.join(", ")}) = ROW(${columnsFrom("subjects.digests", "g.places")})
    FROM given g CROSS JOIN named CROSS JOIN subjects
    WHERE s.account_id = $1 AND s.order_id = g.order_id AND s.part = g.part AND s.version = g.version
      AND s.document IS NOT NULL
    RETURNING s.order_id, s.part
  ), unplaced AS (
    DELETE FROM apportion.placements p USING changed c
    WHERE p.account_id = $1 AND p.order_id = c.order_id AND p.part = c.part
  ), unfound AS (
    DELETE FROM apportion.sale_subjects f USING changed c JOIN unnest($11::text[], $12::text[]::bigint[],
        $13::text[], $14::text[]) AS s (order_id, part, collaborator_id, product_id)
      ON s.order_id = c.order_id AND s.part = c.part
    WHERE f.account_id = $1 AND f.order_id = c.order_id AND f.part = c.part
      AND f.collaborator_id = s.collaborator_id AND f.product_id = apportion.term_of(s.product_id)
  ), unsold AS (
    DELETE FROM apportion.sale_items i USING changed c
    WHERE i.account_id = $1 AND i.order_id = c.order_id AND NOT EXISTS (
      SELECT FROM apportion.sale_parts o
      WHERE o.account_id = $1 AND o.order_id = c.order_id AND o.part <> c.part
    )
  ) SELECT count(*) AS changed FROM changed`

type Carrying<A> = Effect.Effect<A, SqlError, SqlClient>

/** Whether all of a part comes out of what is stored of it from now on. */
const isPackedAsItIs = (sale: RecordedSale): boolean => {
  const { orderId, order, groups, policy, split, postings } = sale
  const { packed, rules } = packSale(orderId, sale)
  const unpacked = unpackSale(orderId, packed, rules.map(unpack))
  // Which payouts they name is as good by their numbers as by their ids.
  const packedPostings = packPostings(sale, postings, new Map())
  const placed = unpackPostings({ orderId, split: unpacked.split }, packedPostings, new Map())
  return sameData(unpacked, { order, groups, policy, split }) && sameData(placed, postings)
}

const store = (accountId: string, sales: ReadonlyArray<RecordedSale>): Carrying<number> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { parts, contents, lists } = packAll(sales)
    const subjects = sales.map((sale) => subjectsOf(sale).slice(0, subjectColumns.length))
    const inColumns = subjectsInColumns(subjects)
    const found = sales.flatMap((sale, index) =>
      (subjects[index] ?? []).map((subject) => ({ sale, subject })),
    )
    const ids = new Set(sales.flatMap(({ postings }) => postings.map(({ payoutId }) => payoutId)))
    const payouts = yield* sql.unsafe<Row>(numbersOfPayouts, [accountId, texts([...ids])])
    const numbers = new Map(
      payouts.map((row) => [textOf(row, "payout_id"), wholeOf(row, "number")] as const),
    )
    yield* sql.unsafe(allow)
    const [row] = yield* sql.unsafe<Row>(replace, [
      ...[accountId, contents, lists, texts(sales.map(({ orderId }) => orderId))],
      wholes(sales.map(({ part }) => part)),
      wholes(sales.map(({ version }) => version)),
      ...[parts.map(({ packed }) => packed), wholes(parts.map(({ rules }) => rules))],
      sales.map((sale) => packPostings(sale, sale.postings, numbers)),
      inColumns.places,
      texts(found.map(({ sale }) => sale.orderId)),
      wholes(found.map(({ sale }) => sale.part)),
      ...subjectFields(found.map(({ subject }) => subject)),
      ...subjectFields(inColumns.pairs),
    ])
    return row === undefined ? 0 : wholeOf(row, "changed")
  })

/** The last part that was looked at; of an account that has none left, none. */
type LastPart = readonly [orderId: string, part: string]

interface CarriedParts {
  readonly carried: number
  readonly left: number
  readonly last: LastPart | undefined
}

const carrySome = Effect.fnUntraced(function* (accountId: string, after: LastPart) {
  const sql = yield* SqlClient
  yield* sql.unsafe(lock, [accountId])
  const rows = yield* sql.unsafe<Row>(nextParts, [accountId, ...after])
  const end = rows.at(-1)
  if (end === undefined) return { carried: 0, left: 0, last: undefined }
  const sales = rows.map((row) => readPart(row, { rules: new Map(), payouts: new Map() }))
  const sound = sales.filter(isPackedAsItIs)
  const carried = sound.length === 0 ? 0 : yield* store(accountId, sound)
  const last: LastPart = [text(textOf(end, "order_id")), String(wholeOf(end, "part"))]
  return { carried, left: rows.length - carried, last }
})

/** Carries over all that can be, each time in a transaction of its own; gives how many parts were and were not. */
export const carryOverSales: Carrying<{ readonly carried: number; readonly left: number }> =
  Effect.gen(function* () {
    const sql = yield* SqlClient
    let [carried, left] = [0, 0]
    let from: readonly [string, string, string] = ["", "", "0"]
    for (;;) {
      const [row] = yield* sql.unsafe<Row>(nextAccount, from)
      if (row === undefined) return { carried, left }
      const accountId = String(row["account_id"])
      for (let after: LastPart | undefined = ["", "0"]; after !== undefined; ) {
        const some: CarriedParts = yield* Effect.retry(
          sql.withTransaction(carrySome(accountId, after)),
          { times: 5, while: (error) => storageErrorOf("carry over", error)._tag === "Conflict" },
        )
        carried += some.carried
        left += some.left
        if (some.last !== undefined) from = [accountId, ...some.last]
        after = some.last
      }
    }
  })
