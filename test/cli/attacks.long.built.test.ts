import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import {
  ask,
  endWhileBusy,
  heavyBodies,
  idleConnections,
  type Others,
  othersDuring,
  sendBody,
  Target,
  unreadPages,
  wrongTokens,
} from "./Attacks.js"
import { program } from "./Served.js"
import { Folder } from "./world.js"

const folder = new Folder()
afterAll(() => folder.remove())
const seed = folder.file("store.json", { collaborators: [{ id: "ada", currency: "EUR" }] })

/** More than it takes at rest, and far less than the answers that are asked for. */
const mostMegabytes = 400

const start = async (rate?: number, args: ReadonlyArray<string> = []): Promise<Target> => {
  const target = await Target.start(program, ["--seed", seed, ...args], { mostMegabytes, rate })
  onTestFinished(() => target.end())
  return target
}

const expectUnharmed = ({ asked, answered }: Others, target: Target): void => {
  expect(target.isAlive).toBe(true)
  expect(answered).toBe(asked)
}

describe("a server goes on, and answers everybody else, while somebody", () => {
  it.each([
    { connections: 2, requests: 170 },
    { connections: 2, requests: 16 },
    { connections: 150, requests: 16 },
  ])("asks for pages and reads none of them: $connections x $requests", async (size) => {
    const target = await start()
    expectUnharmed(await othersDuring(target.port, unreadPages(target, size)), target)
  })

  it("opens more connections than there may be", async () => {
    const target = await start()
    const during = await othersDuring(target.port, idleConnections(target, 1_500))
    expect(target.isAlive).toBe(true)
    expect(during.answered).toBeGreaterThan(0)
    expect((await ask(target.port, "/v1/payouts")).status).toBe(200)
  })

  it.each(Object.entries(heavyBodies))("sends a body of %s", async (name, body) => {
    const target = await start()
    const sent = sendBody(target, body())
    expectUnharmed(await othersDuring(target.port, sent), target)
    const statuses = { "endless marks": 201, nested: 400 }
    expect((await sent).status).toBe(
      Object.entries(statuses).find(([each]) => each === name)?.[1] ?? 422,
    )
  })
})

it("wrong tokens are looked up as often as a token may ask, and no more", async () => {
  const target = await start(60)
  const { lookedUp, refused } = await wrongTokens(target, 2_000)
  expect(lookedUp).toBe(60)
  expect(refused).toBeGreaterThan(60)
})

it("told to end, a server says that it is not ready, and breaks off no connection that is in use", async () => {
  // Long enough that everybody hears of it, on a computer that has other things to do as well.
  const target = await start(undefined, ["--drain", "10"])
  const { answered, broken, notReady, exitCode } = await endWhileBusy(target, 144)
  expect({ broken, notReady, exitCode }).toEqual({ broken: 0, notReady: 1, exitCode: 0 })
  expect(answered).toBeGreaterThan(144)
})
