/**
 * Re-splits: their runs, what they changed of the parts of orders, and of which run a posting is. Sales that were
 * recorded before have no adjustments, and their postings no run.
 */
export const resplits: ReadonlyArray<string> = [
  "ALTER TABLE apportion.placements ADD COLUMN run_id apportion.key_text",
  `CREATE TABLE apportion.adjustments (
    account_id apportion.key_text NOT NULL,
    order_id apportion.key_text NOT NULL,
    part bigint NOT NULL,
    run_id apportion.key_text NOT NULL,
    position bigint NOT NULL,
    document json NOT NULL,
    recorded_at apportion.seconds NOT NULL,
    PRIMARY KEY (account_id, order_id, part, run_id),
    UNIQUE (account_id, order_id, part, position),
    FOREIGN KEY (account_id, order_id, part) REFERENCES apportion.sale_parts
  )`,
  `CREATE TRIGGER adjustments_never_change BEFORE UPDATE OR DELETE ON apportion.adjustments
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
  `CREATE TABLE apportion.resplit_runs (
    account_id apportion.key_text NOT NULL,
    run_id apportion.key_text NOT NULL,
    proposed_at apportion.seconds NOT NULL,
    document json NOT NULL,
    version apportion.version NOT NULL,
    PRIMARY KEY (account_id, run_id)
  ) WITH (fillfactor = 50)`,
  `CREATE INDEX resplit_runs_in_order ON apportion.resplit_runs
    (account_id, proposed_at DESC, run_id)`,
  `CREATE TABLE apportion.resplit_batches (
    account_id apportion.key_text NOT NULL,
    run_id apportion.key_text NOT NULL,
    number bigint NOT NULL,
    document json NOT NULL,
    PRIMARY KEY (account_id, run_id, number),
    FOREIGN KEY (account_id, run_id) REFERENCES apportion.resplit_runs
  )`,
  `CREATE TRIGGER resplit_batches_never_change BEFORE UPDATE OR DELETE ON apportion.resplit_batches
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
]
