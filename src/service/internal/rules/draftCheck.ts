/** What a draft of a product group would take, and what the linter says of the rules with it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AgreementSet } from "../../../agreements/Agreement.js"
import * as Analysis from "../../../analysis/Analysis.js"
import type { Product } from "../../../orders/Product.js"
import { type ProductStore, productKeyOf } from "../../../ports/ProductStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { ProductGroup } from "../../../rules/ProductGroup.js"
import * as RuleSet from "../../../rules/RuleSet.js"
import type { SplitPolicy } from "../../../shares/SplitPolicy.js"
import { ofCollaborator } from "./draftRules.js"
import type { SaleRules } from "./saleRules.js"

/**
 * The products that a group takes.
 *
 * @since 0.6.0
 * @category models
 */
export interface TakenProducts {
  readonly count: number
  /** The first of them by key. */
  readonly examples: ReadonlyArray<Product>
  /** Whether all of the catalogue was looked at; if not, there may be more. */
  readonly isWhole: boolean
}

/**
 * Which rules the linter has looked at within its time: all, those of the draft's collaborator, or none.
 *
 * @since 0.6.0
 * @category models
 */
export type CheckedRules = "all" | "collaborator" | "none"

/**
 * What the linter finds in the rules with a draft.
 *
 * @since 0.6.0
 * @category models
 */
export interface DraftFindings {
  readonly checked: CheckedRules
  /** Those with the draft, of which some are there without it. */
  readonly findings: ReadonlyArray<Analysis.Finding & { readonly isNew: boolean }>
  /** Those that would be gone. */
  readonly gone: ReadonlyArray<Analysis.Finding>
}

// Products.

const examples = 5

/** How many products are looked up at a time, and how many times. */
const slice = 2_000
const mostSlices = 50

const scan = (products: ProductStore, group: ProductGroup, after: string | undefined) =>
  Effect.map(products.batch({ after, limit: slice }), (batch) => ({
    keys: batch
      .filter((product) => RuleSet.linkedGroups({ groups: [group] }, product).length > 0)
      .map(productKeyOf),
    last: batch.at(-1),
    isLast: batch.length < slice,
  }))

const select = (
  selected: NonNullable<ProductStore["selected"]>,
  { link }: ProductGroup,
  after: string | undefined,
) =>
  Effect.map(selected({ link, after, limit: slice }), ({ keys, isLast }) => ({
    keys,
    last: undefined,
    isLast,
  }))

const one = { offset: 0, limit: examples }

/** The products that a group would take, looked up by its link. */
export const takenBy = Effect.fnUntraced(function* (
  { products }: Stores,
  group: ProductGroup,
): Effect.fn.Return<TakenProducts, StorageError> {
  if (group.link.type === "products.all") {
    const { entries, total } = yield* products.list({}, one)
    return { count: total, examples: entries, isWhole: true }
  }
  let [count, isWhole] = [0, false]
  const first: Array<string> = []
  for (let after: string | undefined, slices = 0; slices < mostSlices && !isWhole; slices += 1) {
    const next =
      products.selected === undefined
        ? yield* scan(products, group, after)
        : yield* select(products.selected, group, after)
    count += next.keys.length
    first.push(...next.keys.slice(0, examples - first.length))
    after = next.last === undefined ? next.keys.at(-1) : productKeyOf(next.last)
    isWhole = next.isLast || after === undefined
  }
  const found = first.length === 0 ? [] : yield* products.get(first)
  const places = new Map(first.map((key, place) => [key, place]))
  const placeOf = (product: Product) => places.get(productKeyOf(product)) ?? 0
  const inOrder = [...found].sort((left, right) => placeOf(left) - placeOf(right))
  return { count, examples: inOrder, isWhole }
})

// Findings.

/** How long an analysis may take before it is given up, in milliseconds. */
const mostMillis = 800

/** Steps for each question: a tenth of what a check at leisure has. */
const budget = 2_000_000

/** What the linter looks at. */
export interface CheckSubject {
  readonly rules: SaleRules
  readonly agreements: AgreementSet
}

interface CheckTerms {
  readonly policy: SplitPolicy
  /** Unix seconds. */
  readonly at: number
}

/** The findings of rules, while other work goes on; `undefined`: they were not found in time. */
const findingsOf = Effect.fnUntraced(function* (
  { rules, agreements }: CheckSubject,
  { policy, at }: CheckTerms,
): Effect.fn.Return<ReadonlyArray<Analysis.Finding> | undefined> {
  // Rules without their terms would take what depends on counters for what is always so.
  const asked = rules.counted ?? rules.rules
  const steps = Analysis.steps.check(asked, { policy, agreements, from: at, budget })
  const begun = yield* Clock.currentTimeMillis
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value.findings
    if ((yield* Clock.currentTimeMillis) - begun > mostMillis) return undefined
    yield* Effect.yieldNow
  }
})

const nameOf = ({ message, ...about }: Analysis.Finding): string =>
  JSON.stringify([
    ...[about.rule, about.groupIds, about.agreementIds, about.products, about.values],
    message,
  ])

const compare = (
  before: ReadonlyArray<Analysis.Finding>,
  after: ReadonlyArray<Analysis.Finding>,
): Omit<DraftFindings, "checked"> => {
  const known = new Set(before.map(nameOf))
  const left = new Set(after.map(nameOf))
  return {
    findings: after.map((finding) => ({ ...finding, isNew: !known.has(nameOf(finding)) })),
    gone: before.filter((finding) => !left.has(nameOf(finding))),
  }
}

/** The findings of what is stored: they are asked for again with each draft. */
export type StoredFindings = WeakMap<
  RuleSet.RuleSet,
  {
    readonly key: string
    readonly agreements: AgreementSet
    readonly found: ReadonlyArray<Analysis.Finding>
  }
>

/** Findings count for a day: groups end on their own. */
const keyOf = ({ policy, at }: CheckTerms): string =>
  JSON.stringify([policy, Math.floor(at / 86_400)])

const ofStored = Effect.fnUntraced(function* (
  kept: StoredFindings,
  stored: CheckSubject,
  options: CheckTerms,
) {
  const { agreements } = stored
  const { rules } = stored.rules
  const key = keyOf(options)
  const known = kept.get(rules)
  if (known?.key === key && known.agreements === agreements) return known.found
  const found = yield* findingsOf(stored, options)
  if (found !== undefined) kept.set(rules, { key, agreements, found })
  return found
})

/** The rules of a collaborator, and what of agreements can be judged by these alone. */
const ownTerms = (
  { rules, agreements }: CheckSubject,
  collaboratorId: string,
): CheckSubject | undefined => {
  const own = ofCollaborator(rules, collaboratorId)
  const advances = agreements.advances.filter(
    (one) => one.collaboratorId === collaboratorId && one.alsoFrom.length === 0,
  )
  return own && { rules: own, agreements: { ...agreements, advances } }
}

/** The findings with a draft, compared with those without it. */
export const findingsWith = Effect.fnUntraced(function* (
  kept: StoredFindings,
  {
    collaboratorId,
    stored,
    drafted,
  }: {
    readonly collaboratorId: string
    readonly stored: CheckSubject
    readonly drafted: CheckSubject
  },
  options: CheckTerms,
): Effect.fn.Return<DraftFindings> {
  const before = yield* ofStored(kept, stored, options)
  const after = before === undefined ? undefined : yield* findingsOf(drafted, options)
  if (before !== undefined && after !== undefined) {
    return { checked: "all", ...compare(before, after) }
  }
  const found: Array<ReadonlyArray<Analysis.Finding>> = []
  for (const terms of [stored, drafted]) {
    const own = ownTerms(terms, collaboratorId)
    const some = own && (yield* findingsOf(own, options))
    if (some === undefined) return { checked: "none", findings: [], gone: [] }
    found.push(some)
  }
  const [ownBefore = [], ownAfter = []] = found
  return { checked: "collaborator", ...compare(ownBefore, ownAfter) }
})
