import type { RuleSet } from "../../rules/RuleSet.js"
import type { Options } from "../Options.js"
import type { Steps } from "../Steps.js"
import { type Assortment, assortmentOf } from "./Assortment.js"
import { Budget, Work } from "./Budget.js"
import { type GroupsPart, type Matter, partsOf, wholeOf } from "./Parts.js"
import { plainOptions, type ResolvedOptions, readCatalogue, settingOf } from "./ResolvedOptions.js"

/** What was worked out once; `undefined`: the budget was spent before it was. */
interface Remembered<A> {
  readonly value: A | undefined
}

/**
 * Rule sets about which something is asked, and what is needed for more than one answer: the products by their
 * links, and the groups by collaborator.
 */
export class Inquiry {
  readonly ruleSets: ReadonlyArray<RuleSet>
  readonly setting: ResolvedOptions
  readonly work: Work
  private assorted: Remembered<Assortment> | undefined
  private parted: Remembered<ReadonlyArray<GroupsPart>> | undefined
  private gathered: Remembered<GroupsPart> | undefined

  constructor(ruleSets: ReadonlyArray<RuleSet>, setting: ResolvedOptions, work: Work = new Work()) {
    this.ruleSets = ruleSets
    this.setting = setting
    this.work = work
  }

  /** All steps that a question may take. */
  budget(): Budget {
    return Budget.of(this.setting.budget, this.work)
  }

  /** The products of the catalogue by the links that select them. */
  *assortment(budget: Budget): Steps<Assortment | undefined> {
    const products = this.setting.catalogue?.products ?? []
    const groups = this.ruleSets.flatMap((rules) => rules.groups)
    this.assorted ??= { value: yield* assortmentOf(groups, products, budget) }
    return this.assorted.value
  }

  private *matter(budget: Budget): Steps<Matter | undefined> {
    const { ruleSets, setting } = this
    const { from, limits, catalogue } = setting
    if (catalogue === undefined) return { ruleSets, from, limits, assortment: undefined }
    const assortment = yield* this.assortment(budget)
    return assortment && { ruleSets, from, limits, assortment }
  }

  /** The groups by collaborator. */
  *parts(budget: Budget): Steps<ReadonlyArray<GroupsPart> | undefined> {
    if (this.parted === undefined) {
      const matter = yield* this.matter(budget)
      this.parted = { value: matter && (yield* partsOf(matter, budget)) }
    }
    return this.parted.value
  }

  /** All groups together. */
  *whole(budget: Budget): Steps<GroupsPart | undefined> {
    if (this.gathered === undefined) {
      const matter = yield* this.matter(budget)
      this.gathered = { value: matter && (yield* wholeOf(matter, budget)) }
    }
    return this.gathered.value
  }
}

/** Answers a question about rule sets under some options; throws `InvalidOptions`. */
export function* ask<Answer>(
  question: (inquiry: Inquiry) => Steps<Answer>,
  options: Options,
  ...ruleSets: ReadonlyArray<RuleSet>
): Steps<Answer> {
  const work = new Work()
  const plain = plainOptions(options)
  yield* readCatalogue(plain, work)
  return yield* question(new Inquiry(ruleSets, settingOf(plain, ...ruleSets), work))
}
