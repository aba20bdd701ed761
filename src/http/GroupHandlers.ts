/** What is done for requests about product groups. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { misspelt } from "../internal/misspelling.js"
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
import type { ProductGroupEndpoints } from "./Api.js"
import type { HandlerCall, HandlersOf, Recall } from "./Handler.js"
import * as Query from "./Query.js"

type Handlers = HandlersOf<typeof ProductGroupEndpoints>

/** The path and the service say which group it is, whose, and when it was made. */
const ownFields = ["id", "collaborator_id", "collaborator", "created_at"]

const withoutOwnFields = (body: unknown): unknown =>
  isFields(body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !ownFields.includes(name)))
    : body

/**
 * What was read of a body, unless a field is misspelt: without its `splitConditionType` a group would pay on every sale.
 * The answer has those fields and whatever else is wrong.
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

const readNew = (
  call: HandlerCall,
  collaboratorId: string,
): Result.Result<NewGroup, Unreadable> => {
  // The service gives the group its id; reading only wants one to be there.
  const options = { id: "new", collaboratorId, requireValues: true }
  const read = Group.read(withoutOwnFields(call.body), options)
  const group = withKnownFields(call.body, read)
  return Result.map(group, ({ id: _, collaboratorId: __, createdAt: ___, ...rest }) => rest)
}

/** What an answer about one group says beside the group. */
const surroundings = (view: ViewedGroup, page: PageRequest.PageRequest, path: string) => ({
  collaborator: view.collaborator,
  updatedAt: view.updatedAt,
  products: { data: view.products.entries, meta: Page.meta(view.products.total, page, { path }) },
})

const idsOf = (call: HandlerCall) =>
  [call.accountId, call.param("collaborator_id"), call.param("group_id")] as const

/** A group with no more of its values than are asked for, and how many there are. */
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

const list = (groups: ProductGroupsService): Handlers["list"] =>
  Effect.fnUntraced(function* (call) {
    const { page, mostValues } = yield* Effect.fromResult(Query.readGroups(call.query))
    const listed = yield* groups.list(call.accountId, call.param("collaborator_id"), page)
    const { collaborator, entries, total } = listed
    const meta = Page.meta(total, page, { path: call.url })
    return writePage({ data: entries, meta }, ({ group, updatedAt, productsCount }) =>
      withValues(Group.writeListed(group, { collaborator, updatedAt, productsCount }), mostValues),
    )
  })

const writeCreated = (call: HandlerCall, view: ViewedGroup) => {
  const path = `${call.url}/${encodeURIComponent(view.group.id)}`
  return { data: Group.writeChanged(view.group, surroundings(view, PageRequest.first, path)) }
}

const create = (groups: ProductGroupsService): Handlers["create"] =>
  Effect.fnUntraced(function* (call) {
    const collaboratorId = call.param("collaborator_id")
    const request = yield* Effect.fromResult(readNew(call, collaboratorId))
    const view = yield* groups.create(call.accountId, collaboratorId, request)
    return writeCreated(call, view)
  })

const update = (groups: ProductGroupsService): Handlers["update"] =>
  Effect.fnUntraced(function* (call) {
    const page = yield* Effect.fromResult(Query.readPage(call.query))
    const change = (group: Parameters<typeof Group.merge>[0]) =>
      withKnownFields(call.body, Group.merge(group, call.body))
    const view = yield* groups.update(...idsOf(call), change, page)
    return { data: Group.writeChanged(view.group, surroundings(view, page, call.url)) }
  })

const view = (groups: ProductGroupsService): Handlers["view"] =>
  Effect.fnUntraced(function* (call) {
    const page = yield* Effect.fromResult(Query.readPage(call.query))
    const view = yield* groups.get(...idsOf(call), page)
    return { data: Group.writeView(view.group, surroundings(view, page, call.url)) }
  })

const remove =
  (groups: ProductGroupsService): Handlers["remove"] =>
  (call) =>
    groups.remove(...idsOf(call))

export const make: Effect.Effect<Handlers, never, ProductGroups> = Effect.map(
  ProductGroups,
  (groups) => ({
    list: list(groups),
    create: create(groups),
    update: update(groups),
    view: view(groups),
    remove: remove(groups),
  }),
)

/** What creating a group answers, as the group is now. */
export const recall: Effect.Effect<Recall, never, ProductGroups> = Effect.map(
  ProductGroups,
  (groups) => (call, id) =>
    Effect.map(
      groups.get(call.accountId, call.param("collaborator_id"), id, PageRequest.first),
      (view) => writeCreated(call, view),
    ),
)
