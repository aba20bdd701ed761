/** Accounts with work to do, runners in this process, and triggers that count what they did. */
import { createServer } from "node:net"
import { Collaborator, type Order, Payout, PayoutItem } from "apportion"
import { type Job, Jobs, runnerLayer, singleRunnerLayer, type WorkOptions } from "apportion/cluster"
import { type ConnectedShop, ExchangeRates, Storage } from "apportion/ports"
import {
  Collaborators,
  Deliveries,
  ProductGroups,
  Resplits,
  Sales,
  servicesLayer,
  settingsLayer,
} from "apportion/service"
import { Webhook } from "apportion/shopify"
import { SqlStorage } from "apportion/sql"
import { Effect, Layer, Logger, ManagedRuntime, Result } from "effect"
import { SqlClient } from "effect/sql"

const day = 86_400
const due = 1_709_164_800

/** How long anything takes is the machine's business: nobody gives up because of that. */
const settings = settingsLayer({ waitSeconds: 3_600, historyMonths: 12 })

/** The services and jobs over a client. */
const servicesOver = (sql: SqlClient.SqlClient) => {
  const client = Layer.succeed(SqlClient.SqlClient, sql)
  const storage = Layer.provide(SqlStorage.layer({ migrate: true, waiting: "1 hour" }), client)
  const services = Layer.provide(servicesLayer, ExchangeRates.none)
  return Layer.mergeAll(
    Layer.provideMerge(services, storage),
    Layer.provide(Jobs.layer, client),
  ).pipe(Layer.provideMerge(client), Layer.provide(settings), Layer.provideMerge(Logger.layer([])))
}

/** The services and jobs, and nobody who carries them out. */
export const openServices = (sql: SqlClient.SqlClient) => ManagedRuntime.make(servicesOver(sql))

interface RunnerKind {
  readonly port?: number
  /** What says of which version its turns are. */
  readonly version?: Layer.Layer<never>
}

/** A runner: one of several where it has a port, otherwise it believes to be the only one of its version. */
export const openRunner = (
  sql: SqlClient.SqlClient,
  { port, version = Layer.empty, ...options }: WorkOptions & RunnerKind = {},
) =>
  ManagedRuntime.make(
    Layer.orDie(
      port === undefined ? singleRunnerLayer(options) : runnerLayer({ port, ...options }),
    ).pipe(Layer.provide(version), Layer.provideMerge(servicesOver(sql))),
  )

/** A port that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })

const groupOf = (percent: string) =>
  ({ id: "of-all", link: { type: "products.all" }, percent }) as const

/**
 * An account with so many payouts that are due, others that are closed and can be paid, and with somebody who has a tenth
 * of each sale.
 */
export const openAccount = (accountId: string, payouts: number, payable = 0) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    yield* storage.transaction(accountId, (stores) =>
      Effect.gen(function* () {
        for (let number = 0; number < payouts + payable; number += 1) {
          const id = `p${number}`
          const collaborator = Collaborator.make({ id, currency: "USD" })
          yield* stores.collaborators.insert({ collaborator, createdAt: due, updatedAt: due })
          const { items: _none, ...opened } = Payout.open({
            ...{ id, collaboratorId: id, currency: "USD" },
            ...{ openedAt: due - 20 * day, toBePaidAt: due + number },
          })
          const earned = { id: "earned", amount: 5_000, name: "Earned", at: due - day }
          const put = [Result.getOrThrow(PayoutItem.income(earned, { currency: "USD" }))]
          const standing =
            number < payouts
              ? opened
              : { ...opened, status: "pending" as const, closedAt: due, payableAt: due }
          const payout = { ...standing, total: 5_000, itemsCount: 1, paymentId: null }
          yield* stores.payouts.insert({ payout, put })
        }
      }),
    )
    yield* (yield* Collaborators).create(accountId, { id: "ada", currency: "USD" })
    yield* (yield* ProductGroups).create(accountId, "ada", groupOf("10"))
  })

export const orderOf = (id: string): Order.Order => ({
  ...{ id, currency: "USD" },
  items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }],
})

/** An approved re-split of some sales of an account, by a rule that gives more than the one they were recorded with. */
export const approveResplit = (accountId: string, runId: string, orderIds: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [sales, groups, resplits] = [yield* Sales, yield* ProductGroups, yield* Resplits]
    yield* sales.recordAll(accountId, orderIds.map(orderOf))
    const { id } = groupOf("10")
    yield* groups.update(accountId, "ada", id, (group) =>
      Result.succeed({ ...group, percent: "20" }),
    )
    const { digest } = yield* resplits.propose(accountId, { id: runId, orderIds })
    yield* resplits.approve(accountId, runId, { digest })
  })

/** The shop of an account, whose deliveries come. */
export const shopOf = (accountId: string): ConnectedShop => ({
  ...{ key: accountId, accountId },
  platform: Webhook.platform({
    ...{ secrets: ["hush-hush"], shop: `${accountId}.myshopify.com`, currency: "USD" },
  }),
})

/** An order that came from an account's shop and waits for a product, for so long that the next sweep does without it. */
export const keepWaiting = (accountId: string) =>
  Effect.gen(function* () {
    const document = {
      ...{ id: 7_001, name: "#7001", currency: "USD", created_at: "2026-01-05T10:00:00Z" },
      updated_at: "2026-01-05T10:00:00Z",
      financial_status: "paid",
      line_items: [{ id: 1, product_id: 77, title: "Mug", quantity: 1, price: "10.00" }],
    }
    const art = { link: { type: "products.tag", values: ["art"] }, percent: "1" } as const
    yield* (yield* ProductGroups).create(accountId, "ada", art)
    const { platform } = shopOf(accountId)
    const fetched = { topic: "orders/create", document }
    const { outcome } = yield* (yield* Deliveries).receiveFetched(accountId, platform, fetched)
    if (outcome !== "waiting") throw new TypeError(`the order is ${outcome}`)
    yield* (yield* SqlClient.SqlClient).unsafe(
      `UPDATE apportion.inbox_entries SET next_attempt_at = 0, document = (document::jsonb || jsonb_build_object(
        'nextAttemptAt', 0, 'receivedAt', (document->>'receivedAt')::bigint - 86400))::json WHERE account_id = $1`,
      [accountId],
    )
  })

/** Notes that deliveries came to an account, long ago and now. */
export const noteDeliveries = (accountId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe(
      `INSERT INTO apportion.inbox_notes (account_id, note_key, kind, at, document)
        SELECT $1, 'x/delivery/' || n, 'delivery',
          CASE WHEN n = 7 THEN extract(epoch FROM now())::bigint ELSE 1000 END, '{}'
        FROM generate_series(1, 7) AS n`,
      [accountId],
    ),
  )

/** The notes of deliveries that are left. */
export const notedDeliveries = (accountId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql.unsafe<{ key: string }>(
        `SELECT note_key AS key FROM apportion.inbox_notes
          WHERE account_id = $1 AND kind = 'delivery' ORDER BY note_key`,
        [accountId],
      ),
      (rows) => rows.map(({ key }) => key),
    ),
  )

const counting = (name: string, table: string, when: string, values: string) => [
  `CREATE FUNCTION count_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO public.effects VALUES (${values}); RETURN NULL; END $$`,
  `CREATE TRIGGER count_${name} AFTER ${when} EXECUTE FUNCTION count_${name}()`.replace(
    "ON TABLE",
    `ON ${table} FOR EACH ROW`,
  ),
]

/** Has triggers note each payout that is closed, each part of a sale that is recorded or adjusted, and each job that ends. */
export const countEffects = (sql: SqlClient.SqlClient) =>
  Effect.forEach(
    [
      "CREATE TABLE public.effects (what text, account_id text, name text)",
      ...counting(
        "closed",
        "apportion.payouts",
        "UPDATE ON TABLE WHEN (OLD.status = 'active' AND NEW.status = 'pending')",
        "'closed', NEW.account_id, NEW.payout_id",
      ),
      ...counting(
        "sold",
        "apportion.sale_parts",
        "INSERT ON TABLE",
        "'sold', NEW.account_id, NEW.order_id",
      ),
      ...counting(
        "adjusted",
        "apportion.adjustments",
        "INSERT ON TABLE",
        "'adjusted', NEW.account_id, NEW.order_id",
      ),
      ...counting(
        "ended",
        "apportion_cluster.jobs",
        "UPDATE ON TABLE WHEN (OLD.state = 'waiting' AND NEW.state <> 'waiting')",
        "NEW.kind, NEW.account_id, NEW.key",
      ),
    ],
    (statement) => sql.unsafe(statement),
    { discard: true },
  )

/** How often each effect was noted: of how many things in all, and how often at the most for one. */
export const effects = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql.unsafe<{ what: string; things: number; most: number }>(
      `SELECT what, count(*)::int AS things, max(times)::int AS most FROM
        (SELECT what, count(*) AS times FROM public.effects GROUP BY what, account_id, name) AS counted
        GROUP BY what`,
    ),
    (rows) => Object.fromEntries(rows.map(({ what, things, most }) => [what, [things, most]])),
  )

/** Waits until no job waits. */
export const untilDone: Effect.Effect<void, unknown, Jobs> = Effect.gen(function* () {
  const jobs = yield* Jobs
  while ((yield* jobs.figures).waiting > 0) yield* Effect.sleep("20 millis")
})

/** Records sales, by default one with the same id. */
export const recording = (accountId: string, id: string, orders = [orderOf(id)]): Job => ({
  ...{ kind: "record-sales", accountId, id, orders },
})
