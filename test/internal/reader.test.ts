import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as reader from "../../src/internal/reader.js"
import { readCurrency } from "../../src/internal/reader.js"

/** What reading a field of an object gives, or the messages of what is wrong. */
const readField = <A>(value: unknown, read: (node: reader.Node, key: string) => A) => {
  const result = reader.read({ it: value }, { what: "thing", read: (node) => read(node, "it") })
  return Result.isSuccess(result)
    ? result.success
    : result.failure.problems.map(({ path, message }) => `${path} ${message}`)
}

const anId = "an id: a text, or a whole number from 0 to 9007199254740991"

describe("a value in a message", () => {
  it.each([
    [null, "null"],
    [[1], "a list"],
    [{ a: 1 }, "an object"],
    ["a", '"a"'],
    [5, "5"],
  ])("%j is called %s", (value, words) => {
    expect(reader.describe(value)).toBe(words)
  })
})

describe("an id", () => {
  it("is a text, or a whole number from 0 on", () => {
    expect(["a", 7, 0].map((value) => readField(value, reader.neededId))).toEqual(["a", "7", "0"])
    expect(["a", 0, "", null].map((value) => readField(value, reader.id))).toEqual([
      "a",
      "0",
      undefined,
      undefined,
    ])
  })

  it("that is needed is missed when it is empty, or told what it must be", () => {
    expect(readField(undefined, reader.neededId)).toEqual([`it is missing, it must be ${anId}`])
    expect(readField("", reader.neededId)).toEqual([`it must be ${anId}, got ""`])
    expect(readField(-1, reader.neededId)).toEqual([`it must be ${anId}, got -1`])
    expect(readField(0.5, reader.id)).toEqual([`it must be ${anId}, got 0.5`])
  })

  it("of a list is not empty", () => {
    expect(readField(["a", 0], reader.ids)).toEqual(["a", "0"])
    expect(readField(["a", "", -1], reader.ids)).toEqual([
      `it[1] must be ${anId}, got ""`,
      `it[2] must be ${anId}, got -1`,
    ])
  })
})

describe("a whole number", () => {
  it("may have a least one, and nothing is never negative", () => {
    expect(readField(-5, reader.whole)).toBe(-5)
    expect(readField(-0, reader.whole)).toBe(0)
    expect(readField(0, (node, key) => reader.whole(node, key, 0))).toBe(0)
    expect(readField(-1, (node, key) => reader.whole(node, key, 0))).toEqual([
      "it must be a whole number from 0 to 9007199254740991, got -1",
    ])
    expect(readField("5", reader.whole)).toEqual([
      'it must be a whole number within ±9007199254740991, got "5"',
    ])
    expect(readField(undefined, reader.neededWhole)).toEqual([
      "it is missing, it must be a whole number within ±9007199254740991",
    ])
    expect(readField(null, (node, key) => reader.neededWhole(node, key, 1))).toEqual([
      "it must be a whole number from 1 to 9007199254740991, got null",
    ])
  })
})

describe("what else a field must be", () => {
  const time = "a time: Unix seconds (up to the year 9999), or a date and time with its offset"
  it.each([
    ["a text", reader.text, 5, "must be a text, got 5"],
    ["a flag", reader.flag, "yes", 'must be true or false, got "yes"'],
    ["a list", reader.list, {}, "must be a list, got an object"],
    ["texts", reader.texts, "a", 'must be a list, got "a"'],
    ["an object", reader.child, [], "must be an object, got an empty list"],
    ["an object that is needed", reader.neededChild, undefined, "is missing, it must be an object"],
    ["objects", reader.children, 5, "must be a list, got 5"],
    ["objects that are needed", reader.neededChildren, undefined, "is missing, it must be a list"],
    ["a time", reader.time, "noon", `must be ${time}, as 2024-03-01T12:00:00Z, got "noon"`],
    ["a time that is needed", reader.neededTime, undefined, `is missing, it must be ${time}, as`],
    ["a currency", readCurrency, "ZZZ", 'must be an ISO 4217 currency code, as USD, got "ZZZ"'],
    ["a currency as a text", readCurrency, 5, "must be an ISO 4217 currency code, as USD, got 5"],
    [
      "one of a few",
      (node: reader.Node, key: string) => reader.choice(node, key, ["a", "b"]),
      "c",
      'must be one of a, b, got "c"',
    ],
  ] as const)("%s is told when it is not there", (_, read, value, message) => {
    expect(readField<unknown>(value, read)).toEqual([expect.stringContaining(`it ${message}`)])
  })

  it("is what it is when it is right", () => {
    expect(readField("usd ", readCurrency)).toBe("USD")
    expect(readField("1970-01-01T00:00:05Z", reader.neededTime)).toBe(5)
    expect(readField(false, reader.flag)).toBe(false)
    expect(readField(["a"], reader.texts)).toEqual(["a"])
    expect(readField("a", reader.text)).toBe("a")
    expect(readField({ a: 1 }, reader.child)).toMatchObject({ path: "it", fields: { a: 1 } })
    expect(readField({ a: 1 }, reader.neededChild)).toMatchObject({ path: "it" })
    expect(readField("b", (node, key) => reader.choice(node, key, ["a", "b"]))).toBe("b")
    expect(readField(null, reader.children)).toBeUndefined()
    expect(readField([], reader.neededChildren)).toEqual([])
  })
})

describe("problems", () => {
  it("stand where they are, also inside of a larger input", () => {
    const read = (node: reader.Node) =>
      reader.neededChildren(node, "items").map((item) => reader.neededId(item, "id"))
    const input = { items: [{ id: "1" }, { id: true }, 5] }
    const problems = (path?: string) =>
      Result.getOrThrow(Result.flip(reader.read(input, { what: "order", path, read }))).problems
    expect(problems().map(({ path }) => path)).toEqual(["items[2]", "items[1].id"])
    expect(problems("[3]").map(({ path }) => path)).toEqual(["[3].items[2]", "[3].items[1].id"])
    const none = Result.getOrThrow(Result.flip(reader.read(null, { what: "order", read })))
    expect(none.problems).toEqual([
      { path: "", value: null, message: "must be an object, got null" },
    ])
    expect(none.message).toBe("the order can't be read: must be an object, got null")
  })

  it("are told once each, and no more than a hundred of them", () => {
    const twice = (node: reader.Node) => [reader.text(node, "a"), reader.text(node, "a")]
    const result = reader.read({ a: 5 }, { what: "order", read: twice })
    expect(Result.isFailure(result) && result.failure.problems).toHaveLength(1)
    const items = Array.from({ length: 1_500 }, () => ({ id: 0.5, amount: 0.5 }))
    const readAll = (read: (node: reader.Node) => unknown) =>
      reader.read({ items, texts: items }, { what: "order", read })
    const count = (read: (node: reader.Node) => unknown) => {
      const all = readAll(read)
      return Result.isFailure(all) ? all.failure.problems.length : 0
    }
    const each = (read: (node: reader.Node) => unknown) => (node: reader.Node) =>
      reader.neededChildren(node, "items").map(read)
    expect(count(each((item) => reader.whole(item, "amount")))).toBe(100)
    expect(count(each((item) => reader.neededWhole(item, "amount")))).toBe(100)
    expect(count(each((item) => reader.neededId(item, "id")))).toBe(100)
    expect(count((node) => reader.texts(node, "texts"))).toBe(100)
  })
})
