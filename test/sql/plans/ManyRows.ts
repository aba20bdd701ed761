/**
 * Statements that fill the tables in the shape of real use: one account has most, payouts are due on the
 * first of a month or on a Friday and now and then on any day, and each collaborator has one that is active.
 */
import { pack } from "../../../src/sql/internal/Packer.js"
import { packEntry, packItem } from "../../../src/sql/internal/payoutItems.js"

/** Every collaborator has as many payouts: those of nearly two years of weeks, or eight of months. */
const payoutsOfEach = 100

/** How many there are of other things, for each collaborator. */
const [groupsOfEach, productsOfEach, salesOfEach, keysOfEach] = [3, 10, 20, 10]

/** The day on which all of this is looked at: 2026-01-01, in Unix seconds. */
export const today = 1_767_225_600

/** An account with a collaborator, a group, products and an order that it has. */
const known = (accountId: string, number: number) => ({
  accountId,
  asked: {
    today,
    collaboratorId: `collaborator-${number}`,
    groupId: `group-${number}`,
    productIds: [`product-${number}`, `product-${number + 1_900}`, "no product"],
    orderId: `order-${number}`,
    endpointId: `endpoint-${number}`,
  },
})

/** The account that has most, and one that has little. */
export const accounts: ReadonlyArray<ReturnType<typeof known>> = [
  known("shop-01", 17),
  known("shop-02", 95),
]

/** Five years. */
const span = 5 * 365 * 86_400

const accountOf = (collaborator: string): string =>
  `CASE WHEN ${collaborator} % 100 < 81 THEN 'shop-01'
    ELSE 'shop-' || lpad((2 + ${collaborator} % 19)::text, 2, '0') END`

/** The same for the same number, and as if by chance for others; from 0 to below a limit. */
const chance = (number: string, below: number): string =>
  `(('x' || substr(md5((${number})::text), 1, 8))::bit(32)::bigint % ${below})`

const collaborators = (count: number) => `INSERT INTO apportion.collaborators
  SELECT ${accountOf("c")}, 'collaborator-' || c, 'USD', 'month', 1, 5000, NULL,
    json_build_object('id', 'collaborator-' || c), ${today - span}, ${today - span}, 1
  FROM generate_series(0, ${count - 1}) AS c`

const allAccounts = `INSERT INTO apportion.accounts (account_id)
  SELECT DISTINCT account_id FROM apportion.collaborators`

/** When the payout k of the collaborator c is due, counted back from the one that is active. */
const due = `CASE
    WHEN c % 10 < 6 AND k < 60 THEN
      extract(epoch FROM to_timestamp(${today}) AT TIME ZONE 'UTC' + interval '1 month'
        - k * interval '1 month')::bigint
    WHEN c % 10 < 9 THEN ${today + 86_400} - k * 604800
    ELSE ${today + 86_400} - ${chance("n", span)}
  END`

const status = `CASE
    WHEN k = 0 THEN 'active'
    WHEN k = 1 AND c % 3 = 0 THEN 'pending'
    WHEN ${chance("n + 1", 100)} < 2 THEN 'failed'
    WHEN ${chance("n + 2", 100)} < 8 THEN 'manually paid'
    ELSE 'paid'
  END`

const payouts = (count: number) => {
  const collaborators = count / payoutsOfEach
  return `INSERT INTO apportion.payouts (account_id, payout_id, collaborator_id, currency, status,
    opened_at, to_be_paid_at, closed_at, payable_at, paid_at, failure_reason, total, items_count, version)
  SELECT ${accountOf("c")}, md5(n::text)::uuid::text, 'collaborator-' || c, 'USD', status,
    due - 2592000, due, due_or_none, due_or_none + 86400,
    CASE WHEN status LIKE '%paid' THEN due + 86400 + ${chance("n + 3", 7 * 86_400)} END,
    CASE WHEN status = 'failed' THEN 'account closed' END, ${chance("n + 4", 1_000_000)}, 1, 1
  FROM (
    SELECT *, CASE WHEN status <> 'active' THEN due END AS due_or_none FROM (
      SELECT n, c, k, ${due} AS due, ${status} AS status FROM (
        SELECT n, n % ${collaborators} AS c, n / ${collaborators} AS k
        FROM generate_series(0, ${count - 1}) AS n
      ) AS numbered
    ) AS timed
  ) AS settled`
}

const payoutDays = `INSERT INTO apportion.payout_days
  SELECT account_id, status, apportion.day_of(to_be_paid_at), count(*) FROM apportion.payouts
  GROUP BY 1, 2, 3`

const paymentDays = `INSERT INTO apportion.payment_days
  SELECT account_id, apportion.day_of(paid_at), status, apportion.day_of(to_be_paid_at), count(*)
  FROM apportion.payouts WHERE paid_at IS NOT NULL GROUP BY 1, 2, 3, 4`

const payoutItems = `INSERT INTO apportion.payout_items (account_id, payout_id, item_id, added_in,
    place, kind, amount, original_amount, original_currency, exchange_rate, created_at, document)
  SELECT account_id, payout_id, 'item', 1, 1, 'income', total, total, 'USD', NULL, opened_at,
    json_build_object('id', 'item', 'amount', total)
  FROM apportion.payouts`

/** What is read of every item of today's form. */
const bonus = {
  ...{ kind: "income" as const, id: "sold", name: "Bonus", createdAt: today, amount: 5 },
  ...{ originalAmount: 5, originalCurrency: "USD", currencyExchangeRate: null },
}

const head = { at: today, actor: "system", total: bonus.amount, itemsCount: 1 }

const payoutHistory = `INSERT INTO apportion.payout_history
  SELECT account_id, payout_id, version, opened_at, 'system', NULL, row_to_json(p), '[]', '[]'
  FROM apportion.payouts p`

/** The same in the form of today: an item that was put, and then put again in its place. */
const payoutLedger = `INSERT INTO apportion.payout_ledger (payout, version, place, amount, item_id, packed)
  SELECT number, 1, place, total, 'sold',
    decode(CASE WHEN place = 0 THEN '${packEntry(head, bonus)}' ELSE '${packItem(bonus)}' END, 'hex')
  FROM apportion.payouts CROSS JOIN unnest(ARRAY[0, -2]) AS place`

const payoutStates = `INSERT INTO apportion.payout_states (payout, version, account_id, payout_id, state)
  SELECT number, 1, account_id, payout_id, row_to_json(p) FROM apportion.payouts p`

const payoutReplacements = `INSERT INTO apportion.payout_replacements
  SELECT number, 1, 0, hashtext('sold'), 1, -2 FROM apportion.payouts`

/** Most payouts were paid at once; of what is pending a third waits, and the rest is sent or unclear. */
const payments = `INSERT INTO apportion.payments (account_id, payment_id, payout_id, collaborator_id,
    currency, amount, payout_version, rail, status, claimed_at, sent_at, ended_at, reference, version)
  SELECT account_id, 'payment-' || payout_id, payout_id, collaborator_id, currency, total + 1, 1, 'bank',
    CASE WHEN status = 'paid' THEN 'confirmed' ELSE (ARRAY['sent', 'unknown'])[1 + total % 2] END,
    payable_at, payable_at, paid_at, 'T-' || payout_id, 3
  FROM apportion.payouts WHERE status = 'paid' OR (status = 'pending' AND total % 3 > 0)`

const groups = (count: number) => `INSERT INTO apportion.product_groups
  SELECT ${accountOf("c")}, 'group-' || n, 'collaborator-' || c, 10, NULL,
    json_build_object('id', 'group-' || n, 'collaboratorId', 'collaborator-' || c),
    ${today - span} + n, ${today - span} + n, 1
  FROM (
    SELECT n, n % ${count / payoutsOfEach} AS c
    FROM generate_series(0, ${(count / payoutsOfEach) * groupsOfEach - 1}) AS n
  ) AS numbered`

const products = (count: number) => `INSERT INTO apportion.products
  SELECT ${accountOf("n")}, 'product-' || n, name || chr(1) || chr(1) || 'product-' || n || chr(1) || chr(1),
    lower(name), json_build_object('id', 'product-' || n, 'name', name)
  FROM (
    SELECT n, 'Print ' || md5(n::text) AS name
    FROM generate_series(0, ${(count / payoutsOfEach) * productsOfEach - 1}) AS n
  ) AS named`

const productTerms = `INSERT INTO apportion.product_terms
  SELECT account_id, kind, term, product_key FROM (
    SELECT account_id, product_key, substr(product_key, 9)::bigint AS n FROM apportion.products
  ) AS p CROSS JOIN LATERAL (VALUES
    ('id', product_key), ('tag', 'tag-' || n % 100), ('vendor', 'vendor-' || n % 20)
  ) AS terms (kind, term)`

/** Each product is linked to one group of its account; one group has as many as can be. */
const productLinks = (count: number) => `INSERT INTO apportion.product_links
  SELECT p.account_id, g.group_id, p.product_key
  FROM apportion.products p JOIN apportion.product_groups g ON g.account_id = p.account_id
    AND g.group_id = 'group-' || substr(p.product_key, 9)::bigint % ${(count / payoutsOfEach) * groupsOfEach}`

const jobs = `INSERT INTO apportion.link_jobs
  SELECT account_id, group_id, 1, NULL, 0,
    CASE WHEN substr(group_id, 7)::bigint % 100 = 0 THEN 'running' ELSE 'done' END,
    created_at, created_at, NULL, NULL
  FROM apportion.product_groups`

const nothing = { policy: {}, items: [], shares: [] }
const soldNothing = JSON.stringify({ order: { items: [] }, policy: {}, split: nothing })

/** As if each sale had one product, and one share of one collaborator. */
const sold = (count: number): ReadonlyArray<readonly [collaborator: string, product: string]> => {
  const collaborator = `'collaborator-' || n % ${count / payoutsOfEach}`
  const product = "'product-' || n % 2000"
  return [
    [collaborator, "''"],
    ["''", product],
    [collaborator, product],
  ]
}

const packedNothing = pack({ order: { items: [] }, groups: [], policy: {}, split: nothing })

const packedPosting = pack([
  {
    itemId: "item",
    groupId: "group-0",
    collaboratorId: "collaborator-0",
    payoutId: 7,
    currency: "USD",
  },
])

const ofToday = (packed: string) => `CASE WHEN n % 2 = 0 THEN decode('${packed}', 'hex') END`

const recordedAt = `${today - span} + ${chance("n", span)}`

/** Half of the sales are as they are recorded today, the others as earlier versions did it. */
const sales = (count: number) => `INSERT INTO apportion.sale_parts
    (account_id, order_id, part, document, packed, rules, postings, recorded_at, recorded_hour, version, subject_1, subject_2,
    subject_3)
  SELECT ${accountOf("n")}, 'order-' || n, 1, CASE WHEN n % 2 = 1 THEN '${soldNothing}'::json END,
    ${ofToday(packedNothing)}, ${ofToday("")}, ${ofToday(packedPosting)}, ${recordedAt},
    CASE WHEN n % 2 = 0 THEN apportion.hour_of(${recordedAt}) END, 1,
    ${sold(count)
      .map(
        ([collaborator, product]) =>
          `CASE WHEN n % 2 = 0 THEN apportion.subject_of(${accountOf("n")}, ${collaborator}, ${product}) END`,
      )
      .join(", ")}
  FROM generate_series(0, ${(count / payoutsOfEach) * salesOfEach - 1}) AS n`

const soldItems = `INSERT INTO apportion.sale_items
  SELECT account_id, order_id, 'item', part FROM apportion.sale_parts WHERE document IS NOT NULL`

const placements = `INSERT INTO apportion.placements
  SELECT account_id, order_id, part, 0, 'item', 'group-0', 'collaborator-0', 'payout',
    order_id || '/item/group-0', 'USD', NULL, 0, 0 FROM apportion.sale_parts WHERE document IS NOT NULL`

const saleSubjects = (count: number) => `INSERT INTO apportion.sale_subjects
    (account_id, collaborator_id, product_id, recorded_at, order_id, part)
  SELECT account_id, s.collaborator_id, s.product_id, recorded_at, order_id, part
  FROM (
    SELECT p.*, substr(order_id, 7)::bigint AS n FROM apportion.sale_parts p
  ) AS p CROSS JOIN LATERAL (VALUES
    ${sold(count)
      .map((pair) => `(${pair.join(", ")})`)
      .join(", ")}
  ) AS s (collaborator_id, product_id) WHERE n % 2 = 1`

const refunds = `INSERT INTO apportion.refunds
  SELECT account_id, 'refund-' || order_id, order_id, part, 0, '{}', recorded_at
  FROM apportion.sale_parts WHERE order_id LIKE '%7'`

const keys = (count: number) => `INSERT INTO apportion.idempotency_keys
  SELECT ${accountOf("n")}, 'key-' || n, repeat('0', 64), '{}', ${today} - ${chance("n", 86_400)}
  FROM generate_series(0, ${(count / payoutsOfEach) * keysOfEach - 1}) AS n`

/** Two for each payout, all of which have numbers, and some that were kept since and have none yet. */
const events = `INSERT INTO apportion.events (account_id, number, event_id, at, document)
  SELECT account_id, row_number() OVER (PARTITION BY account_id ORDER BY opened_at, payout_id, k),
    md5(payout_id || k)::uuid, opened_at + k, '{}'
  FROM apportion.payouts CROSS JOIN generate_series(1, 2) AS k`

const eventHeads = `INSERT INTO apportion.event_heads (account_id, number)
  SELECT account_id, count(*) FROM apportion.events GROUP BY account_id`

const newEvents = `INSERT INTO apportion.new_events (account_id, at, document)
  SELECT account_id, opened_at, '{}' FROM apportion.payouts`

/** An endpoint for each collaborator, at which as many events did not arrive as there are payouts. */
const endpoints = (count: number) => `INSERT INTO apportion.webhook_endpoints
  SELECT ${accountOf("c")}, 'endpoint-' || c, c % 10 < 8, '{}', 1
  FROM generate_series(0, ${count - 1}) AS c`

const deadLetters = `INSERT INTO apportion.dead_letters
  SELECT account_id, endpoint_id, k, k % 50 = 0, '{}'
  FROM apportion.webhook_endpoints CROSS JOIN generate_series(1, ${payoutsOfEach}) AS k`

/** One for each payout. */
const counters = `INSERT INTO apportion.counters (account_id, counter_key, count)
  SELECT account_id, 'share/USD/payout:' || payout_id || '/group/group-0', 812 FROM apportion.payouts`

/** The statements that make so many payouts, a multiple of 10,000, and all that belongs to them. */
export const manyRows = (count: number): ReadonlyArray<string> => [
  // What refers to what is right as it is made here; to look it all up would take longer than the rest.
  "SET session_replication_role = replica",
  ...[collaborators(count / payoutsOfEach), allAccounts, payouts(count), payoutDays, paymentDays],
  ...[payoutItems, payoutHistory, payments, groups(count), products(count), productTerms],
  ...[payoutLedger, payoutStates, payoutReplacements],
  ...[productLinks(count), jobs, sales(count), soldItems, placements],
  ...[saleSubjects(count), refunds, keys(count)],
  ...[events, eventHeads, newEvents, endpoints(count / payoutsOfEach), deadLetters],
  counters,
  `UPDATE apportion.accounts a SET products_count = (
    SELECT count(*) FROM apportion.products p WHERE p.account_id = a.account_id
  )`,
  "SET session_replication_role = origin",
  "VACUUM ANALYZE",
]
