import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as fields from "../../src/internal/fields.js"

const problemsOf = (field: fields.Field<unknown>, value: unknown) =>
  Result.match(fields.read(value, field), { onFailure: (found) => found, onSuccess: () => [] })

const told = (field: fields.Field<unknown>, value: unknown): string | undefined =>
  problemsOf(fields.objectOf<{ a: unknown }>({ a: field }), { a: value })[0]?.message

const ids = fields.objectOf({ list: fields.listOf(fields.objectOf({ id: fields.text })) })

describe("what a field refuses", () => {
  it("is told in words", () => {
    expect(told(fields.text, 5)).toBe("must be string, got 5")
    expect(told(fields.flag, 5)).toBe("must be true or false, got 5")
    expect(told(fields.nullable(fields.text), 5)).toBe("must be string or null, got 5")
    expect(told(fields.orNull(fields.text), 5)).toBe("must be string or null, got 5")
    expect(told(fields.choice(["x", "y"]), 5)).toBe('must be "x" or "y", got 5')
    expect(told(fields.choice(["x", "y"]), "z")).toBe('must be "x" or "y", got "z"')
    expect(told(fields.listOf(fields.text), 5)).toBe("must be array, got 5")
    expect(told(fields.nullable(fields.listOf(fields.text)), 5)).toBe(
      "must be array or null, got 5",
    )
    expect(told(fields.nullable(ids), 5)).toBe("must be object or null, got 5")
    expect(told(fields.integer, "5")).toBe('must be number, got "5"')
    expect(told(fields.integer, 0.5)).toBe("must be an integer, got 0.5")
    expect(told(fields.nullable(fields.integer), 0.5)).toBe("must be an integer, got 0.5")
  })

  it("is shown in a few words, however long it is", () => {
    expect(told(fields.flag, "a".repeat(200))).toBe(
      `must be true or false, got "${"a".repeat(79)}…`,
    )
  })

  it("has its place, and the value that stands there", () => {
    expect(problemsOf(ids, { list: [{ id: "a" }, { id: 7 }, {}, 5] })).toEqual([
      { path: "list[1].id", value: 7, message: "must be string, got 7" },
      { path: "list[2].id", value: undefined, message: "is missing" },
      { path: "list[3]", value: 5, message: "must be object, got 5" },
    ])
  })

  it("is a hundred times told at most", () => {
    const found = problemsOf(
      fields.listOf(fields.text),
      Array.from({ length: 200_000 }, () => 5),
    )
    expect(found).toHaveLength(100)
    expect(found[99]).toEqual({ path: "[99]", value: 5, message: "must be string, got 5" })
  })
})

describe("a field that may be absent", () => {
  const shape = {
    optional: fields.optional(fields.text),
    orNull: fields.orNull(fields.text),
    or: fields.or(fields.text, "default"),
  }

  it("is left out, null or has its value then", () => {
    expect(Result.getOrThrow(fields.read({ own: 5 }, fields.objectOf(shape)))).toStrictEqual({
      orNull: null,
      or: "default",
    })
  })

  it("has to be right where it is there", () => {
    const wrong = { optional: null, orNull: 5, or: null }
    expect(problemsOf(fields.objectOf(shape), wrong).map(({ path }) => path)).toEqual([
      "optional",
      "orNull",
      "or",
    ])
  })
})

describe("a field with a way of its own to be read", () => {
  const parse = (value: unknown) =>
    Result.mapError(fields.read(value, ids), (problems) => ({ problems }))

  it("has its problems at its place", () => {
    const object = fields.objectOf<{ a: unknown }>({ a: fields.nested(parse) })
    expect(Result.getOrThrow(fields.read({ a: { list: [] } }, object))).toEqual({ a: { list: [] } })
    expect(problemsOf(object, { a: { list: [{}] } })).toEqual([
      { path: "a.list[0].id", value: undefined, message: "is missing" },
    ])
    expect(problemsOf(object, { a: 5 })).toEqual([
      { path: "a", value: 5, message: "must be object, got 5" },
    ])
  })
})
