import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseJson } from "../../src/internal/reader.js"

const anyNumber = fc.oneof(
  fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }).map(String),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
  fc
    .tuple(fc.maxSafeInteger(), fc.nat(), fc.constantFrom("e", "E+", "e-"), fc.nat(30))
    .map(([whole, part, sign, power]) => `${whole}.${part}12345678901234567${sign}${power}`),
)

const anyText = fc
  .array(fc.constantFrom("12345678901234567890", ":", "[", ",", " ", "\\", '"', "\n", "é", "}"))
  .map((parts) => JSON.stringify(parts.join("")))

const { json } = fc.letrec<{ json: string; list: string; object: string }>((tie) => ({
  json: fc.oneof({ maxDepth: 3 }, anyNumber, anyText, tie("list"), tie("object")),
  list: fc.array(tie("json"), { maxLength: 4 }).map((all) => `[ ${all.join(" ,")}\n]`),
  object: fc
    .array(fc.tuple(anyText, tie("json")), { maxLength: 4 })
    .map((all) => `{${all.map(([key, value]) => `${key} : ${value}`).join(",")}}`),
}))

/** What the parser itself says stands in the text, beside each value. */
const bySource = (text: string): unknown =>
  JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source ?? ""
    const isRounded = typeof value === "number" && !Number.isSafeInteger(value)
    return isRounded && /^-?\d+$/.test(source) ? source : value
  })

describe("JSON with whole numbers of any size", () => {
  it("keeps those beyond 2^53 as they are written, and everything else as it is", () => {
    const document = fc.oneof(
      json.map((text) => `[${text}]`),
      json.map((text) => `{"a":${text}}`),
    )
    fc.assert(
      fc.property(document, (text) => {
        expect(parseJson(text)).toStrictEqual(bySource(text))
      }),
    )
  })
})
