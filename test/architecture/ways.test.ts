import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "./SourceFile.js"

const architecture = readFileSync("ARCHITECTURE.md", "utf8")

/** A list of files on the way through the code, under the line that stands above it. */
interface Way {
  readonly title: string
  readonly files: ReadonlyArray<string>
}

/** The numbered lists of a chapter that name a file in each line. */
const waysIn = (text: string, chapter: string): ReadonlyArray<Way> => {
  const [, inside = ""] = text.split(`\n## ${chapter}\n`)
  const [own = ""] = inside.split(/\n## /)
  const blocks = own.trim().split(/\n{2,}/)
  return blocks.flatMap((block, index) => {
    const files = [...block.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => `src/${path}`)
    return files.length === 0 ? [] : [{ title: blocks[index - 1] ?? "", files }]
  })
}

/** The files that a text at a path imports, by their paths. */
const importedBy = (path: string, text: string): ReadonlySet<string> =>
  new Set(
    parse(path, text)
      .imports.filter(({ specifier }) => specifier.startsWith("."))
      .map(({ specifier }) => join(dirname(path), specifier).replace(/\.js$/, ".ts")),
  )

/** Files of a way that no earlier one imports, and that import none: behind a port it is the other way round. */
const strays = (
  { files }: Way,
  textOf: (path: string) => string = (path) => readFileSync(path, "utf8"),
): ReadonlyArray<string> => {
  const imported = files.map((path) => importedBy(path, textOf(path)))
  return files.filter(
    (path, place) =>
      place > 0 &&
      !files
        .slice(0, place)
        .some((earlier, at) => imported[at]?.has(path) || imported[place]?.has(earlier)),
  )
}

const ways = waysIn(architecture, "Four ways through the code")

describe("the ways through the code", () => {
  it("are found in the architecture", () => {
    expect(ways.length).toBe(8)
    for (const { files, title } of ways) expect(files.length, title).toBeGreaterThan(5)
  })

  it.each(ways)("$title goes through files that there are, each once", ({ files }) => {
    expect(files.filter((path) => !existsSync(path))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
  })

  it.each(ways)("$title goes from each file to the next by an import", (way) => {
    expect(strays(way)).toEqual([])
  })
})

describe("the check of the ways", () => {
  const texts = new Map([
    ["src/A.ts", 'import { b } from "./b/B.js"'],
    ["src/b/B.ts", ""],
    ["src/C.ts", 'const c = () => import("./A.js")'],
    ["src/D.ts", ""],
  ])
  const text = "## One\n\n1. `x.ts`: x\n\n## Two\n\nA to D:\n\n1. `A.ts`: a\n2. `b/B.ts`: b\n"

  it("reads the lists of the chapter, with what stands above them", () => {
    expect(waysIn(`\n${text}`, "Two")).toEqual([
      { title: "A to D:", files: ["src/A.ts", "src/b/B.ts"] },
    ])
  })

  it("finds a file to which no import leads", () => {
    const textOf = (path: string) => texts.get(path) ?? ""
    expect(strays({ title: "", files: [...texts.keys()] }, textOf)).toEqual(["src/D.ts"])
  })
})

describe("files and folders that the architecture names", () => {
  it("are there", () => {
    const all = globSync(["*", "src/**/*", "test/**/*", "docs/**/*", ".ci/*"])
    const named = [...architecture.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(
      ([, name = ""]) => name,
    )
    const isThere = (name: string) => {
      const end = `/${name.replace(/\/$/, "")}`
      return all.some((path) => `/${path}`.endsWith(end))
    }
    expect(named.length).toBeGreaterThan(150)
    expect([...new Set(named)].filter((name) => !isThere(name))).toEqual([])
  })
})
