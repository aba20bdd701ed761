import { MemoryStorage } from "apportion/memory"
import { ContractBroken, StorageContract } from "apportion/testing"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { expectSame } from "../../src/testing/contracts/check.js"
import { agreementFaults } from "./agreementFaults.js"
import { counterFaults } from "./counterFaults.js"
import { eventFaults } from "./eventFaults.js"
import type { Fault } from "./Fault.js"
import { historyFaults } from "./historyFaults.js"
import { inboxFaults } from "./inboxFaults.js"
import { linkingFaults, lookingUp } from "./linkingFaults.js"
import { manyFaults } from "./manyFaults.js"
import { passFaults } from "./passFaults.js"
import { paymentFaults } from "./paymentFaults.js"
import { resplitFaults } from "./resplitFaults.js"
import { retentionFaults } from "./retentionFaults.js"
import { settingsFaults } from "./settingsFaults.js"
import { storeFaults } from "./storeFaults.js"
import { transactionFaults } from "./transactionFaults.js"

const faults = [
  ...[...transactionFaults, ...storeFaults, ...historyFaults, ...linkingFaults],
  ...paymentFaults,
  ...passFaults,
  ...counterFaults,
  ...agreementFaults,
  ...eventFaults,
  ...inboxFaults,
  ...resplitFaults,
  ...retentionFaults,
  ...settingsFaults,
  ...manyFaults,
]

const casesOf = (fault: Fault) =>
  StorageContract.cases(() => Effect.map(MemoryStorage.make, fault.plant))

/** The names of the first cases, of some of them, that notice a fault; each must say what was expected. */
const noticing = async (
  fault: Fault,
  isAsked: (name: string) => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  for (const { name, run } of casesOf(fault)) {
    if (!isAsked(name)) continue
    const error: unknown = await run().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error === undefined) continue
    expect(error).toBeInstanceOf(ContractBroken)
    names.push(name)
    if (names.length >= most) break
  }
  return names
}

/** The cases that have noticed no fault so far. Each fault meets them first, and the others if none of them notices it. */
const unnoticing = new Set(StorageContract.cases(() => MemoryStorage.make).map(({ name }) => name))
const caseCount = unnoticing.size

const named = (name: string): Fault => {
  const found = faults.find((fault) => fault.name === name)
  return found ?? expect.fail(`there is no fault "${name}"`)
}

describe("an adapter does not pass when", () => {
  for (const fault of faults) {
    test(fault.name, async () => {
      const fresh = await noticing(fault, (name) => unnoticing.has(name))
      const isNoticed =
        fresh.length > 0 || (await noticing(fault, (name) => !unnoticing.has(name), 1)).length > 0
      expect(isNoticed).toBe(true)
      for (const name of fresh) unnoticing.delete(name)
    })
  }
})

test("an adapter passes that looks up what links select, as it is to be done", async () => {
  expect(await noticing(lookingUp, () => true)).toEqual([])
})

test("every case can fail: at least one fault was noticed by it", () => {
  expect(caseCount).toBeGreaterThan(100)
  expect([...unnoticing]).toEqual([])
})

test.each([
  [
    "updates are lost",
    "many who add to a payout at the same time, and try again on conflict, lose nothing",
  ],
  [
    "what was read may be another when it is written",
    "work that decides by what others change does not go ahead on what is no longer so",
  ],
  [
    "each call of work that reads is a transaction of its own",
    "who reads while others write sees all of a transaction or none of it",
  ],
  ["reads see what is not kept yet", "nobody sees what was not kept: payouts and their items"],
  [
    "work that is interrupted is kept",
    "work that is interrupted leaves nothing behind, and lets others go on",
  ],
  [
    "what was not kept is in the history",
    "nothing of a transaction that is not kept is in the history",
  ],
  ["entries tell a payout as it is now", "entries stay as they are, whatever comes later"],
  [
    "entries tell only the items that were added",
    "the items and the total of a payout can be worked out from its history",
  ],
  ["a collaborator has two active payouts", "of many who open an active payout, one does"],
  [
    "accounts are told apart without regard to case",
    "accounts are apart, though ids are the same: product groups",
  ],
])("when %s, it is noticed where one would look: %s", async (fault, name) => {
  expect(await noticing(named(fault), (one) => one === name)).toEqual([name])
})

test("no two cases have the same name", () => {
  const names = StorageContract.cases(() => MemoryStorage.make).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test("what a broken case tells names what was expected and what came", async () => {
  const cases = casesOf(named("amounts lose their last digit"))
  const broken = cases.find(({ name }) => name.startsWith("payouts keep the largest"))
  await expect(broken?.run()).rejects.toMatchObject({
    _tag: "ContractBroken",
    what: "the payout",
    expected: { total: -9_007_199_254_740_991 },
    actual: { total: -9_007_199_254_740_990 },
    message: "the payout: expected total to be -9007199254740991, got -9007199254740990",
  })
})

const entries = (last: object) => [{ id: "p1" }, { id: "p2" }, { id: "p3" }, last]
const long = "x".repeat(200)

test.each<[told: string, expected: unknown, actual: unknown]>([
  ['expected [3].id to be "a", got "b"', entries({ id: "a" }), entries({ id: "b" })],
  [
    'expected [3].tags[1] to be nothing, got "y"',
    entries({ tags: ["x"] }),
    entries({ tags: ["x", "y"] }),
  ],
  ["expected [1] to be nothing, got 2", [1], [1, 2]],
  ["expected [1] to be 2, got nothing", [1, 2], [1]],
  ["expected total to be 5, got nothing", { entries: [], total: 5 }, { entries: [] }],
  ["expected note to be nothing, got null", { id: 1 }, { id: 1, note: null }],
  ["expected at to be {}, got []", { at: {} }, { at: [] }],
  ['expected "Conflict", got "success"', "Conflict", "success"],
  [
    `expected name to be …"${"x".repeat(20)}a", got …"${"x".repeat(20)}b"`,
    { name: `${long}a` },
    { name: `${long}b` },
  ],
  [
    `expected name to be …"${"x".repeat(20)}", got …"${"x".repeat(20)}b"`,
    { name: long },
    { name: `${long}b` },
  ],
])("a difference is told by its first place: %s", async (told, expected, actual) => {
  const error = await Effect.runPromise(Effect.flip(expectSame("the list", actual, expected)))
  expect(error.message).toBe(`the list: ${told}`)
  expect(error.expected).toBe(expected)
  expect(error.actual).toBe(actual)
})

test("a storage can be given as it is, as a promise, or as an effect", async () => {
  const name = "what the work gives comes out of the transaction, whatever it reads or writes"
  const storage = await Effect.runPromise(MemoryStorage.make)
  for (const make of [() => storage, async () => storage, () => Effect.succeed(storage)]) {
    const [first] = StorageContract.cases(make)
    expect(first?.name).toBe(name)
    await first?.run()
  }
})
