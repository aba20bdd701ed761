/** A shop that records sales: its clock, exchange rates, policy and storage in the test's hands. */
import {
  Collaborator,
  type Order,
  type Payout,
  ProductGroup,
  type Split,
  type SplitPolicy,
} from "apportion"
import { MemoryStorage } from "apportion/memory"
import {
  ExchangeRates,
  type RateRequest,
  type RecordedSale,
  Storage,
  type StorageService,
  type Stores,
} from "apportion/ports"
import {
  Audit,
  makeSettings,
  Payouts,
  Resplits,
  Sales,
  Settings,
  type SettingsInput,
  type SettingsValue,
  UnitOfWork,
} from "apportion/service"
import { Effect, Layer, Logger, References, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { secureRandom } from "../generators/Chance.js"

export const account = "shop"

/** Noon of the day on which every test begins, in Unix seconds. */
export const noon = Date.UTC(2024, 0, 15, 12) / 1_000
export const day = 86_400

/** What a test can change while it runs, and what it can look at. */
export interface Shop {
  readonly storage: StorageService
  settings: SettingsValue
  /** By `EUR/USD`. */
  readonly rates: Map<string, string>
  /** Is done before each rate is given. */
  onRate: (request: RateRequest) => Effect.Effect<void>
  /** What was logged: message and annotations. */
  readonly log: Array<{ readonly message: string; readonly about: Record<string, unknown> }>
}

export type Services = Audit | Sales | Payouts | Resplits | UnitOfWork

const servicesOf = (shop: Shop): Layer.Layer<Services> =>
  Layer.mergeAll(Audit.layer, Sales.layer, Payouts.layer, Resplits.layer, UnitOfWork.layer).pipe(
    Layer.provide(Layer.succeed(Settings)({ of: () => Effect.sync(() => shop.settings) })),
    Layer.provide(
      Layer.succeed(ExchangeRates)({
        rate: (request) =>
          Effect.map(shop.onRate(request), () => shop.rates.get(`${request.from}/${request.to}`)),
      }),
    ),
    Layer.provide(Layer.sync(SecureRandom.SecureRandom)(() => secureRandom(7))),
    Layer.provide(Layer.succeed(Storage)(shop.storage)),
  )

export const settingsOf = (input: SettingsInput): SettingsValue =>
  Result.getOrThrow(makeSettings(input))

/** Runs a test in a shop of its own; `wrap` may put something between the services and the storage. */
export const inShop = async <A, E>(
  test: (shop: Shop) => Effect.Effect<A, E, Services>,
  options: {
    readonly settings?: SettingsInput
    readonly wrap?: (storage: StorageService) => StorageService
  } = {},
): Promise<A> => {
  const made = Effect.runSync(MemoryStorage.make)
  const shop: Shop = {
    storage: options.wrap?.(made) ?? made,
    settings: settingsOf(options.settings ?? {}),
    rates: new Map(),
    onRate: () => Effect.void,
    log: [],
  }
  const logger = Logger.make<unknown, void>(({ message, fiber }) => {
    const [text] = Array.isArray(message) ? message : [message]
    shop.log.push({
      message: String(text),
      about: { ...fiber.getRef(References.CurrentLogAnnotations) },
    })
  })
  const program = Effect.andThen(TestClock.setTime(noon * 1_000), test(shop))
  const services = Effect.provide(program, servicesOf(shop))
  const layers = Layer.mergeAll(TestClock.layer(), Logger.layer([logger]))
  return Effect.runPromise(Effect.provide(services, layers))
}

/** Looks into the stores of an account. */
export const within = <A, E>(
  shop: Shop,
  work: (stores: Stores) => Effect.Effect<A, E>,
  accountId = account,
): Effect.Effect<A> => Effect.orDie(shop.storage.transaction(accountId, work))

/** Makes these the account's collaborators, in the place of those with their ids. */
export const people = (shop: Shop, ...inputs: ReadonlyArray<Collaborator.CollaboratorInput>) =>
  within(
    shop,
    Effect.fnUntraced(function* ({ collaborators }) {
      for (const input of inputs) {
        const collaborator = Collaborator.make(input)
        const known = yield* collaborators.get(collaborator.id)
        if (known !== undefined) yield* collaborators.update({ ...known, collaborator })
        else yield* collaborators.insert({ collaborator, createdAt: noon, updatedAt: noon })
      }
    }),
  )

/** Makes these the account's only groups. */
export const groups = (shop: Shop, ...inputs: ReadonlyArray<ProductGroup.GroupInput>) =>
  within(
    shop,
    Effect.fnUntraced(function* (stores) {
      const before = (yield* stores.groups.all).map(({ id }) => id)
      for (const { group, version } of yield* stores.groups.find(before)) {
        yield* stores.groups.remove({ groupId: group.id, version })
      }
      for (const input of inputs) {
        yield* stores.groups.insert({ group: ProductGroup.make(input), updatedAt: noon })
      }
    }),
  )

/** A group for all products; its id is its collaborator's, unless it says otherwise. */
export const all = (
  collaboratorId: string,
  terms: Partial<ProductGroup.GroupInput>,
): ProductGroup.GroupInput => ({
  id: collaboratorId,
  collaboratorId,
  link: { type: "products.all" },
  ...terms,
})

/** Ada, who is paid on the last day of each month. */
export const ada: Collaborator.CollaboratorInput = {
  id: "ada",
  currency: "USD",
  payoutMeasurement: "monthly_date",
  payoutFrequency: -1,
}

/** Ada earns 10% of everything in dollars. */
export const openShop = (shop: Shop) =>
  Effect.andThen(people(shop, ada), groups(shop, all("ada", { percent: "10.00" })))

/** An order of items that cost so many cents each; the ids of the items count from 1. */
export const order = (
  amounts: ReadonlyArray<number>,
  fields: Partial<Order.Order> = {},
): Order.Order => ({
  id: "1001",
  currency: "USD",
  ...fields,
  items: amounts.map((amount, index) => ({
    id: String(index + 1),
    product: { id: `p${index + 1}` },
    quantity: 1,
    amount,
  })),
})

export const policy = (shop: Shop, changes: Partial<SplitPolicy.SplitPolicy>) =>
  Effect.sync(() => {
    shop.settings = settingsOf({ policy: changes })
  })

/** Every payout with its items, the ids of payouts aside: by owner, then in the order of opening. */
export const payouts = (shop: Shop, accountId = account) =>
  within(
    shop,
    Effect.fnUntraced(function* (stores) {
      const { entries } = yield* stores.payouts.list({}, { offset: 0, limit: 10_000 })
      const key = ({ collaboratorId, currency, id }: (typeof entries)[number]) =>
        `${collaboratorId} ${currency} ${id}`
      const sorted = entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
      return yield* Effect.forEach(sorted, (payout) =>
        Effect.map(stores.payouts.items(payout.id), (items) => ({ ...payout, items })),
      )
    }),
    accountId,
  )

/** Each payout in one line: `ada USD active: 1000 -300`. */
export const lines = (shop: Shop) =>
  Effect.map(payouts(shop), (found) =>
    found.map(({ collaboratorId, currency, status, items }) => {
      const amounts = items.map(({ amount }: Payout.Payout["items"][number]) => amount)
      return `${collaboratorId} ${currency} ${status}: ${amounts.join(" ")}`
    }),
  )

/** Everything that sales leave behind in an account. */
export const kept = (shop: Shop, accountId = account) =>
  Effect.all({
    payouts: payouts(shop, accountId),
    sales: within(shop, ({ sales }) => sales.list({}, { offset: 0, limit: 10_000 }), accountId),
  })

export const amountsOf = (sales: ReadonlyArray<Pick<RecordedSale, "split">>) =>
  sales.map(({ split }) => split.shares.map((share: Split.Split["shares"][number]) => share.amount))

/** The tag of what went wrong; fails when nothing did. */
export const failure = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<E, A, R> =>
  Effect.flip(effect)

export const wait = (seconds: number): Effect.Effect<void> => TestClock.adjust(seconds * 1_000)
