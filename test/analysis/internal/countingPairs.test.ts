import { type ProductGroup, RuleSet, SplitPolicy } from "apportion"
import { describe, expect, test } from "vitest"
import { finish } from "../../../src/analysis/internal/Budget.js"
import {
  type CountingPair,
  counterparts,
  countingPairs,
  sames,
} from "../../../src/analysis/internal/countingPairs.js"
import type { GroupsPart } from "../../../src/analysis/internal/Inquiry.js"
import { Inquiry } from "../../../src/analysis/internal/Inquiry.js"
import { settingOf } from "../../../src/analysis/internal/ResolvedOptions.js"
import * as terms from "../../../src/analysis/internal/terms.js"

const all = { type: "products.all" } as const
const tagged = (...values: ReadonlyArray<string>) => ({ type: "products.tag", values }) as const
const group = (
  id: string,
  link: ProductGroup.GroupInput["link"],
  percent: number,
): ProductGroup.GroupInput => ({ id, collaboratorId: "ada", link, percent })

const setting = settingOf({})

const partOf = (...sides: ReadonlyArray<ReadonlyArray<ProductGroup.GroupInput>>): GroupsPart => {
  const ruleSets = sides.map((side) => RuleSet.make(side))
  const inquiry = new Inquiry(ruleSets, setting)
  const [part] = finish(inquiry.parts(inquiry.budget())) ?? []
  if (part === undefined) throw new RangeError("somebody has groups")
  return part
}

const idsOf = (list: CountingPair["apply"]) => list.map((asking) => asking.group.id).join(" ")

const told = ({ apply, not, counting }: CountingPair): string => {
  const [one, other] = counting.map((asking) => asking?.group.id ?? "none")
  const hidden = not.flatMap(({ row, before }) => row.list.slice(0, before))
  return `${one} and ${other}: ${idsOf(apply)}${hidden.length === 0 ? "" : `, not ${idsOf(hidden)}`}`
}

const any = () => true

/** What one look found. */
const foundIn = ({ found }: { readonly found: ReadonlyArray<CountingPair> }) => found

describe("the groups that may count at the same time", () => {
  test("are none below a group that applies to the same orders", () => {
    const part = partOf(
      [group("art", tagged("art"), 10), group("rest", all, 20)],
      [group("every", all, 30)],
    )
    expect([...countingPairs(part, setting, any)].flatMap(foundIn).map(told)).toEqual([
      "art and every: art every",
      "art and none: art, not every",
      "rest and every: rest every, not art",
      "none and none: , not art rest every",
    ])
  })

  test("are every pair where no two apply to the same orders", () => {
    const part = partOf([group("art", tagged("art"), 10)], [group("print", tagged("print"), 10)])
    expect([...countingPairs(part, setting, any)].flatMap(foundIn).map(told)).toEqual([
      "art and print: art print",
      "art and none: art, not print",
      "none and print: print, not art",
      "none and none: , not art print",
    ])
  })

  test("are asked for by what they pay", () => {
    const part = partOf([group("art", tagged("art"), 10)], [group("print", tagged("print"), 20)])
    const [art, print] = part.rows
      .flatMap(({ list }) => list)
      .map((asking) => terms.keyOf(terms.termsOf(asking.group, SplitPolicy.make())))
    const asked: Array<readonly [string, string]> = []
    const wanted = countingPairs(part, setting, (one, other) => {
      asked.push([one, other])
      return one !== terms.nothing && other === terms.nothing
    })
    expect([...wanted].flatMap(foundIn).map(told)).toEqual(["art and none: art, not print"])
    expect(asked).toEqual([
      [art, print],
      [art, terms.nothing],
      [terms.nothing, print],
      [terms.nothing, terms.nothing],
    ])
  })

  test("are none where there are no rules", () => {
    const inquiry = new Inquiry([], setting)
    const whole = finish(inquiry.whole(inquiry.budget()))
    if (whole === undefined) throw new RangeError("the budget suffices")
    expect([...countingPairs(whole, setting, any)].flatMap(foundIn).map(told)).toEqual([
      "none and none: ",
    ])
    expect(counterparts(whole, setting, 1)).toEqual({ sames: [], areAll: true })
  })
})

test("the same is claimed where a group of either rule set counts that pays as much", () => {
  const one = [
    group("art", tagged("art"), 10),
    group("free", tagged("free"), 0),
    group("rest", all, 20),
  ]
  const other = [
    group("gift", tagged("gift"), 0),
    group("print", tagged("print"), 20),
    group("shop", tagged("shop"), 10),
  ]
  expect([...sames(partOf(one, other), setting)].flatMap(foundIn).map(told)).toEqual([
    "art and shop: art shop, not gift print",
    "rest and print: rest print, not art free gift",
  ])
})

describe("where every group that applies is paid, a group has counterparts", () => {
  const counterpartsOf = (
    one: ReadonlyArray<ProductGroup.GroupInput>,
    other: ReadonlyArray<ProductGroup.GroupInput>,
  ) => counterparts(partOf(one, other), setting, 100).sames.map(told)

  test("one that applies to the same orders and pays the same", () => {
    expect(
      counterpartsOf(
        [group("art", tagged("art"), 10), group("rest", all, 20)],
        [group("a", tagged("print"), 10), group("b", tagged("art"), 10), group("c", all, 20)],
      ),
    ).toEqual(["art and b: art b", "rest and c: rest c"])
    const [one, other] = [group("art", tagged("art"), 10), group("a", tagged("art"), 20)]
    expect(counterpartsOf([one], [other])).toEqual([])
  })

  test("each its own", () => {
    const art = (id: string) => group(id, tagged("art"), 10)
    expect(counterpartsOf([art("a"), art("b"), art("c")], [art("d"), art("e")])).toEqual([
      "a and d: a d",
      "b and e: b e",
    ])
  })

  test("or else those that pay the same where both apply, but of two with the same id no others", () => {
    const [art, print, mugs] = [tagged("art"), tagged("print"), tagged("mugs")]
    expect(
      counterpartsOf(
        [group("a", art, 10), group("b", art, 20)],
        [group("a", print, 10), group("c", mugs, 10)],
      ),
    ).toEqual(["a and a: a a", "a and c: a c, not a"])
  })

  test("unless they pay nothing", () => {
    expect(counterpartsOf([group("a", all, 0)], [group("b", all, 0)])).toEqual([])
  })

  test("of which no more are listed than asked for", () => {
    const [one, other] = [tagged("art"), tagged("print")].map((link) =>
      ["a", "b", "c"].map((id) => group(id, link, 10)),
    )
    const whole = partOf(one ?? [], other ?? [])
    expect(counterparts(whole, setting, 9)).toMatchObject({ areAll: true, sames: { length: 9 } })
    expect(counterparts(whole, setting, 8)).toMatchObject({ areAll: false, sames: { length: 8 } })
  })
})
