/**
 * Golden cases: worked examples as JSON data, each with one line that says what it shows.
 */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Order, ProductGroup, SplitPolicy } from "apportion"
import type { OracleRefund } from "../oracle/Oracle.js"

/** What is expected of one part of an answer: the fields that matter to the case. */
export type Expected = Readonly<Record<string, unknown>>

export interface GoldenCase {
  readonly shows: string
  readonly groups: ReadonlyArray<ProductGroup.GroupInput>
  readonly policy?: Partial<SplitPolicy.SplitPolicy>
  readonly order: Order.Order
  readonly refunds?: ReadonlyArray<OracleRefund>
  readonly expected: {
    /** Every share there is, in any order. */
    readonly shares?: ReadonlyArray<Expected>
    /** What is left to the store of every item. */
    readonly store?: ReadonlyArray<Expected>
    readonly items?: ReadonlyArray<Expected>
    readonly outranked?: ReadonlyArray<Expected>
    /** One for each refund: what it takes back, or the error that refuses it (`refused`: any error). */
    readonly reversals?: ReadonlyArray<Expected & { readonly shares?: ReadonlyArray<Expected> }>
    readonly error?: string
    readonly itemId?: string
    readonly exceeded?: string
    readonly distributable?: number
    readonly claims?: ReadonlyArray<Expected>
  }
}

export interface GoldenFile {
  /** Its place below this folder, as `matching/links`. */
  readonly name: string
  readonly cases: ReadonlyArray<GoldenCase>
}

const here = fileURLToPath(new URL(".", import.meta.url))

/** Every golden file, by name. */
export const goldenFiles = (): ReadonlyArray<GoldenFile> =>
  readdirSync(here, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .sort()
    .map((path) => ({
      name: path.replace(/\.json$/, "").replaceAll("\\", "/"),
      cases: JSON.parse(readFileSync(`${here}${path}`, "utf8")),
    }))
