import * as Effect from "effect/Effect"
import type { PassStore, StoredPass } from "../../ports/PassStore.js"
import type { Conflict, StorageError } from "../../ports/StorageError.js"
import { documentOf, json, type Row, text, whole, wholeOf } from "./rows.js"
import type { Session } from "./Session.js"

const columns = "document::text AS document, version"

const get = `SELECT ${columns} FROM apportion.passes WHERE account_id = $1 AND pass_id = $2`

const ofCollaborator = `SELECT ${columns} FROM apportion.passes
  WHERE account_id = $1 AND collaborator_id = $2 ORDER BY pass_id`

const insert = `INSERT INTO apportion.passes
    (account_id, pass_id, collaborator_id, document, version)
  VALUES ($1, $2, $3, $4::json, 1)
  ON CONFLICT (account_id, pass_id) DO NOTHING RETURNING version`

const update = `UPDATE apportion.passes SET document = $3::json, version = version + 1
  WHERE account_id = $1 AND pass_id = $2 AND version = $4 RETURNING version`

const remove = "DELETE FROM apportion.passes WHERE account_id = $1 AND pass_id = $2"

const read = (row: Row): StoredPass => ({
  ...documentOf<Omit<StoredPass, "version">>(row),
  version: wholeOf(row, "version"),
})

const insertPass = (
  session: Session,
  pass: Omit<StoredPass, "version">,
): Effect.Effect<StoredPass, StorageError> => {
  const fields = [text(pass.id), text(pass.collaboratorId), json(pass)]
  return Effect.flatMap(
    session.write("insert a pass", insert, fields),
    (rows): Effect.Effect<StoredPass, Conflict> =>
      rows.length === 0
        ? session.conflict("pass", pass.id)
        : Effect.succeed({ ...pass, version: 1 }),
  )
}

const updatePass = (
  session: Session,
  { version, ...pass }: StoredPass,
): Effect.Effect<StoredPass, StorageError> =>
  Effect.flatMap(
    session.write("update a pass", update, [text(pass.id), json(pass), whole(version)]),
    (rows): Effect.Effect<StoredPass, Conflict> =>
      rows.length === 0
        ? session.conflict("pass", pass.id)
        : Effect.succeed({ ...pass, version: version + 1 }),
  )

/** The store of passes within one transaction. */
export const make = (session: Session): PassStore => ({
  get: (id) =>
    Effect.map(session.read("read a pass", get, [text(id)]), ([row]) =>
      row === undefined ? undefined : read(row),
    ),
  ofCollaborator: (collaboratorId) =>
    Effect.map(session.read("list passes", ofCollaborator, [text(collaboratorId)]), (rows) =>
      rows.map(read),
    ),
  insert: (pass) => insertPass(session, pass),
  update: (pass) => updatePass(session, pass),
  remove: (id) => Effect.asVoid(session.write("remove a pass", remove, [text(id)])),
})
