import { defineConfig } from "tsup"
import { writeNotices } from "./.ci/notices.js"

export default defineConfig([
  {
    // One output file for each source file, so that a host's bundler can drop what it does not use.
    entry: ["src/**/*.ts", "!src/cli/**"],
    outDir: "dist",
    format: "esm",
    target: "es2024",
    bundle: false,
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
