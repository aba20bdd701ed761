/** What can be done with product groups. */

import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { Input, ProductGroup } from "../../groups/ProductGroup.js"
import { first, type PageRequest } from "../../pagination/PageRequest.js"
import type { StoredGroup } from "../../ports/ProductGroupStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { NewGroup, ProductGroupsService, ViewedGroup } from "../ProductGroups.js"
import { AlreadyExists, NotFound } from "../ServiceError.js"
import type { SettingsService, SettingsValue } from "../Settings.js"
import { needCollaborator } from "./collaborators.js"
import { checkGroup, isSameLink } from "./groupInput.js"
import { forgetLinks, newJob, startLinking } from "./linkBatch.js"
import type { Linker } from "./linking.js"
import { watch } from "./linkProgress.js"
import { now } from "./now.js"
import { groupsChange } from "./rules.js"
import { sliceOf } from "./slices.js"
import { afterwards, logChange } from "./transactions.js"
import type { Transactor } from "./transactor.js"

/** What product groups are worked with. */
export interface GroupTools {
  readonly transactor: Transactor
  readonly linker: Linker
  readonly random: SecureRandom.SecureRandom["Service"]
  readonly settings: SettingsService
}

/** Which group is meant: an id under another collaborator's is no group at all. */
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

/** Has the linker look at a group once the change is kept. */
const announce = ({ linker }: GroupTools, accountId: string, groupId: string) =>
  afterwards(Effect.andThen(linker.wake(accountId), linker.tell(accountId, groupId)))

/** A change that was kept although its caller was interrupted must be linked too. */
const linkedInAnyCase = <A, E, R>(
  { linker }: GroupTools,
  accountId: string,
  change: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => Effect.ensuring(change, linker.wake(accountId))

const insert = Effect.fnUntraced(function* (stores: Stores, group: ProductGroup, at: number) {
  const { collaborator } = yield* needCollaborator(stores, group.collaboratorId)
  if ((yield* stores.groups.get(group.id)) !== undefined) {
    return yield* AlreadyExists.of("product group", group.id)
  }
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
    const { groupValues } = yield* tools.settings.of(accountId)
    const group = yield* Effect.fromResult(checkGroup(given, groupValues))
    yield* Effect.annotateCurrentSpan({ groupId })
    const change = tools.transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const created = yield* insert(stores, group, at)
        yield* logChange("product group created", { collaboratorId, groupId })
        yield* announce(tools, accountId, groupId)
        return created
      }),
    )
    return yield* linkedInAnyCase(tools, accountId, change)
  })

/** What is linked stays when the link does; a job that runs goes on for the new version. */
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
  address: Address & Pick<SettingsValue, "groupValues">,
  change: (group: ProductGroup) => Result.Result<Input, E>,
) {
  const { groupValues } = address
  yield* needCollaborator(stores, address.collaboratorId)
  const before = yield* needGroup(stores, address)
  const { id, collaboratorId, createdAt } = before.group
  const input = yield* Effect.fromResult(change(before.group))
  const given = { ...input, id, collaboratorId, createdAt }
  // What has so many values already may be changed in everything else.
  const most = Math.max(
    groupValues,
    before.group.link.values.length,
    before.group.condition?.values.length ?? 0,
  )
  const group = yield* Effect.fromResult(checkGroup(given, most))
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
    change: (group: ProductGroup) => Result.Result<Input, E>,
    page: PageRequest = first,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId, groupId })
    const { groupValues } = yield* tools.settings.of(accountId)
    const work = tools.transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const stored = yield* replace(stores, { collaboratorId, groupId, groupValues }, change)
        yield* logChange("product group updated", { collaboratorId, groupId })
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
        yield* logChange("product group removed", { collaboratorId, groupId })
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

export const makeProductGroups = (tools: GroupTools): ProductGroupsService => ({
  list: list(tools),
  create: create(tools),
  update: update(tools),
  get: get(tools),
  remove: remove(tools),
  watch: watch(tools),
})
