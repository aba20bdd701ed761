/** Four processes, each with connections of its own, over one server: every batch is done once. */
import { PgClient } from "@effect/sql-pg"
import { Collaborator, type Product, ProductGroup, RuleSet } from "apportion"
import { productKeyOf, Storage, type StorageService } from "apportion/ports"
import { ProductGroups, settingsLayer } from "apportion/service"
import { SqlStorage } from "apportion/sql"
import { Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { describe, expect, inject, test } from "vitest"
import { clientFor, emptyStorage, postgres } from "./databases.js"

const shops = ["shop a", "shop b", "shop c"]

const products: ReadonlyArray<Product.Product> = Array.from({ length: 400 }, (_, number) => ({
  id: `p${String(number).padStart(3, "0")}`,
  vendor: number % 2 === 0 ? "North" : "south ",
  tags: [`Tag ${number % 5}`],
}))

const links: ReadonlyArray<ProductGroup.Link> = [
  { type: "products.all", modifier: "WITH", values: [] },
  { type: "products.tag", modifier: "WITH", values: ["tag 1", "TAG 3"] },
  { type: "products.tag", modifier: "NOT", values: [" tag 1"] },
  { type: "products.vendor", modifier: "WITH", values: ["SOUTH"] },
  { type: "products", modifier: "WITH", values: ["p007", "p300", "none"] },
  { type: "products", modifier: "WITH", values: ["none"] },
]

const groups = links.map((link, index) =>
  ProductGroup.make({ id: `g${index}`, collaboratorId: "ada", percent: 1, createdAt: 1, link }),
)

const batchSize = 7

const rightKeys = (group: ProductGroup.ProductGroup) =>
  products
    .filter((product) => RuleSet.linkedGroups({ groups: [group] }, product).length > 0)
    .map(productKeyOf)

const fresh = { after: null, scanned: 0, status: "running", startedAt: 1, updatedAt: 1 } as const

/** Shops whose groups nobody has begun to link. */
const stock = (storage: StorageService) =>
  Effect.forEach(shops, (accountId) =>
    storage.transaction(accountId, (stores) =>
      Effect.gen(function* () {
        yield* stores.products.put(products)
        const ada = Collaborator.make({ id: "ada", currency: "EUR" })
        yield* stores.collaborators.insert({ collaborator: ada, createdAt: 1, updatedAt: 1 })
        for (const group of groups) {
          yield* stores.groups.insert({ group, updatedAt: 1 })
          yield* stores.links.saveJob({ groupId: group.id, groupVersion: 1, ...fresh })
        }
      }),
    ),
  )

/** The database itself notes each batch that is kept. */
const noteBatches = [
  "DROP TABLE IF EXISTS public.batches",
  `CREATE TABLE public.batches (
    place serial, account_id text, group_id text, scanned bigint, status text, claimed_by text
  )`,
  `CREATE OR REPLACE FUNCTION public.note_batch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO public.batches (account_id, group_id, scanned, status, claimed_by)
      VALUES (NEW.account_id, NEW.group_id, NEW.scanned, NEW.status, NEW.claimed_by);
      RETURN NULL;
    END
  $$`,
  `CREATE OR REPLACE TRIGGER note_batch AFTER UPDATE ON apportion.link_jobs FOR EACH ROW
    WHEN (NEW.scanned <> OLD.scanned OR NEW.status <> OLD.status)
    EXECUTE FUNCTION public.note_batch()`,
]

interface Batch {
  readonly account_id: string
  readonly group_id: string
  readonly scanned: string
  readonly status: string
  /** Which process did it; `null` for the last batch of a group. */
  readonly claimed_by: string | null
}

const batchesIn = (sql: SqlClient.SqlClient) =>
  sql.unsafe<Batch>("SELECT * FROM public.batches ORDER BY place")

/** Looks until something is so, for at most a minute. */
const until = <E>(look: Effect.Effect<boolean, E>) =>
  Effect.gen(function* () {
    for (let looks = 0; looks < 3_000; looks += 1) {
      if (yield* look) return
      yield* Effect.sleep("20 millis")
    }
    return yield* Effect.die(new Error("it never comes to be as it should"))
  })

/** Whose process is gone does nothing any more, and gets no answer to what it asked. */
const mortal = (storage: StorageService, isGone: () => boolean): StorageService => {
  const answered = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      if (isGone()) return Effect.never
      return Effect.flatMap(Effect.exit(effect), (exit) => (isGone() ? Effect.never : exit))
    })
  return {
    accounts: answered(storage.accounts),
    accountsLinking: answered(storage.accountsLinking ?? storage.accounts),
    transaction: (accountId, work, options) =>
      answered(storage.transaction(accountId, work, options)),
  }
}

/** The id that a process gives itself begins with its number. */
const numbered = (number: number): SecureRandom.SecureRandom["Service"] =>
  SecureRandom.make((size) => new Uint8Array(size).fill(number))

/** A process that links, over a database that there is already. */
const startProcess = Effect.fnUntraced(function* (
  number: number,
  { database, ...options }: SqlStorage.SqlStorageOptions & { readonly database: string },
) {
  const name = `${database} ${number}`
  const url = new URL(inject("postgresUrl"))
  url.pathname = `/${database}`
  const client = PgClient.layer({
    url: Redacted.make(url.href),
    maxConnections: 4,
    applicationName: name,
  })
  let isGone = false
  const storage = Layer.effect(
    Storage,
    Effect.map(SqlStorage.make(options), (made) => mortal(made, () => isGone)),
  )
  const scope = yield* Scope.make()
  const services = ProductGroups.layer.pipe(
    Layer.provide(settingsLayer({ linkBatchSize: batchSize, linkSweepSeconds: 1 })),
    Layer.provide(Layer.provide(storage, client)),
    Layer.provide(Layer.succeed(SecureRandom.SecureRandom)(numbered(number))),
  )
  yield* Layer.buildWithScope(Layer.fresh(services), scope)
  return {
    stop: Scope.close(scope, Exit.void),
    /** As if the machine were switched off: its connections break, and nothing of it is heard any more. */
    vanish: (admin: SqlClient.SqlClient) =>
      Effect.suspend(() => {
        isGone = true
        const terminated = admin.unsafe(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
          [name],
        )
        return until(Effect.map(terminated, ({ length }) => length === 0))
      }),
  }
})

/** Nobody did what another one had done already: each group came further with each batch, and ended once. */
const expectEachOnce = (batches: ReadonlyArray<Batch>) => {
  for (const accountId of shops) {
    for (const group of groups) {
      const own = batches.filter(
        (batch) => batch.account_id === accountId && batch.group_id === group.id,
      )
      const places = own.map(({ scanned }) => Number(scanned))
      const last = own.at(-1)
      expect(places.slice(0, -1)).toEqual([...new Set(places.slice(0, -1))].sort((a, b) => a - b))
      expect([last?.status, Number(last?.scanned)]).toEqual(["done", products.length])
      expect(own.filter(({ status }) => status === "done")).toHaveLength(1)
      const fewest = Math.max(1, Math.ceil(rightKeys(group).length / batchSize))
      expect(own, `${accountId} ${group.id}`).toHaveLength(fewest)
    }
  }
}

const expectLinks = (storage: StorageService) =>
  Effect.forEach(shops, (accountId) =>
    storage.transaction(
      accountId,
      ({ links }) =>
        Effect.gen(function* () {
          for (const group of groups) {
            const { entries, total } = yield* links.products(group.id, { offset: 0, limit: 500 })
            const right = rightKeys(group)
            expect([entries.map(productKeyOf), total]).toEqual([right, right.length])
          }
        }),
      { mode: "read" },
    ),
  )

/** Which process did a batch, as its number. */
const processOf = ({ claimed_by }: Batch): number =>
  Number.parseInt(claimed_by?.slice(0, 2) ?? "", 16)

const play = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  ending: "stops" | "vanishes",
  options: SqlStorage.SqlStorageOptions & { readonly database: string },
) {
  const storage = yield* emptyStorage(sql, options)
  yield* Effect.forEach(noteBatches, (statement) => sql.unsafe(statement))
  yield* stock(storage)
  const processes = yield* Effect.forEach([0, 1, 2, 3], (number) => startProcess(number, options), {
    concurrency: "unbounded",
  })
  yield* until(Effect.map(batchesIn(sql), ({ length }) => length >= 20))
  const busy = (yield* batchesIn(sql)).map(processOf).find((number) => number >= 0) ?? 0
  const ended = processes[busy]
  if (ended === undefined) return expect.fail("no process did anything")
  yield* ending === "stops" ? ended.stop : ended.vanish(sql)
  const before = yield* batchesIn(sql)
  const linking = storage.accountsLinking ?? Effect.die("it does not know who is linking")
  yield* until(Effect.map(linking, ({ length }) => length === 0))
  const batches = yield* batchesIn(sql)
  yield* Effect.forEach(processes, ({ stop }) => stop, { concurrency: "unbounded" })
  const after = batches.slice(before.length).map(processOf)
  expectEachOnce(batches)
  yield* expectLinks(storage)
  return { busy, after }
})

const quietly = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Logger.layer([])))

const endings = ["stops", "vanishes"] as const

describe.each(["queue", "optimistic"] as const)("with writers in the way of %s", (concurrency) => {
  const database = `link_sharing_${concurrency}`
  const client = clientFor(() => postgres(database))

  test.each(endings)("four processes share the linking, though one %s halfway", async (ending) => {
    const { busy, after } = await quietly(play(client(), ending, { database, concurrency }))
    expect(after.length).toBeGreaterThan(0)
    expect(after).not.toContain(busy)
  })
})
