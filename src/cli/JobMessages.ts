/** What the threads of `split --jobs` say to each other. All of it is plain data. */
import type { StoppedData } from "./ExitCode.js"
import type { SalesFlags } from "./OrderInputs.js"
import type { Piece } from "./Pieces.js"
import type { Counts } from "./SplitRun.js"
import type { TotalsData } from "./Totals.js"

/** The form of the output. */
export type OutputFormat = "table" | "ndjson" | "csv"

/** An input that was read as far as it could be. */
export interface ReadInput {
  readonly name: string
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly failure: StoppedData | undefined
}

/** Everything that is the same for all pieces. It comes first, and once. */
export interface Prepare {
  readonly _tag: "Prepare"
  /** How the orders' input is called in messages. */
  readonly name: string
  readonly format: OutputFormat
  readonly sales: SalesFlags
  readonly groups: ReadInput
  readonly products: ReadInput | undefined
  readonly policy: ReadInput | undefined
  readonly refunds: ReadInput | undefined
}

/** Some of the orders. */
export interface SplitPiece {
  readonly _tag: "SplitPiece"
  readonly piece: Piece
  /** Which of the orders that could be read have the id of an earlier one, counted from 0. */
  readonly repeated: ReadonlyArray<number>
}

/** The refunds of which no piece had the order. */
export interface FindLeftOver {
  readonly _tag: "FindLeftOver"
  /** The orders with refunds that the pieces had. */
  readonly used: ReadonlySet<string>
}

export type Request = Prepare | SplitPiece | FindLeftOver

export interface PrepareDone {
  readonly _tag: "PrepareDone"
  readonly notes: ReadonlyArray<string>
}

/** What came of a piece. */
export interface PieceDone {
  readonly _tag: "PieceDone"
  /** The output, in UTF-8. */
  readonly output: Uint8Array<ArrayBuffer>
  readonly notes: ReadonlyArray<string>
  readonly counts: Counts
  readonly totals: TotalsData
  /** The mixed ids of all orders that could be read. */
  readonly ids: Int32Array<ArrayBuffer>
  /** The orders with refunds. */
  readonly used: ReadonlySet<string>
  /** The piece itself, which was given away: it has to be done anew when it has repeated orders. */
  readonly piece: Piece
}

export interface LeftOverFound {
  readonly _tag: "LeftOverFound"
  readonly lines: ReadonlyArray<string>
}

/** The run can't go on. */
export interface Stopped {
  readonly _tag: "Stopped"
  readonly notes: ReadonlyArray<string>
  readonly failure: StoppedData
}

export type Answer = PrepareDone | PieceDone | LeftOverFound | Stopped
