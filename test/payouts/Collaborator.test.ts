import { Collaborator, Permissions } from "apportion"
import * as Schemas from "apportion/schema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { withoutEach } from "./Fields.js"
import { failureOf } from "./Samples.js"

const base = { id: "ada", currency: "USD" }
const made = (input: object) => Collaborator.make({ ...base, ...input })
const problemsOf = (input: unknown) =>
  failureOf(Collaborator.parse(input)).problems.map(({ path }) => path)

describe("a collaborator", () => {
  it("needs only an id and a currency", () => {
    expect(made({})).toEqual({
      id: "ada",
      currency: "USD",
      payoutMeasurement: "month",
      payoutFrequency: 1,
      payoutThreshold: 0,
      payoutHoldingDays: null,
      shouldPayAutomatically: true,
      notes: null,
      permissions: Permissions.none,
      account: { name: "ada", paypalEmail: null, isManaged: false },
    })
  })

  it("keeps everything that is said", () => {
    const said = {
      ...base,
      payoutMeasurement: "week",
      payoutFrequency: 2,
      payoutThreshold: 5_000,
      payoutHoldingDays: 14,
      shouldPayAutomatically: false,
      notes: "Prefers e-mail",
      permissions: { ...Permissions.all, seeProductCost: false },
      account: { name: "Ada", paypalEmail: "ada@example.com", isManaged: true },
    }
    expect(made(said)).toEqual(said)
  })

  it("can be given back as it was made", () => {
    const collaborator = made({ payoutMeasurement: "monthly_date", payoutFrequency: -1 })
    expect(made(collaborator)).toEqual(collaborator)
    expect(Schema.decodeUnknownSync(Schemas.Collaborator)(collaborator)).toEqual(collaborator)
  })

  it("reads month_day as monthly_date", () => {
    const { payoutMeasurement } = made({ payoutMeasurement: "month_day", payoutFrequency: 28 })
    expect(payoutMeasurement).toBe("monthly_date")
  })

  it("is not allowed what its permissions do not say", () => {
    const { permissions } = made({ permissions: { seeProductPrice: true } })
    expect(permissions).toEqual({ ...Permissions.none, seeProductPrice: true })
  })
})

describe("Payouts, payout_frequency", () => {
  it("is a day from 1 to 28 or -1 for monthly_date and month_day", () => {
    for (const payoutMeasurement of ["monthly_date", "month_day"]) {
      for (const payoutFrequency of [-1, 1, 28]) {
        expect(made({ payoutMeasurement, payoutFrequency })).toMatchObject({ payoutFrequency })
      }
      for (const payoutFrequency of [-2, 0, 29, 31]) {
        const input = { ...base, payoutMeasurement, payoutFrequency }
        expect(failureOf(Collaborator.parse(input)).problems).toEqual([
          {
            path: "payoutFrequency",
            value: payoutFrequency,
            message: `must be a day of the month from 1 to 28, or -1 for its last day, got ${payoutFrequency}`,
          },
        ])
      }
    }
  })

  it("is 1 or more for month, week and day", () => {
    for (const payoutMeasurement of ["month", "week", "day"]) {
      expect(made({ payoutMeasurement, payoutFrequency: 400 })).toMatchObject({
        payoutFrequency: 400,
      })
      for (const payoutFrequency of [0, -1]) {
        expect(problemsOf({ ...base, payoutMeasurement, payoutFrequency })).toEqual([
          "payoutFrequency",
        ])
      }
    }
    expect(problemsOf({ ...base, payoutFrequency: 0 })).toEqual(["payoutFrequency"])
  })

  it("is checked by the schema of whole collaborators too", () => {
    const broken = { ...made({}), payoutFrequency: 0 }
    const read = Schema.decodeUnknownResult(Schemas.Collaborator)(broken)
    expect(failureOf(read).message).toBe(
      'must be from 1 to 1000 (every how many months), got 0\n  at ["payoutFrequency"]',
    )
  })

  it("has no field that the schema of whole collaborators could do without", () => {
    const isWhole = Schema.is(Schemas.Collaborator)
    expect(isWhole(made({}))).toBe(true)
    for (const [path, less] of withoutEach({ ...made({}) })) {
      expect([path, isWhole(less)]).toEqual([path, false])
    }
  })
})

describe("a collaborator that can't be used", () => {
  it("is told every problem at once, with its path and value", () => {
    const error = failureOf(
      Collaborator.parse({
        id: "",
        currency: "usd",
        payoutMeasurement: "monthly_date",
        payoutFrequency: 31,
        payoutThreshold: -1,
        payoutHoldingDays: 1.5,
        shouldPayAutomatically: "yes",
        notes: 7,
        permissions: { seeProductCost: 1 },
        account: { name: null },
      }),
    )
    expect(error._tag).toBe("InvalidCollaborator")
    expect(error.problems.map(({ path, value }) => [path, value])).toEqual([
      ["id", ""],
      ["currency", "usd"],
      ["payoutThreshold", -1],
      ["payoutHoldingDays", 1.5],
      ["shouldPayAutomatically", "yes"],
      ["notes", 7],
      ["permissions.seeProductCost", 1],
      ["account.name", null],
      ["payoutFrequency", 31],
    ])
    expect(error.message).toContain("payoutThreshold: ")
  })

  it("is no object at all, or has an unknown measurement", () => {
    for (const input of [null, undefined, 5, "ada"]) expect(problemsOf(input)).toEqual([""])
    expect(problemsOf({ ...base, payoutMeasurement: "year" })).toEqual(["payoutMeasurement"])
    expect(problemsOf({ ...base, payoutFrequency: Number.NaN })).toEqual(["payoutFrequency"])
  })
})

describe("a misspelt field of a collaborator", () => {
  const told = (input: object) => {
    const result = Collaborator.parse({ ...base, ...input })
    return Result.isFailure(result) ? result.failure.message : ""
  }

  it("is refused, and the fields that there are are told", () => {
    expect(told({ payoutTreshold: 5 })).toBe(
      "payoutTreshold: is no field of a collaborator; the fields here are id, currency, payoutMeasurement, payoutFrequency, payoutThreshold, payoutHoldingDays, shouldPayAutomatically, notes, permissions, account",
    )
    expect(told({ account: { email: "a@b.c" } })).toBe(
      "account.email: is no field of a collaborator; the fields here are name, paypalEmail, isManaged",
    )
    expect(told({ permissions: { seeEverything: true } })).toBe(
      `permissions.seeEverything: is no field of a collaborator; the fields here are ${Permissions.names.join(", ")}`,
    )
  })
})

describe("what a collaborator's terms may be at most", () => {
  it("is every thousand months, weeks or days, and ten years of holding", () => {
    const most = { payoutMeasurement: "week", payoutFrequency: 1_000, payoutHoldingDays: 3_650 }
    expect(made(most)).toMatchObject(most)
    const error = failureOf(
      Collaborator.parse({
        ...base,
        ...most,
        payoutFrequency: 1_001,
        payoutHoldingDays: 3_651,
      }),
    )
    expect(error.message).toBe(
      "payoutHoldingDays: must be a whole number from 0 to 3650, got 3651; payoutFrequency: must be from 1 to 1000 (every how many weeks), got 1001",
    )
    const monthly = { payoutMeasurement: "month_day", payoutFrequency: 29 }
    expect(failureOf(Collaborator.parse({ ...base, ...monthly })).message).toBe(
      "payoutFrequency: must be a day of the month from 1 to 28, or -1 for its last day, got 29",
    )
  })
})

describe("permissions", () => {
  it("are twelve, each with its own name", () => {
    expect(new Set(Permissions.names).size).toBe(12)
    expect(Object.keys(Permissions.all)).toEqual(Permissions.names)
    expect(Object.values(Permissions.all)).toEqual(Array(12).fill(true))
    expect(Object.values(Permissions.none)).toEqual(Array(12).fill(false))
  })

  it("are completed one by one", () => {
    for (const name of Permissions.names) {
      expect(Permissions.make({ [name]: true })).toEqual({ ...Permissions.none, [name]: true })
    }
    expect(Permissions.make()).toEqual(Permissions.none)
  })

  it("have schemas for whole and for partial ones", () => {
    expect(Schema.is(Schemas.Permissions)(Permissions.all)).toBe(true)
    expect(Schema.is(Schemas.Permissions)({ seeProductCost: true })).toBe(false)
    expect(Result.isSuccess(Permissions.parse({ seeProductCost: true }))).toBe(true)
    expect(Result.isSuccess(Permissions.parse({ seeProductCost: "true" }))).toBe(false)
  })
})
