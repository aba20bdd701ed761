import { Agreements, Balances } from "apportion/agreements"
import { Agreement } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { agreementsOf, saleOf } from "../agreements/Histories.js"
import { Chance } from "../generators/Chance.js"

const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const problemsOf = (
  result: Result.Result<unknown, { readonly problems: ReadonlyArray<object> }>,
) => (Result.isFailure(result) ? result.failure.problems : "no problem")

const advance = { id: "a1", collaborator_id: "ada", currency: "USD", amount: 500, granted_at: 0 }

describe("agreements as JSON", () => {
  it("are read again as they were written, with the balances of their sales", () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const chance = new Chance(seed)
      const size = chance.onceIn(8) ? "vast" : "usual"
      const agreements = agreementsOf(chance, size)
      const written = throughText(Agreement.write(agreements))
      const read = Result.getOrThrow(Agreement.read(written))
      expect(read).toEqual(agreements)
      expect(throughText(Agreement.write(read))).toEqual(written)
      const sale = saleOf(chance, { orderId: "1", at: 86_400, size })
      const sold = Agreements.post(agreements, Balances.empty, sale)
      if (Result.isFailure(sold)) continue
      const { balances } = sold.success
      const kept = throughText(Agreement.writeBalances(balances))
      expect(Result.getOrThrow(Agreement.readBalances(kept))).toEqual(balances)
    }
  })

  it("may have ids that are numbers, times with their offset, and small letters in currencies", () => {
    const tolerant = {
      ...advance,
      id: 17,
      currency: "usd",
      granted_at: "2026-01-01T01:00:00+01:00",
    }
    expect(Result.getOrThrow(Agreement.read({ advances: [tolerant] })).advances).toEqual([
      {
        ...{
          id: "17",
          collaboratorId: "ada",
          currency: "USD",
          amount: 500,
          grantedAt: 1_767_225_600,
        },
        ...{ purpose: "advance", percent: "100.00", groups: null, alsoFrom: [] },
      },
    ])
  })

  it("have the problems of fields and those between agreements at their paths", () => {
    const input = {
      advances: [{ ...advance, id: "", amount: "5", percent: "1.234", also_from: ["ben", 1.5] }],
      overrides: [{ id: "o1", collaborator_id: "kim", of: "all", paid_by: "share" }],
    }
    expect(problemsOf(Agreement.read(input))).toMatchObject([
      { path: "advances[0].id", message: expect.stringContaining("must be an id") },
      { path: "advances[0].also_from[1]", value: 1.5 },
      { path: "advances[0].amount", value: "5" },
      { path: "advances[0].percent", value: "1.234" },
      { path: "overrides[0].percent", message: "is missing" },
      { path: "overrides[0].of", value: "all" },
    ])
    const between = { advances: [{ ...advance, also_from: ["ben", "ada"] }] }
    expect(problemsOf(Agreement.read(between))).toMatchObject([
      { path: "advances[0].also_from[1]", value: "ada" },
    ])
  })

  it("are refused with misspelt fields, which would have no effect", () => {
    const input = { advance: [advance], advances: [{ ...advance, collaborater_id: "ben" }] }
    expect(problemsOf(Agreement.read(input))).toMatchObject([
      { path: "advance", message: expect.stringContaining("advances") },
      { path: "advances[0].collaborater_id", message: expect.stringContaining("collaborator_id") },
    ])
    expect(problemsOf(Agreement.read([]))).toMatchObject([{ path: "", value: [] }])
    expect(problemsOf(Agreement.read({ advances: {} }))).toMatchObject([{ path: "advances" }])
  })

  it("have balances that say whether they are of a group", () => {
    const held = {
      ...{ reserve_id: "r1", order_id: "1", item_id: "1", collaborator_id: "ada", currency: "USD" },
      ...{ place: 0, release_at: 5, amount: 3 },
    }
    expect(problemsOf(Agreement.readBalances({ held: [held] }))).toMatchObject([
      { path: "held[0].group_id", message: expect.stringContaining("is missing") },
    ])
    const read = Result.getOrThrow(Agreement.readBalances({ held: [{ ...held, group_id: null }] }))
    expect(read.held[0]?.groupId).toBe(null)
    expect(problemsOf(Agreement.readBalances({ advances: [{ advance_id: "a1" }] }))).toMatchObject([
      { path: "advances[0].recouped", message: "is missing" },
    ])
  })
})
