import type { SqlStorage } from "apportion/sql"
import { StorageContract } from "apportion/testing"
import { describe, test } from "vitest"
import { isWhole } from "../generators/Runs.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

const runContract = (
  name: string,
  layer: Parameters<typeof clientFor>[0],
  options: SqlStorage.SqlStorageOptions = {},
) =>
  describe(name, () => {
    const client = clientFor(layer)
    for (const { name: rule, run } of StorageContract.cases(() =>
      emptyStorage(client(), options),
    )) {
      test(rule, run)
    }
  })

if (!isWhole) {
  runContract("PostgreSQL, one writer at a time", () => postgres("contract_queue"))
} else {
  runContract("PGlite", () => pglite)
  runContract("PostgreSQL, writers side by side", () => postgres("contract_optimistic"), {
    concurrency: "optimistic",
  })
}
