import * as Effect from "effect/Effect"
import type { CollaboratorStore, StoredCollaborator } from "../../ports/CollaboratorStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import {
  documentOf,
  json,
  type Parameter,
  type Row,
  text,
  texts,
  whole,
  wholeOf,
  wholeOrNull,
} from "./rows.js"
import type { Session } from "./Session.js"

const columns = "document::text AS document, created_at, updated_at, version"

const get = `SELECT ${columns} FROM apportion.collaborators
  WHERE account_id = $1 AND collaborator_id = $2`

const find = `SELECT ${columns} FROM apportion.collaborators
  WHERE account_id = $1 AND collaborator_id = ANY($2::text[])`

const insert = `INSERT INTO apportion.collaborators
  (account_id, collaborator_id, currency, payout_measurement, payout_frequency, payout_threshold,
    payout_holding_days, document, created_at, updated_at, version)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1)
  ON CONFLICT (account_id, collaborator_id) DO NOTHING RETURNING version`

const update = `UPDATE apportion.collaborators SET currency = $3, payout_measurement = $4,
    payout_frequency = $5, payout_threshold = $6, payout_holding_days = $7, document = $8,
    created_at = $9, updated_at = $10, version = version + 1
  WHERE account_id = $1 AND collaborator_id = $2 AND version = $11 RETURNING version`

const list = `SELECT ${columns} FROM apportion.collaborators WHERE account_id = $1
  ORDER BY collaborator_id OFFSET $2 LIMIT $3`

const count = "SELECT count(*) AS total FROM apportion.collaborators WHERE account_id = $1"

const read = (row: Row): StoredCollaborator => ({
  collaborator: documentOf(row),
  createdAt: wholeOf(row, "created_at"),
  updatedAt: wholeOf(row, "updated_at"),
  version: wholeOf(row, "version"),
})

const fieldsOf = (stored: Omit<StoredCollaborator, "version">): ReadonlyArray<Parameter> => {
  const { collaborator, createdAt, updatedAt } = stored
  const { id, currency, payoutMeasurement, payoutFrequency } = collaborator
  return [
    ...[text(id), text(currency), payoutMeasurement, whole(payoutFrequency)],
    ...[whole(collaborator.payoutThreshold), wholeOrNull(collaborator.payoutHoldingDays)],
    ...[json(collaborator), whole(createdAt), whole(updatedAt)],
  ]
}

/** What a statement stored, or a conflict when it found nothing to store it in. */
const orConflict = (
  session: Session,
  stored: StoredCollaborator,
  rows: ReadonlyArray<Row>,
): Effect.Effect<StoredCollaborator, StorageError> =>
  rows.length === 0
    ? session.conflict("collaborator", stored.collaborator.id)
    : Effect.succeed(stored)

/** The store of collaborators within one transaction. */
export const make = (session: Session): CollaboratorStore => ({
  get: (id) =>
    Effect.map(session.read("read a collaborator", get, [text(id)]), ([row]) =>
      row === undefined ? undefined : read(row),
    ),
  find: (ids) =>
    Effect.map(session.read("read collaborators", find, [texts(ids)]), (rows) => rows.map(read)),
  insert: (stored) =>
    Effect.flatMap(session.write("insert a collaborator", insert, fieldsOf(stored)), (rows) =>
      orConflict(session, { ...stored, version: 1 }, rows),
    ),
  update: (stored) =>
    Effect.flatMap(
      session.write("update a collaborator", update, [...fieldsOf(stored), whole(stored.version)]),
      (rows) => orConflict(session, { ...stored, version: stored.version + 1 }, rows),
    ),
  list: ({ offset, limit }) =>
    Effect.gen(function* () {
      const [counted] = yield* session.read("count collaborators", count)
      const slice = [whole(offset), whole(limit)]
      const rows = yield* session.read("list collaborators", list, slice)
      return {
        entries: rows.map(read),
        total: counted === undefined ? 0 : wholeOf(counted, "total"),
      }
    }),
})
