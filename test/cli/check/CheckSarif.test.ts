import { resolve } from "node:path"
import { Ajv } from "ajv"
import ts from "typescript"
import { afterAll, describe, expect, it } from "vitest"
import { Analysis } from "../../../src/index.js"
import { check, flawed, folder, lee, lines } from "../CheckWorld.js"
import { run } from "../world.js"

afterAll(() => folder.remove())

const sarifOf = async (...flags: ReadonlyArray<string>) => {
  const { out } = await check(flawed, "--format", "sarif", ...flags)
  return out
}

/** What the type checker has to say of a log, by the types that are made from the standard's schema. */
const typeErrors = (json: string): ReadonlyArray<string> => {
  const name = resolve("test/cli/log.sarif.ts")
  const text = `import type { Log } from "sarif"\nexport const log: Log = ${json}`
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    types: [],
  }
  const host = ts.createCompilerHost(options, true)
  const { fileExists, readFile } = host
  host.fileExists = (path) => path === name || fileExists.call(host, path)
  host.readFile = (path) => (path === name ? text : readFile.call(host, path))
  const program = ts.createProgram([name], options, host)
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(name))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
}

const text = {
  type: "object",
  required: ["text"],
  properties: { text: { type: "string", minLength: 1 } },
  additionalProperties: false,
}
const logical = {
  type: "array",
  items: {
    type: "object",
    required: ["name", "fullyQualifiedName", "kind"],
    additionalProperties: false,
    properties: {
      name: { type: "string" },
      fullyQualifiedName: { type: "string" },
      kind: { type: "string" },
    },
  },
}
const location = {
  type: "object",
  additionalProperties: false,
  properties: {
    physicalLocation: {
      type: "object",
      required: ["artifactLocation"],
      additionalProperties: false,
      properties: {
        artifactLocation: {
          type: "object",
          additionalProperties: false,
          properties: {
            uri: { type: "string", pattern: "^[!#$&-;=?-\\[\\]_a-z~%A-Z]+$" },
            index: { type: "integer", minimum: 0 },
          },
        },
        region: {
          type: "object",
          additionalProperties: false,
          required: ["startLine"],
          properties: { startLine: { type: "integer", minimum: 1 } },
        },
      },
    },
    logicalLocations: logical,
  },
}
const level = { enum: ["error", "warning", "note"] }

/** What the standard (section 3) asks of the properties that are written; nothing else may be there. */
const standard = {
  type: "object",
  required: ["version", "runs"],
  additionalProperties: false,
  properties: {
    $schema: { type: "string" },
    version: { const: "2.1.0" },
    runs: {
      type: "array",
      minItems: 1,
      maxItems: 1,
      items: {
        type: "object",
        required: ["tool", "results"],
        additionalProperties: false,
        properties: {
          columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
          tool: {
            type: "object",
            required: ["driver"],
            additionalProperties: false,
            properties: {
              driver: {
                type: "object",
                required: ["name", "rules"],
                additionalProperties: false,
                properties: {
                  name: { const: "apportion" },
                  version: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+" },
                  rules: {
                    type: "array",
                    uniqueItems: true,
                    items: {
                      type: "object",
                      required: ["id", "shortDescription", "help"],
                      additionalProperties: false,
                      properties: {
                        id: { type: "string" },
                        name: { type: "string" },
                        shortDescription: text,
                        fullDescription: text,
                        help: text,
                        defaultConfiguration: {
                          type: "object",
                          properties: { level },
                          additionalProperties: false,
                        },
                      },
                    },
                  },
                },
              },
            },
          },
          artifacts: { type: "array", uniqueItems: true, items: { type: "object" } },
          results: {
            type: "array",
            items: {
              type: "object",
              required: ["message", "ruleId", "ruleIndex", "level", "locations"],
              additionalProperties: false,
              properties: {
                message: text,
                ruleId: { type: "string" },
                ruleIndex: { type: "integer", minimum: 0 },
                level,
                locations: { type: "array", minItems: 1, maxItems: 1, items: location },
                relatedLocations: { type: "array", items: location },
                partialFingerprints: { type: "object", additionalProperties: { type: "string" } },
              },
            },
          },
        },
      },
    },
  },
}

/** What is looked at of a result. */
interface Result {
  readonly level: string
  readonly ruleId: string
  readonly ruleIndex: number
  readonly locations: ReadonlyArray<{
    readonly physicalLocation: { readonly region: { readonly startLine: number } }
    readonly logicalLocations: ReadonlyArray<{ readonly name: string }>
  }>
}

const isStandard = new Ajv().compile(standard)

describe("the SARIF of a check", () => {
  it("is as the standard says", async () => {
    const json = await sarifOf()
    expect(isStandard(JSON.parse(json)), JSON.stringify(isStandard.errors)).toBe(true)
    expect(typeErrors(json)).toEqual([])
    expect(typeErrors(json.replaceAll('"level": "error"', '"level": "grave"'))).not.toEqual([])
    expect(typeErrors(json.replaceAll('"startLine"', '"line"'))).not.toEqual([])
  })

  it("describes every rule, and says of each finding which one it is of and on which line", async () => {
    const [{ tool, results }] = JSON.parse(await sarifOf()).runs
    const { rules } = tool.driver
    expect(rules.map(({ id }: { readonly id: string }) => id)).toEqual(
      Analysis.checkRules.map(({ id }) => id),
    )
    const told = results.map((result: Result) => [
      result.level,
      result.ruleId,
      rules[result.ruleIndex].id,
      result.locations[0]?.physicalLocation.region.startLine,
      result.locations[0]?.logicalLocations[0]?.name,
    ])
    expect(told).toEqual([
      ["error", "over-allocation", "over-allocation", 2, "ada-art"],
      ["warning", "pays-nothing", "pays-nothing", 5, "lee"],
      ["note", "repeated-value", "repeated-value", 4, "kim"],
    ])
    expect(results[0].relatedLocations).toMatchObject([
      { physicalLocation: { region: { startLine: 3 } } },
    ])
    expect(results[0].message.text).toMatch(
      / For example an order of 1 unit .* with the referer "blog"\.$/,
    )
  })

  it("names the file by its address", async () => {
    const [{ results }] = JSON.parse(await sarifOf()).runs
    const { uri } = results[0].locations[0].physicalLocation.artifactLocation
    expect(uri).toMatch(/^file:\/\/\/.*\/groups\.json$/)
    const relative = await run([
      "check",
      "--groups",
      "docs/guide/small-shop/groups.json",
      "--format",
      "sarif",
      "--products",
      folder.file("products.json", [{ id: "mug" }]),
    ])
    const [found] = JSON.parse(relative.out).runs[0].results
    expect(found.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "docs/guide/small-shop/groups.json", index: 0 },
      region: { startLine: 2 },
    })
  })

  it("has something about no group at the file's first line", async () => {
    const { out } = await check(
      [],
      "--format",
      "sarif",
      "--products",
      folder.file("products.json", [{ id: "mug" }]),
    )
    expect(JSON.parse(out).runs[0].results).toMatchObject([
      { ruleId: "unpaid-product", locations: [{ physicalLocation: { region: { startLine: 1 } } }] },
    ])
  })

  it("has no address for the standard input", async () => {
    const { out } = await run(["check", "--groups", "-", "--format", "sarif"], {
      stdin: lines([lee]),
    })
    const [result] = JSON.parse(out).runs[0].results
    expect(result.locations).toEqual([
      { logicalLocations: [{ name: "lee", fullyQualifiedName: "lee", kind: "element" }] },
    ])
    expect(isStandard(JSON.parse(out))).toBe(true)
  })

  it("has no results when nothing is found", async () => {
    const { code, out } = await check([], "--format", "sarif")
    expect(code).toBe(0)
    expect(JSON.parse(out).runs[0].results).toEqual([])
    expect(isStandard(JSON.parse(out))).toBe(true)
  })
})
