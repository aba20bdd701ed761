import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { refusal } from "../internal/problems.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import * as Collaborator from "../payouts/Collaborator.js"
import type { StoredCollaborator } from "../ports/CollaboratorStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { inForce } from "./internal/chosenSettings.js"
import { longIds } from "./internal/longIds.js"
import { needCollaborator, sliceOf } from "./internal/lookups.js"
import { allUpToDate } from "./internal/payouts/payoutCycle.js"
import { collaboratorNames } from "./internal/sales/saleNames.js"
import { emit, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import { AlreadyExists, type NotFound } from "./ServiceError.js"
import { Settings, type SettingsService } from "./Settings.js"

/**
 * The fields of a collaborator that can be changed; absent ones stay as they are. `permissions` and `account` are
 * merged field by field.
 *
 * @since 0.2.0
 * @category models
 */
export type CollaboratorChanges = Partial<Omit<Collaborator.CollaboratorInput, "id">>

/**
 * Creates, changes and reads the collaborators of an account.
 *
 * @since 0.2.0
 * @category services
 */
export interface CollaboratorsService {
  /** Creates a collaborator. */
  readonly create: (
    accountId: string,
    collaborator: Collaborator.CollaboratorInput,
  ) => Effect.Effect<
    StoredCollaborator,
    Collaborator.InvalidCollaborator | AlreadyExists | StorageError
  >
  /**
   * Changes a collaborator; the result is checked as a whole. Open payouts keep their currency; payouts due by now are
   * first closed or rolled, under the old terms.
   */
  readonly update: (
    accountId: string,
    collaboratorId: string,
    changes: CollaboratorChanges,
  ) => Effect.Effect<StoredCollaborator, Collaborator.InvalidCollaborator | NotFound | StorageError>
  readonly get: (
    accountId: string,
    collaboratorId: string,
  ) => Effect.Effect<StoredCollaborator, NotFound | StorageError>
  /**
   * What collaborators are called, by id; those without a name are left out. Where two of them have the same name, their
   * ids stand behind it.
   *
   * @since 0.6.0
   */
  readonly names: (
    accountId: string,
    collaboratorIds: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyMap<string, string>, StorageError>
  /** A page of the collaborators, by id. */
  readonly list: (
    accountId: string,
    page: PageRequest,
  ) => Effect.Effect<Sliced<StoredCollaborator>, StorageError>
}

const given = (changes: object): object =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

/** Merges field by field; a value that can't be merged is passed on, and the check refuses it. */
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
  Effect.fn("Collaborators.create")(function* (
    accountId: string,
    input: Collaborator.CollaboratorInput,
  ) {
    const collaborator = yield* Effect.fromResult(Collaborator.parse(input))
    const collaboratorId = collaborator.id
    const long = longIds([["id", collaboratorId]])
    if (long.length > 0) {
      return yield* Effect.fail(refusal(Collaborator.InvalidCollaborator)(long))
    }
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    return yield* transactor.write(
      accountId,
      Effect.fnUntraced(function* ({ collaborators }) {
        if ((yield* collaborators.get(collaboratorId)) !== undefined) {
          return yield* AlreadyExists.of("collaborator", collaboratorId)
        }
        const at = yield* now
        const stored = yield* collaborators.insert({ collaborator, createdAt: at, updatedAt: at })
        const { currency } = collaborator
        yield* emit({ type: "collaborator.created", data: { collaboratorId, currency } })
        return stored
      }),
    )
  })

/** What changing a collaborator needs. */
interface CollaboratorTools {
  readonly transactor: Transactor
  readonly settings: SettingsService
  readonly newId: Effect.Effect<string>
}

const update = ({
  transactor,
  settings,
  newId,
}: CollaboratorTools): CollaboratorsService["update"] =>
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
        const { timeZone, maturityDays } = yield* inForce(stores, yield* settings.of(accountId))
        // Until now the old terms were in force.
        const passing = { collaborator: before.collaborator, timeZone, maturityDays, at, newId }
        yield* allUpToDate(stores, passing)
        const changed = { ...before, collaborator, updatedAt: at }
        const stored = yield* stores.collaborators.update(changed)
        const { currency } = collaborator
        yield* emit({ type: "collaborator.updated", data: { collaboratorId, currency } })
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

const names = (transactor: Transactor): CollaboratorsService["names"] =>
  Effect.fn("Collaborators.names")(function* (accountId, collaboratorIds) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* transactor.read(accountId, (stores) => collaboratorNames(stores, collaboratorIds))
  })

/** Makes ids: with the host's randomness, or the platform's where the host names none. */
const makeNewId: Effect.Effect<Effect.Effect<string>> = Effect.gen(function* () {
  const given = Option.getOrUndefined(yield* Effect.serviceOption(SecureRandom.SecureRandom))
  if (given !== undefined) return given.uuidV7()
  const { uuidV7 } = yield* Effect.provide(SecureRandom.SecureRandom, SecureRandom.layerWebCrypto)
  return uuidV7()
})

const makeCollaborators = (tools: CollaboratorTools): CollaboratorsService => ({
  create: create(tools.transactor),
  update: update(tools),
  get: get(tools.transactor),
  names: names(tools.transactor),
  list: list(tools.transactor),
})

/**
 * Creates, changes and reads the collaborators of an account, as an Effect service.
 *
 * @since 0.2.0
 * @category services
 */
export class Collaborators extends Context.Service<Collaborators, CollaboratorsService>()(
  "apportion/service/Collaborators",
) {
  /**
   * @since 0.2.0
   */
  static readonly layer: Layer.Layer<Collaborators, never, Storage> = Layer.effect(
    Collaborators,
    Effect.gen(function* () {
      const [transactor, settings] = [yield* makeTransactor, yield* Settings]
      return makeCollaborators({ transactor, settings, newId: yield* makeNewId })
    }),
  )
}
