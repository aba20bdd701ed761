/**
 * Random lines of orders: most of them written as shops write them, some with what no order should have. They are what
 * `apportion split` has to read from bytes as it reads them from objects.
 */
import type { ProductGroup, SplitPolicy } from "apportion"
import fc from "fast-check"
import { Chance } from "../../generators/Chance.js"
import * as Sales from "../../generators/Sales.js"

/** What splits the orders, and the input in the pieces in which it arrives. */
export interface OrderInput {
  readonly groups: ReadonlyArray<ProductGroup.GroupInput>
  readonly policy: SplitPolicy.SplitPolicy
  readonly chunks: ReadonlyArray<Buffer>
}

const deepList = (depth: number) => "[".repeat(depth) + "]".repeat(depth)

/** Values in JSON, and in what is nearly JSON, that are not what an order mostly has. */
const oddValues: ReadonlyArray<ReadonlyArray<string>> = [
  ["0", "-0", "-1", "7", "2147483648", "-2147483649", "4294967296", "900000000001"],
  ["999999999999999", "9007199254740991", "9007199254740993", "-9007199254740993"],
  ["9223372036854775808", "1.0", "1e2", "0.5", "1.", "07", "-01", "+1", ".5", "1e", "1e999"],
  ["-1e999", "NaN", "0x10", "100.00", "100.01", "1700000000000", "253402300800", "-62135596801"],
  ['""', '" "', '"x"', '"\\u0041rt"', '"\\ud800"', '"\\x"', '"a\tb"', '"é"', '"😀"', '"\u0085"'],
  ['"\u2028"', '"\ufeff"', '"\u007f"', '"a\\"b"', '"\\\\"', '"usd"', '"ZZZ"', '"USD "', '"US"'],
  ['"refunded"', '"\\u0072efunded"', '"partially_refunded"', '"2024-02-30T12:00:00Z"', '"1"'],
  ['"9999-12-31T23:59:59-23:59"', '"2024-03-01T12:00:00+01:00"', '"10.00"', `"${"x".repeat(300)}"`],
  ["null", "true", "false", "nul", "tru", "truex", "[]", "{}", "[null]", '["a"]', '["a",1]'],
  ['[""]', '["a",]', '["a" "b"]', '{"a":1,"a":{"b":[2.5e3,"\\n"]}}', '{"a"}', '{"a":}', "{,}"],
  [deepList(9), deepList(2_000), '"', "[", "{", "", "1,1", '{"tags":["vip"]}', '{"id":"p"}'],
  ['[{"id":"a","amount":5,"product":{"id":"p"}},{"id":"a","amount":6,"product":{"id":"p"}}]'],
]

const oddNames: ReadonlyArray<string> = [
  ...["note", "tagz", "discout", "discountCode", "Tags", "order", "__proto__", "constructor"],
  ...["toString", "id", "external_id", "tags", "status", "items", "amount", "product", "name"],
  ...["quantity", "customer", "é", "", "a b", "other_ids", "referer", "tax_percent", "cost"],
  ...["total", "split_at", "price", "sku", "x".repeat(40), "currency", "created_at", "0"],
]

const texts: ReadonlyArray<string> = [
  ...["art", "ART", " Art", "café", "cafe\u0301", "CAFÉ ", "cafe", "straße", "STRASSE"],
  ...["STRAẞE", "οδος", "ΟΔΟΣ", "ﬁlm", "film", "wall art", "K", "\u212a", "İ", ""],
]

const itemIds: ReadonlyArray<ReadonlyArray<string | number>> = [
  ...[["1"], ["1"], ["a", "b"], ["10", "9"], ["B", "b", "a"], [1, 2], [10, 9, "a"]],
  ...[["1", "2", "3", "4"], ["-", "\u007f"], ["é"], ["a", "a"]],
]

const largeAmounts: ReadonlyArray<number> = [
  ...[9_007_199_254_740_991, 4_503_599_627_370_496, 900_000_000_000, 900_000_000_001],
  ...[2_147_483_648, 4_294_967_296, 999_999_999_999_999, -900_000_000_001, -2_147_483_649],
]

/** Objects of an order whose fields are there now and then. */
class OrderLines {
  private readonly chance: Chance
  private readonly isLarge: boolean
  /** How many of ten thousand values are odd. */
  private readonly odd: number

  constructor(chance: Chance) {
    this.chance = chance
    this.isLarge = chance.onceIn(5)
    this.odd = this.one([0, 10, 30, 80])
  }

  one<A>(list: ReadonlyArray<A>): A {
    const picked = this.chance.pick(list)
    if (picked === undefined) throw new RangeError("nothing to pick")
    return picked
  }

  private isOdd(times = 1): boolean {
    return this.chance.below(10_000) < this.odd * times
  }

  private list(): ReadonlyArray<string> {
    return Array.from({ length: this.chance.below(4) }, () => this.one(texts))
  }

  private amount(): number {
    const { chance } = this
    if (this.isLarge && chance.onceIn(3)) return this.one(largeAmounts)
    return this.one([1, 2, 99, 100, 0, -1, chance.below(20_000), chance.below(20_000)])
  }

  /** The fields that are there: each once in so many times, and `null` now and then. */
  private some(fields: Readonly<Record<string, readonly [times: number, value: unknown]>>) {
    const { chance } = this
    return Object.fromEntries(
      Object.entries(fields).flatMap(([name, [times, value]]): ReadonlyArray<[string, unknown]> => {
        if (chance.onceIn(times)) return [[name, value]]
        return chance.onceIn(8) ? [[name, null]] : []
      }),
    )
  }

  private product() {
    const id = this.one<unknown>(["p1", "P1", "p2", "p3", "7", "07", " p1", 7, "é"])
    return {
      ...(this.chance.onceIn(8) ? {} : { id }),
      ...this.some({ external_id: [3, this.one<unknown>(["p1", "p2", "7", 7])] }),
      ...this.some({ vendor: [2, this.one(texts)], tags: [2, this.list()] }),
      ...this.some({ cost: [3, Math.abs(this.amount())], name: [6, "é\n"], sku: [6, "s"] }),
      ...this.some({ price: [9, 5] }),
    }
  }

  private item(id: string | number) {
    const amount = this.amount()
    return {
      [this.chance.onceIn(4) ? "id" : "external_id"]: id,
      amount,
      ...(this.isOdd(20) ? { id: "z" } : {}),
      ...this.some({ quantity: [2, this.isOdd(20) ? -1 : this.one([0, 1, 1, 2, 3, 7, 100])] }),
      ...this.some({ discount: [3, this.one([0, 1, amount, Math.trunc(amount / 5), -1])] }),
      ...this.some({ tax_total: [3, this.one([0, Math.trunc(amount / 6), amount])] }),
      ...this.some({ tax_percent: [6, this.one<unknown>([21, 21.5, "21.5", -1, 1e21])] }),
      ...this.some({ grams: [6, 5], tax_name: [9, "vät"] }),
      product: this.product(),
    }
  }

  private order(id: string | number) {
    const times = [0, 999, 1_000, 1_999, 2_000, "1970-01-01T00:16:40Z", 253_402_300_800]
    const statuses = ["paid", "open", "refunded", "é", 3]
    return {
      id,
      currency: this.one(["USD", "USD", "JPY", "KWD", "EUR", "usd", "ZZZ"]),
      ...this.some({ created_at: [2, this.one<unknown>(times)], tags: [2, this.list()] }),
      ...this.some({ customer: [2, { email: "a@b", tags: this.list(), name: null }] }),
      ...this.some({ discount_codes: [2, this.list()] }),
      ...this.some({ billing_country: [2, this.one(["DE", "de", " De ", "FR", "us "])] }),
      ...this.some({ referer: [2, this.chance.onceIn(2) ? this.one(texts) : this.list()] }),
      ...this.some({ taxes_included: [2, this.chance.onceIn(2)] }),
      ...this.some({ shipping_amount: [2, this.amount()], shipping_tax: [5, this.amount()] }),
      ...this.some({ gateway_fee: [3, this.amount()], status: [5, this.one(statuses)] }),
      ...this.some({ name: [6, "#1"], note: [8, { a: [1, "x", { b: null }] }] }),
      items: this.one(itemIds).map((each) => this.item(each)),
    }
  }

  private blank(): string {
    return this.chance.onceIn(100) ? this.one([" ", "  ", "\t", "\r", " \t "]) : ""
  }

  private name(name: string): string {
    if (this.isOdd()) return JSON.stringify(this.one(oddNames))
    if (!this.isOdd(2) || name === "") return JSON.stringify(name)
    return `"\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}"`
  }

  private written(value: unknown): string {
    if (this.isOdd()) return this.one(this.one(oddValues))
    if (Array.isArray(value)) {
      const parts = value.map((one) => `${this.blank()}${this.written(one)}${this.blank()}`)
      if (parts.length > 0 && this.isOdd()) parts.push(this.one(parts))
      return `[${parts.join(",")}]`
    }
    if (typeof value !== "object" || value === null) return JSON.stringify(value)
    const fields = Object.entries(value).filter(() => !this.isOdd())
    if (this.isOdd(4)) {
      const added = [this.one(oddNames), this.one<unknown>([1, "x", null, ["y"], -1])] as const
      fields.splice(this.chance.below(fields.length + 1), 0, [...added])
    }
    const parts = fields.map(
      ([name, one]) =>
        `${this.blank()}${this.name(name)}${this.blank()}:${this.blank()}${this.written(one)}${this.blank()}`,
    )
    if (fields.length > 0 && this.isOdd()) {
      parts.push(`${JSON.stringify(this.one(fields)[0])}:${this.one(this.one(oddValues))}`)
    }
    if (this.isOdd()) parts.reverse()
    return `{${parts.join(",")}}`
  }

  /** A line; ids are met again now and then. */
  line(place: number): Buffer {
    const own = this.chance.onceIn(2) ? 1_000 + place : `${1_000 + place}`
    const id = this.chance.onceIn(4) ? this.one<string | number>(["1", "2", 2, "é", "B"]) : own
    const behind = this.isOdd(10) ? this.one(["x", " {}", ",", "}", " "]) : ""
    const bytes = Buffer.from(this.written(this.order(id)) + behind)
    return this.isOdd(40) ? this.changed(bytes) : bytes
  }

  /** Some bytes with one of them changed, removed or added. */
  private changed(bytes: Buffer): Buffer {
    const at = this.chance.below(bytes.length)
    const byte = Buffer.from([this.chance.below(256)])
    const rest = bytes.subarray(at + this.one([0, 1, 1, 3]))
    return Buffer.concat([bytes.subarray(0, at), this.chance.onceIn(3) ? Buffer.of() : byte, rest])
  }
}

/** An order about which nothing is unusual, and values that may take the place of each of its own. */
const usual = {
  order: { id: '"7001"', currency: '"USD"', tags: '["art","film"]', billing_country: '"DE"' },
  item: { id: '"1"', quantity: "1", amount: "900", tax_percent: "21", grams: "5" },
  product: { id: '"p1"', vendor: '"film"', tags: '["art"]', cost: "5", sku: "7", name: '"Art"' },
} as const

const oneByOneOdd: ReadonlyArray<string> = [
  ...['""', '[""]', '"\\u0041rt"', '["\\u0061rt"]', '"a\\/b"', '["fi\\u006cm"]', '"\\n"', '"\\\\"'],
  ...["999999999999999", "1000000000000000", "9007199254740991", "9007199254740993"],
  ...["12345678901234567890", "1000000000000000000000", `1${"0".repeat(400)}`, "-0", "0"],
]

/** An order in which one value alone is odd: whoever takes it though he should not is not saved by another. */
const almostUsual = (chance: Chance, place: number): Buffer => {
  const kind = chance.pick(["order", "item", "product"] as const) ?? "order"
  const fields = { ...usual, [kind]: { ...usual[kind] } }
  const name = chance.pick(Object.keys(usual[kind])) ?? "id"
  const odd = { [kind]: { ...usual[kind], [name]: chance.pick(oneByOneOdd) ?? "0" } }
  const { order, item, product } = { ...fields, ...odd }
  const written = (given: object, more: string) =>
    `{${Object.entries(given).map(([field, value]) => `"${field}":${value}`)}${more}}`
  const own = order.id === usual.order.id ? { ...order, id: `"almost-${place}"` } : order
  return Buffer.from(
    written(own, `,"items":[${written(item, `,"product":${written(product, "")}`)}]`),
  )
}

/** Cuts bytes into pieces of all sizes. */
const cut = (bytes: Buffer, chance: Chance): ReadonlyArray<Buffer> => {
  const most = chance.pick([1, 64, 1_000, 1 << 20, 1 << 20]) ?? 1
  const chunks: Array<Buffer> = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + chance.below(most === 1 ? 20 : most)
    chunks.push(Buffer.from(bytes.subarray(at, end)))
    at = end
  }
  return chunks
}

const rules = fc
  .record({
    money: fc.constantFrom("usual" as const, "usual" as const, "huge" as const),
    percents: fc.constantFrom("mild" as const, "wild" as const),
  })
  .chain((size) => fc.record({ groups: Sales.productGroups(size), policy: Sales.policy }))

/** Random inputs, several for each rule set. */
export function* orderInputs(count: number, seed: number): Generator<OrderInput> {
  const perRules = 8
  const all = fc.sample(rules, { numRuns: Math.ceil(count / perRules), seed })
  for (let number = 0; number < count; number += 1) {
    const made = all[Math.floor(number / perRules)]
    if (made === undefined) return
    const chance = new Chance(seed * 1_000_003 + number)
    const lines = new OrderLines(chance)
    const length = lines.one([1, 5, 20, 40])
    const end = chance.onceIn(4) ? "\r\n" : "\n"
    const parts = Array.from({ length }, (_, place) => [lines.line(place), Buffer.from(end)])
    for (let place = 0; place < 4; place += 1) {
      parts.push([almostUsual(chance, place), Buffer.from(end)])
    }
    const bytes = Buffer.concat(parts.flat())
    yield {
      ...made,
      chunks: cut(chance.onceIn(2) ? bytes : bytes.subarray(0, -end.length), chance),
    }
  }
}
