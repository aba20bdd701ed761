import * as Effect from "effect/Effect"
import type { ProductGroupStore, StoredGroup } from "../../ports/ProductGroupStore.js"
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

const columns = "document::text AS document, updated_at, version"

const get = `SELECT ${columns} FROM apportion.product_groups
  WHERE account_id = $1 AND group_id = $2`

const find = `SELECT ${columns} FROM apportion.product_groups
  WHERE account_id = $1 AND group_id = ANY($2::text[])`

const all = "SELECT document::text AS document FROM apportion.product_groups WHERE account_id = $1"

/** What is stored, removed or neither: if anything was, the account's groups have a new revision. */
const revising = (change: string): string => `WITH changed AS (${change}), revised AS (
    UPDATE apportion.accounts a SET groups_revision = nextval('apportion.revisions')
    FROM changed c WHERE a.account_id = c.account_id
  ) SELECT version FROM changed`

const insert = revising(`INSERT INTO apportion.product_groups
  (account_id, group_id, collaborator_id, percent, amount, document, created_at, updated_at, version)
  VALUES ($1, $2, $3, $4::text::numeric, $5, $6, $7, $8, 1)
  ON CONFLICT (account_id, group_id) DO NOTHING RETURNING account_id, version`)

const update = revising(`UPDATE apportion.product_groups SET collaborator_id = $3,
    percent = $4::text::numeric, amount = $5, document = $6, created_at = $7, updated_at = $8,
    version = version + 1
  WHERE account_id = $1 AND group_id = $2 AND version = $9 RETURNING account_id, version`)

const remove = revising(`DELETE FROM apportion.product_groups
  WHERE account_id = $1 AND group_id = $2 AND version = $3 RETURNING account_id, version`)

const list = `SELECT ${columns} FROM apportion.product_groups
  WHERE account_id = $1 AND collaborator_id = $2
  ORDER BY created_at DESC NULLS LAST, group_id OFFSET $3 LIMIT $4`

const count = `SELECT count(*) AS total FROM apportion.product_groups
  WHERE account_id = $1 AND collaborator_id = $2`

const revision = "SELECT groups_revision FROM apportion.accounts WHERE account_id = $1"

const read = (row: Row): StoredGroup => ({
  group: documentOf(row),
  updatedAt: wholeOf(row, "updated_at"),
  version: wholeOf(row, "version"),
})

const fieldsOf = ({ group, updatedAt }: Omit<StoredGroup, "version">): ReadonlyArray<Parameter> => {
  const { id, collaboratorId, percent, amount, createdAt } = group
  return [
    ...[text(id), text(collaboratorId), percent, wholeOrNull(amount), json(group)],
    ...[wholeOrNull(createdAt), whole(updatedAt)],
  ]
}

/** What a statement did, or a conflict when it found nothing to do it to. */
const orConflict = <A>(
  session: Session,
  groupId: string,
  write: Effect.Effect<ReadonlyArray<Row>, StorageError>,
  done: A,
): Effect.Effect<A, StorageError> =>
  Effect.suspend(() => {
    // What is taken back to a savepoint would stay as it was entered with.
    session.entered = undefined
    return Effect.flatMap(write, (rows) =>
      rows.length === 0 ? session.conflict("product group", groupId) : Effect.succeed(done),
    )
  })

/** The store of product groups within one transaction. */
export const make = (session: Session): ProductGroupStore => ({
  get: (id) =>
    Effect.map(session.read("read a product group", get, [text(id)]), ([row]) =>
      row === undefined ? undefined : read(row),
    ),
  find: (ids) =>
    Effect.map(session.read("read product groups", find, [texts(ids)]), (rows) => rows.map(read)),
  insert: (stored) => {
    const write = session.write("insert a product group", insert, fieldsOf(stored))
    return orConflict(session, stored.group.id, write, { ...stored, version: 1 })
  },
  update: (stored) => {
    const fields = [...fieldsOf(stored), whole(stored.version)]
    const write = session.write("update a product group", update, fields)
    return orConflict(session, stored.group.id, write, { ...stored, version: stored.version + 1 })
  },
  remove: ({ groupId, version }) => {
    const write = session.write("remove a product group", remove, [text(groupId), whole(version)])
    return orConflict(session, groupId, write, undefined)
  },
  list: (collaboratorId, { offset, limit }) =>
    Effect.gen(function* () {
      const owner = text(collaboratorId)
      const [counted] = yield* session.read("count product groups", count, [owner])
      const slice = [owner, whole(offset), whole(limit)]
      const rows = yield* session.read("list product groups", list, slice)
      return {
        entries: rows.map(read),
        total: counted === undefined ? 0 : wholeOf(counted, "total"),
      }
    }),
  all: Effect.map(session.read("read all product groups", all), (rows) =>
    rows.map((row) => documentOf(row)),
  ),
  revision: Effect.map(session.account("read the revision of the groups", revision), (row) =>
    row === undefined ? 0 : wholeOf(row, "groups_revision"),
  ),
})
