/** Sales, refunds and closings that come at once, and the same one after the other in the order in which they were kept. */
import { MemoryStorage } from "apportion/memory"
import type { StorageService } from "apportion/ports"
import { type Apportion, makeApportion } from "apportion/promise"
import { Effect } from "effect"
import { Chance } from "../generators/Chance.js"

const shop = "shop"

const march = Date.UTC(2026, 2, 10) / 1_000

const link = { type: "products.all" } as const

const bands = [
  { from: 0, percent: 5 },
  { from: 20, percent: 7.5 },
  { from: 45, percent: "12.25" },
]

const order = (id: string, quantity: number, amount: number) => ({
  ...{ id, currency: "EUR", createdAt: march },
  items: [
    { id: "1", product: { id: "p1" }, quantity, amount },
    { id: "2", product: { id: "p2" }, quantity: 1, amount: 333 },
  ],
})

const refund = (id: string, orderId: string, itemId: string) => ({
  ...{ id, orderId, itemId, refundedAt: march },
  remaining: true as const,
})

/** How a shop is set up: with terms, carrying, or with agreements. */
export type Kind = "terms" | "carry" | "agreements"

type Given = Parameters<Apportion["agreements"]["put"]>[1]

const advanceOf = (id: string, amount: number): Given => ({
  kind: "advance",
  agreement: {
    ...{ id, collaboratorId: "ada", currency: "EUR", amount, grantedAt: 0, percent: "60.00" },
  },
})

/** A reserve of which a half can be released at once, and a guarantee whose period is over, beside what sales recoup. */
const agreed: ReadonlyArray<Given> = [
  advanceOf("a1", 2_000),
  {
    kind: "reserve",
    agreement: {
      ...{ id: "r1", collaboratorId: "ada", percent: "20.00" },
      schedule: [
        { days: 0, percent: "50.00" },
        { days: 36_500, percent: "50.00" },
      ],
    },
  },
  {
    kind: "guarantee",
    agreement: {
      ...{ id: "m1", collaboratorId: "ben", currency: "EUR", amount: 2_000 },
      ...{ from: march, until: march + 1 },
    },
  },
  {
    kind: "override",
    agreement: {
      ...{ id: "o1", collaboratorId: "kim", of: "share", from: "ada", paidBy: "share" },
      percent: "15.00",
    },
  },
]

const open = async (storage: StorageService, kind: Kind): Promise<Apportion> => {
  const settings = kind === "carry" ? { policy: { rounding: "carry" } as const } : {}
  const apportion = await makeApportion({ storage, settings })
  const { collaborators, groups } = apportion
  for (const id of ["ada", "ben", "kim"]) await collaborators.create(shop, { id, currency: "EUR" })
  const tiers = { counted: "units", period: "month", bands } as const
  const termsOfAda = { tiers, cap: { amount: 30_000 } }
  const termsOfBen = { cap: { amount: 1_000, period: "payout" } } as const
  const isCounted = kind === "terms"
  const ada = isCounted ? { terms: termsOfAda } : { percent: kind === "carry" ? "0.40" : "30.00" }
  for (const one of kind === "agreements" ? agreed : []) await apportion.agreements.put(shop, one)
  await groups.create(shop, "ada", { id: "g-ada", link, ...ada })
  await groups.create(shop, "ben", {
    ...{ id: "g-ben", link, percent: "2.55" },
    ...(isCounted ? { terms: termsOfBen } : {}),
  })
  for (const id of ["old-1", "old-2", "old-3"])
    await apportion.sales.record(shop, order(id, 3, 9_999))
  return apportion
}

interface Step {
  /** The event by which it is known when it was kept. */
  readonly key: string
  readonly run: (apportion: Apportion) => Promise<unknown>
}

const payoutOf = async ({ payouts }: Apportion, collaboratorId: string): Promise<string> => {
  const { entries } = await payouts.list(shop, { collaboratorId, status: "active" })
  return entries[0]?.payout.id ?? ""
}

const orderOf = (place: number) => order(`new-${place}`, 1 + (place % 7), 777 * (1 + (place % 5)))

const sale = (place: number): Step => ({
  key: `sale ${orderOf(place).id}`,
  run: ({ sales }) => sales.record(shop, orderOf(place)),
})

const singles: ReadonlyArray<Step> = [
  ...Array.from({ length: 10 }, (_, place) => sale(place)),
  ...["old-1", "old-2"].flatMap((id) =>
    ["1", "2"].map((itemId) => ({
      key: `refund r-${id}-${itemId}`,
      run: ({ sales }: Apportion) => sales.refund(shop, refund(`r-${id}-${itemId}`, id, itemId)),
    })),
  ),
  {
    key: "payout ben",
    run: async (apportion) => apportion.payouts.setPaid(shop, await payoutOf(apportion, "ben")),
  },
]

/** What else is done with agreements: by events that may be kept more often than it was asked for. */
const ofAgreements: ReadonlyArray<Step> = [
  ...["1", "2", "3"].map(() => ({
    key: "close",
    run: ({ payouts }: Apportion) => payouts.closeDue(shop),
  })),
  {
    key: "end a1",
    run: ({ agreements }) => agreements.end(shop, { kind: "advance", id: "a1" }),
  },
  { key: "put a2", run: ({ agreements }) => agreements.put(shop, advanceOf("a2", 5_000)) },
]

const many = Array.from({ length: 8 }, (_, place) => orderOf(100 + place))

const keysOf = async ({ events }: Apportion): Promise<ReadonlyArray<string>> => {
  const keys: Array<string> = []
  for (let after = 0; ; ) {
    const found = await events.after(shop, after)
    const last = found.at(-1)
    if (last === undefined) return keys
    after = last.number
    for (const event of found) {
      if (event.type === "sale.recorded") keys.push(`sale ${event.data.orderId}`)
      if (event.type === "refund.recorded") keys.push(`refund ${event.data.refundId}`)
      if (event.type === "payout.set-paid") keys.push("payout ben")
      if (event.type === "reserve.released" || event.type === "guarantee.closed") keys.push("close")
      if (event.type === "agreement.ended") keys.push(`end ${event.data.agreementId}`)
      if (event.type === "agreement.made") keys.push(`put ${event.data.agreementId}`)
    }
  }
}

/** A value as text, whatever the order in which a storage gives back its fields. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )

/** All that counts: counters, what each sale has, and what is in payouts, but for ids that are drawn. */
const stateOf = async ({ counters, sales, payouts, audit, agreements }: Apportion) => {
  const { entries } = await counters.list(shop, { page: 1, perPage: 100 })
  const parts = await sales.list(shop, {}, { page: 1, perPage: 100 })
  const all = await payouts.list(shop, {})
  const named = (key: string) => key.replace(/payout:[^/]+/gu, "payout")
  const { differences, counters: wrong } = await audit.sales(shop)
  const { held, ...totals } = await agreements.balances(shop)
  const stored = await agreements.list(shop, { ended: true })
  return {
    counters: entries.map(({ key, count }) => `${named(key)} ${count}`).sort(),
    shares: parts.entries
      .map(({ orderId, split }) => textOf([orderId, split.shares, split.store]))
      .map(named)
      .sort(),
    payouts: all.entries
      .map(
        ({ payout: { collaboratorId, status, total } }) => `${collaboratorId} ${status} ${total}`,
      )
      .sort(),
    balances: [held, ...Object.values(totals)].flat().map(textOf).sort(),
    agreements: stored.map(({ agreement: { id }, isUsed, endedAt }) => [
      id,
      isUsed,
      endedAt !== null,
    ]),
    wrong: [...differences, ...wrong, ...(await audit.agreements(shop)).differences],
  }
}

const stepsOf = (kind: Kind): ReadonlyArray<Step> =>
  kind === "agreements" ? [...singles, ...ofAgreements] : singles

/** What has to be kept once, by its events; how often reserves are released depends on what comes in between. */
export const keptOnce = (kind: Kind): ReadonlyArray<string> =>
  [...stepsOf(kind).map(({ key }) => key), ...many.map(({ id }) => `sale ${id}`)]
    .filter((key) => key !== "close")
    .toSorted()

/** Does all at once, and then the same in the order in which it was kept; both have to come to the same. */
export const atOnce = async (storage: StorageService, kind: Kind, seed: number) => {
  const apportion = await open(storage, kind)
  const begun = (await keysOf(apportion)).length
  const chance = new Chance(seed)
  const alone = stepsOf(kind)
  const steps = [
    ...alone.map((step) => () => step.run(apportion)),
    () => apportion.sales.recordAll(shop, many),
  ].toSorted(() => chance.next() - 0.5)
  await Promise.all(steps.map((run) => run()))
  const kept = (await keysOf(apportion)).slice(begun)
  const again = await open(await Effect.runPromise(MemoryStorage.make), kind)
  const byKey = new Map(alone.map((step) => [step.key, step]))
  for (const key of kept) {
    const step = byKey.get(key)
    const [, id = ""] = key.split(" ")
    const one = many.find((sold) => sold.id === id)
    if (step !== undefined) await step.run(again)
    else if (one !== undefined) await again.sales.record(shop, one)
  }
  return { kept, state: await stateOf(apportion), expected: await stateOf(again) }
}
