import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { stamp } from "./build.js"
import { entryPoints } from "./EntryPoint.js"

describe("the package", () => {
  it("builds, with code and declarations behind each of its entry points", () => {
    const missing = entryPoints()
      .flatMap(({ built }) => [built, built.replace(/\.js$/, ".d.ts")])
      .filter((file) => !existsSync(file))
    expect(missing).toEqual([])
    expect(existsSync(stamp), "the build failed, see above").toBe(true)
  })
})
