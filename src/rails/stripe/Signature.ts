/**
 * Checks that a webhook is from Stripe.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { readSignatureHeader, signedContent } from "../../internal/stripe.js"
import { InvalidSignature } from "../InvalidSignature.js"

/**
 * A webhook as received, and the data to check it.
 *
 * @since 0.6.0
 * @category models
 */
export interface SignedByStripe {
  /** The body exactly as received: JSON that was parsed and written again has another signature. */
  readonly body: string
  /** The header `Stripe-Signature`; `null` when it is missing. */
  readonly header: string | null | undefined
  /** The endpoint's secrets, as `whsec_…`: several while one is being replaced. */
  readonly secrets: ReadonlyArray<string>
  /** The host's time in Unix seconds. */
  readonly now: number
  /** How many seconds old or ahead a webhook may be; 300 by default, as in Stripe's own libraries. */
  readonly tolerance?: number | undefined
}

const bytesOf = (hexadecimal: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hexadecimal.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const isSignedWith = async (
  secret: string,
  text: Uint8Array<ArrayBuffer>,
  signatures: ReadonlyArray<Uint8Array<ArrayBuffer>>,
): Promise<boolean> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const bytes = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"])
  // The platform compares in constant time, and all signatures are compared, whichever matches.
  const checks = signatures.map((signature) => crypto.subtle.verify("HMAC", key, signature, text))
  return (await Promise.all(checks)).includes(true)
}

/**
 * Checks the signature of a webhook: HMAC-SHA256 over its time and its body, with any of the secrets, and not older or
 * further ahead than the tolerance. Succeeds with the time at which it was signed, in Unix seconds; fails with
 * `InvalidSignature`. Stripe may send the same webhook several times: it has one effect.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Signature } from "apportion/rails/stripe"
 * import { Result } from "effect"
 *
 * const webhook = {
 *   body: '{"id":"evt_1"}',
 *   header: "t=1700000000,v1=2b3c1b7d4f9f8b0c53d1c1ec93b30b35e7c9b6ff0e7d6a1b1a2a4d7b6c3a2f10",
 *   secrets: ["whsec_secret"],
 *   now: 1_700_000_100,
 * }
 * const checked = await Signature.verify(webhook)
 * Result.isFailure(checked) && checked.failure.reason // => "wrong"
 * ```
 */
export const verify = async (
  webhook: SignedByStripe,
): Promise<Result.Result<number, InvalidSignature>> => {
  const { body, header, secrets, now, tolerance = 300 } = webhook
  const refuse = (reason: InvalidSignature["reason"], words: string) =>
    Result.fail(InvalidSignature.of("Stripe", reason, words))
  if (header === null || header === undefined || header === "") {
    return refuse("missing", "the header Stripe-Signature is not there")
  }
  const signed = readSignatureHeader(header)
  if (signed === undefined) {
    return refuse("malformed", "the header Stripe-Signature has no time or no v1 signature")
  }
  const text = new TextEncoder().encode(signedContent(signed, body))
  const usable = secrets.filter((secret) => secret !== "")
  const signatures = signed.signatures.map(bytesOf)
  const checks = usable.map((secret) => isSignedWith(secret, text, signatures))
  if (!(await Promise.all(checks)).includes(true)) {
    return refuse("wrong", "no signature was made with any of the secrets")
  }
  const at = Number(signed.at)
  return Math.abs(now - at) <= tolerance
    ? Result.succeed(at)
    : refuse("outdated", `it was signed at ${at}, and it is ${now} now`)
}
