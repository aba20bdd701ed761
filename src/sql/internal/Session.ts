import * as Effect from "effect/Effect"
import type { TransactionMode } from "../../ports/Storage.js"
import { Conflict, type StorageError, StorageFailure } from "../../ports/StorageError.js"
import { type Parameter, type Row, text } from "./rows.js"
import type { Asking } from "./sqlErrors.js"
import { storageErrorOf } from "./sqlErrors.js"

/** Who changes what. */
export interface SessionOptions {
  readonly accountId: string
  readonly mode: TransactionMode
  readonly actor: string
}

/** One transaction as its stores see it: every statement goes through it. */
export class Session {
  readonly accountId: string
  readonly actor: string
  readonly #connection: Asking
  readonly #mode: TransactionMode
  #isOver = false
  #failure: StorageError | undefined
  #aborted: StorageError | undefined
  readonly #account: string

  constructor(connection: Asking, { accountId, mode, actor }: SessionOptions) {
    this.#connection = connection
    this.#mode = mode
    this.#account = text(accountId)
    this.accountId = accountId
    this.actor = actor
  }

  /** The first thing that went wrong: whatever the work makes of it, nothing may be kept. */
  get failure(): StorageError | undefined {
    return this.#failure
  }

  /** From here on no store can be used. */
  end(): void {
    this.#isOver = true
  }

  /** Runs a statement that only reads. The first parameter is the account's id. */
  read(
    doing: string,
    statement: string,
    parameters: ReadonlyArray<Parameter> = [],
  ): Effect.Effect<ReadonlyArray<Row>, StorageError> {
    return this.#run({ doing, mode: "read" }, statement, parameters)
  }

  /** Runs a statement that writes. The first parameter is the account's id. */
  write(
    doing: string,
    statement: string,
    parameters: ReadonlyArray<Parameter> = [],
  ): Effect.Effect<ReadonlyArray<Row>, StorageError> {
    return this.#run({ doing, mode: "write" }, statement, parameters)
  }

  /** Ends in a conflict, which nothing of the transaction outlives. */
  conflict(what: string, id: string): Effect.Effect<never, Conflict> {
    return Effect.suspend(() => {
      const conflict = Conflict.of(what, id)
      this.#failure ??= conflict
      return Effect.fail(conflict)
    })
  }

  #run(
    { doing, mode }: { readonly doing: string; readonly mode: TransactionMode },
    statement: string,
    parameters: ReadonlyArray<Parameter>,
  ): Effect.Effect<ReadonlyArray<Row>, StorageError> {
    return Effect.suspend(() => {
      const refusal = this.#refusal(doing, mode)
      if (refusal !== undefined) return Effect.fail(refusal)
      const all = [this.#account, ...parameters]
      return this.#connection.execute(statement, all, undefined).pipe(
        Effect.mapError((error) => this.#abort(storageErrorOf(doing, error))),
        // Nobody knows how far it came, and the work may go on without it.
        Effect.onInterrupt(() =>
          Effect.sync(() => this.#abort(StorageFailure.of(doing, "it was interrupted"))),
        ),
      )
    })
  }

  #abort(error: StorageError): StorageError {
    this.#aborted ??= error
    this.#failure ??= error
    return error
  }

  #refusal(doing: string, mode: TransactionMode): StorageError | undefined {
    if (this.#isOver) return StorageFailure.of(doing, "the transaction is over")
    if (mode === "write" && this.#mode === "read") {
      return StorageFailure.of(doing, "the transaction only reads")
    }
    // The database does nothing more in a transaction in which a statement failed.
    return this.#aborted
  }
}
