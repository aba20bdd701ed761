import path from "node:path"
import { fileURLToPath } from "node:url"
import { createViteServer } from "vitest/node"
import { Collection } from "./Collection.mjs"
import { counted } from "./Turns.mjs"

const setup = fileURLToPath(new URL("fixedSeeds.ts", import.meta.url))

const shared = "mutationRun"
const standIn = "virtual:vitest"

/** Gives the files of tests what stands in for vitest. */
const vitestStandIn = {
  name: "vitest-stand-in",
  resolveId: (id) => (id === standIn ? id : undefined),
  load: (id) =>
    id === standIn
      ? `export const { describe, expect, it, test } = globalThis.${shared}.vitest`
      : undefined,
}

/** Stryker counts which test reaches which mutant in a function of this name, of each module. */
const coverage = /^function (stryCov_\w+)\(/m

/** Once it is known which test reaches which mutant, counting that takes time for nothing. */
const withoutCoverage = (text) => {
  const [, name] = text.match(coverage) ?? []
  return name === undefined ? text : `if (globalThis.${shared}.covered) ${name} = () => {};${text}`
}

const countedLoops = (sources) => ({
  name: "counted-loops",
  enforce: "pre",
  transform: (text, id) =>
    id.startsWith(sources) && id.endsWith(".ts") ? withoutCoverage(counted(id, text)) : undefined,
})

const serverFor = (root) => {
  const sources = path.join(root, "src/")
  return createViteServer({
    root,
    configFile: false,
    envFile: false,
    appType: "custom",
    logLevel: "error",
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
    resolve: {
      alias: [
        { find: /^vitest$/, replacement: standIn },
        { find: /^apportion\/([a-z]+)$/, replacement: `${sources}$1/index.ts` },
        { find: /^apportion$/, replacement: `${sources}index.ts` },
      ],
    },
    plugins: [vitestStandIn, countedLoops(sources)],
  })
}

/** Files of tests, with all that they import, loaded into this process as often as one likes. */
export class TestFiles {
  #files
  #root
  #server

  constructor(files, root) {
    this.#files = files
    this.#root = root
  }

  async open() {
    this.#server = await serverFor(this.#root)
  }

  /** Loads all modules anew and gives their tests. */
  async load({ covered }) {
    const { runner } = this.#server.environments.ssr
    const collection = new Collection({ withPlaces: !covered })
    globalThis[shared] = { vitest: collection.vitest, covered }
    runner.clearCache()
    await runner.import(setup)
    for (const file of this.#files) {
      await collection.of(file, () => runner.import(path.join(this.#root, file)))
    }
    // Only the places of tests are looked up in stacks, and that once.
    process.setSourceMapsEnabled(false)
    return collection.tests
  }

  async close() {
    await this.#server?.close()
  }
}
