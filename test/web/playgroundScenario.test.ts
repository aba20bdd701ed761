import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { partsOf } from "../../src/web/parts/UnseenCharacters.js"
import { answer } from "../../src/web/playground/Answer.js"
import { examples } from "../../src/web/playground/Examples.js"
import { contentsOf, filesOf } from "../../src/web/playground/Files.js"
import { coloursOf, flowOf, isDrawable } from "../../src/web/playground/FlowLayout.js"
import * as Link from "../../src/web/playground/Link.js"
import { stepsOf } from "../../src/web/playground/Places.js"
import { readGroups, type Scenario } from "../../src/web/playground/Scenario.js"

const answerTo = (scenario: Scenario) => Result.getOrThrow(answer(scenario))

const [first] = examples

describe("the playground's examples", () => {
  test.each(examples)("$name can be split, and each item of it can be drawn", ({ inputs }) => {
    const { explanation } = answerTo(inputs)
    const colours = coloursOf(explanation.items)
    for (const item of explanation.items) {
      expect(isDrawable(item)).toBe(true)
      const { bars } = flowOf(item, colours)
      const ends = bars.filter(({ kind }) => kind === "share" || kind === "store")
      const sum = ends.reduce((total, { amount }) => total + amount, 0)
      expect(sum).toBe(item.distributable)
    }
  })

  test.each(examples)("$name comes back from its link", async ({ inputs }) => {
    expect(await Link.read(await Link.write(inputs))).toEqual(inputs)
  })

  test.each(examples)("$name comes back from its files", ({ inputs }) => {
    const contents = filesOf(inputs).map(({ text }) => contentsOf(text))
    expect(contents[0]).toEqual({ kind: "groups", groups: inputs.groups })
    expect(contents[1]).toEqual({ kind: "orders", orders: [inputs.order], notes: [] })
  })
})

describe("a link", () => {
  test("that holds something else, or nothing, changes nothing", async () => {
    for (const fragment of ["", "result", "1", "1AAAA", "1!!", "2abc"]) {
      expect(await Link.read(fragment), fragment).toBeUndefined()
    }
  })

  test("that would unpack to more than a page can hold is not unpacked", async () => {
    const bomb = { ...first.inputs, policy: { note: "x".repeat(9_000_000) } }
    const link = await Link.write(bomb)
    expect(link.length).toBeLessThan(50_000)
    expect(await Link.read(link)).toBeUndefined()
  })
})

describe("the groups of the page", () => {
  test("are what they are read to be when one of them changes, and again when it changes back", () => {
    const { groups } = first.inputs
    const changed = groups.with(0, { ...Object(groups[0]), percent: "7.00" })
    for (const version of [groups, changed, groups, changed.toReversed(), changed]) {
      const percents = readGroups(version).value?.plain.groups.map(({ percent }) => percent)
      const expected = version.map((group) => Object(group).percent)
      expect(percents?.toSorted()).toEqual(expected.toSorted())
      const shares = answerTo({ ...first.inputs, groups: version }).split.shares
      const ada = shares.find(({ collaboratorId }) => collaboratorId === "ada")
      expect(ada?.amount).toBe(version === groups ? 4_500 : 630)
    }
  })

  test("have each problem at its place in the list, misspelt fields too", () => {
    const [one] = first.inputs.groups
    const wrong = [one, { ...Object(one), id: "b", percent: "120", min_amont: 5 }]
    expect(readGroups(wrong).problems.map(({ path }) => path)).toEqual([
      "[1].percent",
      "[1].min_amont",
    ])
    expect(readGroups([one, one]).problems.map(({ path }) => path)).toEqual(["[1].id"])
  })
})

describe("files", () => {
  test("that hold none of what the page is about are refused with a word", () => {
    for (const text of ["", "a,b\n1,2", "[]", "{}", "42", '{"refunds": []}']) {
      expect(contentsOf(text), text).toMatchObject({ kind: "none" })
    }
  })

  test("of a whole year have an order a line", () => {
    const line = JSON.stringify(first.inputs.order)
    expect(contentsOf(`${line}\n${line}\n`)).toMatchObject({ kind: "orders", notes: [] })
  })
})

describe("texts of others", () => {
  test("show the names of characters that are not seen, and leave emoji whole", () => {
    const shown = (text: string) =>
      partsOf(text).map((part) => (part.isUnseen ? `<${part.text}>` : part.text))
    expect(shown("a\u202eb\u0000")).toEqual(["a", "<U+202E>", "b", "<U+0000>"])
    expect(shown("👩‍👩‍👧 ok")).toEqual(["👩‍👩‍👧 ok"])
    expect(shown("a\u200db")).toEqual(["a", "<U+200D>", "b"])
    expect(shown("שלום")).toEqual(["שלום"])
  })

  test("of a path name its steps", () => {
    expect(stepsOf("[3].items[0].product.tags[12]")).toEqual([
      ...[3, "items", 0, "product", "tags", 12],
    ])
  })
})
