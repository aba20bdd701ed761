import { globSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

/**
 * The files whose tests take a slice of their random cases, or of their histories, in `npm test`: the long run takes
 * all of it.
 */
const sliced = (pattern: string, ...exclude: ReadonlyArray<string>) =>
  globSync(pattern, { cwd: fileURLToPath(new URL(".", import.meta.url)), exclude }).filter((file) =>
    readFileSync(new URL(file, import.meta.url), "utf8").includes("generators/Runs.js"),
  )

/** The tests of the storages in PostgreSQL and PGlite, and others that try the same on them. */
const stored = [
  "test/sql/**/*.test.ts",
  "test/service/RecordAll.test.ts",
  "test/cli/payouts/PayoutsCommand.test.ts",
  "test/cli/serve/ServeFolder.test.ts",
  "test/cluster/{Jobs,Lanes}.test.ts",
]

/** What the long run tries of its random cases: by itself all. Here `.ci/run` says how many, beside tests that try their own. */
const env = {
  APPORTION_RUNS: process.env.APPORTION_LONG_RUNS ?? process.env.APPORTION_RUNS ?? "all",
}

export default defineConfig({
  resolve: {
    alias: [
      { find: /^apportion\/([a-z]+(?:\/[a-z]+)?)$/, replacement: source("$1/index.ts") },
      { find: /^apportion$/, replacement: source("index.ts") },
    ],
  },
  test: {
    testTimeout: 60_000,
    setupFiles: ["test/generators/Seed.ts"],
    // Files run one after the other with the modules that are loaded already: loading them costs more than most tests.
    isolate: false,
    // Random cases make much that is gone at once: with more room for it, a fifth less of the time goes into collecting it.
    execArgv: ["--max-semi-space-size=128"],
    // By itself vitest leaves a core to itself, which is half of a machine of two: it has little to do here. And tests
    // wait a part of their time, for processes and databases.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    coverage: {
      provider: "v8",
      include: ["src/**"],
      exclude: ["src/cli/**", "src/**/index.ts"],
      reporter: ["text", "html"],
      thresholds: {
        statements: 98,
        branches: 94,
        functions: 98,
        lines: 98,
        "src/Problem.ts": { 100: true },
        "src/{money,orders,rules,shares,payouts,pagination,analysis,internal}/**": { 100: true },
      },
    },
    // "source" is `npm test`, "stored" `npm run test:stored` and "built" `npm run test:built`; all but the first are `npm run
    // test:long`. Stored tests are of PostgreSQL and PGlite. Built tests look at what is shipped: the bundles in dist and
    // the command line as a program. Each of the two takes as long as a quarter of the fast tests.
    projects: [
      {
        extends: true,
        test: {
          name: "source",
          include: ["test/**/*.test.ts"],
          exclude: [...stored, "test/**/*.{built,long}.test.ts"],
          globalSetup: ["test/templatesSetup.ts", "test/sql/postgresSetup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "stored",
          include: stored,
          exclude: ["test/**/*.{built,long}.test.ts"],
          globalSetup: ["test/templatesSetup.ts", "test/sql/postgresSetup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "built",
          include: ["test/**/*.built.test.ts"],
          exclude: ["test/**/*.long.built.test.ts"],
          globalSetup: ["test/templatesSetup.ts", "test/build.ts"],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: sliced("test/**/*.test.ts", "test/**/*.{built,long}.test.ts"),
          env,
          globalSetup: ["test/templatesSetup.ts", "test/sql/postgresSetup.ts"],
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: ["test/**/*.long.test.ts"],
          env,
          globalSetup: ["test/templatesSetup.ts", "test/sql/postgresSetup.ts"],
          // What breaks on purpose breaks nothing of others.
          isolate: true,
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: "long-built",
          include: ["test/**/*.long.built.test.ts", ...sliced("test/**/*.built.test.ts")],
          env,
          globalSetup: ["test/templatesSetup.ts", "test/build.ts"],
          testTimeout: 300_000,
          // What a page shows comes later on a busy machine.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})
