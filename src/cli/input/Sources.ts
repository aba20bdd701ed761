/**
 * The inputs of commands: the source of an input, and the inputs that every command on orders
 * reads.
 */
import { createReadStream } from "node:fs"
import type * as Option from "effect/Option"
import type { Reason } from "../../internal/sales.js"
import * as ExitCode from "../ExitCode.js"

/** One input: its name in messages, and its bytes. */
export interface Source {
  readonly name: string
  /** Whether it is a file, which another program can open. */
  readonly isFile?: boolean
  readonly chunks: () => AsyncIterable<Uint8Array>
}

/** Opens the inputs that flags name. */
export interface Opener {
  readonly open: (flag: string, path: string) => Source
  readonly openOptional: (flag: string, path: Option.Option<string>) => Source | undefined
}

const chunkBytes = 1 << 18

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "is a directory, a file is needed",
  EACCES: "may not be read (permission denied)",
  EPERM: "may not be read (permission denied)",
}

const codeOf = (cause: unknown): string | undefined => {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" ? code : undefined
}

/** The input can't be read at all. */
export const unreadable = (name: string, cause: unknown): ExitCode.UnusableInput => {
  const code = codeOf(cause)
  return new ExitCode.UnusableInput({
    message: `${name}: ${reasons[code ?? ""] ?? `could not be read (${code ?? String(cause)})`}`,
  })
}

async function* reading(name: string, chunks: AsyncIterable<Uint8Array>) {
  try {
    yield* chunks
  } catch (cause) {
    if (codeOf(cause) === undefined) throw cause
    throw unreadable(name, cause)
  }
}

/** Opens an input by the name it has on the command line. */
export const open = (io: { readonly stdin: AsyncIterable<Uint8Array> }, path: string): Source =>
  path === "-"
    ? { name: "standard input", isFile: false, chunks: () => reading("standard input", io.stdin) }
    : {
        name: path,
        isFile: true,
        chunks: () => reading(path, createReadStream(path, { highWaterMark: chunkBytes })),
      }

// The inputs of every command that reads orders.

/** Which orders and lines count as sales, and which data of products is used, as given on the command line. */
export interface SalesFlags {
  readonly giftCards: "leave-out" | "share"
  readonly tips: "leave-out" | "share"
  readonly include: ReadonlyArray<string>
  readonly idsFrom: ReadonlyArray<string>
  readonly tagsFrom: ReadonlyArray<string>
}

/** Which orders and lines count as sales, and which data of order lines is used as ids. */
export interface SalesChoices extends Pick<SalesFlags, "giftCards" | "tips"> {
  readonly include: ReadonlyArray<Reason>
  readonly idsFrom: ReadonlyArray<"variant" | "sku">
}

/** The opened inputs, and the choices beside them. */
export interface OrderInputs {
  readonly groups: Source
  readonly orders: Source
  readonly products: Source | undefined
  readonly policy: Source | undefined
  readonly sales: SalesFlags
}

/** The flags on sales, among all flags. */
export const salesOf = ({
  giftCards,
  tips,
  include,
  idsFrom,
  tagsFrom,
}: SalesFlags): SalesFlags => ({
  giftCards,
  tips,
  include,
  idsFrom,
  tagsFrom,
})

/** Opens the inputs of the flags. */
export const openOrders = (
  session: Opener,
  flags: SalesFlags & {
    readonly groups: string
    readonly orders: string
    readonly products: Option.Option<string>
    readonly policy: Option.Option<string>
  },
): OrderInputs => ({
  groups: session.open("groups", flags.groups),
  orders: session.open("orders", flags.orders),
  products: session.openOptional("products", flags.products),
  policy: session.openOptional("policy", flags.policy),
  sales: salesOf(flags),
})

const salesReasons: ReadonlyMap<string, Reason> = new Map([
  ["test", "test"],
  ["draft", "draft"],
  ["cancelled", "cancelled"],
  ["voided", "voided"],
  ["unpaid", "unpaid"],
  ["nothing-to-share", "nothing to share"],
])

const reasonOf = (written: string): Reason => {
  const reason = salesReasons.get(written)
  if (reason !== undefined) return reason
  throw new ExitCode.UnusableInput({
    message: `--include: must be ${[...salesReasons.keys()].join(", ")}, several with commas between them, got "${written}"`,
  })
}

const wordsOf = (written: ReadonlyArray<string>): ReadonlyArray<string> =>
  written
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "")

const facts = ["variant", "sku", "type", "category", "collection"] as const

/** Data of a product that can be used as ids and tags, where the platform has it. */
export type ProductFact = (typeof facts)[number]

/** Which data of products is used as ids and tags, and which data of the order lines themselves. */
export interface Brought {
  readonly idsFrom: ReadonlyArray<ProductFact>
  readonly tagsFrom: ReadonlyArray<ProductFact>
}

const factOf =
  (flag: string) =>
  (written: string): ProductFact => {
    const fact = facts.find((one) => one === written)
    if (fact !== undefined) return fact
    throw new ExitCode.UnusableInput({
      message: `--${flag}: must be ${facts.join(", ")}, several with commas between them, got "${written}"`,
    })
  }

/** Checks the flags on data of products. */
export const broughtOf = ({
  idsFrom,
  tagsFrom,
}: Pick<SalesFlags, "idsFrom" | "tagsFrom">): Brought => ({
  idsFrom: wordsOf(idsFrom).map(factOf("ids-from")),
  tagsFrom: wordsOf(tagsFrom).map(factOf("tags-from")),
})

/** Checks the flags on sales. */
export const choicesOf = (flags: SalesFlags): SalesChoices => {
  const { giftCards, tips, include } = flags
  const asked = new Set(broughtOf(flags).idsFrom)
  const idsFrom = (["variant", "sku"] as const).filter((fact) => asked.has(fact))
  return { giftCards, tips, include: wordsOf(include).map(reasonOf), idsFrom }
}

// The format of an input, by how it begins.

/** `document`: one JSON value, or a list. `lines`: NDJSON. `csv`: anything else. */
export type Format = "document" | "lines" | "csv"

/** An input whose beginning was read. */
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

/** The first complete lines that are not empty. */
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

/** Matches a line after which a document continues, as `{"orders": [`. */
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

/** Recognises UTF-16 by its byte order mark, or by the zero bytes of ASCII letters. */
const isUtf16 = (head: Buffer): boolean => {
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0)
  return mark === 0xfffe || mark === 0xfeff || head.subarray(0, 4).includes(0)
}

/** Reads just enough of an input to know its format. An empty one is refused. */
export const openInput = async (source: Source): Promise<Opened> => {
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
