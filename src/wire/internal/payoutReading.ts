/** Reads a payout as its view writes it, and decides what the view does not say. */
import * as Result from "effect/Result"
import { readCurrency } from "../../internal/currency.js"
import * as reader from "../../internal/reader.js"
import * as Cents from "../../money/Cents.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import { read as readCollaborator } from "../Collaborator.js"
import type { Reading } from "../Payout.js"
import { readItem } from "./payoutItemReading.js"

type Known = ReadonlyMap<string, Collaborator> | undefined

interface Owner {
  readonly id: string
  readonly collaborator: Collaborator | null
}

const readObject = (node: reader.Node, known: Known): Owner => {
  const value = node.fields.collaborator
  const read = readCollaborator(value, { path: reader.pathOf(node, "collaborator") })
  if (Result.isFailure(read)) {
    node.problems.push(...read.failure.problems)
    return { id: "", collaborator: null }
  }
  const { id } = read.success
  return { id, collaborator: known?.get(id) ?? read.success }
}

const readOwner = (node: reader.Node, known: Known): Owner => {
  if (reader.isFields(node.fields.collaborator)) return readObject(node, known)
  const id = reader.neededId(node, "collaborator")
  const collaborator = known?.get(id) ?? null
  if (known !== undefined && id !== "" && collaborator === null) {
    reader.note(node, "collaborator", `"${id}" is not among the collaborators`)
  }
  return { id, collaborator }
}

const readStatus = (node: reader.Node): PayoutStatus.PayoutStatus => {
  const status = reader.choice(node, "status", PayoutStatus.statuses)
  if (status === undefined && reader.field(node, "status") === undefined) {
    reader.refuse(node, "status", reader.oneOf(PayoutStatus.statuses))
  }
  return status ?? "active"
}

/** A payment that went through has its time. Of one set by hand it may not be known. */
const readPaidAt = (node: reader.Node, status: PayoutStatus.PayoutStatus): number | null => {
  if (status === "paid") return reader.neededTime(node, "paid_at")
  const paidAt = reader.time(node, "paid_at") ?? null
  if (paidAt !== null && !PayoutStatus.isSettled(status)) {
    reader.refuse(node, "paid_at", `null on a payout that is ${status}`)
  }
  return paidAt
}

/** When the payout was opened: as it says, or with the first sale in it. */
const readOpenedAt = (
  node: reader.Node,
  nodes: ReadonlyArray<reader.Node>,
  toBePaidAt: number,
): number => {
  const given = reader.time(node, "opened_at")
  if (given !== undefined) return given
  let earliest = toBePaidAt
  for (const item of nodes) {
    const orderItem = reader.child(item, "orderItem")
    const splitAt = orderItem && reader.time(orderItem, "split_at")
    if (splitAt !== undefined && splitAt < earliest) earliest = splitAt
  }
  return earliest
}

const checkTotal = (node: reader.Node, items: ReadonlyArray<PayoutItem>): void => {
  const given = reader.whole(node, "total")
  const amounts = items.map(({ amount }) => amount)
  const sum = Cents.sum(amounts, { what: "the total of the items" })
  if (Result.isFailure(sum)) reader.note(node, "items", sum.failure.message)
  else if (given !== undefined && given !== sum.success) {
    reader.refuse(node, "total", `the sum of its items, ${sum.success}`)
  }
}

const closing = (status: PayoutStatus.PayoutStatus, toBePaidAt: number) => {
  const isClosed = status === "pending" || status === "paid" || status === "failed"
  const closedAt = isClosed ? toBePaidAt : null
  return { closedAt, payableAt: closedAt }
}

const readFailureReason = (node: reader.Node, status: PayoutStatus.PayoutStatus): string | null => {
  const reason = reader.text(node, "failure_reason")
  return status === "failed" ? (reason ?? "unknown") : null
}

/** Reads a payout. With collaborators, it must be one of theirs, or hold its own. */
export const readPayout = (node: reader.Node, known: Known): Reading => {
  const found = node.problems.length
  const { id: collaboratorId, collaborator } = readOwner(node, known)
  const id = reader.neededId(node, "id")
  const currency = readCurrency(node, "currency")
  const status = readStatus(node)
  const toBePaidAt = reader.neededTime(node, "to_be_paid_at")
  const nodes = reader.children(node, "items") ?? []
  const openedAt = readOpenedAt(node, nodes, toBePaidAt)
  const surroundings = { payoutId: id, currency, enteredAt: openedAt }
  const items = nodes.map((item, index) => readItem(item, index + 1, surroundings))
  // The sum of items that can't be read would only say once more that they can't.
  if (node.problems.length === found) checkTotal(node, items)
  const payout = {
    ...{ id, collaboratorId, currency, status, openedAt, toBePaidAt },
    ...closing(status, toBePaidAt),
    paidAt: readPaidAt(node, status),
    failureReason: readFailureReason(node, status),
    items,
  }
  return { payout, collaborator }
}
