/**
 * What the command line and the pages carry of others: their licences and a list of them, out of what esbuild really
 * put into the bundle. Run by the build.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

interface Carried {
  readonly name: string
  readonly version: string
  /** As SPDX writes it. */
  readonly license: string
  /** The texts of the licence and notice files. */
  readonly texts: ReadonlyArray<string>
  /** As the lock file has it: an algorithm and the checksum in base64. */
  readonly integrity: string | undefined
}

interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }
    >
  >
}

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"))

/** The files of which something is in an output. */
const filesIn = ({ outputs }: Metafile): ReadonlyArray<string> =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : [])),
  )

/** The folders of their packages. */
const foldersOf = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const folders = paths.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
  return [...new Set(folders)].filter((folder) => folder !== undefined).sort()
}

const isLicence = (name: string): boolean => /^(?:licen[cs]e|copying|notice)/i.test(name)

const licenceTexts = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter(isLicence)
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8").trim())

const packageIn = (
  folder: string,
  lock: Readonly<Record<string, { integrity?: string }>>,
): Carried => {
  const { name, version, license, author } = readJson(join(folder, "package.json"))
  if (typeof license !== "string") throw new Error(`${name} does not say under which licence it is`)
  const texts = licenceTexts(folder)
  const by = typeof author === "string" ? author : author?.name
  const unwritten = `${license}${by === undefined ? "" : `, by ${by}`} (the package holds no text of its licence)`
  const integrity = lock[folder]?.integrity
  return { name, version, license, texts: texts.length > 0 ? texts : [unwritten], integrity }
}

/** Swagger UI is inside one of Effect's files, so no bundler sees it. */
const swagger = "node_modules/effect/dist/http-api/internal/httpApiSwagger.js"

const insideEffect = (paths: ReadonlyArray<string>): ReadonlyArray<Carried> => {
  if (!paths.includes(swagger)) return []
  const version = /PACKAGE_VERSION:\\"([\d.]+)\\"/.exec(readFileSync(swagger, "utf8"))?.[1]
  if (version === undefined) throw new Error("the version of Swagger UI inside effect is not found")
  // The text of the Apache License is the same everywhere; this package is one of those that hold it.
  const text = readFileSync("node_modules/typescript/LICENSE.txt", "utf8").trim()
  const texts = [
    "Copyright SmartBear Software Inc. Carried inside effect, for the page of the HTTP API.",
    text,
  ]
  return [{ name: "swagger-ui-dist", version, license: "Apache-2.0", texts, integrity: undefined }]
}

const noticesOf = (carrier: string, carried: ReadonlyArray<Carried>): string =>
  [
    `${carrier} has parts of these packages in it.`,
    ...carried.map(({ name, version, license, texts }) =>
      [`${"=".repeat(80)}\n${name} ${version} (${license})\n${"=".repeat(80)}`, ...texts].join(
        "\n\n",
      ),
    ),
  ].join("\n\n")

const hashOf = (integrity: string) => {
  const [algorithm = "", digest = ""] = integrity.split("-")
  const content = Buffer.from(digest, "base64").toString("hex")
  return { alg: algorithm.replace("sha", "SHA-"), content }
}

/** The same as a bill of materials of CycloneDX 1.6. */
const billOf = (carried: ReadonlyArray<Carried>) => {
  const { name: product, version: released, license: own } = readJson("package.json")
  const component = (
    type: string,
    { name, version, license, integrity }: Omit<Carried, "texts">,
  ) => {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`
    const hashes = integrity === undefined ? {} : { hashes: [hashOf(integrity)] }
    const licenses = [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }]
    return { type, "bom-ref": purl, name, version, purl, licenses, ...hashes }
  }
  const main = component("application", {
    ...{ name: product, version: released, license: own, integrity: undefined },
  })
  const components = carried.map((one) => component("library", one))
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: main },
    components,
    dependencies: [{ ref: main["bom-ref"], dependsOn: components.map((one) => one["bom-ref"]) }],
  }
}

const carriedBy = (metafile: Metafile): ReadonlyArray<Carried> => {
  const paths = filesIn(metafile)
  const lock = readJson("package-lock.json").packages
  return [...foldersOf(paths).map((one) => packageIn(one, lock)), ...insideEffect(paths)]
}

/** Writes the licences beside a bundle. */
export const writeNoticesOf = (folder: string, metafile: Metafile, carrier: string): void => {
  const notices = noticesOf(carrier, carriedBy(metafile))
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), `${notices}\n`)
}

/** Writes licences and bill of materials beside the command line, and removes what esbuild said of it. */
export const writeNotices = (folder: string): void => {
  const metafile = join(folder, "metafile-esm.json")
  const carried = carriedBy(readJson(metafile))
  const carrier = "The command line of apportion (dist/cli)"
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), `${noticesOf(carrier, carried)}\n`)
  writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(billOf(carried), undefined, 2)}\n`)
  rmSync(metafile)
}
