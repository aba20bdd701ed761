import { type Order, RuleSet, SplitPolicy } from "apportion"
import { Order as WireOrder } from "apportion/wire"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { JsonLines } from "../../../src/cli/input/JsonElements.js"
import * as OrderReader from "../../../src/cli/input/Orders.js"
import * as Refunds from "../../../src/cli/input/Refunds.js"
import { plainSplitter } from "../../../src/cli/input/RunSplitter.js"
import { Utf8 } from "../../../src/cli/output/Utf8.js"
import { ColumnRun } from "../../../src/cli/split/ColumnRun.js"
import * as SplitWriter from "../../../src/cli/split/SplitRun.js"
import { type Prepared, SplitRun } from "../../../src/cli/split/SplitRun.js"
import { Chance } from "../../generators/Chance.js"
import { runs } from "../../generators/Runs.js"
import * as Sales from "../../generators/Sales.js"

const sales = {
  giftCards: "leave-out",
  tips: "leave-out",
  include: [],
  idsFrom: [],
  tagsFrom: [],
} as const
const noRefunds = await Refunds.read(undefined, () => undefined)

const preparedOf = (rules: RuleSet.RuleSet, policy: SplitPolicy.SplitPolicy): Prepared => ({
  run: { splitter: plainSplitter(rules, policy), plain: { rules, policy } },
  readOrder: OrderReader.of({
    catalogues: undefined,
    deductsCosts: policy.cost === "deduct",
    sales,
  }),
  refunds: noRefunds,
})

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
const oneByOne = (prepared: Prepared, chunks: ReadonlyArray<Buffer>): Outcome => {
  const notes: Array<string> = []
  const run = runOf(prepared, notes)
  const lines = new JsonLines()
  let text = ""
  for (const chunk of chunks) for (const entry of lines.push(chunk)) text += run.result(entry)
  for (const entry of lines.end()) text += run.result(entry)
  return { text, notes, counts: run.counts }
}

/** The same by columns, and how many lines were taken into them. */
const byColumns = (
  prepared: Prepared,
  chunks: ReadonlyArray<Buffer>,
): Outcome & { taken: number } => {
  const notes: Array<string> = []
  const run = runOf(prepared, notes)
  const columns = ColumnRun.of(prepared, {
    format: "ndjson",
    refunds: undefined,
    products: undefined,
  })
  if (columns === undefined)
    throw new TypeError("orders that are split by themselves go by columns")
  const output = new Utf8(0)
  let taken = 0
  const lines = new JsonLines(1, (bytes, place) => {
    const isTaken = columns.take(bytes, place)
    if (isTaken) taken += 1
    return isTaken
  })
  for (const chunk of chunks) columns.write(lines.push(chunk), run, output)
  columns.write(lines.end(), run, output)
  return { text: Buffer.from(output.written).toString("utf8"), notes, counts: run.counts, taken }
}

const cut = (bytes: Buffer, size: number): ReadonlyArray<Buffer> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    Buffer.from(bytes.subarray(at * size, (at + 1) * size)),
  )

/** Values in JSON that are not what an order mostly has. */
const oddValues = [
  ...[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "1.0",
    "1e2",
    "0.5",
    "07",
    "+1",
    ".5",
    "1.",
    "1e",
    "NaN",
  ],
  ...["9007199254740991", "9007199254740993", "-9007199254740993", "123456789012345", "1e999"],
  ...[
    '""',
    '" "',
    '"x"',
    '"\\u0041"',
    '"\\ud800"',
    '"\\x"',
    '"a\tb"',
    '"é"',
    "[]",
    "{}",
    "[null]",
    '["a"]',
  ],
  ...[
    '["a",1]',
    '[""]',
    '{"a":1,"a":{"b":[1,2.5e3,"\\n"]}}',
    '{"a"}',
    "[1,]",
    "nul",
    "tru",
    '"',
    "[",
  ],
  ...[
    '"2024-03-01T12:00:00+01:00"',
    '"2024-13-01T12:00:00Z"',
    '"21.5"',
    '"refunded"',
    '"usd"',
    '"1"',
    "1",
  ],
  ...[`${"[".repeat(12)}${"]".repeat(12)}`, '[{"id":"a","amount":5,"product":{"id":"p"}}]'],
]
const oddNames = [
  ...[
    "note",
    "tagz",
    "discout",
    "order",
    "__proto__",
    "toString",
    "id",
    "external_id",
    "tags",
    "status",
  ],
  ...[
    "items",
    "amount",
    "product",
    "quantity",
    "customer",
    "é",
    "",
    "other_ids",
    "referer",
    "tax_percent",
  ],
]

/** Writes a value as JSON, as others may: with blanks, escapes, and now and then something else. */
const written = (value: unknown, chance: Chance, odd: number): string => {
  const blank = () => (chance.onceIn(12) ? (chance.pick([" ", "  ", "\t", "\r"]) ?? "") : "")
  const text = (given: string) => {
    const plain = JSON.stringify(given)
    if (given === "" || !chance.onceIn(40)) return plain
    return `"\\u${given.charCodeAt(0).toString(16).padStart(4, "0")}${JSON.stringify(given.slice(1)).slice(1)}`
  }
  const part = (each: unknown): string => {
    if (chance.below(1000) < odd) return chance.pick(oddValues) ?? ""
    if (Array.isArray(each))
      return `[${each.map((one) => `${blank()}${part(one)}${blank()}`).join(",")}]`
    if (typeof each !== "object" || each === null)
      return typeof each === "string" ? text(each) : String(each)
    const fields = Object.entries(each).filter(() => !chance.onceIn(40))
    if (chance.below(1000) < odd * 4)
      fields.push([chance.pick(oddNames) ?? "", chance.pick([1, "x", null, ["y"]])])
    if (chance.onceIn(8)) fields.reverse()
    return `{${fields.map(([name, one]) => `${blank()}${JSON.stringify(name)}${blank()}:${blank()}${part(one)}`).join(",")}${blank()}}`
  }
  return part(value)
}

const past = fc
  .record({
    money: fc.constantFrom("usual" as const, "huge" as const),
    percents: fc.constantFrom("mild" as const, "wild" as const),
  })
  .chain((size) =>
    fc.record({
      groups: Sales.productGroups(size),
      orders: fc.array(Sales.order(size), { minLength: 1, maxLength: 12 }),
      policy: Sales.policy,
    }),
  )

const linesOf = (orders: ReadonlyArray<Order.Order>, seed: number, odd: number): Buffer => {
  const chance = new Chance(seed)
  const lines = orders.map((order, place) => {
    // Mostly ids of their own, and of ASCII, as most are.
    const id = chance.onceIn(8) ? order.id : `${1_000 + place}`
    const json = WireOrder.write({ ...order, id })
    const line = written(chance.onceIn(2) ? compact(json) : json, chance, odd)
    return chance.below(1000) < odd ? line.slice(0, chance.below(line.length)) : line
  })
  return Buffer.from(
    `${lines.join(chance.onceIn(4) ? "\r\n" : "\n")}${chance.onceIn(2) ? "" : "\n"}`,
  )
}

/** Without the fields that say nothing. */
const compact = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => each ?? undefined))

describe("orders that are read into columns", () => {
  const agree = (odd: number) =>
    fc.property(
      past,
      fc.nat(),
      fc.constantFrom(50, 700, 1 << 20),
      ({ groups, orders, policy }, seed, size) => {
        const prepared = preparedOf(RuleSet.make(groups), policy)
        const chunks = cut(linesOf(orders, seed, odd), size)
        const { taken: _, ...found } = byColumns(prepared, chunks)
        expect(found).toEqual(oneByOne(prepared, chunks))
      },
    )

  it("come to what they come to one by one, to the byte", () => {
    fc.assert(agree(0), runs(400))
  })

  it("and so do lines with what no order should have", () => {
    fc.assert(agree(8), runs(800))
  })

  it("are most of those that are written as usual", () => {
    const groups = [
      { id: "g1", collaboratorId: "ada", link: { type: "products.all" as const }, percent: 10 },
    ]
    const item = {
      id: "a",
      product: { id: "p1", vendor: "v", tags: ["art"] },
      quantity: 1,
      amount: 900,
    }
    const lines = Array.from({ length: 20 }, (_, at) =>
      JSON.stringify(
        WireOrder.write({
          id: `${at}`,
          currency: "USD",
          createdAt: 1_735_689_600,
          items: [item, { ...item, id: "b" }],
        }),
      ),
    )
    const prepared = preparedOf(RuleSet.make(groups), SplitPolicy.defaults)
    const { taken, counts } = byColumns(prepared, [Buffer.from(lines.join("\n"))])
    expect([taken, counts.orders]).toEqual([20, 20])
  })
})
