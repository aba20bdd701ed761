/**
 * What a part of an order is found by, in columns of the part: a row of its own for each of them takes ten times the
 * room, and a copy of the order's id besides. What has no column left stays in rows.
 */

/** As many as a sale of two items has, each shared by two collaborators. */
export const subjectColumns: ReadonlyArray<string> = Array.from(
  { length: 10 },
  (_, index) => `subject_${index + 1}`,
)

/** Whether a transaction has not said that it carries over what earlier versions stored. */
export const isCarryingNothing =
  "current_setting('apportion.carrying_over', true) IS DISTINCT FROM 'yes'"

/** The statements that add the columns, in order. */
export const columnsOfSubjects: ReadonlyArray<string> = [
  // Lengths keep apart what would be the same text in a row. Ids of whatever length take eight bytes.
  `CREATE FUNCTION apportion.subject_of(account text, collaborator text, product text) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        RETURN ('x' || left(encode(sha256(convert_to(
          char_length(account) || ' ' || char_length(collaborator) || ' ' || account || collaborator || product,
          'UTF8'
        )), 'hex'), 16))::bit(64)::bigint;
      END
    $$`,
  `ALTER TABLE apportion.sale_parts ${subjectColumns.map((name) => `ADD COLUMN ${name} bigint`).join(", ")}`,
  ...subjectColumns.map(
    (name) => `CREATE INDEX sale_parts_by_${name} ON apportion.sale_parts (${name}, recorded_at)
      WHERE ${name} IS NOT NULL`,
  ),
  // Rows of before become columns when they are carried over, by nobody who did not say so.
  `CREATE TRIGGER sale_parts_keep_subjects BEFORE UPDATE OF ${subjectColumns.join(", ")} ON apportion.sale_parts
    FOR EACH ROW WHEN (${isCarryingNothing}) EXECUTE FUNCTION apportion.refuse_change()`,
  "DROP TRIGGER sale_subjects_never_change ON apportion.sale_subjects",
  `CREATE TRIGGER sale_subjects_never_change BEFORE UPDATE ON apportion.sale_subjects
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
  `CREATE TRIGGER sale_subjects_never_go BEFORE DELETE ON apportion.sale_subjects
    FOR EACH ROW WHEN (${isCarryingNothing}) EXECUTE FUNCTION apportion.refuse_change()`,
]
