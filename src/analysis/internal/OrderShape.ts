import { firstSecond, lastSecond } from "../../internal/seconds.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { Witness } from "../Witness.js"
import type { GroupsPart } from "./Parts.js"
import { isDated, type Predicate } from "./Predicate.js"
import type { ResolvedOptions } from "./ResolvedOptions.js"
import type { FoundOrder } from "./smallest.js"
import type { ValuePlace, Values } from "./Values.js"

/** An order in outline: what of all that rules can ask for it has. */
export interface OrderShape {
  /** Numbers of the values that it has, in order. */
  readonly values: ReadonlyArray<number>
  /** The kind of its product, where the products are known. */
  readonly kind: number | undefined
  /** Its time in Unix seconds; `null`: it says none. */
  readonly at: number | null
}

/** How many attributes an order needs to be like this. A product of the catalogue is what it is. */
export const sizeOf = ({ values, at }: OrderShape): number => values.length + Number(at !== null)

/** Whether any time that is asked about is within the dates. */
export const isEver = (predicate: Predicate, from: number | undefined): boolean =>
  !isDated(predicate) ||
  Math.max(from ?? firstSecond, predicate.startsAt) < Math.min(lastSecond + 1, predicate.endsAt)

/** One time of each stretch in which dates tell no two times apart; an order without a time is before all of them. */
export const timesOf = (
  dated: ReadonlyArray<Predicate>,
  from: number | undefined,
): ReadonlyArray<number | null> => {
  if (dated.length === 0) return [null]
  const start = from ?? firstSecond
  const cuts = new Set([start])
  for (const { startsAt, endsAt } of dated) {
    for (const time of [startsAt, endsAt]) {
      if (start < time && time <= lastSecond) cuts.add(time)
    }
  }
  const times = [...cuts].sort((one, other) => one - other)
  // The very first second is a poor example of a time before another.
  if (start === firstSecond) times[0] = (times[1] ?? lastSecond + 1) - 1
  return [null, ...times]
}

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

const writtenAt = (
  { values }: OrderShape,
  table: Values,
  place: ValuePlace,
): ReadonlyArray<string> => {
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
  sketch: OrderShape,
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

const productOf = (sketch: OrderShape, table: Values): Product => {
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

const attributesOf = (sketch: OrderShape, table: Values): Partial<Order> => {
  const at = (place: ValuePlace) => writtenAt(sketch, table, place)
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
  sketch: OrderShape,
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
  part: GroupsPart,
  { catalogue }: ResolvedOptions,
): Witness => {
  const product = sketch.kind === undefined ? undefined : part.products[sketch.kind]
  const figures = { amount: product?.price ?? 10_000, currency: catalogue?.currency }
  const order = orderOf(sketch, part.world.values, { figures, product })
  return { order, attributeCount: sizeOf(sketch), isSmallest }
}
