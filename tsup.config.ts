import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { Plugin } from "esbuild"
import { defineConfig } from "tsup"
import { writeNotices } from "./.ci/notices.js"
import { buildPages } from "./.ci/pages.js"

/** The source of each entry point, by the name that it has in few files for Node. */
const entryPoints = (): Readonly<Record<string, string>> => {
  const { exports }: { exports: Record<string, string | { node: string; default: string }> } =
    JSON.parse(readFileSync("package.json", "utf8"))
  const targets = Object.values(exports).filter((target) => typeof target !== "string")
  return Object.fromEntries(
    targets.map((target) => [
      target.node.replace(/^\.\/dist\/node\/(.*)\.js$/, "$1"),
      target.default.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts"),
    ]),
  )
}

/**
 * Puts the core into one file: every entry point imports it as a whole, so that nothing of it is shared by some of them
 * only, which would be a file of its own.
 */
const wholeCore: Plugin = {
  name: "whole core",
  setup: (build) => {
    const path = resolve("src/index.ts")
    build.onResolve({ filter: /^\.\/the-core$/ }, () => ({ path, sideEffects: true }))
    build.onLoad({ filter: /\/src\/.+\/index\.ts$/ }, (entry) => ({
      contents: `${readFileSync(entry.path, "utf8")}\nimport "./the-core"\n`,
      loader: "ts",
    }))
  },
}

export default defineConfig([
  {
    // One output file for each source file, so that a host's bundler can drop what it does not use.
    entry: ["src/**/*.ts", "!src/cli/**", "!src/web/**"],
    outDir: "dist",
    format: "esm",
    target: "es2024",
    bundle: false,
    onSuccess: buildPages,
  },
  {
    // The same in few files. Node loads and links each file by itself, which takes longer than to run what is in it. The
    // threads of a folder's database lie beside the file that begins them.
    entry: {
      ...entryPoints(),
      databaseThread: "src/sql/folder/internal/databaseThread.ts",
      beatThread: "src/sql/folder/internal/beatThread.ts",
    },
    outDir: "dist/node",
    format: "esm",
    target: "es2024",
    platform: "node",
    bundle: true,
    splitting: true,
    skipNodeModulesBundle: true,
    esbuildPlugins: [wholeCore],
  },
  {
    // The command line carries what it needs inside, so that embedding the core installs none of it.
    // The threads are files of their own beside the program: jobs of several, and the database of a folder.
    entry: {
      main: "src/cli/main.ts",
      worker: "src/cli/worker.ts",
      databaseThread: "src/sql/folder/internal/databaseThread.ts",
      beatThread: "src/sql/folder/internal/beatThread.ts",
    },
    outDir: "dist/cli",
    format: "esm",
    target: "es2024",
    platform: "node",
    bundle: true,
    splitting: true,
    metafile: true,
    onSuccess: async () => writeNotices("dist/cli"),
    // All but PGlite: it is large, reads files of its own, and only those who keep things in a folder need it.
    noExternal: [/^(?!@electric-sql\/pglite)/],
    external: [/^@electric-sql\/pglite/],
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  },
])
