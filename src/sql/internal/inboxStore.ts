import * as Effect from "effect/Effect"
import type { InboxEntry, InboxNote, InboxStore } from "../../ports/InboxStore.js"
import {
  documentOf,
  json,
  type Row,
  text,
  textOrNull,
  texts,
  whole,
  wholeOf,
  wholes,
} from "./rows.js"
import type { Session } from "./Session.js"

const notes = `SELECT document::text AS document FROM apportion.inbox_notes
  WHERE account_id = $1 AND note_key = ANY ($2::text[])`

const putNotes = `INSERT INTO apportion.inbox_notes (account_id, note_key, kind, at, document)
  SELECT $1::text, n.note_key, n.kind, n.at, n.document::json
  FROM unnest($2::text[], $3::text[], $4::text[]::bigint[], $5::text[])
    AS n (note_key, kind, at, document)
  ON CONFLICT (account_id, note_key)
    DO UPDATE SET kind = excluded.kind, at = excluded.at, document = excluded.document`

const forgetNotes = `WITH gone AS (
    DELETE FROM apportion.inbox_notes WHERE account_id = $1 AND note_key IN (
      SELECT note_key FROM apportion.inbox_notes
      WHERE account_id = $1 AND kind = $2 AND at < $3 ORDER BY at, note_key LIMIT $4
    ) RETURNING at
  ) SELECT count(*) AS total FROM gone`

const get = `SELECT document::text AS document FROM apportion.inbox_entries
  WHERE account_id = $1 AND entry_key = $2`

const put = `INSERT INTO apportion.inbox_entries
    (account_id, entry_key, state, waits_for, next_attempt_at, document)
  VALUES ($1, $2, $3, $4, $5, $6::json)
  ON CONFLICT (account_id, entry_key) DO UPDATE SET state = excluded.state,
    waits_for = excluded.waits_for, next_attempt_at = excluded.next_attempt_at,
    document = excluded.document`

const remove = "DELETE FROM apportion.inbox_entries WHERE account_id = $1 AND entry_key = $2"

const next = `SELECT document::text AS document FROM apportion.inbox_entries
  WHERE account_id = $1 AND entry_key > $2`

const inOrder = "ORDER BY entry_key LIMIT $3"

const list = `${next} ${inOrder}`

const listWaiting = `${next} AND waits_for = $4 ${inOrder}`

const isDue = "state = 'waiting' AND next_attempt_at <="

const listDue = `${next} AND ${isDue} $4 ${inOrder}`

const listDueWaiting = `${next} AND waits_for = $4 AND ${isDue} $5 ${inOrder}`

const count = "SELECT count(*) AS total FROM apportion.inbox_entries WHERE account_id = $1"

const totalOf = ([row]: ReadonlyArray<Row>): number =>
  row === undefined ? 0 : wholeOf(row, "total")

const statementOf = (isWaiting: boolean, isOfDue: boolean): string => {
  if (isOfDue) return isWaiting ? listDueWaiting : listDue
  return isWaiting ? listWaiting : list
}

const listEntries = (
  session: Session,
  { after = "", limit, waitsFor, dueBy }: Parameters<InboxStore["list"]>[0],
) =>
  Effect.map(
    session.read("list the inbox", statementOf(waitsFor !== undefined, dueBy !== undefined), [
      ...[text(after), whole(limit)],
      ...(waitsFor === undefined ? [] : [text(waitsFor)]),
      ...(dueBy === undefined ? [] : [whole(dueBy)]),
    ]),
    (rows) => rows.map((row) => documentOf<InboxEntry>(row)),
  )

/** The inbox within one transaction. */
export const make = (session: Session): InboxStore => ({
  notes: (keys) =>
    Effect.map(session.read("read notes of the inbox", notes, [texts(keys)]), (rows) =>
      rows.map((row) => documentOf<InboxNote>(row)),
    ),
  putNotes: (all) =>
    all.length === 0
      ? Effect.void
      : Effect.asVoid(
          session.write("put notes of the inbox", putNotes, [
            texts(all.map(({ key }) => key)),
            all.map(({ kind }) => kind),
            wholes(all.map(({ at }) => at)),
            all.map(json),
          ]),
        ),
  forgetNotes: ({ kind, before, limit }) =>
    Effect.map(
      session.write("forget notes of the inbox", forgetNotes, [kind, whole(before), whole(limit)]),
      totalOf,
    ),
  get: (key) =>
    Effect.map(session.read("read an entry of the inbox", get, [text(key)]), ([row]) =>
      row === undefined ? undefined : documentOf<InboxEntry>(row),
    ),
  put: (entry) =>
    Effect.asVoid(
      session.write("put an entry into the inbox", put, [
        ...[text(entry.key), entry.state, textOrNull(entry.waitsFor)],
        ...[whole(entry.nextAttemptAt), json(entry)],
      ]),
    ),
  remove: (key) =>
    Effect.asVoid(session.write("remove an entry of the inbox", remove, [text(key)])),
  list: (options) => listEntries(session, options),
  count: () => Effect.map(session.read("count the inbox", count), totalOf),
})
