import * as reader from "../../internal/reader.js"
import type { Product } from "../../orders/Product.js"

const fields: ReadonlyArray<string> = [
  ...["id", "external_id", "external_variant_id", "name", "sku", "vendor", "price", "cost"],
  ...["tags", "inventory_quantity"],
]

/** Reads a product that stands inside something larger. Its `external_id` serves when it has no `id`. */
export const readProduct = (node: reader.Node): Product => {
  reader.refuseMisspelt(node, fields)
  const externalId = reader.id(node, "external_id")
  const ownId = reader.field(node, "id")
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
  }
}
