import { describe, expect, test } from "vitest"
import { Analysis } from "../../src/index.js"
import { optionsOf, type PlantedCase, plantedFiles, plantedIn, rulesOf } from "./PlantedCase.js"

const told = ({ findings }: Analysis.Check) =>
  findings.map(({ rule, groupIds }) => [rule, ...groupIds].join(" ")).sort()

const expectedOf = ({ expected }: PlantedCase) =>
  expected.map(({ rule, groups }) => [rule, ...groups].join(" ")).sort()

const isOpen = ({ expected }: PlantedCase) => expected.some(({ groups }) => groups.includes("*"))

for (const file of plantedFiles) {
  describe(`planted in ${file}.json`, () => {
    for (const planted of plantedIn(file)) {
      test(`${planted.name}: ${planted.planted}`, () => {
        const check = Analysis.check(rulesOf(planted.groups), optionsOf(planted))
        if (isOpen(planted)) {
          expect(new Set(check.findings.map(({ rule }) => rule))).toEqual(
            new Set(planted.expected.map(({ rule }) => rule)),
          )
        } else expect(told(check)).toEqual(expectedOf(planted))
        if (planted.values === undefined) return
        expect(check.findings.map(({ values }) => values)).toEqual([planted.values])
      })
    }
  })
}

const all = plantedFiles.flatMap(plantedIn)
const flawed = all.filter(({ expected }) => expected.length > 0)

describe("the planted cases", () => {
  test("are many, flawed and clean ones", () => {
    expect(flawed.length).toBeGreaterThanOrEqual(45)
    expect(all.length - flawed.length).toBeGreaterThanOrEqual(20)
    expect(new Set(all.map(({ name, groups }) => JSON.stringify([name, groups]))).size).toBe(
      all.length,
    )
  })

  test("have every rule", () => {
    const planted = new Set(flawed.flatMap(({ expected }) => expected.map(({ rule }) => rule)))
    expect([...planted].sort()).toEqual(Analysis.checkRules.map(({ id }) => id).sort())
  })

  test("are found one rule at a time, too", () => {
    const others = (rule: Analysis.CheckRule) =>
      Object.fromEntries(
        Analysis.checkRules.map(({ id }) => [id, id === rule ? undefined : ("off" as const)]),
      )
    for (const planted of flawed) {
      const rules = rulesOf(planted.groups)
      for (const { rule } of planted.expected) {
        // That something is undecided is said of other rules.
        if (rule === "undecided") continue
        const options = { ...optionsOf(planted), severities: others(rule) }
        const found = Analysis.check(rules, options).findings.map((finding) => finding.rule)
        expect(new Set(found), planted.name).toEqual(new Set([rule]))
      }
    }
  })

  test("are found whatever the order of the groups", () => {
    for (const planted of all) {
      const groups = [...planted.groups].reverse()
      const { findings } = Analysis.check(rulesOf(groups), optionsOf(planted))
      const other = Analysis.check(rulesOf(planted.groups), optionsOf(planted))
      expect(
        findings.map(({ message }) => message),
        planted.name,
      ).toEqual(other.findings.map(({ message }) => message))
    }
  })
})
