/** Bodies of requests: fine ones, wrong ones, and bytes that are no JSON at all. */
import fc from "fast-check"
import { groupChanges, newGroup, wrongGroup } from "./GroupBodies.js"
import {
  json,
  markPlace,
  nameText,
  objectOf,
  safeNumber,
  structures,
  unsafeNumbers,
  written,
} from "./Odd.js"
import { perhaps, plain, refused, type Twist } from "./Twist.js"

/** How a stream of a body comes to its end. */
export type Ending = "close" | "error" | "never"

/** A body, as short as it can be told: large ones are made when they are sent. */
export type Body =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "bytes"
      readonly before: string
      readonly bytes: string
      readonly after: string
    }
  | { readonly kind: "utf-16"; readonly text: string }
  | {
      readonly kind: "nested"
      readonly open: string
      readonly close: string
      readonly depth: number
    }
  | {
      readonly kind: "many"
      readonly before: string
      readonly element: string
      readonly count: number
      readonly after: string
    }
  | { readonly kind: "padded"; readonly text: string; readonly length: number }
  | {
      readonly kind: "stream"
      readonly text: string
      readonly size: number
      readonly ending: Ending
    }

export const noBody: Body = { kind: "none" }

const asText = (text: string): Body => ({ kind: "text", text })

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const ofHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const joined = (...parts: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts))

const streamOf = (bytes: Uint8Array, size: number, ending: Ending): ReadableStream<Uint8Array> => {
  let at = 0
  return new ReadableStream({
    pull: (controller) => {
      if (at < bytes.length) {
        controller.enqueue(bytes.slice(at, at + size))
        at += size
      } else if (ending === "close") controller.close()
      else if (ending === "error") controller.error(new TypeError("broken off"))
      else controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
  })
}

/** What is sent, and its text where it is one that can be read whole. */
export interface Rendered {
  readonly sent: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined
  readonly text: string | undefined
}

/** What is put in when a request is sent. */
export interface Filling {
  /** Of the account. */
  readonly mark: string
  /** The id of a payment of the account. */
  readonly payment: string
}

/** Stands for the id of a payment. */
const paymentPlace = "§payment§"

const marked = (text: string, { mark, payment }: Filling): string =>
  text.replaceAll(markPlace, mark).replaceAll(paymentPlace, payment)

const renderText = (text: string): Rendered => ({ sent: text, text })

/** Makes a body, with the mark of an account and the id of a payment in their places. */
export const render = (body: Body, mark: Filling): Rendered => {
  switch (body.kind) {
    case "none":
      return { sent: undefined, text: undefined }
    case "text":
      return renderText(marked(body.text, mark))
    case "bytes": {
      const sent = joined(encode(marked(body.before, mark)), ofHex(body.bytes), encode(body.after))
      return { sent, text: new TextDecoder().decode(sent) }
    }
    case "utf-16":
      return { sent: new Uint8Array(Buffer.from(`\ufeff${body.text}`, "utf16le")), text: undefined }
    case "nested":
      return {
        sent: `${body.open.repeat(body.depth)}${body.close.repeat(body.depth)}`,
        text: undefined,
      }
    case "many": {
      const elements = Array.from({ length: body.count }, () => body.element).join(",")
      return renderText(`${body.before}${elements}${body.after}`)
    }
    case "padded":
      return renderText(marked(body.text, mark).padEnd(body.length, " "))
    case "stream": {
      const text = marked(body.text, mark)
      return { sent: streamOf(encode(text), body.size, body.ending), text }
    }
  }
}

export const bodyLimit = 1_048_576

/** Texts and bytes that are no JSON. */
const noJson: ReadonlyArray<Body> = [
  ...["", " ", "\n\t\r ", "{", "}", "[", "{]", "{'amount':1}", "{amount:1}", '{"amount":1,}'].map(
    asText,
  ),
  ...['{"amount":NaN,"name":"x"}', '{"amount":Infinity}', '{"amount":-Infinity}'].map(asText),
  ...['{"amount":0x10}', '{"amount":1_000}', '{"amount":01}', '{"amount":+1}', '{"amount":.5}'].map(
    asText,
  ),
  ...['{"amount":1.}', '{"amount":1e}', '{"amount":--1}', '{"amount":undefined}'].map(asText),
  ...['{"amount":1}{"amount":2}', '{"amount":1} x', "// a\n{}", "/* */{}", '{"a":1 /* */}'].map(
    asText,
  ),
  ...["amount=1&name=x", "<amount>1</amount>", "undefined", "NaN", "'x'", "nul", "tru"].map(asText),
  ...['{"name":"\t"}', '{"name":"\n"}', `{"name":"${String.fromCharCode(0)}"}`].map(asText),
  ...['{"name":"\\x41"}', '{"name":"\\u12"}', '{"name":"\\', '{"name":"x'].map(asText),
  ...["\ufeff\ufeff{}", "{}\ufeff", `${String.fromCharCode(0)}{}`, "\u00a0{}"].map(asText),
]

/** Bytes that no UTF-8 text has. */
const wrongBytes: ReadonlyArray<string> = [
  ...["ff", "fe", "c0 80", "c1 bf", "e0 80 80", "f0 80 80 80", "f8 88 80 80 80", "80", "bf"],
  ...[
    "ed a0 80",
    "ed bf bf",
    "ed a0 bd ed b8 80",
    "f4 90 80 80",
    "c3",
    "e2 82",
    "f0 9f 98",
    "c3 28",
  ],
].map((hex) => hex.replaceAll(" ", ""))

const brokenText = fc.oneof(
  fc.constantFrom(...noJson),
  fc
    .constantFrom(...wrongBytes)
    .map((bytes): Body => ({ kind: "bytes", before: '{"amount":1,"name":"', bytes, after: '"}' })),
  fc
    .constantFrom(...wrongBytes)
    .map((bytes): Body => ({ kind: "bytes", before: "", bytes, after: "{}" })),
  fc.constant<Body>({ kind: "utf-16", text: '{"amount":1,"name":"x"}' }),
  fc.constant<Body>({ kind: "none" }),
)

const nestings: ReadonlyArray<readonly [string, string]> = [
  ["[", "]"],
  ['{"a":', "}"],
  ['[{"__proto__":', "}]"],
  ["[", ""],
]

/** So deep, as far as it is not too long. */
const nested = (open: string, close: string, depth: number): Body => ({
  kind: "nested",
  open,
  close,
  depth: Math.min(depth, Math.floor(1_000_000 / (open.length + close.length))),
})

const tooDeep = fc
  .tuple(fc.constantFrom(...nestings), fc.constantFrom(65, 66, 100, 5_000, 100_000))
  .map(([[open, close], depth]) => nested(open, close, depth))

const tooLarge = (fine: fc.Arbitrary<string>) =>
  fc.oneof(
    fine.map((text): Body => ({ kind: "padded", text, length: bodyLimit + 10_000 })),
    fine.map((text): Body => ({ kind: "stream", text, size: 65_536, ending: "never" })),
  )

const brokenOff = (fine: fc.Arbitrary<string>) =>
  fc
    .tuple(fine, fc.integer({ min: 1, max: 200 }))
    .map(([text, size]): Body => ({ kind: "stream", text, size, ending: "error" }))

const inParts = (fine: fc.Arbitrary<string>) =>
  fc
    .tuple(fine, fc.constantFrom(1, 2, 3, 7, 1_000))
    .map(([text, size]): Body => ({ kind: "stream", text, size, ending: "close" }))

const noObject = fc.constantFrom(
  ...["[]", "[{}]", "5", "-0", "1e400", "null", "true", '"text"', '""', '"[object Object]"'],
)

type Bodies = fc.Arbitrary<Twist<Body>>

const mapped = (
  texts: fc.Arbitrary<string>,
  twist: (body: Body) => Twist<Body>,
): fc.Arbitrary<Twist<Body>> => texts.map((text) => twist(asText(text)))

/** Every kind of body there is for an endpoint that reads one. */
const bodies = (fine: fc.Arbitrary<string>, wrong: Bodies, wild: fc.Arbitrary<string>): Bodies =>
  fc.oneof(
    { weight: 40, arbitrary: mapped(fine, plain) },
    { weight: 22, arbitrary: wrong },
    { weight: 5, arbitrary: mapped(wild, (body) => perhaps(body, 422)) },
    { weight: 2, arbitrary: mapped(noObject, (body) => refused(body, 422)) },
    { weight: 8, arbitrary: brokenText.map((body) => refused(body, 400)) },
    { weight: 1, arbitrary: tooDeep.map((body) => refused(body, 400)) },
    { weight: 1, arbitrary: tooLarge(fine).map((body) => refused(body, 413)) },
    { weight: 2, arbitrary: brokenOff(fine).map((body) => refused(body, 400)) },
    { weight: 2, arbitrary: inParts(fine).map(plain) },
    {
      weight: 1,
      arbitrary: fine.map((text) =>
        plain<Body>({ kind: "bytes", before: "", bytes: "efbbbf", after: text }),
      ),
    },
    {
      weight: 1,
      arbitrary: fine.map((text) =>
        plain<Body>({ kind: "padded", text, length: bodyLimit - 5_000 }),
      ),
    },
  )

const strange: ReadonlyArray<string> = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "id",
  "at",
]

const extraFields = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(fc.tuple(fc.constantFrom(...strange), json), { maxLength: 3 }) },
)

const entryOf = (amount: fc.Arbitrary<string>, name: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(amount, name, extraFields, fc.boolean())
    .map(([amount, name, extra, isFirst]) =>
      objectOf([
        ...(isFirst ? extra : []),
        ["amount", amount],
        ["name", name],
        ...(isFirst ? [] : extra),
      ]),
    )

const fineAmount = safeNumber
export const fineName = written(nameText)

const wrongAmount = fc.constantFrom(
  ...["0", "-0", "0.0", `0.${"0".repeat(400)}1`, '"5"', '""', "null", "true", "false"],
  ...unsafeNumbers,
  ...structures,
)

export const wrongName = fc.constantFrom(
  ...[
    '""',
    '" "',
    '"\\n\\t"',
    '"\\ufeff"',
    '"\\u00a0"',
    "5",
    "null",
    "true",
    "1e400",
    ...structures,
  ],
  JSON.stringify("a".repeat(201)),
  JSON.stringify("😀".repeat(201)),
  JSON.stringify(` ${"é".repeat(201)} `),
)

const wrongEntry = fc.oneof(
  entryOf(wrongAmount, fineName),
  entryOf(fineAmount, wrongName),
  entryOf(wrongAmount, wrongName),
  fineAmount.map((amount) => objectOf([["amount", amount]])),
  fineName.map((name) => objectOf([["name", name]])),
  fineName.map((name) =>
    objectOf([
      ["__proto__", '{"amount":5}'],
      ["name", name],
    ]),
  ),
)

const wildEntry = fc.oneof(
  json,
  entryOf(json, json),
  fc.tuple(json, json).map(([amount, name]) =>
    objectOf([
      ["amount", amount],
      ["name", name],
      ["amount", "5"],
      ["amount", amount],
    ]),
  ),
)

export const entryBodies: Bodies = bodies(
  entryOf(fineAmount, fineName),
  mapped(wrongEntry, (body) => refused(body, 422)),
  wildEntry.map((text) => (/^\s*[{]/.test(text) ? text : `{"amount":${text}}`)),
)

// What is said of payments.

export const notes = [
  ...['"account closed"', '" x "', `"${"é".repeat(500)}"`, JSON.stringify(`${markPlace} why`)],
  ...['"nul \\u0000 inside"', '"__proto__"'],
]
export const wrongNotes = [`"${"é".repeat(501)}"`, '""', '" "', "5", "true", ...structures]
export const wrongCents = ['"5"', '""', "true", ...unsafeNumbers, ...structures]

/** Fields with fine values, each of which may be absent, unless it is needed. */
export const fieldsOf = (
  fine: Readonly<Record<string, ReadonlyArray<string>>>,
  needed: ReadonlyArray<string> = [],
): fc.Arbitrary<ReadonlyArray<readonly [string, string]>> =>
  fc
    .tuple(
      ...Object.entries(fine).map(([name, values]) => {
        const value = fc.constantFrom(...values).map((one) => [name, one] as const)
        return needed.includes(name) ? value : fc.option(value, { nil: undefined, freq: 2 })
      }),
    )
    .map((pairs) => pairs.filter((pair) => pair !== undefined))

const spoiled = (
  fine: fc.Arbitrary<ReadonlyArray<readonly [string, string]>>,
  wrong: Readonly<Record<string, ReadonlyArray<string>>>,
): fc.Arbitrary<string> =>
  fc
    .tuple(
      fine,
      fc.oneof(
        ...Object.entries(wrong).map(([name, values]) =>
          fc.constantFrom(...values).map((value) => [name, value] as const),
        ),
      ),
    )
    .map(([fields, [name, value]]) =>
      objectOf([...fields.filter(([other]) => other !== name), [name, value]]),
    )

export const kindOf = (
  fine: fc.Arbitrary<ReadonlyArray<readonly [string, string]>>,
  wrong: Readonly<Record<string, ReadonlyArray<string>>>,
): Bodies => {
  const names = Object.keys(wrong)
  const wild = fc
    .tuple(fc.constantFrom(...names), json)
    .map(([name, value]) => objectOf([[name, value]]))
  return bodies(
    fine.map(objectOf),
    mapped(spoiled(fine, wrong), (body) => refused(body, 422)),
    wild,
  )
}

export const claimBodies: Bodies = kindOf(fieldsOf({ rail: ['"bank"'] }, ["rail"]), {
  rail: ["null", '""', '"cash"', '"BANK"', '"__proto__"', "1.5", "-1", "true", ...structures],
})

const totals = ["5000", "5000", "5000", "0", "1", "7", "9007199254740991"]

export const paidBodies: Bodies = kindOf(
  fieldsOf({ total: totals, reference: [...notes, "null"], fee: ["0", "25", "null"] }, ["total"]),
  { total: ["null", ...wrongCents], reference: wrongNotes, fee: wrongCents },
)

export const reasonBodies: Bodies = kindOf(fieldsOf({ reason: notes }, ["reason"]), {
  reason: ["null", ...wrongNotes],
})

export const releaseBodies: Bodies = kindOf(fieldsOf({ reason: [...notes, "null"] }), {
  reason: wrongNotes,
})

const times = ["1700000000", '"2024-03-01T12:00:00Z"', "0", "253402300799", "null"]
const wrongTimes = ['"yesterday"', "1e21", "1.5", "253402300800", "true", "[]"]

export const confirmationBodies: Bodies = kindOf(
  fieldsOf({
    ...{ at: times, reference: [...notes, "null"], fee: ["0", "25", "null"] },
    amount: ["null", "null", "5000", "5001"],
  }),
  { at: wrongTimes, reference: wrongNotes, fee: wrongCents, amount: wrongCents },
)

const outcome = fieldsOf(
  {
    type: ['"accepted"', '"confirmed"', '"rejected"', '"returned"', '"unknown"', '"paid"', "5"],
    key: [`"${paymentPlace}"`, `"${paymentPlace}"`, '"nobody"', "null", '"\\u0000"', "[]"],
    rail_reference: ['"T-1"', "null", "5"],
    at: [...times, '"soon"'],
    amount: ["5000", "null", "0.5"],
    currency: ['"EUR"', '"JPY"', '"euros"', "null"],
    ...{ fee: ["0", "null"], reason: [...notes, "null", '""'] },
  },
  ["type", "key"],
).map(objectOf)

const outcomesOf = (list: string): string => objectOf([["outcomes", list]])

export const outcomesBodies: Bodies = bodies(
  fc
    .array(outcome, { minLength: 1, maxLength: 5 })
    .map((outcomes) => outcomesOf(`[${outcomes.join(",")}]`)),
  mapped(
    fc.constantFrom(...["[]", "{}", "null", "5", '""', "[5]", "[{},[]]", "[null]"]).map(outcomesOf),
    (body) => refused(body, 422),
  ),
  json.map((one) => outcomesOf(`[${one}]`)),
)

const manyWrong = fc.constantFrom(10, 1_000, 100_000).map(
  (count): Twist<Body> =>
    refused(
      {
        kind: "many",
        before: '{"itemType":"products.tag","type":"flat","amount":5,"items":[',
        element: "0.5",
        count,
        after: "]}",
      },
      422,
    ),
)

const manyFine = fc.constantFrom(100, 1_000, 10_000).map(
  (count): Twist<Body> =>
    plain({
      kind: "many",
      before: '{"itemType":"products.tag","type":"flat","amount":5,"items":[',
      element: '"tag"',
      count,
      after: "]}",
    }),
)

const withMany = (group: Bodies): Bodies =>
  fc.oneof(
    { weight: 200, arbitrary: group },
    { weight: 2, arbitrary: manyWrong },
    { weight: 1, arbitrary: manyFine },
  )

const wildGroup = fc.oneof(
  json.map((text) => (/^\s*[{]/.test(text) ? text : `{"itemType":${text}}`)),
  fc
    .tuple(
      newGroup,
      fc.constantFrom("itemType", "items", "type", "percent", "amount", "splitConditions"),
      json,
    )
    .map(([fields, key, value]) => objectOf([...fields, [key, value]])),
)

export const groupBodies: Bodies = withMany(
  bodies(
    newGroup.map(objectOf),
    mapped(wrongGroup("create").map(objectOf), (body) => refused(body, 422)),
    wildGroup,
  ),
)

export const changeBodies: Bodies = withMany(
  bodies(
    groupChanges.map(objectOf),
    mapped(wrongGroup("update").map(objectOf), (body) => refused(body, 422)),
    fc.oneof(
      wildGroup,
      newGroup.map((fields) => objectOf(fields.filter((_, index) => index % 2 === 0))),
    ),
  ),
)

/** Bodies for endpoints that read none. */
export const idleBodies: Bodies = fc
  .oneof(
    { weight: 8, arbitrary: fc.constant(noBody) },
    { weight: 1, arbitrary: brokenText },
    { weight: 1, arbitrary: json.map(asText) },
  )
  .map(plain)
