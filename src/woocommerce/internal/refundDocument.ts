import { type KeptFields, kept } from "../../internal/keptFields.js"
import * as reader from "../../internal/reader.js"

const meta: KeptFields = { key: true, value: true }

const line: KeptFields = {
  ...{ id: true, product_id: true, variation_id: true, quantity: true },
  ...{ total: true, total_tax: true, meta_data: meta },
}

/** The fields that are read of a refund. The other fields may be about the buyer and are not stored. */
const refund: KeptFields = {
  ...{ id: true, amount: true, total: true, date_created: true, date_created_gmt: true },
  ...{ line_items: line, shipping_lines: line, fee_lines: line },
}

/** Lines with only the metadata that names the refunded line: a shop's plugins may write anything there. */
const withoutNotes = (lines: unknown): unknown =>
  Array.isArray(lines) && Object.keys(lines).length === lines.length
    ? lines.map((one) => {
        if (!reader.isFields(one) || !Array.isArray(one.meta_data)) return one
        const meta_data = one.meta_data.filter(
          (entry) => reader.isFields(entry) && entry.key === "_refunded_item_id",
        )
        return { ...one, meta_data }
      })
    : lines

const ofAddress = /\/orders\/(\d+)\/?$/

/** The last part of the address of the order, which the API puts into each refund. */
const linkedOrder = (node: reader.Node): string | undefined => {
  const links = reader.field(node, "_links")
  const up = reader.isFields(links) ? links.up : undefined
  const [first]: ReadonlyArray<unknown> = Array.isArray(up) ? up : []
  const href = reader.isFields(first) ? first.href : undefined
  return typeof href === "string" ? ofAddress.exec(href)?.[1] : undefined
}

/** The order of a refund: as a field, which the list of all refunds and hosts have, or in its links. */
const neededOrder = (node: reader.Node): string => {
  const named = [reader.id(node, "order_id"), reader.id(node, "parent_id"), linkedOrder(node)]
  const found = named.find((id) => id !== undefined && id !== "0")
  if (found === undefined) {
    reader.refuse(node, "order_id", "the id of its order: the refund alone does not say it")
  }
  return found ?? ""
}

/** A refund's id and the id of its order, and the fields of its document that reading it needs. */
export const neededRefund = (
  node: reader.Node,
): { readonly orderId: string; readonly refundId: string; readonly document: unknown } => {
  const document = kept(node.fields, refund)
  const lines = reader.isFields(document) ? withoutNotes(document.line_items) : undefined
  return {
    orderId: neededOrder(node),
    refundId: reader.neededId(node, "id"),
    document:
      reader.isFields(document) && lines !== undefined
        ? { ...document, line_items: lines }
        : document,
  }
}
