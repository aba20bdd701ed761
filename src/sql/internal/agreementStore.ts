import * as Effect from "effect/Effect"
import type { HeldPart } from "../../agreements/Balances.js"
import type {
  AgreementChanges,
  AgreementEntry,
  AgreementKey,
  AgreementStore,
  AgreementSubject,
  AgreementTotals,
  HeldPartKey,
  StoredAgreement,
} from "../../ports/AgreementStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { bookingsOf } from "./agreementBookings.js"
import {
  documentOf,
  isTrue,
  json,
  type Parameter,
  type Row,
  text,
  textOf,
  texts,
  whole,
  wholeOf,
  wholes,
} from "./rows.js"
import type { Session } from "./Session.js"

const revision = "SELECT agreements_revision FROM apportion.accounts WHERE account_id = $1"

const columns = "document::text AS document, is_used, version"

const all = `SELECT ${columns} FROM apportion.agreements WHERE account_id = $1`

const get = `${all} AND kind = $2 AND agreement_id = $3`

/** What is stored or not: if anything was, the account's agreements have a new revision. */
const revising = (change: string): string => `WITH changed AS (${change}), revised AS (
    UPDATE apportion.accounts SET agreements_revision = nextval('apportion.revisions')
    WHERE account_id = $1 AND EXISTS (SELECT 1 FROM changed)
  ) SELECT version FROM changed`

const insert = revising(`INSERT INTO apportion.agreements
    (account_id, kind, agreement_id, document, is_used, version)
  VALUES ($1, $2, $3, $4::json, $5, 1)
  ON CONFLICT (account_id, kind, agreement_id) DO NOTHING RETURNING version`)

const update = revising(`UPDATE apportion.agreements
    SET document = $4::json, is_used = $5, version = version + 1
  WHERE account_id = $1 AND kind = $2 AND agreement_id = $3 AND version = $6 RETURNING version`)

const use = revising(`UPDATE apportion.agreements a SET is_used = true
  FROM unnest($2::text[], $3::text[]) AS u (kind, agreement_id)
  WHERE a.account_id = $1 AND a.kind = u.kind AND a.agreement_id = u.agreement_id AND NOT a.is_used
  RETURNING a.version`)

const totals = `SELECT t.kind, t.document::text AS document
  FROM unnest($2::text[], $3::text[]) AS u (kind, agreement_id)
  JOIN apportion.agreement_totals t ON t.account_id = $1 AND t.kind = u.kind
    AND t.agreement_id = u.agreement_id`

const putTotals = `INSERT INTO apportion.agreement_totals
    (account_id, kind, agreement_id, currency, document)
  SELECT $1::text, u.kind, u.agreement_id, u.currency, u.document::json
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
    AS u (kind, agreement_id, currency, document)
  ON CONFLICT (account_id, kind, agreement_id, currency) DO UPDATE SET document = excluded.document`

const held = "SELECT document::text AS document FROM apportion.agreement_held WHERE account_id = $1"

const ofSubjects = `md5(subject) = ANY(SELECT md5(s) FROM unnest($2::text[]) AS s)
    AND subject = ANY($2::text[])`

const heldOf = `${held} AND ${ofSubjects}`

const byRelease = "ORDER BY release_at, part"

const heldDue = `${held} AND release_at <= $2 ${byRelease} LIMIT $3`

const heldBy = `${held} AND collaborator_id = $2 ${byRelease}`

const heldByAll = `${held} ${byRelease}`

const putHeld = `INSERT INTO apportion.agreement_held
    (account_id, part, subject, collaborator_id, release_at, document)
  SELECT $1::text, md5(u.part), u.subject, u.collaborator_id, u.release_at, u.document::json
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]::bigint[], $6::text[])
    AS u (part, subject, collaborator_id, release_at, document)
  ON CONFLICT (account_id, part) DO UPDATE SET document = excluded.document`

const removeHeld = `DELETE FROM apportion.agreement_held
  WHERE account_id = $1 AND part = ANY(SELECT md5(p) FROM unnest($2::text[]) AS p)`

const entries = `SELECT document::text AS document FROM apportion.agreement_entries
  WHERE account_id = $1`

const entriesOf = `${entries} AND ${ofSubjects} ORDER BY number`

const someEntries = `${entries} ORDER BY number OFFSET $2 LIMIT $3`

const booked = `FROM apportion.agreement_bookings b
  WHERE b.account_id = $1 AND b.kind = $2 AND b.agreement_id = $3`

const countFor = `SELECT count(*) AS total ${booked}`

const entriesFor = `SELECT e.document::text AS document
  FROM (SELECT b.number ${booked} ORDER BY b.number DESC OFFSET $4 LIMIT $5) AS n
  JOIN apportion.agreement_entries e ON e.account_id = $1 AND e.number = n.number
  ORDER BY n.number DESC`

/** Entries are numbered in the order in which they are given, and found by the agreements that they are about. */
const addEntries = `WITH numbered AS MATERIALIZED (
    SELECT nextval('apportion.agreement_entries_number_seq') AS number, u.* FROM (
      SELECT * FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS e (subject, document, place)
      ORDER BY place
    ) AS u
  ), added AS (
    INSERT INTO apportion.agreement_entries (account_id, number, subject, document)
    SELECT $1::text, number, subject, document::json FROM numbered
  )
  INSERT INTO apportion.agreement_bookings (account_id, kind, agreement_id, number)
  SELECT $1::text, b.kind, b.agreement_id, n.number
  FROM unnest($4::text[]::bigint[], $5::text[], $6::text[]) AS b (place, kind, agreement_id)
  JOIN numbered n ON n.place = b.place`

type Document = Omit<StoredAgreement, "isUsed" | "version">

const read = (row: Row): StoredAgreement =>
  ({
    ...documentOf<Document>(row),
    isUsed: isTrue(row, "is_used"),
    version: wholeOf(row, "version"),
  }) as StoredAgreement

const subjectOf = ({ orderId, itemId }: AgreementSubject): string =>
  text(JSON.stringify([orderId, itemId]))

const partOf = ({ reserveId, orderId, itemId, groupId, collaboratorId, place }: HeldPartKey) =>
  text(JSON.stringify([reserveId, orderId, itemId, groupId, collaboratorId, place]))

const keysOf = (keys: ReadonlyArray<AgreementKey>): ReadonlyArray<Parameter> => [
  keys.map(({ kind }) => kind),
  texts(keys.map(({ id }) => id)),
]

const store = (
  session: Session,
  { isUsed, version, ...document }: StoredAgreement,
  isNew: boolean,
): Effect.Effect<StoredAgreement, StorageError> =>
  Effect.gen(function* () {
    const { kind, agreement } = document
    const fields = [kind, text(agreement.id), json(document), isUsed]
    // What is taken back to a savepoint would stay as it was entered with.
    session.entered = undefined
    const [row] = isNew
      ? yield* session.write("insert an agreement", insert, fields)
      : yield* session.write("update an agreement", update, [...fields, whole(version)])
    if (row === undefined) return yield* session.conflict(kind, agreement.id)
    return { ...document, isUsed, version: wholeOf(row, "version") } as StoredAgreement
  })

const readTotals = (rows: ReadonlyArray<Row>): AgreementTotals => {
  const of = <A>(kind: AgreementKey["kind"]): ReadonlyArray<A> =>
    rows.filter((row) => textOf(row, "kind") === kind).map((row) => documentOf<A>(row))
  return { advances: of("advance"), reserves: of("reserve"), guarantees: of("guarantee") }
}

const rowsOfTotals = ({ advances, reserves, guarantees }: AgreementTotals) => [
  ...advances.map((total) => ["advance", total.advanceId, "", total] as const),
  ...reserves.map((total) => ["reserve", total.reserveId, total.currency, total] as const),
  ...guarantees.map((total) => ["guarantee", total.guaranteeId, "", total] as const),
]

const book = (session: Session, changes: AgreementChanges): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    if (changes.used.length > 0) {
      session.entered = undefined
      yield* session.write("mark agreements as used", use, keysOf(changes.used))
    }
    const rows = rowsOfTotals(changes.totals)
    if (rows.length > 0) {
      yield* session.write("store balances of agreements", putTotals, [
        rows.map(([kind]) => kind),
        texts(rows.map(([, id]) => id)),
        rows.map(([, , currency]) => currency),
        rows.map(([, , , total]) => json(total)),
      ])
    }
    if (changes.held.length > 0) {
      yield* session.write("store what is held", putHeld, [
        changes.held.map(partOf),
        changes.held.map(subjectOf),
        texts(changes.held.map(({ collaboratorId }) => collaboratorId)),
        wholes(changes.held.map(({ releaseAt }) => releaseAt)),
        changes.held.map(json),
      ])
    }
    if (changes.gone.length > 0) {
      yield* session.write("remove what is not held", removeHeld, [changes.gone.map(partOf)])
    }
    if (changes.entries.length > 0) {
      yield* session.write("add what was booked", addEntries, [
        changes.entries.map(subjectOf),
        changes.entries.map(json),
        ...bookingsOf(changes.entries.map((entry, index) => ({ place: index + 1, entry }))),
      ])
    }
  })

const heldIn = (rows: ReadonlyArray<Row>): ReadonlyArray<HeldPart> =>
  rows.map((row) => documentOf<HeldPart>(row))

const entriesIn = (rows: ReadonlyArray<Row>): ReadonlyArray<AgreementEntry> =>
  rows.map((row) => documentOf<AgreementEntry>(row))

const revisionOf = (row: Row | undefined): number =>
  row === undefined ? 0 : wholeOf(row, "agreements_revision")

/** The store of agreements within one transaction. */
export const make = (session: Session): AgreementStore => ({
  revision: Effect.map(session.account("read the revision of agreements", revision), revisionOf),
  all: Effect.map(session.read("read all agreements", all), (rows) => rows.map(read)),
  get: ({ kind, id }) =>
    Effect.map(session.read("read an agreement", get, [kind, text(id)]), ([row]) =>
      row === undefined ? undefined : read(row),
    ),
  insert: (stored) => store(session, stored, true),
  update: (stored) => store(session, stored, false),
  totals: (keys) =>
    Effect.map(session.read("read balances of agreements", totals, keysOf(keys)), readTotals),
  heldOf: (subjects) =>
    Effect.map(session.read("read what is held", heldOf, [subjects.map(subjectOf)]), heldIn),
  heldDue: ({ at, limit }) =>
    Effect.map(
      session.read("find what can be released", heldDue, [whole(at), whole(limit)]),
      heldIn,
    ),
  held: (collaboratorId) =>
    Effect.map(
      collaboratorId === undefined
        ? session.read("list what is held", heldByAll)
        : session.read("list what is held", heldBy, [text(collaboratorId)]),
      heldIn,
    ),
  entriesOf: (subjects) =>
    Effect.map(
      session.read("read what was booked", entriesOf, [subjects.map(subjectOf)]),
      entriesIn,
    ),
  entries: ({ offset, limit }) =>
    Effect.map(
      session.read("list what was booked", someEntries, [whole(offset), whole(limit)]),
      entriesIn,
    ),
  entriesFor: ({ agreement: { kind, id }, offset, limit }) =>
    Effect.gen(function* () {
      const doing = "list what was booked for an agreement"
      const key = [kind, text(id)]
      const [counted] = yield* session.read(doing, countFor, key)
      const rows = yield* session.read(doing, entriesFor, [...key, whole(offset), whole(limit)])
      return {
        entries: entriesIn(rows),
        total: counted === undefined ? 0 : wholeOf(counted, "total"),
      }
    }),
  book: (changes) => book(session, changes),
})
