// A part: reading orders that were parsed from JSON, with JSON.parse beside it.
import { Schema } from "effect"
import { Order } from "../../dist/index.js"
import * as Schemas from "../../dist/schema/index.js"
import * as Wire from "../../dist/wire/index.js"
import { compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { makeWorkload } from "../workload.mjs"
import { batchContender } from "./batches.mjs"

const { seed, rounds, seconds } = partArguments()
const { orders } = makeWorkload({ kind: "selective", groups: 100, lines: 4_000, seed })
const wireTexts = orders.map((order) => JSON.stringify(Wire.Order.write(order)))
const coreTexts = orders.map((order) => JSON.stringify(order))

const decode = Schema.decodeUnknownResult(Schemas.Order)

/** Orders that can be read and those that can't, told alike by all who read them. */
const told = (result) => (result._tag === "Success" ? Wire.Order.write(result.success) : "refused")
const broken = { items: "none" }
await compareAnswers([
  { name: "written", answers: () => [...wireTexts.map((text) => JSON.parse(text)), "refused"] },
  {
    name: "Order.read",
    answers: () =>
      [...wireTexts.map((text) => JSON.parse(text)), broken].map((json) =>
        told(Wire.Order.read(json)),
      ),
  },
  {
    name: "Order.parse",
    answers: () =>
      [...coreTexts.map((text) => JSON.parse(text)), broken].map((json) => told(Order.parse(json))),
  },
  {
    name: "Schema",
    answers: () =>
      [...coreTexts.map((text) => JSON.parse(text)), broken].map((json) => told(decode(json))),
  },
])

const itself = (text) => text
const parse = (text) => JSON.parse(text)
const results = await race(
  [
    batchContender("JSON.parse", wireTexts, itself, parse),
    batchContender("Order.read", wireTexts, parse, (json) => Wire.Order.read(json)),
    batchContender("JSON.parse of the core's form", coreTexts, itself, parse),
    batchContender("Order.parse", coreTexts, parse, (json) => Order.parse(json)),
    batchContender("its schema", coreTexts, parse, (json) => decode(json)),
  ],
  { rounds, seconds },
)
const bytes = (texts) =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / texts.length
answerPart({ bytes: bytes(wireTexts), coreBytes: bytes(coreTexts), results })
