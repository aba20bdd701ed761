import { describe, expect, it } from "vitest"
import { RecentValues } from "../../src/service/internal/RecentValues.js"

describe("what a service remembers of accounts", () => {
  it("is bounded: the one that was not used for the longest time goes first", () => {
    const kept = new RecentValues<{ readonly name: string }>(2)
    kept.set("one", { name: "1" })
    kept.set("two", { name: "2" })
    kept.get("one")
    kept.set("three", { name: "3" })
    expect(["one", "two", "three"].map((key) => kept.get(key)?.name)).toEqual(["1", undefined, "3"])
  })

  it("is the last that was set", () => {
    const kept = new RecentValues<{ readonly name: string }>(2)
    kept.set("one", { name: "1" })
    kept.set("one", { name: "1, changed" })
    kept.set("two", { name: "2" })
    expect(["one", "two"].map((key) => kept.get(key)?.name)).toEqual(["1, changed", "2"])
  })
})
