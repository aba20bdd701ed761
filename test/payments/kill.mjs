// Kills a payment run again and again, with SIGKILL, at every kind of step, and looks at the rail's own book afterwards: each
// payout is paid exactly once. Run by hand, after a build (Node 24):
//
//   node test/payments/kill.mjs postgres 300     on a PostgreSQL server of its own
//   node test/payments/kill.mjs folder 300       on a folder
//
// KILL_PAYOUTS sets how many payouts there are (1000). The rail lives in this process, the run in others, which are killed.
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Effect, Layer, ManagedRuntime } from "effect"
import { ExchangeRates, fromPlainRail, paymentRails, Storage } from "../../dist/ports/index.js"
import { Audit, Payments, servicesLayer } from "../../dist/service/index.js"
import { openPlace, runOn, storageOf } from "../sql/places.mjs"
import { railAt, startRail } from "./fakeRail.mjs"

const shop = "shop"
const count = Number(process.env.KILL_PAYOUTS ?? 1_000)
const concurrency = 8

const runtimeOf = (kind, place, url, migrate = false) =>
  ManagedRuntime.make(
    servicesLayer.pipe(
      Layer.provide([paymentRails([fromPlainRail(railAt(url))]), ExchangeRates.none]),
      Layer.provideMerge(storageOf(kind, place, { migrate })),
    ),
  )

const paying = Effect.flatMap(Payments, (payments) =>
  payments.run(shop, { rail: "fake", concurrency }),
)

/** What is killed. */
const work = async ([kind, place, url]) => {
  const runtime = runtimeOf(kind, place, url)
  const report = await runtime.runPromise(paying)
  process.stdout.write(`${JSON.stringify(report.payments)}\n`)
  await runtime.dispose()
}

const now = Math.floor(Date.now() / 1_000)

/** Payouts of one collaborator each, which can all be paid. */
const fill = Effect.flatMap(Storage, (storage) =>
  storage.transaction(shop, ({ collaborators, payouts }) =>
    Effect.gen(function* () {
      const { Collaborator, Payout, PayoutItem } = yield* Effect.promise(
        () => import("../../dist/index.js"),
      )
      for (let number = 0; number < count; number += 1) {
        const [id, owner] = [`p${number}`, `c${number}`]
        const collaborator = Collaborator.make({ id: owner, currency: "USD" })
        yield* collaborators.insert({ collaborator, createdAt: now, updatedAt: now })
        const facts = {
          id,
          collaboratorId: owner,
          currency: "USD",
          openedAt: now - 60,
          toBePaidAt: now - 30,
        }
        const { items: _none, ...opened } = Payout.open(facts)
        const times = { status: "pending", closedAt: now - 30, payableAt: now - 30 }
        const total = 1_000 + number
        const entry = { id: "i", amount: total, name: "Earned", at: now - 60 }
        const item = PayoutItem.income(entry, { currency: "USD" })
        const payout = { ...opened, ...times, total, itemsCount: 1, paymentId: null }
        yield* payouts.insert({ payout, put: [item.success] })
      }
    }),
  ),
)

const steps = ["before paying", "paid, not answered", "answered", "find", "any time"]

/** Runs a worker, and kills it at a step; gives whether it was killed before it was done. */
const killed = (rail, args, kill) =>
  new Promise((done) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "work", ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    let isKilled = false
    let left = kill?.after ?? 0
    const end = () => {
      isKilled = true
      child.kill("SIGKILL")
    }
    let timer
    rail.onStep = (step) => {
      if (kill === undefined || timer !== undefined) return
      if (kill.step !== "any time" && step !== kill.step) return
      left -= 1
      if (left > 0) return
      timer = setTimeout(end, kill.delay)
      if (kill.delay === 0) end()
    }
    // Where that step does not come, the worker must not get through unharmed.
    const atLast = kill && setTimeout(end, 4_000)
    let output = ""
    child.stdout.on("data", (text) => {
      output += text
    })
    child.on("exit", () => {
      clearTimeout(timer)
      clearTimeout(atLast)
      rail.onStep = () => {}
      done({ isKilled, output })
    })
  })

const main = async ([kind = "postgres", kills = "300"]) => {
  const { place, close } = await openPlace(kind)
  const { rail, stop, url } = await startRail()
  await runOn(runtimeOf(kind, place, url, true), fill)
  const tally = new Map()
  const began = Date.now()
  let done = 0
  for (let number = 0; number < Number(kills); number += 1) {
    const step = steps[number % steps.length]
    const after = 1 + Math.floor(Math.random() * 8)
    const delay = Math.random() < 0.3 ? 0 : Math.random() * 15
    const { isKilled } = await killed(rail, [kind, place, url], { step, after, delay })
    if (isKilled) {
      done += 1
      tally.set(step, (tally.get(step) ?? 0) + 1)
    }
    if (Date.now() - began > Number(process.env.KILL_SECONDS ?? 3_600) * 1_000) break
  }
  for (let turn = 0; turn < 5; turn += 1) {
    await killed(rail, [kind, place, url])
    await new Promise((next) => setTimeout(next, 2_500))
  }
  const { statuses, paid, audit } = await runOn(
    runtimeOf(kind, place, url),
    Effect.gen(function* () {
      const payments = yield* Payments
      const statuses = {}
      const paid = new Map()
      for (let after; ; ) {
        const found = yield* payments.list(shop, { after, limit: 1_000 })
        for (const one of found) {
          statuses[one.status] = (statuses[one.status] ?? 0) + 1
          if (one.status === "confirmed") paid.set(one.id, one)
        }
        after = found.at(-1)
        if (found.length < 1_000) break
      }
      return { statuses, paid, audit: yield* (yield* Audit).payouts(shop) }
    }),
  )
  const keys = new Set(rail.book.map(({ key }) => key))
  const payouts = new Set([...paid.values()].map(({ payoutId }) => payoutId))
  const isSame = rail.book.every(({ key, amount }) => paid.get(key)?.amount === amount)
  const isRight =
    rail.book.length === count &&
    keys.size === count &&
    payouts.size === count &&
    isSame &&
    audit.differences.length === 0
  console.log(
    `${kind}: ${done} kills (${[...tally].map(([step, times]) => `${step}: ${times}`).join(", ")})`,
  )
  console.log(
    `${count} payouts; the rail moved money ${rail.book.length} times, under ${keys.size} keys; payments: ${JSON.stringify(statuses)}; audit: ${audit.differences.length} differences`,
  )
  console.log(isRight ? "each payout was paid exactly once" : "WRONG")
  stop()
  await close()
  process.exit(isRight ? 0 : 1)
}

const [mode, ...rest] = process.argv.slice(2)
await (mode === "work" ? work(rest) : main(process.argv.slice(2)))
