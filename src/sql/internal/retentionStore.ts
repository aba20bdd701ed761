import * as Effect from "effect/Effect"
import type { InboxNote } from "../../ports/InboxStore.js"
import type { OldRecords, RetentionStore } from "../../ports/RetentionStore.js"
import { hasDocument } from "./migrations/retention.js"
import { documentOf, type Parameter, type Row, text, textOf, whole, wholeOf } from "./rows.js"
import type { Session } from "./Session.js"

const counts: Readonly<Record<OldRecords["kind"], string>> = {
  events: `SELECT count(*) AS total FROM apportion.events WHERE account_id = $1 AND number <= $2
    AND number < coalesce((SELECT number FROM apportion.events
      WHERE account_id = $1 AND number <= $2 AND at >= $3 ORDER BY number LIMIT 1), $2 + 1)`,
  answers: `SELECT count(*) AS total FROM apportion.idempotency_keys
    WHERE account_id = $1 AND created_at < $2`,
  deliveries: `SELECT count(*) AS total FROM apportion.inbox_notes
    WHERE account_id = $1 AND kind = 'delivery' AND at < $2`,
  "resplit batches": `SELECT count(*) AS total FROM apportion.resplit_batches
    WHERE account_id = $1 AND run_id = $2`,
}

const removeAnswers = `WITH gone AS (
    DELETE FROM apportion.idempotency_keys WHERE account_id = $1 AND key IN (
      SELECT key FROM apportion.idempotency_keys WHERE account_id = $1 AND created_at < $2
      ORDER BY created_at LIMIT $3
    ) RETURNING created_at
  ) SELECT count(*) AS total FROM gone`

const removeBatches = `WITH gone AS (
    DELETE FROM apportion.resplit_batches WHERE account_id = $1 AND run_id = $2 AND number IN (
      SELECT number FROM apportion.resplit_batches WHERE account_id = $1 AND run_id = $2
      ORDER BY number LIMIT $3
    ) RETURNING number
  ) SELECT count(*) AS total FROM gone`

/** The database lets batches go only where this is said. */
const allow = (said: "yes" | "no"): string =>
  `SELECT set_config('apportion.purging', '${said}', true) WHERE $1::text IS NOT NULL`

const documents = (isAfter: string): string => `SELECT note_key, at, document::text AS document
  FROM apportion.inbox_notes WHERE account_id = $1 AND ${hasDocument} AND at < $2${isAfter}
  ORDER BY at, note_key LIMIT $3`

const firstDocuments = documents("")
const nextDocuments = documents(" AND (at, note_key) > ($4::bigint, $5::text)")

const parametersOf = (old: OldRecords): ReadonlyArray<Parameter> => {
  if (old.kind === "events") return [whole(old.upTo), whole(old.before)]
  return [old.kind === "resplit batches" ? text(old.runId) : whole(old.before)]
}

const totalOf = ([row]: ReadonlyArray<Row>): number =>
  row === undefined ? 0 : wholeOf(row, "total")

const orderIdOf = (row: Row): string => {
  const note = documentOf<InboxNote>(row)
  return note.kind === "refund" ? note.orderId : ""
}

const remove = Effect.fnUntraced(function* (
  session: Session,
  old: Parameters<RetentionStore["remove"]>[0],
  limit: number,
) {
  const given = [...parametersOf(old), whole(limit)]
  if (old.kind === "answers") {
    return totalOf(yield* session.write("remove old idempotency keys", removeAnswers, given))
  }
  const doing = "remove the batches of a re-split"
  yield* session.write(doing, allow("yes"))
  const rows = yield* session.write(doing, removeBatches, given)
  yield* session.write(doing, allow("no"))
  return totalOf(rows)
})

/** What is old within one transaction. */
export const make = (session: Session): RetentionStore => ({
  count: (old) =>
    Effect.map(session.read("count what is old", counts[old.kind], parametersOf(old)), totalOf),
  remove: (old, limit) => remove(session, old, limit),
  refundDocuments: ({ before, after, limit }) => {
    const given = [whole(before), whole(limit)]
    const read =
      after === undefined
        ? session.read("find old documents", firstDocuments, given)
        : session.read("find old documents", nextDocuments, [
            ...given,
            whole(after.at),
            text(after.key),
          ])
    return Effect.map(read, (rows) =>
      rows.map((row) => ({
        key: textOf(row, "note_key"),
        at: wholeOf(row, "at"),
        orderId: orderIdOf(row),
      })),
    )
  },
})
