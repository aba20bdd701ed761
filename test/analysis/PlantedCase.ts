/** Rule sets as data, each with a flaw that was planted in it, or without any. */
import { readFileSync } from "node:fs"
import {
  type Analysis,
  Catalogue,
  CountedRules,
  type Product,
  RuleSet,
  type SplitPolicy,
} from "../../src/index.js"

/** A rule set, what is wrong with it, and what a check must therefore find: all of it, and nothing else. */
export interface PlantedCase {
  readonly name: string
  /** What was planted, in words. */
  readonly planted: string
  readonly groups: ReadonlyArray<CountedRules.CountedGroupInput>
  readonly products?: ReadonlyArray<Product.Product>
  readonly policy?: Partial<SplitPolicy.SplitPolicy>
  readonly from?: number
  readonly mostDiscount?: number
  readonly mostTax?: number
  readonly budget?: number
  readonly agreements?: Analysis.CheckOptions["agreements"]
  /** The values that the finding is about, where they are worth looking at. */
  readonly values?: ReadonlyArray<string>
  readonly expected: ReadonlyArray<{
    readonly rule: Analysis.CheckRule
    /** The ids of its groups, the one at fault first; `*`: any. */
    readonly groups: ReadonlyArray<string>
  }>
}

/** The files of planted cases. */
export const plantedFiles = [
  "over-allocation",
  "never-counting",
  "catalogue",
  "pay",
  "terms",
  "clean",
]

export const plantedIn = (file: string): ReadonlyArray<PlantedCase> =>
  JSON.parse(readFileSync(new URL(`planted/${file}.json`, import.meta.url), "utf8"))

/** The options of a check of the case. */
export const optionsOf = ({
  products,
  policy,
  from,
  mostDiscount,
  mostTax,
  budget,
  agreements,
}: PlantedCase): Analysis.CheckOptions => ({
  catalogue: products === undefined ? undefined : Catalogue.make(products),
  policy,
  from,
  mostDiscount,
  mostTax,
  budget,
  agreements,
})

/** The rules of a case, with terms where a group has any. */
export const rulesOf = (groups: PlantedCase["groups"]): Analysis.AnyRules =>
  groups.some(({ terms }) => terms != null) ? CountedRules.make(groups) : RuleSet.make(groups)
