import { createHmac } from "node:crypto"
import { Signature } from "apportion/rails/stripe"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const now = 1_767_225_600
const body = '{"id":"evt_1","note":"Zoë 🎉"}'
const secret = "whsec_paper-heron"

const signed = (at: number, text = body, key = secret) =>
  createHmac("sha256", key).update(`${at}.${text}`).digest("hex")

const reasonOf = async (changes: Partial<Signature.SignedByStripe>) => {
  const header = `t=${now},v1=${signed(now)},v0=${"0".repeat(64)}`
  const checked = await Signature.verify({ body, header, secrets: [secret], now, ...changes })
  return Result.isSuccess(checked) ? checked.success : checked.failure.reason
}

describe("the signature of Stripe's webhook", () => {
  it("is right for the very body, its time and the endpoint's secret", async () => {
    expect(await reasonOf({})).toBe(now)
  })

  it("is wrong for another body, another time, another secret, a scheme of tests", async () => {
    expect(await reasonOf({ body: body.replace("🎉", "!") })).toBe("wrong")
    expect(await reasonOf({ body: JSON.stringify(JSON.parse(body), null, 1) })).toBe("wrong")
    expect(await reasonOf({ header: `t=${now - 1},v1=${signed(now)}` })).toBe("wrong")
    expect(await reasonOf({ secrets: ["whsec_other"] })).toBe("wrong")
    expect(await reasonOf({ header: `t=${now},v0=${signed(now)}` })).toBe("malformed")
  })

  it("may be made with any of several secrets, and be one of several", async () => {
    const old = signed(now, body, "whsec_old")
    expect(await reasonOf({ secrets: ["whsec_new", secret] })).toBe(now)
    expect(await reasonOf({ header: `t=${now},v1=${old},v1=${signed(now)}` })).toBe(now)
    expect(await reasonOf({ header: `t=${now}, v1=${signed(now)}` })).toBe(now)
    expect(await reasonOf({ secrets: [] })).toBe("wrong")
    expect(await reasonOf({ secrets: [""] })).toBe("wrong")
  })

  it("is outdated beyond the tolerance, before and after, by the host's clock", async () => {
    expect(await reasonOf({ now: now + 300 })).toBe(now)
    expect(await reasonOf({ now: now + 301 })).toBe("outdated")
    expect(await reasonOf({ now: now - 301 })).toBe("outdated")
    expect(await reasonOf({ now: now + 900, tolerance: 900 })).toBe(now)
  })

  it("is missing or malformed when the header is", async () => {
    expect(await reasonOf({ header: null })).toBe("missing")
    expect(await reasonOf({ header: "" })).toBe("missing")
    for (const header of ["v1", `v1=${signed(now)}`, `t=x,v1=${signed(now)}`, "t=1,v1=zz", "=,="]) {
      expect(await reasonOf({ header }), header).toBe("malformed")
    }
  })
})
