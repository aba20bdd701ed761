import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^apportion\/wire$/, replacement: source("wire/index.ts") },
      { find: /^apportion\/shopify$/, replacement: source("shopify/index.ts") },
      { find: /^apportion$/, replacement: source("index.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    coverage: { include: ["src/**"], exclude: ["src/cli/**"] },
  },
})
