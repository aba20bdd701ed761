import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import { refusal } from "../internal/problems.js"
import type { Product } from "../orders/Product.js"
import { first, type PageRequest } from "../pagination/PageRequest.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { AccountGroup, StoredGroup } from "../ports/ProductGroupStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import * as ProductGroup from "../rules/ProductGroup.js"
import type { CountedGroupInput } from "../terms/CountedRules.js"
import { inForce } from "./internal/chosenSettings.js"
import { needCollaborator, sliceOf } from "./internal/lookups.js"
import { checkGroup } from "./internal/rules/groupValues.js"
import { type Linker, type LinkProgress, makeLinker, watch } from "./internal/rules/linker.js"
import { forgetLinks, newJob, startLinking } from "./internal/rules/linkWork.js"
import { groupsChange } from "./internal/rules/rules.js"
import { hasTerms } from "./internal/rules/saleRules.js"
import { afterwards, emit, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import { AlreadyExists, NotFound } from "./ServiceError.js"
import { Settings, type SettingsService, type SettingsValue } from "./Settings.js"

export type { LinkProgress } from "./internal/rules/linker.js"

/**
 * A new group as hosts write it: without an id it gets one, and its creation time is now.
 *
 * @since 0.2.0
 * @category models
 */
export type NewGroup = Omit<CountedGroupInput, "id" | "collaboratorId" | "createdAt"> & {
  readonly id?: string | undefined
}

/**
 * A group in a list.
 *
 * @since 0.2.0
 * @category models
 */
export interface ListedGroup extends StoredGroup {
  /** How many products are linked to it so far. */
  readonly productsCount: number
}

/**
 * A group with its collaborator and a page of the products that are linked to it so far.
 *
 * @since 0.2.0
 * @category models
 */
export interface ViewedGroup extends StoredGroup {
  readonly collaborator: Collaborator
  readonly products: Sliced<Product>
}

/**
 * Creates, changes, reads and removes product groups. Products are linked in the background.
 *
 * @since 0.2.0
 * @category services
 */
export interface ProductGroupsService {
  /** A page of a collaborator's groups, the newest first, with their collaborator. */
  readonly list: (
    accountId: string,
    collaboratorId: string,
    page: PageRequest,
  ) => Effect.Effect<
    Sliced<ListedGroup> & { readonly collaborator: Collaborator },
    NotFound | StorageError
  >
  /**
   * Creates a group. A link or a condition that needs values and has none, or blank ones, is refused. No product is
   * linked yet when this returns.
   */
  readonly create: (
    accountId: string,
    collaboratorId: string,
    group: NewGroup,
  ) => Effect.Effect<
    ViewedGroup,
    ProductGroup.InvalidProductGroup | NotFound | AlreadyExists | StorageError
  >
  /**
   * Changes a group: `change` gets the current group and returns the new one; id, collaborator and time of creation
   * stay. Its products are linked again, unless its link stays the same.
   */
  readonly update: <E = never>(
    accountId: string,
    collaboratorId: string,
    groupId: string,
    change: (group: AccountGroup) => Result.Result<CountedGroupInput, E>,
    page?: PageRequest,
  ) => Effect.Effect<ViewedGroup, E | ProductGroup.InvalidProductGroup | NotFound | StorageError>
  /** A group with its collaborator and a page of its products. */
  readonly get: (
    accountId: string,
    collaboratorId: string,
    groupId: string,
    page?: PageRequest,
  ) => Effect.Effect<ViewedGroup, NotFound | StorageError>
  /** Removes a group with its links. Recorded splits stay as they are. */
  readonly remove: (
    accountId: string,
    collaboratorId: string,
    groupId: string,
  ) => Effect.Effect<void, NotFound | StorageError>
  /** The progress of a group's linking, each time it changes; ends when linking is done, or the group is removed. */
  readonly watch: (
    accountId: string,
    groupId: string,
  ) => Stream.Stream<LinkProgress, NotFound | StorageError>
}

/** Whether two links are written the same; then they select the same products. */
const isSameLink = (left: ProductGroup.Link, right: ProductGroup.Link): boolean =>
  left.type === right.type &&
  left.modifier === right.modifier &&
  left.values.length === right.values.length &&
  left.values.every((value, index) => value === right.values[index])

// What can be done with product groups.

/** What the methods share. */
interface GroupTools {
  readonly transactor: Transactor
  readonly linker: Linker
  readonly random: SecureRandom.SecureRandom["Service"]
  readonly settings: SettingsService
}

/** A group of a collaborator; the id of another collaborator's group is not found. */
interface Address {
  readonly collaboratorId: string
  readonly groupId: string
}

const needGroup = Effect.fnUntraced(function* (
  stores: Stores,
  { collaboratorId, groupId }: Address,
): Effect.fn.Return<StoredGroup, NotFound | StorageError> {
  const stored = yield* stores.groups.get(groupId)
  return stored?.group.collaboratorId === collaboratorId
    ? stored
    : yield* NotFound.of("product group", groupId)
})

const view = Effect.fnUntraced(function* (
  stores: Stores,
  stored: StoredGroup,
  page: PageRequest,
): Effect.fn.Return<ViewedGroup, NotFound | StorageError> {
  const { collaborator } = yield* needCollaborator(stores, stored.group.collaboratorId)
  const products = yield* stores.links.products(stored.group.id, sliceOf(page))
  return { ...stored, collaborator, products }
})

/** Wakes the linker for a group after the change is committed. */
const announce = ({ linker }: GroupTools, accountId: string, groupId: string) =>
  afterwards(Effect.andThen(linker.wake(accountId), linker.tell(accountId, groupId)))

/** A change that was kept although its caller was interrupted must be linked too. */
const linkedInAnyCase = <A, E, R>(
  { linker }: GroupTools,
  accountId: string,
  change: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => Effect.ensuring(change, linker.wake(accountId))

/** Refuses terms that the storage can't count, or that the account's policy has no place for. */
const needCounters = Effect.fnUntraced(function* (
  stores: Stores,
  group: AccountGroup,
  host: SettingsValue,
): Effect.fn.Return<void, ProductGroup.InvalidProductGroup | StorageError> {
  if (!hasTerms(group)) return
  yield* stores.counters.put([])
  const { policy } = yield* inForce(stores, host)
  if (policy.rounding !== "carry") return
  const message = "can't be while the policy's rounding is \"carry\""
  const problems = [{ path: "terms", value: group.terms, message }]
  return yield* Effect.fail(refusal(ProductGroup.InvalidProductGroup)(problems))
})

const insert = Effect.fnUntraced(function* (
  stores: Stores,
  {
    group,
    at,
    host,
  }: { readonly group: AccountGroup; readonly at: number; readonly host: SettingsValue },
) {
  const { collaborator } = yield* needCollaborator(stores, group.collaboratorId)
  if ((yield* stores.groups.get(group.id)) !== undefined) {
    return yield* AlreadyExists.of("product group", group.id)
  }
  yield* needCounters(stores, group, host)
  yield* groupsChange(stores)
  const stored = yield* stores.groups.insert({ group, updatedAt: at })
  yield* stores.links.saveJob(newJob(stored, at))
  return { ...stored, collaborator, products: { entries: [], total: 0 } }
})

const create = (tools: GroupTools): ProductGroupsService["create"] =>
  Effect.fn("ProductGroups.create")(function* (
    accountId: string,
    collaboratorId: string,
    input: NewGroup,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    const at = yield* now
    const groupId = input.id ?? (yield* tools.random.uuidV7())
    const given = { ...input, id: groupId, collaboratorId, createdAt: at }
    const host = yield* tools.settings.of(accountId)
    const group = yield* Effect.fromResult(checkGroup(given, host.groupValues))
    yield* Effect.annotateCurrentSpan({ groupId })
    const change = tools.transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const created = yield* insert(stores, { group, at, host })
        yield* emit({ type: "group.created", data: { collaboratorId, groupId } })
        yield* announce(tools, accountId, groupId)
        return created
      }),
    )
    return yield* linkedInAnyCase(tools, accountId, change)
  })

/** When the link stays, its products stay linked, and a running job continues for the new version. */
const relink = Effect.fnUntraced(function* (
  stores: Stores,
  before: StoredGroup,
  after: StoredGroup,
) {
  if (!isSameLink(before.group.link, after.group.link)) return yield* startLinking(stores, after)
  const job = yield* stores.links.job(after.group.id)
  if (job === undefined) return
  yield* stores.links.saveJob({ ...job, groupVersion: after.version })
})

const replace = Effect.fnUntraced(function* <E>(
  stores: Stores,
  { host, ...address }: Address & { readonly host: SettingsValue },
  change: (group: AccountGroup) => Result.Result<CountedGroupInput, E>,
) {
  yield* needCollaborator(stores, address.collaboratorId)
  const before = yield* needGroup(stores, address)
  const { id, collaboratorId, createdAt } = before.group
  const input = yield* Effect.fromResult(change(before.group))
  const given = { ...input, id, collaboratorId, createdAt }
  // A group that already has more values can still be changed otherwise.
  const most = Math.max(
    host.groupValues,
    before.group.link.values.length,
    before.group.condition?.values.length ?? 0,
  )
  const group = yield* Effect.fromResult(checkGroup(given, most))
  yield* needCounters(stores, group, host)
  yield* groupsChange(stores)
  const after = yield* stores.groups.update({ ...before, group, updatedAt: yield* now })
  yield* relink(stores, before, after)
  return after
})

const update = (tools: GroupTools): ProductGroupsService["update"] =>
  Effect.fn("ProductGroups.update")(function* <E>(
    accountId: string,
    collaboratorId: string,
    groupId: string,
    change: (group: AccountGroup) => Result.Result<CountedGroupInput, E>,
    page: PageRequest = first,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId, groupId })
    const host = yield* tools.settings.of(accountId)
    const work = tools.transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const stored = yield* replace(stores, { collaboratorId, groupId, host }, change)
        yield* emit({ type: "group.updated", data: { collaboratorId, groupId } })
        yield* announce(tools, accountId, groupId)
        return yield* view(stores, stored, page)
      }),
    )
    return yield* linkedInAnyCase(tools, accountId, work)
  })

const remove = (tools: GroupTools): ProductGroupsService["remove"] =>
  Effect.fn("ProductGroups.remove")(function* (
    accountId: string,
    collaboratorId: string,
    groupId: string,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId, groupId })
    yield* tools.transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        yield* needCollaborator(stores, collaboratorId)
        const { version } = yield* needGroup(stores, { collaboratorId, groupId })
        yield* groupsChange(stores)
        yield* stores.groups.remove({ groupId, version })
        yield* forgetLinks(stores, groupId)
        yield* emit({ type: "group.deleted", data: { collaboratorId, groupId } })
        yield* announce(tools, accountId, groupId)
      }),
    )
  })

const get = ({ transactor }: GroupTools): ProductGroupsService["get"] =>
  Effect.fn("ProductGroups.get")(function* (
    accountId: string,
    collaboratorId: string,
    groupId: string,
    page: PageRequest = first,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId, groupId })
    return yield* transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        yield* needCollaborator(stores, collaboratorId)
        const stored = yield* needGroup(stores, { collaboratorId, groupId })
        return yield* view(stores, stored, page)
      }),
    )
  })

const list = ({ transactor }: GroupTools): ProductGroupsService["list"] =>
  Effect.fn("ProductGroups.list")(function* (
    accountId: string,
    collaboratorId: string,
    page: PageRequest,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    return yield* transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const { collaborator } = yield* needCollaborator(stores, collaboratorId)
        const { entries, total } = yield* stores.groups.list(collaboratorId, sliceOf(page))
        const counts = yield* stores.links.counts(entries.map(({ group }) => group.id))
        const withCount = (stored: StoredGroup, index: number) => ({
          ...stored,
          productsCount: counts[index] ?? 0,
        })
        return { entries: entries.map(withCount), total, collaborator }
      }),
    )
  })

const makeProductGroups = (tools: GroupTools): ProductGroupsService => ({
  list: list(tools),
  create: create(tools),
  update: update(tools),
  get: get(tools),
  remove: remove(tools),
  watch: watch(tools),
})

const make = Effect.gen(function* () {
  const transactor = yield* makeTransactor
  const random = yield* SecureRandom.SecureRandom
  const linker = yield* makeLinker(transactor, yield* random.uuidV4())
  return makeProductGroups({ transactor, linker, random, settings: yield* Settings })
})

/**
 * Creates, changes, reads and removes product groups, as an Effect service.
 *
 * @since 0.2.0
 * @category services
 */
export class ProductGroups extends Context.Service<ProductGroups, ProductGroupsService>()(
  "apportion/service/ProductGroups",
) {
  /**
   * Links products in the background as long as the layer's scope is open, starting with the unfinished linking of all
   * accounts. Processes over one storage share this work: each account is linked by one of them at a time, and what one
   * leaves unfinished is taken over by another.
   *
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<ProductGroups, never, Storage | SecureRandom.SecureRandom> =
    Layer.effect(ProductGroups, make)
}
