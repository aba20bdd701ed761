import { createSign, generateKeyPairSync } from "node:crypto"
import { readFileSync } from "node:fs"
import { crc32 } from "node:zlib"
import { Signature } from "apportion/rails/paypal"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

/**
 * A certificate that was made for this test with openssl, good for a hundred years from November 2026, and what its key,
 * which is kept nowhere, signed.
 */
const certificate = readFileSync(new URL("./certificate.pem", import.meta.url), "utf8")
const signature =
  "gJFbY+X2LalB3hz/DGoP1rT+6BE4SaF0TmsheIDLch5Yud/KmqFloVTptdAbTdontIOdYoiMI+9pRx5bPJmn" +
  "tsoH61ZjhqssM5/N3Bhg5MVoALVTUkIiAuKbEmfrMcc36S/MjfTSpaUnKxoptHlf5174kDSt8gB/JJotmjmi" +
  "5Nxv1XKC3cxQPepXRMdwP2qV/4gsI4VViiKgiJhj1MlvEhPVbKnjCt83LolG8EtfukUL/XdwHMCU6qEpgRkP" +
  "zovHGQdYKpJRgS9Afn9ggNk3lgSQ4s9ivgbg6Wswugturymc/v5FBAT3YvTu/Y6Cadfqinbs32ezlQVf9udS" +
  "D6vXUg=="

const body = '{"id":"WH-1","summary":"Zoë 🎉"}'
const webhookId = "1JE4291016473214C"
const now = Date.UTC(2026, 11, 1) / 1000

const headers: Signature.PayPalHeaders = {
  transmissionId: "d938e770-8046-11e6-8103-6b62a8a99ac4",
  transmissionTime: "2026-12-01T00:00:00Z",
  signature,
  algorithm: "SHA256withRSA",
  certificateUrl: "https://api.paypal.com/v1/notifications/certs/CERT-360caa42",
}

/** What PayPal documents to be signed, with Node's own checksum, by another key. */
const signedByAnother = () => {
  const { transmissionId, transmissionTime } = headers
  const text = `${transmissionId}|${transmissionTime}|${webhookId}|${crc32(Buffer.from(body))}`
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return createSign("RSA-SHA256").update(text).sign(privateKey, "base64")
}

const check = async (changes: Partial<Signature.SignedByPayPal> = {}) => {
  const webhook = { body, headers, webhookId, certificate, now, ...changes }
  const checked = await Signature.verify(webhook)
  return Result.isSuccess(checked) ? "right" : checked.failure.reason
}

describe("the signature of PayPal's webhook", () => {
  it("is right for the very body, its id and time, and the webhook it was sent to", async () => {
    expect(await check()).toBe("right")
  })

  it("is wrong for anything else", async () => {
    expect(await check({ body: body.replace("🎉", "!") })).toBe("wrong")
    expect(await check({ webhookId: "other" })).toBe("wrong")
    expect(await check({ headers: { ...headers, transmissionId: "x" } })).toBe("wrong")
    expect(await check({ headers: { ...headers, transmissionTime: "x" } })).toBe("wrong")
    expect(await check({ headers: { ...headers, signature: signedByAnother() } })).toBe("wrong")
  })

  it("is not looked at when it is made in another way or can't be read", async () => {
    expect(await check({ headers: { ...headers, algorithm: "SHA1withRSA" } })).toBe("malformed")
    expect(await check({ headers: { ...headers, signature: "not base 64" } })).toBe("malformed")
    expect(await check({ certificate: "" })).toBe("malformed")
    expect(await check({ certificate: certificate.replace(/\n(.{40})/, "\n") })).toBe("malformed")
    const broken = "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----"
    expect(await check({ certificate: broken })).toBe("malformed")
  })

  it("is outdated when the certificate is not good at the host's time", async () => {
    expect(await check({ now: Date.UTC(2026, 10, 1) / 1000 })).toBe("outdated")
    expect(await check({ now: Date.UTC(2127, 0, 1) / 1000 })).toBe("outdated")
  })

  it("needs a certificate from PayPal's own place, and from nowhere else", () => {
    const allowed = (url: string) =>
      Result.isSuccess(Signature.certificateUrl({ certificateUrl: url }))
    expect(allowed("https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594")).toBe(
      true,
    )
    expect(allowed("https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1")).toBe(true)
    for (const url of [
      "http://api.paypal.com/v1/notifications/certs/CERT-1",
      "https://api.paypal.com.example.org/v1/notifications/certs/CERT-1",
      "https://api.paypal.com@example.org/v1/notifications/certs/CERT-1",
      "https://api.paypal.com/v1/notifications/certs/../../oauth2",
      "https://api.paypal.com/v1/notifications/certs/CERT-1?next=http://localhost",
      "https://169.254.169.254/v1/notifications/certs/CERT-1",
      "",
    ]) {
      expect(allowed(url), url).toBe(false)
    }
  })

  it("is read from the headers, and missing when one of them is", () => {
    const found = Signature.headersOf({
      "paypal-transmission-id": "id",
      "paypal-transmission-time": "time",
      "paypal-transmission-sig": "sig",
      "paypal-auth-algo": "SHA256withRSA",
      "paypal-cert-url": "url",
    })
    expect(Result.getOrThrow(found)).toEqual({
      transmissionId: "id",
      transmissionTime: "time",
      signature: "sig",
      algorithm: "SHA256withRSA",
      certificateUrl: "url",
    })
    const refused = Signature.headersOf({ "paypal-transmission-id": "id" })
    expect(Result.isFailure(refused) && refused.failure.message).toContain("paypal-cert-url")
  })
})
