/**
 * Accounts that are copies of another one, and all that an account has in the database: so each trial has an
 * account of its own that was made once.
 */
import { gunzipSync } from "node:zlib"
import { Effect } from "effect"
import type { SqlClient, SqlConnection, SqlError } from "effect/sql"
import {
  idsOf,
  type NumberedPayout,
  numbersIn,
  payoutsByNumber,
  withPayoutIds,
} from "../PayoutNames.js"

interface Table {
  readonly name: string
  readonly columns: string
}

/** Digests of what sales are found by are others in each account. */
const tables = `SELECT quote_ident(c.relname) AS name,
    string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'apportion'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> 'migrations' AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'account_id'
    AND NOT (c.relname = 'sale_parts' AND a.attname LIKE 'subject_%')
  GROUP BY c.relname ORDER BY c.relname`

/** Tables that name payouts by numbers, which no two have; the copy of a payout has one of its own. */
const numbered = new Set(["payout_ledger", "payout_replacements", "payout_states"])

const isDrawn = (name: string, column: string): boolean => name === "payouts" && column === "number"

const copied = ({ name, columns }: Table): string =>
  columns
    .split(", ")
    .filter((column) => !isDrawn(name, column) && !(numbered.has(name) && column === "payout"))
    .join(", ")

/** The rows of such a table, with the payout that they name. */
const rowsWithPayout = ({ name, columns }: Table, account: string): string =>
  `(SELECT p.payout_id AS of_payout, ${columns
    .split(", ")
    .map((column) => `t.${column}`)
    .join(", ")}
    FROM apportion.${name} t JOIN apportion.payouts p ON p.number = t.payout
    WHERE p.account_id = ${account}) AS r`

const copyNumbered = (table: Table): string => {
  const columns = copied(table)
  const isState = table.name === "payout_states"
  const named = isState ? "account_id, " : ""
  const account = isState ? "CASE WHEN r.version = 1 THEN target END, " : ""
  const values = columns
    .split(", ")
    .map((column) => `r.${column}`)
    .join(", ")
  return `INSERT INTO apportion.${table.name} (payout, ${named}${columns})
        SELECT o.number, ${account}${values} FROM ${rowsWithPayout(table, "source")}
        JOIN apportion.payouts o ON o.account_id = target AND o.payout_id = r.of_payout;`
}

const makeCopy = (all: ReadonlyArray<Table>): string => {
  const whole = all.filter(({ name }) => !numbered.has(name))
  const copies = whole
    .map((table) => ({ name: table.name, columns: copied(table) }))
    .map(
      ({ name, columns }) =>
        `INSERT INTO apportion.${name} (account_id, ${columns})
        SELECT target, ${columns} FROM apportion.${name} WHERE account_id = source;`,
    )
  return `CREATE OR REPLACE FUNCTION public.copy_account(source text, target text) RETURNS void
    LANGUAGE plpgsql SET session_replication_role TO replica AS $$
    BEGIN ${[...copies, ...all.filter(({ name }) => numbered.has(name)).map(copyNumbered)].join("\n")} END $$`
}

/**
 * What is another after each fault: an event's position, because a sequence passes over what was not kept, and the hash of
 * a history, because it covers ids that were made by chance. An audit looks at those.
 */
const chance: Readonly<Record<string, string>> = {
  new_events: "position",
  payouts: "history_hash",
  payout_history: "hash",
  payout_ledger: "hash",
}

const shownColumns = ({ name, columns }: Table): string =>
  columns
    .split(", ")
    .filter((column) => column.replaceAll('"', "") !== chance[name] && !isDrawn(name, column))
    .map((column) => (numbered.has(name) && column === "payout" ? "of_payout" : column))
    .join(", ")

const makePicture = (all: ReadonlyArray<Table>): string => {
  const rows = all.map(
    (table) =>
      `RETURN QUERY SELECT '${table.name} ' || row_to_json(r)::text
        FROM (SELECT ${shownColumns(table)} FROM ${
          numbered.has(table.name)
            ? rowsWithPayout(table, "account")
            : `apportion.${table.name} WHERE account_id = account`
        }) r;`,
  )
  return `CREATE OR REPLACE FUNCTION public.picture_of(account text) RETURNS SETOF text
    LANGUAGE plpgsql AS $$ BEGIN ${rows.join("\n")} END $$`
}

/** Makes what copies and pictures are made with. */
export const prepare = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const all = yield* sql.unsafe<Table>(tables)
    yield* sql.unsafe(makeCopy(all))
    yield* sql.unsafe(makePicture(all))
  })

/** Makes an account that has all that another one has. */
export const copy = (sql: SqlClient.SqlClient, source: string, target: string) =>
  sql.unsafe("SELECT public.copy_account($1, $2)", [source, target])

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Texts with ids that were made by chance called by their places: two are alike when only those differ. */
export const renamed = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = new Map<string, string>()
  const nameOf = (id: string): string => {
    const name = names.get(id) ?? `#${names.size + 1}`
    names.set(id, name)
    return name
  }
  const shape = (line: string) => line.replace(uuid, "#")
  return lines
    .toSorted((a, b) => (shape(a) < shape(b) ? -1 : 1))
    .map((line) => line.replace(uuid, nameOf))
    .sort()
}

/** Revisions grow by chance, too: they stand for what is the same since the beginning, and what is later. */
const revision = /("groups_revision":)(\d+)/

/** Long answers are stored compressed, and sales packed, which would hide the ids in them. */
const unpacked = (row: string, ids: ReadonlyMap<number, string>): string =>
  withPayoutIds(
    row.replace(/"gzip:([\w+/=]+)"/g, (_all, packed: string) =>
      JSON.stringify(gunzipSync(Buffer.from(packed, "base64")).toString()),
    ),
    ids,
  )

/** All that an account has, in one text: two accounts are alike when their texts are. */
export type Picture = string

const pictureOf = ({ rows, ids }: AccountRows, earliest: string): Picture =>
  renamed(
    rows.map((row) =>
      unpacked(row, ids).replace(revision, (_all, name: string, value: string) =>
        value === earliest ? `${name}"unchanged"` : `${name}"changed"`,
      ),
    ),
  ).join("\n")

const picture = "SELECT public.picture_of($1) AS row"

/** The rows of an account, and the ids of the payouts that they name by number. */
interface AccountRows {
  readonly rows: ReadonlyArray<string>
  readonly ids: ReadonlyMap<number, string>
}

const readRows = Effect.fnUntraced(function* (
  connection: Pick<SqlConnection.Connection, "execute">,
  account: string,
): Effect.fn.Return<AccountRows, SqlError.SqlError> {
  const found: ReadonlyArray<{ readonly row: string }> = yield* connection.execute(
    picture,
    [account],
    undefined,
  )
  const rows = found.map(({ row }) => row)
  const numbers = numbersIn(rows)
  const payouts: ReadonlyArray<NumberedPayout> =
    numbers.length === 0
      ? []
      : yield* connection.execute(payoutsByNumber, [numbers.map(String)], undefined)
  return { rows, ids: idsOf(payouts) }
})

/** Takes pictures of an account from now on. */
export interface Camera {
  readonly take: Effect.Effect<Picture>
  /** The same as a connection sees it. */
  readonly takeOn: (connection: SqlConnection.Connection) => Effect.Effect<Picture>
}

/** A camera that knows the account as it is now. */
export const camera = (sql: SqlClient.SqlClient, account: string): Effect.Effect<Camera> =>
  Effect.gen(function* () {
    const ask = {
      execute: (statement: string, values: ReadonlyArray<unknown>) => sql.unsafe(statement, values),
    }
    const read = (connection: Pick<SqlConnection.Connection, "execute">) =>
      Effect.orDie(readRows(connection, account))
    const first = yield* read(ask)
    const known = first.rows.flatMap((row) => revision.exec(row)?.[2] ?? [])
    const [earliest = "0"] = known
    return {
      take: Effect.map(read(ask), (rows) => pictureOf(rows, earliest)),
      takeOn: (connection) => Effect.map(read(connection), (rows) => pictureOf(rows, earliest)),
    }
  })
