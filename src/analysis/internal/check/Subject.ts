import type { AgreementSet } from "../../../agreements/Agreement.js"
import { meant } from "../../../internal/fieldNames.js"
import * as Attribute from "../../../orders/Attribute.js"
import { foldText, type Product } from "../../../orders/Product.js"
import { oneLine, plural } from "../../../orders/Words.js"
import type { ProductGroup } from "../../../rules/ProductGroup.js"
import type { RuleSet } from "../../../rules/RuleSet.js"
import type { CheckRule } from "../../CheckRules.js"
import type { DeadGroups } from "../../DeadGroups.js"
import type { Witness } from "../../Options.js"
import type { Inquiry } from "../Inquiry.js"
import type { ResolvedOptions } from "../ResolvedOptions.js"

/** The values of one attribute that the products have, by the form in which they are compared. */
type KnownWords = ReadonlyMap<string, string>

const knownOf = (
  products: ReadonlyArray<Product>,
  attribute: Attribute.ProductAttribute,
): KnownWords => {
  const fold = Attribute.foldOf(attribute)
  const known = new Map<string, string>()
  for (const value of products.flatMap(Attribute.ofProduct[attribute])) {
    if (!known.has(fold(value))) known.set(fold(value), value)
  }
  return known
}

/** The vocabulary of a catalogue, and suggestions for words that are not in it. */
export class CatalogueWords {
  private readonly products: ReadonlyArray<Product>
  private readonly known = new Map<Attribute.ProductAttribute, KnownWords>()
  private readonly alike = new Map<string, string>()
  /** The number of guesses left; each compares with every known value. */
  private guesses = 200

  constructor(products: ReadonlyArray<Product>) {
    this.products = products
    for (const id of this.of("products").keys()) this.alike.set(foldText(id), id)
  }

  private of(type: Attribute.ProductAttribute): KnownWords {
    const known = this.known.get(type) ?? knownOf(this.products, type)
    this.known.set(type, known)
    return known
  }

  has(type: Attribute.ProductAttribute, value: string): boolean {
    return this.of(type).has(Attribute.foldOf(type)(value))
  }

  /** Ids may differ by one letter on purpose, so only one that looks the same is suggested. */
  private guess(type: Attribute.ProductAttribute, value: string): string | undefined {
    if (type === "products") return this.alike.get(foldText(value))
    this.guesses -= 1
    if (this.guesses < 0) return undefined
    const wanted = value.trim()
    const near = [...this.of(type).values()]
      .map((known) => known.trim())
      .filter(({ length }) => Math.abs(length - wanted.length) <= 2)
    return meant(wanted, near)
  }

  /** A value in quotation marks, with a suggestion if there is one. */
  told(type: Attribute.ProductAttribute, value: string): string {
    const guess = this.has(type, value) ? undefined : this.guess(type, value)
    const shown = JSON.stringify(value)
    return guess === undefined ? shown : `${shown} (did you mean ${JSON.stringify(guess)}?)`
  }
}

/** The input of a check. */
export interface Subject {
  /** The rules without their terms. */
  readonly rules: RuleSet
  readonly agreements: AgreementSet
  readonly setting: ResolvedOptions
  /** Data computed once for all rules. */
  readonly inquiry: Inquiry
  readonly groupOf: (id: string) => ProductGroup
  readonly dead: DeadGroups
  /** The ids of the groups that never count. */
  readonly deadIds: ReadonlySet<string>
  /** The words of the catalogue. */
  readonly vocabulary: CatalogueWords
}

/** A finding before its severity is known. */
export interface Draft {
  readonly rule: CheckRule
  readonly groupIds: ReadonlyArray<string>
  readonly agreementIds?: ReadonlyArray<string>
  readonly collaboratorId?: string
  readonly products?: ReadonlyArray<string>
  readonly values?: ReadonlyArray<string>
  readonly message: string
  readonly witness?: Witness
}

/** The result of an inspection. */
export interface Report {
  readonly drafts: ReadonlyArray<Draft>
  /** The proof, if any. */
  readonly proved?: string
}

const mostListed = 5

/** `a`, `a and b`, `a, b and c`; of many, the first ones and the number of the others. */
export const list = (texts: ReadonlyArray<string>, most = mostListed): string => {
  const more = texts.length - most
  const shown = more > 1 ? [...texts.slice(0, most), `${more} more`] : texts
  const last = shown.at(-1) ?? ""
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`
}

export const ids = (texts: ReadonlyArray<string>): string => list(texts.map(oneLine))

/** Products by their keys, in which a slash of an id is escaped; people know the id itself. */
export const products = (keys: ReadonlyArray<string>): string =>
  ids(keys.map((key) => key.replaceAll("%2F", "/").replaceAll("%25", "%")))

/** `group a`, `groups a and b`. */
export const groups = (texts: ReadonlyArray<string>): string =>
  `${plural(texts.length, "group")} ${ids(texts)}`

export const quoted = (values: ReadonlyArray<string>): string =>
  list(values.map((value) => JSON.stringify(value)))

/** `Group a of ada`, to begin a sentence with. */
export const subject = ({
  id,
  collaboratorId,
}: Pick<ProductGroup, "id" | "collaboratorId">): string =>
  `Group ${oneLine(id)} of ${oneLine(collaboratorId)}`

/** The noun for the values of a link. A bare id could be that of a group. */
export const linkNoun = (type: Attribute.ProductAttribute, count: number): string =>
  type === "products" ? Attribute.fullNounOf(type, count) : Attribute.nounOf(type, count)
