import { ExchangeRates, Storage } from "apportion/ports"
import {
  Audit,
  Collaborators,
  type DifferenceKind,
  Payouts,
  ProductGroups,
  Sales,
  servicesLayer,
} from "apportion/service"
import { Effect, Layer, Logger } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { live, liveIn, type StoredLife, steps } from "../service/PayoutLives.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"
import { toEarlierForm } from "./EarlierForm.js"

const shop = "shop"

const engines = [
  { name: "PGlite", layer: () => pglite },
  { name: "PostgreSQL", layer: () => postgres("audit") },
]

/** A sale, an income and an expense, one of which went again, and the payout set as paid. */
const openShop = Effect.gen(function* () {
  const collaborators = yield* Collaborators
  const groups = yield* ProductGroups
  const sales = yield* Sales
  const payouts = yield* Payouts
  yield* collaborators.create(shop, { id: "ada", currency: "USD" })
  yield* groups.create(shop, "ada", { id: "g", link: { type: "products.all" }, percent: 10 })
  const item = { id: "1", product: { id: "print" }, quantity: 1, amount: 50_000 }
  const { parts } = yield* sales.record(shop, { id: "o", currency: "USD", items: [item] })
  const payoutId = parts[0]?.postings[0]?.payoutId ?? ""
  yield* payouts.addIncome(shop, payoutId, { id: "bonus", amount: 300, name: "Bonus" })
  yield* payouts.addExpense(shop, payoutId, { id: "tea", amount: 100, name: "Tea" })
  yield* payouts.removeEntry(shop, payoutId, "bonus")
  yield* payouts.setPaid(shop, payoutId)
  return payoutId
})

const payouts = "UPDATE apportion.payouts SET"
const items = "UPDATE apportion.payout_items SET"
const history = "UPDATE apportion.payout_history SET"

/** A field of a document, with another value. */
const documentWith = (column: string, field: string, value: string) =>
  `${column} = jsonb_set(${column}::jsonb, '{${field}}', '${value}')::json`

/** What somebody may do to the database behind the back of the services, and what shows of it. */
const tamperings: Readonly<
  Record<string, readonly [ReadonlyArray<string>, DifferenceKind, string]>
> = {
  "a total that is higher": [[`${payouts} total = total + 1`], "payout", "total"],
  "a count of items": [[`${payouts} items_count = items_count + 1`], "payout", "itemsCount"],
  "a status": [[`${payouts} status = 'paid'`], "payout", "status"],
  "a status with all that belongs to it": [
    [`${payouts} status = 'pending', paid_at = NULL, payable_at = 0, closed_at = 0`],
    "payout",
    "paidAt",
  ],
  "a due date": [[`${payouts} to_be_paid_at = to_be_paid_at - 1`], "payout", "toBePaidAt"],
  "a time of payment": [[`${payouts} paid_at = paid_at + 1`], "payout", "paidAt"],
  "a version": [[`${payouts} version = version + 1`], "payout", "version"],
  "a currency": [[`${payouts} currency = 'EUR'`], "payout", "currency"],
  "the amount of an item": [
    [`${items} ${documentWith("document", "amount", "999999")} WHERE item_id = 'o/1/g'`],
    "item",
    "items[o/1/g].amount",
  ],
  "the amount of an item, and the total with it": [
    [
      `${items} ${documentWith("document", "amount", "6000")} WHERE item_id = 'o/1/g'`,
      `${payouts} total = total + 1000`,
    ],
    "item",
    "items[o/1/g].amount",
  ],
  "the name of an entry": [
    [`${items} ${documentWith("document", "name", '"Cake"')} WHERE item_id = 'tea'`],
    "item",
    "items[tea].name",
  ],
  "an item that is gone": [
    ["DELETE FROM apportion.payout_items WHERE item_id = 'tea'"],
    "item",
    "items[tea]",
  ],
  "an item that came from nowhere": [
    [
      `INSERT INTO apportion.payout_items SELECT account_id, payout_id, 'more', added_in, place + 1,
        kind, amount, original_amount, original_currency, exchange_rate, created_at,
        jsonb_set(document::jsonb, '{id}', '"more"')::json
        FROM apportion.payout_items WHERE item_id = 'tea'`,
    ],
    "item",
    "items[more]",
  ],
  ...Object.fromEntries(
    Object.entries({
      item_id: "'coffee'",
      kind: "'income'",
      amount: "amount - 1",
      original_amount: "original_amount - 1",
      original_currency: "'EUR'",
      exchange_rate: "'1.5'",
      created_at: "created_at - 1",
    }).map(([column, value]) => [
      `the column ${column} of an item, but not its document`,
      [
        [`${items} ${column} = ${value} WHERE item_id = 'tea'`],
        "item",
        `items[tea] (column ${column})`,
      ] as const,
    ]),
  ),
  "items in another order": [
    [`${items} added_in = 9 WHERE item_id = 'o/1/g'`],
    "order",
    "items[0]",
  ],
  "an entry of the history that is gone": [
    ["DELETE FROM apportion.payout_history WHERE version = 3"],
    "missing entry",
    "history[3]",
  ],
  "the first entry that is gone": [
    ["DELETE FROM apportion.payout_history WHERE version = 1"],
    "missing entry",
    "history[1]",
  ],
  "the last entry that is gone": [
    ["DELETE FROM apportion.payout_history WHERE version = 6"],
    "payout",
    "version",
  ],
  "who made a change": [[`${history} actor = 'eve' WHERE version = 4`], "hash", "history[4].hash"],
  "when a change was made": [
    [`${history} at = at - 60 WHERE version = 1`],
    "hash",
    "history[1].hash",
  ],
  "an entry without its hash": [
    [`${history} hash = NULL WHERE version = 2`],
    "hash",
    "history[2].hash",
  ],
  "an entry with a hash that fits what it says now": [
    [
      `${history} actor = 'eve' WHERE version = 3`,
      `${history} hash = repeat('a', 64) WHERE version = 3`,
    ],
    "hash",
    "history[4].hash",
  ],
  "the last hash of the payout": [[`${payouts} history_hash = NULL`], "hash", "lastHash"],
  "the end of the history and the payout with it": [
    [
      "DELETE FROM apportion.payout_history WHERE version = 6",
      `${payouts} status = 'active', paid_at = NULL, version = 5`,
    ],
    "hash",
    "lastHash",
  ],
  "the whole history": [["DELETE FROM apportion.payout_history"], "missing entry", "history[6]"],
  "an amount in the history": [
    [`${history} put = replace(put::text, '-100', '-10')::json WHERE version = 4`],
    "wrong entry",
    "after.total",
  ],
  "a total in the history": [
    [`${history} ${documentWith("after", "total", "1")} WHERE version = 4`],
    "wrong entry",
    "after.total",
  ],
  "what was before in the history": [
    [`${history} ${documentWith("before", "total", "1")} WHERE version = 4`],
    "broken chain",
    "before.total",
  ],
  "what was removed in the history": [
    [`${history} removed = '[]' WHERE version = 5`],
    "wrong entry",
    "after.itemsCount",
  ],
}

const ledger = "UPDATE apportion.payout_ledger SET"

/** The same where each item is kept once, in the entry that put it. */
const tamperingsOfLedger: Readonly<Record<string, readonly [string, DifferenceKind, string]>> = {
  "the amount of an item": [
    `${ledger} amount = 999999 WHERE item_id = 'o/1/g'`,
    "wrong entry",
    "after.total",
  ],
  "another item in the place of one": [
    `${ledger} item_id = 'coffee' WHERE item_id = 'tea'`,
    "hash",
    "history[4].hash",
  ],
  "another entry in the place of one": [
    `${ledger} packed = (SELECT packed FROM apportion.payout_ledger WHERE version = 2 AND place = 0)
      WHERE version = 3 AND place = 0`,
    "wrong entry",
    "after.total",
  ],
  "an entry without its hash": [
    `${ledger} hash = NULL WHERE version = 2`,
    "hash",
    "history[2].hash",
  ],
  "an entry that is gone": [
    "DELETE FROM apportion.payout_ledger WHERE version = 3",
    "missing entry",
    "history[3]",
  ],
  "an entry that comes twice": [
    "INSERT INTO apportion.payout_ledger SELECT * FROM apportion.payout_ledger WHERE version = 3",
    "missing entry",
    "history[4]",
  ],
  "what a change made of the payout": [
    `UPDATE apportion.payout_states SET state = jsonb_set(state::jsonb, '{currency}', '"EUR"')::json
      WHERE version = 6`,
    "hash",
    "history[6].hash",
  ],
  "what was removed": [
    "UPDATE apportion.payout_states SET removed = NULL WHERE version = 5",
    "wrong entry",
    "after.itemsCount",
  ],
  "an item that was removed and is there again": [
    "DELETE FROM apportion.payout_replacements",
    "item",
    "items[bonus]",
  ],
}

const refused =
  (error: unknown) =>
  (message: string): boolean =>
    JSON.stringify(error).includes(message) || String(error).includes(message)

describe.each(engines)("in $name", ({ layer }) => {
  const client = clientFor(layer)

  const run = async <A, E>(
    program: Effect.Effect<A, E, Audit | Collaborators | Payouts | ProductGroups | Sales | Storage>,
  ): Promise<A> => {
    const storage = await Effect.runPromise(emptyStorage(client()))
    const services = Layer.provide(servicesLayer, [
      Layer.succeed(Storage)(storage),
      ExchangeRates.none,
    ])
    const all = Layer.merge(services, Layer.succeed(Storage)(storage))
    return Effect.runPromise(Effect.provide(program, Layer.provideMerge(all, Logger.layer([]))))
  }

  const auditAll = Effect.flatMap(Audit, (audit) => audit.payouts(shop))

  test("what nobody has tampered with shows no difference", async () => {
    const audit = await run(Effect.andThen(openShop, auditAll))
    expect(audit).toEqual({ checked: 1, differences: [] })
  })

  const onTriggers = (change: "ENABLE" | "DISABLE") =>
    Effect.forEach(["history", "ledger", "states"], (table) =>
      client().unsafe(`ALTER TABLE apportion.payout_${table} ${change} TRIGGER USER`),
    )

  test.each(Object.entries(tamperings))("shows %s", async (_name, [statements, kind, field]) => {
    const { payoutId, audit } = await run(
      Effect.gen(function* () {
        const payoutId = yield* openShop
        // Where there is a copy beside the history to be changed.
        yield* toEarlierForm(client(), yield* Storage)
        yield* onTriggers("DISABLE")
        for (const statement of statements) yield* client().unsafe(statement)
        yield* onTriggers("ENABLE")
        return { payoutId, audit: yield* auditAll }
      }),
    )
    expect(audit.checked).toBe(1)
    const found = audit.differences.map((one) => [one.payoutId, one.kind, one.field])
    expect(found).toContainEqual([payoutId, kind, field])
  })

  test.each(Object.entries(tamperingsOfLedger))(
    "shows %s where each item is kept once",
    async (_name, [statement, kind, field]) => {
      const audit = await run(
        Effect.gen(function* () {
          yield* openShop
          yield* onTriggers("DISABLE")
          yield* client().unsafe(statement)
          yield* onTriggers("ENABLE")
          return yield* auditAll
        }),
      )
      const found = audit.differences.map((one) => [one.kind, one.field])
      expect(found).toContainEqual([kind, field])
    },
  )

  test("shows a history whose payout is gone", async () => {
    const { payoutId, audit } = await run(
      Effect.gen(function* () {
        const payoutId = yield* openShop
        for (const statement of [
          "ALTER TABLE apportion.payouts DISABLE TRIGGER ALL",
          "DELETE FROM apportion.payouts",
          "ALTER TABLE apportion.payouts ENABLE TRIGGER ALL",
        ]) {
          yield* client().unsafe(statement)
        }
        return { payoutId, audit: yield* auditAll }
      }),
    )
    expect(audit).toMatchObject({
      checked: 0,
      differences: [{ payoutId, kind: "payout", field: "payout", stored: null }],
    })
  })

  test.each([
    "UPDATE apportion.payout_ledger SET amount = 1",
    "DELETE FROM apportion.payout_ledger",
    "UPDATE apportion.payout_states SET state = NULL",
    "DELETE FROM apportion.payout_states",
  ])("the database itself refuses %s", async (statement) => {
    const { error, audit } = await run(
      Effect.gen(function* () {
        yield* openShop
        const error = yield* Effect.flip(client().unsafe(statement))
        return { error, audit: yield* auditAll }
      }),
    )
    expect(refused(error.reason.cause)("never changes")).toBe(true)
    expect(audit).toEqual({ checked: 1, differences: [] })
  })

  test("lives of payouts have the histories there that they have in memory", async () => {
    const storage = await Effect.runPromise(emptyStorage(client()))
    const audit = (accountId: string) =>
      Effect.flatMap(Audit, ({ payouts }) => payouts(accountId)).pipe(
        Effect.provide(Layer.provide(Audit.layer, Layer.succeed(Storage)(storage))),
        Effect.runPromise,
      )
    const timeless = ({ payout, items, history }: StoredLife) => ({
      payout,
      items,
      // The hash covers the time.
      history: history.map(({ at: _at, hash: _hash, ...entry }) => entry),
    })
    let number = 0
    const lives = fc.asyncProperty(steps, async (all) => {
      number += 1
      const accountId = `life ${number}`
      const here = await liveIn(storage, accountId, all)
      expect(timeless(here)).toEqual(timeless(await live(all)))
      expect(await audit(accountId)).toEqual({ checked: 1, differences: [] })
    })
    await fc.assert(lives, runs(30))
  })
})
