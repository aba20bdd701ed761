import { Catalogue, type ProductGroup, RuleSet } from "apportion"
import { describe, expect, test } from "vitest"
import { finish } from "../../../src/analysis/internal/Budget.js"
import type { GroupsPart } from "../../../src/analysis/internal/Inquiry.js"
import { Inquiry } from "../../../src/analysis/internal/Inquiry.js"
import { type ResolvedOptions, settingOf } from "../../../src/analysis/internal/ResolvedOptions.js"

const group = (id: string, collaboratorId = "ada"): ProductGroup.GroupInput => ({
  id,
  collaboratorId,
  link: { type: "products.tag", values: [id] },
  percent: 10,
})

/** A product for each list of tags, called p0, p1 and so on. */
const selling = (...lists: ReadonlyArray<ReadonlyArray<string>>) =>
  settingOf({ catalogue: Catalogue.make(lists.map((tags, place) => ({ id: `p${place}`, tags }))) })

const partsOf = (ruleSets: ReadonlyArray<RuleSet.RuleSet>, setting: ResolvedOptions) => {
  const inquiry = new Inquiry(ruleSets, setting)
  return finish(inquiry.parts(inquiry.budget())) ?? []
}

const wholeOf = (
  ruleSets: ReadonlyArray<RuleSet.RuleSet>,
  setting: ResolvedOptions,
): GroupsPart => {
  const inquiry = new Inquiry(ruleSets, setting)
  const whole = finish(inquiry.whole(inquiry.budget()))
  if (whole === undefined) throw new RangeError("the budget suffices")
  return whole
}

const rulesOf = (...groups: ReadonlyArray<ProductGroup.GroupInput>) => RuleSet.make(groups)

const namesOf = ({ products }: GroupsPart) => products.map(({ id }) => id)

/** For each group the products of each kind that it is linked to. */
const linkedOf = ({ rows, products }: GroupsPart) =>
  Object.fromEntries(
    rows
      .flatMap(({ list }) => list)
      .map(({ group: { id }, predicate }) => [
        id,
        [...(predicate.kinds ?? [])].map((kind) => products[kind]?.id),
      ]),
  )

describe("the products of a catalogue that some groups tell apart", () => {
  const kinds = (...lists: ReadonlyArray<ReadonlyArray<string>>): GroupsPart =>
    wholeOf([rulesOf(group("art"), group("print"))], selling(...lists))

  test("are the first that is linked to none of them, and the first of each kind", () => {
    const part = kinds([], ["art"], [], ["art"], ["art", "print"], ["print", "art"])
    expect(namesOf(part)).toEqual(["p0", "p1", "p4"])
    expect(part.world.kinds).toBe(3)
    expect(linkedOf(part)).toEqual({ art: ["p1", "p4"], print: ["p4"] })
  })

  test("have none that is linked to none of them, where there is none", () => {
    const part = kinds(["art"], ["print"], ["art"])
    expect(namesOf(part)).toEqual(["p0", "p1"])
    expect(linkedOf(part)).toEqual({ art: ["p0"], print: ["p1"] })
  })

  test("have it also where it comes between the others, or last, or alone", () => {
    expect(namesOf(kinds(["art"], ["else"], ["art"], ["print"]))).toEqual(["p0", "p1", "p3"])
    expect(namesOf(kinds(["art"], ["print"], ["else"], ["else"]))).toEqual(["p0", "p1", "p2"])
    expect(namesOf(kinds(["else"], ["else"]))).toEqual(["p0"])
  })

  test("are told by all of their groups, however many there are", () => {
    const many = Array.from({ length: 23 }, (_, index) => group(`g${index}`))
    const lists = [["g1", "g2"], ["g12"], ["g21"], ["g1", "g22"], ["g11", "g2"]]
    expect(namesOf(wholeOf([rulesOf(...many)], selling(...lists)))).toHaveLength(5)
  })

  test("are those that a collaborator's own groups tell apart", () => {
    const rules = rulesOf(group("art"), group("print", "sam"))
    const parts = partsOf([rules], selling(["print"], ["art", "print"], ["art"]))
    expect(parts.map((part) => [part.collaboratorId, ...namesOf(part)])).toEqual([
      ["ada", "p0", "p1"],
      ["sam", "p0", "p2"],
    ])
  })
})

test("where products are not known, there are no kinds of them", () => {
  const part = wholeOf([rulesOf(group("art"))], settingOf({}))
  expect(part.products).toEqual([])
  expect(part.world.kinds).toBeUndefined()
})

test("who has groups in one of two rule sets only has none in the other", () => {
  const parts = partsOf([rulesOf(group("art")), rulesOf(group("print", "sam"))], settingOf({}))
  const ids = parts.map(({ rows }) => rows.map(({ list }) => list.map((each) => each.group.id)))
  expect(ids).toEqual([
    [["art"], []],
    [[], ["print"]],
  ])
})

test("a group that is deducted for others is linked to products as any other one", () => {
  const blog = { type: "referer", values: ["blog"] } as const
  const deducting = { ...group("art"), condition: blog, deductForOtherSplits: true }
  const part = wholeOf([rulesOf(deducting)], selling([], ["art"]))
  expect(linkedOf(part)).toEqual({ art: ["p1"] })
})
