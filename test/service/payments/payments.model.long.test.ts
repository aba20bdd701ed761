/** Money sent is money noted, and no payout is sent twice: whatever comes in between whatever. */
import type { StorageService } from "apportion/ports"
import { Audit, Payments, Payouts, Sales } from "apportion/service"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isAll, isWhole, runs } from "../../generators/Runs.js"
import { Counter, deeds, meeting, sellAll, type World } from "./PaymentDeeds.js"
import { type Flaws, type Gate, PaymentShop, shop } from "./PaymentShop.js"

/** A gate through which the scheduler lets one step at a time, until it is opened for good. */
class ScheduledGate {
  isOpen = true
  readonly #scheduler: fc.Scheduler

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler
  }

  readonly wait: Gate = (label) =>
    Effect.suspend(() =>
      this.isOpen
        ? Effect.void
        : Effect.promise(() => this.#scheduler.schedule(Promise.resolve(), label)),
    )
}

type DeedName = string

/** What was seen of lives, so that a test can tell that it saw enough. */
class Seen {
  readonly counts = new Map<string, number>()

  note(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  missing(...all: ReadonlyArray<string>): ReadonlyArray<string> {
    return all.filter((what) => !this.counts.has(what))
  }
}

const everything = Effect.gen(function* () {
  const payouts = yield* Payouts
  const payments = yield* Payments
  const { entries } = yield* payouts.list(shop, {}, { page: 1, perPage: 100 })
  const views = yield* Effect.forEach(entries, ({ payout }) => payouts.get(shop, payout.id))
  const all = yield* payments.list(shop, { limit: 1_000 })
  const { differences } = yield* (yield* Audit).payouts(shop)
  const ledger = yield* (yield* Sales).list(shop, {}, { page: 1, perPage: 100 })
  const reversals = ledger.entries.flatMap(({ refunds }) => refunds.map(({ reversal }) => reversal))
  const refunded = reversals.flatMap(({ shares }) => shares.map(({ amount }) => amount))
  return {
    refunded,
    entries: entries.map(({ payout }) => payout),
    views,
    payments: all,
    differences,
  }
})

/** Before a canary's key was changed. */
const keyOf = (key: string): string => key.split("#")[0] ?? key

/** What always holds, whatever was done, and whatever is still open. */
const checkAlways = async (world: World): Promise<void> => {
  const { fake } = world.shop
  const { entries, payments, differences, views, refunded } = await world.shop.right(everything)
  const payoutOf = new Map(payments.map(({ id, payoutId }) => [id, payoutId]))
  const kept = new Map<string, number>()
  const times = new Map<string, number>()
  for (const { key, amount, isReturned } of fake.book) {
    const id = keyOf(key)
    const payoutId = payoutOf.get(id) ?? `nobody: ${id}`
    times.set(id, (times.get(id) ?? 0) + 1)
    if (!isReturned) kept.set(payoutId, (kept.get(payoutId) ?? 0) + amount)
  }
  expect([...times.values()].filter((count) => count > 1)).toEqual([])
  for (const payout of entries) {
    const own = payments.filter(({ payoutId }) => payoutId === payout.id)
    const paidOver = own.filter(({ status, rail }) => status === "confirmed" && rail === "fake")
    const noted = paidOver.reduce((sum, { amount }) => sum + amount, 0)
    const isOpen = payout.paymentId !== null
    const money = kept.get(payout.id) ?? 0
    // What is open may have been paid already, once; nothing else is unnoted.
    if (isOpen) expect([0, payout.total]).toContain(money)
    else if (!own.some(({ contradiction }) => contradiction !== null)) expect(money).toBe(noted)
    if (payout.status === "paid" && noted > 0) expect(payout.total).toBe(noted)
  }
  expect(differences).toEqual([])
  const items = views.flatMap(({ payout }) => payout.items)
  const expenses = items.filter(({ kind, id }) => kind === "expense" && id.startsWith("e"))
  const ids = expenses.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining([...world.expenses]))
  const total = views.reduce((sum, view) => sum + view.total, 0)
  const taken = refunded.reduce((sum, amount) => sum + amount, 0)
  expect(total).toBe(15_000 - taken - 100 * ids.length)
}

/** Brings everything that is open to its end, as a person would who asks the rail's own list at last. */
const comeToRest = async (world: World, seen: Seen): Promise<void> => {
  const { fake } = world.shop
  for (const name of ["two minutes", "run"]) await deeds[name]?.(world)
  const { payments } = await world.shop.right(everything)
  for (const { id, status } of payments) {
    if (status !== "sent" && status !== "unknown") continue
    const moved = fake.book.find(({ key, isReturned }) => keyOf(key) === id && !isReturned)
    seen.note(`left ${status}`)
    const settled = fake.settle(id)
    await world.shop.run(
      Effect.flatMap(Payments, (service) => {
        if (settled !== undefined) return service.answer(shop, settled)
        return moved === undefined
          ? service.reject(shop, id, "the rail's list does not have it")
          : service.confirm(shop, id, { at: moved.at, reference: moved.reference })
      }),
    )
  }
  // What came back is told again until it is heard.
  for (const outcome of world.said) {
    if (outcome.type !== "returned") continue
    await world.shop.run(Effect.flatMap(Payments, (service) => service.answer(shop, outcome)))
  }
}

interface Life {
  /** What is done, one group at the same time after the other. */
  readonly groups: ReadonlyArray<ReadonlyArray<DeedName>>
  readonly scheduler: fc.Scheduler
  readonly flaws?: Flaws
  readonly terms?: Partial<PaymentShop["fake"]["rail"]["terms"]>
  readonly seen?: Seen
}

/** Enough for whatever lives to come to its end. */
const turnsAfterCrash = 300

/** Lives through all of it; what is found wrong is thrown. */
const live = async ({
  groups,
  scheduler,
  flaws,
  terms,
  seen = new Seen(),
}: Life): Promise<void> => {
  const gate = new ScheduledGate(scheduler)
  const world: World = {
    shop: new PaymentShop(gate.wait, flaws, terms),
    counter: new Counter(),
    said: [],
    expenses: new Set(),
    aborts: new Set(),
  }
  await sellAll(world)
  for (const names of groups) {
    gate.isOpen = false
    const failures: Array<unknown> = []
    let underWay = 0
    for (const name of names) {
      seen.note(name)
      underWay += 1
      const done = deeds[name]?.(world) ?? expect.fail(`there is no deed ${name}`)
      done
        .catch((error: unknown) => failures.push(error))
        .finally(() => {
          underWay -= 1
        })
    }
    await scheduler.waitIdle()
    gate.isOpen = true
    await scheduler.waitIdle()
    // What a dead process was at never ends.
    const most = names.includes("crash") ? turnsAfterCrash : Number.MAX_SAFE_INTEGER
    for (let turn = 0; underWay > 0 && turn < most; turn += 1) {
      await new Promise((done) => setImmediate(done))
    }
    if (failures.length > 0) throw failures[0]
    await checkAlways(world)
  }
  await comeToRest(world, seen)
  await checkAlways(world)
  const { payments } = await world.shop.right(everything)
  for (const { status } of payments) seen.note(`ended ${status}`)
  await world.shop.stop()
}

const names = Object.keys(deeds)

const groupsOfDeeds = fc.array(
  fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }),
  {
    minLength: 3,
    maxLength: 12,
  },
)

/** Those in which a rail has nothing to say, and what is done about that. */
const unclear = fc.array(
  fc.array(
    fc.constantFrom(
      ...["rail is late", "rail loses after", "run", "claim", "send", "resolve", "release"],
      ...["half a minute", "two minutes", "two days", "arrive", "set-paid", "retry"],
    ),
    { minLength: 1, maxLength: 2 },
  ),
  { minLength: 5, maxLength: 15 },
)

const lives = (
  more: Omit<Life, "groups" | "scheduler"> = {},
  all: fc.Arbitrary<Life["groups"]> = groupsOfDeeds,
) =>
  fc.asyncProperty(all, fc.scheduler(), (groups, scheduler) => live({ ...more, groups, scheduler }))

describe("paying out, and every pair of what can happen meanwhile", () => {
  const meetingNames = Object.keys(meeting)
  const before: ReadonlyArray<ReadonlyArray<DeedName>> = [
    [],
    [["claim"]],
    [["rail loses after"], ["claim"], ["send"]],
    [["rail accepts"], ["claim"], ["send"]],
    [["run"]],
  ].map((groups) => groups.flat())

  test.each(meetingNames)(
    "%s meets each of them in every state, and money is as it is noted",
    (one) =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...meetingNames),
          fc.constantFrom(...before),
          fc.scheduler(),
          (other, first, scheduler) =>
            live({ groups: [...first.map((name) => [name]), [one, other], ["run"]], scheduler }),
        ),
        runs(40),
      ),
  )
})

test("in random lives money sent is money noted, and no payout is sent twice", async () => {
  const seen = new Seen()
  await fc.assert(lives({ seen }), runs(150))
  await fc.assert(lives({ seen }, unclear), runs(150))
  if (process.env["APPORTION_TALLY"] !== undefined) console.log([...seen.counts])
  if (!isWhole) return
  // Money that comes back after it was confirmed is rare: a third of the lives need not have it.
  const ends = ["confirmed", "rejected", "released", ...(isAll ? ["returned"] : [])]
  const ended = ends.map((end) => `ended ${end}`)
  expect(seen.missing(...names, ...ended, "left unknown")).toEqual([])
}, 600_000)

/** The same lives with something done wrong: sooner or later one of them tells. */
const caught = async (
  more: Omit<Life, "groups" | "scheduler">,
  all?: fc.Arbitrary<Life["groups"]>,
) => {
  const result = await fc.check(lives(more, all), {
    numRuns: all === undefined ? 2_000 : 300,
    endOnFailure: true,
  })
  return result.failed
}

/** Payouts are read as if nobody was paying them, and written with what is known of that. */
const forgetting = (storage: StorageService): StorageService => ({
  ...storage,
  transaction: (accountId, work, options) =>
    storage.transaction(
      accountId,
      (stores) => {
        const { payouts } = stores
        const forget = <P extends { readonly paymentId: string | null }>(payout: P): P => ({
          ...payout,
          paymentId: null,
        })
        return work({
          ...stores,
          payouts: {
            ...payouts,
            get: (id) =>
              Effect.map(payouts.get(id), (found) => (found === undefined ? found : forget(found))),
            update: (change) =>
              Effect.flatMap(payouts.get(change.payout.id), (known) => {
                const isOfItems = (change.put ?? []).length > 0
                const paymentId = known?.paymentId ?? null
                return payouts.update(
                  isOfItems && paymentId !== null
                    ? { ...change, payout: { ...change.payout, paymentId } }
                    : change,
                )
              }),
          },
        })
      },
      options,
    ),
})

describe("a flaw is noticed in the same lives", () => {
  test("another key when it is sent again", async () => {
    let sent = 0
    const flaws: Flaws = {
      rail: (rail) => ({
        ...rail,
        send: (instruction) => {
          sent += 1
          return rail.send({ ...instruction, key: `${instruction.key}#${sent}` })
        },
      }),
    }
    expect(await caught({ flaws })).toBe(true)
  }, 600_000)

  test("a payout that is not frozen while it is paid", async () => {
    expect(await caught({ flaws: { storage: forgetting } })).toBe(true)
  }, 600_000)

  test("what nobody knows is taken for rejected", async () => {
    const flaws: Flaws = {
      rail: (rail) => ({
        ...rail,
        send: (instruction) =>
          Effect.catch(rail.send(instruction), ({ reason }) =>
            Effect.succeed({ type: "rejected", reason } as const),
          ),
      }),
    }
    expect(await caught({ flaws })).toBe(true)
  }, 600_000)

  test("that there is no such payment is believed too early", async () => {
    const flaws: Flaws = {
      rail: (rail) => ({ ...rail, terms: { ...rail.terms, lateSeconds: 1 } }),
    }
    const way = ["rail is late", "claim", "send", "half a minute", "resolve", "release", "arrive"]
    const life = fc.constant(way.map((name) => [name]))
    expect((await fc.check(lives({}, life), { numRuns: 1 })).failed).toBe(false)
    expect(await caught({ flaws }, life)).toBe(true)
  }, 600_000)

  test("that there is no such payment is believed when its key is forgotten", async () => {
    const flaws: Flaws = {
      rail: (rail) => ({ ...rail, terms: { ...rail.terms, knownSeconds: null } }),
    }
    expect(await caught({ flaws }, unclear)).toBe(true)
  }, 600_000)
})
