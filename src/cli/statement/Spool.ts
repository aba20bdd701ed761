import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ExitCode from "../ExitCode.js"

// Records of bytes that are written once and read again: in memory while they are few, and otherwise in a file that is
// deleted with the process. Each record begins with its length, in four bytes.

const mostInMemory = 1 << 24
const windowBytes = 1 << 18

/** A file that only this process can read. */
class TemporaryFile {
  private readonly folder: string
  private readonly descriptor: number

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "apportion-"))
    this.descriptor = openSync(join(this.folder, "spool"), "wx+", 0o600)
    this.remove()
  }

  write(bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.descriptor, bytes, done, bytes.length - done, at + done)
    }
  }

  read(into: Uint8Array, at: number): void {
    for (let done = 0; done < into.length; ) {
      const read = readSync(this.descriptor, into, done, into.length - done, at + done)
      if (read === 0) throw new ExitCode.Defect({ message: "a temporary file is too short" })
      done += read
    }
  }

  close(): void {
    closeSync(this.descriptor)
    this.remove()
  }

  /** Removes the file at once where open files can be removed, so that it never stays behind. */
  private remove(): void {
    try {
      rmSync(this.folder, { recursive: true, force: true })
    } catch (cause) {
      if (process.platform !== "win32") throw cause
    }
  }
}

/** A failure of a temporary file is not a bug of the program. */
const guarded = <A>(work: () => A): A => {
  try {
    return work()
  } catch (cause) {
    if (ExitCode.isStopped(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ExitCode.UnusableInput({
      message: `the folder for temporary files can't be used (TMPDIR names another one): ${reason}`,
    })
  }
}

export class Spool {
  private readonly most: number
  private memory: Buffer<ArrayBuffer>
  /** How many bytes are in memory: they follow those in the file. */
  private held = 0
  private written = 0
  private file: TemporaryFile | undefined

  constructor(most = mostInMemory) {
    this.most = most
    this.memory = Buffer.allocUnsafe(Math.min(most, 1 << 16))
  }

  /** Where the next record begins. */
  get end(): number {
    return this.written + this.held
  }

  /** Adds a record, and returns where it begins. */
  append(record: Uint8Array): number {
    const at = this.end
    if (this.held + record.length > this.most) this.flush()
    if (record.length > this.most) this.writeOut(record)
    else {
      if (this.held + record.length > this.memory.length) this.grow(this.held + record.length)
      this.memory.set(record, this.held)
      this.held += record.length
    }
    return at
  }

  /** Overwrites added bytes. */
  patch(at: number, bytes: Uint8Array): void {
    if (at >= this.written) this.memory.set(bytes, at - this.written)
    else guarded(() => this.file?.write(bytes, at))
  }

  /** The records between two places, in order. Each is valid until the next one is requested. */
  *records(from: number, to: number): Generator<Buffer> {
    let [begin, window, room] = [from, Buffer.alloc(0), Buffer.alloc(0)]
    for (let at = from; at < to; ) {
      const inWindow = at - begin
      const length = inWindow + 4 <= window.length ? window.readUInt32LE(inWindow) : undefined
      if (length !== undefined && inWindow + length <= window.length) {
        yield window.subarray(inWindow, inWindow + length)
        at += length
      } else {
        begin = at
        const size = Math.min(to - at, Math.max(windowBytes, length ?? 0))
        if (size > room.length) room = Buffer.allocUnsafe(size)
        window = room.subarray(0, size)
        this.read(window, at)
      }
    }
  }

  /** Frees memory and files. */
  close(): void {
    this.file?.close()
    this.file = undefined
    this.memory = Buffer.alloc(0)
  }

  private read(bytes: Buffer, from: number): void {
    const to = from + bytes.length
    const inFile = Math.max(0, Math.min(to, this.written) - from)
    if (inFile > 0) guarded(() => this.file?.read(bytes.subarray(0, inFile), from))
    if (to > this.written) {
      const start = from + inFile - this.written
      this.memory.copy(bytes, inFile, start, start + bytes.length - inFile)
    }
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.min(this.most, Math.max(needed, this.memory.length * 2)))
    this.memory.copy(larger, 0, 0, this.held)
    this.memory = larger
  }

  private flush(): void {
    const { held } = this
    this.held = 0
    this.writeOut(this.memory.subarray(0, held))
  }

  private writeOut(bytes: Uint8Array): void {
    guarded(() => {
      this.file ??= new TemporaryFile()
      this.file.write(bytes, this.written)
    })
    this.written += bytes.length
  }
}

// Sorts any number of records: each piece is sorted in memory, and the sorted pieces, which wait in a
// {@link Spool}, are merged on demand.

/** Compares two records that begin at positions of their bytes; no two are equal. */
export type Compare = (one: Buffer, at: number, other: Buffer, otherAt: number) => number

const pieceBytes = 1 << 24

/** A sorted piece with records that are not merged yet. */
interface SortedPiece {
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

  /** All records in order; it can be called once. Each record is valid until the next one is requested. */
  *take(): Generator<Buffer> {
    if (this.runs.length === 0) yield* this.sortedPiece()
    else {
      this.putAside()
      this.piece = Buffer.alloc(0)
      yield* this.merged()
    }
    this.close()
  }

  /** Frees memory and files. */
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
    const heap: Array<SortedPiece> = []
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

  /** Moves a piece down the heap until both pieces below it come later. */
  private sink(heap: Array<SortedPiece>, from: number): void {
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

  private isBefore({ record: one }: SortedPiece, { record: other }: SortedPiece): boolean {
    return this.compare(one, 0, other, 0) < 0
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(this.most, this.piece.length * 2)))
    this.piece.copy(larger, 0, 0, this.used)
    this.piece = larger
  }
}
