import { Catalogue } from "apportion"
import { expect, test } from "vitest"
import { settingOf } from "../../../src/analysis/internal/ResolvedOptions.js"

test("the products of a catalogue are looked at once, however many questions are asked of them", () => {
  let looks = 0
  const product = {
    id: "p",
    get vendor() {
      looks += 1
      return "North"
    },
  }
  const catalogue = { ...Catalogue.make([]), products: [product] }
  settingOf({ catalogue })
  const first = looks
  expect(first).toBeGreaterThan(0)
  settingOf({ catalogue })
  expect(looks).toBe(first)
})
