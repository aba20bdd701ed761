import { describe, expect, it } from "vitest"
import { entryPoints } from "../EntryPoint.js"
import { count } from "./Assertion.js"
import { blocksOf } from "./Example.js"
import { type PublicExport, publicExports } from "./PublicExport.js"

const all = await publicExports(entryPoints())

const textsOf = (one: PublicExport, tag: string) =>
  one.tags.filter(({ name }) => name === tag).map(({ text }) => text.trim())

const assertionsOf = (one: PublicExport): number =>
  textsOf(one, "example")
    .flatMap((text) => blocksOf(one.place, text))
    .reduce((sum, block) => sum + count(block.code), 0)

const whereNot = (is: (one: PublicExport) => boolean) =>
  all.filter((one) => !is(one)).map((one) => `${one.place} ${one.name}`)

describe("every public export", () => {
  it("was found", () => {
    expect(all.map((one) => one.name)).toContain("apportion: Cents.sum")
    expect(all.map((one) => one.name)).toContain("apportion: Percent.InvalidPercent")
  })

  it("says what it is in a sentence", () => {
    expect(whereNot((one) => /[.!?…](?:\s|$)/.test(one.summary))).toEqual([])
  })

  it("says since which version it is there", () => {
    const since = (one: PublicExport) => textsOf(one, "since").join()
    expect(whereNot((one) => /^\d+\.\d+\.\d+$/.test(since(one)))).toEqual([])
  })

  it("has a category", () => {
    expect(whereNot((one) => textsOf(one, "category").join() !== "")).toEqual([])
  })

  it("that is a function has an example that states a value", () => {
    expect(whereNot((one) => !one.isFunction || assertionsOf(one) > 0)).toEqual([])
  })
})
