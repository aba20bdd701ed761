import * as text from "../../orders/internal/attributeText.js"
import type { ConditionType } from "../../rules/ProductGroup.js"
import type { LimitedPlace } from "../Options.js"

/** Where a value can stand: a product's id, tag or vendor, or what a condition asks the order for. */
export type ValuePlace = "products" | "products.tag" | "products.vendor" | ConditionType

/** How many ids a product can be called by: its own, and the one that the shop system knows it by. */
export const mostIds = 2

/** How many values an order of one item can have at a place. */
export type ValueLimits = Readonly<Record<ValuePlace, number>>

/** The places of which it can be said how many values they have at most. */
export const limitedPlaces: ReadonlyArray<LimitedPlace> = [
  "products.tag",
  "order.tag",
  "customer.tag",
  "discount.code",
  "referer",
]

/** What is not limited otherwise: a product has two ids and one vendor, an order one country, and any number of all else. */
export const limits = (
  said: { readonly [At in ValuePlace]?: number | undefined },
): ValueLimits => ({
  products: said.products ?? mostIds,
  "products.tag": said["products.tag"] ?? Number.POSITIVE_INFINITY,
  "products.vendor": 1,
  "order.tag": said["order.tag"] ?? Number.POSITIVE_INFINITY,
  "customer.tag": said["customer.tag"] ?? Number.POSITIVE_INFINITY,
  "discount.code": said["discount.code"] ?? Number.POSITIVE_INFINITY,
  "country.code": 1,
  referer: said.referer ?? Number.POSITIVE_INFINITY,
})

const asIs = (value: string): string => value

const foldOf = (place: ValuePlace): ((value: string) => string) => {
  if (place === "products") return asIs
  return place === "country.code" ? text.foldCountry : text.fold
}

/** A value that some rule names. */
export interface Value {
  readonly place: ValuePlace
  /** As the first rule that names it writes it. */
  readonly written: string
}

/** The values that rules name, each a number: two spellings of one value are one number. */
export class Values {
  private readonly known: Array<Value> = []
  private readonly numbers = new Map<string, number>()
  private readonly limits: ValueLimits

  /** `most`: how many of the values that rules name an order can have. */
  constructor(most: ValueLimits = limits({})) {
    this.limits = most
  }

  /** The number of a value; a new one where no rule named it before. */
  numberOf(place: ValuePlace, written: string): number {
    const key = `${place} ${foldOf(place)(written)}`
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    const number = this.known.length
    this.known.push({ place, written })
    this.numbers.set(key, number)
    return number
  }

  /** How many values of a place an order of one item can have. */
  mostAt(place: ValuePlace): number {
    return this.limits[place]
  }

  at(number: number): Value {
    const value = this.known[number]
    if (value === undefined) throw new RangeError(`no value has the number ${number}`)
    return value
  }

  /** Whether a rule names the value there. */
  has(place: ValuePlace, written: string): boolean {
    return this.numbers.has(`${place} ${foldOf(place)(written)}`)
  }
}
