/** The rules by which sales are split: groups as an account has them, some of which may have terms. */
import * as Result from "effect/Result"
import * as CarriedSplit from "../../../carry/CarriedSplit.js"
import { refusal } from "../../../internal/problems.js"
import type { Order } from "../../../orders/Order.js"
import type { AccountGroup } from "../../../ports/ProductGroupStore.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import * as RuleSet from "../../../rules/RuleSet.js"
import * as Split from "../../../shares/Split.js"
import { defaults, InvalidPolicy, parse, type SplitPolicy } from "../../../shares/SplitPolicy.js"
import * as CountedRules from "../../../terms/CountedRules.js"
import * as CountedSplit from "../../../terms/CountedSplit.js"

/** Rules that sales are split by. */
export interface SaleRules {
  /** What products and orders are matched with. A group with tiers has its highest percentage. */
  readonly rules: RuleSet.RuleSet
  /** The same groups with their terms; absent: none has any. */
  readonly counted?: CountedRules.CountedRules | undefined
}

/** Whether a group's shares depend on what came before. */
export const hasTerms = ({ terms }: AccountGroup): boolean => terms != null

/** Checks groups of which some have terms. */
export const countedRulesOf = (
  groups: ReadonlyArray<unknown>,
): Result.Result<SaleRules, RuleSet.InvalidRuleSet> =>
  Result.map(CountedRules.parse(groups), (counted) => ({
    rules: CountedRules.highest(counted),
    counted,
  }))

/** Checks groups. */
export const saleRulesOf = (
  groups: ReadonlyArray<AccountGroup>,
): Result.Result<SaleRules, RuleSet.InvalidRuleSet> =>
  groups.some(hasTerms)
    ? countedRulesOf(groups)
    : Result.map(RuleSet.parse(groups), (rules) => ({ rules }))

/** A group as an account has it. */
const accountGroupOf = ({ terms, ...group }: CountedRules.CountedGroup): AccountGroup =>
  terms === null ? group : { ...group, terms }

const counted = new WeakMap<CountedRules.CountedRules, ReadonlyMap<string, AccountGroup>>()

const countedById = (rules: CountedRules.CountedRules): ReadonlyMap<string, AccountGroup> => {
  const known = counted.get(rules)
  if (known !== undefined) return known
  const byId = new Map(rules.counted.map((group) => [group.id, accountGroupOf(group)]))
  counted.set(rules, byId)
  return byId
}

/** The groups of rules. */
export const groupsOf = ({ rules, counted }: SaleRules): ReadonlyArray<AccountGroup> =>
  counted === undefined ? rules.groups : [...countedById(counted).values()]

/** The group with an id. */
export const groupWith = ({ rules, counted }: SaleRules, id: string): AccountGroup | undefined =>
  counted === undefined ? RuleSet.get(rules, id) : countedById(counted).get(id)

/**
 * A group whose flat amount was paid for the order before. It still counts otherwise: where all of the shipping is
 * divided among the collaborators in equal parts, a group that pays nothing would get none, so it keeps a percentage
 * there, which that policy ignores.
 */
const withoutFlat = (group: AccountGroup, policy: SplitPolicy): AccountGroup => ({
  ...group,
  amount: 0,
  shippingPercent: policy.shipping === "all" ? "100.00" : group.shippingPercent,
})

/**
 * The rules for a new part: a flat amount that is paid once an order is not paid in a second part. Where
 * that changes something, only groups that match an item are looked at, however many the account has.
 */
export const rulesForPart = (
  all: SaleRules,
  policy: SplitPolicy,
  {
    order,
    earlier,
  }: {
    readonly order: Order
    readonly earlier: ReadonlyArray<Pick<RecordedSale, "order" | "split">>
  },
): SaleRules => {
  if (policy.flatScope !== "order" || earlier.length === 0) return all
  const shares = earlier.flatMap((part) => part.split.shares)
  const paid = new Set(shares.filter((share) => share.flatTotal !== 0).map((it) => it.groupId))
  if (paid.size === 0) return all
  const matching = order.items.flatMap((item) => RuleSet.matchingGroups(all.rules, order, item))
  const groups = [...new Set(matching)].flatMap(({ id }) => groupWith(all, id) ?? [])
  const forPart = groups.map((group) => (paid.has(group.id) ? withoutFlat(group, policy) : group))
  if (!forPart.some(hasTerms)) return { rules: { groups: forPart } }
  // The groups are those of rules that were checked.
  return Result.getOrThrow(countedRulesOf(forPart))
}

/** The groups that affect a split: it is the same without all others. */
export const groupsWithSay = (
  rules: SaleRules,
  split: Split.Split,
): ReadonlyArray<AccountGroup> => {
  const ids = new Set(split.shares.map((share) => share.groupId))
  for (const { groupId, byGroupId } of split.outranked) ids.add(groupId).add(byGroupId)
  const groups: Array<AccountGroup> = []
  for (const id of ids) {
    const group = groupWith(rules, id)
    if (group !== undefined) groups.push(group)
  }
  return groups
}

/** Checks a policy, which may carry. */
export const parsePolicy = (
  options: Partial<SplitPolicy> = {},
): Result.Result<SplitPolicy, InvalidPolicy> =>
  options.rounding === "carry" ? CarriedSplit.policy(options) : parse(options)

/** A policy for those who look at one sale at a time, and at whom it does not matter where an odd cent goes. */
export const withoutCarry = (policy: SplitPolicy): SplitPolicy =>
  policy.rounding === "carry" ? { ...policy, rounding: defaults.rounding } : policy

/** Why terms of groups and `rounding: "carry"` do not go together. */
export const termsWithCarry = (rules: SaleRules): InvalidPolicy => {
  const group = groupsOf(rules).find(hasTerms)
  const message = `can't be "carry" where groups have terms, as ${JSON.stringify(group?.id)} has: a share that is divided among bands or cut by a cap has no one exact value to carry on from`
  return refusal(InvalidPolicy)([{ path: "rounding", value: "carry", message }])
}

/**
 * Whether a recorded split can be reproduced from the order and the groups that were recorded with it, and from what its
 * own shares say of counters and remainders.
 */
export const comesOutAgain = (
  split: Split.Split,
  { groups, order }: Pick<RecordedSale, "groups" | "order">,
): boolean => {
  if (!groups.some(hasTerms)) {
    return split.policy.rounding === "carry"
      ? CarriedSplit.comesOutAgain(split, { groups }, order)
      : Split.comesOutAgain(split, { groups }, order)
  }
  const rules = CountedRules.parse(groups)
  return Result.isSuccess(rules) && CountedSplit.comesOutAgain(split, rules.success, order)
}
