import { Entry } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const entry = {
  collaborator_id: "ada",
  kind: "expense",
  amount: 1_250,
  name: "Frames",
  at: 1_700_000_000,
}
const problemsOf = (changes: object) => {
  const result = Entry.read({ ...entry, ...changes })
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}

describe("an expense or an income", () => {
  it("is read with every field, blanks around its name dropped", () => {
    expect(Result.getOrThrow(Entry.read({ ...entry, name: "  Frames " }))).toEqual({
      collaboratorId: "ada",
      kind: "expense",
      amount: 1_250,
      name: "Frames",
      at: 1_700_000_000,
    })
    expect(Result.getOrThrow(Entry.read({ ...entry, kind: "income" })).kind).toBe("income")
  })

  it("has a name of 1 to 200 characters, counted as people see them", () => {
    expect(problemsOf({ name: "🎨".repeat(200) })).toEqual([])
    expect(problemsOf({ name: "🎨".repeat(201) })).toHaveLength(1)
    expect(problemsOf({ name: "  " })).toEqual([["name", "  "]])
    expect(problemsOf({ name: 5 })).toEqual([["name", 5]])
  })

  it("has an amount above 0, and tells every problem at once", () => {
    expect(problemsOf({ amount: 0 })).toEqual([["amount", 0]])
    expect(problemsOf({ collaborator_id: null, kind: "bonus", amount: -5, at: {} })).toEqual([
      ["collaborator_id", null],
      ["kind", "bonus"],
      ["amount", -5],
      ["at", {}],
    ])
  })
})

describe("the request to add an expense or an income", () => {
  it("says an amount and a name, and nothing else counts", () => {
    const input = { amount: 5, name: " Frames ", id: "x", kind: "bonus" }
    expect(Result.getOrThrow(Entry.readRequest(input))).toEqual({ amount: 5, name: "Frames" })
  })

  it("tells everything that is wrong with it", () => {
    const result = Entry.readRequest({ amount: "5" })
    expect(Result.isFailure(result) && result.failure.problems.map(({ path }) => path)).toEqual([
      "amount",
      "name",
    ])
  })
})
