import {
  Collaborator,
  Entry,
  Group,
  Order,
  Policy,
  Product,
  Refund,
  Split,
  type Unreadable,
} from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const group =
  '"id":"g1","collaborator_id":"ada","itemType":"products.tag","items":["art"],"type":"percentage"'
const flat = '"id":"g1","collaborator_id":"ada","itemType":"products.all","type":"flat"'
const order = (item: string) =>
  `{"id":"1","currency":"USD","items":[{"external_id":"a","product":{"id":"p"},${item}}]}`
const refund = '"order_id":"1","item_id":"a","refunded_at":0'
const entry = '"collaborator_id":"ada","kind":"income","name":"x","at":0'
const ada = '"id":"ada","currency":"EUR"'

/** What is wrong, the JSON, where the first problem is, and words that its message must have. */
type Case = readonly [what: string, json: string, path: string, words: string]

const groups: ReadonlyArray<Case> = [
  ["a number instead of an object", "5", "", "must be an object, got 5"],
  ["a list instead of an object", "[]", "", "must be an object, got an empty list"],
  ["nothing", "null", "", "must be an object, got null"],
  ["three decimals", `{${group},"percent":"12.345"}`, "percent", "at most two decimals"],
  ["more than 100 percent", `{${group},"percent":100.01}`, "percent", "from 0 to 100"],
  ["a negative percentage", `{${group},"percent":-1}`, "percent", "got -1"],
  ["a percentage in words", `{${group},"percent":"ten"}`, "percent", 'got "ten"'],
  ["an exponent", `{${group},"percent":"1e1"}`, "percent", 'got "1e1"'],
  ["not a number", `{${group},"percent":"NaN"}`, "percent", 'got "NaN"'],
  ["a percent sign", `{${group},"percent":"12%"}`, "percent", 'got "12%"'],
  ["a percentage too large for a number", `{${group},"percent":1e400}`, "percent", "Infinity"],
  ["part of a cent", `{${flat},"amount":1.5}`, "amount", "a whole number"],
  ["a negative flat amount", `{${flat},"amount":-5}`, "amount", "from 0"],
  ["a flat amount as text", `{${flat},"amount":"500"}`, "amount", 'got "500"'],
  [
    "a tag that is a number",
    `{${group},"percent":5,"items":["a",7]}`,
    "items[1]",
    "must be a text",
  ],
  ["a tag that is null", `{${group},"percent":5,"items":[null]}`, "items[0]", "got null"],
  ["tags that are no list", `{${group},"percent":5,"items":"art"}`, "items", "must be a list"],
  [
    "an unknown type",
    `{${group.replace("percentage", "share")},"percent":5}`,
    "type",
    "flat or both",
  ],
  ["an unknown modifier", `{${group},"percent":5,"type_modifier":"MAYBE"}`, "type_modifier", "NOT"],
  [
    "a group without an id",
    '{"collaborator_id":"a","itemType":"products","percent":1}',
    "id",
    "is",
  ],
]

const orders: ReadonlyArray<Case> = [
  ["no amount", order('"quantity":1'), "items[0].amount", "is missing"],
  ["part of a cent", order('"amount":1.5'), "items[0].amount", "got 1.5"],
  ["an amount as text", order('"amount":"100"'), "items[0].amount", 'got "100"'],
  ["an endless amount", order('"amount":1e400'), "items[0].amount", "got Infinity"],
  ["an inexact amount", order('"amount":9007199254740993'), "items[0].amount", "9007199254740991"],
  ["half a unit", order('"amount":1,"quantity":0.5'), "items[0].quantity", "got 0.5"],
  ["fewer than no units", order('"amount":1,"quantity":-1'), "items[0].quantity", "from 0"],
  ["a true discount", order('"amount":1,"discount":true'), "items[0].discount", "got true"],
  ["a weight in words", order('"amount":1,"grams":"heavy"'), "items[0].grams", "whole number"],
  [
    "a tag that is a number",
    order('"amount":1').replace('"id":"p"', '"id":"p","tags":["a",3]'),
    "items[0].product.tags[1]",
    "must be a text, got 3",
  ],
  ["an inexact id", '{"id":90071992547409930,"currency":"USD","items":[]}', "id", "an id"],
  ["a negative id", '{"id":-1,"currency":"USD","items":[]}', "id", "an id"],
  ["an unknown currency", '{"id":"1","currency":"DUCATS","items":[]}', "currency", "ISO 4217"],
  ["no currency", '{"id":"1","items":[]}', "currency", "is missing"],
  ["a single item instead of items", '{"id":"1","currency":"USD","items":{}}', "items", "a list"],
  [
    "milliseconds",
    '{"id":"1","currency":"USD","items":[],"created_at":1700000000000}',
    "created_at",
    "Unix seconds",
  ],
  [
    "a day that does not exist",
    '{"id":"1","currency":"USD","items":[],"created_at":"2023-02-29T00:00:00Z"}',
    "created_at",
    "a date and time with its offset",
  ],
  [
    "a time without its offset",
    '{"id":"1","currency":"USD","items":[],"created_at":"2023-02-28T00:00:00"}',
    "created_at",
    "offset",
  ],
  [
    "customer tags as text",
    '{"id":"1","currency":"USD","items":[],"customer":"x"}',
    "customer",
    "must be an object",
  ],
]

const refunds: ReadonlyArray<Case> = [
  [
    "neither amount nor quantity",
    `{${refund}}`,
    "amount",
    "has an amount or a quantity, takes back",
  ],
  ["both amount and quantity", `{${refund},"amount":1,"quantity":1}`, "quantity", "left out"],
  ["nothing of it", `{${refund},"amount":0}`, "amount", "other than 0"],
]

const entries: ReadonlyArray<Case> = [
  ["a negative amount", `{${entry},"amount":-1}`, "amount", "from 1"],
  ["an unknown kind", `{${entry.replace("income", "gift")},"amount":1}`, "kind", "expense, income"],
  ["no name", `{${entry.replace('"x"', '""')},"amount":1}`, "name", "1 to 200 characters"],
]

const collaborators: ReadonlyArray<Case> = [
  [
    "a 29th",
    `{${ada},"payout_measurement":"monthly_date","payout_frequency":29}`,
    "payout_frequency",
    "28",
  ],
  ["an unknown measurement", `{${ada},"payout_measurement":"year"}`, "payout_measurement", "month"],
]

const products: ReadonlyArray<Case> = [["no id", "{}", "id", "is missing"]]

const splits: ReadonlyArray<Case> = [
  ["no shares", '{"order_id":"1","currency":"USD","store":[]}', "shares", "is missing"],
]

const policies: ReadonlyArray<Case> = [
  ["an unknown value", '{"tax":"dodge"}', "tax", "dodge"],
  ["an unknown option", '{"taxes":"keep"}', "taxes", "is no option"],
  ["an unknown time zone", '{"time_zone":"Mars"}', "time_zone", "IANA"],
]

type Reader = (input: unknown) => Result.Result<unknown, Unreadable>

const readers: ReadonlyArray<readonly [noun: string, cases: ReadonlyArray<Case>, read: Reader]> = [
  ["a product group", groups, Group.read],
  ["an order", orders, Order.read],
  ["a refund", refunds, Refund.read],
  ["an entry", entries, Entry.read],
  ["a collaborator", collaborators, Collaborator.read],
  ["a policy", policies, Policy.read],
  ["a product", products, Product.read],
  ["a split", splits, Split.read],
]

const firstProblem = (result: Result.Result<unknown, Unreadable>) =>
  Result.isFailure(result) ? result.failure.problems[0] : "no problem"

for (const [noun, cases, read] of readers) {
  describe(`${noun} is refused`, () => {
    it.each([...cases])("with %s: %s", (_, json, path, words) => {
      const input: unknown = JSON.parse(json)
      const result = read(input)
      expect(firstProblem(result)).toMatchObject({ path, message: expect.stringContaining(words) })
      expect(Result.isFailure(result) && result.failure._tag).toBe("Unreadable")
      expect(Result.isFailure(result) && result.failure.message).toContain(words)
    })
  })
}
