import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { rolldown } from "rolldown"
import { entryPoints } from "../EntryPoint.js"

/** What a host's bundler makes of a program: minified, with everything unused dropped. */
export interface Bundle {
  /** Bytes, minified. */
  readonly minified: number
  /** Bytes, minified and compressed with gzip at its highest level. */
  readonly gzipped: number
  /** Bytes that each file gave to the bundle, by its path from the repository's root. */
  readonly files: ReadonlyMap<string, number>
}

const aliases = () =>
  Object.fromEntries(entryPoints().map(({ name, built }) => [name, resolve(built)]))

const noFile = "<stdin>"

interface BundleOptions {
  readonly effect: "inside" | "outside"
}

const make = async (program: string, options: BundleOptions): Promise<Bundle> => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: resolve("."), sourcefile: noFile },
    alias: aliases(),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    external: options.effect === "outside" ? ["effect/*"] : [],
    metafile: true,
    write: false,
    logLevel: "error",
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs))
  const live = inputs
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path !== noFile)
    .map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const)
  return {
    minified: code.length,
    gzipped: gzipSync(code, { level: 9 }).length,
    files: new Map(live),
  }
}

const made = new Map<string, Promise<Bundle>>()

/** Bundles a program that imports the built package, with Effect's parts inside or left out; each once. */
export const bundle = (program: string, options: BundleOptions): Promise<Bundle> => {
  const key = `${options.effect} ${program}`
  const known = made.get(key) ?? make(program, options)
  made.set(key, known)
  return known
}

/**
 * The size of the same program with Effect's parts from a bundler that drops the unused functions of `Split` and
 * `RuleSet`. Rolldown, Rollup, Vite and webpack do; esbuild keeps a namespace that goes through an index as a whole.
 */
export const shakenBundle = async (program: string): Promise<Omit<Bundle, "files">> => {
  const rolled = await rolldown({
    input: noFile,
    platform: "neutral",
    resolve: { alias: aliases() },
    plugins: [
      {
        name: "program",
        resolveId: (path) => (path === noFile ? path : null),
        load: (path) => (path === noFile ? program : null),
      },
    ],
  })
  const { output } = await rolled.generate({ format: "esm", minify: true })
  const code = output[0].code
  return { minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length }
}

/** The files of the package itself in a bundle, from `dist`. */
export const ownFiles = (made: Bundle): ReadonlyArray<string> =>
  [...made.files.keys()].filter((path) => path.startsWith("dist/")).map((path) => path.slice(5))

const effectModule = /node_modules\/effect\/dist\/(.*)$/

/** Effect's modules in a bundle with the bytes that each of them takes, as `internal/effect.js`. */
export const effectModules = (made: Bundle): ReadonlyMap<string, number> =>
  new Map(
    [...made.files].flatMap(([path, bytes]) => {
      const module = effectModule.exec(path)?.[1]
      return module === undefined ? [] : [[module, bytes] as const]
    }),
  )

/** The largest size in bytes, after gzip, that each program may have. */
export interface Budget {
  readonly [program: string]: {
    readonly withEffect: number
    readonly withoutEffect: number
    /** With Effect's parts, from {@link shakenBundle}. */
    readonly shaken?: number
  }
}

/** The committed budget. */
export const budget = (): Budget => JSON.parse(readFileSync("test/size/budget.json", "utf8"))
