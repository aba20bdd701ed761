/**
 * Makes a failing round smaller, greedily: fewer steps, groups, lines, values, attributes.
 */
import type { Order, ProductGroup } from "apportion"
import type { Failure } from "./Play.js"
import type { Ask, Step } from "./Script.js"

type Steps = ReadonlyArray<Step>
type Fails = (steps: Steps) => boolean

const without = <A>(list: ReadonlyArray<A>, from: number, count: number): ReadonlyArray<A> => [
  ...list.slice(0, from),
  ...list.slice(from + count),
]

/** Drops stretches of a list, long ones first, as long as the rest still fails. */
export const fewer = <A>(
  list: ReadonlyArray<A>,
  fails: (list: ReadonlyArray<A>) => boolean,
): ReadonlyArray<A> => {
  let kept = list
  for (
    let size = Math.ceil(list.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let place = kept.length - size; place >= 0; place -= size) {
      const shorter = without(kept, place, size)
      if (fails(shorter)) kept = shorter
    }
  }
  return kept
}

const changedAt = (steps: Steps, place: number, step: Step): Steps =>
  steps.map((one, index) => (index === place ? step : one))

/** A record without one of its optional attributes, or with one value fewer in a list of texts. */
const simpler = <A extends object>(record: A, needed: ReadonlyArray<string>): ReadonlyArray<A> =>
  Object.entries(record).flatMap(([key, value]): ReadonlyArray<A> => {
    const dropped = { ...record }
    Reflect.deleteProperty(dropped, key)
    const rest = needed.includes(key) || value == null ? [] : [dropped]
    if (!Array.isArray(value) || key === "items") return rest
    return [...rest, ...value.map((_, index) => ({ ...record, [key]: without(value, index, 1) }))]
  })

type Group = ProductGroup.GroupInput

const simplerGroups = (group: Group): ReadonlyArray<Group> => {
  const { condition, link } = group
  return [
    ...simpler(group, ["id", "collaboratorId", "link"]),
    ...simpler(link, ["type"]).map((other) => ({ ...group, link: other })),
    ...(condition == null
      ? []
      : simpler(condition, ["type", "values"]).map((other) => ({ ...group, condition: other }))),
    { ...group, percent: "10" },
  ].filter((one) => JSON.stringify(one) !== JSON.stringify(group))
}

const withItem = (order: Order.Order, place: number, item: Order.OrderItem): Order.Order => ({
  ...order,
  items: order.items.map((one, index) => (index === place ? item : one)),
})

const simplerItems = (item: Order.OrderItem): ReadonlyArray<Order.OrderItem> => [
  ...simpler(item, ["id", "product", "quantity", "amount"]),
  ...simpler(item.product, ["id"]).map((product) => ({ ...item, product })),
  ...(item.amount === 100 ? [] : [{ ...item, amount: 100 }]),
  ...(item.quantity === 1 ? [] : [{ ...item, quantity: 1 }]),
]

const withoutItem = (ask: Ask, place: number): Ask => ({
  ...ask,
  order: { ...ask.order, items: without(ask.order.items, place, 1) },
  ...(ask.slots === undefined ? {} : { slots: without(ask.slots, place, 1) }),
})

const simplerAsks = (ask: Ask): ReadonlyArray<Ask> => {
  const { order } = ask
  const { slots: _, ...free } = ask
  return [
    ...(ask.policy === 0 ? [] : [{ ...ask, policy: 0 }]),
    ...(ask.how === "one" ? [] : [{ ...ask, how: "one" as const }]),
    ...(ask.slots === undefined ? [] : [free]),
    ...order.items.map((_item, place) => withoutItem(ask, place)),
    ...simpler(order, ["id", "currency", "items"]).map((other) => ({ ...ask, order: other })),
    ...order.items.flatMap((item, place) =>
      simplerItems(item).map((other) => ({ ...ask, order: withItem(order, place, other) })),
    ),
  ]
}

const simplerSteps = (step: Step | undefined): ReadonlyArray<Step> => {
  if (step === undefined) return []
  if (step.do === "ask") return simplerAsks(step)
  if (step.do === "put") return simplerGroups(step.group).map((group) => ({ ...step, group }))
  if (step.do !== "make") return []
  return step.groups.flatMap((group, place) =>
    simplerGroups(group).map((other) => ({
      ...step,
      groups: step.groups.map((one, index) => (index === place ? other : one)),
    })),
  )
}

const fewerGroups = (steps: Steps, fails: Fails): Steps =>
  steps.reduce<Steps>((kept, _, place) => {
    const step = kept[place]
    if (step?.do !== "make") return kept
    const groups = fewer(step.groups, (some) =>
      fails(changedAt(kept, place, { ...step, groups: some })),
    )
    return changedAt(kept, place, { ...step, groups })
  }, steps)

/** One pass over what could be simpler in a step. */
const simplifiedStep = (steps: Steps, place: number, fails: Fails): Steps => {
  let kept = steps
  let others = simplerSteps(steps[place])
  for (let index = 0; index < others.length; ) {
    const other = others[index]
    const changed = other === undefined ? kept : changedAt(kept, place, other)
    if (fails(changed)) {
      kept = changed
      others = simplerSteps(other)
    } else index += 1
  }
  return kept
}

/** One pass over everything that could be simpler; the questions first, as they are few. */
const simplified = (steps: Steps, fails: Fails): Steps =>
  steps.reduceRight<Steps>((kept, _, place) => simplifiedStep(kept, place, fails), steps)

/** The step that failed alone, on a rule set made for it: whether what came before matters. */
const alone = (steps: Steps, failure: Failure): Steps => {
  const ask = steps[failure.step]
  if (ask?.do !== "ask") return steps
  const { slots: _, sameOrder: __, ...rest } = ask
  return [
    { do: "make", version: 0, groups: failure.groups },
    { ...rest, version: 0 },
  ]
}

/** As small a round as can be found that still fails; `most` bounds how often it is tried. */
export const shrink = (
  steps: Steps,
  failure: Failure,
  play: (steps: Steps) => Failure | undefined,
  most: number,
): Steps => {
  let tries = 0
  const fails: Fails = (some) => {
    tries += 1
    return tries <= most && play(some)?.what === failure.what
  }
  const single = alone(steps, failure)
  let kept = fails(single) ? single : steps.slice(0, failure.step + 1)
  kept = fewerGroups(fewer(kept, fails), fails)
  for (let next = simplified(kept, fails); next !== kept; next = simplified(kept, fails))
    kept = next
  return fewer(kept, fails)
}
