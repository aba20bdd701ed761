import { Analysis, Catalogue, type ProductGroup, RuleSet } from "apportion"
import { describe, expect, test } from "vitest"
import { stepsOfTurn } from "../../src/analysis/internal/Budget.js"
import { pigeons } from "./HardQuestions.js"

const all = { type: "products.all" } as const
const range = (length: number) => Array.from({ length }, (_, index) => index)

const group = (id: string, changes: Partial<ProductGroup.GroupInput>): ProductGroup.GroupInput => ({
  id,
  collaboratorId: "ada",
  link: all,
  percent: 5,
  ...changes,
})

/** Each group is kept away by tags of its own: it takes all of them to see one below. */
const kept = (count: number, tags: number) =>
  range(count).map((index) =>
    group(`g${String(index).padStart(4, "0")}`, {
      condition: {
        type: "order.tag",
        modifier: "NOT",
        values: range(tags).map((tag) => `t${(index * 7 + tag * 13) % count}`),
      },
      percent: 1 + (index % 3),
    }),
  )

const dated = (count: number) =>
  range(count).map((index) =>
    group(`g${index}`, {
      link: { type: "products.tag", values: [`t${index % 7}`] },
      createdAt: index,
      startsAt: index * 10,
      endsAt: index * 10 + 75 + (index % 50),
      percent: 1 + (index % 2),
    }),
  )

const referring = (count: number) =>
  range(count).map((index) =>
    group(`r${index}`, {
      collaboratorId: `c${index}`,
      condition: { type: "referer", values: [`blog${index}`] },
      amount: index % 5 === 0 ? 3 : null,
    }),
  )

const products = range(60).map((index) => ({
  id: `p${index}`,
  price: 500 + index,
  tags: range(4).map((tag) => `t${(index + tag * tag) % 7}`),
}))

/** Rule sets of which each is hard for some analysis, without a catalogue and with one. */
const hard: ReadonlyArray<readonly [name: string, ReadonlyArray<ProductGroup.GroupInput>]> = [
  ["groups that are kept away by a tag each", kept(150, 1)],
  ["groups that are kept away by three tags each", kept(120, 3)],
  ["pigeons with a hole too few", [...pigeons(8), group("last", {})]],
  ["groups in force for a while", dated(200)],
  ["groups for referers on everything", referring(80)],
]

const everything = (
  groups: ReadonlyArray<ProductGroup.GroupInput>,
  options: Analysis.Options,
): ReadonlyArray<readonly [string, () => Analysis.Steps<unknown>]> => {
  const rules = RuleSet.make(groups)
  const others = RuleSet.make(groups.slice(1))
  const { steps } = Analysis
  const catalogue = options.catalogue ?? Catalogue.make([])
  return [
    ["dead groups", () => steps.deadGroups(rules, options)],
    ["redundant groups", () => steps.redundantGroups(rules, options)],
    ["overlaps", () => steps.overlaps(rules, options)],
    ["over-allocation", () => steps.overAllocation(rules, options)],
    ["equivalent", () => steps.equivalent(rules, others, options)],
    ["unpaid products", () => steps.unpaidProducts(rules, catalogue, options)],
  ]
}

/** Goes through an analysis and counts its steps, up to where it stopped for the last time. */
const counted = (analysis: Analysis.Steps<unknown>) => {
  let [steps, apart] = [0, 0]
  for (let next = analysis.next(); next.done !== true; next = analysis.next()) {
    apart = Math.max(apart, next.value.steps - steps)
    steps = next.value.steps
  }
  return { steps, apart }
}

describe.each(hard)("of %s", (_, groups) => {
  const catalogue = Catalogue.make(products)

  test.each(["any product", "a catalogue"])("an analysis of %s keeps to its budget", (about) => {
    const known = about === "a catalogue" ? { catalogue } : {}
    for (const stacking of ["most-specific", "all"] as const) {
      const budget = 5 * stepsOfTurn
      for (const [name, ask] of everything(groups, { ...known, budget, policy: { stacking } })) {
        const { steps, apart } = counted(ask())
        expect(steps, name).toBeLessThan(2 * budget)
        // One piece of work is under way when it is time to stop.
        expect(apart, name).toBeLessThan(2 * stepsOfTurn)
      }
    }
  })
})
