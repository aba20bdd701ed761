/** The steps of a script: what is done to an account, each so that asking again has no second effect. */
import type { Collaborator, Product, ProductGroup } from "apportion"
import {
  type CollaboratorChanges,
  Collaborators,
  Idempotency,
  type NewGroup,
  ProductGroups,
  Products,
} from "apportion/service"
import { Effect, Result } from "effect"
import { type Answers, type Deed, type DeedServices, perform } from "./Deed.js"

/** What is done with people, groups and products. */
export type Chore =
  | { readonly kind: "collaborator"; readonly collaborator: Collaborator.CollaboratorInput }
  | {
      readonly kind: "terms"
      readonly collaboratorId: string
      readonly changes: CollaboratorChanges
    }
  | { readonly kind: "group"; readonly collaboratorId: string; readonly group: NewGroup }
  | {
      readonly kind: "regroup"
      readonly collaboratorId: string
      readonly groupId: string
      readonly changes: Partial<ProductGroup.GroupInput>
    }
  | { readonly kind: "ungroup"; readonly collaboratorId: string; readonly groupId: string }
  | { readonly kind: "products"; readonly products: ReadonlyArray<Product.Product> }
  | { readonly kind: "unproducts"; readonly keys: ReadonlyArray<string> }

export interface Step {
  readonly number: number
  /** When, in Unix seconds. */
  readonly at: number
  readonly deed: Deed | { readonly kind: "chore"; readonly chore: Chore }
}

/** What a step came to: its answers, or the tag of its failure. */
export type Outcome = { readonly answers: Answers } | { readonly failure: string }

/** After these nobody knows whether the step had its effect. */
export const isUnknown = (outcome: Outcome): boolean =>
  "failure" in outcome && (outcome.failure === "StorageFailure" || outcome.failure === "Conflict")

export type StepServices = DeedServices | Collaborators | ProductGroups | Products

type Failure = { readonly _tag: string }

const doChore = (
  accountId: string,
  chore: Chore,
): Effect.Effect<unknown, Failure, Collaborators | ProductGroups | Products> => {
  switch (chore.kind) {
    case "collaborator":
      return Effect.flatMap(Collaborators, (service) =>
        service.create(accountId, chore.collaborator),
      )
    case "terms":
      return Effect.flatMap(Collaborators, (service) =>
        service.update(accountId, chore.collaboratorId, chore.changes),
      )
    case "group":
      return Effect.flatMap(ProductGroups, (service) =>
        service.create(accountId, chore.collaboratorId, chore.group),
      )
    case "regroup":
      return Effect.flatMap(ProductGroups, (service) =>
        service.update(accountId, chore.collaboratorId, chore.groupId, (group) =>
          Result.succeed({ ...group, ...chore.changes }),
        ),
      )
    case "ungroup":
      return Effect.flatMap(ProductGroups, (service) =>
        service.remove(accountId, chore.collaboratorId, chore.groupId),
      )
    case "products":
      return Effect.flatMap(Products, (service) => service.put(accountId, chore.products))
    case "unproducts":
      return Effect.flatMap(Products, (service) => service.remove(accountId, chore.keys))
  }
}

/** The keys under which steps leave an answer. */
export const keyOf = ({ number, deed }: Step): string | undefined => {
  if (deed.kind === "keyed") return deed.key
  return deed.kind === "chore" ? `chore ${number}` : undefined
}

/** Does a step. */
export const take = (
  accountId: string,
  step: Step,
): Effect.Effect<Outcome, never, StepServices> => {
  const { deed } = step
  const done: Effect.Effect<Answers, Failure, StepServices> =
    deed.kind === "chore"
      ? Effect.flatMap(Idempotency, (idempotency) =>
          idempotency.once(
            accountId,
            { key: keyOf(step) ?? "", request: JSON.stringify(deed.chore) },
            Effect.as(doChore(accountId, deed.chore), []),
          ),
        )
      : perform(accountId, deed)
  return Effect.map(Effect.result(done), (result) =>
    Result.isSuccess(result) ? { answers: result.success } : { failure: result.failure._tag },
  )
}
