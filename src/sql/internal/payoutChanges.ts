/** Changes of payouts: the row, its items and the entry of its history, all in one statement. */
import { columnsOf } from "./payoutRows.js"

/** What became of a payout; `nothing` of items changed, or `items` did. */
export interface Change {
  readonly nothing: string
  readonly items: string
}

/** What was put and removed, as the parameters from `first` on, and what history tells of it. */
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

/** The columns of payouts but for the account and the version, as they are counted in parameters. */
const allColumns = `payout_id, collaborator_id, currency, status, opened_at, to_be_paid_at,
      closed_at, payable_at, paid_at, failure_reason, total, items_count`

const inserting = ({ written, told }: typeof noItems) => `WITH stored AS (
    INSERT INTO apportion.payouts AS p (account_id, ${allColumns}, version)
    VALUES ($1::text, $2::text, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1)
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
  SELECT $1, $2, version, $14::bigint, $15::text, NULL, row_to_json(stored), ${told}
  FROM stored RETURNING 'null' AS before`

/** Whether a collaborator that gets an active payout by a change has another one of the currency. */
const isActiveTwice = `CASE WHEN $5 = 'active' AND (p.status, p.collaborator_id, p.currency)
        IS DISTINCT FROM ('active', $3::text, $4::text)
      THEN EXISTS (
        SELECT 1 FROM apportion.payouts o
        WHERE o.account_id = $1 AND o.collaborator_id = $3::text AND o.currency = $4::text
          AND o.status = 'active' AND o.payout_id <> $2
      )
      ELSE FALSE
    END`

const updating = ({ written, told }: typeof noItems) => `WITH known AS (
    SELECT ${columnsOf("p")} FROM apportion.payouts p
    WHERE p.account_id = $1::text AND p.payout_id = $2::text AND p.version = $14::bigint
  ), stored AS (
    UPDATE apportion.payouts p SET collaborator_id = $3::text, currency = $4::text,
      status = $5::text, opened_at = $6, to_be_paid_at = $7, closed_at = $8, payable_at = $9,
      paid_at = $10, failure_reason = $11, total = $12, items_count = $13, version = p.version + 1
    WHERE p.account_id = $1 AND p.payout_id = $2 AND p.version = $14::bigint
      AND NOT ${isActiveTwice}
    RETURNING ${columnsOf("p")}
  )${written}
  ${intoHistory}
  SELECT $1, $2, stored.version, $15::bigint, $16::text, row_to_json(known), row_to_json(stored),
    ${told}
  FROM stored CROSS JOIN known RETURNING before::text AS before`

/** Gives a row when the payout was stored, none when there is a conflict; it is counted on its days, too. */
export const insert: Change = { nothing: inserting(noItems), items: inserting(itemsFrom(16)) }

/** Gives what the payout was before when it was changed, no row when there is a conflict. */
export const update: Change = { nothing: updating(noItems), items: updating(itemsFrom(17)) }
