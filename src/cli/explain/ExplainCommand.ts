/** `apportion explain`: how one order was split, and why the other groups did not apply. */

import * as Json from "../../internal/names.js"
import { oneLine, printable } from "../../orders/Words.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import * as Explanation from "../../shares/Explanation.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import * as ExitCode from "../ExitCode.js"
import * as Collaborators from "../input/Collaborators.js"
import * as Input from "../input/Input.js"
import type { OrderFailure } from "../input/Orders.js"
import * as OrderReader from "../input/Orders.js"
import {
  idOf,
  type NotSold,
  nameOf,
  type OrderSplitter,
  Orders,
  type SplitOrder,
} from "../input/Orders.js"
import * as Products from "../input/Products.js"
import type { Record } from "../input/Records.js"
import * as Refunds from "../input/Refunds.js"
import * as Rules from "../input/Rules.js"
import { type Earlier, splitterOf } from "../input/RunSplitter.js"
import type { OrderInputs, Source } from "../input/Sources.js"
import type { Session } from "../Session.js"

/** What the command works on. */
export interface ExplainOptions extends OrderInputs, Pick<Earlier, "counters"> {
  readonly collaborators: Source | undefined
  /** What refunds took off counters, for groups with terms. */
  readonly refunds: Source | undefined
  readonly order: string
  readonly item: string | undefined
  readonly group: string | undefined
  /** Whether every group that paid nothing is listed. */
  readonly isAll: boolean
  readonly format: "text" | "json"
}

/** The split to explain, and which part of it. */
interface Subject {
  readonly rules: RuleSet
  readonly policy: SplitPolicy
  readonly split: SplitOrder
  readonly item: string | undefined
  readonly group: string | undefined
  readonly isAll: boolean
  readonly names: Explanation.Names
}

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

type Found = SplitOrder | NotSold | OrderFailure

/** Orders that are split in their turn, so that those before count. */
interface CountedOrders {
  readonly splitter: OrderSplitter
  readonly refunds: Refunds.Refunds
}

/**
 * Finds the order with the id, or else the first one with that name. Where orders count, those before it are split
 * too.
 */
const findOrder = async (
  session: Session,
  options: ExplainOptions,
  { orders, counted }: { readonly orders: Orders; readonly counted: CountedOrders | undefined },
): Promise<Found> => {
  const input = { kind: Input.orders, note: session.note }
  let named: Record | undefined
  let found: Found | undefined
  for await (const batch of Input.read(options.orders, input)) {
    for (const entry of batch) {
      if (entry._tag !== "Record") continue
      if (idOf(entry.value) === options.order) return orders.split(entry)
      const isNamed = nameOf(entry.value) === options.order && named === undefined
      if (isNamed) named = entry
      if (counted === undefined) continue
      const split = orders.split(entry)
      if (isNamed) found = split
      if (split._tag !== "SplitOrder") continue
      counted.splitter.takeBack(split.split, counted.refunds.reversals(split).made)
    }
  }
  if (found !== undefined) return found
  if (named !== undefined) return orders.split(named)
  return refuse(`--order: there is no order "${options.order}" in ${options.orders.name}`)
}

const checkItem = ({ split, item }: Subject): void => {
  const items = split.order.items.map(({ id }) => id)
  if (item === undefined || items.includes(item)) return
  refuse(`--item: order ${split.order.id} has no item "${item}"; its items are ${items.join(", ")}`)
}

const checkGroup = ({ rules, group }: Subject): void => {
  if (group === undefined || rules.groups.some(({ id }) => id === group)) return
  refuse(`--group: there is no group "${group}"`)
}

const explain = ({ split, item, group }: Subject): Explanation.Explanation => {
  const whole = Explanation.ofSplit(split.split)
  const ofGroup = ({ groupId }: { readonly groupId: string }) =>
    group === undefined || groupId === group
  return {
    ...whole,
    items: whole.items
      .filter(({ itemId }) => item === undefined || itemId === item)
      .map((one) => ({
        ...one,
        shares: one.shares.filter(ofGroup),
        outranked: one.outranked.filter(ofGroup),
      })),
  }
}

/** The names of the order's products, and of the collaborators from a file. */
const namesOf = (
  { order }: SplitOrder,
  collaborators: Collaborators.CollaboratorList | undefined,
): Explanation.Names => {
  const products = new Map(order.items.map(({ id, product }) => [id, product.name || undefined]))
  return {
    collaborator: (id) => collaborators?.get(id)?.account.name,
    item: (id) => products.get(id),
  }
}

/** The groups that paid nothing for each item: those that nearly applied, or all. */
const missesOf = (subject: Subject): ReadonlyArray<Explanation.NearMisses> => {
  const { rules, policy, split, item, group, isAll, names } = subject
  const most = isAll ? Number.POSITIVE_INFINITY : undefined
  const options = { itemId: item, groupId: group, policy, names, most }
  return Explanation.nearMisses(rules, split.order, options)
}

/** The result as JSON; `others` is present only where groups are left out. */
const toJson = (subject: Subject): string => {
  const misses = missesOf(subject)
  const others = misses
    .filter((one) => Object.keys(one.others).length > 0)
    .map(({ itemId, others: counts }) => ({ itemId, ...counts }))
  const explanation = {
    ...explain(subject),
    notApplied: misses.flatMap(({ nearest }) => nearest),
    ...(others.length === 0 ? {} : { othersNotApplied: others }),
  }
  return `${JSON.stringify(Json.inSnakeCase(explanation), undefined, 2)}\n`
}

const reasons = {
  link: "for other products",
  condition: "for other orders",
  "out of date": "not in force",
  zero: "paying nothing",
}

/** How many groups are not listed, and why they paid nothing; outranked groups are listed with the shares. */
const othersLine = ({ others, nearest }: Explanation.NearMisses): ReadonlyArray<string> => {
  const counts = Object.entries(reasons).flatMap(([reason, words]) => {
    const count = Object.entries(others).find(([name]) => name === reason)?.[1] ?? 0
    return count === 0 ? [] : [{ count, words }]
  })
  if (counts.length === 0) return []
  const sum = counts.reduce((all, { count }) => all + count, 0)
  const why = counts.map(({ count, words }) => `${count.toLocaleString("en-US")} ${words}`)
  const more = nearest.length === 0 ? "groups" : "more"
  return [`    ${sum.toLocaleString("en-US")} ${more}: ${why.join(", ")} (--all lists them).`]
}

const missesLines = (
  misses: Explanation.NearMisses | undefined,
  names: Explanation.Names,
): ReadonlyArray<string> => {
  if (misses === undefined) return []
  const told = misses.nearest
    .filter(({ reason }) => reason !== "outranked")
    .map(({ groupId, collaboratorId, message }) => {
      const who = names.collaborator?.(collaboratorId) ?? collaboratorId
      return oneLine(`    ${groupId} (${who}): ${message}.`)
    })
  const lines = [...told, ...othersLine(misses)]
  if (lines.length === 0) return []
  const nearly = told.length > 0 && told.length < lines.length ? "nearly applied" : "did not apply"
  return [`  Groups that ${nearly}:`, ...lines]
}

/** The text about each item, and the groups that paid nothing. */
const toText = (subject: Subject): string => {
  const { names } = subject
  const explanation = explain(subject)
  const misses = new Map(missesOf(subject).map((one) => [one.itemId, one]))
  const texts = explanation.items.map((item) =>
    [
      Explanation.toText({ ...explanation, items: [item] }, { names }),
      ...missesLines(misses.get(item.itemId), names),
    ].join("\n"),
  )
  return `${texts.join("\n\n")}\n`
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: ExplainOptions): Promise<number> => {
  const groups = await Rules.readTermedGroups(options.groups, session.note)
  const { rules } = groups
  const file = await Rules.readPolicy(options.policy, session.note)
  const { policy } = file
  const earlier = { counters: options.counters, note: session.note }
  const { splitter, counters } = await splitterOf(groups, file, earlier)
  const { collaborators: people } = options
  const collaborators = people && (await Collaborators.read(people, session.note))
  const catalogues = await Products.read(options.products, options.sales, session.note)
  const readOrder = OrderReader.of({
    catalogues,
    deductsCosts: policy.cost === "deduct",
    sales: options.sales,
  })
  const orders = new Orders({
    name: options.orders.name,
    splitter,
    readOrder,
  })
  const refunds = await Refunds.read(options.refunds, session.note)
  const counted = counters && { splitter, refunds }
  const split = await findOrder(session, options, { orders, counted })
  for (const text of orders.remarks.texts()) session.note(text)
  if (split._tag === "NotSold") return ExitCode.someFailed
  if (split._tag === "OrderFailure") {
    for (const line of split.lines) session.note(`apportion: ${line}`)
    return ExitCode.someFailed
  }
  const { item, group } = options
  const names = namesOf(split, collaborators)
  const subject = { rules, policy, split, item, group, isAll: options.isAll, names }
  checkItem(subject)
  checkGroup(subject)
  await session.io.stdout.write(
    options.format === "json" ? toJson(subject) : printable(toText(subject)),
  )
  return ExitCode.success
}
