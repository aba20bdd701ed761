/**
 * Lanes: what an account has to do of one kind. Its jobs go one after the other, in turns of limited length, so that an
 * account has one runner at most for each kind, and others are next after a moment. A turn is numbered and its steps
 * are too: who notes a step that was noted already, or one of an earlier turn, has his transaction taken back. That each
 * step has its effect once rests on this alone, whoever believes to be the one to carry it out.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { JobKind } from "../Job.js"

/** A turn of a lane. */
export interface LaneTurn {
  readonly accountId: string
  readonly kind: string
  readonly turn: number
}

interface TurnRow {
  readonly account_id: string
  readonly kind: string
  readonly turn: number
}

const ofRow = ({ account_id, kind, turn }: TurnRow): LaneTurn => ({
  accountId: account_id,
  kind,
  turn,
})

const turns = (
  sql: SqlClient,
  statement: string,
  parameters: ReadonlyArray<unknown> = [],
): Effect.Effect<ReadonlyArray<LaneTurn>, SqlError> =>
  Effect.map(sql.unsafe<TurnRow>(statement, parameters), (rows) => rows.map(ofRow))

const listOf = (kinds: ReadonlyArray<JobKind>) => kinds.map((kind) => `'${kind}'`).join(", ")

/** Begins the next turn of lanes that wait, those first that wait the longest; at most so many are active. */
export const begin = (
  sql: SqlClient,
  kinds: ReadonlyArray<JobKind>,
  mostActive: number,
): Effect.Effect<ReadonlyArray<LaneTurn>, SqlError> =>
  turns(
    sql,
    `WITH next AS (
      SELECT account_id, kind FROM apportion_cluster.lanes
      WHERE NOT is_active AND wake_at <= clock_timestamp() AND kind IN (${listOf(kinds)})
      ORDER BY wake_at
      LIMIT greatest(0, $1::bigint - (SELECT count(*) FROM apportion_cluster.lanes
        WHERE is_active AND kind IN (${listOf(kinds)})))
      FOR UPDATE SKIP LOCKED
    )
    UPDATE apportion_cluster.lanes SET
      turn = turn + 1, step = 0, is_active = true, wake_at = NULL, moved_at = clock_timestamp()
    FROM next WHERE lanes.account_id = next.account_id AND lanes.kind = next.kind
    RETURNING lanes.account_id, lanes.kind, turn::float8 AS turn`,
    [mostActive],
  )

/** The turns that are under way. */
export const underWay = (sql: SqlClient): Effect.Effect<ReadonlyArray<LaneTurn>, SqlError> =>
  turns(
    sql,
    "SELECT account_id, kind, turn::float8 AS turn FROM apportion_cluster.lanes WHERE is_active",
  )

/** Begins new turns in place of those that have not moved for some time. */
export const replaceStuck = (
  sql: SqlClient,
  seconds: number,
): Effect.Effect<ReadonlyArray<LaneTurn>, SqlError> =>
  turns(
    sql,
    `UPDATE apportion_cluster.lanes SET turn = turn + 1, step = 0, moved_at = clock_timestamp()
      WHERE is_active AND moved_at < clock_timestamp() - make_interval(secs => $1::float8)
      RETURNING account_id, kind, turn::float8 AS turn`,
    [seconds],
  )

const isTurn = "account_id = $1 AND kind = $2 AND turn = $3::bigint AND is_active"

/** Whether a turn is the one that is under way; that it is alive is noted. */
export const isAlive = (
  sql: SqlClient,
  { accountId, kind, turn }: LaneTurn,
): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql.unsafe(
      `UPDATE apportion_cluster.lanes SET moved_at = clock_timestamp() WHERE ${isTurn} RETURNING turn`,
      [accountId, kind, turn],
    ),
    (rows) => rows.length > 0,
  )

/** What comes after a step: the next one, or another lane's turn. */
export type AfterStep = "more" | "over"

/**
 * What comes after a step that was noted already, by another runner or before this one was interrupted; `undefined`: it
 * was not. Whoever comes late goes on from there, so that a turn goes on as long as one of them does.
 */
export const noted = (
  sql: SqlClient,
  { accountId, kind, turn }: LaneTurn,
  step: number,
): Effect.Effect<AfterStep | undefined, SqlError> =>
  Effect.map(
    sql.unsafe<{ is_noted: boolean }>(
      `SELECT step >= $4::bigint AS is_noted FROM apportion_cluster.lanes WHERE ${isTurn}`,
      [accountId, kind, turn, step],
    ),
    ([lane]) => (lane === undefined ? "over" : lane.is_noted ? "more" : undefined),
  )

/** Notes that a step of a turn is done, in the transaction of its effect; `undefined`: it was noted already. */
export const advance = Effect.fnUntraced(function* (
  sql: SqlClient,
  { accountId, kind, turn }: LaneTurn,
  { step, sliceMillis }: { readonly step: number; readonly sliceMillis: number },
): Effect.fn.Return<AfterStep | undefined, SqlError> {
  const lane = [accountId, kind, turn]
  const [moved] = yield* sql.unsafe<{ is_over: boolean }>(
    `UPDATE apportion_cluster.lanes SET step = step + 1, moved_at = clock_timestamp(),
        began_at = CASE step WHEN 0 THEN clock_timestamp() ELSE began_at END
      WHERE ${isTurn} AND step = $4::bigint - 1
      RETURNING began_at < clock_timestamp() - make_interval(secs => $5::float8) AS is_over`,
    [...lane, step, sliceMillis / 1_000],
  )
  if (moved === undefined) return undefined
  // The row is locked from here on: whoever enqueues a job now waits, and wakes the lane afterwards.
  const [next] = yield* sql.unsafe<{ is_due: boolean }>(
    `SELECT due_at <= clock_timestamp() AS is_due FROM apportion_cluster.jobs
      WHERE account_id = $1 AND kind = $2 AND state = 'waiting' ORDER BY due_at, seq LIMIT 1`,
    [accountId, kind],
  )
  if (next?.is_due === true && !moved.is_over) return "more"
  yield* sql.unsafe(
    `UPDATE apportion_cluster.lanes SET is_active = false, wake_at = (
        SELECT CASE WHEN min(due_at) <= clock_timestamp() THEN clock_timestamp() ELSE min(due_at) END
        FROM apportion_cluster.jobs WHERE account_id = $1 AND kind = $2 AND state = 'waiting')
      WHERE ${isTurn}`,
    lane,
  )
  return "over"
})

/** Ends a turn that can't be carried out here; its lane wakes again after some seconds. */
export const leave = (
  sql: SqlClient,
  { accountId, kind, turn }: LaneTurn,
  seconds: number,
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(
    sql.unsafe(
      `UPDATE apportion_cluster.lanes SET is_active = false,
        wake_at = clock_timestamp() + make_interval(secs => $4::float8) WHERE ${isTurn}`,
      [accountId, kind, turn, seconds],
    ),
  )
