/** The lines of an input, one at a time, with their numbers. */
import type { Source } from "./Sources.js"

const newline = 10

/** A line without its end, and its bytes with it. */
export interface Line {
  readonly number: number
  readonly text: string
  readonly bytes: Uint8Array
}

/** The lines, in order; what follows the last end of a line is one too. */
export async function* read(source: Source): AsyncGenerator<Line> {
  let [rest, number]: [Array<Buffer>, number] = [[], 0]
  const lineOf = (last: Buffer): Line => {
    const bytes = rest.length === 0 ? last : Buffer.concat([...rest, last])
    rest = []
    number += 1
    const end = bytes.at(-1) === newline ? bytes.length - 1 : bytes.length
    return { number, bytes, text: bytes.toString("utf8", 0, end) }
  }
  for await (const piece of source.chunks()) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield lineOf(chunk.subarray(start, end + 1))
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
  if (rest.length > 0) yield lineOf(Buffer.alloc(0))
}
