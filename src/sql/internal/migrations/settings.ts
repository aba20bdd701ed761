/**
 * What an account has chosen of its settings, in the row that every transaction locks, and all changes of that, which stay
 * as they are.
 */
export const settings: ReadonlyArray<string> = [
  "ALTER TABLE apportion.accounts ADD COLUMN settings json",
  `CREATE TABLE apportion.settings_changes (
    account_id apportion.key_text NOT NULL,
    version apportion.version NOT NULL,
    document json NOT NULL,
    PRIMARY KEY (account_id, version)
  )`,
  `CREATE TRIGGER settings_changes_never_change BEFORE UPDATE OR DELETE ON apportion.settings_changes
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
]
