import { createHash } from "node:crypto"
import { toWebHandler } from "apportion/http"
import { type StoredToken, Tokens } from "apportion/ports"
import { Payouts } from "apportion/service"
import { Context, Effect } from "effect"
import { expect, test } from "vitest"
import { openStocked, readAnswer, requestOf } from "./Shop.js"

/** Adds an expense with a token that is stored in some way, and gives who the history says it was. */
const actorWith = async (stored: Partial<StoredToken>, headers = {}) => {
  const shop = await openStocked()
  const tokens = { find: (hash: string) => Effect.succeed({ hash, accountId: "store", ...stored }) }
  const api = toWebHandler(Context.add(shop.context, Tokens, tokens), {
    ratePerMinute: "unlimited",
  })
  const body = { amount: 5, name: "Tea" }
  const path = `/v1/payouts/${shop.payoutId}/expense`
  const request = requestOf("POST", path, { token: "s3cret", body, headers })
  const { status } = await readAnswer(await api.handler(request))
  const history = await shop.run(
    Effect.flatMap(Payouts, (payouts) => payouts.history("store", shop.payoutId)),
  )
  await api.dispose()
  await shop.close()
  return { status, actor: history.at(-1)?.actor, changes: history.length }
}

test("a request is made by whom its token belongs to", async () => {
  expect(await actorWith({ actor: "alice@till" })).toMatchObject({
    status: 200,
    actor: "alice@till",
  })
})

test("a request with an idempotency key is, too", async () => {
  const headers = { "idempotency-key": "k1" }
  expect(await actorWith({ actor: "alice" }, headers)).toMatchObject({
    status: 200,
    actor: "alice",
  })
})

test("of a token that belongs to nobody in particular the beginning of its hash is told", async () => {
  const hash = createHash("sha256").update("s3cret").digest("hex")
  const { actor } = await actorWith({})
  expect(actor).toBe(`token:${hash.slice(0, 8)}`)
})

test("a token whose owner can't be told of changes nothing", async () => {
  const before = (await actorWith({ actor: "alice" })).changes - 1
  const { status, changes } = await actorWith({ actor: "x".repeat(201) })
  expect({ status, changes }).toEqual({ status: 500, changes: before })
})
