/** What PostgreSQL's codes of errors mean, for a client that gets them bare. */
import {
  AuthenticationError,
  AuthorizationError,
  ConnectionError,
  ConstraintError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  type SqlErrorReason,
  SqlSyntaxError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError,
} from "effect/sql/SqlError"

interface About {
  readonly cause: unknown
  readonly message: string
  readonly operation: string
}

type Reason = (about: About) => SqlErrorReason

const exactly: Readonly<Record<string, Reason>> = {
  "40001": (about) => new SerializationError(about),
  "40P01": (about) => new DeadlockError(about),
  "42501": (about) => new AuthorizationError(about),
  "55P03": (about) => new LockTimeoutError(about),
  "57014": (about) => new StatementTimeoutError(about),
}

const byClass: Readonly<Record<string, Reason>> = {
  "08": (about) => new ConnectionError(about),
  "23": (about) => new ConstraintError(about),
  "28": (about) => new AuthenticationError(about),
  "42": (about) => new SqlSyntaxError(about),
}

const fieldOf = (error: unknown, name: string): string => {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined
  return typeof value === "string" ? value : ""
}

/** The reason of an error that a database threw. */
export const reasonOf = (cause: unknown): SqlErrorReason => {
  const code = fieldOf(cause, "code")
  const about = { cause, message: fieldOf(cause, "message") || String(cause), operation: "query" }
  if (code === "23505") {
    return new UniqueViolation({ ...about, constraint: fieldOf(cause, "constraint") || "unknown" })
  }
  const reason = exactly[code] ?? byClass[code.slice(0, 2)]
  return reason?.(about) ?? new UnknownError(about)
}
