/** Tells the format of an input by how it begins. */
import * as ExitCode from "../ExitCode.js"
import type { Source } from "./Sources.js"

/** `document`: one JSON value, or a list. `lines`: NDJSON. `csv`: anything else. */
export type Format = "document" | "lines" | "csv"

/** An input whose beginning was read: how it begins, and all of its bytes. */
export interface Opened {
  readonly name: string
  readonly format: Format
  /** The beginning; the chunks begin with it. */
  readonly head: Buffer
  readonly chunks: () => AsyncIterable<Buffer>
}

const longestHeadBytes = 1 << 20
const newline = 10
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

const firstCharacter = (head: Buffer): string => head.toString("latin1").trimStart().slice(0, 1)

/** The first lines with something on them that are complete. */
const firstLines = (head: Buffer, atEnd: boolean): ReadonlyArray<string> => {
  const end = atEnd ? head.length : head.lastIndexOf(newline) + 1
  return head
    .toString("utf8", 0, end)
    .split("\n", 1_000)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(0, 2)
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A document in the middle of which a line ends, as `{"orders": [` does. */
const goesOn = /[[{,:]$/

const formatOf = (name: string, head: Buffer, atEnd: boolean): Format => {
  const character = firstCharacter(head)
  if (character === "[") return "document"
  if (character !== "{") return "csv"
  const [first = "", second] = firstLines(head, atEnd)
  if (/\.(ndjson|jsonl)$/i.test(name)) return "lines"
  if (second === undefined) return "document"
  if (isJson(first)) return "lines"
  return !goesOn.test(first) && isJson(second) ? "lines" : "document"
}

const isDecided = (head: Buffer): boolean => {
  const first = firstCharacter(head)
  if (first === "") return false
  if (first === "[" || head.length >= longestHeadBytes) return true
  return firstLines(head, false).length >= (first === "{" ? 2 : 1)
}

const withoutMark = (head: Buffer): Buffer =>
  head.subarray(0, 3).equals(byteOrderMark) ? head.subarray(3) : head

/** Its byte order mark, or the zero bytes that plain letters have in it. */
const isUtf16 = (head: Buffer): boolean => {
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0)
  return mark === 0xfffe || mark === 0xfeff || head.subarray(0, 4).includes(0)
}

/** Reads just enough of an input to tell its format. An empty one is refused. */
export const open = async (source: Source): Promise<Opened> => {
  const iterator = source.chunks()[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  let done = false
  while (!done && !isDecided(head)) {
    const next = await iterator.next()
    done = next.done === true
    if (next.done !== true) head = withoutMark(Buffer.concat([head, next.value]))
  }
  if (isUtf16(head)) {
    throw new ExitCode.UnusableInput({
      message: `${source.name}: is in the encoding UTF-16: save it in UTF-8`,
    })
  }
  if (firstCharacter(head) === "") {
    throw new ExitCode.UnusableInput({ message: `${source.name}: is empty` })
  }
  const format = formatOf(source.name, head, done || head.length >= longestHeadBytes)
  return { name: source.name, format, head, chunks: () => rest(head, iterator) }
}

async function* rest(head: Buffer, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield head
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      const { buffer, byteOffset, byteLength } = next.value
      yield Buffer.from(buffer, byteOffset, byteLength)
    }
  } finally {
    await iterator.return?.()
  }
}
