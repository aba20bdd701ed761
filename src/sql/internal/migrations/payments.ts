/**
 * The attempts to pay payouts. A payout names the one that is open; the entries of its history from before do not, and
 * are read as if there had been none, so that what was written once stays as it is.
 */

const isOpen = "status IN ('claimed', 'sent', 'unknown')"

/** The statements that add payments, in order. */
export const payments: ReadonlyArray<string> = [
  "ALTER TABLE apportion.payouts ADD COLUMN payment_id apportion.key_text",
  `ALTER TABLE apportion.payouts ADD CONSTRAINT payouts_frozen
    CHECK (payment_id IS NULL OR status = 'pending')`,
  `CREATE TABLE apportion.payments (
    account_id apportion.key_text NOT NULL,
    payment_id apportion.key_text NOT NULL,
    payout_id apportion.key_text NOT NULL,
    collaborator_id apportion.key_text NOT NULL,
    currency apportion.key_text NOT NULL,
    amount apportion.cents NOT NULL CHECK (amount > 0),
    payout_version apportion.version NOT NULL,
    rail text NOT NULL,
    status text NOT NULL
      CHECK (status IN ('claimed', 'sent', 'unknown', 'confirmed', 'rejected', 'released', 'returned')),
    claimed_at apportion.seconds NOT NULL,
    sent_at apportion.seconds,
    accepted_at apportion.seconds,
    ended_at apportion.seconds,
    returned_at apportion.seconds,
    reference text,
    fee apportion.cents CHECK (fee >= 0),
    reason text,
    contradiction json,
    version apportion.version NOT NULL,
    PRIMARY KEY (account_id, payment_id),
    FOREIGN KEY (account_id, payout_id) REFERENCES apportion.payouts,
    CHECK ((ended_at IS NULL) = (${isOpen})),
    CHECK ((returned_at IS NOT NULL) = (status = 'returned')),
    CHECK (status NOT IN ('sent', 'unknown') OR sent_at IS NOT NULL)
  ) WITH (fillfactor = 80)`,
  `CREATE UNIQUE INDEX payments_open ON apportion.payments (account_id, payout_id)
    WHERE ${isOpen}`,
  `CREATE INDEX payments_of_payout ON apportion.payments
    (account_id, payout_id, claimed_at, payment_id)`,
  "CREATE INDEX payments_in_order ON apportion.payments (account_id, claimed_at, payment_id)",
  `CREATE INDEX payments_of_status ON apportion.payments
    (account_id, status, claimed_at, payment_id)`,
  `CREATE INDEX payments_unsettled ON apportion.payments (account_id, claimed_at, payment_id)
    WHERE status IN ('sent', 'unknown') OR contradiction IS NOT NULL`,
  `CREATE TRIGGER payments_never_go BEFORE DELETE ON apportion.payments
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
  `CREATE TRIGGER payments_never_change
    BEFORE UPDATE OF account_id, payment_id, payout_id, collaborator_id, currency, amount,
      payout_version, rail, claimed_at ON apportion.payments
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
]
