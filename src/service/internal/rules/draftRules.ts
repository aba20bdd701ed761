/** The rules of an account as they would be with a draft of a product group. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Collaborator } from "../../../payouts/Collaborator.js"
import type { AccountGroup } from "../../../ports/ProductGroupStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type * as ProductGroup from "../../../rules/ProductGroup.js"
import * as RuleSet from "../../../rules/RuleSet.js"
import type { CountedGroupInput } from "../../../terms/CountedRules.js"
import { NotFound } from "../../ServiceError.js"
import { needCollaborator } from "../lookups.js"
import { now } from "../transactions.js"
import { checkGroup } from "./groupValues.js"
import { groupsOf, groupWith, hasTerms, type SaleRules, saleRulesOf } from "./saleRules.js"

/**
 * A product group as it would be: a new one, a changed one, or none in the place of one that there is.
 *
 * @since 0.6.0
 * @category models
 */
export interface GroupDraft {
  readonly collaboratorId: string
  /** The group that it replaces; `null`: it is new. */
  readonly groupId: string | null
  /** As it would be stored; `null`: the group would be removed. */
  readonly group: Omit<CountedGroupInput, "id" | "collaboratorId" | "createdAt"> | null
}

/** Rules with a draft, beside those that are stored. */
export interface DraftedRules {
  readonly collaborator: Collaborator
  readonly stored: SaleRules
  readonly drafted: SaleRules
  /** The group that it replaces; `undefined`: none. */
  readonly before: AccountGroup | undefined
  /** `undefined`: the group would be removed. */
  readonly after: AccountGroup | undefined
}

/** The id of a group that has none yet: `draft`, or with a number where a group is called so. */
const idOfNew = (rules: RuleSet.RuleSet): string => {
  let id = "draft"
  for (let count = 2; RuleSet.get(rules, id) !== undefined; count += 1) id = `draft-${count}`
  return id
}

const needBefore = (
  rules: SaleRules,
  { collaboratorId, groupId }: GroupDraft,
): Effect.Effect<AccountGroup | undefined, NotFound> => {
  if (groupId === null) return Effect.succeed(undefined)
  const found = groupWith(rules, groupId)
  return found?.collaboratorId === collaboratorId
    ? Effect.succeed(found)
    : Effect.fail(NotFound.of("product group", groupId))
}

/** Rules with another group, or none, in the place of one. */
const replaced = (
  stored: SaleRules,
  id: string,
  group: AccountGroup | undefined,
): Result.Result<SaleRules, RuleSet.InvalidRuleSet | ProductGroup.InvalidProductGroup> => {
  if (stored.counted === undefined && (group === undefined || !hasTerms(group))) {
    const { rules } = stored
    const plain =
      group === undefined
        ? Result.succeed(RuleSet.remove(rules, id))
        : RuleSet.parsePut(rules, group)
    return Result.map(plain, (next) => ({ rules: next }))
  }
  const others = groupsOf(stored).filter((other) => other.id !== id)
  return saleRulesOf(group === undefined ? others : [...others, group])
}

/** The stored rules with a draft, which is checked as a group that is saved. */
export const withDraft = Effect.fnUntraced(function* (
  stores: Stores,
  { stored, groupValues }: { readonly stored: SaleRules; readonly groupValues: number },
  draft: GroupDraft,
): Effect.fn.Return<
  DraftedRules,
  ProductGroup.InvalidProductGroup | RuleSet.InvalidRuleSet | NotFound | StorageError
> {
  const { collaboratorId, group } = draft
  const { collaborator } = yield* needCollaborator(stores, collaboratorId)
  const before = yield* needBefore(stored, draft)
  if (group === null) {
    const drafted =
      before === undefined
        ? stored
        : yield* Effect.fromResult(replaced(stored, before.id, undefined))
    return { collaborator, stored, drafted, before, after: undefined }
  }
  const id = before?.id ?? idOfNew(stored.rules)
  const createdAt = before === undefined ? yield* now : before.createdAt
  // A group that already has more values can still be changed otherwise.
  const most = Math.max(
    groupValues,
    before?.link.values.length ?? 0,
    before?.condition?.values.length ?? 0,
  )
  const after = yield* Effect.fromResult(
    checkGroup({ ...group, id, collaboratorId, createdAt }, most),
  )
  const drafted = yield* Effect.fromResult(replaced(stored, id, after))
  return { collaborator, stored, drafted, before, after }
})

/** The rules that belong to one collaborator: precedence is decided among them alone. */
export const ofCollaborator = (rules: SaleRules, collaboratorId: string): SaleRules | undefined => {
  const own = groupsOf(rules).filter((group) => group.collaboratorId === collaboratorId)
  return Result.getOrElse(saleRulesOf(own), () => undefined)
}
