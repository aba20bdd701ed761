/** Whether a delivery is signed with one of the secrets that its platform shares with the host. */
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import * as Result from "effect/Result"
import type { Platform, SignatureClaim } from "../../../ports/Platform.js"
import { now } from "../transactions.js"

/** How many seconds a signed time may differ from that of the clock. */
const mostSecondsOff = 300

/** A shorter secret would be guessed, an empty one by everybody. */
const leastSecret = 8

const bytesOf = (signature: string, { encoding }: SignatureClaim): Uint8Array | undefined =>
  Result.getOrUndefined(encoding === "hex" ? Hex.decode(signature) : Base64.decode(signature))

/** WebCrypto compares in a time that does not depend on where the two differ. */
const isSignedWith = (secret: string, claim: SignatureClaim) =>
  Effect.promise(async () => {
    const { subtle } = crypto
    const text = new TextEncoder()
    const algorithm = { name: "HMAC", hash: "SHA-256" }
    const key = await subtle.importKey("raw", text.encode(secret), algorithm, false, ["verify"])
    const content = text.encode(claim.content)
    for (const signature of claim.signatures) {
      const bytes = bytesOf(signature, claim)
      if (bytes === undefined) continue
      if (await subtle.verify("HMAC", key, new Uint8Array(bytes), content)) return true
    }
    return false
  })

/** What is wrong with the signature; `undefined`: nothing. */
export const signatureProblem = Effect.fnUntraced(function* (
  { name, secrets }: Platform,
  claim: SignatureClaim | undefined,
) {
  if (claim === undefined) return `the delivery of ${name} is not signed`
  const usable = secrets.filter((secret) => secret.length >= leastSecret)
  if (usable.length === 0) {
    return `there is no secret of ${leastSecret} characters or more to check a delivery of ${name} with`
  }
  const age = claim.signedAt === null ? 0 : (yield* now) - claim.signedAt
  if (Math.abs(age) > mostSecondsOff) {
    const when = age > 0 ? "ago" : "ahead of the clock"
    return `the delivery of ${name} was signed ${Math.abs(age)} seconds ${when}`
  }
  for (const secret of usable) {
    if (yield* isSignedWith(secret, claim)) return undefined
  }
  return `the delivery of ${name} is not signed with any of the secrets`
})

/** A digest of a text, as the id of a delivery that has none. */
export const digestOf = (text: string) =>
  Effect.promise(async () => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
    return Hex.encode(new Uint8Array(digest))
  })
