import { expect, it } from "vitest"
import { camelCase, escapeSlash, snakeCase } from "../../src/internal/names.js"

it.each([
  ["id", "id"],
  ["payoutHoldingDays", "payout_holding_days"],
  ["createdAt", "created_at"],
])("%s is %s on the wire, and back", (inCore, onWire) => {
  expect(snakeCase(inCore)).toBe(onWire)
  expect(camelCase(onWire)).toBe(inCore)
})

it("an id is a part of a key of which no other id is the same part", () => {
  expect(["a/b", "a%2Fb", "a", "%/%/"].map(escapeSlash)).toEqual([
    "a%2Fb",
    "a%252Fb",
    "a",
    "%25%2F%25%2F",
  ])
})
