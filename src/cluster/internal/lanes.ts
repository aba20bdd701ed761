/**
 * Lanes: what an account has to do of one kind. Its jobs go one after the other, in turns of limited length, so that an
 * account has one runner at most for each kind, and others are next after a moment. A turn is numbered and its steps
 * are too: who notes a step that was noted already, or one of an earlier turn, has his transaction taken back. That each
 * step has its effect once rests on this alone, whoever believes to be the one to carry it out.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { fromOrdered, toOrdered } from "../../internal/orderedText.js"
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
  accountId: fromOrdered(account_id),
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
    // Each kind is looked up by itself: many lanes of one kind must not be gone through to find those of another.
    `WITH room AS (
      SELECT greatest(0, $1::bigint - count(*)) AS lanes FROM apportion_cluster.lanes
      WHERE is_active AND kind IN (${listOf(kinds)})
    ), longest AS (
      SELECT waiting.account_id, waiting.kind FROM unnest(ARRAY[${listOf(kinds)}]) AS known (kind)
      CROSS JOIN LATERAL (
        SELECT account_id, kind, wake_at FROM apportion_cluster.lanes
        WHERE lanes.kind = known.kind AND NOT is_active AND wake_at <= clock_timestamp()
        ORDER BY wake_at LIMIT (SELECT lanes FROM room)) AS waiting
      ORDER BY waiting.wake_at LIMIT (SELECT lanes FROM room)
    ), next AS (
      SELECT lanes.account_id, lanes.kind FROM apportion_cluster.lanes JOIN longest USING (account_id, kind)
      WHERE NOT is_active AND wake_at IS NOT NULL FOR UPDATE OF lanes SKIP LOCKED
    )
    UPDATE apportion_cluster.lanes SET
      turn = turn + 1, step = 0, is_active = true, wake_at = NULL, moved_at = clock_timestamp()
    FROM next WHERE lanes.account_id = next.account_id AND lanes.kind = next.kind
    RETURNING lanes.account_id, lanes.kind, turn::float8 AS turn`,
    [mostActive],
  )

/** Begins new turns in place of those of which nobody has told for some time that they are alive. */
export const replaceStuck = (
  sql: SqlClient,
  seconds: number,
): Effect.Effect<ReadonlyArray<LaneTurn>, SqlError> =>
  turns(
    sql,
    `WITH stuck AS (
      SELECT account_id, kind FROM apportion_cluster.lanes
      WHERE is_active AND moved_at < clock_timestamp() - make_interval(secs => $1::float8)
      ORDER BY account_id, kind FOR UPDATE SKIP LOCKED
    )
    UPDATE apportion_cluster.lanes SET
      turn = turn + 1, step = 0, losses = greatest(losses, 1), moved_at = clock_timestamp()
    FROM stuck WHERE lanes.account_id = stuck.account_id AND lanes.kind = stuck.kind
    RETURNING lanes.account_id, lanes.kind, turn::float8 AS turn`,
    [seconds],
  )

const given = `json_to_recordset($1::json)
  AS given (account_id text, kind text, turn bigint, is_alive boolean)`

/** A turn of a runner, and whether something is done for it there. */
export interface KnownTurn extends LaneTurn {
  readonly isAlive: boolean
}

/**
 * Tells which turns are alive, and gives those that are over, or that somebody else's turn has taken the place of. A lane
 * that is locked is being worked on, or belongs to a connection that the database will give up.
 */
export const tellAlive = (
  sql: SqlClient,
  held: ReadonlyArray<KnownTurn>,
): Effect.Effect<ReadonlyArray<LaneTurn>, SqlError> =>
  turns(
    sql,
    `WITH given AS (SELECT * FROM ${given}), alive AS (
      SELECT lanes.account_id, lanes.kind FROM apportion_cluster.lanes JOIN given USING (account_id, kind, turn)
      WHERE is_alive AND is_active ORDER BY account_id, kind FOR UPDATE OF lanes SKIP LOCKED
    ), told AS (
      UPDATE apportion_cluster.lanes SET moved_at = clock_timestamp()
      FROM alive WHERE lanes.account_id = alive.account_id AND lanes.kind = alive.kind
    )
    SELECT account_id, kind, given.turn::float8 AS turn
    FROM given LEFT JOIN apportion_cluster.lanes USING (account_id, kind)
    WHERE lanes.turn IS DISTINCT FROM given.turn OR NOT lanes.is_active`,
    [
      JSON.stringify(
        held.map(({ accountId, kind, turn, isAlive }) => ({
          ...{ account_id: toOrdered(accountId), kind, turn, is_alive: isAlive },
        })),
      ),
    ],
  )

const isTurn = "account_id = $1 AND kind = $2 AND turn = $3::bigint AND is_active"

/** What comes after a step: the next one, or another lane's turn. */
export type AfterStep = "more" | "over"

/**
 * Counts that a turn after one that was lost is about to carry out a job: kept before it begins, so that it stays where its
 * runner ends. Turns that were lost before they came to that, as in a cluster that is being restarted, are no fault of a job.
 */
export const countLoss = (
  sql: SqlClient,
  { accountId, kind, turn }: LaneTurn,
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(
    sql.unsafe(
      `UPDATE apportion_cluster.lanes SET losses = losses + 1 WHERE ${isTurn} AND losses > 0`,
      [toOrdered(accountId), kind, turn],
    ),
  )

/** For how long a transaction of a step may be silent: as long as a runner's locks last that says nothing. */
const silentSeconds = 10

/** Where a step stands before it is carried out. */
export interface BeforeStep {
  /** What comes after it when it was noted already; `undefined`: it was not. */
  readonly after: AfterStep | undefined
  /** Above 0 after a turn was lost; counted up with each one that did not end since then. */
  readonly losses: number
}

/**
 * Where a step stands. It may have been noted by another runner, or before this one was interrupted: whoever comes late
 * goes on from there, so that a turn goes on as long as one of them does.
 */
export const before = (
  sql: SqlClient,
  { accountId, kind, turn }: LaneTurn,
  step: number,
): Effect.Effect<BeforeStep, SqlError> =>
  Effect.map(
    sql.unsafe<{ is_noted: boolean; losses: number }>(
      // Who is cut off from the database within the transaction must not keep its locks for longer.
      `SELECT step >= $4::bigint AS is_noted, losses${
        sql.driver === "pglite"
          ? ""
          : `,
        set_config('idle_in_transaction_session_timeout', '${silentSeconds}s', true)`
      }
        FROM apportion_cluster.lanes WHERE ${isTurn}`,
      [toOrdered(accountId), kind, turn, step],
    ),
    ([lane]) => ({
      after: lane === undefined ? "over" : lane.is_noted ? "more" : undefined,
      losses: lane?.losses ?? 0,
    }),
  )

/** Notes that a step of a turn is done, in the transaction of its effect; `undefined`: it was noted already. */
export const advance = Effect.fnUntraced(function* (
  sql: SqlClient,
  { accountId, kind, turn }: LaneTurn,
  { step, sliceMillis }: { readonly step: number; readonly sliceMillis: number },
): Effect.fn.Return<AfterStep | undefined, SqlError> {
  const lane = [toOrdered(accountId), kind, turn]
  const [moved] = yield* sql.unsafe<{ is_over: boolean }>(
    `UPDATE apportion_cluster.lanes SET step = step + 1, losses = 0, moved_at = clock_timestamp(),
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
    [toOrdered(accountId), kind],
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
      [toOrdered(accountId), kind, turn, seconds],
    ),
  )
