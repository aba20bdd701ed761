/** A session of a transaction, without a database. */
import { Effect, Fiber, References } from "effect"
import { describe, expect, test } from "vitest"
import { type Asking, Session } from "../../src/sql/internal/Session.js"

/** Answers everything at once, with nothing. */
const connection: Asking = {
  execute: () => Effect.succeed([]),
  executeUnprepared: () => Effect.succeed([]),
}

describe("an answer that tells of a conflict", () => {
  test("counts, wherever who looks at it is called off", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const lost: Array<unknown> = []
        for (let steps = 4; steps < 24; steps += 1) {
          for (let turns = 0; turns < 12; turns += 1) {
            const session = new Session(connection, {
              accountId: "shop",
              mode: "write",
              actor: "a",
            })
            yield* session.send("insert sales", "INSERT", [], () =>
              session.conflict("sale", "1001"),
            )
            // It lets others go first after so many of its steps.
            const looking = yield* Effect.forkChild(session.answered).pipe(
              Effect.provideService(References.MaxOpsBeforeYield, steps),
            )
            for (let turn = 0; turn < turns; turn += 1) yield* Effect.yieldNow
            yield* Fiber.interrupt(looking)
            yield* Effect.ignore(session.answered)
            if (session.failure === undefined) lost.push({ steps, turns })
          }
        }
        expect(lost).toEqual([])
      }),
    ))
})
