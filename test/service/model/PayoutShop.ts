/** A shop with three collaborators and their groups, and what the model knows of it. */
import { type Collaborator, PageRequest } from "apportion"
import type { StorageService } from "apportion/ports"
import { Collaborators, Payouts, ProductGroups, Sales } from "apportion/service"
import { Effect, Result } from "effect"
import { expect } from "vitest"
import type { Terms } from "./DueDate.js"
import { claims, rates } from "./Goods.js"
import type { ModelPayout, State } from "./PayoutModel.js"
import { total } from "./PayoutModel.js"
import { payoutSeen } from "./PayoutSeen.js"
import { account, HandClock, openShop, runRight, type Shop } from "./Shop.js"
import type { Tally } from "./Tally.js"

export interface Real extends Shop {
  readonly tally: Tally
}

export interface Model {
  state: State
}

/** 2024-01-15, noon, in UTC. */
export const start = Date.UTC(2024, 0, 15, 12) / 1_000

/** Makes the collaborators and their groups. */
export const openPayoutShop = async (
  people: Readonly<Record<string, Terms>>,
  tally: Tally,
  storage?: StorageService,
): Promise<{ readonly real: Real; readonly model: Model }> => {
  const shop = await openShop({ clock: new HandClock(start), rates, storage })
  for (const [id, terms] of Object.entries(people)) {
    const input: Collaborator.CollaboratorInput = { id, ...terms }
    await runRight(
      shop,
      Effect.flatMap(Collaborators, (service) => service.create(account, input)),
    )
  }
  for (const [tag, { collaboratorId, percent }] of Object.entries(claims)) {
    const group = { id: tag, link: { type: "products.tag", values: [tag] }, percent } as const
    await runRight(
      shop,
      Effect.flatMap(ProductGroups, (service) => service.create(account, collaboratorId, group)),
    )
  }
  const state = { now: start, people: { ...people }, payouts: [], orders: {}, refunds: {} }
  return { real: { ...shop, tally }, model: { state } }
}

/** Every payout as a host sees it, in the order of the list. */
const seenPayouts = Effect.gen(function* () {
  const payouts = yield* Payouts
  const listed = yield* payouts.list(account, {}, { page: 1, perPage: PageRequest.maximumPerPage })
  return yield* Effect.forEach(listed.entries, ({ payout }) =>
    Effect.map(payouts.get(account, payout.id), (viewed) => ({
      head: payout,
      payout: payoutSeen(viewed.payout, viewed.payout.items),
      total: viewed.total,
    })),
  )
})

/** Takes over the ids that the service made up: of new payouts, and of entries that were given none. */
const learnIds = (model: Model, seen: ReadonlyArray<ModelPayout>): void => {
  const known = new Set(model.state.payouts.map(({ id }) => id))
  for (const payout of model.state.payouts) {
    payout.id ??= seen.find(
      (each) =>
        !known.has(each.id) &&
        each.collaboratorId === payout.collaboratorId &&
        each.currency === payout.currency,
    )?.id
    const own = seen.find(({ id }) => id === payout.id)
    payout.items.forEach((item, index) => {
      item.id ??= own?.items[index]?.id
    })
  }
}

/** Latest due date first, then by id. */
export const inListOrder = (payouts: ReadonlyArray<ModelPayout>): ReadonlyArray<ModelPayout> =>
  [...payouts].sort((a, b) =>
    a.toBePaidAt === b.toBePaidAt
      ? (a.id ?? "") < (b.id ?? "")
        ? -1
        : 1
      : b.toBePaidAt - a.toBePaidAt,
  )

const checkOrders = async ({ state }: Model, real: Real): Promise<void> => {
  for (const [orderId, { parts, items: sold }] of Object.entries(state.orders)) {
    const recorded = await runRight(
      real,
      Effect.flatMap(Sales, (sales) => sales.get(account, orderId)),
    )
    expect(recorded).toHaveLength(parts)
    const ids = recorded.flatMap((part) => part.order.items.map(({ id }) => id))
    expect(ids.sort()).toEqual(Object.keys(sold).sort())
    const refunds = recorded.flatMap((part) => part.refunds.map(({ id }) => id)).sort()
    const made = Object.entries(state.refunds).filter(([, each]) => each.orderId === orderId)
    expect(refunds).toEqual(made.map(([id]) => id).sort())
  }
}

/** What hosts see is what the model says: payouts, their order, items, totals, dates, and the ledger. */
export const checkAgreement = async (model: Model, real: Real): Promise<void> => {
  const seen = await runRight(real, seenPayouts)
  learnIds(
    model,
    seen.map(({ payout }) => payout),
  )
  const expected = inListOrder(model.state.payouts)
  expect(seen.map(({ payout }) => payout)).toEqual(expected)
  expect(seen.map((each) => each.total)).toEqual(expected.map(total))
  expect(seen.map(({ head }) => head.total)).toEqual(expected.map(total))
  expect(seen.map(({ head }) => head.itemsCount)).toEqual(expected.map((it) => it.items.length))
  expect(seen.map(({ head }) => head.status)).toEqual(expected.map(({ status }) => status))
  await checkOrders(model, real)
}

/** What a call came to: `done`, or the tag of its failure. */
export const outcomeOf = (result: Result.Result<unknown, { readonly _tag: string }>): string =>
  Result.isSuccess(result) ? "done" : result.failure._tag
