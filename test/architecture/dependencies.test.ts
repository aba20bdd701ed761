import { describe, expect, it } from "vitest"
import {
  circles,
  foreigners,
  heavyModules,
  intrusions,
  throughEntryPoints,
  unknownFolders,
  upwards,
} from "./Layers.js"
import { parse, read } from "./SourceFile.js"

const files = read("src/**/*.{ts,tsx}")

describe("dependencies in the sources", () => {
  it("are looked at in every folder", () => {
    expect(files.length).toBeGreaterThan(10)
    expect(unknownFolders(files)).toEqual([])
  })

  it("point only downwards, from analysis to money and from the edges to the core", () => {
    expect(upwards(files)).toEqual([])
  })

  it("do not reach into internal files from outside", () => {
    expect(intrusions(files)).toEqual([])
  })

  it("of the library are Effect's data modules by path, and nothing else", () => {
    expect(foreigners(files)).toEqual([])
  })

  it("of the library name the file they mean, not an entry point that gathers many", () => {
    expect(throughEntryPoints(files)).toEqual([])
  })

  it("never go in circles, not by types either", () => {
    expect(circles(files)).toEqual([])
  })

  it("bring no runtime of Effect to who reads a rail's answers, only to who asks its API", () => {
    for (const rail of ["paypal", "wise", "stripe"]) {
      expect(heavyModules(files, `src/rails/${rail}/index.ts`)).toEqual([])
    }
    expect(heavyModules(files, "src/rails/api/index.ts")).toContain(
      "src/rails/api/StripeRail.ts needs effect/Effect",
    )
  })

  it("bring no schema and no runtime of Effect to who imports the core", () => {
    expect(heavyModules(files, "src/index.ts")).toEqual([])
    expect(heavyModules(files, "src/schema/index.ts")).toContain(
      "src/schema/Models.ts needs effect/Schema",
    )
  })
})

describe("the check of dependencies", () => {
  const money = 'import type { Share } from "../shares/Share.js"\nexport type A = Share'
  const planted = [parse("src/money/A.ts", money), parse("src/shares/Share.ts", "export {}")]

  it("sees an import that goes up, be it of a type", () => {
    expect(upwards(planted)).toEqual(["src/money/A.ts imports src/shares/Share.ts"])
    expect(upwards([parse("src/wire/A.ts", 'export * from "../shopify/B.js"')])).toHaveLength(1)
    expect(upwards([parse("src/money/A.ts", 'import "../internal/reader.js"')])).toHaveLength(1)
    expect(upwards([parse("src/money/A.ts", 'import "../schema/Models.js"')])).toHaveLength(1)
    expect(upwards([parse("src/Problem.ts", 'import("./money/Cents.js")')])).toHaveLength(1)
  })

  it("sees an import of an internal file from outside", () => {
    const file = parse("src/wire/A.ts", 'import { a } from "../money/internal/exact.js"')
    expect(intrusions([file])).toEqual(["src/wire/A.ts imports src/money/internal/exact.ts"])
    expect(intrusions([parse("src/money/A.ts", 'import "./internal/exact.js"')])).toEqual([])
    expect(intrusions([parse("src/money/A.ts", 'import "../wire/internal/b.js"')])).toHaveLength(1)
    expect(intrusions([parse("src/wire/A.ts", 'import "../internal/problems.js"')])).toEqual([])
  })

  it("sees the runtime, the barrel and what is not of Effect", () => {
    const text = ["effect", "effect/Effect", "effect/Schema", "node:fs", "csv-parse"]
      .map((name) => `import "${name}"`)
      .join("\n")
    expect(foreigners([parse("src/money/A.ts", text)])).toEqual([
      "src/money/A.ts imports effect",
      "src/money/A.ts imports effect/Effect",
      "src/money/A.ts imports effect/Schema",
      "src/money/A.ts imports node:fs",
      "src/money/A.ts imports csv-parse",
    ])
  })

  it("sees a circle", () => {
    const circle = [
      parse("src/money/A.ts", 'import "./B.js"'),
      parse("src/money/B.ts", 'import "./C.js"'),
      parse("src/money/C.ts", 'export { a } from "./A.js"'),
    ]
    const beside = parse("src/money/D.ts", 'import "./A.js"')
    expect(circles([...circle, beside])).toEqual([
      ["src/money/A.ts", "src/money/B.ts", "src/money/C.ts"],
    ])
  })

  it("sees a circle of types", () => {
    const circle = [
      parse("src/money/A.ts", 'import type { B } from "./B.js"'),
      parse("src/money/B.ts", 'import { a } from "./A.js"'),
    ]
    expect(circles(circle)).toEqual([["src/money/A.ts", "src/money/B.ts"]])
    expect(circles(circle.slice(0, 1))).toEqual([])
  })

  it("sees a folder that has no place", () => {
    expect(unknownFolders([parse("src/extras/A.ts", "")])).toEqual(["extras"])
  })
})
