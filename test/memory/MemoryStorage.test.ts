import { MemoryStorage } from "apportion/memory"
import { StorageContract } from "apportion/testing"
import { describe, test } from "vitest"

describe("the storage in memory keeps the contract", () => {
  for (const { name, run } of StorageContract.cases(() => MemoryStorage.make)) test(name, run)
})
