/** What is packed in rows, with payouts by their ids: their numbers are drawn, and others in each database. */
import { unpack } from "../../src/sql/internal/Unpacker.js"

const columns = /"(packed|postings)": ?"\\\\x([0-9a-f]+)"/g

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What was packed, with each name of a payout made another one: those of postings, and those in an event. */
const renamed = (value: unknown, isPostings: boolean, rename: (name: unknown) => unknown) => {
  if (isPostings && Array.isArray(value)) {
    return value.map((one) =>
      isFields(one) ? { ...one, payoutId: rename(one["payoutId"]) } : rename(one),
    )
  }
  const data = isFields(value) ? value["data"] : undefined
  if (!isFields(value) || !isFields(data) || !Array.isArray(data["payoutIds"])) return value
  return { ...value, data: { ...data, payoutIds: data["payoutIds"].map(rename) } }
}

const mapped = (row: string, rename: (name: unknown) => unknown): string =>
  row.replace(columns, (_all, name: string, packed: string) =>
    JSON.stringify({ [name]: renamed(unpack(packed), name === "postings", rename) }).slice(1, -1),
  )

/** The numbers of payouts that rows in JSON name. */
export const numbersIn = (rows: ReadonlyArray<string>): ReadonlyArray<number> => {
  const numbers = new Set<number>()
  for (const row of rows) {
    mapped(row, (name) => (typeof name === "number" ? numbers.add(name) : name))
  }
  return [...numbers]
}

/** A row in JSON with what is packed in it, and the ids of the payouts that it names. */
export const withPayoutIds = (row: string, ids: ReadonlyMap<number, string>): string =>
  mapped(row, (name) => (typeof name === "number" ? (ids.get(name) ?? name) : name))

/** The ids of payouts with the numbers $1. */
export const payoutsByNumber =
  "SELECT number, payout_id FROM apportion.payouts WHERE number = ANY ($1::text[]::integer[])"

/** What that gives. */
export interface NumberedPayout {
  readonly number: number
  readonly payout_id: string
}

export const idsOf = (rows: ReadonlyArray<NumberedPayout>): ReadonlyMap<number, string> =>
  new Map(rows.map(({ number, payout_id }) => [number, payout_id] as const))
