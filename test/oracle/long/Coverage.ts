/**
 * What the rounds of the long comparison reached, so that a generator that goes astray is noticed.
 */
import type { Order, Product, ProductGroup } from "apportion"
import { features } from "../Features.js"
import { normalText, oracleMatchingGroups } from "../Oracle.js"
import type { Asked } from "./Compare.js"
import type { OnAnswer } from "./Play.js"
import { type Ask, policyCount, type Round, type Step } from "./Script.js"

type Group = ProductGroup.GroupInput

const objectNames = ["__proto__", "constructor", "tostring", "hasownproperty"]

const sizeLabel = (size: number): string => {
  if (size === 0) return "rule set without groups"
  if (size <= 12) return "rule set of up to 12 groups"
  if (size <= 64) return "rule set of up to 64 groups"
  return size <= 256 ? "rule set of up to 256 groups" : "rule set of more than 256 groups"
}

const productKey = ({ id, externalVariantId }: Product.Product): string =>
  JSON.stringify([id, externalVariantId])

const linkKey = ({ link }: Group): string =>
  JSON.stringify([link.type, link.modifier ?? "WITH", (link.values ?? []).map(normalText)])

/** How many groups have the very link of each. */
const bucketSizes = (groups: ReadonlyArray<Group>): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>()
  for (const group of groups) sizes.set(linkKey(group), (sizes.get(linkKey(group)) ?? 0) + 1)
  return sizes
}

const ofLink = ({ link }: Group, { product }: Order.OrderItem): ReadonlyArray<string> => {
  const values = link.values ?? []
  const there = link.type === "products.vendor" ? [product.vendor ?? ""] : (product.tags ?? [])
  if (link.modifier === "NOT" || link.type === "products.all") return []
  if (link.type === "products") {
    return values.includes(product.id) ? [] : ["matched by the external id alone"]
  }
  return [
    ...(there.some((text) => values.includes(text)) ? [] : ["matched by another spelling alone"]),
    ...(there.some((text) => objectNames.includes(normalText(text)))
      ? ["matched beside a name of every object"]
      : []),
  ]
}

const ofMatch = (group: Group, item: Order.OrderItem, asked: Asked): ReadonlyArray<string> => {
  const { link, condition } = group
  const several = (condition?.values ?? []).length > 1
  const isLarge = asked.groups.length > 64
  return [
    `matched by ${link.type} ${link.modifier ?? "WITH"}`,
    ...ofLink(group, item),
    ...(condition == null
      ? []
      : [`matched under ${condition.type} ${condition.modifier ?? "WITH"}`]),
    ...(several ? ["matched under a condition with several values"] : []),
    ...(condition?.values.length === 0 ? ["matched under a condition without values"] : []),
    ...(isLarge && condition?.modifier === "NOT" ? ["matched under NOT in a large rule set"] : []),
    ...(isLarge && link.modifier === "NOT" ? ["matched by a NOT link in a large rule set"] : []),
  ]
}

const ofBuckets = (matching: ReadonlyArray<Group>, { groups }: Asked): ReadonlyArray<string> => {
  if (groups.length < 64 || matching.length === 0) return []
  const sizes = bucketSizes(groups)
  const crowded = matching.filter((group) => (sizes.get(linkKey(group)) ?? 0) >= 64)
  const conditions = crowded.filter(({ condition }) => condition != null)
  return [
    ...(crowded.length > 0 ? ["matched in a bucket of 64 and more"] : []),
    ...(conditions.length > 0 ? ["matched under a condition in a bucket of 64 and more"] : []),
    ...(crowded.length > 20 ? ["more than 20 matched in one bucket"] : []),
  ]
}

const ofItem = (item: Order.OrderItem, asked: Asked): ReadonlyArray<string> => {
  const matching = oracleMatchingGroups(asked.groups, asked.order, item)
  const several = new Set(matching.map(({ createdAt }) => createdAt ?? null)).size < matching.length
  return [
    ...matching.flatMap((group) => ofMatch(group, item, asked)),
    ...ofBuckets(matching, asked),
    ...(several ? ["several matched groups made at the same time"] : []),
    ...(matching.length > 50 ? ["more than 50 groups matched"] : []),
  ]
}

/** Of one answer in so many, everything is told that it exercises. It has no divisor with the policies. */
const sampled = 17

export class Coverage {
  readonly counts = new Map<string, number>()
  /** How often each policy was asked about. */
  readonly policies = new Uint32Array(policyCount)
  lines = 0
  orders = 0
  rounds = 0
  private products = new Map<string, string>()
  private origins = new Map<number, string>()
  private slots = new Map<number, string>()
  private lastVersion = -1

  /** A new round begins: nothing of the last one is known any more. */
  begin({ shape, steps }: Round): void {
    this.rounds += 1
    this.products = new Map()
    this.slots = new Map()
    this.origins = new Map(steps.flatMap((step) => originOf(step)))
    this.lastVersion = -1
    this.note(`round ${shape}`)
  }

  readonly onAnswer: OnAnswer = (ask, asked, outcome) => {
    this.orders += 1
    this.lines += asked.order.items.length
    this.policies[ask.policy] = (this.policies[ask.policy] ?? 0) + 1
    this.noteHistory(ask)
    this.note(sizeLabel(asked.groups.length))
    this.note(`order of ${asked.order.items.length} lines`)
    this.note(`asked ${ask.how}`)
    for (const { tag } of outcome.errors ?? []) this.note(`refused ${tag}`)
    if (this.orders % sampled === 0) this.sample(asked)
  }

  private note(label: string): void {
    this.counts.set(label, (this.counts.get(label) ?? 0) + 1)
  }

  private noteHistory(ask: Ask): void {
    const { version } = ask
    this.note(`asked a rule set after ${this.origins.get(version) ?? "nothing"}`)
    if (version < this.lastVersion) this.note("asked an older rule set after a newer one")
    if (version !== this.lastVersion) this.note("asked another rule set than the last time")
    if (ask.sameOrder === true) this.note("order object again, overwritten in place")
    this.lastVersion = version
    for (const [index, { product }] of ask.order.items.entries()) {
      const slot = ask.slots?.[index] ?? null
      this.noteProduct(product, slot)
    }
  }

  private noteProduct(product: Product.Product, slot: number | null): void {
    const text = JSON.stringify(product)
    const key = productKey(product)
    this.noteAgain("product", this.products.get(key), text)
    this.products.set(key, text)
    if (slot === null) return
    this.noteAgain("product object", this.slots.get(slot), text)
    this.slots.set(slot, text)
  }

  private noteAgain(what: string, before: string | undefined, now: string): void {
    if (before === undefined) this.note(`${what} for the first time`)
    else this.note(before === now ? `${what} again, the same` : `${what} again, changed`)
  }

  private sample(asked: Asked): void {
    this.note("sampled")
    const found = new Set(features(asked))
    if (!found.has("refused InvalidOrder")) {
      for (const item of asked.order.items) {
        for (const label of ofItem(item, asked)) found.add(label)
      }
    }
    for (const label of found) this.note(`sampled: ${label}`)
  }
}

const originOf = (step: Step): ReadonlyArray<readonly [number, string]> => {
  if (step.do === "ask") return []
  return [[step.version, step.do]]
}
