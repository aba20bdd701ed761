import { PGlite } from "@electric-sql/pglite"
import { NodeFS } from "@electric-sql/pglite/nodefs"
import { Effect, Layer, ManagedRuntime } from "effect"
import fs from "node:fs"
import { PgliteClient, SqlStorage } from "../dist/sql/index.js"
import { ExchangeRates } from "../dist/ports/index.js"
import { Collaborators, ProductGroups, Sales, servicesLayer } from "../dist/service/index.js"
let syncs = 0
const open = async (mode) => {
  const dir = "/tmp/ap/serve/x/bench-" + mode
  fs.rmSync(dir, { recursive: true, force: true })
  class Synced extends NodeFS { async init(pg, o) { const { emscriptenOpts: e } = await super.init(pg, o); return { emscriptenOpts: { ...e, preRun: [...e.preRun, (m) => { m.NODEFS.stream_ops.fsync = (s) => { syncs++; fs.fsyncSync(s.nfd); return 0 } }] } } } }
  const db = mode === "off" ? await PGlite.create({ fs: new NodeFS(dir) }) : await PGlite.create({ fs: new Synced(dir), startParams: [...PGlite.defaultStartParams.filter((p) => p !== "-F"), "-c", "fsync=on", "-c", "wal_sync_method=fsync"] })
  const layer = Layer.provide(servicesLayer, [Layer.provide(SqlStorage.layer({ migrate: true }), PgliteClient.layer(Effect.succeed(db))), ExchangeRates.none])
  const runtime = ManagedRuntime.make(layer)
  const run = (f) => runtime.runPromise(f)
  await run(Effect.gen(function* () { const c = yield* Collaborators; yield* c.create("s", { id: "ada", currency: "EUR" }); yield* c.create("s", { id: "bo", currency: "EUR" }); const g = yield* ProductGroups; yield* g.create("s", "ada", { link: { type: "products.all" }, percent: "10" }); yield* g.create("s", "bo", { link: { type: "products.all" }, percent: "5" }) }))
  const sales = await run(Sales)
  return { record: (i) => run(sales.record("s", { id: "o" + i, currency: "EUR", items: [1,2,3].map((n) => ({ id: String(n), product: { id: "p" + n }, quantity: 1, amount: 1000 * n })) })) }
}
const dbs = { off: await open("off"), on: await open("on") }
const times = { off: [], on: [] }
let n = 0
for (let round = 0; round < 300; round++) for (const m of ["off", "on"]) { const t = performance.now(); await dbs[m].record(n++); times[m].push(performance.now() - t) }
const med = (a) => a.toSorted((x, y) => x - y)[a.length >> 1]
const mean = (a) => a.reduce((x, y) => x + y) / a.length
console.log("median ms per sale: off", med(times.off).toFixed(2), "on", med(times.on).toFixed(2), "mean off", mean(times.off).toFixed(2), "on", mean(times.on).toFixed(2), "syncs", syncs)
process.exit(0)
