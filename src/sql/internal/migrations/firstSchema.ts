/**
 * The tables, with the rules that the database can hold by itself. Each key begins with the account's id,
 * so that all of an account can lie on one shard.
 */

const types = [
  // Bytes order them, as `texts.ts` makes them; no locale of the database has a say.
  `CREATE DOMAIN apportion.sort_text AS text COLLATE "C"`,
  // So short that whatever leads to a row fits into an index, which holds 2,704 bytes of it.
  `CREATE DOMAIN apportion.key_text AS text COLLATE "C"
    CONSTRAINT ids_are_short CHECK (octet_length(VALUE) <= 500)`,
  // The key of a product: its id and that of its variant.
  `CREATE DOMAIN apportion.product_key AS text COLLATE "C"
    CONSTRAINT ids_are_short CHECK (octet_length(VALUE) <= 1200)`,
  // The key of what is shared: the ids of an order, of its item and of a group.
  `CREATE DOMAIN apportion.item_key AS text COLLATE "C"
    CONSTRAINT ids_are_short CHECK (octet_length(VALUE) <= 1600)`,
  "CREATE DOMAIN apportion.cents AS bigint CHECK (VALUE BETWEEN -9007199254740991 AND 9007199254740991)",
  "CREATE DOMAIN apportion.seconds AS bigint CHECK (VALUE BETWEEN -9007199254740991 AND 9007199254740991)",
  "CREATE DOMAIN apportion.tally AS bigint CHECK (VALUE >= 0)",
  "CREATE DOMAIN apportion.version AS bigint CHECK (VALUE >= 1)",
  "CREATE DOMAIN apportion.exchange_rate AS text CHECK (VALUE ~ '^[0-9]+([.][0-9]+)?$')",
]

const accounts = [
  `CREATE TABLE apportion.accounts (
    account_id apportion.key_text PRIMARY KEY,
    groups_revision apportion.tally NOT NULL DEFAULT 0,
    products_count apportion.tally NOT NULL DEFAULT 0
  )`,
  // Outlives a rollback, so that no revision ever stands for two sets of groups.
  "CREATE SEQUENCE apportion.revisions",
]

const collaborators = [
  `CREATE TABLE apportion.collaborators (
    account_id apportion.key_text NOT NULL,
    collaborator_id apportion.key_text NOT NULL,
    currency text NOT NULL,
    payout_measurement text NOT NULL
      CHECK (payout_measurement IN ('month', 'monthly_date', 'week', 'day')),
    payout_frequency bigint NOT NULL,
    payout_threshold apportion.cents NOT NULL CHECK (payout_threshold >= 0),
    payout_holding_days bigint CHECK (payout_holding_days BETWEEN 0 AND 3650),
    document json NOT NULL,
    created_at apportion.seconds NOT NULL,
    updated_at apportion.seconds NOT NULL,
    version apportion.version NOT NULL,
    PRIMARY KEY (account_id, collaborator_id),
    CHECK (
      CASE payout_measurement
        WHEN 'monthly_date' THEN payout_frequency = -1 OR payout_frequency BETWEEN 1 AND 28
        ELSE payout_frequency BETWEEN 1 AND 1000
      END
    )
  )`,
]

const groups = [
  `CREATE TABLE apportion.product_groups (
    account_id apportion.key_text NOT NULL,
    group_id apportion.key_text NOT NULL,
    collaborator_id apportion.key_text NOT NULL,
    percent numeric CHECK (percent BETWEEN 0 AND 100),
    amount apportion.cents,
    document json NOT NULL,
    created_at apportion.seconds,
    updated_at apportion.seconds NOT NULL,
    version apportion.version NOT NULL,
    PRIMARY KEY (account_id, group_id),
    FOREIGN KEY (account_id, collaborator_id) REFERENCES apportion.collaborators
  )`,
  `CREATE INDEX product_groups_of_collaborator ON apportion.product_groups
    (account_id, collaborator_id, created_at DESC NULLS LAST, group_id)`,
]

const products = [
  `CREATE TABLE apportion.products (
    account_id apportion.key_text NOT NULL,
    product_key apportion.product_key NOT NULL,
    -- Name, id and variant in one text: where the product stands in the list.
    place apportion.sort_text NOT NULL,
    search text COLLATE "C" NOT NULL,
    document json NOT NULL,
    PRIMARY KEY (account_id, product_key)
  )`,
  // Long names would not fit into an index.
  "CREATE INDEX products_in_order ON apportion.products (account_id, left(place, 300))",
  // Long terms would not either: what makes them differ stands in their digest.
  `CREATE FUNCTION apportion.term_of(given text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT left(given, 200) || CASE WHEN char_length(given) > 200
        THEN encode(sha256(convert_to(given, 'UTF8')), 'hex') ELSE '' END
    $$`,
  `CREATE TABLE apportion.product_terms (
    account_id apportion.key_text NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('id', 'variant', 'tag', 'vendor')),
    term apportion.sort_text NOT NULL,
    product_key apportion.product_key NOT NULL,
    PRIMARY KEY (account_id, kind, term, product_key),
    FOREIGN KEY (account_id, product_key) REFERENCES apportion.products ON DELETE CASCADE
  )`,
  "CREATE INDEX product_terms_of_product ON apportion.product_terms (account_id, product_key)",
  `CREATE TABLE apportion.product_links (
    account_id apportion.key_text NOT NULL,
    group_id apportion.key_text NOT NULL,
    product_key apportion.product_key NOT NULL,
    PRIMARY KEY (account_id, group_id, product_key),
    FOREIGN KEY (account_id, product_key) REFERENCES apportion.products ON DELETE CASCADE
  )`,
  "CREATE INDEX product_links_of_product ON apportion.product_links (account_id, product_key, group_id)",
  // How many there are, kept with each change: counting a hundred thousand links takes too long for a list.
  `CREATE TABLE apportion.link_counts (
    account_id apportion.key_text NOT NULL,
    group_id apportion.key_text NOT NULL,
    products apportion.tally NOT NULL,
    PRIMARY KEY (account_id, group_id)
  )`,
  `CREATE TABLE apportion.link_jobs (
    account_id apportion.key_text NOT NULL,
    group_id apportion.key_text NOT NULL,
    group_version apportion.version NOT NULL,
    after apportion.product_key,
    scanned apportion.tally NOT NULL,
    status text NOT NULL CHECK (status IN ('running', 'done')),
    started_at apportion.seconds NOT NULL,
    updated_at apportion.seconds NOT NULL,
    claimed_by apportion.key_text,
    claimed_until apportion.seconds,
    PRIMARY KEY (account_id, group_id),
    CHECK ((claimed_by IS NULL) = (claimed_until IS NULL))
  )`,
  `CREATE INDEX link_jobs_running ON apportion.link_jobs (account_id, started_at, group_id)
    WHERE status = 'running'`,
]

const payouts = [
  `CREATE TABLE apportion.payouts (
    account_id apportion.key_text NOT NULL,
    payout_id apportion.key_text NOT NULL,
    collaborator_id apportion.key_text NOT NULL,
    currency apportion.key_text NOT NULL,
    status text NOT NULL
      CHECK (status IN ('active', 'pending', 'paid', 'failed', 'manually paid')),
    opened_at apportion.seconds NOT NULL,
    to_be_paid_at apportion.seconds NOT NULL,
    closed_at apportion.seconds,
    payable_at apportion.seconds,
    paid_at apportion.seconds,
    failure_reason text,
    total apportion.cents NOT NULL,
    items_count apportion.tally NOT NULL,
    version apportion.version NOT NULL,
    PRIMARY KEY (account_id, payout_id),
    FOREIGN KEY (account_id, collaborator_id) REFERENCES apportion.collaborators,
    CHECK ((paid_at IS NOT NULL) = (status IN ('paid', 'manually paid'))),
    CHECK ((failure_reason IS NOT NULL) = (status = 'failed')),
    CHECK (status <> 'active' OR (closed_at IS NULL AND payable_at IS NULL)),
    CHECK (status <> 'paid' OR total >= 0)
  ) WITH (fillfactor = 80)`,
  `CREATE UNIQUE INDEX payouts_active ON apportion.payouts (account_id, collaborator_id, currency)
    WHERE status = 'active'`,
  `CREATE INDEX payouts_of_owner ON apportion.payouts
    (account_id, collaborator_id, currency, opened_at)`,
  // What a filter needs to know lies beside, so that a page is found in the index alone.
  `CREATE INDEX payouts_in_order ON apportion.payouts (account_id, to_be_paid_at DESC, payout_id)
    INCLUDE (paid_at)`,
  `CREATE INDEX payouts_of_status ON apportion.payouts
    (account_id, status, to_be_paid_at DESC, payout_id) INCLUDE (paid_at)`,
  `CREATE INDEX payouts_of_collaborator ON apportion.payouts
    (account_id, collaborator_id, to_be_paid_at DESC, payout_id)`,
  `CREATE INDEX payouts_by_payment ON apportion.payouts (account_id, paid_at)
    INCLUDE (status, to_be_paid_at) WHERE paid_at IS NOT NULL`,
  `CREATE INDEX payouts_due ON apportion.payouts (account_id, to_be_paid_at, payout_id)
    WHERE status = 'active'`,
  `CREATE INDEX payouts_payable ON apportion.payouts (account_id, payable_at, payout_id)
    WHERE status = 'pending'`,
  // How many payouts of a status are due on each day since 1970: pages are found by them, and totals.
  `CREATE FUNCTION apportion.day_of(at bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
    RETURN (at - ((at % 86400) + 86400) % 86400) / 86400`,
  `CREATE TABLE apportion.payout_days (
    account_id apportion.key_text NOT NULL,
    status text NOT NULL,
    day bigint NOT NULL,
    payouts apportion.tally NOT NULL,
    PRIMARY KEY (account_id, status, day)
  )`,
  // The same of those that were paid, by the day on which they were.
  `CREATE TABLE apportion.payment_days (
    account_id apportion.key_text NOT NULL,
    paid_day bigint NOT NULL,
    status text NOT NULL,
    day bigint NOT NULL,
    payouts apportion.tally NOT NULL,
    PRIMARY KEY (account_id, paid_day, status, day)
  )`,
  `CREATE TABLE apportion.payout_items (
    account_id apportion.key_text NOT NULL,
    payout_id apportion.key_text NOT NULL,
    item_id apportion.item_key NOT NULL,
    -- The payout's version in which it was added, and where it stood among those that were.
    added_in apportion.version NOT NULL,
    place apportion.tally NOT NULL,
    kind text NOT NULL CHECK (kind IN ('sale', 'refund', 'expense', 'income')),
    amount apportion.cents NOT NULL,
    original_amount apportion.cents NOT NULL,
    original_currency apportion.key_text NOT NULL,
    exchange_rate apportion.exchange_rate,
    created_at apportion.seconds NOT NULL,
    document json NOT NULL,
    PRIMARY KEY (account_id, payout_id, item_id),
    UNIQUE (account_id, payout_id, added_in, place),
    FOREIGN KEY (account_id, payout_id) REFERENCES apportion.payouts
  )`,
  `CREATE TABLE apportion.payout_history (
    account_id apportion.key_text NOT NULL,
    payout_id apportion.key_text NOT NULL,
    version apportion.version NOT NULL,
    at apportion.seconds NOT NULL,
    actor text NOT NULL,
    before json,
    after json NOT NULL,
    put json NOT NULL,
    removed json NOT NULL,
    PRIMARY KEY (account_id, payout_id, version),
    FOREIGN KEY (account_id, payout_id) REFERENCES apportion.payouts,
    CHECK ((version = 1) = (before IS NULL))
  )`,
]

const sales = [
  `CREATE TABLE apportion.sale_parts (
    account_id apportion.key_text NOT NULL,
    order_id apportion.key_text NOT NULL,
    part bigint NOT NULL CHECK (part >= 1),
    document json NOT NULL,
    recorded_at apportion.seconds NOT NULL,
    version apportion.version NOT NULL,
    PRIMARY KEY (account_id, order_id, part)
  )`,
  `CREATE INDEX sale_parts_in_order ON apportion.sale_parts
    (account_id, recorded_at, order_id, part)`,
  `CREATE TABLE apportion.sale_items (
    account_id apportion.key_text NOT NULL,
    order_id apportion.key_text NOT NULL,
    item_id apportion.key_text NOT NULL,
    part bigint NOT NULL,
    PRIMARY KEY (account_id, order_id, item_id),
    FOREIGN KEY (account_id, order_id, part) REFERENCES apportion.sale_parts
  )`,
  `CREATE TABLE apportion.placements (
    account_id apportion.key_text NOT NULL,
    order_id apportion.key_text NOT NULL,
    part bigint NOT NULL,
    position bigint NOT NULL,
    item_id apportion.key_text NOT NULL,
    group_id apportion.key_text NOT NULL,
    collaborator_id apportion.key_text NOT NULL,
    payout_id apportion.key_text NOT NULL,
    payout_item_id apportion.item_key NOT NULL,
    currency apportion.key_text NOT NULL,
    rate apportion.exchange_rate,
    taken_back apportion.cents NOT NULL,
    refunds apportion.tally NOT NULL,
    PRIMARY KEY (account_id, order_id, part, position),
    FOREIGN KEY (account_id, order_id, part) REFERENCES apportion.sale_parts
  )`,
  `CREATE TABLE apportion.refunds (
    account_id apportion.key_text NOT NULL,
    refund_id apportion.key_text NOT NULL,
    order_id apportion.key_text NOT NULL,
    part bigint NOT NULL,
    position bigint NOT NULL,
    document json NOT NULL,
    recorded_at apportion.seconds NOT NULL,
    PRIMARY KEY (account_id, refund_id),
    UNIQUE (account_id, order_id, part, position),
    FOREIGN KEY (account_id, order_id, part) REFERENCES apportion.sale_parts
  )`,
]

const keys = [
  `CREATE TABLE apportion.idempotency_keys (
    account_id apportion.key_text NOT NULL,
    key apportion.key_text NOT NULL,
    fingerprint text NOT NULL,
    answer text NOT NULL,
    created_at apportion.seconds NOT NULL,
    PRIMARY KEY (account_id, key)
  )`,
  "CREATE INDEX idempotency_keys_by_time ON apportion.idempotency_keys (account_id, created_at)",
]

/** What is written once and never changes: the database itself refuses to. */
const guards = [
  `CREATE FUNCTION apportion.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'what %.% holds never changes', TG_TABLE_SCHEMA, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
    END
  $$`,
  ...["payout_history", "refunds", "sale_items"].map(
    (table) => `CREATE TRIGGER ${table}_never_change BEFORE UPDATE OR DELETE ON apportion.${table}
      FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
  ),
  `CREATE TRIGGER sale_parts_never_go BEFORE DELETE ON apportion.sale_parts
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
  `CREATE TRIGGER sale_parts_never_change
    BEFORE UPDATE OF account_id, order_id, part, document, recorded_at ON apportion.sale_parts
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
]

/** The statements that make the first schema, in order. */
export const firstSchema: ReadonlyArray<string> = [
  ...[...types, ...accounts, ...collaborators, ...groups, ...products],
  ...[...payouts, ...sales, ...keys, ...guards],
]
