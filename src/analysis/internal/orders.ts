import type { Order } from "../../matching/Order.js"
import type { Product } from "../../matching/Product.js"
import type { Witness } from "../Witness.js"
import type { Part } from "./Parts.js"
import type { Setting } from "./Setting.js"
import { type Sketch, sizeOf } from "./Sketch.js"
import type { FoundOrder } from "./smallest.js"
import type { Place, Values } from "./Values.js"

/** The money of an order of one item. */
export interface Figures {
  readonly amount: number
  readonly quantity?: number | undefined
  readonly discount?: number | undefined
  /** Tax that is in the amount. */
  readonly tax?: number | undefined
  readonly shippingAmount?: number | undefined
  readonly currency?: string | undefined
}

const writtenAt = ({ values }: Sketch, table: Values, place: Place): ReadonlyArray<string> => {
  const there = values.map((value) => table.at(value)).filter((value) => value.place === place)
  return there.map(({ written }) => written)
}

/** An id that no rule names. */
const unknownId = (table: Values): string => {
  let id = "any-product"
  while (table.has("products", id)) id = `${id}-`
  return id
}

/** A product's id is never empty; its external id may be. */
const idsOf = (
  sketch: Sketch,
  table: Values,
): readonly [id: string, externalId?: string | undefined] => {
  const ids = writtenAt(sketch, table, "products")
  const [id, ...others] = [
    ...ids.filter((each) => each !== ""),
    ...ids.filter((each) => each === ""),
  ]
  if (id === undefined) return [unknownId(table)]
  if (id === "") return [unknownId(table), id]
  return [id, others[0]]
}

const productOf = (sketch: Sketch, table: Values): Product => {
  const [id, externalId] = idsOf(sketch, table)
  const [vendor] = writtenAt(sketch, table, "products.vendor")
  const tags = writtenAt(sketch, table, "products.tag")
  return {
    id,
    ...(externalId === undefined ? {} : { externalId }),
    ...(vendor === undefined ? {} : { vendor }),
    ...(tags.length === 0 ? {} : { tags }),
  }
}

const attributesOf = (sketch: Sketch, table: Values): Partial<Order> => {
  const at = (place: Place) => writtenAt(sketch, table, place)
  const [country] = at("country.code")
  const lists = {
    tags: at("order.tag"),
    customerTags: at("customer.tag"),
    discountCodes: at("discount.code"),
    referers: at("referer"),
  }
  return {
    ...(sketch.at === null ? {} : { createdAt: sketch.at }),
    ...Object.fromEntries(Object.entries(lists).filter(([, values]) => values.length > 0)),
    ...(country === undefined ? {} : { billingCountry: country }),
  }
}

/** An order of one item that is like a sketch; of a product of the catalogue, where one is given. */
export const orderOf = (
  sketch: Sketch,
  table: Values,
  { figures, product }: { readonly figures: Figures; readonly product: Product | undefined },
): Order => {
  const { amount, quantity = 1, discount = 0, tax = 0 } = figures
  const { shippingAmount = 0, currency = "USD" } = figures
  return {
    id: "example",
    currency,
    ...attributesOf(sketch, table),
    ...(tax === 0 ? {} : { taxesIncluded: true }),
    ...(shippingAmount === 0 ? {} : { shippingAmount }),
    items: [
      {
        id: "item",
        product: product ?? productOf(sketch, table),
        quantity,
        amount,
        ...(discount === 0 ? {} : { discount }),
        ...(tax === 0 ? {} : { taxTotal: tax }),
      },
    ],
  }
}

/** An order that was found as a witness: of one unit of a product, at its price where it has one. */
export const exampleOf = (
  { sketch, isSmallest }: FoundOrder,
  part: Part,
  { catalogue }: Setting,
): Witness => {
  const product = sketch.kind === undefined ? undefined : part.products[sketch.kind]
  const figures = { amount: product?.price ?? 10_000, currency: catalogue?.currency }
  const order = orderOf(sketch, part.world.values, { figures, product })
  return { order, attributeCount: sizeOf(sketch), isSmallest }
}
