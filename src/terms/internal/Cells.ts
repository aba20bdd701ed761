/**
 * Counters that are kept as objects of their own, so that whoever counts on the same ones order after order looks each up
 * once. Looking up and setting by key takes a third of what counting takes.
 */

/** A counter; `undefined` until it is set. */
export interface Cell {
  count: number | undefined
}

/** Counters by their keys. */
export class Cells {
  private readonly cells: Map<string, Cell>

  constructor(counts: Iterable<readonly [key: string, count: number]>) {
    this.cells = new Map(Array.from(counts, ([key, count]) => [key, { count }]))
  }

  /** How far a counter has come. */
  at(key: string): number {
    return this.cells.get(key)?.count ?? 0
  }

  /** The counter itself, to read and to set it. */
  cellAt(key: string): Cell {
    const known = this.cells.get(key)
    if (known !== undefined) return known
    const cell: Cell = { count: undefined }
    this.cells.set(key, cell)
    return cell
  }

  /** Those that were set. */
  counts(): ReadonlyArray<readonly [key: string, count: number]> {
    return Array.from(this.cells).flatMap(([key, { count }]) =>
      count === undefined ? [] : [[key, count] as const],
    )
  }
}

const cells = /* @__PURE__ */ new WeakMap<object, Cells>()

/** Notes where a tally keeps its counters. */
export const keepIn = (tally: object, kept: Cells): void => {
  cells.set(tally, kept)
}

/** Where a tally keeps its counters; `undefined` where only the tally knows. */
export const keptBy = (tally: object): Cells | undefined => cells.get(tally)
