import * as Effect from "effect/Effect"
import type { ResplitBatch, ResplitRun, ResplitStore } from "../../ports/ResplitStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { documentOf, json, type Row, text, whole, wholeOf, wholes } from "./rows.js"
import type { Session } from "./Session.js"

const columns = "document::text AS document, version"

const get = `SELECT ${columns} FROM apportion.resplit_runs WHERE account_id = $1 AND run_id = $2`

const insert = `INSERT INTO apportion.resplit_runs
    (account_id, run_id, proposed_at, document, version)
  VALUES ($1, $2, $3, $4::json, 1) ON CONFLICT DO NOTHING RETURNING version`

const insertBatches = `INSERT INTO apportion.resplit_batches (account_id, run_id, number, document)
  SELECT $1::text, $2::text, b.number, b.document::json
  FROM unnest($3::text[]::bigint[], $4::text[]) AS b (number, document)`

const update = `UPDATE apportion.resplit_runs SET document = $4::json, version = version + 1
  WHERE account_id = $1 AND run_id = $2 AND version = $3 RETURNING version`

const batch = `SELECT document::text AS document FROM apportion.resplit_batches
  WHERE account_id = $1 AND run_id = $2 AND number = $3`

const list = `SELECT ${columns} FROM apportion.resplit_runs WHERE account_id = $1
  ORDER BY proposed_at DESC, run_id OFFSET $2 LIMIT $3`

const count = "SELECT count(*) AS total FROM apportion.resplit_runs WHERE account_id = $1"

type Document = Omit<ResplitRun, "version">

const read = (row: Row): ResplitRun => ({
  ...documentOf<Document>(row),
  version: wholeOf(row, "version"),
})

const insertRun = (
  session: Session,
  run: Document,
  batches: ReadonlyArray<ResplitBatch>,
): Effect.Effect<ResplitRun, StorageError> =>
  Effect.gen(function* () {
    const fields = [text(run.id), whole(run.proposedAt), json(run)]
    const [row] = yield* session.write("insert a re-split", insert, fields)
    if (row === undefined) return yield* session.conflict("re-split", run.id)
    if (batches.length > 0) {
      yield* session.write("insert the batches of a re-split", insertBatches, [
        text(run.id),
        wholes(batches.map(({ number }) => number)),
        batches.map(json),
      ])
    }
    return { ...run, version: 1 }
  })

const updateRun = (
  session: Session,
  { version, ...run }: ResplitRun,
): Effect.Effect<ResplitRun, StorageError> =>
  Effect.flatMap(
    session.write("update a re-split", update, [text(run.id), whole(version), json(run)]),
    ([row]): Effect.Effect<ResplitRun, StorageError> =>
      row === undefined
        ? session.conflict("re-split", run.id)
        : Effect.succeed({ ...run, version: version + 1 }),
  )

/** The store of re-splits within one transaction. */
export const make = (session: Session): ResplitStore => ({
  get: (runId) =>
    Effect.map(session.read("read a re-split", get, [text(runId)]), ([row]) => row && read(row)),
  insert: (run, batches) => insertRun(session, run, batches),
  update: (run) => updateRun(session, run),
  batch: (runId, number) =>
    Effect.map(
      session.read("read a batch of a re-split", batch, [text(runId), whole(number)]),
      ([row]) => row && documentOf<ResplitBatch>(row),
    ),
  list: ({ offset, limit }) =>
    Effect.gen(function* () {
      const [counted] = yield* session.read("count re-splits", count)
      const rows = yield* session.read("list re-splits", list, [whole(offset), whole(limit)])
      return {
        entries: rows.map(read),
        total: counted === undefined ? 0 : wholeOf(counted, "total"),
      }
    }),
})
