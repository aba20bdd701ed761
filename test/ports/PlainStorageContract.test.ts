import { MemoryStorage } from "apportion/memory"
import { fromPlain } from "apportion/ports"
import { StorageContract } from "apportion/testing"
import { Effect } from "effect"
import { describe, test } from "vitest"
import { plainHost } from "../promise/PlainHost.js"

describe("a storage of plain functions keeps the contract of the one behind it", () => {
  const make = async () => fromPlain(plainHost(await Effect.runPromise(MemoryStorage.make)))
  for (const { name, run } of StorageContract.cases(make)) test(name, run)
})
