/** Handling requests about product groups. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Result from "effect/Result"
import { misspelt } from "../internal/fieldNames.js"
import { addProblems } from "../internal/problems.js"
import { isFields, unreadable } from "../internal/reader.js"
import * as Page from "../pagination/Page.js"
import * as PageRequest from "../pagination/PageRequest.js"
import {
  type NewGroup,
  ProductGroups,
  type ProductGroupsService,
  type ViewedGroup,
} from "../service/ProductGroups.js"
import type { Unreadable } from "../Unreadable.js"
import * as Group from "../wire/Group.js"
import { write as writePage } from "../wire/Page.js"
import { Api } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import { respondOnce } from "./Once.js"
import { pageOf } from "./Query.js"

/** The path and the service decide these: the group's id, its owner, and its time of creation. */
const ownFields = ["id", "collaborator_id", "collaborator", "created_at"]

const withoutOwnFields = (body: unknown): unknown =>
  isFields(body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !ownFields.includes(name)))
    : body

/**
 * A body with only known fields, or the problem: without its `splitConditionType`, a misspelt group would pay on every
 * sale. The refusal lists those fields and all other problems.
 */
const withKnownFields = <A>(
  body: unknown,
  read: Result.Result<A, Unreadable>,
): Result.Result<A, Unreadable> => {
  const problems = [...misspelt(body, Group.fields)]
  if (problems.length === 0) return read
  if (Result.isFailure(read)) addProblems(problems, read.failure.problems)
  return Result.fail(unreadable("product group", problems))
}

const readNew = (body: unknown, collaboratorId: string): Result.Result<NewGroup, Unreadable> => {
  // The service gives the group its id; the reader only requires one.
  const options = { id: "new", collaboratorId, requireValues: true }
  const read = Group.read(withoutOwnFields(body), options)
  const group = withKnownFields(body, read)
  return Result.map(group, ({ id: _, collaboratorId: __, createdAt: ___, ...rest }) => rest)
}

/** The fields of an answer about one group beside the group. */
const surroundings = (view: ViewedGroup, page: PageRequest.PageRequest, path: string) => ({
  collaborator: view.collaborator,
  updatedAt: view.updatedAt,
  products: { data: view.products.entries, meta: Page.meta(view.products.total, page, { path }) },
})

/** A group with at most the requested number of values, and how many it has. */
const withValues = (group: Group.ListedGroup, most: number | undefined) =>
  most === undefined
    ? group
    : {
        ...group,
        type_values: group.type_values.slice(0, most),
        type_values_count: group.type_values.length,
        condition_values: group.condition_values?.slice(0, most) ?? null,
        condition_values_count: group.condition_values?.length ?? 0,
      }

const writeCreated = ({ url }: CallerService, view: ViewedGroup) => {
  const path = `${url}/${encodeURIComponent(view.group.id)}`
  return { data: Group.writeChanged(view.group, surroundings(view, PageRequest.first, path)) }
}

const list = (groups: ProductGroupsService) =>
  HttpApiBuilder.handler(Api, "productGroups", "list", (call) =>
    respond(
      call,
      Effect.fnUntraced(function* ({ accountId, url }) {
        const page = pageOf(call.query)
        const listed = yield* groups.list(accountId, call.params.collaborator_id, page)
        const { collaborator, entries, total } = listed
        const meta = Page.meta(total, page, { path: url })
        return writePage({ data: entries, meta }, ({ group, updatedAt, productsCount }) =>
          withValues(
            Group.writeListed(group, { collaborator, updatedAt, productsCount }),
            call.query.max_values,
          ),
        )
      }),
    ),
  )

const view = (groups: ProductGroupsService) =>
  HttpApiBuilder.handler(Api, "productGroups", "view", (call) =>
    respond(
      call,
      Effect.fnUntraced(function* ({ accountId, url }) {
        const { collaborator_id, group_id } = call.params
        const page = pageOf(call.query)
        const view = yield* groups.get(accountId, collaborator_id, group_id, page)
        return { data: Group.writeView(view.group, surroundings(view, page, url)) }
      }),
    ),
  )

export const layer = HttpApiBuilder.group(
  Api,
  "productGroups",
  Effect.fnUntraced(function* (handlers) {
    const groups = yield* ProductGroups
    return handlers
      .handle("list", list(groups))
      .handle("view", view(groups))
      .handle("remove", (call) =>
        respond(call, ({ accountId }) =>
          groups.remove(accountId, call.params.collaborator_id, call.params.group_id),
        ),
      )
      .handleRaw("create", (call) => {
        const { collaborator_id } = call.params
        return respondOnce(
          call,
          Effect.fnUntraced(function* (caller) {
            const group = yield* Effect.fromResult(readNew(caller.body, collaborator_id))
            const view = yield* groups.create(caller.accountId, collaborator_id, group)
            return writeCreated(caller, view)
          }),
          {
            recall: Effect.fnUntraced(function* (caller, id) {
              const page = PageRequest.first
              const view = yield* groups.get(caller.accountId, collaborator_id, id, page)
              return writeCreated(caller, view)
            }),
          },
        )
      })
      .handleRaw("update", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* ({ accountId, body, url }) {
            const { collaborator_id, group_id } = call.params
            const page = pageOf(call.query)
            const change = (group: Parameters<typeof Group.merge>[0]) =>
              withKnownFields(body, Group.merge(group, body))
            const view = yield* groups.update(accountId, collaborator_id, group_id, change, page)
            return { data: Group.writeChanged(view.group, surroundings(view, page, url)) }
          }),
        ),
      )
  }),
)
