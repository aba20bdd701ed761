/** What can be done with collaborators. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { PageRequest } from "../../pagination/PageRequest.js"
import * as Collaborator from "../../payouts/Collaborator.js"
import type { StoredCollaborator } from "../../ports/CollaboratorStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { CollaboratorChanges, CollaboratorsService } from "../Collaborators.js"
import { AlreadyExists, NotFound } from "../ServiceError.js"
import type { SettingsService } from "../Settings.js"
import { now } from "./now.js"
import { allUpToDate } from "./payoutCycle.js"
import { sliceOf } from "./slices.js"
import type { Transactor } from "./transactions.js"
import { logChange } from "./transactions.js"

/** The collaborator with an id, or the failure that there is none. */
export const needCollaborator = (
  stores: Stores,
  collaboratorId: string,
): Effect.Effect<StoredCollaborator, NotFound | StorageError> =>
  Effect.flatMap(stores.collaborators.get(collaboratorId), (stored) =>
    stored === undefined
      ? Effect.fail(NotFound.of("collaborator", collaboratorId))
      : Effect.succeed(stored),
  )

const given = (changes: object): object =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

/** Field by field; what can't be merged is left to be refused. */
const mergedFields = (fields: object, changes: unknown): unknown => {
  if (changes === undefined) return fields
  return Predicate.isObject(changes) ? { ...fields, ...given(changes) } : changes
}

const merged = (
  collaborator: Collaborator.Collaborator,
  changes: CollaboratorChanges,
): Record<string, unknown> => ({
  ...collaborator,
  ...given(changes),
  id: collaborator.id,
  permissions: mergedFields(collaborator.permissions, changes.permissions),
  account: mergedFields(collaborator.account, changes.account),
})

const create = (transactor: Transactor): CollaboratorsService["create"] =>
  Effect.fn("Collaborators.create")(function* (accountId: string, input: Collaborator.Input) {
    const collaborator = yield* Effect.fromResult(Collaborator.parse(input))
    const collaboratorId = collaborator.id
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    return yield* transactor.write(
      accountId,
      Effect.fnUntraced(function* ({ collaborators }) {
        if ((yield* collaborators.get(collaboratorId)) !== undefined) {
          return yield* AlreadyExists.of("collaborator", collaboratorId)
        }
        const at = yield* now
        const stored = yield* collaborators.insert({ collaborator, createdAt: at, updatedAt: at })
        yield* logChange("collaborator created", { collaboratorId })
        return stored
      }),
    )
  })

const update = (
  transactor: Transactor,
  settings: SettingsService,
): CollaboratorsService["update"] =>
  Effect.fn("Collaborators.update")(function* (
    accountId: string,
    collaboratorId: string,
    changes: CollaboratorChanges,
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    return yield* transactor.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const before = yield* needCollaborator(stores, collaboratorId)
        const collaborator = yield* Effect.fromResult(
          Collaborator.parse(merged(before.collaborator, changes)),
        )
        const at = yield* now
        const { timeZone } = yield* settings.of(accountId)
        // Until now the old terms were in force.
        yield* allUpToDate(stores, { collaborator: before.collaborator, timeZone, at })
        const changed = { ...before, collaborator, updatedAt: at }
        const stored = yield* stores.collaborators.update(changed)
        yield* logChange("collaborator updated", { collaboratorId })
        return stored
      }),
    )
  })

const get = (transactor: Transactor): CollaboratorsService["get"] =>
  Effect.fn("Collaborators.get")(function* (accountId: string, collaboratorId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    return yield* transactor.read(accountId, (stores) => needCollaborator(stores, collaboratorId))
  })

const list = (transactor: Transactor): CollaboratorsService["list"] =>
  Effect.fn("Collaborators.list")(function* (accountId: string, page: PageRequest) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* transactor.read(accountId, ({ collaborators }) =>
      collaborators.list(sliceOf(page)),
    )
  })

export const makeCollaborators = (
  transactor: Transactor,
  settings: SettingsService,
): CollaboratorsService => ({
  create: create(transactor),
  update: update(transactor, settings),
  get: get(transactor),
  list: list(transactor),
})
