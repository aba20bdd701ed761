/** What conditions ask of an order, as numbers that come and go with them. */
import type { Order, ProductGroup } from "apportion"
import { expect, test } from "vitest"
import { ofOrder } from "../../../src/orders/Attribute.js"
import { Conditions, OrderView } from "../../../src/rules/engine/Conditions.js"

type Condition = ProductGroup.Condition

const tagged = (...values: ReadonlyArray<string>): Condition => ({
  type: "order.tag",
  modifier: "WITH",
  values,
})
const country = (code: string): Condition => ({
  type: "country.code",
  modifier: "WITH",
  values: [code],
})
const orderOf = (order: Partial<Order.Order>): OrderView =>
  new OrderView({ id: "1", currency: "USD", items: [], ...order })

/** Which of the conditions an order has what it takes for. */
const metBy = (
  conditions: Conditions,
  numbers: ReadonlyArray<number>,
  view: OrderView,
): ReadonlyArray<boolean> => {
  conditions.look(view)
  return numbers.map((number) => conditions.answerTo(number) === 1)
}

test("country codes are upper-cased, whichever letters they are written with", () => {
  const conditions = new Conditions()
  const numbers = [conditions.use(country("it")), conditions.use(tagged("it"))]
  const written = (text: string) => orderOf({ billingCountry: text, tags: [text] })
  expect(metBy(conditions, numbers, written(" It "))).toEqual([true, true])
  // Upper case makes an ordinary letter of a dotless i, which other texts keep apart.
  expect(metBy(conditions, numbers, written("ıt"))).toEqual([true, false])
})

test("conditions that ask for the same one value are one number, however it is written", () => {
  const conditions = new Conditions()
  const number = conditions.use(tagged("art"))
  expect(conditions.use(tagged(" ART "))).toBe(number)
  expect(conditions.use(tagged("Art", "art"))).toBe(number)
  expect(conditions.use({ ...tagged("art"), type: "customer.tag" })).not.toBe(number)
  expect(conditions.valuesOf(number)).toHaveLength(1)
})

test("a condition is met by an order that has one of its values, of however many", () => {
  const conditions = new Conditions()
  const values = Array.from({ length: 50 }, (_, index) => `tag ${index}`)
  const numbers = [conditions.use(tagged(...values)), conditions.use(tagged("tag 49", "none"))]
  const others = values.map((value) => conditions.use(tagged(value)))
  expect(metBy(conditions, numbers, orderOf({ tags: ["tag 49"] }))).toEqual([true, true])
  expect(metBy(conditions, numbers, orderOf({ tags: ["?", "tag 0"] }))).toEqual([true, false])
  expect(metBy(conditions, numbers, orderOf({ tags: [] }))).toEqual([false, false])
  const view = orderOf({ tags: ["tag 7", "tag 31", "tag 7"] })
  expect(metBy(conditions, others, view).filter((isMet) => isMet)).toHaveLength(2)
  expect(conditions.present).toHaveLength(2)
})

test("each of any number of values is found, also the one that was asked for last", () => {
  const conditions = new Conditions()
  for (let count = 0; count < 80; count += 1) {
    const number = conditions.use(tagged(`tag ${count}`))
    const view = orderOf({ tags: ["tag 0", `tag ${count}`] })
    expect(metBy(conditions, [number], view), `of ${count + 1}`).toEqual([true])
  }
})

test("the values of a condition are those of the conditions that ask for one of them", () => {
  const conditions = new Conditions()
  const both = conditions.valuesOf(conditions.use(tagged("art", "toy")))
  const each = [tagged("art"), tagged("toy")].map((condition) => conditions.use(condition))
  expect(both).toEqual(each.flatMap((number) => conditions.valuesOf(number)))
  expect(new Set(both).size).toBe(2)
})

test("what an order has is read once, however many of its items are looked at", () => {
  let count = 0
  const conditions = new Conditions()
  const art = conditions.use(tagged("art"))
  const order = {
    id: "1",
    currency: "USD",
    items: [],
    get tags() {
      count += 1
      return ["art"]
    },
  }
  const view = new OrderView(order)
  expect(metBy(conditions, [art], view)).toEqual([true])
  expect(metBy(conditions, [art], view)).toEqual([true])
  expect(count).toBe(1)
  expect(metBy(conditions, [art], new OrderView(order))).toEqual([true])
  expect(count).toBe(2)
})

test("an order that was looked at is looked at again when somebody asks for something new", () => {
  const conditions = new Conditions()
  const art = conditions.use(tagged("art"))
  const view = orderOf({ tags: ["Art", "Toy"] })
  expect(metBy(conditions, [art], view)).toEqual([true])
  const toy = conditions.use(tagged("toy"))
  expect(metBy(conditions, [art, toy], view)).toEqual([true, true])
})

test("what nobody asks for any more is not looked for, and its number may be that of something else", () => {
  const conditions = new Conditions()
  const view = orderOf({ tags: ["Art", "Mug"] })
  const art = conditions.use(tagged("art"))
  conditions.use(tagged("art"))
  conditions.look(view)
  conditions.release(tagged("art"), art)
  expect(metBy(conditions, [art], view)).toEqual([true])
  conditions.release(tagged("art"), art)
  conditions.look(view)
  expect(conditions.present).toEqual([])
  const toy = conditions.use(tagged("toy"))
  expect(toy).toBe(art)
  expect(metBy(conditions, [toy], view)).toEqual([false])
  expect(metBy(conditions, [toy], orderOf({ tags: ["Art"] }))).toEqual([false])
})

test("the list of a condition that is gone is given to another", () => {
  const conditions = new Conditions()
  const either = tagged("art", "toy")
  const number = conditions.use(either)
  conditions.release(either, number)
  expect(conditions.use(tagged("mug", "cap", "pin"))).toBe(number)
  expect(metBy(conditions, [number], orderOf({ tags: ["art", "toy"] }))).toEqual([false])
  expect(metBy(conditions, [number], orderOf({ tags: ["pin"] }))).toEqual([true])
})

test("an order that says nothing has nothing of what conditions ask for", () => {
  const types = ["order.tag", "customer.tag", "discount.code", "referer", "country.code"] as const
  const order = { id: "1", currency: "USD", items: [] }
  for (const type of types) expect(ofOrder[type](order)).toEqual([])
})

test("no condition is no number of any other, and is given back without a trace", () => {
  const conditions = new Conditions()
  expect(conditions.use(null)).toBe(0)
  conditions.release(null, 0)
  expect(conditions.use(tagged("art"))).toBeGreaterThan(0)
  expect(conditions.use(tagged("art", "toy"))).toBeGreaterThan(0)
})

test("an order is told from those before it, also after a billion of them", () => {
  const conditions = new Conditions()
  const numbers = [tagged("art"), tagged("art", "toy"), tagged("mug", "cap")].map((condition) =>
    conditions.use(condition),
  )
  const asked = () =>
    ["art", "mug", "toy", "?"].map((tag) => metBy(conditions, numbers, orderOf({ tags: [tag] })))
  const answers = asked()
  expect(answers).toEqual([
    [true, true, false],
    [false, false, true],
    [false, true, false],
    [false, false, false],
  ])
  Object.assign(conditions, { met: 2 ** 31 - 5 })
  for (let time = 0; time < 3; time += 1) expect(asked()).toEqual(answers)
})

test("an order whose texts can't be read leaves no answer to the one before it", () => {
  const conditions = new Conditions()
  const number = conditions.use(tagged("art"))
  const view = orderOf({ tags: ["art"] })
  expect(metBy(conditions, [number], view)).toEqual([true])
  const unreadable = orderOf({})
  Object.defineProperty(unreadable.order, "tags", {
    get: () => {
      throw new RangeError("no tags")
    },
  })
  expect(() => conditions.look(unreadable)).toThrow(RangeError)
  expect(metBy(conditions, [number], view)).toEqual([true])
})
