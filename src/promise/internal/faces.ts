/** Each service as plain async functions. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as PageRequest from "../../pagination/PageRequest.js"
import type { PayoutFilter } from "../../ports/PayoutStore.js"
import type * as Groups from "../../rules/ProductGroup.js"
import type { AuditService } from "../../service/Audit.js"
import type { CollaboratorsService } from "../../service/Collaborators.js"
import type { PayoutsService } from "../../service/Payouts.js"
import type { ProductGroupsService } from "../../service/ProductGroups.js"
import type { ProductsService } from "../../service/Products.js"
import type { SalesService } from "../../service/Sales.js"
import type { PageInput } from "../Promised.js"
import type * as Services from "../Services.js"
import type { Changing } from "./calls.js"
import { type CallArguments, copied, type KnownFields } from "./options.js"

/** How calls are made: each names what it was given, so that it can be checked first. */
export interface Caller {
  readonly call: <A, E>(given: CallArguments, make: () => Effect.Effect<A, E>) => Promise<A>
  readonly change: Changing
}

/** A method that works on copies: what the caller does with an object after the call changes nothing. */
const copying =
  <Arguments extends ReadonlyArray<unknown>, A>(method: (...given: Arguments) => A) =>
  (...given: Arguments): A =>
    method(...copied(given))

const pageNames = ["page", "perPage"]
const productNames = ["search", "collaboratorId", "includeCollaborators"]
const payoutNames = ["collaboratorId", "status", "paid", "expected"]
const rangeNames = ["from", "to"]
const historyNames = ["after", "limit"]

/** Each key by its place, as `keys[2]`. */
const keyNames = (keys: unknown): Readonly<Record<string, unknown>> =>
  Array.isArray(keys)
    ? Object.fromEntries(keys.map((key: unknown, index) => [`keys[${index}]`, key]))
    : {}

/** A page, a filter or a query that may be absent. */
const optional = (value: unknown, names: ReadonlyArray<string>): KnownFields => ({ value, names })

/** A filter of payouts, and the ranges in it by their places. */
const payoutFilter = (filter: PayoutFilter | undefined): Readonly<Record<string, KnownFields>> => ({
  filter: optional(filter, payoutNames),
  "filter.paid": optional(filter?.paid, rangeNames),
  "filter.expected": optional(filter?.expected, rangeNames),
})

const readPage = (page: PageInput | undefined) =>
  Effect.fromResult(PageRequest.parse({ page: page?.page, per_page: page?.perPage }))

export const collaboratorsFace = (
  service: CollaboratorsService,
  { call, change }: Caller,
): Services.Collaborators => ({
  create: copying((accountId, collaborator, options) =>
    change({ accountId, name: "collaborators.create", input: { collaborator } }, options, () =>
      service.create(accountId, collaborator),
    ),
  ),
  update: copying((accountId, id, changes, options) =>
    change(
      { accountId, name: "collaborators.update", texts: { id }, input: { changes } },
      options,
      () => service.update(accountId, id, changes),
    ),
  ),
  get: (accountId, id) => call({ accountId, texts: { id } }, () => service.get(accountId, id)),
  list: (accountId, page) =>
    call({ accountId, options: { page: optional(page, pageNames) } }, () =>
      Effect.flatMap(readPage(page), (read) => service.list(accountId, read)),
    ),
})

/** What is given, over what is there; `undefined` stands for nothing given. */
const merge = (group: Groups.ProductGroup, changes: Services.GroupChanges): Groups.Input => ({
  ...group,
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
})

export const groupsFace = (
  service: ProductGroupsService,
  { call, change }: Caller,
): Services.UnitServices["groups"] => ({
  list: (accountId, collaboratorId, page) =>
    call(
      { accountId, texts: { collaboratorId }, options: { page: optional(page, pageNames) } },
      () => Effect.flatMap(readPage(page), (read) => service.list(accountId, collaboratorId, read)),
    ),
  create: copying((accountId, collaboratorId, group, options) =>
    change(
      { accountId, name: "groups.create", texts: { collaboratorId }, input: { group } },
      options,
      () => service.create(accountId, collaboratorId, group),
    ),
  ),
  update: copying((accountId, collaboratorId, groupId, changes, options) =>
    change(
      { accountId, name: "groups.update", texts: { collaboratorId, groupId }, input: { changes } },
      options,
      () =>
        Effect.flatMap(readPage(options?.page), (read) =>
          service.update(
            accountId,
            collaboratorId,
            groupId,
            (group) => Result.succeed(merge(group, changes)),
            read,
          ),
        ),
    ),
  ),
  get: (accountId, collaboratorId, groupId, page) =>
    call(
      {
        accountId,
        texts: { collaboratorId, groupId },
        options: { page: optional(page, pageNames) },
      },
      () =>
        Effect.flatMap(readPage(page), (read) =>
          service.get(accountId, collaboratorId, groupId, read),
        ),
    ),
  remove: (accountId, collaboratorId, groupId, options) =>
    change({ accountId, name: "groups.remove", texts: { collaboratorId, groupId } }, options, () =>
      service.remove(accountId, collaboratorId, groupId),
    ),
})

export const productsFace = (
  service: ProductsService,
  { call, change }: Caller,
): Services.Products => ({
  put: copying((accountId, products, options) =>
    change({ accountId, name: "products.put", lists: { products } }, options, () =>
      service.put(accountId, products),
    ),
  ),
  remove: copying((accountId, keys, options) =>
    change(
      { accountId, name: "products.remove", texts: { ...keyNames(keys) }, lists: { keys } },
      options,
      () => service.remove(accountId, keys),
    ),
  ),
  list: copying((accountId, query, page) =>
    call(
      {
        accountId,
        options: { query: optional(query, productNames), page: optional(page, pageNames) },
      },
      () => Effect.flatMap(readPage(page), (read) => service.list(accountId, query ?? {}, read)),
    ),
  ),
})

export const salesFace = (service: SalesService, { call }: Caller): Services.Sales => ({
  record: copying((accountId, order) =>
    call({ accountId }, () => service.record(accountId, order)),
  ),
  preview: copying((accountId, order) =>
    call({ accountId }, () => service.preview(accountId, order)),
  ),
  refund: copying((accountId, refund) =>
    call({ accountId }, () => service.refund(accountId, refund)),
  ),
  get: (accountId, orderId) =>
    call({ accountId, texts: { orderId } }, () => service.get(accountId, orderId)),
  list: (accountId, page) =>
    call({ accountId, options: { page: optional(page, pageNames) } }, () =>
      Effect.flatMap(readPage(page), (read) => service.list(accountId, read)),
    ),
  replay: (accountId, orderId) =>
    call({ accountId, texts: { orderId } }, () => service.replay(accountId, orderId)),
})

type PayoutReads = "list" | "get" | "getAsSeen" | "history" | "listPayable"

const payoutReads = (
  service: PayoutsService,
  { call }: Caller,
): Pick<Services.Payouts, PayoutReads> => ({
  list: copying((accountId, filter, page) =>
    call(
      {
        accountId,
        options: { ...payoutFilter(filter), page: optional(page, pageNames) },
      },
      () => Effect.flatMap(readPage(page), (read) => service.list(accountId, filter ?? {}, read)),
    ),
  ),
  get: (accountId, id) => call({ accountId, texts: { id } }, () => service.get(accountId, id)),
  getAsSeen: (accountId, id) =>
    call({ accountId, texts: { id } }, () => service.getAsSeen(accountId, id)),
  history: copying((accountId, id, request) =>
    call(
      {
        accountId,
        texts: { id },
        options: { request: optional(request, historyNames) },
        numbers: {
          "request.after": { value: request?.after, least: 0 },
          "request.limit": { value: request?.limit, least: 1 },
        },
      },
      () => service.history(accountId, id, request),
    ),
  ),
  listPayable: (accountId, limit) =>
    call({ accountId, counts: { limit } }, () => service.listPayable(accountId, limit)),
})

const payoutChanges = (
  service: PayoutsService,
  { change }: Caller,
): Omit<Services.Payouts, PayoutReads> => ({
  addExpense: copying((accountId, id, expense, options) =>
    change(
      { accountId, name: "payouts.addExpense", texts: { id }, input: { expense } },
      options,
      () => service.addExpense(accountId, id, expense),
    ),
  ),
  addIncome: copying((accountId, id, income, options) =>
    change(
      { accountId, name: "payouts.addIncome", texts: { id }, input: { income } },
      options,
      () => service.addIncome(accountId, id, income),
    ),
  ),
  removeEntry: (accountId, id, itemId, options) =>
    change({ accountId, name: "payouts.removeEntry", texts: { id, itemId } }, options, () =>
      service.removeEntry(accountId, id, itemId),
    ),
  setPaid: (accountId, id, options) =>
    change({ accountId, name: "payouts.setPaid", texts: { id } }, options, () =>
      service.setPaid(accountId, id),
    ),
  closeDue: (accountId, options) =>
    change({ accountId, name: "payouts.closeDue" }, options, () => service.closeDue(accountId)),
  pay: (accountId, id, options) =>
    change({ accountId, name: "payouts.pay", texts: { id } }, options, () =>
      service.pay(accountId, id),
    ),
  fail: (accountId, id, reason, options) =>
    change({ accountId, name: "payouts.fail", texts: { id, reason } }, options, () =>
      service.fail(accountId, id, reason),
    ),
  retry: (accountId, id, options) =>
    change({ accountId, name: "payouts.retry", texts: { id } }, options, () =>
      service.retry(accountId, id),
    ),
})

export const payoutsFace = (service: PayoutsService, caller: Caller): Services.Payouts => ({
  ...payoutReads(service, caller),
  ...payoutChanges(service, caller),
})

export const auditFace = (service: AuditService, { call }: Caller): Services.Audit => ({
  payouts: (accountId) => call({ accountId }, () => service.payouts(accountId)),
  payout: (accountId, id) =>
    call({ accountId, texts: { id } }, () => service.payout(accountId, id)),
})
