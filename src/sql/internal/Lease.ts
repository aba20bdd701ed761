/**
 * The connection on which the client's transaction service runs a transaction of ours, from its BEGIN to its end. What
 * begins and ends it is not waited for without end, leaves no transaction open behind it, and gives the connection
 * back as soon as it is over.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { within } from "./Session.js"

/** How far the transaction is. */
type Phase = "before" | "at work" | "keep" | "take back" | "over"

/** The results of one method of a connection. */
type Asked<A> = Effect.Effect<A, SqlError>

const isOver = new SqlError({
  reason: new ConnectionError({
    cause: "the transaction is over",
    message: "the transaction is over, and its connection may be another one's by now",
    operation: "query",
  }),
})

const wasCancelled = ({ reason }: SqlError): boolean => reason._tag === "StatementTimeoutError"

const isRollback = (statement: string): boolean => /^\s*rollback\s*$/i.test(statement)

/** What a lease is made of. */
export interface LeaseOptions {
  /** How long an answer is waited for; `undefined`: without end. */
  readonly patience: Duration.Duration | undefined
  /** Done when the transaction has begun. */
  readonly onBegin: Effect.Effect<void>
  /** Gives the connection back; done twice it does nothing. */
  readonly giveBack: Effect.Effect<void>
}

/** The connection of one transaction. */
export class Lease {
  /** What the client is given. The host's own statements run on it too, and are waited for as the client does it. */
  readonly connection: Connection
  readonly #real: Connection
  readonly #options: LeaseOptions
  #phase: Phase = "before"

  constructor(real: Connection, options: LeaseOptions) {
    this.#real = real
    this.#options = options
    this.connection = this.#guarded()
  }

  /** Says that the work is done, and whether what it did is kept: what comes now ends the transaction. */
  end(isKept: boolean): void {
    this.#phase = isKept ? "keep" : "take back"
  }

  #guarded(): Connection {
    const real = this.#real
    const rows: ReadonlyArray<never> = []
    return {
      execute: (statement, parameters, transform) =>
        this.#ask(statement, rows, () => real.execute(statement, parameters, transform)),
      executeRaw: (statement, parameters) =>
        this.#ask<unknown>(statement, rows, () => real.executeRaw(statement, parameters)),
      executeValues: (statement, parameters) =>
        this.#ask(statement, rows, () => real.executeValues(statement, parameters)),
      executeValuesUnprepared: (statement, parameters) =>
        this.#ask(statement, rows, () => real.executeValuesUnprepared(statement, parameters)),
      executeUnprepared: (statement, parameters, transform) =>
        this.#ask(statement, rows, () => real.executeUnprepared(statement, parameters, transform)),
      executeStream: (statement, parameters, transform) =>
        Stream.suspend(() =>
          this.#phase === "at work"
            ? real.executeStream(statement, parameters, transform)
            : Stream.fail(isOver),
        ),
    }
  }

  #ask<A>(statement: string, nothing: A, ask: () => Asked<A>): Asked<A> {
    return Effect.suspend(() => {
      switch (this.#phase) {
        case "at work":
          return ask()
        case "before":
          return this.#begin(ask())
        case "keep":
          return Effect.ensuring(
            Effect.tapError(within(ask(), this.#options.patience), () => this.#rollback),
            this.#leave,
          )
        case "take back":
          return Effect.ensuring(Effect.as(this.#rollback, nothing), this.#leave)
        case "over":
          // The client may take back once more what could not be kept.
          return isRollback(statement) ? Effect.succeed(nothing) : Effect.fail(isOver)
      }
    })
  }

  /** A BEGIN of which nobody knows whether it had an effect must not be left to who has the connection next. */
  #begin<A>(asked: Asked<A>): Asked<A> {
    return within(asked, this.#options.patience).pipe(
      Effect.tap(() => {
        this.#phase = "at work"
        return this.#options.onBegin
      }),
      Effect.tapError(() => this.#rollback),
    )
  }

  /**
   * A connection that can't even roll back is lost, and its transaction with it. But what was to cancel an
   * earlier statement may come late and cancel this one instead: then the connection goes on, and is asked again.
   */
  get #rollback(): Effect.Effect<void> {
    const asked = this.#real.executeUnprepared("ROLLBACK", [], undefined)
    return Effect.ignore(
      Effect.retry(within(asked, this.#options.patience), { while: wasCancelled, times: 3 }),
    )
  }

  get #leave(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#phase = "over"
      return this.#options.giveBack
    })
  }
}
