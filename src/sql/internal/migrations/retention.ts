/** What refunds' notes with a platform's document have in their text: within a text of it quotes are escaped. */
export const hasDocument = `kind = 'refund' AND position('"document":' in document::text) > 0`

const isPurging = "current_setting('apportion.purging', true) = 'yes'"

/** The statements by which old records are found, and go when it is said that they may; in order. */
export const retention: ReadonlyArray<string> = [
  `CREATE INDEX inbox_notes_with_document ON apportion.inbox_notes (account_id, at, note_key)
    WHERE ${hasDocument}`,
  "DROP TRIGGER resplit_batches_never_change ON apportion.resplit_batches",
  `CREATE TRIGGER resplit_batches_never_change BEFORE UPDATE ON apportion.resplit_batches
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
  `CREATE TRIGGER resplit_batches_never_go BEFORE DELETE ON apportion.resplit_batches
    FOR EACH ROW WHEN ((${isPurging}) IS NOT TRUE) EXECUTE FUNCTION apportion.refuse_change()`,
]
