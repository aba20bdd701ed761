import { expect, it } from "vitest"
import { unknownFields } from "../../src/internal/fieldNames.js"

const isNone = "is no field of a mug; the fields are"

it("a field that an object can't have is told with its place", () => {
  const mug = { id: "1", colour: "red", size: undefined }
  const message = "is no field of a mug; the fields are id, name"
  expect(unknownFields(mug, ["id", "name"], { isNone })).toEqual([
    { path: "colour", value: "red", message },
  ])
  expect(unknownFields(mug, ["id", "name"], { isNone, place: "mugs[2]" })).toEqual([
    { path: "mugs[2].colour", value: "red", message },
  ])
})

it("what is no object has no fields", () => {
  for (const value of [null, undefined, 5, "mug", ["mug"]]) {
    expect(unknownFields(value, [], { isNone })).toEqual([])
  }
})

it("of fields without end a hundred are told", () => {
  const value = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`f${index}`, 1]))
  const found = unknownFields(value, ["id"], { isNone })
  expect(found).toHaveLength(100)
  expect(found[99]).toEqual({ path: "f99", value: 1, message: `${isNone} id` })
})

it("a text that is an object has no names, and is not looked through", () => {
  const started = performance.now()
  const found = unknownFields(Object("x".repeat(1_000_000)), ["id"], { isNone, place: "mug" })
  expect(found.map(({ path }) => path)).toEqual(["mug"])
  expect(found[0]?.message).toMatch(/^must be an object with named fields, got /)
  expect(performance.now() - started).toBeLessThan(1_000)
})
