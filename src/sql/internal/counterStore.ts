import * as Effect from "effect/Effect"
import type { CounterStore, StoredCounter } from "../../ports/CounterStore.js"
import { type Row, textOf, texts, whole, wholeOf, wholes } from "./rows.js"
import type { Session } from "./Session.js"

const find = `SELECT counter_key, count FROM apportion.counters
  WHERE account_id = $1 AND counter_key = ANY ($2::text[])`

const put = `INSERT INTO apportion.counters (account_id, counter_key, count)
  SELECT $1::text, c.counter_key, c.count
  FROM unnest($2::text[], $3::text[]::bigint[]) AS c (counter_key, count)
  ON CONFLICT (account_id, counter_key) DO UPDATE SET count = excluded.count`

const list = `SELECT counter_key, count FROM apportion.counters
  WHERE account_id = $1 ORDER BY counter_key OFFSET $2 LIMIT $3`

const total = "SELECT count(*) AS total FROM apportion.counters WHERE account_id = $1"

const read = (row: Row): StoredCounter => ({
  key: textOf(row, "counter_key"),
  count: wholeOf(row, "count"),
})

/** The store of counters within one transaction. */
export const make = (session: Session): CounterStore => ({
  find: (keys) =>
    keys.length === 0
      ? Effect.succeed([])
      : Effect.map(session.read("read counters", find, [texts(keys)]), (rows) => rows.map(read)),
  put: (counters) => {
    if (counters.length === 0) return Effect.void
    const fields = [
      texts(counters.map(({ key }) => key)),
      wholes(counters.map(({ count }) => count)),
    ]
    return Effect.asVoid(session.write("store counters", put, fields))
  },
  list: ({ offset, limit }) =>
    Effect.gen(function* () {
      const [counted] = yield* session.read("count the counters", total)
      const rows = yield* session.read("list counters", list, [whole(offset), whole(limit)])
      return {
        entries: rows.map(read),
        total: counted === undefined ? 0 : wholeOf(counted, "total"),
      }
    }),
})
