/**
 * A model of rule sets that change: for each version, the list of groups that it should have. What a
 * version answers is compared with a rule set made anew from that list.
 */
import { isDeepStrictEqual } from "node:util"
import { type Order, ProductGroup, RuleSet, Split } from "apportion"
import * as Result from "effect/Result"
import { policies } from "../oracle/long/Engine.js"
import { groupOf, groupsOf, idsOf, replacementOf } from "../oracle/long/Groups.js"
import { changedProduct, orderOf, productOf } from "../oracle/long/Orders.js"
import { Random } from "../oracle/long/Random.js"
import { type Scene, type Shape, sceneOf } from "../oracle/long/Scene.js"
import { fewer } from "../oracle/long/Shrink.js"

type Group = ProductGroup.GroupInput

/** Ways in which a rule set comes back that is no longer the object it was. */
const ways = ["json", "spread", "clone", "list"] as const

/** `at` counts versions, round and round, so that a history can be shortened anywhere. */
export type Event =
  | { readonly do: "put"; readonly at: number; readonly group: Group }
  | { readonly do: "remove"; readonly at: number; readonly id: string }
  | { readonly do: "refuse"; readonly at: number; readonly group: Group }
  | { readonly do: "revive"; readonly at: number; readonly way: (typeof ways)[number] }
  | { readonly do: "list"; readonly at: number }
  | { readonly do: "get"; readonly at: number; readonly id: string }
  | {
      readonly do: "ask"
      readonly at: number
      readonly order: Order.Order
      readonly policy: number
    }

export interface History {
  readonly groups: ReadonlyArray<Group>
  readonly events: ReadonlyArray<Event>
}

/** What changes rule sets: the library, or one with a planted fault. */
export interface Changes {
  readonly put: (rules: RuleSet.RuleSet, group: Group) => RuleSet.RuleSet
  readonly remove: (rules: RuleSet.RuleSet, id: string) => RuleSet.RuleSet
}

interface Version {
  readonly rules: RuleSet.RuleSet
  readonly groups: ReadonlyArray<ProductGroup.ProductGroup>
  anew?: RuleSet.RuleSet
}

const anewOf = (version: Version): RuleSet.RuleSet => {
  version.anew ??= RuleSet.make(version.groups)
  return version.anew
}

const told = (answer: Result.Result<Split.Split, Split.SplitError>): unknown =>
  Result.isSuccess(answer)
    ? answer.success
    : { error: answer.failure._tag, message: answer.failure.message }

const askedOf = (rules: RuleSet.RuleSet, order: Order.Order, policy: number): unknown => {
  const split = told(Split.orderResult(rules, order, policies[policy]))
  const items = order.items.map((item) => ({
    matching: RuleSet.matchingGroups(rules, order, item),
    linked: RuleSet.linkedGroups(rules, item.product),
  }))
  return { split, items }
}

const revived = (rules: RuleSet.RuleSet, way: (typeof ways)[number]): RuleSet.RuleSet => {
  if (way === "json") return JSON.parse(JSON.stringify(rules))
  if (way === "spread") return { ...rules }
  if (way === "clone") return structuredClone(rules)
  return { groups: rules.groups.slice() }
}

const withGroup = ({ groups }: Version, input: Group): ReadonlyArray<ProductGroup.ProductGroup> => {
  const made = ProductGroup.make(input)
  return groups.some(({ id }) => id === made.id)
    ? groups.map((group) => (group.id === made.id ? made : group))
    : [...groups, made]
}

const refusesWell = ({ rules }: Version, group: Group): string | undefined => {
  const result = RuleSet.parsePut(rules, group)
  if (Result.isSuccess(result)) return "a group that is no good was taken"
  const isTyped = result.failure._tag === "InvalidProductGroup"
  return isTyped && result.failure.problems.length > 0 ? undefined : "the refusal says nothing"
}

class Model {
  readonly versions: Array<Version>
  private readonly changes: Changes

  constructor(groups: ReadonlyArray<Group>, changes: Changes) {
    const rules = RuleSet.make(groups)
    this.versions = [{ rules, groups: groups.map((group) => ProductGroup.make(group)) }]
    this.changes = changes
  }

  /** What is wrong after an event, if anything. */
  after(event: Event): string | undefined {
    const version = this.versions[event.at % this.versions.length]
    if (version === undefined) return undefined
    if (event.do === "put" || event.do === "remove") return this.change(version, event)
    if (event.do === "refuse") return refusesWell(version, event.group)
    if (event.do === "revive") {
      this.versions.push({ ...version, rules: revived(version.rules, event.way) })
      return undefined
    }
    if (event.do === "list") return unlikeList(version)
    if (event.do === "get") return unlikeGet(version, event.id)
    return unlikeAnew(version, event)
  }

  private change(version: Version, event: Event & { do: "put" | "remove" }): string | undefined {
    const { rules, groups } = version
    if (event.do === "put") {
      const next = this.changes.put(rules, event.group)
      this.versions.push({ rules: next, groups: withGroup(version, event.group) })
      return undefined
    }
    const left = groups.filter(({ id }) => id !== event.id)
    const next = this.changes.remove(rules, event.id)
    this.versions.push({ rules: next, groups: left })
    const isSame = left.length === groups.length
    return isSame === (next === rules) ? undefined : "removing gave the wrong rule set"
  }
}

const unlikeList = ({ rules, groups }: Version): string | undefined => {
  const isRight = isDeepStrictEqual([...rules.groups], groups) && Array.isArray(rules.groups)
  return isRight ? undefined : `groups are ${JSON.stringify(rules.groups)}`
}

const unlikeGet = ({ rules, groups }: Version, id: string): string | undefined => {
  const wanted = groups.find((group) => group.id === id)
  return isDeepStrictEqual(RuleSet.get(rules, id), wanted) ? undefined : `get of ${id} is wrong`
}

const unlikeAnew = (version: Version, { order, policy }: Event & { do: "ask" }) => {
  const seen = askedOf(version.rules, structuredClone(order), policy)
  const wanted = askedOf(anewOf(version), order, policy)
  return isDeepStrictEqual(seen, wanted)
    ? undefined
    : `answers ${JSON.stringify(seen)}, made anew it answers ${JSON.stringify(wanted)}`
}

const library: Changes = { put: RuleSet.put, remove: RuleSet.remove }

/** How many groups are made anew at the end of a history, at the most. */
const mostAnew = 60_000

/** The end of a history: every version still stands, from the newest to the oldest. */
const unlikeAtLast = (versions: ReadonlyArray<Version>, asks: ReadonlyArray<Event>) => {
  const groups = versions.reduce((sum, version) => sum + version.groups.length, 0)
  const each = Math.ceil(groups / mostAnew)
  for (const [index, version] of [...versions.entries()].reverse()) {
    const ask = asks[index % asks.length]
    const found =
      (ask?.do === "ask" && index % each === 0 ? unlikeAnew(version, ask) : undefined) ??
      unlikeList(version) ??
      unlikeList(version)
    if (found !== undefined) return `at last, version ${index}: ${found}`
  }
  return undefined
}

/** What goes wrong in a history, if anything does. */
export const wrongIn = (
  { groups, events }: History,
  changes: Changes = library,
): string | undefined => {
  const model = new Model(groups, changes)
  for (const [index, event] of events.entries()) {
    const found = model.after(event)
    if (found !== undefined) return `event ${index} (${event.do}): ${found}`
  }
  return unlikeAtLast(
    model.versions,
    events.filter((event) => event.do === "ask"),
  )
}

/** A history that goes wrong, without the events and groups that it does not take; else nothing. */
export const mistake = (history: History, changes: Changes = library): string | undefined => {
  if (wrongIn(history, changes) === undefined) return undefined
  const events = fewer(
    history.events,
    (some) => wrongIn({ ...history, events: some }, changes) !== undefined,
  )
  const groups = fewer(
    history.groups,
    (some) => wrongIn({ events, groups: some }, changes) !== undefined,
  )
  const smaller = { groups, events }
  return `${wrongIn(smaller, changes)}\n${JSON.stringify(smaller)}`
}

/** How a history is made up. */
export interface Plan {
  readonly seed: number
  readonly shape: Shape
  readonly events: number
  /** Of a hundred events, how many ask about an order. */
  readonly asks: number
  readonly groups?: (scene: Scene) => ReadonlyArray<Group>
}

const spoilt = (group: Group, random: Random): Group => ({
  ...group,
  ...random.pick<Partial<Group>>([
    { percent: "100.01" },
    { percent: null, amount: null },
    { amount: 0.5 },
    { minAmount: 2, maxAmount: 1 },
    { collaboratorId: "" },
    { id: "" },
  ]),
})

/** Half of all changes and questions are about the newest version, the others about any. */
const placeOf = (random: Random, versions: number): number =>
  random.percent(50) ? versions - 1 : random.below(versions)

const changeOf = (scene: Scene, at: number, known: Array<Group>): Event => {
  const { random } = scene
  const old = known.length === 0 ? undefined : random.pick(known)
  const place = random.below(100)
  if (old !== undefined && place < 40) {
    const group = replacementOf(scene, old)
    known.push(group)
    return { do: "put", at, group }
  }
  if (old !== undefined && place < 65) return { do: "remove", at, id: old.id }
  if (place < 70) return { do: "remove", at, id: "unknown" }
  if (place < 75) return { do: "revive", at, way: random.pick(ways) }
  const id = `${random.pick(idsOf(random, 9))}${random.percent(40) ? "" : random.below(500)}`
  const group = groupOf(scene, id, random.percent(50) ? old?.link : undefined)
  if (place < 80) return { do: "refuse", at, group: spoilt(group, random) }
  known.push(group)
  return { do: "put", at, group }
}

/** A random history: changes and questions, on the newest version and on older ones. */
export const historyOf = ({
  seed,
  shape,
  events,
  asks,
  groups: first = groupsOf,
}: Plan): History => {
  const scene = sceneOf(new Random(seed), shape)
  const { random } = scene
  const groups = first(scene)
  const known = [...groups]
  const products = Array.from({ length: 8 }, () => productOf(scene))
  const product = () =>
    random.percent(85) ? random.pick(products) : changedProduct(scene, random.pick(products))
  const made: Array<Event> = []
  for (let versions = 1; made.length < events; ) {
    const at = placeOf(random, versions)
    const place = random.below(100)
    if (place < asks) {
      const policy = random.below(policies.length)
      made.push({ do: "ask", at, order: orderOf(scene, `${made.length}`, product), policy })
    } else if (place < asks + 5) {
      made.push({ do: "list", at })
    } else if (place < asks + 10) {
      const id = known.length === 0 ? "unknown" : random.pick(known).id
      made.push({ do: "get", at, id })
    } else {
      const event = changeOf(scene, at, known)
      made.push(event)
      if (event.do !== "refuse") versions += 1
    }
  }
  return { groups, events: made }
}
