/**
 * A shop in which everything that changes something has something to change: payouts in each status, one of
 * them due this second, shares to refund, entries to remove, groups and products.
 */
import { PageRequest, type Payout } from "apportion"
import { productKeyOf } from "apportion/ports"
import {
  Collaborators,
  Payouts,
  ProductGroups,
  Products,
  Sales,
  type SettingsInput,
} from "apportion/service"
import { Effect, Result, Stream } from "effect"
import { type Gate, type Log, lockedStorage, type ScheduledStorage } from "./ScheduledStorage.js"
import { account, HandClock, openShop, runRight, type Services, type Shop } from "./Shop.js"

const start = Date.UTC(2024, 0, 15, 12) / 1_000
const day = 86_400
const settings: SettingsInput = { linkBatchSize: 2, conflictRetries: 100 }
const whole = { page: 1, perPage: PageRequest.maximumPerPage }

const item = (id: string, product: string, amount: number) => ({
  id,
  product: { id: product, ...(product === "plain" ? {} : { tags: [product] }) },
  quantity: 4,
  amount,
})

/** An order whose first item pays ada and ben, and whose second one is completed from the catalogue. */
export const orderOf = (id: string) => ({
  id,
  currency: "USD",
  items: [item("i1", "both", 10_000), item("i2", "plain", 4_000)],
})

/** Payouts by what is known of them. */
export interface Scene {
  readonly log: Log
  readonly now: number
  readonly payouts: Readonly<Record<"paid" | "pending" | "due" | "failed" | "collecting", string>>
  /** The payouts that were settled at the beginning. */
  readonly settled: ReadonlyArray<Payout.Payout>
}

const effects = Effect.gen(function* () {
  return {
    payouts: yield* Payouts,
    sales: yield* Sales,
    groups: yield* ProductGroups,
    products: yield* Products,
    collaborators: yield* Collaborators,
  }
})

const makePeople = Effect.gen(function* () {
  const { collaborators, groups, products } = yield* effects
  const terms = { payoutHoldingDays: 2, currency: "USD" } as const
  yield* collaborators.create(account, { id: "ada", ...terms, payoutMeasurement: "month" })
  // Ben's days are chosen so that at the end only ada's payout is due.
  const ben = { payoutMeasurement: "day", payoutFrequency: 35, currency: "EUR" } as const
  yield* collaborators.create(account, { id: "ben", ...terms, ...ben })
  const tags = (values: ReadonlyArray<string>) => ({ type: "products.tag", values }) as const
  const made = [
    { who: "ada", id: "ga", link: tags(["both", "art"]), percent: 10 },
    { who: "ben", id: "gb", link: tags(["both"]), percent: 25 },
    { who: "ben", id: "gc", link: { type: "products.all" } as const, percent: 1 },
  ]
  for (const { who, ...group } of made) yield* groups.create(account, who, group)
  yield* products.put(account, [
    { id: "plain", name: "Plain", tags: ["art"] },
    { id: "p2", name: "Second", tags: ["both"] },
    { id: "p3", name: "Third" },
  ])
  for (const { id } of made) yield* Stream.runDrain(groups.watch(account, id))
})

const only = async (shop: Shop, who: string, status: Payout.Payout["status"]): Promise<string> => {
  const found = await runRight(
    shop,
    Effect.flatMap(Payouts, (payouts) =>
      payouts.list(account, { collaboratorId: who, status }, whole),
    ),
  )
  return found.entries[0]?.payout.id ?? `no ${status} payout of ${who}`
}

const sell = (id: string) => Effect.flatMap(Sales, (sales) => sales.record(account, orderOf(id)))

const move = (shop: Shop, what: "pay" | "fail", id: string) =>
  runRight(
    shop,
    Effect.flatMap(Payouts, (payouts) =>
      what === "pay"
        ? Effect.asVoid(payouts.pay(account, id))
        : Effect.asVoid(payouts.fail(account, id, "no account")),
    ),
  )

const rates = { "USD/EUR": "0.9217", "EUR/USD": "1.0849" }

/** Plays the shop's life up to the scene. */
export const setScene = async (): Promise<Scene> => {
  const clock = new HandClock(start)
  const storage = lockedStorage({ log: [], gate: () => Effect.void })
  const shop = await openShop({ clock, storage, settings, rates })
  const closeDue = Effect.flatMap(Payouts, (payouts) => payouts.closeDue(account))
  await runRight(shop, makePeople)
  await runRight(shop, sell("o1"))
  clock.now += 40 * day
  await runRight(shop, closeDue)
  const paid = await only(shop, "ada", "pending")
  await move(shop, "pay", paid)
  const failed = await only(shop, "ben", "pending")
  await move(shop, "fail", failed)
  await runRight(shop, sell("o2"))
  clock.now += 40 * day
  await runRight(shop, closeDue)
  const pending = await only(shop, "ada", "pending")
  const entry = { id: "e1", amount: 300, name: "Samples" }
  await runRight(
    shop,
    Effect.flatMap(Payouts, (payouts) => payouts.addExpense(account, pending, entry)),
  )
  await runRight(shop, sell("o3"))
  const due = await only(shop, "ada", "active")
  const collecting = await only(shop, "ben", "active")
  const listed = await runRight(shop, seenPayouts)
  clock.now = listed.find(({ payout }) => payout.id === due)?.payout.toBePaidAt ?? 0
  const settled = listed.map(({ payout }) => payout).filter(({ id }) => id === paid)
  await shop.stop()
  return {
    log: storage.log(),
    now: clock.now,
    payouts: { paid, pending, due, failed, collecting },
    settled,
  }
}

/** Starts a process in a scene, over a storage that begins with what was kept there. */
export const enter = async (
  scene: Scene,
  make: (options: { readonly log: Log; readonly gate: Gate }) => ScheduledStorage,
  gate: Gate,
): Promise<Shop & { readonly storage: ScheduledStorage }> => {
  const clock = new HandClock(scene.now, gate("sleep"))
  const storage = make({ log: scene.log, gate })
  return { ...(await openShop({ clock, storage, settings, rates })), storage }
}

/** Every payout with its items; the service sees to it that the total is theirs. */
export const seenPayouts = Effect.gen(function* () {
  const { payouts } = yield* effects
  const { entries } = yield* payouts.list(account, {}, whole)
  return yield* Effect.forEach(entries, ({ payout }) => payouts.get(account, payout.id))
})

/** Waits until every group that there is has been linked. */
const linked = (who: string) =>
  Effect.flatMap(effects, ({ groups }) =>
    Effect.flatMap(groups.list(account, who, whole), ({ entries }) =>
      Effect.forEach(entries, ({ group }) => Stream.runDrain(groups.watch(account, group.id))),
    ),
  )

const seenGroups = (who: string) =>
  Effect.gen(function* () {
    const { groups } = yield* effects
    yield* linked(who)
    const { entries } = yield* groups.list(account, who, whole)
    return yield* Effect.forEach(entries, ({ group, version, productsCount }) =>
      Effect.map(groups.get(account, who, group.id, whole), ({ products }) => ({
        group,
        version,
        productsCount,
        products: products.entries.map(productKeyOf),
      })),
    )
  })

const seenOf = Effect.gen(function* () {
  const { sales, products, collaborators } = yield* effects
  const viewed = yield* seenPayouts
  const ledger = (yield* sales.list(account, {}, whole)).entries
  const catalogue = yield* products.list(account, { includeCollaborators: true }, whole)
  const people = yield* collaborators.list(account, whole)
  const groups = [...(yield* seenGroups("ada")), ...(yield* seenGroups("ben"))]
  return { viewed, ledger, catalogue, people: people.entries, groups }
})

/** All that hosts can see. */
export type Seen = Effect.Success<typeof seenOf>

export const look = (shop: Shop): Promise<Seen> => runRight(shop, seenOf)

const nameOf = ({ collaboratorId, currency, openedAt, items }: Payout.Payout): string =>
  `${collaboratorId} ${currency} ${openedAt} ${items.slice(0, 1).map((item) => named(item).id)}`

const madeUp = /^[0-9a-f]{8}-[0-9a-f]{4}-7/

/** An item whose id the service made up has none that means anything. */
const named = (item: Payout.Payout["items"][number]) =>
  madeUp.test(item.id) ? { ...item, id: "made up" } : item

/** What is seen, with names that mean the same in every run in the place of ids that were made up. */
export const essenceOf = (seen: Seen): unknown => {
  const names = new Map(seen.viewed.map(({ payout }) => [payout.id, nameOf(payout)]))
  const payouts = seen.viewed
    .map(({ payout, total }) => ({
      ...payout,
      id: names.get(payout.id) ?? "",
      items: payout.items.map(named),
      total,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const ledger = seen.ledger.map(({ postings, ...sale }) => ({
    ...sale,
    postings: postings.map((each) => ({ ...each, payoutId: names.get(each.payoutId) })),
  }))
  return { payouts, ledger, catalogue: seen.catalogue, people: seen.people, groups: seen.groups }
}

/** What a call came to. */
export const outcomeOf = (result: Result.Result<unknown, { readonly _tag: string }>): string =>
  Result.isSuccess(result) ? "done" : result.failure._tag

export type Call = (scene: Scene) => Effect.Effect<unknown, { readonly _tag: string }, Services>
