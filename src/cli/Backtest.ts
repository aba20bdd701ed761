/** What a backtest found, as plain data: the forms of the output are made of it. */
import type { Explanation } from "../shares/Explanation.js"
import type { Who } from "./BacktestAmounts.js"

/** The names of the inputs that one side was split by. */
export interface Rules {
  readonly groups: string
  /** `null`: the policy's defaults. */
  readonly policy: string | null
}

/** An amount under both sides, in the currency's lowest unit. */
export interface Change {
  readonly before: bigint
  readonly after: bigint
  readonly difference: bigint
}

/** What one gets in one currency; the store has no id. */
export interface Total extends Change {
  readonly collaboratorId: Who
  readonly currency: string
}

/** The same of the orders of one month. */
export interface Row extends Total {
  /** As `2025-12`; `null`: of the orders without a time. */
  readonly month: string | null
}

/** An order that comes out otherwise, with the explanation of the items that do. */
export interface ChangedOrder {
  readonly orderId: string
  readonly line: number
  readonly currency: string
  readonly month: string | null
  /** Those who get more or less of it, the biggest difference first. */
  readonly changes: ReadonlyArray<Total & { readonly collaboratorId: string }>
  readonly isRefunded: boolean
  readonly before: Explanation
  readonly after: Explanation
}

/** An order that only one side could split. */
export interface RefusedOrder {
  readonly orderId: string
  readonly line: number
  readonly currency: string
  /** The side that refused it. */
  readonly by: "before" | "after"
  readonly error: { readonly _tag: string; readonly message: string }
  /** What the other side gives to collaborators, and what the store keeps. */
  readonly shares: bigint
  readonly store: bigint
}

/** How many orders there were, and what became of them. */
export interface Counts {
  readonly orders: number
  /** Split by both sides. */
  readonly compared: number
  /** Of the compared, those of which a collaborator gets more or less. */
  readonly changed: number
  readonly refusedByBefore: number
  readonly refusedByAfter: number
  readonly refusedByBoth: number
  /** Could not be read, so that neither side was asked. */
  readonly unreadable: number
}

export interface Backtest {
  readonly before: Rules
  readonly after: Rules
  readonly timeZone: string
  /** What collaborators are called, by their ids; `undefined`: by their ids. */
  readonly names?: ReadonlyMap<string, string> | undefined
  /** Whether everyone for whom something changes is shown to people. */
  readonly isAll: boolean
  readonly counts: Counts
  readonly rows: ReadonlyArray<Row>
  readonly totals: ReadonlyArray<Total>
  readonly biggest: ReadonlyArray<ChangedOrder>
  /** The first of them; all are counted. */
  readonly refused: ReadonlyArray<RefusedOrder>
}
