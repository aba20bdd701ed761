/** What a failure of the database means to those who asked a store. */
import * as Predicate from "effect/Predicate"
import type { SqlError } from "effect/sql/SqlError"
import { Conflict, type StorageError, StorageFailure } from "../../ports/StorageError.js"

/** Somebody else was first, or had to be waited for too long: run again, the transaction can succeed. */
const conflicts: ReadonlySet<string> = new Set([
  "SerializationError",
  "DeadlockError",
  "LockTimeoutError",
  "UniqueViolation",
])

/** What the schema calls the rule that all ids of a row fit into its indexes. */
const idsAreShort = "ids_are_short"

/** Whether the database refused an id because it is too long. Asking again would be of no use. */
const isAboutLongId = ({ reason }: SqlError): boolean =>
  Predicate.hasProperty(reason.cause, "constraint") && reason.cause.constraint === idsAreShort

/** The error of a store for an error of the database. */
export const storageErrorOf = (doing: string, error: SqlError): StorageError => {
  if (isAboutLongId(error)) {
    const message = `storage failed: could not ${doing}: an id is longer than the database can hold, which is 500 bytes`
    return new StorageFailure({ doing, cause: error, message })
  }
  if (!conflicts.has(error.reason._tag)) return StorageFailure.of(doing, error)
  const message = `could not ${doing}: somebody else changed the same at the same time`
  return new Conflict({ what: doing, id: "", message })
}
