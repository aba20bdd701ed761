/**
 * What is recorded of sales in few bytes: packed, with the rules of all sales stored once, and the postings of a part within
 * its row. Parts of before keep their documents and their rows of `placements` until they are carried over: what is read
 * comes from both.
 */
import { isCarryingNothing } from "./subjectColumns.js"

export const packedSales: ReadonlyArray<string> = [
  // Groups and policies, as they were when a sale was split: each once in an account, however many sales it had a say in.
  `CREATE TABLE apportion.recorded_rules (
    account_id apportion.key_text NOT NULL,
    number integer NOT NULL CHECK (number >= 1),
    content bytea NOT NULL,
    PRIMARY KEY (account_id, number)
  )`,
  `CREATE UNIQUE INDEX recorded_rules_by_content ON apportion.recorded_rules
    (account_id, sha256(content))`,
  `CREATE TRIGGER recorded_rules_never_change BEFORE UPDATE OR DELETE ON apportion.recorded_rules
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
  // The rules are numbers of four bytes each: that of the policy, then those of the groups.
  `ALTER TABLE apportion.sale_parts ALTER COLUMN document DROP NOT NULL,
    ADD COLUMN packed bytea, ADD COLUMN rules bytea, ADD COLUMN postings bytea,
    ADD CONSTRAINT sale_parts_are_whole CHECK (
      (document IS NULL) = (packed IS NOT NULL)
        AND (packed IS NULL OR (rules IS NOT NULL AND postings IS NOT NULL))
    ) NOT VALID`,
  "DROP TRIGGER sale_parts_never_change ON apportion.sale_parts",
  `CREATE TRIGGER sale_parts_never_change
    BEFORE UPDATE OF account_id, order_id, part, recorded_at ON apportion.sale_parts
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
  // What a part was recorded with takes another form when it is carried over, by nobody who did not say so.
  `CREATE TRIGGER sale_parts_keep_documents BEFORE UPDATE OF document, packed, rules ON apportion.sale_parts
    FOR EACH ROW WHEN (${isCarryingNothing}) EXECUTE FUNCTION apportion.refuse_change()`,
  // Items of an order with one part need no rows: those of before are taken away with it.
  "DROP TRIGGER sale_items_never_change ON apportion.sale_items",
  `CREATE TRIGGER sale_items_never_change BEFORE UPDATE ON apportion.sale_items
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
  `CREATE TRIGGER sale_items_never_go BEFORE DELETE ON apportion.sale_items
    FOR EACH ROW WHEN (${isCarryingNothing}) EXECUTE FUNCTION apportion.refuse_change()`,
]
