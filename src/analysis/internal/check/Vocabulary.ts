import type { LinkType } from "../../../groups/ProductGroup.js"
import { meant } from "../../../internal/misspelling.js"
import * as text from "../../../matching/internal/text.js"
import type { Product } from "../../../matching/Product.js"

/** A link that names values. */
export type AskingLink = Exclude<LinkType, "products.all">

/** The values of one kind that the products have, each under the form in which it is compared. */
type Known = ReadonlyMap<string, string>

const valuesOf = (
  { id, externalId, tags, vendor }: Product,
  type: AskingLink,
): ReadonlyArray<string | undefined> | string | undefined => {
  if (type === "products") return [id, externalId]
  return type === "products.tag" ? tags : vendor
}

const asIs = (value: string): string => value

/** The form in which values are compared: ids as they are, other texts without regard to case. */
const foldOf = (type: AskingLink): ((value: string) => string) =>
  type === "products" ? asIs : text.fold

const knownOf = (products: ReadonlyArray<Product>, type: AskingLink): Known => {
  const fold = foldOf(type)
  const known = new Map<string, string>()
  for (const value of products.flatMap((product) => valuesOf(product, type))) {
    if (value !== undefined && !known.has(fold(value))) known.set(fold(value), value)
  }
  return known
}

/** The vocabulary of a catalogue, and what was probably meant by words that are not in it. */
export class Vocabulary {
  private readonly products: ReadonlyArray<Product>
  private readonly known = new Map<AskingLink, Known>()
  private readonly alike = new Map<string, string>()
  /** Each guess looks at every known value. */
  private guesses = 200

  constructor(products: ReadonlyArray<Product>) {
    this.products = products
    for (const id of this.of("products").keys()) this.alike.set(text.fold(id), id)
  }

  private of(type: AskingLink): Known {
    const known = this.known.get(type) ?? knownOf(this.products, type)
    this.known.set(type, known)
    return known
  }

  has(type: AskingLink, value: string): boolean {
    return this.of(type).has(foldOf(type)(value))
  }

  /** Ids differ by a letter on purpose, so only one that looks the same is taken for the one that was meant. */
  private guess(type: AskingLink, value: string): string | undefined {
    if (type === "products") return this.alike.get(text.fold(value))
    this.guesses -= 1
    if (this.guesses < 0) return undefined
    const wanted = value.trim()
    const near = [...this.of(type).values()]
      .map((known) => known.trim())
      .filter(({ length }) => Math.abs(length - wanted.length) <= 2)
    return meant(wanted, near)
  }

  /** A value as it is told, with what was probably meant. */
  told(type: AskingLink, value: string): string {
    const guess = this.has(type, value) ? undefined : this.guess(type, value)
    const shown = JSON.stringify(value)
    return guess === undefined ? shown : `${shown} (did you mean ${JSON.stringify(guess)}?)`
  }
}
