/**
 * A round of the long comparison as data: rule sets are made and changed, and versions of them are
 * asked about orders, in any order. Data can be kept, played again, and shrunk.
 */
import type { Order, Product, ProductGroup } from "apportion"
import { groupOf, groupsOf, idsOf, replacementOf } from "./Groups.js"
import { changedProduct, orderOf, productOf } from "./Orders.js"
import { Random } from "./Random.js"
import { type Scene, type Shape, sceneOf } from "./Scene.js"

type Group = ProductGroup.GroupInput

/** `version` is the number under which the rule set is known to later steps. */
export type Step =
  | { readonly do: "make"; readonly version: number; readonly groups: ReadonlyArray<Group> }
  | {
      readonly do: "put"
      readonly from: number
      readonly version: number
      readonly group: Group
    }
  | {
      readonly do: "remove"
      readonly from: number
      readonly version: number
      readonly id: string
    }
  /** As when a rule set comes back from storage. */
  | { readonly do: "revive"; readonly from: number; readonly version: number }
  | Ask

export interface Ask {
  readonly do: "ask"
  readonly version: number
  readonly order: Order.Order
  /** Place in the list of all policies. */
  readonly policy: number
  /** `batch`: as one of several orders too; `more`, `why`: after other questions about it. */
  readonly how: "one" | "batch" | "more" | "why"
  /**
   * For each item, whether its product is an object of its own (`null`) or one that was there before
   * under that number, overwritten in place where it differs.
   */
  readonly slots?: ReadonlyArray<number | null>
  /** Whether the order is the object of the last one, overwritten in place. */
  readonly sameOrder?: boolean
}

export interface Round {
  readonly shape: Shape
  readonly steps: ReadonlyArray<Step>
}

interface Writing {
  readonly scene: Scene
  readonly steps: Array<Step>
  readonly lists: Array<ReadonlyArray<Group>>
  readonly products: Array<Product.Product>
}

const begin = ({ steps, lists }: Writing, groups: ReadonlyArray<Group>): void => {
  steps.push({ do: "make", version: lists.length, groups })
  lists.push(groups)
}

const anyVersion = ({ scene: { random }, lists }: Writing): number =>
  random.percent(60) ? lists.length - 1 : random.below(lists.length)

const put = (writing: Writing, from: number, group: Group): void => {
  const { steps, lists } = writing
  const list = lists[from] ?? []
  const known = list.some(({ id }) => id === group.id)
  steps.push({ do: "put", from, version: lists.length, group })
  lists.push(known ? list.map((one) => (one.id === group.id ? group : one)) : [...list, group])
}

const remove = (writing: Writing, from: number, id: string): void => {
  const { steps, lists } = writing
  steps.push({ do: "remove", from, version: lists.length, id })
  lists.push((lists[from] ?? []).filter((group) => group.id !== id))
}

const change = (writing: Writing): void => {
  const { scene, steps, lists } = writing
  const { random } = scene
  const from = anyVersion(writing)
  const list = lists[from] ?? []
  const place = random.below(20)
  if (place === 0) {
    steps.push({ do: "revive", from, version: lists.length })
    lists.push(list)
  } else if (place < 8 && list.length > 0) {
    put(writing, from, replacementOf(scene, random.pick(list)))
  } else if (place < 13 && list.length > 0) {
    remove(writing, from, random.pick(list).id)
  } else if (place === 13) {
    remove(writing, from, "unknown")
  } else {
    const id = `${random.pick(idsOf(random, 8))}${random.percent(50) ? "" : lists.length}`
    put(writing, from, groupOf(scene, id, random.percent(40) ? list[0]?.link : undefined))
  }
}

/** A product of an item, with the number of the object that it is. */
const nextProduct = ({ scene, products }: Writing): readonly [Product.Product, number | null] => {
  const { random } = scene
  if (products.length === 0 || random.percent(6)) return [productOf(scene), null]
  const place = random.below(products.length)
  const slot = random.percent(20) ? place : null
  const known = products[place] ?? productOf(scene)
  if (random.percent(80)) return [known, slot]
  const changed = changedProduct(scene, known)
  if (random.percent(50)) products[place] = changed
  return [changed, slot]
}

const ask = (writing: Writing, version: number, policy: number): Ask => {
  const { random } = writing.scene
  const slots: Array<number | null> = []
  const order = orderOf(writing.scene, `${1_000 + policy}`, () => {
    const [product, slot] = nextProduct(writing)
    slots.push(slot)
    return product
  })
  const place = random.below(100)
  const how = place < 4 ? "batch" : place < 10 ? "more" : place === 10 ? "why" : "one"
  const sameOrder = random.percent(5) ? { sameOrder: true } : {}
  const known = slots.some((slot) => slot !== null) ? { slots } : {}
  return { do: "ask", version, order, policy, how, ...known, ...sameOrder }
}

const orderCounts = { small: 14, medium: 30, bucket: 70, wide: 70, dense: 12 }

/** The rule sets of a round: one or more; another may be nearly the same as the first. */
const beginAll = (writing: Writing): void => {
  const { scene, lists } = writing
  const { random } = scene
  begin(writing, groupsOf(scene))
  if (random.percent(35)) {
    const first = lists[0] ?? []
    const other = first.map((group) => (random.percent(20) ? replacementOf(scene, group) : group))
    begin(writing, random.percent(50) ? other : random.shuffled(other))
  }
  if (random.percent(20)) begin(writing, groupsOf({ ...scene, shape: "small" }))
}

/** How many policies there are; each is asked about as often as any other. */
export const policyCount = 4_608

/** Prime to the number of policies, so that neighbours in time are no neighbours in the list. */
const stride = 1_847

/** The steps of a round, the same for the same seed and round. `asked`: how many orders came before. */
export const roundOf = (seed: number, round: number, asked: number, wanted?: Shape): Round => {
  const scene = sceneOf(new Random(seed, round), wanted)
  const { random, shape } = scene
  const writing: Writing = { scene, steps: [], lists: [], products: [] }
  beginAll(writing)
  const known = random.between(3, 14)
  writing.products.push(...Array.from({ length: known }, () => productOf(scene)))
  let version = 0
  for (let count = 0; count < orderCounts[shape]; count += 1) {
    if (random.percent(25)) change(writing)
    if (random.percent(50)) version = anyVersion(writing)
    writing.steps.push(ask(writing, version, ((asked + count) * stride) % policyCount))
  }
  return { shape, steps: writing.steps }
}
