/** Signatures as Standard Webhooks specifies: HMAC-SHA256 over the id, the time and the body. */
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import type { SigningKey } from "../../../ports/EndpointStore.js"

const prefix = "whsec_"
const [leastBytes, mostBytes, usualBytes] = [24, 64, 32]

const bytesOf = (key: string): Uint8Array | undefined => {
  if (!key.startsWith(prefix)) return undefined
  const bytes = Result.getOrUndefined(Base64.decode(key.slice(prefix.length)))
  const isFit = bytes !== undefined && bytes.length >= leastBytes && bytes.length <= mostBytes
  return isFit ? bytes : undefined
}

/** Whether a text is a key: `whsec_` and 24 to 64 bytes in base64. */
export const isKey = (key: unknown): key is string =>
  typeof key === "string" && bytesOf(key) !== undefined

/** A new key, from the random numbers of a layer that is being built. */
export const newKey: Effect.Effect<Effect.Effect<string>, never, SecureRandom> = Effect.map(
  SecureRandom,
  (random) =>
    Effect.map(random.randomBytes(usualBytes), (bytes) => `${prefix}${Base64.encode(bytes)}`),
)

/** The keys that sign at a time, in Unix seconds. */
export const keysAt = (keys: ReadonlyArray<SigningKey>, at: number): ReadonlyArray<SigningKey> =>
  keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > at)

/** What is signed. */
export interface SignedMessage {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

const signatureOf = (key: string, message: SignedMessage) =>
  Effect.promise(async () => {
    const { subtle } = crypto
    const bytes = new Uint8Array(bytesOf(key) ?? [])
    const algorithm = { name: "HMAC", hash: "SHA-256" }
    const imported = await subtle.importKey("raw", bytes, algorithm, false, ["sign"])
    const content = `${message.id}.${message.timestamp}.${message.body}`
    const signature = await subtle.sign("HMAC", imported, new TextEncoder().encode(content))
    return `v1,${Base64.encode(new Uint8Array(signature))}`
  })

/** The headers of a message, with a signature for each key. */
export const headersOf = (message: SignedMessage, keys: ReadonlyArray<SigningKey>) =>
  Effect.map(
    Effect.forEach(keys, ({ key }) => signatureOf(key, message)),
    (signatures) => ({
      "webhook-id": message.id,
      "webhook-timestamp": String(message.timestamp),
      "webhook-signature": signatures.join(" "),
    }),
  )
