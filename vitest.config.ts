import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^apportion\/([a-z]+(?:\/[a-z]+)?)$/, replacement: source("$1/index.ts") },
      { find: /^apportion$/, replacement: source("index.ts") },
    ],
  },
  test: {
    testTimeout: 60_000,
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
        "src/{money,groups,matching,shares,payouts,pagination,analysis,internal}/**": { 100: true },
      },
    },
    // "source" and "built" are `npm test`; the "long" ones are `npm run test:long`. Built tests look at what is
    // shipped: the bundles in dist and the command line as a program.
    projects: [
      {
        extends: true,
        test: {
          name: "source",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.{built,long}.test.ts", "test/**/*.long.built.test.ts"],
          globalSetup: ["test/sql/postgresSetup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "built",
          include: ["test/**/*.built.test.ts"],
          exclude: ["test/**/*.long.built.test.ts"],
          globalSetup: ["test/build.ts"],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: ["test/**/*.long.test.ts"],
          globalSetup: ["test/sql/postgresSetup.ts"],
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: "long-built",
          include: ["test/**/*.long.built.test.ts"],
          globalSetup: ["test/build.ts"],
          testTimeout: 300_000,
        },
      },
    ],
  },
})
