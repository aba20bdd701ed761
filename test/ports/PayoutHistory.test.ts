/** The text of an entry of a payout's history, which is written quickly, is the one that is plainly written. */
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { historyText } from "../../src/ports/PayoutHistory.js"
import type { StoredPayout } from "../../src/ports/PayoutStore.js"
import { runs } from "../generators/Runs.js"

/** The same by JSON alone: objects whose fields are in order, without those that are null. */
const plainText = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part
    const there = Object.entries(part).filter(([, field]) => field !== null && field !== undefined)
    const sorted = there.sort(([one], [other]) => (one < other ? -1 : 1))
    // A field with the name of a number would come first in an object.
    return sorted.some(([name]) => /^\d/.test(name)) ? fc.pre(false) : Object.fromEntries(sorted)
  })

const after: StoredPayout = {
  ...{ id: "o1", collaboratorId: "ada", currency: "EUR", total: 0, itemsCount: 0, version: 1 },
  ...{ openedAt: 0, toBePaidAt: 9, closedAt: null, payableAt: null, paidAt: null },
  ...({ status: "active", failureReason: null, paymentId: null } as const),
}

test("whatever fields a host gives its items, in whatever order, the text has them by name", () => {
  const fields = fc.dictionary(fc.string({ maxLength: 2 }), fc.jsonValue({ maxDepth: 2 }), {
    noNullPrototype: true,
  })
  fc.assert(
    fc.property(fc.array(fields, { maxLength: 4 }), fc.string(), (items, actor) => {
      const entry = { actor, after, at: 5, put: [], removed: [] }
      const put = JSON.parse(JSON.stringify(items))
      expect(historyText({ ...entry, put })).toBe(plainText({ ...entry, put }))
    }),
    runs(500),
  )
})
