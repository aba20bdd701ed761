/** What a failure of the database means to those who asked a store. */
import type { SqlError } from "effect/sql/SqlError"
import { Conflict, type StorageError, StorageFailure } from "../../ports/StorageError.js"

/** Somebody else was first, or had to be waited for too long: run again, the transaction can succeed. */
const conflicts: ReadonlySet<string> = new Set([
  "SerializationError",
  "DeadlockError",
  "LockTimeoutError",
  "UniqueViolation",
])

/** The error of a store for an error of the database. */
export const storageErrorOf = (doing: string, error: SqlError): StorageError => {
  if (!conflicts.has(error.reason._tag)) return StorageFailure.of(doing, error)
  const message = `could not ${doing}: somebody else changed the same at the same time`
  return new Conflict({ what: doing, id: "", message })
}
