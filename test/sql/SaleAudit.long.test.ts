/** What somebody does to recorded sales behind the back of the services is found: re-splits, refunds, sales of the past. */
import { ExchangeRates, type Posting, type RecordedSale, Storage } from "apportion/ports"
import {
  Audit,
  Collaborators,
  PastSales,
  ProductGroups,
  Resplits,
  Sales,
  servicesLayer,
} from "apportion/service"
import { Effect, Layer, Logger, Result } from "effect"
import { describe, expect, test } from "vitest"
import { pack } from "../../src/sql/internal/Packer.js"
import { packPostings } from "../../src/sql/internal/packedSales.js"
import { clientFor, emptyStorage, postgres } from "./databases.js"

const shop = "shop"

const order = (id: string) => ({
  ...{ id, currency: "EUR", createdAt: Date.UTC(2024, 2, 15) / 1_000 },
  items: [{ id: "1", product: { id: "p1" }, quantity: 4, amount: 10_000 }],
})

/** A sale of the past and one of today; both are refunded in part, split again, and refunded once more. */
const openShop = Effect.gen(function* () {
  const [groups, sales, resplits] = [yield* ProductGroups, yield* Sales, yield* Resplits]
  for (const id of ["ada", "ben"]) {
    yield* (yield* Collaborators).create(shop, { id, currency: "EUR" })
    const link = { type: "products.all" } as const
    yield* groups.create(shop, id, { id: `g-${id}`, link, percent: "10" })
  }
  const paidUntil = Date.UTC(2025, 0, 1) / 1_000
  yield* (yield* PastSales).record(shop, order("past"), { paidUntil })
  yield* sales.record(shop, order("lived"))
  const refund = (id: string, orderId: string) =>
    sales.refund(shop, { id, orderId, itemId: "1", quantity: 1 })
  for (const id of ["past", "lived"]) yield* refund(`${id}-1`, id)
  yield* groups.update(shop, "ada", "g-ada", (group) => Result.succeed({ ...group, percent: "20" }))
  const { digest } = yield* resplits.propose(shop, { id: "raise" })
  yield* resplits.approve(shop, "raise", { digest })
  yield* resplits.book(shop, "raise")
  for (const id of ["past", "lived"]) yield* refund(`${id}-2`, id)
})

const changed = (table: string, path: string, value: string, where: string) =>
  `UPDATE apportion.${table} SET document = jsonb_set(document::jsonb, '{${path}}', '${value}')::json WHERE ${where}`

/** Bytes of a column with a text in them in the place of another one that is as long. */
const replaced = (column: string, ...texts: readonly [string, string]) => {
  const [from, to] = texts.map((text) => `'${Buffer.from(text).toString("hex")}'`)
  return `decode(replace(encode(${column}, 'hex'), ${from}, ${to}), 'hex')`
}

/** A sale with something else in it; gives the statement that puts it in its place. */
const rewritten =
  (orderId: string, edit: (sale: RecordedSale) => RecordedSale) =>
  ([sale]: ReadonlyArray<RecordedSale>): string => {
    if (sale === undefined) throw new Error(`there is no sale ${orderId}`)
    const { order, groups, policy, split, postings } = edit(sale)
    const packed = pack({ order, groups, policy, split })
    return `UPDATE apportion.sale_parts SET packed = decode('${packed}', 'hex'), rules = '',
      postings = decode('${packPostings(sale, postings, new Map())}', 'hex') WHERE order_id = '${orderId}'`
  }

/** The postings of a run, or of the share as it was recorded, with something else in them; `undefined`: without them. */
const postings =
  (runId: string | undefined, edit: (posting: Posting) => Posting | undefined) =>
  (sale: RecordedSale): RecordedSale => ({
    ...sale,
    postings: sale.postings.flatMap((posting) =>
      posting.runId === runId ? (edit(posting) ?? []) : posting,
    ),
  })

const [past, lived] = ["order_id = 'past'", "order_id = 'lived'"]
const raised = "item_id = 'lived/1/g-ada/adjustment/raise'"

const inSale = (orderId: string, edit: (sale: RecordedSale) => RecordedSale) => ({
  ...{ orderId, as: rewritten(orderId, edit) },
})

/** What is done, and what is told of it, of which order or payout. */
const tamperings: Readonly<
  Record<
    string,
    readonly [
      string | { readonly orderId: string; readonly as: ReturnType<typeof rewritten> },
      string,
    ]
  >
> = {
  "the amount of an adjusted share": [
    changed("adjustments", "adjustment,shares,0,amount", "999", lived),
    "lived adjustments[raise]",
  ],
  "the store's side of an adjustment": [
    changed("adjustments", "adjustment,items,0,store", "0", past),
    "past adjustments[raise]",
  ],
  "the split that an adjustment put in force": [
    changed("adjustments", "adjustment,split,shares,0,amount", "1", past),
    "past adjustments[raise]",
  ],
  "the rules of an adjustment": [
    changed("adjustments", "groups,0,percent", '"30.00"', past),
    "past adjustments[raise]",
  ],
  "how many refunds came before an adjustment": [
    changed("adjustments", "adjustment,refunds", "0", lived),
    "lived adjustments[raise]",
  ],
  "an adjustment that is gone": [
    `DELETE FROM apportion.adjustments WHERE ${lived}`,
    "lived refunds[lived-2]",
  ],
  "the recorded split": [
    inSale("past", (sale) => ({
      ...sale,
      split: {
        ...sale.split,
        shares: sale.split.shares.map((share, index) =>
          index === 0 ? { ...share, amount: 5_000 } : share,
        ),
      },
    })),
    "past split",
  ],
  "what a refund took back": [
    changed("refunds", "reversal,shares,0,amount", "1", "refund_id = 'past-1'"),
    "past refunds[past-1]",
  ],
  "what a refund took back of an adjustment": [
    changed("refunds", "adjusted,0,shares,0,amount", "1", "refund_id = 'lived-2'"),
    "lived refunds[lived-2]",
  ],
  "a refund that is gone": [
    "DELETE FROM apportion.refunds WHERE refund_id = 'past-2'",
    "past postings[1/g-ada]",
  ],
  "the run of a posting": [
    inSale(
      "past",
      postings("raise", (posting) => ({ ...posting, runId: "other" })),
    ),
    "past postings[1/g-ada/raise]",
  ],
  "where an adjustment was booked": [
    inSale(
      "lived",
      postings("raise", (posting) => ({ ...posting, payoutItemId: "lived/1/g-ada" })),
    ),
    "lived postings[1/g-ada/raise]",
  ],
  "what was taken back of a share that was paid": [
    inSale(
      "past",
      postings(undefined, (posting) => ({ ...posting, reversed: 0 })),
    ),
    "past postings[1/g-ada]",
  ],
  "a posting that is gone": [
    inSale(
      "past",
      postings("raise", () => undefined),
    ),
    "past postings[1/g-ada/raise]",
  ],
  "the amount of an adjustment in its payout": [
    `UPDATE apportion.payout_ledger SET amount = 999 WHERE ${raised}`,
    "lived postings[1/g-ada/raise]",
  ],
  "the run of an adjustment in its payout": [
    `UPDATE apportion.payout_ledger SET packed = ${replaced("packed", "raise", "other")} WHERE ${raised}`,
    "lived postings[1/g-ada/raise]",
  ],
  "the total of a payout of the past": [
    "UPDATE apportion.payouts SET total = total + 1 WHERE paid_at < opened_at",
    "payout total",
  ],
  "when a payout of the past was paid": [
    "UPDATE apportion.payouts SET paid_at = paid_at + 1 WHERE paid_at < opened_at",
    "payout paidAt",
  ],
  "an item of a payout of the past": [
    "UPDATE apportion.payout_ledger SET amount = 999999 WHERE item_id = 'past/1/g-ada'",
    "past postings[1/g-ada]",
  ],
  "an item of a payout of the past that is gone": [
    "DELETE FROM apportion.payout_ledger WHERE item_id = 'past/1/g-ada'",
    "past postings[1/g-ada]",
  ],
}

describe("in PostgreSQL", () => {
  const client = clientFor(() => postgres("sale_audit"))

  const run = async <A, E>(
    program: Effect.Effect<
      A,
      E,
      Audit | Collaborators | PastSales | ProductGroups | Resplits | Sales
    >,
  ): Promise<A> => {
    const storage = await Effect.runPromise(emptyStorage(client()))
    const services = Layer.provide(servicesLayer, [
      Layer.succeed(Storage)(storage),
      ExchangeRates.none,
    ])
    return Effect.runPromise(
      Effect.provide(program, Layer.provideMerge(services, Logger.layer([]))),
    )
  }

  const found = Effect.gen(function* () {
    const audit = yield* Audit
    const payouts = yield* audit.payouts(shop)
    const sales = yield* audit.sales(shop)
    expect([payouts.checked, sales.checked]).toEqual([4, 2])
    return [
      ...sales.differences.map(({ orderId, field }) => `${orderId} ${field}`),
      ...payouts.differences.map(({ kind, field }) => `${kind} ${field}`),
    ]
  })

  /** What is found of a change, which is undone afterwards. */
  const foundOf = (done: (typeof tamperings)[string][0]) => {
    const tampered = Effect.gen(function* () {
      const statement =
        typeof done === "string" ? done : done.as(yield* (yield* Sales).get(shop, done.orderId))
      yield* client().unsafe("SET LOCAL session_replication_role = replica")
      yield* client().unsafe(statement)
      return yield* Effect.fail({ found: yield* found })
    })
    return Effect.flip(client().withTransaction(tampered))
  }

  test("nothing is found where nobody has changed anything, and each change is found", async () => {
    const program = Effect.gen(function* () {
      yield* openShop
      const none = yield* found
      const all = yield* Effect.forEach(Object.entries(tamperings), ([name, [statement, told]]) =>
        Effect.map(foundOf(statement), (result) => ({ name, told, result })),
      )
      return { none, all, after: yield* found }
    })
    const { none, all, after } = await run(program)
    expect([none, after]).toEqual([[], []])
    for (const { name, told, result } of all) {
      expect({ name, ...result }).toMatchObject({ name, found: expect.arrayContaining([told]) })
    }
  }, 120_000)
})
