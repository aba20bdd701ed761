/**
 * Waiting for a server that may never answer, because the network to it is gone and nobody says so. Who gives
 * up loses the connection with that, and with it the transaction.
 */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

/** What transactions need of a connection. */
export type Asking = Pick<Connection, "execute" | "executeUnprepared">

const noAnswer = new SqlError({
  reason: new ConnectionError({
    cause: "no answer came in time",
    message: "no answer came in time, and nobody knows whether the statement had an effect",
    operation: "query",
  }),
})

/** The network goes by the real time, whatever clock the work goes by. */
const realTime = Clock.Clock.defaultValue()

/** Fails when something is not done in time; `undefined`: nothing is in between, so it is waited for. */
export const within = <A, E, R>(
  asked: Effect.Effect<A, E, R>,
  patience: Duration.Duration | undefined,
): Effect.Effect<A, E | SqlError, R> =>
  patience === undefined
    ? asked
    : Effect.provideService(
        Effect.timeoutOrElse(asked, { duration: patience, orElse: () => Effect.fail(noAnswer) }),
        Clock.Clock,
        realTime,
      )

/** A connection whose answers are not waited for without end. */
export const asking = (
  connection: Connection,
  patience: Duration.Duration | undefined,
): Asking => ({
  execute: (statement, parameters, transform) =>
    within(connection.execute(statement, parameters, transform), patience),
  executeUnprepared: (statement, parameters, transform) =>
    within(connection.executeUnprepared(statement, parameters, transform), patience),
})
