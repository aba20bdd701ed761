import { MemoryStorage } from "apportion/memory"
import type { StorageService, Stores } from "apportion/ports"
import { Audit } from "apportion/service"
import { Effect } from "effect"
import fc from "fast-check"
import { expect, test } from "vitest"
import { isWhole, runs } from "../../generators/Runs.js"
import type { Terms } from "./DueDate.js"
import { type Command, commands, earlierLife, overspent, pairs, terms } from "./PayoutCommands.js"
import { openPayoutShop } from "./PayoutShop.js"
import { account, runRight } from "./Shop.js"
import { Tally } from "./Tally.js"

const people = fc.record({ ada: terms, ben: terms, cam: terms })

const audited = Effect.flatMap(Audit, ({ payouts }) => payouts(account))

/** Random lives of a shop, each compared with the model's after every command, and with its histories. */
const lives = (tally: Tally, storage?: () => StorageService) =>
  fc.asyncProperty(people, fc.nat({ max: 3 }), commands(60), async (given, age, all) => {
    const { real, model } = await openPayoutShop(given, tally, storage?.())
    try {
      const setup = () => ({ model, real })
      if (age > 0) await fc.asyncModelRun(setup, earlierLife)
      await fc.asyncModelRun(setup, all)
      const audit = await runRight(real, audited)
      expect(audit).toEqual({ checked: model.state.payouts.length, differences: [] })
    } finally {
      await real.stop()
    }
  })

const usual: Terms = {
  currency: "USD",
  payoutMeasurement: "month",
  payoutFrequency: 1,
  payoutThreshold: 0,
  payoutHoldingDays: 3,
  shouldPayAutomatically: true,
}

/** One life of a shop, with the commands that are given. */
const live = async (way: Iterable<Command>): Promise<Tally> => {
  const tally = new Tally()
  const { real, model } = await openPayoutShop({ ada: usual, ben: usual, cam: usual }, tally)
  await fc.asyncModelRun(() => ({ model, real }), way)
  await real.stop()
  return tally
}

test.each(pairs)("an event meets a payout in a status as the model says: $name", async (pair) => {
  expect((await live(pair.way)).count(pair.name)).toBe(1)
})

test("a payout is not paid while it is held, and one that fell below zero is paid with nothing", async () => {
  const tally = await live(overspent)
  expect(tally.missing(["pay: PayoutOnHold", "pay done"])).toEqual([])
})

const changes = [
  ...["record", "refund", "expense", "income", "remove", "pay", "fail", "retry", "set-paid"],
  ...["change terms", "list", "replay"],
]

test("payouts are what a simple model says, whatever is done to them in whatever order", async () => {
  const tally = new Tally()
  await fc.assert(lives(tally), runs(60, 8))
  if (process.env.APPORTION_TALLY !== undefined) console.log(tally.lines().join("\n"))
  // A slice of the lives can miss what seldom comes.
  if (!isWhole) return
  const both = changes.flatMap((name) => [`${name} done`, `${name} refused`])
  expect(tally.missing(both)).toEqual([])
  const others = ["a payout closed", "a payout rolled", "wait done", "list payable done"]
  expect(tally.missing(others, 10)).toEqual([])
  const moves = ["active, close", "pending, pay", "pending, fail", "failed, retry"]
  expect(tally.missing([...moves, "active, set-paid", "pending, set-paid"])).toEqual([])
})

/** A storage with a fault in the store of payouts. */
const faulty = (fault: (stores: Stores) => Partial<Stores["payouts"]>): StorageService => {
  const storage = Effect.runSync(MemoryStorage.make)
  return {
    ...storage,
    transaction: (accountId, work, options) =>
      storage.transaction(
        accountId,
        (stores) => work({ ...stores, payouts: { ...stores.payouts, ...fault(stores) } }),
        options,
      ),
  }
}

const faults: Readonly<Record<string, (stores: Stores) => Partial<Stores["payouts"]>>> = {
  "forgets items that are replaced": ({ payouts }) => ({
    update: ({ payout, remove }) => payouts.update({ payout, remove }),
  }),
  "finds nothing that is due": () => ({ due: () => Effect.succeed([]) }),
  "gives the payouts in another order": ({ payouts }) => ({
    list: (filter, slice) =>
      Effect.map(payouts.list(filter, slice), ({ entries, total }) => ({
        entries: entries.toReversed(),
        total,
      })),
  }),
  "counts the dates from the second payout": ({ payouts }) => ({
    firstOpenedAt: (owner) => Effect.map(payouts.active(owner), (active) => active?.openedAt),
  }),
}

test.each(Object.entries(faults))("a store that %s is found out", async (_name, fault) => {
  const property = lives(new Tally(), () => faulty(fault))
  const { failed } = await fc.check(property, { numRuns: 100, endOnFailure: true })
  expect(failed).toBe(true)
})
