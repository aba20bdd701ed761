/**
 * Checks that a webhook is from PayPal.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { InvalidSignature } from "../InvalidSignature.js"
import { readCertificate } from "./internal/certificate.js"

/**
 * The headers of a webhook of PayPal.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayPalHeaders {
  /** `PAYPAL-TRANSMISSION-ID`. */
  readonly transmissionId: string
  /** `PAYPAL-TRANSMISSION-TIME`, as received. */
  readonly transmissionTime: string
  /** `PAYPAL-TRANSMISSION-SIG`. */
  readonly signature: string
  /** `PAYPAL-AUTH-ALGO`. */
  readonly algorithm: string
  /** `PAYPAL-CERT-URL`. */
  readonly certificateUrl: string
}

const refuse = (reason: InvalidSignature["reason"], words: string) =>
  Result.fail(InvalidSignature.of("PayPal", reason, words))

const names: Readonly<Record<keyof PayPalHeaders, string>> = {
  transmissionId: "paypal-transmission-id",
  transmissionTime: "paypal-transmission-time",
  signature: "paypal-transmission-sig",
  algorithm: "paypal-auth-algo",
  certificateUrl: "paypal-cert-url",
}

/**
 * The headers of a webhook that its signature needs. Fails with `InvalidSignature` when one is missing.
 *
 * @param headers - by their names in lower case
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Signature } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const headers = Signature.headersOf({ "paypal-auth-algo": "SHA256withRSA" })
 * Result.isFailure(headers) && headers.failure.reason // => "missing"
 * ```
 */
export const headersOf = (
  headers: Readonly<Record<string, string | undefined>>,
): Result.Result<PayPalHeaders, InvalidSignature> => {
  const value = (name: keyof PayPalHeaders) => headers[names[name]] ?? ""
  const found: PayPalHeaders = {
    transmissionId: value("transmissionId"),
    transmissionTime: value("transmissionTime"),
    signature: value("signature"),
    algorithm: value("algorithm"),
    certificateUrl: value("certificateUrl"),
  }
  const missing = Object.values(names).filter((name) => (headers[name] ?? "") === "")
  return missing.length === 0
    ? Result.succeed(found)
    : refuse("missing", `the headers ${missing.join(", ")} are not there`)
}

/** The address of PayPal's certificates: a certificate from anywhere else could be an attacker's. */
const certificatePlace =
  /^https:\/\/api(?:-m)?(?:\.sandbox)?\.paypal\.com\/v1\/notifications\/certs\/[A-Za-z0-9._-]+$/

/**
 * The URL of PayPal's certificate, which the host fetches to check a webhook; it may be cached, as it never changes.
 * Fails with `InvalidSignature` when the URL is not one of PayPal's certificates: it is part of the webhook, so an
 * attacker could name their own certificate, or an address inside the host's network.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Signature } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const certificateUrl = "https://api.paypal.com.example.org/v1/notifications/certs/CERT-1"
 * const refused = Signature.certificateUrl({ certificateUrl })
 * Result.isFailure(refused) && refused.failure.reason // => "wrong"
 * ```
 */
export const certificateUrl = (
  headers: Pick<PayPalHeaders, "certificateUrl">,
): Result.Result<string, InvalidSignature> =>
  certificatePlace.test(headers.certificateUrl)
    ? Result.succeed(headers.certificateUrl)
    : refuse("wrong", "its certificate is not at a place of PayPal")

/**
 * A webhook as received, and the data to check it.
 *
 * @since 0.6.0
 * @category models
 */
export interface SignedByPayPal {
  /** The body exactly as received: JSON that was parsed and written again has another signature. */
  readonly body: string
  readonly headers: PayPalHeaders
  /** The id of the webhook, as PayPal shows it where it is set up. */
  readonly webhookId: string
  /** The certificate from {@link certificateUrl}, in PEM. */
  readonly certificate: string
  /** The host's time in Unix seconds, at which the certificate must be valid. */
  readonly now: number
}

const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const isSigned = async (
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  text: string,
): Promise<boolean> => {
  const bytes = new TextEncoder().encode(text)
  try {
    const key = await crypto.subtle.importKey("spki", publicKey, algorithm, false, ["verify"])
    return await crypto.subtle.verify(algorithm, key, signature, bytes)
  } catch {
    // The key is not an RSA key.
    return false
  }
}

/** CRC-32 as in zip and PNG, of the reversed polynomial. */
const remainders: Uint32Array = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xed_b8_83_20 : rest >>> 1
  return rest
})

/** The checksum of bytes, from 0 to 4294967295. */
const crc32 = (bytes: Uint8Array): number => {
  let rest = 0xff_ff_ff_ff
  for (const byte of bytes) rest = (remainders[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8)
  return (rest ^ 0xff_ff_ff_ff) >>> 0
}

/**
 * Checks the signature of a webhook: RSA with SHA-256 over its id, its time, the id of the webhook and the CRC-32 of
 * the body, with the key of PayPal's certificate. Fails with `InvalidSignature`. PayPal may send the same webhook
 * several times over three days: it has one effect.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Signature } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const headers = {
 *   transmissionId: "d938e770-8046-11e6-8103-6b62a8a99ac4",
 *   transmissionTime: "2026-01-27T10:17:41Z",
 *   signature: "c2lnbmF0dXJl",
 *   algorithm: "SHA256withRSA",
 *   certificateUrl: "https://api.paypal.com/v1/notifications/certs/CERT-1",
 * }
 * const webhook = { body: "{}", headers, webhookId: "1JE4291016473214C", certificate: "", now: 1_769_509_061 }
 * const checked = await Signature.verify(webhook)
 * Result.isFailure(checked) && checked.failure.reason // => "malformed"
 * ```
 */
export const verify = async (
  webhook: SignedByPayPal,
): Promise<Result.Result<void, InvalidSignature>> => {
  const { body, headers, webhookId, now } = webhook
  if (headers.algorithm !== "SHA256withRSA") {
    return refuse("malformed", `it is signed with ${headers.algorithm}, not with SHA256withRSA`)
  }
  const certificate = readCertificate(webhook.certificate)
  if (certificate === undefined) return refuse("malformed", "the certificate can't be read")
  const signature = bytesOf(headers.signature)
  if (signature === undefined) return refuse("malformed", "the signature is not in base 64")
  const checksum = crc32(new TextEncoder().encode(body))
  const { transmissionId, transmissionTime } = headers
  const text = `${transmissionId}|${transmissionTime}|${webhookId}|${checksum}`
  if (!(await isSigned(certificate.publicKey, signature, text))) {
    return refuse("wrong", "the signature is of another body, another webhook or another sender")
  }
  return now >= certificate.from && now <= certificate.until
    ? Result.succeed(undefined)
    : refuse("outdated", "the certificate is not good at this time")
}
