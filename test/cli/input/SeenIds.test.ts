import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SeenIds } from "../../../src/cli/input/SeenIds.js"

describe("ids that were seen", () => {
  it("are told apart as a set of texts tells them apart", () => {
    const ids = fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.nat(99).map(String)))
    fc.assert(
      fc.property(ids, (all) => {
        const seen = new SeenIds()
        const known = new Set<string>()
        for (const id of all) {
          expect(seen.add(id)).toBe(!known.has(id))
          known.add(id)
        }
      }),
    )
  })

  it("are known again among half a million that look much alike", () => {
    const seen = new SeenIds()
    let fresh = 0
    for (let index = 0; index < 250_000; index += 1) {
      if (seen.add(`#${index}`)) fresh += 1
      if (seen.add(`${index}-1`)) fresh += 1
    }
    expect(fresh).toBe(500_000)
    expect(seen.add("#249999")).toBe(false)
    expect(seen.add("#250000")).toBe(true)
  })
})
