/**
 * The rules of an account as a whole, and what a change of one of its product groups would do.
 *
 * @since 0.6.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AmountOutOfRange } from "../money/Cents.js"
import * as ListOrder from "../pagination/ListOrder.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { StoredGroup } from "../ports/ProductGroupStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import type { InvalidProductGroup, ProductGroup } from "../rules/ProductGroup.js"
import type * as RuleSet from "../rules/RuleSet.js"
import { agreementTerms } from "./internal/agreements/agreementTerms.js"
import { inForce } from "./internal/chosenSettings.js"
import { sliceOf, wholeWithin } from "./internal/lookups.js"
import { monthBefore } from "./internal/months.js"
import { Backtest, type BacktestFigures, compareAll } from "./internal/rules/draftBacktest.js"
import {
  type DraftFindings,
  findingsWith,
  type StoredFindings,
  type TakenProducts,
  takenBy,
} from "./internal/rules/draftCheck.js"
import { type GroupDraft, withDraft } from "./internal/rules/draftRules.js"
import { makeRulesCache, matchingRules, type RulesCache, rulesOf } from "./internal/rules/rules.js"
import { withoutCarry } from "./internal/rules/saleRules.js"
import { collaboratorNames } from "./internal/sales/saleNames.js"
import { makeTransactor, now, type Transactor } from "./internal/transactions.js"
import { NotFound } from "./ServiceError.js"
import { Settings, type SettingsService } from "./Settings.js"

export type {
  BacktestFigures,
  DraftExample,
  DraftRefusal,
  DraftTotal,
} from "./internal/rules/draftBacktest.js"
export type { CheckedRules, DraftFindings, TakenProducts } from "./internal/rules/draftCheck.js"
export type { GroupDraft } from "./internal/rules/draftRules.js"

/**
 * A product group with its collaborator.
 *
 * @since 0.6.0
 * @category models
 */
export interface OwnedGroup extends StoredGroup {
  readonly collaborator: Collaborator
  /** How many products are linked to it so far. */
  readonly productsCount: number
}

/**
 * Which groups of an account to list.
 *
 * @since 0.6.0
 * @category models
 */
export interface RulesFilter {
  readonly collaboratorId?: string | undefined
  /** Only groups with this text in their id, their collaborator's id or a value, ignoring case; blank: all. */
  readonly search?: string | undefined
}

/**
 * What a draft of a product group would take, and what the linter says of the rules with it.
 *
 * @since 0.6.0
 * @category models
 */
export interface DraftPreview extends DraftFindings {
  /** The id under which findings name the draft; `null`: the group would be removed. */
  readonly groupId: string | null
  /** The products that it would take; `null`: the group would be removed. */
  readonly products: TakenProducts | null
  /** How many products the group that it replaces has now; `null`: it replaces none. */
  readonly productsBefore: number | null
}

/**
 * Which sales a backtest looks at.
 *
 * @since 0.6.0
 * @category models
 */
export interface BacktestOptions {
  /** Sales recorded then or later, in Unix seconds; from the beginning of the last month when absent. */
  readonly from?: number | undefined
  /** Sales recorded before; until the end of the last month when absent. */
  readonly until?: number | undefined
  /** How many parts of orders are looked at, 1 to 20000; 5000 when absent. */
  readonly most?: number | undefined
  /** How many sales are explained of each currency, 0 to 100; 3 when absent. */
  readonly biggest?: number | undefined
}

/**
 * What the sales of a period would have come to with a draft of a product group.
 *
 * @since 0.6.0
 * @category models
 */
export interface DraftBacktest extends BacktestFigures {
  readonly from: number
  readonly until: number
  readonly timeZone: string
}

/**
 * The rules of an account as a whole. Nothing is changed here: groups are created, changed and removed by
 * `ProductGroups`.
 *
 * @since 0.6.0
 * @category services
 */
export interface AccountRulesService {
  /** A page of the product groups of all collaborators, the newest first (`ListOrder.productGroups`). */
  readonly list: (
    accountId: string,
    filter: RulesFilter,
    page: PageRequest,
  ) => Effect.Effect<Sliced<OwnedGroup>, RuleSet.InvalidRuleSet | StorageError>
  /** A product group, whoever it belongs to. */
  readonly get: (
    accountId: string,
    groupId: string,
  ) => Effect.Effect<OwnedGroup, NotFound | StorageError>
  /**
   * What a draft of a group would take, and the linter's findings of the rules with it, compared with those without it.
   * It takes some seconds at most: if there are too many rules for that, `checked` says which of them were looked at.
   */
  readonly preview: (
    accountId: string,
    draft: GroupDraft,
  ) => Effect.Effect<
    DraftPreview,
    InvalidProductGroup | RuleSet.InvalidRuleSet | NotFound | StorageError
  >
  /**
   * What recorded sales would have come to with a draft, compared with the rules as they are now, both with the policy of
   * each sale. Nothing is stored. It takes some seconds at most: `isWhole` says whether all sales were looked at.
   */
  readonly backtest: (
    accountId: string,
    draft: GroupDraft,
    options?: BacktestOptions,
  ) => Effect.Effect<
    DraftBacktest,
    AmountOutOfRange | InvalidProductGroup | RuleSet.InvalidRuleSet | NotFound | StorageError
  >
}

interface RulesTools {
  readonly transactor: Transactor
  readonly settings: SettingsService
  readonly cache: RulesCache
  readonly findings: StoredFindings
  /** The groups of a rule set in the order of the list. */
  readonly sorted: WeakMap<RuleSet.RuleSet, ReadonlyArray<ProductGroup>>
}

const sortedOf = ({ sorted }: RulesTools, rules: RuleSet.RuleSet): ReadonlyArray<ProductGroup> => {
  const known = sorted.get(rules) ?? [...rules.groups].sort(ListOrder.productGroups)
  sorted.set(rules, known)
  return known
}

const isListed = ({ collaboratorId, search = "" }: RulesFilter) => {
  const text = search.trim().toLowerCase()
  return (group: ProductGroup): boolean => {
    if (collaboratorId !== undefined && group.collaboratorId !== collaboratorId) return false
    if (text === "") return true
    const { link, condition } = group
    const texts = [group.id, group.collaboratorId, ...link.values, ...(condition?.values ?? [])]
    return texts.some((one) => one.toLowerCase().includes(text))
  }
}

/** Stored groups in the order of their ids, with their collaborators and counts. */
const owned = Effect.fnUntraced(function* (
  { groups, collaborators, links }: Stores,
  groupIds: ReadonlyArray<string>,
): Effect.fn.Return<ReadonlyArray<OwnedGroup>, StorageError> {
  if (groupIds.length === 0) return []
  const found = new Map((yield* groups.find(groupIds)).map((stored) => [stored.group.id, stored]))
  const ownerIds = [...found.values()].map(({ group }) => group.collaboratorId)
  const people = yield* collaborators.find([...new Set(ownerIds)])
  const byId = new Map(people.map(({ collaborator }) => [collaborator.id, collaborator]))
  const counts = yield* links.counts(groupIds)
  return groupIds.flatMap((id, index) => {
    const stored = found.get(id)
    const collaborator = byId.get(stored?.group.collaboratorId ?? "")
    if (stored === undefined || collaborator === undefined) return []
    return [{ ...stored, collaborator, productsCount: counts[index] ?? 0 }]
  })
})

const list = (tools: RulesTools): AccountRulesService["list"] =>
  Effect.fn("AccountRules.list")(function* (accountId, filter, page) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* tools.transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const rules = yield* matchingRules(tools.cache, accountId, stores)
        const found = sortedOf(tools, rules).filter(isListed(filter))
        const { offset, limit } = sliceOf(page)
        const ids = found.slice(offset, offset + limit).map(({ id }) => id)
        return { entries: yield* owned(stores, ids), total: found.length }
      }),
    )
  })

const get = ({ transactor }: RulesTools): AccountRulesService["get"] =>
  Effect.fn("AccountRules.get")(function* (accountId, groupId) {
    yield* Effect.annotateCurrentSpan({ accountId, groupId })
    return yield* transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const [found] = yield* owned(stores, [groupId])
        return found ?? (yield* NotFound.of("product group", groupId))
      }),
    )
  })

const preview = (tools: RulesTools): AccountRulesService["preview"] =>
  Effect.fn("AccountRules.preview")(function* (accountId, draft) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const host = yield* tools.settings.of(accountId)
    const at = yield* now
    const { rules, policy, products, productsBefore, agreements } = yield* tools.transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const policy = withoutCarry((yield* inForce(stores, host)).policy)
        const stored = yield* rulesOf(tools.cache, accountId, stores)
        const { groupValues } = host
        const rules = yield* withDraft(stores, { stored, groupValues }, draft)
        const { before, after } = rules
        const products = after === undefined ? null : yield* takenBy(stores, after)
        const [count = 0] = before === undefined ? [] : yield* stores.links.counts([before.id])
        const { inForce: agreements } = yield* agreementTerms(stores, {
          ...{ kept: tools.cache.agreements, accountId },
        })
        const productsBefore = before === undefined ? null : count
        return { rules, policy, products, productsBefore, agreements }
      }),
    )
    const { stored, drafted, collaborator } = rules
    const compared = {
      collaboratorId: collaborator.id,
      stored: { rules: stored, agreements },
      drafted: { rules: drafted, agreements },
    }
    const findings = yield* findingsWith(tools.findings, compared, { policy, at })
    return { ...findings, groupId: rules.after?.id ?? null, products, productsBefore }
  })

/** How many sales are read in one transaction. */
const slice = 200

/** After so long a backtest ends with what it has, in milliseconds. */
const mostMillis = 5_000

const backtest = (tools: RulesTools): AccountRulesService["backtest"] =>
  Effect.fn("AccountRules.backtest")(function* (accountId, draft, options = {}) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const { read } = tools.transactor
    const host = yield* tools.settings.of(accountId)
    const at = yield* now
    const begun = yield* Clock.currentTimeMillis
    const { rules, timeZone } = yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const { timeZone } = yield* inForce(stores, host)
        const stored = yield* rulesOf(tools.cache, accountId, stores)
        const rules = yield* withDraft(stores, { stored, groupValues: host.groupValues }, draft)
        return { rules, timeZone }
      }),
    )
    const last = monthBefore(at, timeZone)
    const { from = last.from, until = last.until } = options
    const most = wholeWithin(options.most ?? 5_000, 1, 20_000)
    const found = new Backtest(wholeWithin(options.biggest ?? 3, 0, 100))
    const recorded = { from, to: until - 1 }
    let [offset, isWhole] = [0, until <= from]
    while (!isWhole && offset < most) {
      const limit = Math.min(slice, most - offset)
      const passed = yield* read(
        accountId,
        Effect.fnUntraced(function* (stores) {
          const { entries, total } = yield* stores.sales.list({ recorded }, { offset, limit })
          yield* compareAll(stores, found, { ...rules, timeZone }, entries)
          return { count: entries.length, isLast: offset + entries.length >= total }
        }),
      )
      offset += passed.count
      isWhole = passed.isLast || passed.count === 0
      if ((yield* Clock.currentTimeMillis) - begun > mostMillis) break
    }
    const people = yield* read(accountId, (stores) => collaboratorNames(stores, found.people()))
    const figures = yield* Effect.fromResult(found.figures(isWhole, people))
    return { ...figures, from, until, timeZone }
  })

/**
 * The rules of an account as a whole, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { AccountRules, Collaborators, Products, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   yield* (yield* Products).put("shop", [{ id: "heron", tags: ["art"] }, { id: "mug" }])
 *   const group = { link: { type: "products.tag", values: ["art"] }, percent: "12.50" } as const
 *   const draft = { collaboratorId: "ada", groupId: null, group }
 *   return yield* (yield* AccountRules).preview("shop", draft)
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const { products, findings } = await Effect.runPromise(Effect.provide(program, layer))
 * products?.count // => 1
 * findings // => []
 * ```
 */
export class AccountRules extends Context.Service<AccountRules, AccountRulesService>()(
  "apportion/service/AccountRules",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<AccountRules, never, Storage> = Layer.effect(
    AccountRules,
    Effect.gen(function* () {
      const tools: RulesTools = {
        transactor: yield* makeTransactor,
        settings: yield* Settings,
        cache: makeRulesCache(),
        findings: new WeakMap(),
        sorted: new WeakMap(),
      }
      return {
        list: list(tools),
        get: get(tools),
        preview: preview(tools),
        backtest: backtest(tools),
      }
    }),
  )
}
