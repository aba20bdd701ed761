import type { LinkJob } from "apportion/ports"
import { Effect, Fiber, Latch, Semaphore } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import { linkAccount, makeBackoff } from "../../src/service/internal/rules/linkWork.js"

const job: LinkJob = {
  ...{ groupId: "g", groupVersion: 1, after: null, scanned: 0, status: "running" },
  ...{ startedAt: 0, updatedAt: 0 },
}

test("an account with many products to link lets others go first after a quarter of a second", () => {
  const batches: Array<string> = []
  // The first never ends; the others have one batch each, which takes a tenth of a second.
  const left = new Map([
    ["many", Number.POSITIVE_INFINITY],
    ["few", 1],
    ["fewer", 1],
  ])
  const program = Effect.gen(function* () {
    const turns = yield* Semaphore.make(1)
    const tools = {
      ...{ processId: "here", inTurn: turns.withPermit, othersWait: () => true },
      runningJobs: (accountId: string) =>
        Effect.succeed((left.get(accountId) ?? 0) > 0 ? [job] : []),
      linkNext: (accountId: string) =>
        Effect.gen(function* () {
          batches.push(accountId)
          left.set(accountId, (left.get(accountId) ?? 0) - 1)
          yield* TestClock.adjust("100 millis")
          return true
        }),
      giveUp: () => Effect.void,
    }
    const start = (accountId: string) =>
      Effect.forkChild(
        linkAccount(tools, {
          ...{ accountId, awake: Latch.makeUnsafe(), backoff: makeBackoff(), leave: () => {} },
        }),
      )
    const first = yield* start("many")
    const others = [yield* start("few"), yield* start("fewer")]
    yield* Effect.forEach(others, Fiber.join)
    yield* Fiber.interrupt(first)
  })
  return Effect.runPromise(Effect.provide(program, TestClock.layer())).then(() => {
    expect(batches.slice(0, 5)).toEqual(["many", "many", "many", "few", "fewer"])
  })
})
