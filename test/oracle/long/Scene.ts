/**
 * What a round of the long comparison draws its values from: few enough that they meet one another.
 */
import type { Random } from "./Random.js"

type Family = ReadonlyArray<string>

/**
 * Texts in families: the members of one are the same text to a rule, members of two never are. Among
 * them are texts that an index could mistake: names that every object has, numbers, separators, none.
 */
const families: ReadonlyArray<Family> = [
  ["art", "Art", "ART", " art ", "\tART\n", "\u00a0aRt"],
  ["straße", "STRASSE", "Strasse", "STRAẞE"],
  ["café", "cafe\u0301", "CAFÉ", "Cafe\u0301 "],
  ["cafe", "CAFE"],
  ["οδος", "ΟΔΟΣ", "οδοσ"],
  ["ﬁlm", "film", "FILM"],
  ["ı"],
  ["i", "I"],
  ["k", "K", "\u212a"],
  ["å", "Å", "\u212b", "A\u030a"],
  ["ǆ", "ǅ", "Ǆ"],
  ["", " ", "\u00a0\t"],
  ["__proto__", "__PROTO__"],
  ["constructor", "Constructor"],
  ["hasownproperty", "hasOwnProperty"],
  ["tostring", "toString"],
  ["0"],
  ["-0"],
  ["00"],
  ["1"],
  ["a", "A"],
  ["b", "B "],
  ["a,b", "A,B"],
  ["a|b"],
  ["a/b"],
  ["a\u0000b", "A\u0000B"],
  ["\u0000"],
  ["a b", "A B"],
  ["a  b"],
  ["null", "NULL"],
  ["undefined"],
  ["\ud800"],
  ["😀"],
  ["ａ", "Ａ"],
  ["p1", "P1"],
  ["products.all"],
  ["wall art", " Wall Art"],
]

const countries: ReadonlyArray<Family> = [
  ["DE", "de", " De "],
  ["FR", "fr"],
  ["US", "us "],
  ["SS", "ß", "ss"],
  ["I", "i", "ı"],
  ["", "  "],
  ["__PROTO__", "__proto__"],
]

const productIds = ["p1", "P1", " p1", "p2", "p3", "7", "07", "p1/red", "__proto__", "constructor"]

/** Ids whose order is easily got wrong: by number, by letter, by code point instead of code unit. */
export const oddIds = ["1", "9", "10", "a", "B", "b", "é", "ﬀ", "😀", "-", "__proto__", "toString"]

const many = (name: string, count: number): ReadonlyArray<Family> =>
  Array.from({ length: count }, (_, index) => {
    const text = `${name}${index}`
    return index % 3 === 0 ? [text, text.toUpperCase(), ` ${text}`] : [text]
  })

/** How the rule sets of a round look. */
export const shapes = ["small", "medium", "bucket", "wide", "dense"] as const
export type Shape = (typeof shapes)[number]

export interface Scene {
  readonly random: Random
  readonly shape: Shape
  readonly money: "usual" | "large" | "huge"
  /** How much the groups ask for: a little, up to all of it, or next to nothing as they are so many. */
  readonly percents: "mild" | "wild" | "tiny"
  readonly collaborators: ReadonlyArray<string>
  /** For tags and vendors of products. */
  readonly texts: ReadonlyArray<Family>
  readonly productIds: ReadonlyArray<string>
  /** For what conditions look at. */
  readonly conditionTexts: ReadonlyArray<Family>
  readonly countries: ReadonlyArray<Family>
  readonly variants: ReadonlyArray<string | undefined>
}

const shapeOf = (random: Random): Shape => {
  const place = random.below(100)
  if (place < 60) return "small"
  if (place < 82) return "medium"
  if (place < 89) return "bucket"
  return place < 96 ? "wide" : "dense"
}

const isLarge = (shape: Shape): boolean => shape === "bucket" || shape === "wide"

const collaboratorsOf = (random: Random, shape: Shape): ReadonlyArray<string> => {
  const few = ["ada", "ben", "cam"]
  if (shape === "small") return few
  const odd = [...few, "__proto__", "constructor", "", "10", "9"].filter((name) => name !== "")
  return random.percent(40) ? odd : [...odd, ...many("c", random.between(5, 60)).flat()]
}

const percentsOf = (random: Random, shape: Shape): Scene["percents"] => {
  if (shape === "small") return random.pick(["mild", "wild"] as const)
  return random.percent(70) ? "tiny" : random.pick(["mild", "wild"] as const)
}

const moneyOf = (random: Random): Scene["money"] => {
  const place = random.below(100)
  if (place < 12) return "huge"
  return place < 30 ? "large" : "usual"
}

const idsOf = (shape: Shape): ReadonlyArray<string> =>
  shape === "wide" ? [...productIds, ...many("q", 80).flat()] : productIds

/** Everything that a round of the long comparison is made of. */
export const sceneOf = (random: Random, wanted?: Shape): Scene => {
  const shape = wanted ?? shapeOf(random)
  const most = { small: 7, medium: 14, bucket: 14, wide: 14, dense: 5 }[shape]
  const odd = random.shuffled(families).slice(0, random.between(3, most))
  const wide = shape === "wide" ? many("t", random.between(30, 150)) : []
  const conditions = isLarge(shape) ? many("v", random.between(20, 300)) : []
  return {
    random,
    shape,
    money: moneyOf(random),
    percents: percentsOf(random, shape),
    collaborators: collaboratorsOf(random, shape),
    texts: [...odd, ...wide],
    productIds: idsOf(shape),
    conditionTexts: [...odd.slice(0, 4), ...random.picks(2, families), ...conditions],
    countries: isLarge(shape) ? [...countries, ...many("N", 40)] : countries,
    variants: [undefined, undefined, undefined, "red", ""],
  }
}

/** Any spelling of any of the families. */
export const textOf = (random: Random, from: ReadonlyArray<Family>): string =>
  random.pick(random.pick(from))

/** None, one, or a few of them. */
export const textsOf = (random: Random, from: ReadonlyArray<Family>, most = 4): Array<string> => {
  const count = random.percent(8) ? 0 : random.percent(25) ? 1 : random.between(1, most)
  return Array.from({ length: count }, () => textOf(random, from))
}
