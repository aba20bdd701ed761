/**
 * Records of bytes that are written once and read again: in memory while they are few, and otherwise in a
 * file that is gone with the process. Each record begins with its length, in four bytes.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ExitCode from "./ExitCode.js"

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

  /** At once, where a file may be removed that is open: then nothing stays behind, however the run ends. */
  private remove(): void {
    try {
      rmSync(this.folder, { recursive: true, force: true })
    } catch (cause) {
      if (process.platform !== "win32") throw cause
    }
  }
}

/** What goes wrong with a temporary file is no mistake of the program. */
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
  /** How many bytes are in memory: those behind what the file has. */
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

  /** Adds a record, and answers where it begins. */
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

  /** Overwrites bytes of what was added. */
  patch(at: number, bytes: Uint8Array): void {
    if (at >= this.written) this.memory.set(bytes, at - this.written)
    else guarded(() => this.file?.write(bytes, at))
  }

  /** The records between two places, in order. Each is good until the next one is asked for. */
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

  /** Frees what it holds. */
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
