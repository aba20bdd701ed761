/** The results of lines of orders by both ways of `apportion split`: one by one as objects, and from bytes by columns. */
import { RuleSet } from "apportion"
import { JsonLines } from "../../../src/cli/input/JsonElements.js"
import * as OrderReader from "../../../src/cli/input/Orders.js"
import * as Refunds from "../../../src/cli/input/Refunds.js"
import { plainSplitter } from "../../../src/cli/input/RunSplitter.js"
import { Utf8 } from "../../../src/cli/output/Utf8.js"
import { ColumnRun } from "../../../src/cli/split/ColumnRun.js"
import * as SplitWriter from "../../../src/cli/split/SplitRun.js"
import { type Prepared, SplitRun } from "../../../src/cli/split/SplitRun.js"
import type { OrderInput } from "./OrderLines.js"

const sales = {
  giftCards: "leave-out",
  tips: "leave-out",
  include: [],
  idsFrom: [],
  tagsFrom: [],
} as const
const noRefunds = await Refunds.read(undefined, () => undefined)

const preparedOf = ({ groups, policy }: OrderInput): Prepared => {
  const rules = RuleSet.make(groups)
  return {
    run: { splitter: plainSplitter(rules, policy), plain: { rules, policy } },
    readOrder: OrderReader.of({
      catalogues: undefined,
      deductsCosts: policy.cost === "deduct",
      sales,
    }),
    refunds: noRefunds,
  }
}

const runOf = (prepared: Prepared, notes: Array<string>) =>
  new SplitRun(prepared, {
    name: "orders.ndjson",
    writer: SplitWriter.of("ndjson", { withRefunds: false }),
    note: (note) => notes.push(note),
  })

interface Outcome {
  readonly text: string
  readonly notes: ReadonlyArray<string>
  readonly counts: SplitWriter.Counts
}

/** Each line parsed, read and split by itself. */
export const oneByOne = (input: OrderInput): Outcome => {
  const notes: Array<string> = []
  const run = runOf(preparedOf(input), notes)
  const lines = new JsonLines()
  let text = ""
  for (const chunk of input.chunks) for (const entry of lines.push(chunk)) text += run.result(entry)
  for (const entry of lines.end()) text += run.result(entry)
  return { text, notes, counts: run.counts }
}

/** The same by columns, and how many lines were taken into them. */
export const byColumns = (input: OrderInput): Outcome & { readonly taken: number } => {
  const notes: Array<string> = []
  const prepared = preparedOf(input)
  const run = runOf(prepared, notes)
  const columns = ColumnRun.of(prepared, {
    format: "ndjson",
    refunds: undefined,
    products: undefined,
  })
  if (columns === undefined)
    throw new TypeError("orders that are split by themselves go by columns")
  const output = new Utf8()
  let taken = 0
  const lines = new JsonLines(1, (bytes, place) => {
    const isTaken = columns.take(bytes, place)
    if (isTaken) taken += 1
    return isTaken
  })
  for (const chunk of input.chunks) columns.write(lines.push(chunk), run, output)
  columns.write(lines.end(), run, output)
  return { text: Buffer.from(output.written).toString("utf8"), notes, counts: run.counts, taken }
}

/** In what the two ways differ; none when they come to the same. */
export const difference = (input: OrderInput): string | undefined => {
  const { taken: _, ...found } = byColumns(input)
  const right = oneByOne(input)
  if (JSON.stringify(found) === JSON.stringify(right)) return undefined
  const lines = right.text.split("\n")
  const place = found.text.split("\n").findIndex((line, at) => line !== lines[at])
  return `by columns ${found.text.split("\n")[place]}, one by one ${lines[place]}`
}
