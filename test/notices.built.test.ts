import { globSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"

/** The packages of which esbuild's comments in the bundle say that a part is there. */
const bundled = (): ReadonlyArray<string> => {
  const origin = /^\s*\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm
  const names = globSync("dist/cli/*.js").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(origin)].map(([, name = ""]) => name),
  )
  return [...new Set(names)].sort()
}

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version

const notices = () => readFileSync("dist/cli/THIRD-PARTY-NOTICES.txt", "utf8")
const bill = () => JSON.parse(readFileSync("dist/cli/sbom.cdx.json", "utf8"))

describe("what the command line carries of others", () => {
  test("is found in the bundle", () => {
    expect(bundled()).toContain("effect")
    expect(bundled().length).toBeGreaterThan(5)
  })

  test("is named in the notices, each package with its version and the text of its licence", () => {
    const lines = notices()
      .split(/^={80}$/m)
      .slice(1)
      .map((part) => part.trim())
    const parts = new Map(
      lines.flatMap((part, index) => (index % 2 === 0 ? [[part, lines[index + 1] ?? ""]] : [])),
    )
    for (const name of bundled()) {
      const title = [...parts.keys()].find((key) => key.startsWith(`${name} ${versionOf(name)} (`))
      expect(title, name).toBeDefined()
      expect(parts.get(title ?? ""), name).toMatch(/copyright|by /i)
    }
  })

  test("is in the bill of materials, with the checksums of the lock file", () => {
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"))
    const { bomFormat, components } = bill()
    expect(bomFormat).toBe("CycloneDX")
    for (const name of bundled()) {
      const found = components.find((one: { name: string }) => one.name === name)
      expect(found, name).toMatchObject({ version: versionOf(name) })
      const [, digest = ""] = packages[`node_modules/${name}`].integrity.split("-")
      expect(found.hashes[0].content, name).toBe(Buffer.from(digest, "base64").toString("hex"))
    }
  })

  test("has Swagger UI in it, which effect carries where no bundler sees it", () => {
    expect(bundled()).not.toContain("swagger-ui-dist")
    expect(notices()).toContain("\nswagger-ui-dist 5.")
    expect(notices()).toContain("TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION")
  })
})

describe("what a page carries of others", () => {
  test.each(globSync("dist/web/*/page.js"))("%s is named in the notices beside it", (script) => {
    const path = script.replace("page.js", "THIRD-PARTY-NOTICES.txt")
    const titles = readFileSync(path, "utf8")
    for (const name of ["preact", "@preact/signals-core"]) {
      expect(titles).toContain(`\n${name} ${versionOf(name)} (MIT)\n`)
    }
    expect(titles).not.toContain("swagger-ui-dist")
  })
})
