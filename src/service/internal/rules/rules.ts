/**
 * The rule set of each account, made again only when its groups have changed.
 *
 * A transaction that changed groups may still be rolled back, so what it sees is kept for it alone; and
 * what another one saw is kept for everybody only once it is committed. An older revision never takes the
 * place of a newer one.
 */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { sameData } from "../../../internal/sameData.js"
import type { AccountGroup } from "../../../ports/ProductGroupStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { ProductGroup } from "../../../rules/ProductGroup.js"
import * as RuleSet from "../../../rules/RuleSet.js"
import type { AgreementTerms } from "../agreements/agreementTerms.js"
import { RecentValues } from "../RecentValues.js"
import { afterwards } from "../transactions.js"
import { countedRulesOf, hasTerms, type SaleRules } from "./saleRules.js"

interface KeptRules {
  readonly revision: number
  readonly rules: SaleRules
}

/** The rule sets of a layer's accounts. */
export interface RulesCache {
  readonly byAccount: RecentValues<KeptRules>
  /** The agreements of accounts that have any. */
  readonly agreements: RecentValues<AgreementTerms>
}

/** More accounts than are busy at a time. */
const mostAccounts = 1_000

/** An empty cache; each layer makes its own. */
export const makeRulesCache = (): RulesCache => ({
  byAccount: new RecentValues(mostAccounts),
  agreements: new RecentValues(mostAccounts),
})

/** The rules of transactions that changed groups themselves: `undefined` until they are read. */
const ownRules = new WeakMap<Stores, KeptRules | undefined>()

/** To be called before a transaction inserts, updates or removes a group: from then on it sees its own rules. */
export const groupsChange = (stores: Stores): Effect.Effect<void> =>
  Effect.sync(() => {
    ownRules.set(stores, undefined)
  })

/**
 * Groups that were checked before. Of a hundred thousand groups a change leaves all but one as they are,
 * and a store that keeps its objects gives the same ones again.
 */
const checked = new WeakMap<ProductGroup, ProductGroup>()

/** The groups as far as they were checked before; a store that makes new objects gives equal ones. */
const recognise = (
  groups: ReadonlyArray<ProductGroup>,
  earlier: RuleSet.RuleSet | undefined,
): ReadonlyArray<ProductGroup> => {
  const earlierById = new Map(earlier?.groups.map((group) => [group.id, group]))
  return groups.map((group) => {
    const known = checked.get(group)
    const before = earlierById.get(group.id)
    if (before !== undefined && (before === known || sameData(before, group))) return before
    return known ?? group
  })
}

/** Changing more than this part of all groups one by one takes longer than a rule set made anew. */
const mostChanged = 1 / 16

/** The earlier rule set with the changes applied, if they are few and valid. */
const changeFew = (
  earlier: RuleSet.RuleSet,
  groups: ReadonlyArray<ProductGroup>,
): RuleSet.RuleSet | undefined => {
  const before = new Set(earlier.groups)
  const ids = new Set(groups.map(({ id }) => id))
  const changed = groups.filter((group) => !before.has(group))
  const gone = earlier.groups.filter(({ id }) => !ids.has(id))
  const isMuch = changed.length + gone.length > groups.length * mostChanged
  if (isMuch || ids.size < groups.length) return undefined
  let rules = earlier
  for (const { id } of gone) rules = RuleSet.remove(rules, id)
  for (const group of changed) {
    const put = RuleSet.parsePut(rules, group)
    if (Result.isFailure(put)) return undefined
    rules = put.success
    checked.set(group, RuleSet.get(rules, group.id) ?? group)
  }
  return rules
}

const makeAnew = (
  groups: ReadonlyArray<ProductGroup>,
): Result.Result<RuleSet.RuleSet, RuleSet.InvalidRuleSet> => {
  const unknown = groups.filter((group) => !checked.has(group))
  const made = RuleSet.parse(unknown)
  // Problems are reported with their places in the list of all groups.
  if (Result.isFailure(made)) return RuleSet.parse(groups)
  const ids = new Set(groups.map(({ id }) => id))
  if (ids.size < groups.length) return RuleSet.parse(groups)
  made.success.groups.forEach((group, index) => {
    checked.set(unknown[index] ?? group, group)
  })
  return Result.succeed({ groups: groups.map((group) => checked.get(group) ?? group) })
}

/** Rules with terms are made anew with each change: there are not as many of them. */
const makeRules = (
  groups: ReadonlyArray<AccountGroup>,
  earlier: SaleRules | undefined,
): Result.Result<SaleRules, RuleSet.InvalidRuleSet> => {
  if (groups.some(hasTerms)) return countedRulesOf(groups)
  const plain = earlier?.counted === undefined ? earlier?.rules : undefined
  const changed = plain && changeFew(plain, recognise(groups, plain))
  const made = changed === undefined ? makeAnew(groups) : Result.succeed(changed)
  return Result.map(made, (rules) => ({ rules }))
}

const read = (
  stores: Stores,
  earlier: SaleRules | undefined,
): Effect.Effect<SaleRules, RuleSet.InvalidRuleSet | StorageError> =>
  Effect.flatMap(stores.groups.all, (groups) => Effect.fromResult(makeRules(groups, earlier)))

const keep = (cache: RulesCache, accountId: string, known: KeptRules): Effect.Effect<void> =>
  Effect.sync(() => {
    const kept = cache.byAccount.get(accountId)?.revision ?? -1
    if (kept < known.revision) cache.byAccount.set(accountId, known)
  })

const cachedRules = Effect.fnUntraced(function* (
  cache: RulesCache,
  accountId: string,
  stores: Stores,
) {
  const revision = yield* stores.groups.revision
  const known = cache.byAccount.get(accountId)
  if (known?.revision === revision) return known.rules
  const rules = yield* read(stores, known?.rules)
  yield* afterwards(keep(cache, accountId, { revision, rules }))
  return rules
})

/** What a transaction sees that changed groups itself. A savepoint of the host may have taken changes back since. */
const rulesOfChanges = Effect.fnUntraced(function* (
  cache: RulesCache,
  accountId: string,
  stores: Stores,
) {
  const revision = yield* stores.groups.revision
  const own = ownRules.get(stores)
  if (own?.revision === revision) return own.rules
  const rules = yield* read(stores, cache.byAccount.get(accountId)?.rules)
  ownRules.set(stores, { revision, rules })
  return rules
})

/** The rules of the account as the transaction sees them. To be called within `transact`. */
export const rulesOf = (
  cache: RulesCache,
  accountId: string,
  stores: Stores,
): Effect.Effect<SaleRules, RuleSet.InvalidRuleSet | StorageError> =>
  Effect.suspend(() =>
    ownRules.has(stores)
      ? rulesOfChanges(cache, accountId, stores)
      : cachedRules(cache, accountId, stores),
  )

/** The rules of a transaction that does not change them: read when they are asked for first, and known from then on. */
export const rulesOnce = (
  ...of: Parameters<typeof rulesOf>
): (() => ReturnType<typeof rulesOf>) => {
  let known: Exit.Exit<SaleRules, RuleSet.InvalidRuleSet | StorageError> | undefined
  const read = Effect.flatMap(Effect.exit(rulesOf(...of)), (exit) => {
    known = exit
    return exit
  })
  return () => known ?? read
}

/** What products and orders of the account are matched with, as the transaction sees it. */
export const matchingRules = (
  cache: RulesCache,
  accountId: string,
  stores: Stores,
): Effect.Effect<RuleSet.RuleSet, RuleSet.InvalidRuleSet | StorageError> =>
  Effect.map(rulesOf(cache, accountId, stores), ({ rules }) => rules)
