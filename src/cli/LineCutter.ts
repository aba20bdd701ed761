/** Cuts NDJSON into pieces of whole lines, without reading them. */
import { longestElementBytes } from "./JsonElements.js"

const newline = 10

/** Whole lines, in the bytes that they came in, and the number of the first of them. */
export interface Lines {
  readonly _tag: "Lines"
  readonly firstLine: number
  readonly chunks: ReadonlyArray<Uint8Array<ArrayBuffer>>
}

const lineEnds = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}

/** Bytes that may be given away: a copy of those that are part of something larger. */
const owned = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer<ArrayBuffer> =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? Buffer.from(buffer)
    : Buffer.from(new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength)).buffer)

export class LineCutter {
  private readonly pieceBytes: number
  private chunks: Array<Buffer<ArrayBuffer>> = []
  private bytes = 0
  private firstLine = 1
  private lineCount = 0
  private rest: Array<Buffer<ArrayBuffer>> = []
  private restBytes = 0

  /** @param pieceBytes - how large a piece shall be, but for its last line */
  constructor(pieceBytes: number) {
    this.pieceBytes = pieceBytes
  }

  /** Takes the next bytes, which are given away with the piece. */
  push(given: Buffer): void {
    const chunk = owned(given)
    const end = chunk.lastIndexOf(newline) + 1
    if (end === 0) {
      this.keep(chunk)
      return
    }
    this.addRest()
    const lines = chunk.subarray(0, end)
    this.add(lines)
    this.lineCount += lineEnds(lines)
    if (end < chunk.length) this.keep(Buffer.from(new Uint8Array(chunk.subarray(end)).buffer))
  }

  /** Whether there are enough lines for a piece. */
  get isFull(): boolean {
    return this.bytes >= this.pieceBytes
  }

  /** Takes the lines that are complete. */
  take(): Lines {
    const { firstLine, chunks } = this
    this.firstLine += this.lineCount
    this.lineCount = 0
    this.chunks = []
    this.bytes = 0
    return { _tag: "Lines", firstLine, chunks }
  }

  /** The input ended: what is left, with a last line that nothing ends. */
  end(): Lines {
    this.addRest()
    return this.take()
  }

  private add(chunk: Buffer<ArrayBuffer>): void {
    this.chunks.push(chunk)
    this.bytes += chunk.length
  }

  private addRest(): void {
    for (const chunk of this.rest) this.add(chunk)
    this.rest = []
    this.restBytes = 0
  }

  /** Of a line that is too long anyway, no more is kept than shows that. */
  private keep(part: Buffer<ArrayBuffer>): void {
    if (this.restBytes <= longestElementBytes) this.rest.push(part)
    this.restBytes += part.length
  }
}
