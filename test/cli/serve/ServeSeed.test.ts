import { afterAll, describe, expect, it } from "vitest"
import type { Source } from "../../../src/cli/input/Sources.js"
import * as ServeSeed from "../../../src/cli/serve/ServeStorage.js"

const notes: Array<string> = []
const source = (text: string | Buffer): Source => ({
  name: "store.json",
  chunks: async function* () {
    yield Buffer.from(text)
  },
})
const read = (text: string | Buffer) => ServeSeed.read(source(text), (note) => notes.push(note))
afterAll(() => expect(notes.length).toBeGreaterThan(0))

/** The lines that are told of a seed that can't be used. */
const told = (text: string | Buffer): Promise<ReadonlyArray<string>> =>
  read(text).then(
    () => [],
    (cause: unknown) => (cause instanceof Error ? cause.message.split("\n") : [String(cause)]),
  )

const lines = (...parts: ReadonlyArray<string>) => parts.join("\n")

describe("a seed", () => {
  it("can have one list only, on one line or many, with a byte order mark", async () => {
    const ada = '{"collaborators": [{"id": "ada", "currency": "EUR"}]}'
    for (const text of [ada, `\ufeff${ada}\n`, ada.replaceAll(" ", "\n")]) {
      expect((await read(text)).collaborators.map(({ id }) => id)).toEqual(["ada"])
    }
  })

  it("is told of with the lines and fields of its problems", async () => {
    const text = lines(
      '{ "collaborators": [',
      '    { "id": "ada", "currency": "EUR" },',
      '    { "id": "sam",',
      '      "currency": "ducats" } ],',
      '  "payouts": [{ "id": "p", "currency": "EUR", "collaborator": "bob",',
      '    "status": "active", "to_be_paid_at": 5 }] }',
    )
    expect(await told(text)).toEqual([
      expect.stringMatching(/^store\.json:4: collaborators\[1\]\.currency: must be an ISO 4217/),
      'store.json:5: payouts[0].collaborator: "bob" is not among the collaborators',
    ])
    expect(await told("[]")).toEqual(["store.json:1: must be an object, got an empty list"])
  })

  it("is told of with line and column where it is no JSON", async () => {
    expect(await told('{\n "groups": [,] }')).toEqual([
      expect.stringMatching(/^store\.json:2:13: is not valid JSON/),
    ])
    expect(await told("")).toEqual(["store.json: is empty"])
    expect(await told(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual([
      expect.stringMatching(/^store\.json:1: is not valid UTF-8/),
    ])
  })

  it("is refused when a field is misspelt, at any depth, and an unknown one is told of", async () => {
    const payout = '"id": "p", "currency": "EUR", "collaborator": "ada", "status": "active"'
    const people = '"collaborators": [{ "id": "ada", "currency": "EUR" }]'
    const entry = '"amount": 5, "expense_name": "Tip"'
    const text = lines(
      `{ ${people}, "payouts": [{ ${payout}, "to_be_paid_at": 5, "url": "x",`,
      `  "items": [{ ${entry} }, { ${entry}, "orderitem": null }] }] }`,
    )
    expect(await told(text)).toEqual([
      "store.json:2: payouts[0].items[1].orderitem: is no field and would have no effect, did you mean orderItem?",
    ])
    expect(notes).toEqual(["store.json:1: ignored field: url"])
  })
})
