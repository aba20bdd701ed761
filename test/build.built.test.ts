import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { stamp } from "./build.js"
import { entryPoints } from "./EntryPoint.js"

/** The names of what a module exports, and of what is in each of these. */
const namesIn = (exported: object = {}): ReadonlyArray<string> =>
  Object.entries(exported)
    .flatMap(([name, value]) => [
      name,
      ...Object.keys(Object(value)).map((key) => `${name}.${key}`),
    ])
    .sort()

describe("the package", () => {
  it("builds, with code and declarations behind each of its entry points", () => {
    const missing = entryPoints()
      .flatMap(({ built, inNode }) => [built, built.replace(/\.js$/, ".d.ts"), inNode])
      .filter((file) => !existsSync(file))
    expect(missing).toEqual([])
    expect(existsSync(stamp), "the build failed, see above").toBe(true)
  })

  it.each(entryPoints())("has in few files for Node what $name has in many", async (entryPoint) => {
    const [many, few]: ReadonlyArray<object> = await Promise.all(
      [entryPoint.built, entryPoint.inNode].map((file) => import(resolve(file))),
    )
    expect(namesIn(few)).toEqual(namesIn(many))
  })
})
