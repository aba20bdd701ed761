import { expect, test } from "vitest"
import * as wording from "../../../src/analysis/internal/check/Subject.js"

test("a list of nothing says nothing", () => {
  expect(wording.list([])).toBe("")
})

test("a list says how many more there are where it leaves out two or more", () => {
  expect(wording.list(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more")
  expect(wording.list(["a", "b", "c"], 2)).toBe("a, b and c")
})

test("the names of groups are told after what they are, on one line", () => {
  expect(wording.groups(["a\nb"])).toBe("group a b")
  expect(wording.groups(["a", "b"])).toBe("groups a and b")
})

test("products are told by their ids, also where those look like keys", () => {
  expect(wording.products(["gid:%2F%2Fshop%2F1", "100%25", "%252F"])).toBe(
    "gid://shop/1, 100% and %2F",
  )
})
