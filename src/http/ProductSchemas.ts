/** Products, alone and with the collaborators whose groups they are linked to. */
import * as Schema from "effect/Schema"
import { Collaborator } from "./CollaboratorSchemas.js"

const nullableText = Schema.NullOr(Schema.String)
const nullableNumber = Schema.NullOr(Schema.Int)

const fields = {
  id: Schema.String,
  external_id: nullableText,
  external_variant_id: nullableText,
  name: nullableText,
  sku: nullableText,
  vendor: nullableText,
  price: nullableNumber.annotate({ description: "Cents" }),
  cost: nullableNumber.annotate({ description: "Cents" }),
  tags: Schema.Array(Schema.String),
  inventory_quantity: nullableNumber,
}

export const Product = Schema.Struct(fields).annotate({
  identifier: "Product",
  description: "A product, or one variant of it",
})

export const ListedProduct = Schema.Struct({
  ...fields,
  collaborators: Schema.optionalKey(Schema.Array(Collaborator)).annotate({
    description:
      "The collaborators whose groups the product is linked to, when include_collaborators is set",
  }),
}).annotate({ identifier: "ListedProduct", description: "A product in the catalogue's list" })
