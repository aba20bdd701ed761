/** What the services do to the storage, each with what is there before; and a shop to do it in. */
import type { Order } from "apportion"
import type { Storage, StorageService } from "apportion/ports"
import {
  Collaborators,
  type Idempotency,
  Payouts,
  ProductGroups,
  Products,
  Sales,
  type UnitOfWork,
} from "apportion/service"
import { Effect } from "effect"
import { at } from "./HastyClock.js"

/** All services, and the storage. */
export type World =
  | Collaborators
  | ProductGroups
  | Products
  | Sales
  | Payouts
  | Idempotency
  | UnitOfWork
  | Storage

/** A call for an account. */
export type Call = (account: string) => Effect.Effect<unknown, unknown, World>

/** Something that is done to the storage. */
export interface UseCase {
  readonly name: string
  /** When it is called, in Unix seconds. */
  readonly at: number
  /** Makes what is there before, and gives the call. */
  readonly prepare: (account: string) => Effect.Effect<Call, unknown, World>
  /** Whether the same called twice has one effect by itself, without a key. */
  readonly isRepeatable: boolean
  /** Whether it makes work that goes on in the background. */
  readonly hasBackground: boolean
  /** What another process, which ended, left behind: this one takes it up. */
  readonly leftBehind:
    | ((storage: StorageService, account: string) => Effect.Effect<unknown, unknown>)
    | undefined
  /** Whether it asks the storage itself, which tries nothing again. */
  readonly isBare: boolean
}

const utc = (day: string): number => Date.parse(`${day}T12:00:00Z`) / 1_000

/** When the shop opens. */
export const opening = utc("2024-01-15")
/** When the payouts of January are due. */
export const afterJanuary = utc("2024-02-01")
/** When they may be paid. */
export const afterHolding = utc("2024-02-08")

/** Makes a use case of a call that needs to know what was there before. */
export const useCaseWith = <Found>(
  name: string,
  given: (account: string) => Effect.Effect<Found, unknown, World>,
  call: (account: string, found: Found) => Effect.Effect<unknown, unknown, World>,
  options: Partial<Omit<UseCase, "name" | "prepare">> = {},
): UseCase => ({
  name,
  at: opening,
  isRepeatable: false,
  hasBackground: false,
  leftBehind: undefined,
  isBare: false,
  ...options,
  prepare: (account) => Effect.map(given(account), (found) => (one) => call(one, found)),
})

/** Ada earns 10% of all in dollars, Sam 20% of art in euros and is paid from 1,000 euros on. */
export const openShop = (account: string) =>
  Effect.gen(function* () {
    const collaborators = yield* Collaborators
    const terms = { payoutMeasurement: "monthly_date", payoutFrequency: -1 } as const
    const details = { notes: "paints", permissions: { seeProductPrice: true } }
    const ada = { id: "ada", currency: "USD", payoutHoldingDays: 3, ...terms, ...details }
    yield* collaborators.create(account, ada)
    yield* collaborators.create(account, {
      ...{ id: "sam", currency: "EUR", payoutThreshold: 100_000 },
      ...terms,
    })
    const products = yield* Products
    yield* products.put(account, catalogue)
    const groups = yield* ProductGroups
    const all = { id: "g-all", link: { type: "products.all" }, percent: "10.00" } as const
    yield* groups.create(account, "ada", all)
    const art = { id: "g-art", link: { type: "products.tag", values: ["art"] } } as const
    yield* groups.create(account, "sam", { ...art, percent: "20.00" })
  }).pipe(at(opening))

const catalogue = ["p1", "p2", "p3", "p4", "p5"].map((id, index) => ({
  id,
  externalId: `x-${id}`,
  name: `Product ${id}`,
  vendor: "North",
  price: 2_500,
  tags: index % 2 === 0 ? ["art", "wall"] : [],
}))

/** An order with these items, `p1` to `p5`, at so many cents each. */
export const order = (id: string, items: Readonly<Record<string, number>>): Order.Order => ({
  id,
  currency: "USD",
  tags: ["spring"],
  referers: ["blog"],
  details: { customerName: "Li", status: "paid" },
  items: Object.entries(items).map(([productId, amount]) => ({
    id: `i-${productId}`,
    product: { id: productId },
    quantity: 2,
    amount,
  })),
})

/** The shop with one order recorded: Ada and Sam have a payout each. */
export const withSale = (account: string) =>
  Effect.gen(function* () {
    yield* openShop(account)
    const sales = yield* Sales
    yield* at(opening)(sales.record(account, order("o1", { p1: 10_000, p2: 5_000 })))
    return yield* payoutsOf(account)
  })

/** The ids of the payouts of Ada and of Sam. */
export const payoutsOf = (account: string) =>
  Effect.gen(function* () {
    const { entries } = yield* (yield* Payouts).list(account, {}, { page: 1, perPage: 100 })
    const idOf = (owner: string): string =>
      entries.find(({ payout }) => payout.collaboratorId === owner)?.payout.id ?? ""
    return { ada: idOf("ada"), sam: idOf("sam") }
  })

/** The same, and January is over: Ada's payout is closed, Sam's has rolled. */
export const closed = (account: string) =>
  Effect.gen(function* () {
    const found = yield* withSale(account)
    yield* at(afterJanuary)((yield* Payouts).closeDue(account))
    return found
  })

/** The same, and Ada was paid. */
export const paid = (account: string) =>
  Effect.gen(function* () {
    const found = yield* closed(account)
    yield* at(afterHolding)((yield* Payouts).pay(account, found.ada))
    return found
  })
