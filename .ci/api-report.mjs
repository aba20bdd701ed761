// Writes the API report of each entry point, or with --check compares it with the committed one.
// The reports are made from the built declarations: run `npm run build` first.
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor"

const folder = resolve("api-report")
const temporary = resolve("node_modules/.cache/api-report")
const copies = resolve(".ci/declarations")
const isCheck = process.argv.includes("--check")

/**
 * Copies the declarations, with the types of Effect that are imported where they stand, `import("effect/Schema").String`,
 * imported at the top. They are the same types, and shorter to read; and the extractor goes through what such a type
 * consists of once more for each type around it, which takes it minutes.
 */
const copyDeclarations = () => {
  rmSync(copies, { recursive: true, force: true })
  for (const file of globSync("dist/**/*.d.ts")) {
    const imports = new Set()
    const text = readFileSync(file, "utf8").replaceAll(
      /\bimport\("(effect\/[^"]+)"\)(?=\.)/g,
      (_, from) => {
        const name = `${basename(from)}_`
        imports.add(`import type * as ${name} from "${from}"\n`)
        return name
      },
    )
    const copy = join(copies, relative("dist", file))
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, [...imports].join("") + text)
  }
}

/** The entry points that package.json declares, as `[name of the report, declarations]`. */
const entryPoints = () => {
  const { name, exports } = JSON.parse(readFileSync("package.json", "utf8"))
  return Object.entries(exports)
    .filter(([, target]) => typeof target === "object" && target !== null)
    .map(([path, { types }]) => [`${name}${path.slice(1)}`.replaceAll("/", "-"), types])
}

const configOf = (report, declarations) =>
  ExtractorConfig.prepare({
    packageJsonFullPath: resolve("package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: resolve("."),
      mainEntryPointFilePath: join(copies, relative("dist", declarations)),
      compiler: { tsconfigFilePath: resolve("tsconfig.build.json") },
      apiReport: {
        enabled: true,
        reportFileName: `${report}.api.md`,
        reportFolder: folder,
        reportTempFolder: temporary,
        // What the class of a tagged error inherits is not exported on its own: without this line
        // the report would show such a class without its fields.
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        extractorMessageReporting: {
          default: { logLevel: "warning", addToApiReportFile: true },
          "ae-missing-release-tag": { logLevel: "none" },
          "ae-undocumented": { logLevel: "none" },
          "ae-forgotten-export": { logLevel: "none" },
          // Links between the modules that an entry point exports as namespaces: editors follow them,
          // the extractor does not.
          "ae-unresolved-link": { logLevel: "none" },
        },
        tsdocMessageReporting: {
          default: { logLevel: "warning", addToApiReportFile: true },
          // The tags of this project that TSDoc does not know.
          "tsdoc-undefined-tag": { logLevel: "none" },
          // `@param options.currency`, which editors understand.
          "tsdoc-param-tag-with-invalid-name": { logLevel: "none" },
        },
      },
    },
  })

const report = ([name, declarations], compilerState) => {
  const result = Extractor.invoke(configOf(name, declarations), {
    compilerState,
    localBuild: !isCheck,
    messageCallback: (message) => {
      // What is worth reading stands in the report itself.
      if (message.logLevel !== "error") message.handled = true
    },
  })
  const file = join("api-report", `${name}.api.md`)
  if (!result.apiReportChanged) return { file, ok: true, text: "is up to date" }
  return isCheck
    ? { file, ok: false, text: "differs from what is built: run `npm run api` and commit it" }
    : { file, ok: true, text: "written" }
}

mkdirSync(folder, { recursive: true })
mkdirSync(temporary, { recursive: true })
const entries = entryPoints()
const missing = entries.filter(([, declarations]) => !existsSync(declarations))
if (missing.length > 0) {
  console.error(`not built: ${missing.map(([, declarations]) => declarations).join(", ")}`)
  process.exit(1)
}
copyDeclarations()
// The declarations of all entry points are read as one program: they have nearly all files in common.
const compilerState = CompilerState.create(configOf(...entries[0]), {
  additionalEntryPoints: entries.map(([, declarations]) =>
    join(copies, relative("dist", declarations)),
  ),
})
const outcomes = entries.map((entry) => report(entry, compilerState))
rmSync(copies, { recursive: true })
const wanted = new Set(entries.map(([name]) => `${name}.api.md`))
for (const file of readdirSync(folder).filter((name) => !wanted.has(name))) {
  if (isCheck) outcomes.push({ file, ok: false, text: "belongs to no entry point" })
  else rmSync(join(folder, file))
}
for (const { file, text } of outcomes) console.log(`${file} ${text}`)
if (outcomes.some(({ ok }) => !ok)) process.exitCode = 1
