/** `apportion explain`: how one order was split, and why the other groups did not apply. */
import type { RuleSet } from "../matching/RuleSet.js"
import * as Explanation from "../shares/Explanation.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import * as Collaborators from "./Collaborators.js"
import * as ExitCode from "./ExitCode.js"
import * as Input from "./Input.js"
import * as Json from "./Json.js"
import type { OrderFailure } from "./OrderFailure.js"
import * as OrderReader from "./OrderReader.js"
import { idOf, type NotSold, Orders, type SplitOrder } from "./Orders.js"
import { oneLine, printable } from "./Printable.js"
import * as Products from "./Products.js"
import * as Rules from "./Rules.js"
import type { Session } from "./Session.js"
import type { Source } from "./Sources.js"

/** What the command works on. */
export interface Options {
  readonly groups: Source
  readonly orders: Source
  readonly products: Source | undefined
  readonly policy: Source | undefined
  readonly collaborators: Source | undefined
  readonly order: string
  readonly item: string | undefined
  readonly group: string | undefined
  readonly format: "text" | "json"
}

/** What is asked about. */
interface Subject {
  readonly rules: RuleSet
  readonly policy: SplitPolicy
  readonly split: SplitOrder
  readonly item: string | undefined
  readonly group: string | undefined
  readonly names: Explanation.Names
}

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

/** Reads orders until the one that is asked for comes. */
const findOrder = async (
  session: Session,
  options: Options,
  orders: Orders,
): Promise<SplitOrder | NotSold | OrderFailure> => {
  const input = { kind: Input.orders, note: session.note }
  for await (const batch of Input.read(options.orders, input)) {
    for (const entry of batch) {
      if (entry._tag === "Record" && idOf(entry.value) === options.order) return orders.split(entry)
    }
  }
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

/** What the order's products are called, and the collaborators where a file tells it. */
const namesOf = (
  { order }: SplitOrder,
  collaborators: Collaborators.Collaborators | undefined,
): Explanation.Names => {
  const products = new Map(order.items.map(({ id, product }) => [id, product.name || undefined]))
  return {
    collaborator: (id) => collaborators?.get(id)?.account.name,
    item: (id) => products.get(id),
  }
}

const notApplied = ({ rules, policy, split, item, group }: Subject) =>
  Explanation.notApplied(rules, split.order, { itemId: item, groupId: group, policy })

const toJson = (subject: Subject): string => {
  const explanation = { ...explain(subject), notApplied: notApplied(subject) }
  return `${JSON.stringify(Json.inSnakeCase(explanation), undefined, 2)}\n`
}

/** The story of each item, and the groups that have no part in it. */
const toText = (subject: Subject): string => {
  const { names } = subject
  const explanation = explain(subject)
  const missing = notApplied(subject)
  const texts = explanation.items.map((item) => {
    const others = missing
      .filter(({ itemId, reason }) => itemId === item.itemId && reason !== "outranked")
      .map(({ groupId, collaboratorId, message }) => {
        const who = names.collaborator?.(collaboratorId) ?? collaboratorId
        return oneLine(`    ${groupId} (${who}): ${message}.`)
      })
    return [
      Explanation.toText({ ...explanation, items: [item] }, { names }),
      ...(others.length === 0 ? [] : ["  Groups that did not apply:", ...others]),
    ].join("\n")
  })
  return `${texts.join("\n\n")}\n`
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: Options): Promise<number> => {
  const { rules } = await Rules.readGroups(options.groups, session.note)
  const policy = await Rules.readPolicy(options.policy, session.note)
  const { collaborators: people } = options
  const collaborators = people && (await Collaborators.read(people, session.note))
  const catalogues = await Products.read(options.products, session.note)
  const readOrder = OrderReader.of({ catalogues, deductsCosts: policy.cost === "deduct" })
  const orders = new Orders({
    name: options.orders.name,
    rules,
    policy,
    readOrder,
    note: session.note,
  })
  const split = await findOrder(session, options, orders)
  for (const text of orders.remarks.texts()) session.note(text)
  if (split._tag === "NotSold") return ExitCode.someFailed
  if (split._tag === "OrderFailure") {
    for (const line of split.lines) session.note(`apportion: ${line}`)
    return ExitCode.someFailed
  }
  const { item, group } = options
  const subject = { rules, policy, split, item, group, names: namesOf(split, collaborators) }
  checkItem(subject)
  checkGroup(subject)
  await session.io.stdout.write(
    options.format === "json" ? toJson(subject) : printable(toText(subject)),
  )
  return ExitCode.success
}
