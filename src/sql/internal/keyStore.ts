import * as Effect from "effect/Effect"
import type { KeyStore, StoredAnswer } from "../../ports/KeyStore.js"
import type { Conflict } from "../../ports/StorageError.js"
import { type Row, text, textOf, whole, wholeOf, wholeOrNullOf } from "./rows.js"
import type { Session } from "./Session.js"

const get = `SELECT key, fingerprint, answer, created_at FROM apportion.idempotency_keys
  WHERE account_id = $1 AND key = $2`

const insert = `INSERT INTO apportion.idempotency_keys
  (account_id, key, fingerprint, answer, created_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (account_id, key) DO NOTHING RETURNING created_at`

const kept = `SELECT count(*) AS total, min(created_at) AS oldest_at
  FROM apportion.idempotency_keys WHERE account_id = $1`

const removeBefore = `WITH gone AS (
    DELETE FROM apportion.idempotency_keys WHERE account_id = $1 AND created_at < $2
    RETURNING created_at
  ) SELECT count(*) AS total FROM gone`

const read = (row: Row): StoredAnswer => ({
  key: textOf(row, "key"),
  fingerprint: textOf(row, "fingerprint"),
  answer: textOf(row, "answer"),
  createdAt: wholeOf(row, "created_at"),
})

/** The store of idempotency keys within one transaction. */
export const make = (session: Session): KeyStore => ({
  get: (key) =>
    Effect.map(session.read("read an idempotency key", get, [text(key)]), ([row]) =>
      row === undefined ? undefined : read(row),
    ),
  insert: ({ key, fingerprint, answer, createdAt }) => {
    const fields = [text(key), text(fingerprint), text(answer), whole(createdAt)]
    return Effect.flatMap(
      session.write("insert an idempotency key", insert, fields),
      (rows): Effect.Effect<void, Conflict> =>
        rows.length === 0 ? session.conflict("idempotency key", key) : Effect.void,
    )
  },
  kept: () =>
    Effect.map(session.read("count idempotency keys", kept), ([row]) => ({
      count: row === undefined ? 0 : wholeOf(row, "total"),
      oldestAt: row === undefined ? undefined : (wholeOrNullOf(row, "oldest_at") ?? undefined),
    })),
  removeBefore: (at) =>
    Effect.map(session.write("remove old idempotency keys", removeBefore, [whole(at)]), ([row]) =>
      row === undefined ? 0 : wholeOf(row, "total"),
    ),
})
