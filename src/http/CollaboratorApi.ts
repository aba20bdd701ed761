/** The endpoints of collaborators, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { CollaboratorChanges, NewCollaborator } from "../wire/AccountSchemas.js"
import { CollaboratorView, PageOf } from "../wire/Schemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, created, IdempotencyKey, id, One } from "./EndpointParts.js"
import * as Query from "./Query.js"
import { always, Conflicting, Invalid, NotFound, ofBody } from "./RefusalSchemas.js"

const collaborator = { collaborator_id: id("The collaborator's id") }

export const listCollaborators = HttpApiEndpoint.get("list", "/collaborators", {
  query: Query.Page,
  success: PageOf(CollaboratorView),
  error: [...always, Invalid],
}).annotateMerge(beside("listCollaborators", "List collaborators", "By their ids"))

export const createCollaborator = HttpApiEndpoint.post("create", "/collaborators", {
  headers: IdempotencyKey,
  payload: NewCollaborator,
  success: created(One(CollaboratorView)),
  error: [...always, ...ofBody, Conflicting],
}).annotateMerge(
  beside(
    "createCollaborator",
    "Create a collaborator",
    "Refused with 409 when there is one with the id",
  ),
)

export const viewCollaborator = HttpApiEndpoint.get("view", "/collaborators/:collaborator_id", {
  params: collaborator,
  success: One(CollaboratorView),
  error: [...always, NotFound],
}).annotateMerge(beside("viewCollaborator", "View a collaborator", "With all that is known"))

export const updateCollaborator = HttpApiEndpoint.put("update", "/collaborators/:collaborator_id", {
  params: collaborator,
  payload: CollaboratorChanges,
  success: One(CollaboratorView),
  error: [...always, ...ofBody, NotFound],
}).annotateMerge(
  beside(
    "updateCollaborator",
    "Update a collaborator",
    "Open payouts keep their currency; those that are due by now are first closed or rolled, under the old terms",
  ),
)

export class CollaboratorEndpoints extends HttpApiGroup.make("collaborators")
  .add(listCollaborators, createCollaborator, viewCollaborator, updateCollaborator)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Collaborators",
      description: "Who gets shares, and how they are paid",
    }),
  ) {}
