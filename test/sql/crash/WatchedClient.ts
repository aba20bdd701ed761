/** A client whose statements are told of: when one is sent, and when its answer has come. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** What a statement is to its transaction. */
export type StatementKind = "begin" | "commit" | "rollback" | "statement"

export interface Watcher {
  /** Before it is sent. */
  readonly sending: (kind: StatementKind) => void
  /** Its answer has come, which may be that it failed. */
  readonly answered: (kind: StatementKind) => void
}

export const kindOf = (statement: string): StatementKind => {
  const [first] = statement.trim().toLowerCase().split(/\s/)
  return first === "begin" || first === "commit" || first === "rollback" ? first : "statement"
}

const methods = new Set([
  ...["execute", "executeRaw", "executeUnprepared"],
  ...["executeValues", "executeValuesUnprepared"],
])

/** Something of which one member after the other is looked at before it is given away. */
const replacing = <A extends object>(
  target: A,
  replace: (name: string | symbol, member: unknown) => unknown,
): A =>
  new Proxy(target, {
    get: (of, name): unknown => replace(name, Reflect.get(of, name)),
  })

const watchedConnection = <C extends object>(connection: C, watcher: Watcher): C =>
  replacing(connection, (name, member) => {
    if (typeof member !== "function" || !methods.has(String(name))) return member
    return (statement: string, ...rest: ReadonlyArray<unknown>) =>
      Effect.suspend(() => {
        const kind = kindOf(statement)
        watcher.sending(kind)
        const asked: Effect.Effect<unknown, unknown> = Reflect.apply(member, connection, [
          statement,
          ...rest,
        ])
        return Effect.onExit(asked, () => Effect.sync(() => watcher.answered(kind)))
      })
  })

/** A client of which the statements in transactions are watched. */
export const watchedClient = (sql: SqlClient.SqlClient, watcher: Watcher): SqlClient.SqlClient =>
  replacing(sql, (name, member) =>
    name === "reserve"
      ? Effect.map(sql.reserve, (connection) => watchedConnection(connection, watcher))
      : member,
  )
