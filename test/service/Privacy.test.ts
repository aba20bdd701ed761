import { Permissions, SplitPolicy } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { ExchangeRates, Storage, type StoredPayout, type Stores } from "apportion/ports"
import {
  Collaborators,
  Payouts,
  ProductGroups,
  Sales,
  servicesLayer,
  settingsLayer,
} from "apportion/service"
import { Effect, Layer, Logger } from "effect"
import { expect, test } from "vitest"

const marker = "PRIVATE-7f3a"

const run = <A, E>(
  program: Effect.Effect<A, E, Collaborators | Payouts | ProductGroups | Sales | Storage>,
): Promise<A> => {
  const settings = settingsLayer({ policy: { ...SplitPolicy.defaults, cost: "deduct" } })
  const layer = servicesLayer.pipe(
    Layer.provide(settings),
    Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, ExchangeRates.none, Logger.layer([]))),
  )
  return Effect.runPromise(Effect.provide(program, layer))
}

const details = {
  ...{ customerEmail: marker, customerName: marker, status: marker, paymentGateway: marker },
  ...{ shippingAddress: marker, billingAddress: marker, orderName: "#1001" },
}

const order = {
  ...{ id: "1001", currency: "USD", billingCountry: "DE", tags: [marker], customerTags: [marker] },
  ...{ discountCodes: [marker], referers: [marker], details },
  items: [
    {
      ...{ id: "1", quantity: 3, amount: 31_313, discount: 7_171, taxName: marker },
      product: { id: "p1", name: "Dune", price: 21_212, cost: 5_151, inventoryQuantity: 616_161 },
    },
  ],
}

const prepare = Effect.gen(function* () {
  const collaborators = yield* Collaborators
  yield* collaborators.create("shop", {
    ...{ id: "ada", currency: "USD", notes: marker, permissions: {} },
    account: { name: "Ada", isManaged: true },
  })
  yield* collaborators.create("shop", { id: `${marker}-ben`, currency: "USD" })
  const groups = yield* ProductGroups
  const link = { type: "products.all" } as const
  yield* groups.create("shop", "ada", { link, percent: 10 })
  yield* groups.create("shop", `${marker}-ben`, { link, percent: 40 })
  const { parts } = yield* (yield* Sales).record("shop", order)
  const posting = parts[0]?.postings.find(({ collaboratorId }) => collaboratorId === "ada")
  return posting?.payoutId ?? ""
})

/** What is shown, without ids made at random: their digits may be those of a hidden amount. */
const shown = (seen: unknown): string =>
  JSON.stringify(seen).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "id")

/** Puts a field that nobody knows beside those of everything that is stored about a payout, as a host may. */
const planted = ({ payouts, collaborators }: Stores, payoutId: string) =>
  Effect.gen(function* () {
    const extra = { internal: marker }
    const payout = yield* payouts.get(payoutId)
    const [item] = yield* payouts.items(payoutId)
    if (payout === undefined || item === undefined || !("orderItem" in item)) return
    const { orderItem } = item
    const product = { ...orderItem.product, ...extra }
    const more = { ...orderItem.details, ...extra }
    const failed: StoredPayout = { ...payout, status: "failed", failureReason: marker, ...extra }
    const sold = { ...orderItem, product, details: more, ...extra }
    yield* payouts.update({ payout: failed, put: [{ ...item, orderItem: sold, ...extra }] })
    const ada = yield* collaborators.get("ada")
    if (ada === undefined) return
    const account = { ...ada.collaborator.account, ...extra }
    yield* collaborators.update({
      ...ada,
      collaborator: { ...ada.collaborator, account, ...extra },
    })
  })

test("a payout as its collaborator sees it shows nothing that is private, whatever field it is in", async () => {
  const [all, seen] = await run(
    Effect.gen(function* () {
      const payoutId = yield* prepare
      const payouts = yield* Payouts
      yield* payouts.addExpense("shop", payoutId, { amount: 5, name: "Samples" })
      const storage = yield* Storage
      yield* storage.transaction("shop", (stores) => planted(stores, payoutId))
      return [yield* payouts.get("shop", payoutId), yield* payouts.getAsSeen("shop", payoutId)]
    }),
  )
  const places = JSON.stringify(all).split(marker).length - 1
  expect(places).toBeGreaterThan(12)
  const text = shown(seen)
  expect(text).toContain("Dune")
  expect(text).toContain("#1001")
  expect(text).not.toContain(marker)
  for (const hidden of [31_313, 7_171, 21_212, 5_151, 616_161])
    expect(text).not.toContain(String(hidden))
})

test("why a collaborator got a share is told without a word of the others, the store or what is hidden", async () => {
  const [seen, whole] = await run(
    Effect.gen(function* () {
      yield* prepare
      const sales = yield* Sales
      return [yield* sales.explain("shop", "1001", "ada"), yield* sales.get("shop", "1001")]
    }),
  )
  const base = 31_313 - 7_171 - 3 * 5_151
  expect(whole[0]?.split.items[0]?.base).toBe(base)
  const text = shown(seen)
  expect(text).toContain("Dune (item 1 of order 1001):")
  expect(text).toContain("You get 8.69 USD")
  expect(text).not.toContain(marker)
  const others = whole.flatMap(({ split }) => [...split.shares.slice(1), ...split.store])
  const notTheirs = [31_313, 7_171, base, ...others.map(({ amount }) => amount)]
  for (const amount of notTheirs) {
    expect(text).not.toContain(String(amount))
    expect(text).not.toContain((amount / 100).toFixed(2))
  }
})

test("with every permission the sum is told, and still nothing of the others", async () => {
  const text = await run(
    Effect.gen(function* () {
      yield* prepare
      yield* (yield* Collaborators).update("shop", "ada", { permissions: Permissions.all })
      return shown(yield* (yield* Sales).explain("shop", "1001", "ada"))
    }),
  )
  expect(text).toContain("313.13 USD price - 71.71 USD discount - 154.53 USD cost = 86.89 USD")
  expect(text).not.toContain(marker)
  expect(text).not.toContain("40")
})

test("a sale in which somebody has no share is as if it were not there", async () => {
  const failures = await run(
    Effect.gen(function* () {
      yield* prepare
      yield* (yield* Collaborators).create("shop", { id: "eve", currency: "USD" })
      const sales = yield* Sales
      const asked = [
        sales.explain("shop", "1001", "eve"),
        sales.explain("shop", "1002", "ada"),
        sales.explain("shop", "1001", "nobody"),
      ]
      return yield* Effect.forEach(asked, Effect.flip)
    }),
  )
  expect(failures.map(({ message }) => message)).toEqual([
    "there is no order with the id 1001",
    "there is no order with the id 1002",
    "there is no collaborator with the id nobody",
  ])
})
