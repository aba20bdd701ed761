/** Worked examples of tiers and caps, told by the library and by the oracle. */
import { readdirSync, readFileSync } from "node:fs"
import { type CountedRules, type Order, type Split, SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { type Answer, difference, type Engine, library, libraryAnswers } from "./Answers.js"
import type { GoldenCase, GoldenStep } from "./golden/GoldenCase.js"
import type { History, Step } from "./History.js"

const folder = new URL("./golden/", import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith(".json"))
const casesOf = (file: string): ReadonlyArray<GoldenCase> =>
  JSON.parse(readFileSync(new URL(file, folder), "utf8"))

/** Groups as they are written in a case: for every product, and of a collaborator of their own. */
const groupsOf = (groups: GoldenCase["groups"]): ReadonlyArray<CountedRules.CountedGroupInput> =>
  groups.map((group) => ({ collaboratorId: group.id, link: { type: "products.all" }, ...group }))

const orderOf = (sale: NonNullable<GoldenStep["sale"]>, id: string): Order.Order => {
  const { at, currency = "USD", shippingAmount, referers, items, quantity = 1, amount = 0 } = sale
  return {
    id,
    currency,
    ...(at === undefined ? {} : { createdAt: Date.parse(at) / 1_000 }),
    ...(shippingAmount === undefined ? {} : { shippingAmount }),
    ...(referers === undefined ? {} : { referers }),
    items: (items ?? [{ id: "1", quantity, amount }]).map(({ productId = "p", ...item }) => ({
      ...item,
      product: { id: productId },
    })),
  }
}

/** The steps of a case as those of a history; sales are numbered. */
const historyOf = (one: GoldenCase): History => {
  let sales = 0
  const steps = one.happens.map((step): Step => {
    if (step.groups !== undefined) return { groups: groupsOf(step.groups) }
    if (step.sale !== undefined) {
      sales += 1
      return { sale: orderOf(step.sale, `${sales}`), payout: step.sale.payout ?? "none" }
    }
    const { of = 1, ...refund } = step.refund ?? {}
    return { refund: { ...refund, orderId: `${of}`, itemId: "1", refundedAt: 0 } }
  })
  return {
    ...{ groups: groupsOf(one.groups), steps, before: one.before ?? {} },
    ...{ policy: { ...SplitPolicy.defaults, ...one.policy }, timeZone: one.timeZone ?? "UTC" },
  }
}

/** What the library came to at each step. */
interface Told {
  readonly split?: Split.Split
  readonly takenBack?: Readonly<Record<string, number>>
  readonly counters?: Readonly<Record<string, number>>
}

const play = (history: History): { told: ReadonlyArray<Told>; answers: ReadonlyArray<Answer> } => {
  const told: Array<Told> = []
  const watched: Engine = {
    order: (...asked) => {
      const done = library.order(...asked)
      told.push(Result.isSuccess(done) ? done.success : {})
      return done
    },
    refund: (...asked) => {
      const done = library.refund(...asked)
      if (Result.isFailure(done)) told.push({})
      else {
        const { reversal, counters } = done.success
        const amounts = reversal.shares.map(({ groupId, amount }) => [groupId, amount])
        told.push({ takenBack: Object.fromEntries(amounts), counters })
      }
      return done
    },
  }
  const answers = libraryAnswers(history, watched)
  return { told, answers }
}

const sharesOf = (split: Split.Split, groupId: string) =>
  split.items.flatMap(({ itemId }) =>
    split.shares.filter((share) => share.groupId === groupId && share.itemId === itemId),
  )

const isAsExpected = (step: GoldenStep, told: Told, answer: Answer | undefined): void => {
  expect(answer?.errors?.[0]).toBe(step.fails)
  const { split, counters, takenBack } = told
  for (const [groupId, pays] of Object.entries(step.pays ?? {})) {
    const amounts = split && sharesOf(split, groupId).map(({ amount }) => amount)
    expect(amounts, groupId).toEqual(typeof pays === "number" ? [pays] : pays)
  }
  if (step.store !== undefined) expect(split?.store[0]?.amount).toBe(step.store)
  const terms = split?.shares[0]?.terms
  if (step.bands !== undefined) {
    expect(terms?.tiers?.bands.map(({ percent, counted }) => [percent, counted])).toEqual(
      step.bands,
    )
  }
  if (step.cut !== undefined) expect(terms?.cap?.cut).toBe(step.cut)
  if (step.takesBack !== undefined) expect(takenBack).toEqual(step.takesBack)
  if (step.counters !== undefined) expect(counters).toEqual(step.counters)
}

for (const file of files) {
  describe(`tiers and caps: ${file}`, () => {
    test.each(casesOf(file).map((one) => [one.shows, one] as const))("%s", (_, one) => {
      const history = historyOf(one)
      const { told, answers } = play(history)
      let place = 0
      for (const [index, step] of one.happens.entries()) {
        if (step.groups !== undefined) continue
        isAsExpected(step, told[place] ?? {}, answers[index])
        place += 1
      }
      expect(difference(history)).toBeUndefined()
    })
  })
}

describe("the golden cases of tiers and caps", () => {
  const all = files.flatMap(casesOf)

  test("are at least 90, and each says something else", () => {
    expect(all.length).toBeGreaterThanOrEqual(90)
    expect(new Set(all.map(({ shows }) => shows)).size).toBe(all.length)
  })

  test("that others have published say where", () => {
    const published = casesOf("published.json")
    expect(published.filter(({ source }) => source === undefined)).toEqual([])
  })
})
