/**
 * Payouts that get more items and stay as they are otherwise: what nearly every sale does to every payout that it is for. The
 * transaction knows what makes it so, because it has read these payouts and where there are no such items; so the statement asks
 * for little. What it writes is what the statement for all changes would write of the same.
 */
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import { historyText } from "../../ports/PayoutHistory.js"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import { type ChangedPayout, sameState } from "./changedPayouts.js"
import { Packer } from "./Packer.js"
import { packEntry, packItem } from "./payoutItems.js"
import { type ListedColumns, listed, type Parameter, texts, wholes } from "./rows.js"
import type { Session } from "./Session.js"

/** What is given of the payout whose row is `k`: they are given in the order of their numbers, which is searched by halves. */
const ofPayout = (list: string): string => `${list}[width_bucket(k.number, given.numbers)]`

/** The account is no way to find the rows: a plan that is kept may be from when it had one payout. */
const isOfAccount = "(k.account_id = $1::text) IS TRUE"

/** Items, by payout and version: the place of the payout among those given, and with the first item of a version its entry. */
const columnsOfItems: ListedColumns = {
  payout: "integer",
  version: "integer",
  place: "integer",
  amount: "bigint",
  item_id: "text",
  packed: "text",
  entry: "text",
}

/**
 * Stores additions, and gives the numbers of the payouts: one that was not as it should have been is not among them, and then
 * nothing of the transaction may be kept. Nothing is joined that could be compared each with each, whatever the planner takes
 * the tables to have: so the plan is kept.
 */
export const adding = `WITH given AS MATERIALIZED (
    SELECT $2::text[]::integer[] AS numbers, $3::text[]::integer[] AS firsts,
      $4::text[]::bigint[] AS totals, $5::text[]::bigint[] AS counts
  ), entries AS MATERIALIZED (
    SELECT i.payout, given.numbers[i.payout] AS number, i.version, i.place, i.amount, i.item_id, i.packed,
      apportion.chained(CASE WHEN i.version = given.firsts[i.payout] THEN (
        SELECT k.history_hash FROM apportion.payouts k
        WHERE k.number = given.numbers[i.payout] AND ${isOfAccount}
      ) END, i.entry) FILTER (WHERE i.place = 0) OVER history AS hash,
      lead(i.nth) OVER history IS NULL AS is_last
    FROM given CROSS JOIN ${listed("i", columnsOfItems, 6)}
    WINDOW history AS (PARTITION BY i.payout ORDER BY i.nth ROWS UNBOUNDED PRECEDING)
  ), latest AS MATERIALIZED (
    SELECT array_agg(version ORDER BY payout) AS versions, array_agg(hash ORDER BY payout) AS hashes
    FROM entries WHERE is_last
  ), changed AS (
    UPDATE apportion.payouts k SET total = ${ofPayout("given.totals")},
      items_count = ${ofPayout("given.counts")}, version = ${ofPayout("latest.versions")},
      history_hash = ${ofPayout("latest.hashes")}
    FROM given CROSS JOIN latest
    WHERE k.number = ANY ($2::text[]::integer[]) AND ${isOfAccount}
      AND k.version = ${ofPayout("given.firsts")} - 1
    RETURNING k.number
  ), written AS (
    INSERT INTO apportion.payout_ledger (payout, version, place, amount, item_id, packed, hash)
    SELECT number, version, place, amount, item_id, decode(packed, 'hex'),
      CASE WHEN place = 0 THEN decode(hash, 'hex') END FROM entries
  )
  SELECT number FROM changed`

/** A payout that gets more items in one or several steps, the last of which leads to `after`. */
export interface GrowingPayout {
  readonly number: number
  readonly steps: ReadonlyArray<ChangedPayout>
  readonly first: number
  readonly after: StoredPayout
}

const putBy = ({ change: { put = [] } }: ChangedPayout): ReadonlyArray<PayoutItem> => put

/** A payout and its steps, if they only add items that it does not have. */
const growing = (
  session: Session,
  id: string,
  steps: ReadonlyArray<ChangedPayout>,
): GrowingPayout | undefined => {
  const [number, seen] = [session.payoutNumbers.get(id), session.seenPayouts.get(id)]
  const [first, after] = [steps[0]?.after.version, steps.at(-1)?.after]
  if (number === undefined || after === undefined || seen?.version !== (first ?? 0) - 1)
    return undefined
  const added = new Set<string>()
  for (const step of steps) {
    const { remove = [] } = step.change
    if (remove.length > 0 || !sameState(seen, step.after) || putBy(step).length === 0)
      return undefined
    for (const item of putBy(step)) {
      if (added.has(item.id) || !session.absentItems.has(id, item.id)) return undefined
      added.add(item.id)
    }
  }
  return { number, steps, first: seen.version + 1, after }
}

/** The payouts that only get more items, in the order of their numbers, and the steps of all others. */
export const growingIn = (
  session: Session,
  steps: ReadonlyArray<ChangedPayout>,
): {
  readonly payouts: ReadonlyArray<GrowingPayout>
  readonly others: ReadonlyArray<ChangedPayout>
} => {
  const payouts: Array<GrowingPayout> = []
  const grows = new Set<string>()
  for (const [id, own] of Map.groupBy(steps, ({ after }) => after.id)) {
    const found = growing(session, id, own)
    if (found === undefined) continue
    payouts.push(found)
    grows.add(id)
  }
  return {
    payouts: payouts.sort((one, other) => one.number - other.number),
    others: steps.filter(({ after }) => !grows.has(after.id)),
  }
}

/** The parameters of {@link adding}. The first row of an entry has what it says, and its text. */
export const additionFields = (
  { actor }: Session,
  payouts: ReadonlyArray<GrowingPayout>,
  at: number,
): ReadonlyArray<Parameter> => {
  const rows = payouts.flatMap(({ steps }, index) =>
    steps.flatMap((step) =>
      putBy(step).map((item, place) => ({ payout: index + 1, step, item, place })),
    ),
  )
  const packer = new Packer()
  const packed = ({ step: { after }, item, place }: (typeof rows)[number]): string =>
    place > 0
      ? packItem(item, packer)
      : packEntry({ at, actor, total: after.total, itemsCount: after.itemsCount }, item, packer)
  const text = ({ step, place }: (typeof rows)[number]): string =>
    place > 0 ? "" : historyText({ at, actor, after: step.after, put: putBy(step), removed: [] })
  return [
    wholes(payouts.map(({ number }) => number)),
    wholes(payouts.map(({ first }) => first)),
    wholes(payouts.map(({ after }) => after.total)),
    wholes(payouts.map(({ after }) => after.itemsCount)),
    wholes(rows.map(({ payout }) => payout)),
    wholes(rows.map(({ step }) => step.after.version)),
    wholes(rows.map(({ place }) => place)),
    wholes(rows.map(({ item }) => item.amount)),
    texts(rows.map(({ item }) => item.id)),
    rows.map(packed),
    rows.map(text),
  ]
}
