/**
 * Plays the steps of a round to the library and to the oracle, until they differ.
 */
import { isDeepStrictEqual } from "node:util"
import { type Order, type Product, ProductGroup, type RuleSet } from "apportion"
import * as Result from "effect/Result"
import {
  type OracleOutcome,
  oracleLinkedGroups,
  oracleMatchingGroups,
  oracleObstacle,
} from "../Oracle.js"
import { type Asked, type Difference, differenceOf, wantedOf } from "./Compare.js"
import { type Answered, type Engine, policies, questions } from "./Engine.js"
import type { Ask, Step } from "./Script.js"

interface Version {
  readonly rules: RuleSet.RuleSet
  readonly groups: ReadonlyArray<ProductGroup.GroupInput>
}

interface Earlier {
  readonly answered: Answered
  readonly asked: Asked
  readonly outcome: OracleOutcome
}

/** An answer that was right, told to whoever counts. */
export type OnAnswer = (ask: Ask, asked: Asked, outcome: OracleOutcome) => void

export interface Failure extends Difference {
  /** Place of the step. */
  readonly step: number
  /** The groups of the version that was asked, as they were then. */
  readonly groups: ReadonlyArray<ProductGroup.GroupInput>
}

const overwrite = (old: object, data: object): void => {
  for (const key of Object.keys(old))
    if (!Object.hasOwn(data, key)) Reflect.deleteProperty(old, key)
  for (const [key, value] of Object.entries(data)) {
    const before: unknown = Reflect.get(old, key)
    const bothLists = key !== "items" && Array.isArray(before) && Array.isArray(value)
    if (bothLists) before.splice(0, before.length, ...value)
    else Reflect.set(old, key, value)
  }
}

const freshProduct = (product: Product.Product): Product.Product =>
  product.tags === undefined ? { ...product } : { ...product, tags: [...product.tags] }

const ids = (groups: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  groups.map(({ id }) => id)

class Player {
  private readonly engine: Engine
  private readonly onAnswer: OnAnswer | undefined
  private readonly versions = new Map<number, Version>()
  private readonly slots = new Map<number, Product.Product>()
  private lastOrder: Order.Order | undefined
  private earlier: Earlier | undefined

  constructor(engine: Engine, onAnswer?: OnAnswer) {
    this.engine = engine
    this.onAnswer = onAnswer
  }

  play(step: Step): Difference | undefined {
    if (step.do === "ask") return this.ask(step)
    const next = step.do === "make" ? this.made(step.groups) : this.changed(step)
    if (next === undefined) return undefined
    this.versions.set(step.version, next)
    return undefined
  }

  groupsOf(step: Step): ReadonlyArray<ProductGroup.GroupInput> {
    return this.versions.get(step.version)?.groups ?? []
  }

  private made(groups: ReadonlyArray<ProductGroup.GroupInput>): Version {
    return { groups, rules: this.engine.make(groups) }
  }

  private changed(step: Exclude<Step, { do: "make" | "ask" }>): Version | undefined {
    const old = this.versions.get(step.from)
    if (old === undefined) return undefined
    const { rules, groups } = old
    if (step.do === "revive") {
      const revived: RuleSet.RuleSet = JSON.parse(JSON.stringify(rules))
      return { groups, rules: revived }
    }
    if (step.do === "remove") {
      const left = groups.filter(({ id }) => id !== step.id)
      return { groups: left, rules: this.engine.remove(rules, step.id) }
    }
    const { group } = step
    const isKnown = groups.some(({ id }) => id === group.id)
    const list = isKnown
      ? groups.map((one) => (one.id === group.id ? group : one))
      : [...groups, group]
    return { groups: list, rules: this.engine.put(rules, group) }
  }

  private productOf(product: Product.Product, slot: number | null): Product.Product {
    if (slot === null) return freshProduct(product)
    const old = this.slots.get(slot)
    if (old === undefined) {
      const fresh = freshProduct(product)
      this.slots.set(slot, fresh)
      return fresh
    }
    overwrite(old, freshProduct(product))
    return old
  }

  /** What the library is given: objects of its own, or ones it knows, overwritten in place. */
  private givenOrder({ order, slots, sameOrder }: Ask): Order.Order | undefined {
    const seen = new Map<number, Product.Product>()
    const items = order.items.map((item, index) => {
      const wanted = slots?.[index] ?? null
      // One object can't be two different products in the same order.
      const other = wanted === null ? undefined : seen.get(wanted)
      const slot = other === undefined || other === item.product ? wanted : null
      if (slot !== null) seen.set(slot, item.product)
      return { ...item, product: this.productOf(item.product, slot) }
    })
    const last = this.lastOrder
    if (sameOrder === true && last !== undefined) {
      overwrite(last, { ...order, items })
      return last
    }
    this.lastOrder = structuredCloneOfOrder(order, items)
    return this.lastOrder
  }

  private ask(step: Ask): Difference | undefined {
    const version = this.versions.get(step.version)
    const given = version && this.givenOrder(step)
    if (version === undefined || given === undefined) return undefined
    const { rules, groups } = version
    const policy = policies[step.policy] ?? policies[0]
    if (policy === undefined) return undefined
    const asked: Asked = { groups, order: step.order, policy }
    const outcome = wantedOf(asked)
    if (step.how === "more" || step.how === "why") {
      const other = this.askMore(step, version, given, asked, outcome)
      if (other !== undefined) return other
    }
    const answered = this.engine.split(rules, given, policy)
    const found = differenceOf(answered, asked, outcome)
    if (found !== undefined) return found
    this.onAnswer?.(step, asked, outcome)
    const later = step.how === "batch" ? this.askBatch(rules, given, asked, outcome) : undefined
    return later ?? this.askEarlier(step, { answered, asked, outcome })
  }

  /** A batch goes on with its own rule set, whatever another one is asked in between. */
  private askBatch(
    rules: RuleSet.RuleSet,
    given: Order.Order,
    asked: Asked,
    outcome: OracleOutcome,
  ): Difference | undefined {
    const other = [...this.versions.values()].find((version) => version.rules !== rules)
    const answers = questions.batch(rules, [given, given], asked.policy, () => {
      if (other !== undefined) this.engine.split(other.rules, given, asked.policy)
    })
    if (answers.length !== 2) return { what: "a batch of two", library: answers, oracle: [] }
    return answers.map((one) => differenceOf(one, asked, outcome)).find((one) => one !== undefined)
  }

  /** An answer stays as it was given, whatever is asked after it. */
  private askEarlier({ how }: Ask, answer: Earlier): Difference | undefined {
    if (how === "one") return undefined
    const { earlier } = this
    this.earlier = answer
    if (earlier === undefined) return undefined
    const found = differenceOf(earlier.answered, earlier.asked, earlier.outcome)
    return found && { ...found, what: `${found.what}, given earlier` }
  }

  private askMore(
    { how }: Ask,
    { rules, groups }: Version,
    given: Order.Order,
    asked: Asked,
    outcome: OracleOutcome,
  ): Difference | undefined {
    if (outcome.errors?.some(({ tag }) => tag === "InvalidOrder") === true) return undefined
    // All of them are asked before the first answer is looked at: answers are the asker's own.
    const answers = given.items.map((item) => ({
      item,
      matching: this.engine.matching(rules, given, item),
      linked: this.engine.linked(rules, item.product),
    }))
    const byItem = questions.matchingByItem(rules, given)
    for (const [place, { item, matching, linked }] of answers.entries()) {
      const oracle = ids(oracleMatchingGroups(groups, asked.order, item))
      if (!isDeepStrictEqual(ids(matching), oracle)) {
        return { what: `matchingGroups of ${item.id}`, library: ids(matching), oracle }
      }
      const listed = ids(byItem[place] ?? [])
      if (!isDeepStrictEqual(listed, oracle)) {
        return { what: `matchingByItem at ${item.id}`, library: listed, oracle }
      }
      const links = ids(oracleLinkedGroups(groups, item.product))
      if (!isDeepStrictEqual(ids(linked), links)) {
        return { what: `linkedGroups of ${item.id}`, library: ids(linked), oracle: links }
      }
    }
    return how === "why" ? unlikeReasons(rules, given, asked) : unlikeList(rules, groups)
  }
}

const structuredCloneOfOrder = (
  order: Order.Order,
  items: ReadonlyArray<Order.OrderItem>,
): Order.Order => {
  const copy = { ...order, items }
  for (const key of ["tags", "customerTags", "discountCodes", "referers"] as const) {
    const list = order[key]
    if (list !== undefined) copy[key] = [...list]
  }
  return copy
}

const madeGroups = new WeakMap<ProductGroup.GroupInput, ProductGroup.ProductGroup>()

/** The group as the library completes it. */
const madeOf = (input: ProductGroup.GroupInput): ProductGroup.ProductGroup => {
  const known = madeGroups.get(input)
  if (known !== undefined) return known
  const made = ProductGroup.make(input)
  madeGroups.set(input, made)
  return made
}

const unlikeList = (
  { groups }: RuleSet.RuleSet,
  wanted: ReadonlyArray<ProductGroup.GroupInput>,
): Difference | undefined => {
  const oracle = wanted.map(madeOf)
  return isDeepStrictEqual([...groups], oracle)
    ? undefined
    : { what: "the list of groups", library: groups, oracle }
}

/** Why groups don't match: the link, the condition and the dates, in this order. */
const unlikeReasons = (
  rules: RuleSet.RuleSet,
  given: Order.Order,
  { groups, order, policy }: Asked,
): Difference | undefined => {
  const obstacles = ["link", "condition", "out of date"]
  const library = questions
    .notApplied(rules, given, { policy })
    .filter(({ reason }) => obstacles.includes(reason))
    .map(({ itemId, groupId, reason }) => JSON.stringify([itemId, groupId, reason]))
    .sort()
  const oracle = order.items
    .flatMap((item) =>
      groups.flatMap((group) => {
        const reason = oracleObstacle(group, order, item)
        return reason === undefined ? [] : JSON.stringify([item.id, group.id, reason])
      }),
    )
    .sort()
  return isDeepStrictEqual(library, oracle) ? undefined : { what: "notApplied", library, oracle }
}

const thrown = (error: unknown): Difference => ({
  what: "a defect",
  library: error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : error,
  oracle: "no defect",
})

const tried = (play: () => Difference | undefined): Difference | undefined =>
  Result.match(Result.try({ try: play, catch: thrown }), {
    onSuccess: (found) => found,
    onFailure: (found) => found,
  })

/** The first difference that comes up when the steps are played, if any. */
export const play = (
  steps: ReadonlyArray<Step>,
  engine: Engine,
  onAnswer?: OnAnswer,
): Failure | undefined => {
  const player = new Player(engine, onAnswer)
  for (const [place, step] of steps.entries()) {
    const found = tried(() => player.play(step))
    if (found !== undefined) return { ...found, step: place, groups: player.groupsOf(step) }
  }
  return undefined
}
