// A part: reading orders that were parsed from JSON. Whether Effect's schemas are compiled is decided for a whole
// process, so the interpreter and the compiler each have a part, with JSON.parse beside both.
import { Schema } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import { Order } from "../../dist/index.js"
import * as Wire from "../../dist/wire/index.js"
import { compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"
import { makeWorkload } from "../workload.mjs"
import { batchContender } from "./batches.mjs"

const { compiled, seed, rounds, seconds } = partArguments()
const { orders } = makeWorkload({ kind: "selective", groups: 100, lines: 4_000, seed })
const wireTexts = orders.map((order) => JSON.stringify(Wire.Order.write(order)))
const coreTexts = orders.map((order) => JSON.stringify(order))

// Before first use: what already has an interpreter keeps it.
if (compiled) SchemaJITCompiler.enable(Order.Order.ast)
const decode = Schema.decodeUnknownResult(Order.Order)

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
    name: "Schema",
    answers: () =>
      [...coreTexts.map((text) => JSON.parse(text)), broken].map((json) => told(decode(json))),
  },
])

const itself = (text) => text
const parse = (text) => JSON.parse(text)
const decoder = compiled ? "Effect Schema, compiled (JIT)" : "Effect Schema, interpreted"
const results = await race(
  [
    batchContender("JSON.parse", wireTexts, itself, parse),
    batchContender("Order.read", wireTexts, parse, (json) => Wire.Order.read(json)),
    batchContender("JSON.parse of the core's form", coreTexts, itself, parse),
    batchContender(decoder, coreTexts, parse, (json) => decode(json)),
  ],
  { rounds, seconds },
)
const bytes = (texts) =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / texts.length
answerPart({ decoder, bytes: bytes(wireTexts), coreBytes: bytes(coreTexts), results })
