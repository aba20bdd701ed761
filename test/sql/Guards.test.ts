/** What the database itself refuses, whoever asks it: the rules that hold without the code around them. */
import type { StorageService } from "apportion/ports"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, test } from "vitest"
import {
  active,
  answer,
  collaborator,
  group,
  income,
  payout,
  product,
  refund,
  sale,
} from "../../src/testing/contracts/samples.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

const run = <A, E>(work: Effect.Effect<A, E>) => Effect.runPromise(work)

/** An account with one of everything. */
const seed = (storage: StorageService) =>
  storage.transaction("shop", ({ collaborators, groups, products, links, payouts, sales, keys }) =>
    Effect.gen(function* () {
      yield* collaborators.insert(collaborator("ada"))
      yield* groups.insert(group("g1", { amount: 5 }))
      yield* products.put([product("p1")])
      yield* links.add("g1", ["p1"])
      yield* links.saveJob({
        groupId: "g1",
        groupVersion: 1,
        after: null,
        scanned: 0,
        status: "running",
        startedAt: 1,
        updatedAt: 1,
      })
      const first = yield* payouts.insert({
        payout: active("o1", { total: 100, itemsCount: 1 }),
        put: [income("i1")],
      })
      yield* payouts.update({ payout: { ...first, toBePaidAt: first.toBePaidAt + 1 } })
      yield* payouts.insert({ payout: payout("o2") })
      const recorded = yield* sales.insert(sale("1001"))
      yield* sales.addRefund({ ...recorded, refund: refund("r1", recorded) })
      yield* sales.insert(sale("1001", { part: 2, itemIds: ["3"] }))
      yield* keys.insert(answer("k1"))
    }),
  )

const lookAtAll = (storage: StorageService) =>
  storage.transaction(
    "shop",
    ({ collaborators, groups, payouts, sales, keys }) =>
      Effect.all([
        collaborators.get("ada"),
        groups.get("g1"),
        payouts.list({}, { offset: 0, limit: 10 }),
        payouts.items("o1"),
        payouts.history({ payoutId: "o1", after: 0, limit: 10 }),
        sales.ofOrder("1001"),
        keys.get("k1"),
      ]),
    { mode: "read" },
  )

interface Refused {
  readonly what: string
  readonly statement: string
  readonly says: string
}

const neverChanges = (table: string, what: string): ReadonlyArray<Refused> => [
  {
    what: `a change of ${what}`,
    statement: `UPDATE apportion.${table} SET account_id = account_id`,
    says: `what apportion.${table} holds never changes`,
  },
  {
    what: `taking away ${what}`,
    statement: `DELETE FROM apportion.${table}`,
    says: `what apportion.${table} holds never changes`,
  },
]

const history: ReadonlyArray<Refused> = [
  ...["ledger", "states"].flatMap((table) => [
    {
      what: `a change of what happened to a payout (${table})`,
      statement: `UPDATE apportion.payout_${table} SET version = version`,
      says: `what apportion.payout_${table} holds never changes`,
    },
    {
      what: `taking away what happened to a payout (${table})`,
      statement: `DELETE FROM apportion.payout_${table}`,
      says: `what apportion.payout_${table} holds never changes`,
    },
  ]),
  ...neverChanges("refunds", "a refund"),
  ...neverChanges("sale_items", "which items were recorded"),
  ...neverChanges("sale_parts", "a recorded part of an order"),
  ...neverChanges("recorded_rules", "rules that a sale was recorded with"),
  {
    what: "another split in the place of a recorded one",
    statement: `UPDATE apportion.sale_parts SET packed = ''`,
    says: "what apportion.sale_parts holds never changes",
  },
  {
    what: "a split as earlier versions wrote it in the place of a recorded one",
    statement: `UPDATE apportion.sale_parts SET packed = NULL, document = '{}'`,
    says: "what apportion.sale_parts holds never changes",
  },
  {
    what: "other rules of a recorded split",
    statement: `UPDATE apportion.sale_parts SET rules = ''`,
    says: "what apportion.sale_parts holds never changes",
  },
  {
    what: "another time of a recorded split",
    statement: "UPDATE apportion.sale_parts SET recorded_at = recorded_at + 1",
    says: "what apportion.sale_parts holds never changes",
  },
  {
    what: "what a recorded part is found by",
    statement: "UPDATE apportion.sale_parts SET subject_1 = subject_2",
    says: "what apportion.sale_parts holds never changes",
  },
  {
    what: "the hour that a recorded part is found by",
    statement: "UPDATE apportion.sale_parts SET recorded_hour = recorded_hour + 1",
    says: "what apportion.sale_parts holds never changes",
  },
  {
    what: "taking away a payout, which has a history",
    statement: "DELETE FROM apportion.payouts WHERE payout_id = 'o2'",
    says: "payout_states_payout_fkey",
  },
]

const copyOfPayout = (columns: Readonly<Record<string, string>>) => {
  const values = {
    account_id: "account_id",
    payout_id: "'o3'",
    collaborator_id: "collaborator_id",
    currency: "currency",
    status: "status",
    opened_at: "opened_at",
    to_be_paid_at: "to_be_paid_at",
    total: "total",
    items_count: "items_count",
    version: "1",
    ...columns,
  }
  return `INSERT INTO apportion.payouts (${Object.keys(values).join(", ")})
    SELECT ${Object.values(values).join(", ")} FROM apportion.payouts WHERE payout_id = 'o1'`
}

const twice: ReadonlyArray<Refused> = [
  {
    what: "a second active payout of an owner",
    statement: copyOfPayout({}),
    says: "payouts_active",
  },
  {
    what: "a payout that becomes active beside another one",
    statement: `UPDATE apportion.payouts
      SET status = 'active', closed_at = NULL, payable_at = NULL WHERE payout_id = 'o2'`,
    says: "payouts_active",
  },
  {
    what: "a second refund with the same id",
    statement: `INSERT INTO apportion.refunds
      SELECT account_id, refund_id, order_id, part, 7, document, recorded_at FROM apportion.refunds`,
    says: "refunds_pkey",
  },
  {
    what: "an item of an order in two parts",
    statement: `INSERT INTO apportion.sale_items
      SELECT account_id, order_id, item_id, part FROM apportion.sale_items`,
    says: "sale_items_pkey",
  },
  {
    what: "the same rules under two numbers",
    statement: `INSERT INTO apportion.recorded_rules
      SELECT account_id, number + 100, content FROM apportion.recorded_rules`,
    says: "recorded_rules_by_content",
  },
  {
    what: "a sale without what it was recorded with",
    statement: `INSERT INTO apportion.sale_parts (account_id, order_id, part, recorded_at, version, packed)
      VALUES ('shop', '1002', 1, 1, 1, '')`,
    says: "sale_parts_are_whole",
  },
  {
    what: "a sale in another hour than that of its time",
    statement: `INSERT INTO apportion.sale_parts (account_id, order_id, part, recorded_at, recorded_hour,
        version, packed, rules, postings)
      VALUES ('shop', '1002', 1, 7200, 1, 1, '', '', '')`,
    says: "sale_parts_have_hours",
  },
  {
    what: "a second answer under a key",
    statement: `INSERT INTO apportion.idempotency_keys SELECT * FROM apportion.idempotency_keys`,
    says: "idempotency_keys_pkey",
  },
  {
    what: "what became of an item twice",
    statement: `INSERT INTO apportion.payout_replacements (payout, version, place, item)
      SELECT payout, version, place, 1 FROM apportion.payout_ledger CROSS JOIN generate_series(1, 2)
      WHERE version = 2`,
    says: "payout_replacements_pkey",
  },
]

const amounts = [
  ["payouts", "total"],
  ["product_groups", "amount"],
  ["collaborators", "payout_threshold"],
] as const

const outOfRange: ReadonlyArray<Refused> = [
  ...amounts.flatMap(([table, column]) =>
    ["9007199254740992", "-9007199254740992"].map((amount) => ({
      what: `${amount} as ${column} of ${table}`,
      statement: `UPDATE apportion.${table} SET ${column} = ${amount}`,
      says: "cents",
    })),
  ),
  ...["9007199254740992", "-9007199254740992"].map((amount) => ({
    what: `${amount} as the amount of an item`,
    statement: `INSERT INTO apportion.payout_ledger (payout, version, place, item_id, amount, packed)
      SELECT payout, 9, 0, item_id, ${amount}, packed FROM apportion.payout_ledger
      WHERE item_id IS NOT NULL`,
    says: "cents",
  })),
  ...["opened_at", "to_be_paid_at"].map((column) => ({
    what: `a time beyond the numbers that are exact as ${column}`,
    statement: `UPDATE apportion.payouts SET ${column} = 9007199254740992`,
    says: "seconds",
  })),
  ...["100.01", "-0.01", "'NaN'"].map((percent) => ({
    what: `${percent} as a percentage`,
    statement: `UPDATE apportion.product_groups SET percent = ${percent}`,
    says: "product_groups_percent_check",
  })),
  {
    what: "fewer than no items",
    statement: "UPDATE apportion.payouts SET items_count = -1",
    says: "tally",
  },
  { what: "a version 0", statement: "UPDATE apportion.payouts SET version = 0", says: "version" },
  {
    what: "a threshold below 0",
    statement: "UPDATE apportion.collaborators SET payout_threshold = -1",
    says: "collaborators_payout_threshold_check",
  },
  {
    what: "holding days below 0",
    statement: "UPDATE apportion.collaborators SET payout_holding_days = -1",
    says: "collaborators_payout_holding_days_check",
  },
  {
    what: "the 29th as the day of payouts",
    statement: `UPDATE apportion.collaborators
      SET payout_measurement = 'monthly_date', payout_frequency = 29`,
    says: "collaborators_check",
  },
]

const unknown: ReadonlyArray<Refused> = [
  {
    what: "an unknown status of a payout",
    statement: "UPDATE apportion.payouts SET status = 'gone' WHERE payout_id = 'o2'",
    says: "payouts_status_check",
  },
  {
    what: "an unknown status of a link job",
    statement: "UPDATE apportion.link_jobs SET status = 'gone'",
    says: "link_jobs_status_check",
  },
  {
    what: "an unknown measurement",
    statement: "UPDATE apportion.collaborators SET payout_measurement = 'year'",
    says: "collaborators_payout_measurement_check",
  },
]

const alone: ReadonlyArray<Refused> = [
  {
    what: "a group of a collaborator that there is not",
    statement: "UPDATE apportion.product_groups SET collaborator_id = 'nobody'",
    says: "product_groups_account_id_collaborator_id_fkey",
  },
  {
    what: "a payout to a collaborator that there is not",
    statement: copyOfPayout({ collaborator_id: "'nobody'" }),
    says: "payouts_account_id_collaborator_id_fkey",
  },
  {
    what: "an entry of a payout that there is not",
    statement: "INSERT INTO apportion.payout_states (payout, version) VALUES (999999, 2)",
    says: "payout_states_payout_fkey",
  },
  {
    what: "a link to a product that there is not",
    statement: "UPDATE apportion.product_links SET product_key = 'nothing'",
    says: "product_links_account_id_product_key_fkey",
  },
  {
    what: "an item of a part that there is not",
    statement: `INSERT INTO apportion.sale_items
      SELECT account_id, order_id, item_id || ' new', 9 FROM apportion.sale_items`,
    says: "sale_items_account_id_order_id_part_fkey",
  },
  {
    what: "taking away a collaborator who has groups and payouts",
    statement: "DELETE FROM apportion.collaborators",
    says: "_account_id_collaborator_id_fkey",
  },
  {
    what: "the collaborator of another account",
    statement: copyOfPayout({ account_id: "'another shop'" }),
    says: "payouts_account_id_collaborator_id_fkey",
  },
]

const standing: ReadonlyArray<Refused> = [
  {
    what: "a payout that is paid and has no time of it",
    statement: "UPDATE apportion.payouts SET status = 'paid' WHERE payout_id = 'o2'",
    says: "payouts_check",
  },
  {
    what: "a payout that failed without a reason",
    statement: "UPDATE apportion.payouts SET status = 'failed' WHERE payout_id = 'o2'",
    says: "payouts_check",
  },
  {
    what: "an active payout that is closed",
    statement: "UPDATE apportion.payouts SET closed_at = 1 WHERE payout_id = 'o1'",
    says: "payouts_check",
  },
  {
    what: "a payout that is paid and below 0",
    statement: `UPDATE apportion.payouts SET status = 'paid', paid_at = 1, total = -1
      WHERE payout_id = 'o2'`,
    says: "payouts_check",
  },
]

const databases = [
  { where: "PGlite", layer: () => pglite },
  { where: "a server", layer: () => postgres("guards") },
]

describe.each(databases)("on $where", ({ layer }) => {
  const client = clientFor(layer)
  let storage: StorageService
  beforeAll(async () => {
    storage = await run(emptyStorage(client()))
    await run(seed(storage))
  })

  const refusalOf = (sql: SqlClient.SqlClient, statement: string) =>
    Effect.map(Effect.flip(sql.unsafe(statement)), ({ reason }) => ({
      tag: reason._tag,
      says: String(Reflect.get(Object(reason.cause), "message") ?? reason.cause),
      rule: String(Reflect.get(Object(reason.cause), "constraint")),
    }))

  const groups = { history, twice, outOfRange, unknown, alone, standing }
  for (const [title, all] of Object.entries(groups)) {
    test.each(all)(`refused (${title}): $what`, async ({ statement, says }) => {
      const before = await run(lookAtAll(storage))
      const refusal = await run(refusalOf(client(), statement))
      expect(["ConstraintError", "UniqueViolation"]).toContain(refusal.tag)
      expect(`${refusal.says} ${refusal.rule}`).toContain(says)
      expect(await run(lookAtAll(storage))).toEqual(before)
    })
  }

  test("what a refund has to change of a recorded part can be changed", async () => {
    await run(
      client().unsafe("UPDATE apportion.sale_parts SET version = version, postings = postings"),
    )
  })
})
