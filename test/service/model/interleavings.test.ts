import { isDeepStrictEqual } from "node:util"
import { Payout, PayoutItem } from "apportion"
import { Effect } from "effect"
import fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"
import { isWhole, runs } from "../../generators/Runs.js"
import { callNames, calls } from "./Calls.js"
import { enter, essenceOf, look, outcomeOf, type Scene, type Seen, setScene } from "./Scene.js"
import { carelessStorage, type Gate, lockedStorage, optimisticStorage } from "./ScheduledStorage.js"
import { Tally } from "./Tally.js"

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})

/** What calls came to, in their order, and what is seen afterwards. */
interface Outcome {
  readonly outcomes: ReadonlyArray<string>
  readonly seen: Seen
}

const callOf = (name: string) => {
  const call = calls[name]
  if (call === undefined) throw new TypeError(`there is no call ${name}`)
  return call(scene)
}

const open: Gate = () => Effect.void

/** The calls one after the other. */
const inTurn = async (names: ReadonlyArray<string>): Promise<Outcome> => {
  const shop = await enter(scene, lockedStorage, open)
  const outcomes: Array<string> = []
  for (const name of names) outcomes.push(outcomeOf(await shop.run(callOf(name))))
  const seen = await look(shop)
  await shop.stop()
  return { outcomes, seen }
}

/** A gate through which the scheduler lets one step at a time, until it is opened for good. */
const gateOf = (scheduler: fc.Scheduler) => {
  let isOpen = false
  const gate: Gate = (label) =>
    Effect.suspend(() =>
      isOpen ? Effect.void : Effect.promise(() => scheduler.schedule(Promise.resolve(), label)),
    )
  const openForGood = async () => {
    isOpen = true
    await scheduler.waitIdle()
  }
  return { gate, openForGood }
}

const storages = {
  locked: lockedStorage,
  optimistic: optimisticStorage,
  careless: carelessStorage,
} as const

type Storages = keyof typeof storages

/** The calls at once, in the order of steps that a scheduler chooses. */
const atOnce = async (
  names: ReadonlyArray<string>,
  storage: Storages,
  scheduler: fc.Scheduler,
): Promise<Outcome & { readonly conflicts: number }> => {
  const { gate, openForGood } = gateOf(scheduler)
  const shop = await enter(scene, storages[storage], gate)
  const running = Promise.all(names.map((name) => shop.run(callOf(name))))
  const results = await scheduler.waitFor(running)
  await openForGood()
  // What was not linked yet when the process ends, the next one goes on with.
  if (storage === "locked") await look(shop)
  await shop.stop()
  const next = await enter({ ...scene, log: shop.storage.log() }, lockedStorage, open)
  const seen = await look(next)
  await next.stop()
  return { outcomes: results.map(outcomeOf), seen, conflicts: shop.storage.conflicts() }
}

const permutations = (count: number): ReadonlyArray<ReadonlyArray<number>> =>
  count === 0
    ? [[]]
    : permutations(count - 1).flatMap((rest) =>
        Array.from({ length: count }, (_, place) => rest.toSpliced(place, 0, count - 1)),
      )

interface Answer {
  readonly outcomes: ReadonlyArray<string>
  readonly essence: unknown
}

const known = new Map<string, Promise<ReadonlyArray<Answer>>>()

/** What can come of calls that are made one after the other, in each order there is. */
const answersOf = (names: ReadonlyArray<string>): Promise<ReadonlyArray<Answer>> => {
  const key = names.join("\n")
  const found = known.get(key)
  if (found !== undefined) return found
  const all = Promise.all(
    permutations(names.length).map(async (order) => {
      const { outcomes, seen } = await inTurn(order.map((place) => names[place] ?? ""))
      const inPlace = names.map((_, place) => outcomes[order.indexOf(place)] ?? "")
      return { outcomes: inPlace, essence: essenceOf(seen) }
    }),
  )
  known.set(key, all)
  return all
}

const sum = (amounts: ReadonlyArray<number>): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount), 0n)

/** Each share that was recorded is in the payouts once, less what its refunds took back of it. */
const checkShares = ({ viewed, ledger }: Seen): void => {
  const items = viewed.flatMap(({ payout }) => payout.items)
  for (const { orderId, split, refunds } of ledger) {
    for (const { itemId, groupId, amount } of split.shares) {
      const key = PayoutItem.keyOf({ orderId, itemId, groupId })
      const own = items.filter(({ id }) => id === key || id.startsWith(`${key}/refund/`))
      const taken = refunds
        .filter(({ reversal }) => reversal.itemId === itemId)
        .flatMap(({ reversal }) => reversal.shares.filter((it) => it.groupId === groupId))
        .map((share) => share.amount)
      expect(own.filter(({ kind }) => kind === "sale")).toHaveLength(1)
      expect(sum(own.map(({ originalAmount }) => originalAmount))).toBe(BigInt(amount) - sum(taken))
      expect(sum(taken)).toBeLessThanOrEqual(BigInt(amount))
    }
  }
  const sold = items.filter(({ kind }) => kind === "sale")
  expect(sold).toHaveLength(ledger.reduce((count, { split }) => count + split.shares.length, 0))
}

/** What always holds, whatever was done. */
const checkInvariants = (seen: Seen): void => {
  const { viewed } = seen
  for (const { payout, total } of viewed) {
    expect(sum(payout.items.map(({ amount }) => amount))).toBe(BigInt(total))
    expect(new Set(payout.items.map(({ id }) => id)).size).toBe(payout.items.length)
    expect(payout.paidAt !== null).toBe(Payout.isSettled(payout))
  }
  const collecting = viewed.filter(({ payout }) => payout.status === "active")
  const owners = collecting.map(({ payout }) => `${payout.collaboratorId} ${payout.currency}`)
  expect(new Set(owners).size).toBe(owners.length)
  for (const before of scene.settled) {
    expect(viewed.map(({ payout }) => payout).find(({ id }) => id === before.id)).toEqual(before)
  }
  checkShares(seen)
}

/** What was said to be done is to be seen, once; what was refused is not. */
const checkEffects = (names: ReadonlyArray<string>, { outcomes, seen }: Outcome): void => {
  const items = seen.viewed.flatMap(({ payout }) => payout.items)
  const refunds = seen.ledger.flatMap((sale) => sale.refunds.map(({ id }) => id))
  const count = (list: ReadonlyArray<string>, id: string) => list.filter((it) => it === id).length
  const counts: Readonly<Record<string, number>> = {
    "expense in a pending payout": count(
      items.map(({ id }) => id),
      "x1",
    ),
    "income in a payout that is due": count(
      items.map(({ id }) => id),
      "x2",
    ),
    "income in a payout that collects": count(
      items.map(({ id }) => id),
      "x3",
    ),
    "refund of a settled share": count(refunds, "r1"),
    "refund of a pending share": count(refunds, "r2"),
    "another refund of it, too much with the first": count(refunds, "r3"),
    "refund of a share that collects": count(refunds, "r4"),
    "record a sale": count(
      seen.ledger.map(({ orderId }) => orderId),
      "o4",
    ),
    "record another sale": count(
      seen.ledger.map(({ orderId }) => orderId),
      "o5",
    ),
  }
  names.forEach((name, place) => {
    const found = counts[name]
    if (found !== undefined)
      expect([name, found]).toEqual([name, outcomes[place] === "done" ? 1 : 0])
  })
  const both = items.filter(({ id }) => id === "x4")
  expect([0, 2]).toContain(both.length)
  const keyed = items.filter((item) => "name" in item && item.name === "Keyed")
  const isKeyed = names.some(
    (name, place) => name === "an income under a key" && outcomes[place] === "done",
  )
  expect(keyed).toHaveLength(isKeyed ? 1 : 0)
  for (const name of ["pay", "pay what failed"]) {
    const paid = names.filter((each, place) => each === name && outcomes[place] === "done")
    expect(paid.length).toBeLessThanOrEqual(1)
  }
}

let conflicts = 0
const tally = new Tally()

/** Calls at once come to what they would come to one after the other, in some order. */
const checkAtOnce = async (
  names: ReadonlyArray<string>,
  storage: Storages,
  scheduler: fc.Scheduler,
): Promise<void> => {
  const outcome = await atOnce(names, storage, scheduler)
  conflicts += outcome.conflicts
  names.forEach((name, place) => {
    tally.add(`${name}: ${outcome.outcomes[place]}`)
  })
  checkInvariants(outcome.seen)
  checkEffects(names, outcome)
  const { outcomes } = outcome
  const answers = await answersOf(names)
  const alike = answers.filter((each) => isDeepStrictEqual(each.outcomes, outcomes))
  expect(answers.map((each) => each.outcomes)).toContainEqual(outcomes)
  const essence = essenceOf(outcome.seen)
  const isKnown = alike.some((each) => isDeepStrictEqual(each.essence, essence))
  if (!isKnown) expect(essence).toEqual(alike[0]?.essence)
}

const everyPair = callNames.flatMap((one, place) =>
  callNames.slice(place).map((other) => [one, other] as const),
)
const oneOf = (count: number) => everyPair.filter((_, place) => isWhole || place % count === 0)

describe.each([
  { storage: "locked", pairs: oneOf(24) },
  { storage: "optimistic", pairs: oneOf(8) },
] as const)("in a storage that is $storage", ({ storage, pairs }) => {
  test("any two calls at once come to what they come to one after the other", async () => {
    for (const pair of pairs) {
      const property = fc.asyncProperty(fc.constant(pair), fc.scheduler(), (names, scheduler) =>
        checkAtOnce(names, storage, scheduler),
      )
      await fc.assert(property, { numRuns: 1 })
    }
  })
})

test("any three calls at once come to what they come to one after the other", async () => {
  const name = fc.constantFrom(...callNames)
  const three = fc.tuple(name, name, name).map((names) => names.toSorted())
  await fc.assert(
    fc.asyncProperty(three, fc.scheduler(), (names, scheduler) =>
      checkAtOnce(names, "optimistic", scheduler),
    ),
    runs(50),
  )
})

test("all calls were made, and met conflicts", () => {
  if (process.env.APPORTION_TALLY !== undefined) console.log(tally.lines().join("\n"))
  const usual = callNames.filter((name) => name !== "pay what failed")
  expect(tally.missing(usual.map((name) => `${name}: done`))).toEqual([])
  expect(conflicts).toBeGreaterThan(isWhole ? 100 : 5)
})

test.each([
  ["expense in a pending payout", "pay"],
  ["refund of a pending share", "another refund of it, too much with the first"],
  ["update a group", "remove a group"],
  ["pay", "fail"],
])("of %s and %s either can come first, which the other is told", async (...names) => {
  const found = new Set<string>()
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    const { outcomes } = await atOnce(names, "optimistic", scheduler)
    found.add(outcomes.join(" and "))
  })
  await fc.assert(property, runs(50, 20))
  const answers = await answersOf(names)
  const possible = answers.map(({ outcomes }) => outcomes.join(" and "))
  expect(new Set(possible).size).toBe(2)
  expect([...found].sort()).toEqual([...possible].sort())
})

test.each([
  ["expense in a pending payout", "pay"],
  ["record a sale", "record another sale"],
  ["refund of a pending share", "another refund of it, too much with the first"],
  ["pay", "pay"],
])("a storage that checks nothing is found out by %s and %s", async (...names) => {
  const property = fc.asyncProperty(fc.scheduler(), (scheduler) =>
    checkAtOnce(names, "careless", scheduler),
  )
  const { failed } = await fc.check(property, { numRuns: 100, endOnFailure: true })
  expect(failed).toBe(true)
})
