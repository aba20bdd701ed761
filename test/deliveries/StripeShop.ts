/** A shop that sells with Stripe: deliveries as Stripe sends them, and what the host does with them. */
import type { Platform } from "apportion/ports"
import { Deliveries, type RawDelivery } from "apportion/service"
import { Webhook } from "apportion/stripe"
import { DateTime, Effect } from "effect"
import { account } from "./Shop.js"

const secret = "whsec_of_the_endpoint"

export const stripe: Platform = Webhook.platform({ secrets: [secret] })

const signatureOf = async (content: string, key: string): Promise<string> => {
  const text = new TextEncoder()
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const imported = await crypto.subtle.importKey("raw", text.encode(key), algorithm, false, [
    "sign",
  ])
  const signature = await crypto.subtle.sign("HMAC", imported, text.encode(content))
  return Buffer.from(signature).toString("hex")
}

/** A delivery as Stripe sends it, signed at a time. */
export const signed = async (
  event: object,
  { at, key = secret }: { readonly at: number; readonly key?: string },
): Promise<RawDelivery> => {
  const body = JSON.stringify(event)
  const signature = await signatureOf(`${at}.${body}`, key)
  return { body, headers: { "Stripe-Signature": `t=${at},v1=${signature},v0=${"0".repeat(64)}` } }
}

/** Sends an event now. */
export const sendEvent = (event: object, platform: Platform = stripe) =>
  Effect.gen(function* () {
    const service = yield* Deliveries
    const at = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1_000)
    const delivery = yield* Effect.promise(() => signed(event, { at }))
    return yield* service.receive(account, platform, delivery)
  })

/** Sends one after the other. */
export const sendEvents = (...events: ReadonlyArray<object>) =>
  Effect.forEach(events, (event) => sendEvent(event))

/** What a host fetched from Stripe's API. */
export const fetched = (topic: string, document: object) =>
  Effect.gen(function* () {
    const service = yield* Deliveries
    return yield* service.receiveFetched(account, stripe, { topic, document })
  })

/** What waits in the inbox. */
export const waiting = Effect.gen(function* () {
  const entries = yield* (yield* Deliveries).list(account)
  return entries.map(({ key, state }) => `${key} ${state}`)
})
