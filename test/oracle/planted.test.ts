/** Faults that long tests plant into the sources have a place there, whatever was changed since. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { faults as ofAgreements } from "../agreements/faults.mjs"
import { faults as ofCarry } from "../carry/faults.mjs"
import { faults as ofSplit } from "../cli/split/faults.mjs"

const sourceOf = (file: string): string =>
  readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8")

test.each([
  ["agreements", ofAgreements],
  ["carry", ofCarry],
  ["the split of bytes", ofSplit],
])("each fault planted in %s has its place", (_, faults) => {
  expect(faults.length).toBeGreaterThanOrEqual(12)
  const lost = faults.filter(({ file, from, to }) => !sourceOf(file).includes(from) || from === to)
  expect(lost.map(({ name }) => name)).toEqual([])
})
