/** All that can be asked of a storage with many rows, and what is written to its payouts. */
import { Payment, type PayoutStatus } from "apportion"
import type { PayoutFilter, StoredPayout, Stores, TimeRange } from "apportion/ports"
import { Effect } from "effect"

/** Something that is asked. */
export interface Question {
  readonly name: string
  /** Which part of a list. */
  readonly part?: string
  readonly ask: (stores: Stores) => Effect.Effect<unknown, unknown>
  readonly isWrite?: boolean
  /** It goes through all that an account has of something, which no index spares it. */
  readonly isWhole?: boolean
}

const month = 30 * 86_400

const pages: ReadonlyArray<readonly [string, (total: number) => number]> = [
  ["first page", () => 0],
  ["in the middle", (total) => Math.floor(total / 2)],
  ["last page", (total) => Math.max(0, total - 15)],
  ["beyond", (total) => total + 100],
]

/** Of whom and of what is asked; all of it belongs to one account. */
export interface Asked {
  /** In Unix seconds. */
  readonly today: number
  readonly collaboratorId: string
  readonly groupId: string
  readonly productIds: ReadonlyArray<string>
  readonly orderId: string
  readonly endpointId: string
}

type Named<A> = ReadonlyArray<readonly [name: string, value: A | undefined]>

const timesBefore = (today: number): Named<TimeRange> => [
  ["", undefined],
  ["in a month", { from: today - 20 * month + 1, to: today - 19 * month + 1 }],
  ["at any time", {}],
]

const statuses: Named<PayoutStatus.PayoutStatus> = [
  ["", undefined],
  ["paid", "paid"],
  ["manually paid", "manually paid"],
]

const nameOf = (parts: ReadonlyArray<readonly [before: string, value: string]>): string => {
  const given = parts.flatMap(([before, value]) => (value === "" ? [] : [`${before}${value}`]))
  return given.length === 0 ? "all" : given.join(", ")
}

/** Filters of every combination. */
const filters = (asked: Asked): ReadonlyArray<readonly [string, PayoutFilter]> =>
  [undefined, asked.collaboratorId].flatMap((collaboratorId) =>
    statuses.flatMap(([ofStatus, status]) =>
      timesBefore(asked.today).flatMap(([paidIn, paid]) =>
        timesBefore(asked.today).map(([dueIn, expected]) => {
          const of = collaboratorId === undefined ? "" : "of a collaborator"
          const parts = [["", of] as const, ["", ofStatus] as const]
          const name = nameOf([...parts, ["when paid: ", paidIn], ["when due: ", dueIn]])
          return [name, { collaboratorId, status, paid, expected }] as const
        }),
      ),
    ),
  )

const listing = (asked: Asked): ReadonlyArray<Question> =>
  filters(asked).flatMap(([name, filter]) => {
    let length = 0
    return pages.map(([part, offsetOf]) => ({
      name: `payouts: ${name}`,
      part,
      ask: ({ payouts }: Stores) =>
        // Whoever asks for a later page has seen the first one, which tells how long the list is.
        Effect.map(payouts.list(filter, { offset: offsetOf(length), limit: 15 }), ({ total }) => {
          length = total
        }),
    }))
  })

const ownerOf = ({ collaboratorId }: Asked) => ({ collaboratorId, currency: "USD" })

/** Some payouts of the account, as they come by their ids. */
const some = ({ payouts }: Stores) => payouts.batch({ after: "8", limit: 100 })

const withOne = (stores: Stores, ask: (payout: StoredPayout) => Effect.Effect<unknown, unknown>) =>
  Effect.flatMap(some(stores), ([first]) => (first === undefined ? Effect.void : ask(first)))

const ofPayouts = (asked: Asked): ReadonlyArray<Question> => [
  { name: "payouts: a batch by id", ask: some },
  {
    name: "payouts: one",
    ask: (stores) => withOne(stores, ({ id }) => stores.payouts.get(id)),
  },
  {
    name: "payouts: the items of one",
    ask: (stores) =>
      withOne(stores, ({ id }) =>
        Effect.all([
          stores.payouts.items(id),
          stores.payouts.item(id, "item"),
          stores.payouts.item(id, "sold"),
          stores.payouts.itemsAt([
            { payoutId: id, itemId: "item" },
            { payoutId: id, itemId: "sold" },
          ]),
          stores.payouts.comparedItems(id),
        ]),
      ),
  },
  ...pages.map(([part, offsetOf]) => ({
    ...{ name: "payouts: some items of one", part },
    ask: (stores: Stores) =>
      withOne(stores, ({ id, itemsCount }) =>
        stores.payouts.someItems(id, { offset: offsetOf(itemsCount), limit: 15 }),
      ),
  })),
  {
    name: "payouts: the history of one",
    ask: (stores) =>
      withOne(stores, ({ id }) =>
        Effect.forEach([0, 1], (after) =>
          stores.payouts.history({ payoutId: id, after, limit: 100 }),
        ),
      ),
  },
  {
    name: "payouts: the next histories",
    ask: (stores) =>
      withOne(stores, ({ id }) =>
        Effect.all([
          stores.payouts.historyIds({ after: undefined, limit: 20 }),
          stores.payouts.historyIds({ after: id, limit: 20 }),
        ]),
      ),
  },
  {
    name: "payouts: the active one of a collaborator, and the first",
    ask: ({ payouts }) =>
      Effect.all([payouts.active(ownerOf(asked)), payouts.firstOpenedAt(ownerOf(asked))]),
  },
  {
    name: "payouts: what several owners have, and several items",
    ask: ({ payouts }) =>
      Effect.all([
        payouts.ofOwners([ownerOf(asked), { ...ownerOf(asked), currency: "EUR" }]),
        payouts.itemsAt([
          { payoutId: "1", itemId: "item" },
          { payoutId: "2", itemId: "item" },
        ]),
      ]),
  },
  {
    name: "payouts: the entries of a collaborator with an id",
    ask: ({ payouts }) =>
      Effect.all([
        payouts.entries({ collaboratorId: asked.collaboratorId, itemId: "item" }),
        payouts.entries({ collaboratorId: asked.collaboratorId, itemId: "sold" }),
        payouts.entries({ collaboratorId: asked.collaboratorId, itemId: "no item" }),
      ]),
  },
  {
    name: "payouts: those below zero",
    ask: ({ payouts }) => payouts.belowZero({ after: undefined, limit: 100 }),
  },
  {
    name: "payouts: those due",
    ask: ({ payouts }) => payouts.due({ at: asked.today + month, limit: 100 }),
  },
  {
    name: "payouts: those payable",
    ask: ({ payouts }) => payouts.payable({ at: asked.today, limit: 100 }),
  },
]

const sold = (id: string, amount: number) => ({
  ...{ id, kind: "income" as const, name: "Bonus", createdAt: 1, amount, originalAmount: amount },
  ...{ originalCurrency: "USD", currencyExchangeRate: null },
})

const writing = ({ today, ...asked }: Asked): ReadonlyArray<Question> => [
  {
    name: "payouts: one gets an item",
    isWrite: true,
    ask: (stores) =>
      Effect.gen(function* () {
        const found = yield* stores.payouts.active(ownerOf({ today, ...asked }))
        if (found === undefined) return
        const next = { ...found, total: found.total + 5, itemsCount: found.itemsCount + 1 }
        const put = [`more ${found.version}`, "item", "sold"].map((id) => sold(id, 5))
        yield* stores.payouts.update({ payout: next, put })
      }),
  },
  {
    name: "payouts: one is closed, and the next one opened",
    isWrite: true,
    ask: (stores) =>
      Effect.gen(function* () {
        const found = yield* stores.payouts.active(ownerOf({ today, ...asked }))
        if (found === undefined) return
        const closed = { status: "pending", closedAt: today, payableAt: today } as const
        const remove = ["no such item", "item", "sold"]
        yield* stores.payouts.update({ payout: { ...found, ...closed }, remove })
        const { version: _, ...opened } = { ...found, id: `${found.id}+`, itemsCount: 0, total: 0 }
        const toBePaidAt = found.toBePaidAt + month
        yield* stores.payouts.insert({ payout: { ...opened, toBePaidAt }, put: [sold("first", 1)] })
        const known = yield* stores.payouts.get(opened.id)
        if (known === undefined) return
        yield* stores.payouts.update({ payout: { ...known, toBePaidAt: toBePaidAt + 1 } })
      }),
  },
  {
    name: "sales: postings follow items that move",
    isWrite: true,
    ask: ({ sales }) => {
      const items = [asked.orderId, "no order"].map((orderId) => ({
        ...{ orderId, payoutItemId: `${orderId}/item/group-0` },
      }))
      return sales.move({ fromPayoutId: "payout", toPayoutId: "payout", items })
    },
  },
  {
    name: "payments: one is claimed and rejected",
    isWrite: true,
    ask: (stores) =>
      Effect.gen(function* () {
        const failed = { status: "failed" } as const
        const { entries } = yield* stores.payouts.list(failed, { offset: 0, limit: 1 })
        const [found] = entries
        if (found === undefined) return
        const { id: payoutId, currency, collaboratorId } = found
        const facts = { payoutId, currency, collaboratorId, payoutVersion: 1, amount: 5 }
        const { length } = yield* stores.payments.ofPayout(payoutId)
        const names = { id: `payment ${length} of ${payoutId}`, rail: "bank" }
        const claimed = Payment.claim({ ...facts, ...names, at: today })
        const stored = yield* stores.payments.insert(claimed)
        const ended = { status: "rejected", sentAt: today, endedAt: today } as const
        yield* stores.payments.update({ ...stored, ...ended })
      }),
  },
]

const slices: ReadonlyArray<readonly [part: string, offset: number]> = [
  ["first page", 0],
  ["page 100", 1_500],
  ["beyond", 100_000_000],
]

interface Slice {
  readonly offset: number
  readonly limit: number
}

/** A list of something else than payouts, at several places. */
const paged = (
  name: string,
  list: (stores: Stores, slice: Slice) => ReturnType<Question["ask"]>,
): ReadonlyArray<Question> =>
  slices.map(([part, offset]) => ({
    name,
    part,
    ask: (stores) => list(stores, { offset, limit: 15 }),
  }))

const whole = (questions: ReadonlyArray<Question>): ReadonlyArray<Question> =>
  questions.map((question) => ({ ...question, isWhole: true }))

const lists = ({ collaboratorId, groupId, productIds, today }: Asked): ReadonlyArray<Question> => [
  ...whole(paged("collaborators", ({ collaborators }, slice) => collaborators.list(slice))),
  ...paged("groups of a collaborator", ({ groups }, slice) => groups.list(collaboratorId, slice)),
  ...paged("products by name", ({ products }, slice) => products.list({}, slice)),
  ...paged("products of a group", ({ links }, slice) => links.products(groupId, slice)),
  ...whole(paged("sales", ({ sales }, slice) => sales.list({}, slice))),
  ...whole(
    paged("sales: the latest first", ({ sales }, slice) => sales.list({}, slice, "latest first")),
  ),
  ...paged("sales: of a collaborator", ({ sales }, slice) => sales.list({ collaboratorId }, slice)),
  ...paged("sales: of a collaborator, the latest first", ({ sales }, slice) =>
    sales.list({ collaboratorId }, slice, "latest first"),
  ),
  ...paged("sales: of a product", ({ sales }, slice) =>
    sales.list({ productId: productIds[0] }, slice),
  ),
  ...paged("sales: of a collaborator and a product, in a month", ({ sales }, slice) =>
    sales.list(
      { collaboratorId, productId: productIds[0], recorded: { from: today - month, to: today } },
      slice,
    ),
  ),
  ...paged("sales: in a month", ({ sales }, slice) =>
    sales.list({ recorded: { from: today - 20 * month, to: today - 19 * month } }, slice),
  ),
]

const others = ({
  today,
  collaboratorId,
  groupId,
  productIds,
  orderId,
}: Asked): ReadonlyArray<Question> => [
  {
    name: "collaborators: some",
    ask: ({ collaborators }) =>
      Effect.all([collaborators.get(collaboratorId), collaborators.find([collaboratorId, "x"])]),
  },
  {
    name: "groups: some",
    ask: ({ groups }) => Effect.all([groups.get(groupId), groups.find([groupId, "no group"])]),
  },
  { name: "groups: the revision", ask: ({ groups }) => groups.revision },
  { name: "groups: all", isWhole: true, ask: ({ groups }) => groups.all },
  {
    name: "products: some",
    ask: ({ products }) =>
      Effect.all([
        products.get(productIds),
        products.find(productIds),
        products.batch({ after: "product-5", limit: 500 }),
      ]),
  },
  {
    name: "links: of some",
    ask: ({ links }) =>
      Effect.all([links.counts([groupId, "no group"]), links.groupsOf(productIds)]),
  },
  {
    name: "link jobs: one, and those that run",
    ask: ({ links }) => Effect.all([links.job(groupId), links.runningJobs(10)]),
  },
  {
    name: "sales: of an order, and a refund",
    ask: ({ sales }) => Effect.all([sales.ofOrder(orderId), sales.refund(`refund-${orderId}`)]),
  },
  {
    name: "sales: what was sold in two months",
    ask: ({ sales }) => sales.sold([today - 3 * month, today - 2 * month, today - month]),
  },
  {
    name: "payments: one, and those of a payout",
    ask: (stores) =>
      withOne(stores, ({ id }) =>
        Effect.all([stores.payments.get(`payment-${id}`), stores.payments.ofPayout(id)]),
      ),
  },
  ...[undefined, "claimed" as const, "confirmed" as const].flatMap((status) =>
    [0, today].map((claimedAt) => ({
      ...{ name: `payments: those ${status ?? "of any status"}`, part: `after ${claimedAt}` },
      ask: ({ payments }: Stores) =>
        payments.list({ status, after: { claimedAt, id: "" }, limit: 100 }),
    })),
  ),
  {
    name: "payments: those of a reference",
    ask: ({ payments }) => payments.ofReference({ reference: "T-1", limit: 2 }),
  },
  {
    name: "payments: those that are stuck",
    ask: ({ payments }) => payments.stuck({ sentBefore: today, limit: 100 }),
  },
  { name: "keys: one", ask: ({ keys }) => keys.get("key-0") },
  {
    name: "keys: the oldest ones are forgotten",
    isWrite: true,
    ask: ({ keys }) => Effect.andThen(keys.removeBefore(today - 86_300), keys.kept()),
  },
  {
    name: "products: a search",
    isWhole: true,
    ask: ({ products }) => products.list({ search: "print a1" }, { offset: 0, limit: 15 }),
  },
  {
    name: "products: of a collaborator",
    ask: ({ products }) => products.list({ collaboratorId }, { offset: 0, limit: 15 }),
  },
]

const paidOut = { collaboratorId: "collaborator-1", currency: "USD", total: 5 }

const letterOf = (endpointId: string, number: number) => ({
  ...{ endpointId, failure: "status 500", setAsideAt: 1, isReplayed: false },
  event: {
    ...{ number, id: `event ${number}`, at: 1, actor: "system" },
    ...{ type: "payout.paid" as const, data: { ...paidOut, payoutId: `payout ${number}` } },
  },
})

const endpointOf = (id: string) => ({
  ...{ id, url: "https://example.com", types: null, keys: [], isActive: true, delivered: 1 },
  ...{ failingSince: null, attempts: 0, failure: null, nextAttemptAt: 1, claim: null },
  ...{ createdAt: 1, updatedAt: 1 },
})

/** Events, and the endpoints to which they are told. */
const ofEvents = ({ today, endpointId }: Asked): ReadonlyArray<Question> => [
  ...[0, 500, 100_000_000].map((after) => ({
    ...{ name: "events: the next ones", part: `after ${after}` },
    ask: ({ events }: Stores) => events.after({ after, limit: 100 }),
  })),
  { name: "events: the last number", ask: ({ events }) => events.last() },
  {
    name: "events: some are added",
    isWrite: true,
    ask: ({ events }) => events.append([letterOf(endpointId, 1).event]),
  },
  {
    name: "events: old ones are forgotten",
    isWrite: true,
    ask: ({ events }) => events.removeBefore({ upTo: 1_000, at: today - 20 * month, limit: 50 }),
  },
  {
    name: "endpoints: one, and all",
    ask: ({ endpoints }) => Effect.all([endpoints.get(endpointId), endpoints.list()]),
  },
  ...[undefined, true].flatMap((isReplayed) =>
    [0, 50].map((after) => ({
      ...{ name: `dead letters: ${isReplayed ? "to be replayed" : "all"}`, part: `after ${after}` },
      ask: ({ endpoints }: Stores) =>
        endpoints.deadLetters({ endpointId, after, limit: 10, isReplayed }),
    })),
  ),
  {
    name: "endpoints: one comes, changes, gets dead letters, and goes",
    isWrite: true,
    ask: ({ endpoints }) =>
      Effect.gen(function* () {
        const id = `${endpointId}+`
        const added = yield* endpoints.insert(endpointOf(id))
        yield* endpoints.update({ ...added, delivered: 2 })
        yield* endpoints.putDeadLetters([letterOf(id, 1), letterOf(endpointId, 2_000_000)])
        yield* endpoints.removeDeadLetter(endpointId, 2_000_000)
        yield* endpoints.remove(id)
      }),
  },
]

const ofCounters = (): ReadonlyArray<Question> => [
  {
    name: "counters: those of a sale",
    ask: ({ counters }) =>
      counters.find(["share/USD/payout:payout-7/group/group-0", "units/USD/2026/group/g1"]),
  },
  {
    name: "counters: the list",
    isWhole: true,
    ask: ({ counters }) => counters.list({ offset: 10, limit: 10 }),
  },
  {
    name: "counters: some are set",
    isWrite: true,
    ask: ({ counters }) =>
      counters.put([
        { key: "share/USD/payout:payout-7/group/group-0", count: 7 },
        { key: "units/USD/2026/group/g1", count: 1 },
      ]),
  },
]

/** All that is asked. */
export const questionsOf = (asked: Asked): ReadonlyArray<Question> => [
  ...[...listing(asked), ...ofPayouts(asked), ...lists(asked)],
  ...[...others(asked), ...ofEvents(asked), ...writing(asked), ...ofCounters()],
]
