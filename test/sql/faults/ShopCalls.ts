/** What changes collaborators, groups, products and keys, and several of them at once. */
import { Storage, type StorageService } from "apportion/ports"
import {
  Collaborators,
  Idempotency,
  Payouts,
  ProductGroups,
  type ProductGroupsService,
  Products,
  Sales,
  UnitOfWork,
} from "apportion/service"
import { Store } from "apportion/wire"
import { Effect, Result } from "effect"
import { seed } from "../../../src/cli/serve/ServeStorage.js"
import { afterJanuary, openShop, order, type UseCase, useCaseWith, withSale } from "./UseCase.js"

const isRepeatable = true
const hasBackground = true

const inGroups =
  (call: (groups: ProductGroupsService, account: string) => Effect.Effect<unknown, unknown>) =>
  (account: string) =>
    Effect.flatMap(ProductGroups, (groups) => call(groups, account))

const people: ReadonlyArray<UseCase> = [
  useCaseWith(
    "a collaborator is made",
    openShop,
    (account) =>
      Effect.flatMap(Collaborators, ({ create }) =>
        create(account, { id: "kim", currency: "JPY" }),
      ),
    { isRepeatable },
  ),
  useCaseWith(
    "a collaborator is changed whose payout is due",
    withSale,
    (account) =>
      Effect.flatMap(Collaborators, ({ update }) =>
        update(account, "ada", { notes: "sculpts", payoutThreshold: 5 }),
      ),
    { at: afterJanuary },
  ),
]

/** A job that was at its first product when its process ended. */
const halfLinked = (storage: StorageService, account: string) =>
  storage.transaction(account, ({ links }) =>
    Effect.gen(function* () {
      const job = yield* links.job("g-art")
      yield* links.clear("g-art")
      if (job !== undefined) {
        yield* links.saveJob({ ...job, after: null, scanned: 0, status: "running" })
      }
    }),
  )

const groups: ReadonlyArray<UseCase> = [
  useCaseWith(
    "a group is made, and its products are linked",
    openShop,
    inGroups(({ create }, account) =>
      create(account, "ada", {
        id: "g-wall",
        link: { type: "products.tag", values: ["wall"] },
        percent: "1.00",
      }),
    ),
    { isRepeatable, hasBackground },
  ),
  useCaseWith(
    "a group gets another link, and its products are linked anew",
    openShop,
    inGroups(({ update }, account) =>
      update(account, "sam", "g-art", (group) =>
        Result.succeed({ ...group, link: { type: "products", values: ["p1", "x-p2"] } }),
      ),
    ),
    { hasBackground },
  ),
  useCaseWith(
    "a group gets another percentage",
    openShop,
    inGroups(({ update }, account) =>
      update(account, "sam", "g-art", (group) => Result.succeed({ ...group, percent: "30.00" })),
    ),
    { hasBackground },
  ),
  useCaseWith(
    "a group is removed",
    openShop,
    inGroups(({ remove }, account) => remove(account, "sam", "g-art")),
    { isRepeatable, hasBackground },
  ),
  useCaseWith("linking that another process began is taken up", openShop, () => Effect.void, {
    isRepeatable,
    hasBackground,
    leftBehind: halfLinked,
  }),
]

const products: ReadonlyArray<UseCase> = [
  useCaseWith(
    "products are added and changed",
    openShop,
    (account) =>
      Effect.flatMap(Products, ({ put }) =>
        put(account, [
          { id: "p1", name: "Mug", tags: [] },
          { id: "p2", name: "Print", tags: ["art"] },
          { id: "p9", externalVariantId: "red", name: "Poster", tags: ["ART"] },
        ]),
      ),
    { isRepeatable },
  ),
  useCaseWith(
    "products are removed",
    openShop,
    (account) => Effect.flatMap(Products, ({ remove }) => remove(account, ["p1", "p4", "p9"])),
    { isRepeatable },
  ),
]

const several = (account: string) =>
  Effect.gen(function* () {
    const collaborators = yield* Collaborators
    yield* collaborators.update(account, "ada", { notes: "travels" })
    yield* (yield* Products).put(account, [{ id: "p7", name: "Cup", tags: ["art"] }])
    const { parts } = yield* (yield* Sales).record(account, order("o7", { p7: 4_000 }))
    const payoutId = parts[0]?.postings[0]?.payoutId ?? ""
    const entry = { id: "e7", amount: 55, name: "Postage" }
    return yield* (yield* Payouts).addExpense(account, payoutId, entry)
  })

const request = { key: "k1", request: "several" }

const asOne = (account: string) =>
  Effect.flatMap(UnitOfWork, ({ run }) => run(account, several(account)))

const once = (account: string) =>
  Effect.flatMap(Idempotency, (idempotency) =>
    idempotency.once(account, request, Effect.as(several(account), "done")),
  )

/** A unit of work whose last call is refused: nothing of the ones before is kept. */
const refused = (account: string) =>
  Effect.flatMap(UnitOfWork, ({ run }) =>
    run(
      account,
      Effect.andThen(
        several(account),
        Effect.flatMap(Collaborators, ({ create }) =>
          create(account, { id: "ada", currency: "EUR" }),
        ),
      ),
    ),
  )

const units: ReadonlyArray<UseCase> = [
  useCaseWith("several calls are one unit of work", openShop, asOne),
  useCaseWith("a unit of work whose last call is refused leaves nothing", openShop, refused, {
    isRepeatable,
  }),
  useCaseWith("work is done once under a key", openShop, once, { isRepeatable }),
  useCaseWith(
    "work is asked for again under its key",
    (account) => Effect.andThen(openShop(account), once(account)),
    once,
    { isRepeatable },
  ),
  useCaseWith(
    "keys are forgotten",
    (account) => Effect.andThen(openShop(account), once(account)),
    (account) =>
      Effect.flatMap(Idempotency, ({ forgetBefore }) => forgetBefore(account, afterJanuary)),
    { at: afterJanuary },
  ),
]

const store = Result.getOrThrow(
  Store.read({
    collaborators: [{ id: "ada", currency: "EUR" }],
    products: [{ id: "p1" }, { id: "p2", tags: ["art"] }],
    groups: [
      {
        ...{ id: "g1", collaborator_id: "ada", itemType: "products.tag", items: ["art"] },
        ...{ type: "flat", amount: 100 },
      },
    ],
    payouts: [
      {
        ...{ id: "pay-1", currency: "EUR", collaborator: "ada", status: "failed" },
        ...{ to_be_paid_at: 9, paid_at: null },
        items: [{ amount: 900, expense_name: "Workshop" }],
      },
    ],
  }),
)

const seeding = useCaseWith(
  "an account is filled with a store",
  () => Effect.void,
  (account) => Effect.flatMap(Storage, (storage) => seed(storage, account, store)),
  { isBare: true, isRepeatable },
)

/** The changes of all that is not sales or payouts. */
export const shopCalls: ReadonlyArray<UseCase> = [
  ...[...people, ...groups, ...products, ...units],
  seeding,
]
