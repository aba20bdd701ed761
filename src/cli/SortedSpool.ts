/**
 * Sorts any number of records: piece by piece in memory, and the sorted pieces, which wait in a
 * {@link Spool}, are merged as they are asked for.
 */
import { Spool } from "./Spool.js"

/** Which of two records that begin at places of their bytes comes first; no two are equal. */
export type Compare = (one: Buffer, at: number, other: Buffer, otherAt: number) => number

const pieceBytes = 1 << 24

/** A sorted piece of which some records are still to come. */
interface Run {
  record: Buffer
  readonly rest: Iterator<Buffer>
}

export class SortedSpool {
  private readonly compare: Compare
  private readonly most: number
  private readonly spool: Spool
  private readonly runs: Array<{ readonly from: number; readonly to: number }> = []
  private piece = Buffer.allocUnsafe(1 << 16)
  private used = 0
  private places: Array<number> = []

  constructor(compare: Compare, most = pieceBytes) {
    this.compare = compare
    this.most = most
    this.spool = new Spool(most)
  }

  /** Adds a record, which begins with its length. */
  add(record: Buffer): void {
    const needed = this.used + record.length
    if (needed > this.most && this.used > 0) this.putAside()
    if (this.used + record.length > this.piece.length) this.grow(this.used + record.length)
    this.places.push(this.used)
    record.copy(this.piece, this.used)
    this.used += record.length
  }

  /** All records in their order, once. Each is good until the next one is asked for. */
  *take(): Generator<Buffer> {
    if (this.runs.length === 0) yield* this.sortedPiece()
    else {
      this.putAside()
      this.piece = Buffer.alloc(0)
      yield* this.merged()
    }
    this.close()
  }

  /** Frees what it holds. */
  close(): void {
    this.spool.close()
    this.piece = Buffer.alloc(0)
    this.places = []
  }

  private *sortedPiece(): Generator<Buffer> {
    const { piece, places, compare } = this
    places.sort((one, other) => compare(piece, one, piece, other))
    for (const at of places) yield piece.subarray(at, at + piece.readUInt32LE(at))
  }

  private putAside(): void {
    const from = this.spool.end
    for (const record of this.sortedPiece()) this.spool.append(record)
    this.runs.push({ from, to: this.spool.end })
    this.places = []
    this.used = 0
  }

  private *merged(): Generator<Buffer> {
    const heap: Array<Run> = []
    for (const { from, to } of this.runs) {
      const rest = this.spool.records(from, to)
      const first = rest.next()
      if (first.done !== true) heap.push({ record: first.value, rest })
    }
    for (let at = heap.length >> 1; at >= 0; at -= 1) this.sink(heap, at)
    for (let [least] = heap; least !== undefined; [least] = heap) {
      yield least.record
      const next = least.rest.next()
      if (next.done !== true) least.record = next.value
      else {
        const last = heap.pop()
        if (last !== undefined && last !== least) heap[0] = last
      }
      this.sink(heap, 0)
    }
  }

  /** Moves a run down to where both runs below it come later. */
  private sink(heap: Array<Run>, from: number): void {
    let at = from
    for (;;) {
      const run = heap[at]
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      if (run === undefined || left === undefined) return
      const isRight = right !== undefined && this.isBefore(right, left)
      const below = isRight ? right : left
      if (!this.isBefore(below, run)) return
      heap[at] = below
      at = 2 * at + (isRight ? 2 : 1)
      heap[at] = run
    }
  }

  private isBefore({ record: one }: Run, { record: other }: Run): boolean {
    return this.compare(one, 0, other, 0) < 0
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(this.most, this.piece.length * 2)))
    this.piece.copy(larger, 0, 0, this.used)
    this.piece = larger
  }
}
