/**
 * Hashes of the entries of histories, each of which covers the one before. Entries from before have none, and stay as
 * they are: the first one with a hash begins the chain. The payout has the hash of its last entry, so that one that is
 * missing at the end shows.
 */
export const historyHashes: ReadonlyArray<string> = [
  "ALTER TABLE apportion.payout_history ADD COLUMN hash text CHECK (hash ~ '^[0-9a-f]{64}$')",
  "ALTER TABLE apportion.payouts ADD COLUMN history_hash text",
]
