import { foreignImports, localImports, runningImports, type SourceFile } from "./SourceFile.js"

/** The core's folders in the order in which they may use each other: each one those before it. */
export const core: ReadonlyArray<string> = [
  "money",
  "orders",
  "languages",
  "rules",
  "shares",
  "carry",
  "payouts",
  "agreements",
  "terms",
  "pagination",
  "analysis",
  "events",
  "bulk",
]

/** What each other folder may use. The command line may use everything. */
const others: Readonly<Record<string, ReadonlyArray<string>>> = {
  schema: core,
  reading: core,
  wire: [...core, "schema", "reading", "rails"],
  shopify: [...core, "reading"],
  woocommerce: [...core, "reading"],
  stripe: [...core, "reading"],
  rails: [...core, "reading"],
  "rails/sepa": [...core, "reading", "rails"],
  "rails/nacha": [...core, "reading", "rails"],
  "rails/paypal": [...core, "reading", "rails"],
  "rails/wise": [...core, "reading", "rails"],
  "rails/stripe": [...core, "reading", "rails"],
  ports: [...core, "reading", "rails"],
  "rails/api": [...core, "reading", "rails", "rails/paypal", "rails/stripe", "ports"],
  memory: [...core, "ports"],
  sql: [...core, "ports"],
  "sql/folder": [...core, "ports", "sql"],
  service: [...core, "schema", "reading", "rails", "ports"],
  cluster: [...core, "schema", "reading", "rails", "ports", "service"],
  documents: [...core, "service"],
  promise: [...core, "schema", "ports", "memory", "service"],
  http: [...core, "schema", "reading", "wire", "ports", "service", "documents"],
  testing: [...core, "schema", "rails", "ports"],
  "web/parts": [...core, "reading"],
  "web/playground": [...core, "reading", "wire", "shopify", "web/parts"],
  "web/console": [...core, "reading", "wire", "web/parts"],
  "web/statement": [...core, "reading", "wire", "web/parts"],
  cli: [
    ...[...core, "schema", "reading", "wire", "shopify", "woocommerce", "stripe", "rails"],
    ...["rails/sepa", "rails/nacha", "rails/paypal", "rails/wise", "rails/stripe"],
    ...[
      "rails/api",
      "ports",
      "memory",
      "sql",
      "sql/folder",
      "service",
      "cluster",
      "documents",
      "promise",
      "http",
      "testing",
    ],
  ],
}

const modules = (names: string): ReadonlySet<string> =>
  new Set(names.split(" ").map((name) => `effect/${name}`))

/** The modules of Effect that the core and the formats may import: light ones for data, none of which brings the runtime. */
const dataModules = modules("Order Result")

/** What a schema is made of and read with. */
const schemaModules = modules("Record Schema SchemaAST SchemaIssue SchemaTransformation")

/** The folders of pure code that may use schemas. */
const withSchemas = new Set(["schema", "wire"])

/** What the formats share for reading unknown JSON. It stands above the core, which has no use for it. */
const reading = new Set([
  "src/internal/instant.ts",
  "src/internal/platform.ts",
  "src/internal/productTags.ts",
  "src/internal/reader.ts",
  "src/internal/sales.ts",
  "src/internal/stripe.ts",
])

/** The folders inside of others that are rooms of their own. */
const own =
  /^src\/(sql\/folder|rails\/(?:sepa|nacha|paypal|wise|stripe|api)|web\/(?:parts|playground|console|statement)|[^/]+)\//

/**
 * The folder of `src` in which a file lies; empty for the files of `src` itself. What the formats read
 * with counts as a folder of its own.
 */
export const folderOf = (path: string): string =>
  reading.has(path) ? "reading" : (own.exec(path)?.[1] ?? "")

/** Whether a file belongs to the pure core. */
export const isCore = (path: string): boolean => {
  const folder = folderOf(path)
  return ["", "internal", "schema", ...core].includes(folder)
}

/** Whether a file is shipped as a library; the rest is the command line, and the pages for browsers. */
export const isLibrary = (path: string): boolean =>
  folderOf(path) !== "cli" && !path.startsWith("src/web/")

const mayUse = (folder: string): ReadonlyArray<string> => {
  const place = core.indexOf(folder)
  return place === -1 ? (others[folder] ?? []) : core.slice(0, place)
}

const isEntryPoint = (path: string) => path.endsWith("/index.ts")

const isDownwards = (from: string, to: string): boolean => {
  const [fromFolder, toFolder] = [folderOf(from), folderOf(to)]
  // The core's entry point gathers the whole core; the other files of `src` itself use nothing above.
  if (from === "src/index.ts") return isCore(to)
  if (to === "src/index.ts") return fromFolder === "cli"
  if (toFolder === fromFolder || toFolder === "" || toFolder === "internal") return true
  return mayUse(fromFolder).includes(toFolder)
}

/** Each import that goes up instead of down. */
export const upwards = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files.flatMap((file) =>
    localImports(file)
      .filter((to) => !isDownwards(file.path, to))
      .map((to) => `${file.path} imports ${to}`),
  )

/** Folders that are not for others: `internal` everywhere, and the compiled form of rules. */
const closed = /^(.*\/)(?:internal|engine|linking)\//

/**
 * Each import of an `internal` folder from outside the folder that holds it. Only the core's folders may
 * use each other's: they are one thing to a host, and their public modules stay free of the inner parts.
 */
export const intrusions = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files.flatMap((file) =>
    localImports(file)
      .filter((to) => {
        const owner = closed.exec(to)?.[1]
        const isInside = owner === undefined || file.path.startsWith(owner)
        return !isInside && !(isCore(file.path) && isCore(to))
      })
      .map((to) => `${file.path} imports ${to}`),
  )

/** The folders that run effects: everything above the core that is no format. */
const running = new Set([
  ...[
    "ports",
    "rails/api",
    "memory",
    "sql",
    "sql/folder",
    "service",
    "cluster",
    "promise",
    "http",
    "testing",
  ],
])

/** Whether a file runs effects; the rest of the library are pure functions. */
export const isRunning = (path: string): boolean => running.has(folderOf(path))

/** Whether a file checks signatures: it asks the platform for digests, which are the same each time. */
export const isOfSignatures = (path: string): boolean =>
  /^src\/rails\/[a-z]+\/Signature\.ts$/.test(path)

/** Whether a file of the library is for Node alone. */
export const isForNode = (path: string): boolean => folderOf(path) === "sql/folder"

const mayImport = (path: string, specifier: string): boolean => {
  const folder = folderOf(path)
  if (dataModules.has(specifier)) return true
  if (withSchemas.has(folder) && schemaModules.has(specifier)) return true
  // The default of a field is an effect, for a schema.
  if (folder === "schema" && specifier === "effect/Effect") return true
  if (folder === "testing" && specifier === "fast-check") return true
  // The answers of banks are XML.
  if (folder === "rails/sepa" && specifier === "saxes") return true
  // It is for Node alone, as its entry point says.
  if (isForNode(path) && /^node:|^@electric-sql\/pglite/.test(specifier)) return true
  // Runners reach each other through Node's sockets; it is imported by who has several.
  if (folder === "cluster" && specifier === "@effect/platform-node/NodeClusterSocket") return true
  // By module path: the whole of Effect must not come along with one name.
  return isRunning(path) && /^effect\/([a-z-]+\/)?[A-Z]\w*$/.test(specifier)
}

/**
 * Each import of library code from elsewhere that it may not have: the core and the formats use Effect's
 * data modules alone, the services any module of Effect, and none of them anything of Node but what keeps
 * things in a folder.
 */
export const foreigners = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files
    .filter((file) => isLibrary(file.path))
    .flatMap((file) =>
      foreignImports(file)
        .filter((specifier) => !mayImport(file.path, specifier))
        .map((specifier) => `${file.path} imports ${specifier}`),
    )

/** Each folder of `src` that has no place in the order. */
export const unknownFolders = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const known = new Set(["", "internal", ...core, ...Object.keys(others)])
  return [...new Set(files.map((file) => folderOf(file.path)))].filter((name) => !known.has(name))
}

/** Each circle of files that refer to one another, types included, as the list of its files. */
export const circles = (files: ReadonlyArray<SourceFile>): ReadonlyArray<ReadonlyArray<string>> => {
  const imports = new Map(files.map((file) => [file.path, localImports(file)]))
  const reached = (from: string): ReadonlySet<string> => {
    const found = new Set<string>()
    const open = [...(imports.get(from) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next)) continue
      found.add(next)
      open.push(...(imports.get(next) ?? []))
    }
    return found
  }
  const reach = new Map(files.map(({ path }) => [path, reached(path)]))
  const found = new Map<string, ReadonlyArray<string>>()
  for (const [path, there] of reach) {
    if (!there.has(path)) continue
    const circle = [...there].filter((other) => reach.get(other)?.has(path) === true).sort()
    found.set(circle.join(), circle)
  }
  return [...found.values()]
}

/** Each module of Effect that a file and all that runs with it need, but for the light ones for data. */
export const heavyModules = (
  files: ReadonlyArray<SourceFile>,
  entryPoint: string,
): ReadonlyArray<string> => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set([entryPoint])
  const found = new Set<string>()
  for (const path of reached) {
    const file = byPath.get(path)
    if (file === undefined) continue
    for (const to of runningImports(file)) reached.add(to)
    for (const { specifier, isOfTypes } of file.imports) {
      const isForeign = !specifier.startsWith(".") && !isOfTypes
      if (isForeign && !dataModules.has(specifier)) found.add(`${path} needs ${specifier}`)
    }
  }
  return [...found]
}

/** Each import from another folder's entry point inside the library, where the file itself is meant. */
export const throughEntryPoints = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> =>
  files
    .filter((file) => isLibrary(file.path))
    .flatMap((file) =>
      localImports(file)
        .filter((to) => isEntryPoint(to))
        .map((to) => `${file.path} imports ${to}`),
    )
