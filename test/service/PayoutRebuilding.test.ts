import { Payout, type PayoutItem } from "apportion"
import { historyHash, type PayoutHistoryEntry, type StoredPayout } from "apportion/ports"
import type { DifferenceKind, PayoutDifference } from "apportion/service"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { PayoutRebuilding } from "../../src/service/internal/payouts/payoutHistory.js"
import { runs } from "../generators/Runs.js"
import { live, type StoredLife, steps } from "./PayoutLives.js"

const auditOf = async ({
  payout,
  items,
  history,
  lastHash,
}: StoredLife): Promise<ReadonlyArray<PayoutDifference>> => {
  const rebuilding = new PayoutRebuilding(payout.id)
  for (const entry of history) {
    rebuilding.take(entry)
    rebuilding.prove(entry, await historyHash(entry, rebuilding.hash))
  }
  return rebuilding.compare(payout, items, lastHash)
}

test("from its history alone a payout is what it is, whatever its life was", async () => {
  const lives = fc.asyncProperty(steps, async (all) => {
    const life = await live(all)
    expect(life.history.length).toBe(all.length + 1)
    expect(await auditOf(life)).toEqual([])
  })
  await fc.assert(lives, runs(300))
})

/** Which of several, drawn by chance. */
interface Choice {
  readonly of: <A>(values: ReadonlyArray<A>) => A | undefined
}

/** Something that is done to what is stored; `undefined`: this life has nothing to do it to. */
type Tampering = (life: StoredLife, choice: Choice) => StoredLife | undefined

const ofPayout =
  (change: (payout: StoredPayout) => Partial<StoredPayout>): Tampering =>
  (life) => ({ ...life, payout: { ...life.payout, ...change(life.payout) } })

const ofItem =
  (change: (item: PayoutItem.PayoutItem) => Partial<PayoutItem.PayoutItem>): Tampering =>
  (life, choice) => {
    const chosen = choice.of(life.items)
    if (chosen === undefined) return undefined
    const items = life.items.map((item) =>
      item === chosen ? ({ ...item, ...change(item) } as PayoutItem.PayoutItem) : item,
    )
    return { ...life, items }
  }

const ofEntry =
  (
    change: (entry: PayoutHistoryEntry) => Partial<PayoutHistoryEntry> | undefined,
    isFit: (entry: PayoutHistoryEntry) => boolean = () => true,
  ): Tampering =>
  (life, choice) => {
    const chosen = choice.of(life.history.filter(isFit))
    if (chosen === undefined) return undefined
    const history = life.history.map((entry) =>
      entry === chosen ? { ...entry, ...change(entry) } : entry,
    )
    return { ...life, history }
  }

const swapped = <A>(values: ReadonlyArray<A>, place: number): ReadonlyArray<A> => [
  ...values.slice(0, place),
  ...values.slice(place, place + 2).reverse(),
  ...values.slice(place + 2),
]

const places = (values: ReadonlyArray<unknown>) => values.slice(1).map((_, index) => index)

/** Every kind of tampering, and a kind of difference that it must show as. */
const tamperings: Readonly<Record<string, readonly [DifferenceKind, Tampering]>> = {
  "the total": ["payout", ofPayout(({ total }) => ({ total: total + 1 }))],
  "the count of items": ["payout", ofPayout(({ itemsCount }) => ({ itemsCount: itemsCount + 1 }))],
  "the status": [
    "payout",
    ofPayout(({ status }) => ({ status: status === "paid" ? "pending" : "paid" })),
  ],
  "the due date": ["payout", ofPayout(({ toBePaidAt }) => ({ toBePaidAt: toBePaidAt - 1 }))],
  "the time of payment": ["payout", ofPayout(({ paidAt }) => ({ paidAt: (paidAt ?? 0) + 1 }))],
  "the end of holding": [
    "payout",
    ofPayout(({ payableAt }) => ({ payableAt: (payableAt ?? 0) - 1 })),
  ],
  "the reason of a failure": ["payout", ofPayout(() => ({ failureReason: "because" }))],
  "the owner": ["payout", ofPayout(() => ({ collaboratorId: "eve" }))],
  "the currency": ["payout", ofPayout(() => ({ currency: "EUR" }))],
  "the version": ["payout", ofPayout(({ version }) => ({ version: version + 1 }))],
  "the amount of an item": ["item", ofItem(({ amount }) => ({ amount: amount + 1 }))],
  "the original amount of an item": [
    "item",
    ofItem(({ originalAmount }) => ({ originalAmount: -originalAmount })),
  ],
  "the name of an item": ["item", ofItem(() => ({ name: "Something else" }))],
  "the time of an item": ["item", ofItem(({ createdAt }) => ({ createdAt: createdAt + 1 }))],
  "an item that is missing": [
    "item",
    (life, choice) => {
      const gone = choice.of(life.items)
      if (gone === undefined) return undefined
      return { ...life, items: life.items.filter((item) => item !== gone) }
    },
  ],
  "an item too many": [
    "item",
    (life) => {
      const [first] = life.items
      if (first === undefined) return undefined
      return { ...life, items: [...life.items, { ...first, id: "extra" }] }
    },
  ],
  "an item that is there twice": [
    "order",
    (life, choice) => {
      const twice = choice.of(life.items)
      return twice === undefined ? undefined : { ...life, items: [...life.items, twice] }
    },
  ],
  "two items in the wrong order": [
    "order",
    (life, choice) => {
      const place = choice.of(places(life.items))
      return place === undefined ? undefined : { ...life, items: swapped(life.items, place) }
    },
  ],
  "the amount and the total alike": [
    "item",
    (life) => {
      const [first, ...rest] = life.items
      if (first === undefined) return undefined
      const payout = { ...life.payout, total: life.payout.total + 500 }
      return { ...life, payout, items: [{ ...first, amount: first.amount + 500 }, ...rest] }
    },
  ],
  "an entry that is missing": [
    "missing entry",
    (life, choice) => {
      const gone = choice.of(life.history.slice(0, -1))
      return { ...life, history: life.history.filter((entry) => entry !== gone) }
    },
  ],
  "the last entry missing": ["payout", (life) => ({ ...life, history: life.history.slice(0, -1) })],
  "no history at all": ["missing entry", (life) => ({ ...life, history: [] })],
  "two entries in the wrong order": [
    "missing entry",
    (life, choice) => {
      const place = choice.of(places(life.history))
      return place === undefined ? undefined : { ...life, history: swapped(life.history, place) }
    },
  ],
  "an entry of another payout": ["wrong entry", ofEntry(() => ({ payoutId: "p2" }))],
  "the total before an entry": [
    "broken chain",
    ofEntry(
      ({ before }) => ({ before: before && { ...before, total: before.total + 1 } }),
      ({ before }) => before !== null,
    ),
  ],
  "the total after an entry": [
    "wrong entry",
    ofEntry(({ after }) => ({ after: { ...after, total: after.total + 1 } })),
  ],
  "the status after an entry and before the next": [
    "wrong entry",
    (life) => {
      const place = life.history.findIndex(
        ({ before }) => before !== null && Payout.isSettled(before),
      )
      const entry = life.history[place]
      if (entry === undefined) return undefined
      const after = { ...entry.after, status: "active" as const }
      const next = life.history[place + 1]
      const nextToo = next === undefined ? [] : [{ ...next, before: after }]
      const history = [
        ...life.history.slice(0, place),
        { ...entry, after },
        ...nextToo,
        ...life.history.slice(place + 2),
      ]
      return { ...life, history }
    },
  ],
  "the owner from an entry on": [
    "wrong entry",
    (life, choice) => {
      const from = choice.of(life.history.slice(1))?.version ?? 0
      const stolen = (payout: StoredPayout) => ({ ...payout, collaboratorId: "eve" })
      const history = life.history.map((entry) => ({
        ...entry,
        before: entry.version > from && entry.before ? stolen(entry.before) : entry.before,
        after: entry.version >= from ? stolen(entry.after) : entry.after,
      }))
      return { ...life, payout: stolen(life.payout), history }
    },
  ],
  "the amount of an item in an entry": [
    "wrong entry",
    ofEntry(
      ({ put }) => ({ put: put.map((item) => ({ ...item, amount: item.amount + 1 })) }),
      ({ put }) => put.length > 0,
    ),
  ],
  "an item that never came in an entry": [
    "wrong entry",
    ofEntry(
      ({ put }) => ({ put: put.slice(1) }),
      // Not one that the same change puts again, or that was there with the same amount.
      ({ put, before, after }) => put.length === 1 && before?.total !== after.total,
    ),
  ],
  "an item that was not taken out in an entry": [
    "wrong entry",
    ofEntry(
      ({ removed }) => ({ removed: removed.slice(1) }),
      ({ removed, put }) => removed.length > 0 && put.length === 0,
    ),
  ],
  "an item taken out that never was there": [
    "wrong entry",
    ofEntry(({ removed }) => ({ removed: [...removed, "nothing"] })),
  ],
  "an item put in when all was paid": [
    "wrong entry",
    ofEntry(
      ({ put }) => ({ put: put.concat(settledItem) }),
      ({ before }) => before !== null && Payout.isSettled(before),
    ),
  ],
  "who made an entry": ["hash", ofEntry(({ actor }) => ({ actor: `${actor}!` }))],
  "when an entry was made": ["hash", ofEntry(({ at }) => ({ at: at - 1 }))],
  "the hash of an entry": ["hash", ofEntry(() => ({ hash: "0".repeat(64) }))],
  "an entry without its hash": [
    "hash",
    ofEntry(
      () => ({ hash: null }),
      ({ version }) => version > 1,
    ),
  ],
  "the last hash of the payout": ["hash", (life) => ({ ...life, lastHash: "0".repeat(64) })],
  "no last hash of the payout": ["hash", (life) => ({ ...life, lastHash: null })],
  "the end of the history and the payout with it": [
    "hash",
    (life) => {
      const last = life.history.at(-1)
      if (last?.before == null || last.put.length > 0 || last.removed.length > 0) return undefined
      return { ...life, payout: last.before, history: life.history.slice(0, -1) }
    },
  ],
  "half a cent in an entry": [
    "wrong entry",
    ofEntry(
      ({ put }) => ({ put: put.map((item) => ({ ...item, amount: item.amount + 0.5 })) }),
      ({ put }) => put.length > 0,
    ),
  ],
}

const settledItem: PayoutItem.PayoutItem = {
  ...{ kind: "income", id: "late", createdAt: 0, amount: 1, originalAmount: 1, name: "Late" },
  ...{ originalCurrency: "USD", currencyExchangeRate: null },
}

test("entries from before there were hashes are taken as they are, up to the first that has one", async () => {
  const lives = fc.asyncProperty(steps, fc.nat(), async (all, number) => {
    const life = await live(all)
    const without = number % (life.history.length + 1)
    const history: Array<PayoutHistoryEntry> = []
    let previous: string | null = null
    for (const entry of life.history) {
      const hash: string | null =
        history.length < without ? null : await historyHash(entry, previous)
      history.push({ ...entry, hash })
      previous = hash
    }
    expect(await auditOf({ ...life, history, lastHash: previous })).toEqual([])
  })
  await fc.assert(lives, runs(100))
})

describe("what was tampered with is found", () => {
  test.each(Object.entries(tamperings))("%s", async (_name, [kind, tamper]) => {
    const property = fc.asyncProperty(steps, fc.nat(), async (all, number) => {
      const life = await live(all)
      const of: Choice["of"] = (values) => values[number % Math.max(values.length, 1)]
      const wrong = tamper(life, { of })
      fc.pre(wrong !== undefined)
      const differences = await auditOf(wrong)
      expect(differences.map((difference) => difference.kind)).toContain(kind)
      for (const { payoutId, stored, rebuilt, message } of differences) {
        expect(payoutId).toBe("p1")
        expect(stored).not.toEqual(rebuilt)
        expect(message).toMatch(/^payout p1.*: .+/)
      }
    })
    // Lives to which it can't be done don't count.
    await fc.assert(property, runs(50))
  })
})

test("a payout of the past gets more items once it is paid; what it has is never replaced or taken out", () => {
  const payout = (total: number, itemsCount: number, version: number): StoredPayout => ({
    ...{ id: "p1", collaboratorId: "ada", currency: "EUR", status: "manually paid", openedAt: 100 },
    ...{ toBePaidAt: 50, closedAt: 50, payableAt: 50, paidAt: 50, failureReason: null },
    ...{ paymentId: null, total, itemsCount, version },
  })
  const item = (id: string, amount: number): PayoutItem.PayoutItem => ({
    ...{ kind: "income", id, amount, name: "Earned", createdAt: 10 },
    ...{ originalAmount: amount, originalCurrency: "EUR", currencyExchangeRate: null },
  })
  const told = { payoutId: "p1", actor: "ada", at: 100, hash: null }
  const first = payout(5, 1, 1)
  const begun: PayoutHistoryEntry = {
    ...{ ...told, version: 1, before: null, after: first, put: [item("a", 5)], removed: [] },
  }
  const differences = (
    after: StoredPayout,
    { put, removed }: Pick<PayoutHistoryEntry, "put" | "removed">,
  ) => {
    const rebuilding = new PayoutRebuilding("p1")
    rebuilding.take(begun)
    rebuilding.take({ ...told, version: 2, before: first, after, put, removed })
    const items = [...begun.put.filter(({ id }) => !removed.includes(id)), ...put]
    const unique = new Map(items.map((one) => [one.id, one]))
    return rebuilding.compare(after, [...unique.values()], null).map(({ field }) => field)
  }
  expect(differences(payout(8, 2, 2), { put: [item("b", 3)], removed: [] })).toEqual([])
  expect(differences(payout(3, 1, 2), { put: [item("a", 3)], removed: [] })).toEqual(["put"])
  expect(differences(payout(0, 0, 2), { put: [], removed: ["a"] })).toEqual(["put"])
})
