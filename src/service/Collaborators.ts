import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PageRequest } from "../pagination/PageRequest.js"
import type { Input, InvalidCollaborator } from "../payouts/Collaborator.js"
import type { StoredCollaborator } from "../ports/CollaboratorStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { makeCollaborators } from "./internal/collaborators.js"
import { makeTransactor } from "./internal/transactions.js"
import type { AlreadyExists, NotFound } from "./ServiceError.js"
import { Settings } from "./Settings.js"

/**
 * What can be changed about a collaborator; what is absent stays as it is. `permissions` and `account` are
 * merged field by field.
 *
 * @since 0.2.0
 * @category models
 */
export type CollaboratorChanges = Partial<Omit<Input, "id">>

/**
 * Making, changing and reading the collaborators of an account.
 *
 * @since 0.2.0
 * @category services
 */
export interface CollaboratorsService {
  /** Makes a collaborator. */
  readonly create: (
    accountId: string,
    collaborator: Input,
  ) => Effect.Effect<StoredCollaborator, InvalidCollaborator | AlreadyExists | StorageError>
  /**
   * Changes a collaborator; the whole is checked as it is then. Payouts that are open keep their currency;
   * what is due by now is closed or rolled before, under the old terms.
   */
  readonly update: (
    accountId: string,
    collaboratorId: string,
    changes: CollaboratorChanges,
  ) => Effect.Effect<StoredCollaborator, InvalidCollaborator | NotFound | StorageError>
  readonly get: (
    accountId: string,
    collaboratorId: string,
  ) => Effect.Effect<StoredCollaborator, NotFound | StorageError>
  /** A page of the collaborators, by id. */
  readonly list: (
    accountId: string,
    page: PageRequest,
  ) => Effect.Effect<Sliced<StoredCollaborator>, StorageError>
}

/**
 * Making, changing and reading the collaborators of an account, as a service of Effect.
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
      return makeCollaborators(yield* makeTransactor, yield* Settings)
    }),
  )
}
