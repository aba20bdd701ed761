import { describe, expect, it } from "vitest"
import * as Table from "../../../src/cli/output/Table.js"

const columns = [{ title: "who" }, { title: "note" }, { title: "amount", isNumber: true }]

describe("a table", () => {
  it("is as wide as it needs to be, with numbers at the right and without empty columns", () => {
    const rows = [
      ["ada", "", "5.00"],
      ["long-margin", "", "1234567.00"],
    ]
    expect(Table.table(columns, rows)).toBe(
      ["who              amount", "ada                5.00", "long-margin  1234567.00", ""].join(
        "\n",
      ),
    )
  })

  it("counts the places that characters take, not the characters", () => {
    const rows = [
      ["満月", "x", "1"],
      ["Zoë", "👩‍🎨", "10"],
      ["Zoe\u0308", "y", "3"],
    ]
    expect(Table.table(columns, rows)).toBe(
      [
        "who   note  amount",
        "満月  x          1",
        "Zoë   👩‍🎨        10",
        "Zoe\u0308   y          3",
        "",
      ].join("\n"),
    )
  })

  it("lets no text steer the terminal", () => {
    expect(Table.table(columns, [["a\u001b[2Jb", "\r\n", "1"]])).not.toMatch(/[^\P{Cc}\n]/u)
  })
})

describe("an amount", () => {
  it("has the decimals of its currency", () => {
    expect(Table.money(-5, "USD")).toBe("-0.05 USD")
    expect(Table.money(1234, "JPY")).toBe("1234 JPY")
    expect(Table.money(1234n, "KWD")).toBe("1.234 KWD")
  })

  it("beyond what a number holds exactly is told in the lowest unit, exactly", () => {
    expect(Table.figure(9_007_199_254_740_993n, "USD")).toBe(
      "9007199254740993 (in the lowest unit)",
    )
  })
})
