/** Files of Shopify's bulk operations: an order's line, and below it a line for each of the order's nested objects. */
import * as Result from "effect/Result"
import { type Fields, isFields } from "../../internal/reader.js"
import * as BulkExport from "../../shopify/BulkExport.js"
import * as ExitCode from "../ExitCode.js"
import { JsonLines } from "./JsonElements.js"
import { brokenLine, type InputEntry, type Record } from "./Records.js"
import { type Opened, openInput, type Source } from "./Sources.js"

const grouped =
  "run the bulk operation with groupObjects: true, so that lines stand beneath their order"

/** Whether an input looks like such a file by its beginning. */
export const isBulk = ({ format, head }: Opened): boolean => {
  if (format !== "lines") return false
  const [first = ""] = head.toString("utf8").trimStart().split("\n", 1)
  return first.includes('"gid://shopify/') || first.includes('"gid:\\/\\/shopify\\/')
}

/** The same of an input that can be opened more than once; why one can't be opened is said when it is read. */
export const isBulkFile = async (source: Source): Promise<boolean> => {
  if (source.isFile !== true) return false
  const opened = await openInput(source).catch(() => undefined)
  return opened !== undefined && isBulk(opened)
}

async function* entriesOf(source: Source): AsyncGenerator<InputEntry> {
  const lines = new JsonLines()
  for await (const chunk of source.chunks()) yield* lines.push(Buffer.from(chunk))
  yield* lines.end()
}

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

const idOf = (value: unknown): unknown => (isFields(value) ? value.id : undefined)

const parentOf = (value: unknown): unknown => (isFields(value) ? value.__parentId : undefined)

/**
 * Checks the whole file before any order is used: if lines of an order are not directly below it, the order would be
 * read without them.
 */
export const checkGrouped = async (source: Source): Promise<void> => {
  if (source.isFile !== true) {
    refuse(
      `${source.name}: a file of a bulk operation is read twice, so it can't be standard input`,
    )
  }
  let ids = new Set<unknown>()
  for await (const entry of entriesOf(source)) {
    if (entry._tag === "BrokenLine") continue
    const { value, line } = entry
    if (BulkExport.recognise(value) !== "child") ids = new Set()
    else if (!ids.has(parentOf(value))) {
      refuse(`${source.name}:${line}: its order is not above it: ${grouped}`)
    }
    ids.add(idOf(value))
  }
}

/** An order and the lines below it. */
interface Group {
  readonly record: Record
  readonly order: Fields
  readonly children: Array<unknown>
  /** The number of a line below it that can't be read. */
  broken: number | undefined
}

const whole = ({ record, order, children, broken }: Group): InputEntry => {
  const { line } = record
  const text = () => [order, ...children].map((each) => JSON.stringify(each)).join("\n")
  if (broken !== undefined) {
    const message = `order ${String(order.id)} can't be read, as line ${broken} beneath it can't`
    return brokenLine(line, message, text())
  }
  const joined = BulkExport.join(order, children)
  if (Result.isFailure(joined)) return brokenLine(line, joined.failure.message, text())
  const locate = (path: string) => ({ line, field: path })
  return { _tag: "Record", line, path: "", value: joined.success, locate }
}

/** The orders of such a file, each with the lines below it. Only one order is in memory at a time. */
export async function* joined(
  batches: AsyncIterable<Iterable<InputEntry>>,
): AsyncGenerator<ReadonlyArray<InputEntry>> {
  let group: Group | undefined
  for await (const batch of batches) {
    const done: Array<InputEntry> = []
    for (const entry of batch) {
      if (entry._tag === "BrokenLine") {
        if (group !== undefined) group.broken ??= entry.line
        done.push(entry)
        continue
      }
      const kind = BulkExport.recognise(entry.value)
      if (kind === "child" && group !== undefined) {
        group.children.push(entry.value)
        continue
      }
      if (group !== undefined) done.push(whole(group))
      group = undefined
      if (kind === "order" && isFields(entry.value)) {
        group = { record: entry, order: entry.value, children: [], broken: undefined }
      } else done.push(entry)
    }
    yield done
  }
  if (group !== undefined) yield [whole(group)]
}
