import { Problem } from "apportion/schema"
import * as Schema from "effect/Schema"
import { expect, test } from "vitest"

test("a problem has a place, the value that stood there, and what is wrong with it", () => {
  const problem = { path: "items[2].amount", value: 0.5, message: "must be a whole number" }
  expect(Schema.is(Problem)(problem)).toBe(true)
  expect(Schema.is(Problem)({ ...problem, value: undefined })).toBe(true)
  expect(Schema.is(Problem)({ ...problem, path: undefined })).toBe(false)
  expect(Schema.is(Problem)({ ...problem, message: 5 })).toBe(false)
})
