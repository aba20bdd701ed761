/**
 * Parts of orders are found by the hour in which they were recorded, and within it by reading them: an index has the hour
 * of many parts once, where it has a second of each. Parts of before that are not packed yet have no hour.
 */
import { isCarryingNothing, subjectColumns } from "./subjectColumns.js"

/** The hour of a time; times that are out of all reason share the first or the last one. */
export const hourOf = (time: string): string => `apportion.hour_of(${time})`

export const recordedHours: ReadonlyArray<string> = [
  // Later times never have an earlier hour, whatever their signs.
  `CREATE FUNCTION apportion.hour_of(at bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN greatest(least(at / 3600, 2147483647), -2147483648)::integer`,
  "ALTER TABLE apportion.sale_parts ADD COLUMN recorded_hour integer",
  "DROP INDEX apportion.sale_parts_in_order",
  ...subjectColumns.map((name) => `DROP INDEX apportion.sale_parts_by_${name}`),
  `UPDATE apportion.sale_parts SET recorded_hour = ${hourOf("recorded_at")} WHERE packed IS NOT NULL`,
  `ALTER TABLE apportion.sale_parts ADD CONSTRAINT sale_parts_have_hours CHECK (
    recorded_hour = ${hourOf("recorded_at")} OR (recorded_hour IS NULL AND packed IS NULL)
  ) NOT VALID`,
  // An order's id in it would make it look as good for finding an order as the key, which it is not.
  `CREATE INDEX sale_parts_in_order ON apportion.sale_parts (account_id, recorded_hour)
    WHERE recorded_hour IS NOT NULL`,
  ...subjectColumns.map(
    (name) => `CREATE INDEX sale_parts_by_${name} ON apportion.sale_parts (${name}, recorded_hour)
      WHERE ${name} IS NOT NULL`,
  ),
  `CREATE INDEX sale_parts_without_hour ON apportion.sale_parts
    (account_id, recorded_at, order_id, part) WHERE recorded_hour IS NULL`,
  "DROP TRIGGER sale_parts_keep_subjects ON apportion.sale_parts",
  `CREATE TRIGGER sale_parts_keep_subjects
    BEFORE UPDATE OF recorded_hour, ${subjectColumns.join(", ")} ON apportion.sale_parts
    FOR EACH ROW WHEN (${isCarryingNothing}) EXECUTE FUNCTION apportion.refuse_change()`,
]
