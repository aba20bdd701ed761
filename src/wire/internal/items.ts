/** The parts of an item that orders and payouts share: its product, and the rate of its tax. */
import * as reader from "../../internal/reader.js"
import type { Product } from "../../orders/Product.js"

/** Every field of a product's JSON. */
export const productFields = [
  ...(["id", "external_id", "external_variant_id", "name", "sku", "vendor", "price"] as const),
  ...(["cost", "tags", "inventory_quantity"] as const),
]

/** With the fields that the original API does not have. */
export const allProductFields = [...productFields, "other_ids"] as const

export type ProductField = (typeof productFields)[number]

/** Reads a product inside a larger input. Its `external_id` is used when it has no `id`. */
export const readProduct = (node: reader.Node): Product => {
  reader.refuseMisspelt(node, allProductFields)
  const externalId = reader.id(node, "external_id")
  const ownId = reader.field(node, "id")
  const otherIds = reader.ids(node, "other_ids")
  return {
    id: ownId === undefined && externalId !== undefined ? externalId : reader.neededId(node, "id"),
    externalId,
    externalVariantId: reader.id(node, "external_variant_id"),
    name: reader.text(node, "name"),
    sku: reader.id(node, "sku"),
    vendor: reader.text(node, "vendor"),
    price: reader.whole(node, "price"),
    cost: reader.whole(node, "cost"),
    tags: reader.texts(node, "tags"),
    inventoryQuantity: reader.whole(node, "inventory_quantity"),
    ...(otherIds === undefined ? {} : { otherIds }),
  }
}

const parseTaxPercent = (value: unknown): number | undefined => {
  if (typeof value === "string" && !/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return undefined
  const number = typeof value === "string" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

/** How to read a tax rate: a number, or the text of one. */
export const taxPercent = { parse: parseTaxPercent, expected: "a number, as 21 or 5.5" }
