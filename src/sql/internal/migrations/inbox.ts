/** The statements that make the tables of what came from platforms, in order. */
export const inbox: ReadonlyArray<string> = [
  `CREATE TABLE apportion.inbox_entries (
    account_id apportion.key_text NOT NULL,
    entry_key apportion.key_text NOT NULL,
    state text NOT NULL CHECK (state IN ('waiting', 'refused')),
    waits_for apportion.key_text,
    next_attempt_at apportion.seconds NOT NULL,
    document json NOT NULL,
    PRIMARY KEY (account_id, entry_key)
  )`,
  `CREATE INDEX inbox_entries_waiting ON apportion.inbox_entries (account_id, waits_for, entry_key)
    WHERE waits_for IS NOT NULL`,
  `CREATE TABLE apportion.inbox_notes (
    account_id apportion.key_text NOT NULL,
    note_key apportion.key_text NOT NULL,
    kind text NOT NULL,
    at apportion.seconds NOT NULL,
    document json NOT NULL,
    PRIMARY KEY (account_id, note_key)
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX inbox_notes_of_kind ON apportion.inbox_notes (account_id, kind, at, note_key)`,
]
