import * as Effect from "effect/Effect"
import type { DeadLetter, EndpointStore, StoredEndpoint } from "../../ports/EndpointStore.js"
import type { Conflict, StorageError } from "../../ports/StorageError.js"
import { documentOf, json, type Row, text, whole, wholeOf, wholes } from "./rows.js"
import type { Session } from "./Session.js"

const columns = "document::text AS document, version"

const get = `SELECT ${columns} FROM apportion.webhook_endpoints
  WHERE account_id = $1 AND endpoint_id = $2`

const list = `SELECT ${columns} FROM apportion.webhook_endpoints
  WHERE account_id = $1 ORDER BY endpoint_id`

const insert = `INSERT INTO apportion.webhook_endpoints
    (account_id, endpoint_id, is_active, document, version)
  VALUES ($1, $2, $3::boolean, $4::json, 1)
  ON CONFLICT (account_id, endpoint_id) DO NOTHING RETURNING version`

const update = `UPDATE apportion.webhook_endpoints
  SET is_active = $3::boolean, document = $4::json, version = version + 1
  WHERE account_id = $1 AND endpoint_id = $2 AND version = $5 RETURNING version`

const remove = "DELETE FROM apportion.webhook_endpoints WHERE account_id = $1 AND endpoint_id = $2"

const putDeadLetters = `INSERT INTO apportion.dead_letters
    (account_id, endpoint_id, number, is_replayed, document)
  SELECT $1::text, l.endpoint_id, l.number, l.is_replayed, l.document::json
  FROM unnest($2::text[], $3::text[]::bigint[], $4::text[]::boolean[], $5::text[])
    AS l (endpoint_id, number, is_replayed, document)
  ON CONFLICT (account_id, endpoint_id, number)
    DO UPDATE SET is_replayed = excluded.is_replayed, document = excluded.document`

const deadLetters = `SELECT document::text AS document FROM apportion.dead_letters
  WHERE account_id = $1 AND endpoint_id = $2 AND number > $3 ORDER BY number LIMIT $4`

const replayedLetters = `SELECT document::text AS document FROM apportion.dead_letters
  WHERE account_id = $1 AND endpoint_id = $2 AND number > $3 AND is_replayed
  ORDER BY number LIMIT $4`

const removeDeadLetter = `DELETE FROM apportion.dead_letters
  WHERE account_id = $1 AND endpoint_id = $2 AND number = $3`

const read = (row: Row): StoredEndpoint => ({
  ...documentOf<Omit<StoredEndpoint, "version">>(row),
  version: wholeOf(row, "version"),
})

const insertEndpoint = (
  session: Session,
  endpoint: Omit<StoredEndpoint, "version">,
): Effect.Effect<StoredEndpoint, StorageError> => {
  const fields = [text(endpoint.id), endpoint.isActive, json(endpoint)]
  return Effect.flatMap(
    session.write("insert a webhook endpoint", insert, fields),
    (rows): Effect.Effect<StoredEndpoint, Conflict> =>
      rows.length === 0
        ? session.conflict("webhook endpoint", endpoint.id)
        : Effect.succeed({ ...endpoint, version: 1 }),
  )
}

const updateEndpoint = (
  session: Session,
  { version, ...endpoint }: StoredEndpoint,
): Effect.Effect<StoredEndpoint, StorageError> => {
  const fields = [text(endpoint.id), endpoint.isActive, json(endpoint), whole(version)]
  return Effect.flatMap(
    session.write("update a webhook endpoint", update, fields),
    (rows): Effect.Effect<StoredEndpoint, Conflict> =>
      rows.length === 0
        ? session.conflict("webhook endpoint", endpoint.id)
        : Effect.succeed({ ...endpoint, version: version + 1 }),
  )
}

/** The store of webhook endpoints within one transaction. */
export const make = (session: Session): EndpointStore => ({
  get: (id) =>
    Effect.map(session.read("read a webhook endpoint", get, [text(id)]), ([row]) =>
      row === undefined ? undefined : read(row),
    ),
  list: () => Effect.map(session.read("list webhook endpoints", list), (rows) => rows.map(read)),
  insert: (endpoint) => insertEndpoint(session, endpoint),
  update: (endpoint) => updateEndpoint(session, endpoint),
  remove: (id) => Effect.asVoid(session.write("remove a webhook endpoint", remove, [text(id)])),
  putDeadLetters: (letters) =>
    letters.length === 0
      ? Effect.void
      : Effect.asVoid(
          session.write("store dead letters", putDeadLetters, [
            letters.map(({ endpointId }) => text(endpointId)),
            wholes(letters.map(({ event }) => event.number)),
            letters.map(({ isReplayed }) => String(isReplayed)),
            letters.map(json),
          ]),
        ),
  deadLetters: ({ endpointId, after, limit, isReplayed }) =>
    Effect.map(
      session.read("list dead letters", isReplayed === true ? replayedLetters : deadLetters, [
        ...[text(endpointId), whole(after), whole(limit)],
      ]),
      (rows) => rows.map((row) => documentOf<DeadLetter>(row)),
    ),
  removeDeadLetter: (endpointId, number) =>
    Effect.asVoid(
      session.write("remove a dead letter", removeDeadLetter, [text(endpointId), whole(number)]),
    ),
})
