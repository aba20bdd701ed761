/**
 * Random catalogues and groups for the tests of linking, and what is linked said as plainly as can be.
 */
import { Product, type ProductGroup } from "apportion"
import fc from "fast-check"
import { Chance } from "../../generators/Chance.js"

/** Texts with what they are to a rule, so that no test asks the library which texts are the same. */
const texts: ReadonlyArray<{ readonly text: string; readonly is: string }> = [
  ...["art", "ART", " Art", "aRt \t"].map((text) => ({ text, is: "art" })),
  ...["café", "cafe\u0301", "CAFÉ ", "Cafe\u0301"].map((text) => ({ text, is: "café" })),
  ...["cafe", "CAFE"].map((text) => ({ text, is: "cafe" })),
  ...["straße", "STRASSE", "Strasse", "STRAẞE"].map((text) => ({ text, is: "strasse" })),
  ...["οδος", "ΟΔΟΣ", "οδοσ"].map((text) => ({ text, is: "odos" })),
  ...["ﬁlm", "film", "FILM"].map((text) => ({ text, is: "film" })),
  ...["kapı", "KAPı"].map((text) => ({ text, is: "dotless" })),
  ...["kapi", "KAPI"].map((text) => ({ text, is: "dotted" })),
  ...["", " ", "\t"].map((text) => ({ text, is: "" })),
  ...["😀", " 😀"].map((text) => ({ text, is: "smile" })),
]

const meanings = new Map(texts.map(({ text, is }) => [text, is]))

/** What a text is to a rule; one that is not in the list is lower case already. */
const meaning = (text: string): string => meanings.get(text) ?? text

/** What DOMAIN calls any-of and its complement. */
export const isSelected = (
  link: ProductGroup.GroupInput["link"],
  product: Product.Product,
): boolean => {
  const values = link.values ?? []
  const isAny = (value: string, own: ReadonlyArray<string>): boolean =>
    own.some((text) => meaning(text) === meaning(value))
  const selects = {
    "products.all": () => true,
    "products.tag": () => values.some((value) => isAny(value, product.tags ?? [])),
    "products.vendor": () =>
      values.some((value) => isAny(value, product.vendor === undefined ? [] : [product.vendor])),
    products: () =>
      values.some((value) =>
        [product.id, product.externalId, ...(product.otherIds ?? [])].includes(value),
      ),
  }
  return selects[link.type]() === (link.modifier !== "NOT")
}

/** The products that count, of those with one key the last one in the last one's place. */
export const entries = (products: ReadonlyArray<Product.Product>): Array<Product.Product> => {
  const keys = products.map(Product.keyOf)
  return products.filter(
    (_, at) => keys.lastIndexOf(Product.keyOf(products[at] ?? { id: "" })) === at,
  )
}

const text = fc.constantFrom(...texts.map(({ text }) => text))
const id = fc.constantFrom("p1", "P1", "p2", "p3", "7", "07", " p1", "a/b", "a%2Fb", "é", "e\u0301")
const anyId = fc.oneof({ weight: 3, arbitrary: id }, { weight: 1, arbitrary: fc.string() })
const optional = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })

/** A product whose values meet those of other products and of groups. */
export const product: fc.Arbitrary<Product.Product> = fc.record(
  {
    id: anyId.filter((value) => value !== ""),
    externalId: optional(anyId),
    otherIds: optional(fc.array(anyId, { maxLength: 2 })),
    externalVariantId: optional(fc.constantFrom("red", "a/b", "")),
    vendor: optional(text),
    tags: optional(fc.array(text, { maxLength: 5 })),
    price: optional(fc.nat(9)),
  },
  { requiredKeys: ["id"] },
)

export const link: fc.Arbitrary<ProductGroup.Link> = fc
  .constantFrom("products.all", "products.tag", "products.vendor", "products")
  .chain((type) =>
    fc.record({
      type: fc.constant(type),
      modifier: fc.constantFrom("WITH", "WITH", "NOT"),
      values: fc.array(type === "products" ? anyId : text, { maxLength: 5 }),
    }),
  )

export const groupsOf = (
  links: ReadonlyArray<ProductGroup.GroupInput["link"]>,
): ReadonlyArray<ProductGroup.GroupInput> =>
  links.map((each, at) => ({ id: `g${at}`, collaboratorId: `c${at % 3}`, link: each, percent: 1 }))

/** Numbers from 0 up to a bound. */
const lots = (seed: number) => {
  const chance = new Chance(seed)
  return (bound: number): number => chance.below(bound)
}

const textAt = (at: number): string => texts[at % texts.length]?.text ?? ""

/** So many products with different keys; some tags are on half of them, others on a few. */
export const catalogue = (size: number, seed: number): ReadonlyArray<Product.Product> => {
  const draw = lots(seed)
  const tag = () =>
    draw(3) === 0 ? `rare ${draw(size * 2 + 1)}` : textAt(draw(draw(texts.length) + 1))
  return Array.from({ length: size }, (_, at) => ({
    id: draw(10) === 0 ? `${at}/x` : `${at}`,
    ...(draw(3) > 0 && { externalId: `e${draw(size)}` }),
    ...(draw(8) === 0 && { externalVariantId: `v${draw(2)}` }),
    ...(draw(8) > 0 && { vendor: textAt(draw(texts.length)) }),
    ...(draw(8) > 0 && { tags: Array.from({ length: draw(6) }, tag) }),
  }))
}

/** Links of all kinds that ask for what is in a catalogue of that size: broad, narrow and both at once. */
export const linksFor = (size: number, seed: number): ReadonlyArray<ProductGroup.Link> => {
  const draw = lots(seed)
  const ofTag = () => (draw(2) === 0 ? `rare ${draw(size * 2 + 1)}` : textAt(draw(texts.length)))
  const valueFor = {
    "products.all": () => "whatever",
    "products.tag": ofTag,
    "products.vendor": () => textAt(draw(texts.length)),
    products: () => (draw(2) === 0 ? `${draw(size + 1)}` : `e${draw(size + 1)}`),
  }
  const types = [
    "products.tag",
    "products.tag",
    "products.tag",
    "products",
    "products.vendor",
  ] as const
  return Array.from({ length: 24 }, (_, at) => {
    const type = at === 0 ? "products.all" : (types[draw(types.length)] ?? "products.tag")
    const values = Array.from({ length: draw(7) }, valueFor[type])
    return { type, modifier: draw(4) === 0 ? "NOT" : "WITH", values }
  })
}
