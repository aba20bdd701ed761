/** What the page behind a collaborator's link shows while its answers come in any order. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import * as State from "../../src/web/statement/State.js"

interface Asked {
  readonly token: string
  readonly path: string
  readonly answer: (body: unknown) => void
}

/** The requests that wait for their answers. */
let asked: Array<Asked> = []

beforeEach(() => {
  asked = []
  vi.stubGlobal("document", { baseURI: "https://shop.example/statement/" })
  vi.stubGlobal("fetch", (url: URL, { headers }: { headers: { authorization: string } }) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const [, path = ""] = `${url.pathname}${url.search}`.split("/v1/seen")
    const token = headers.authorization.replace("Bearer ", "")
    asked.push({ token, path, answer: (body) => resolve(Response.json(body)) })
    return promise
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** Lets everything happen that waits for nothing. */
const settle = () => new Promise((resolve) => setTimeout(resolve))

/** Answers the requests of a token for a place, and waits for what follows of it. */
const answer = async (token: string, place: RegExp, body: unknown) => {
  const those = asked.filter((one) => one.token === token && place.test(one.path))
  expect(those.length, `${token} ${place}`).toBeGreaterThan(0)
  asked = asked.filter((one) => !those.includes(one))
  for (const one of those) one.answer(body)
  await settle()
}

const openAt = async (token: string) => {
  vi.stubGlobal("location", { hash: `#${token}` })
  void State.open()
  await settle()
}

const line = (id: string) => ({ payout_id: id })

const answerOwner = (token: string) =>
  answer(token, /^$/, { data: { collaborator: { id: token, name: token }, language: "en" } })

const answerPayouts = (token: string) =>
  answer(token, /^\/payouts/, { data: [{ id: token }], meta: { last_page: 1 } })

const answerStatement = async (token: string, ids: ReadonlyArray<string>, next: string | null) => {
  const data = { statements: [], agreements: [], terms: [] }
  await answer(token, /^\/statement(\?|$)/, { data })
  await answer(token, /^\/statement\/lines/, { data: ids.map(line), meta: { next } })
}

const opened = async (token: string, ids: ReadonlyArray<string>, next: string | null = null) => {
  await openAt(token)
  await answerOwner(token)
  await answerPayouts(token)
  await answerStatement(token, ids, next)
  expect(State.progress.value).toBe("ready")
}

const shownIds = () => State.lines.value.map(({ payout_id }) => payout_id)

test("a link that is opened while another one loads shows nothing of that", async () => {
  await openAt("ada")
  await opened("kim", ["k1"])
  await answerOwner("ada")
  await answerPayouts("ada")
  expect(State.owner.value?.collaborator.name).toBe("kim")
  expect(State.payouts.value).toEqual([{ id: "kim" }])
  expect([State.progress.value, shownIds()]).toEqual(["ready", ["k1"]])
})

test("an explanation that was asked for with one link is none of another", async () => {
  await opened("ada", ["a1"])
  void State.explain("1001")
  await settle()
  await opened("kim", ["k1"])
  await answer("ada", /explanation/, { data: [] })
  expect(State.explained.value.get("1001")).toBeUndefined()
})

test("figures keep the name of their period until those of another one are there", async () => {
  await opened("ada", ["a1"])
  State.period.value = "thisYear"
  void State.load()
  await settle()
  expect([State.shown.value, shownIds()]).toEqual(["everything", ["a1"]])
  await answerStatement("ada", ["a2"], null)
  expect([State.shown.value, shownIds()]).toEqual(["thisYear", ["a2"]])
  State.period.value = "everything"
})

test("lines that follow those of one period are not added to those of another", async () => {
  await opened("ada", ["a1"], "place")
  State.period.value = "thisYear"
  void State.load()
  void State.loadMore()
  await settle()
  expect(asked.at(-1)?.path).toBe("/statement/lines?after=place")
  const more = asked.pop()
  await answerStatement("ada", ["a2"], null)
  more?.answer({ data: [line("a3")], meta: { next: null } })
  await settle()
  expect([shownIds(), State.following.value]).toEqual([["a2"], "here"])
  State.period.value = "everything"
})
