import { type Job, Jobs } from "apportion/cluster"
import { Deferred, Effect, Fiber, Latch } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  answered,
  type HeldTurn,
  type HeldTurns,
  holding,
  stepping,
  tell,
} from "../../src/cluster/internal/heldTurns.js"
import * as jobStore from "../../src/cluster/internal/jobStore.js"
import * as lanes from "../../src/cluster/internal/lanes.js"
import { clientFor, pglite } from "../sql/databases.js"
import { openServices, orderOf, recording } from "./shop.js"

const client = clientFor(() => pglite)
let services: ReturnType<typeof openServices>
beforeAll(() => {
  services = openServices(client())
})
afterAll(() => services.dispose())

const enqueue = (...jobs: ReadonlyArray<Job>) =>
  services.runPromise(Effect.flatMap(Jobs, (service) => service.enqueue(jobs)))

const begin = (mostActive = 100) =>
  Effect.runPromise(lanes.begin(client(), ["close-due", "record-sales"], mostActive))

/** Begins the turn of an account that has a job of its own. */
const beginTurn = async (accountId: string): Promise<lanes.LaneTurn> => {
  await enqueue({ kind: "close-due", accountId })
  const turn = (await begin()).find((one) => one.accountId === accountId)
  if (turn === undefined) throw new TypeError("the account's turn has come")
  return turn
}

const standing = (turn: lanes.LaneTurn) => Effect.runPromise(lanes.before(client(), turn, 1))
/** Also those that moved in this very millisecond: the clock of the database within the process has no finer ones. */
const replaceAll = () => Effect.runPromise(lanes.replaceStuck(client(), -1))
const tellOf = (held: HeldTurns) => Effect.runPromise(tell(client(), held))

describe("a turn", () => {
  test("is over for who has it once another one has taken its place", async () => {
    const turn = await beginTurn("replaced")
    const held: HeldTurns = new Set()
    const isReplaced = ({ replaced }: HeldTurn) => Deferred.isDone(replaced)
    const program = holding(held, turn, (one) =>
      Effect.gen(function* () {
        yield* tell(client(), held)
        const before = yield* isReplaced(one)
        yield* Effect.promise(replaceAll)
        yield* tell(client(), held)
        return [before, yield* isReplaced(one)]
      }),
    )
    expect(await Effect.runPromise(program)).toEqual([false, true])
    expect(held.size).toBe(0)
    expect(await standing(turn)).toMatchObject({ after: "over" })
  })

  test("of an account that no column can name as it is called is told, advanced and over as any other", async () => {
    const turn = await beginTurn("turn\0\ud800")
    const held: HeldTurns = new Set()
    const told = holding(held, turn, ({ replaced }) =>
      Effect.andThen(tell(client(), held), Deferred.isDone(replaced)),
    )
    expect(await Effect.runPromise(told)).toBe(false)
    const [job] = await Effect.runPromise(jobStore.due(client(), { ...turn, kind: "close-due" }, 1))
    if (job === undefined) throw new TypeError("its job is due")
    await Effect.runPromise(jobStore.end(client(), [{ ...job, state: "done", outcome: "" }]))
    const step = { step: 1, sliceMillis: 1_000 }
    expect(await Effect.runPromise(lanes.advance(client(), turn, step))).toBe("over")
    expect(await standing(turn)).toMatchObject({ after: "over" })
  })

  const heldTurn = (turn: lanes.LaneTurn, isIdle: boolean): HeldTurn => ({
    ...turn,
    ...{ replaced: Deferred.makeUnsafe<void>(), idle: Latch.makeUnsafe(isIdle) },
  })

  test("is replaced only where nobody has told that it is alive", async () => {
    const turns = [await beginTurn("alive"), await beginTurn("lost"), await beginTurn("idle")]
    const [alive, lost, idle] = turns
    if (alive === undefined || lost === undefined || idle === undefined)
      throw new TypeError("three")
    await client()
      .unsafe("UPDATE apportion_cluster.lanes SET moved_at = clock_timestamp() - interval '1 hour'")
      .pipe(Effect.runPromise)
    await tellOf(new Set([heldTurn(alive, false), heldTurn(idle, true)]))
    const replaced = await Effect.runPromise(lanes.replaceStuck(client(), 60))
    const names = replaced.map(({ accountId }) => accountId)
    expect(names).toContain(lost.accountId)
    expect(names).toContain(idle.accountId)
    expect(names).not.toContain(alive.accountId)
  })

  test("is idle while it waits for an answer, and is given up when it is replaced meanwhile", async () => {
    const one = heldTurn({ accountId: "idle", kind: "close-due", turn: 1 }, false)
    const program = Effect.gen(function* () {
      const seen: Array<unknown> = [one.idle.isOpen()]
      const step = stepping(one, Effect.never)
      const answer = yield* Effect.forkChild(answered(one, Effect.never))
      yield* Effect.yieldNow
      seen.push(one.idle.isOpen())
      const carriedOut = yield* Effect.forkChild(step)
      yield* Effect.yieldNow
      yield* Deferred.succeed(one.replaced, undefined)
      yield* Effect.yieldNow
      // A step that is under way ends by itself.
      seen.push(one.idle.isOpen(), answer.pollUnsafe())
      yield* Fiber.interrupt(carriedOut)
      return [...seen, yield* Fiber.join(answer)]
    })
    expect(await Effect.runPromise(program)).toEqual([false, true, false, undefined, "replaced"])
    expect(await Effect.runPromise(answered(one, Effect.succeed("more")))).toBe("more")
  })

  test("that is lost is counted where it had begun to work, until the lane moves on", async () => {
    const turn = await beginTurn("counted")
    const count = (next: lanes.LaneTurn) => Effect.runPromise(lanes.countLoss(client(), next))
    await count(turn)
    expect(await standing(turn)).toEqual({ after: undefined, losses: 0 })
    await replaceAll()
    await replaceAll()
    const next = { ...turn, turn: turn.turn + 2 }
    expect(await standing(next)).toEqual({ after: undefined, losses: 1 })
    await count(next)
    expect(await standing(next)).toEqual({ after: undefined, losses: 2 })
    const advance = lanes.advance(client(), next, { step: 1, sliceMillis: 60_000 })
    expect(await Effect.runPromise(advance)).toBe("more")
    expect(await standing(next)).toEqual({ after: "more", losses: 0 })
  })
})

describe("lanes", () => {
  test("of one kind begin though many of another have waited for longer", async () => {
    await begin()
    await enqueue(
      ...Array.from(
        { length: 5 },
        (_, number): Job => ({ kind: "close-due", accountId: `a${number}` }),
      ),
    )
    await enqueue({ kind: "pay", accountId: "payer", rail: "bank" })
    const begun = await Effect.runPromise(lanes.begin(client(), ["pay"], 1))
    expect(begun.map(({ accountId, kind }) => [accountId, kind])).toEqual([["payer", "pay"]])
    expect(await Effect.runPromise(lanes.begin(client(), ["pay"], 1))).toEqual([])
  })
})

describe("the jobs of a step", () => {
  test("are those in front, and no more of them than fit into memory", async () => {
    const note = "x".repeat(300)
    const orders = (part: number) =>
      Array.from({ length: 200 }, (_, number) => ({
        ...orderOf(`${part}-${number}`),
        tags: [`${note}${part * number}`],
      }))
    await enqueue(...[1, 2, 3].map((part) => recording("big", `part-${part}`, orders(part))))
    await enqueue(recording("small", "1"), recording("small", "2"), recording("small", "3"))
    const lane = (accountId: string) => ({ accountId, kind: "record-sales" }) as const
    const due = (accountId: string) =>
      Effect.runPromise(jobStore.due(client(), lane(accountId), 100))
    expect((await due("small")).map(({ key }) => key)).toEqual(["1", "2", "3"])
    const big = (await due("big")).map(({ key }) => key)
    expect(big[0]).toBe("part-1")
    expect(big.length).toBeLessThan(3)
  })
})
