import { readFileSync } from "node:fs"

/** One of the paths under which hosts import the package. */
export interface EntryPoint {
  /** As a host imports it: `apportion/wire`. */
  readonly name: string
  /** The source file behind it, from the repository's root. */
  readonly source: string
  /** The built file behind it, from the repository's root. */
  readonly built: string
  /** The same in few files, which Node takes. */
  readonly inNode: string
}

/** Every entry point of code that package.json declares. */
export const entryPoints = (): ReadonlyArray<EntryPoint> => {
  const { name, exports } = JSON.parse(readFileSync("package.json", "utf8"))
  const targets: ReadonlyArray<
    readonly [string, string | { node: string; default: string } | null]
  > = Object.entries(exports)
  return targets.flatMap(([path, target]) => {
    if (target === null || typeof target === "string") return []
    const built = target.default.replace(/^\.\//, "")
    const source = built.replace(/^dist\//, "src/").replace(/\.js$/, ".ts")
    const inNode = target.node.replace(/^\.\//, "")
    return [{ name: name + path.slice(1), source, built, inNode }]
  })
}
