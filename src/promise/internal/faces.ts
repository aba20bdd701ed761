/** Each service as plain async functions. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Groups from "../../groups/ProductGroup.js"
import * as PageRequest from "../../pagination/PageRequest.js"
import type { CollaboratorsService } from "../../service/Collaborators.js"
import type { PayoutsService } from "../../service/Payouts.js"
import type { ProductGroupsService } from "../../service/ProductGroups.js"
import type { ProductsService } from "../../service/Products.js"
import type { SalesService } from "../../service/Sales.js"
import type { PageInput } from "../Promised.js"
import type * as Services from "../Services.js"
import type { Changing } from "./changing.js"
import type { Running } from "./running.js"

/** How calls are made. */
export interface Caller {
  readonly call: Running["call"]
  readonly change: Changing
}

const readPage = (page: PageInput | undefined) =>
  Effect.fromResult(PageRequest.parse({ page: page?.page, per_page: page?.perPage }))

export const collaboratorsFace = (
  service: CollaboratorsService,
  { call, change }: Caller,
): Services.Collaborators => ({
  create: (accountId, collaborator, options) =>
    change({ accountId, name: "collaborators.create", args: [collaborator] }, options, () =>
      service.create(accountId, collaborator),
    ),
  update: (accountId, id, changes, options) =>
    change({ accountId, name: "collaborators.update", args: [id, changes] }, options, () =>
      service.update(accountId, id, changes),
    ),
  get: (accountId, id) => call(() => service.get(accountId, id)),
  list: (accountId, page) =>
    call(() => Effect.flatMap(readPage(page), (read) => service.list(accountId, read))),
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
    call(() =>
      Effect.flatMap(readPage(page), (read) => service.list(accountId, collaboratorId, read)),
    ),
  create: (accountId, collaboratorId, group, options) =>
    change({ accountId, name: "groups.create", args: [collaboratorId, group] }, options, () =>
      service.create(accountId, collaboratorId, group),
    ),
  update: (accountId, collaboratorId, groupId, changes, { page, ...options } = {}) =>
    change(
      { accountId, name: "groups.update", args: [collaboratorId, groupId, changes] },
      options,
      () =>
        Effect.flatMap(readPage(page), (read) =>
          service.update(
            accountId,
            collaboratorId,
            groupId,
            (group) => Result.succeed(merge(group, changes)),
            read,
          ),
        ),
    ),
  get: (accountId, collaboratorId, groupId, page) =>
    call(() =>
      Effect.flatMap(readPage(page), (read) =>
        service.get(accountId, collaboratorId, groupId, read),
      ),
    ),
  remove: (accountId, collaboratorId, groupId, options) =>
    change({ accountId, name: "groups.remove", args: [collaboratorId, groupId] }, options, () =>
      service.remove(accountId, collaboratorId, groupId),
    ),
})

export const productsFace = (
  service: ProductsService,
  { call, change }: Caller,
): Services.Products => ({
  put: (accountId, products, options) =>
    change({ accountId, name: "products.put", args: [products] }, options, () =>
      service.put(accountId, products),
    ),
  remove: (accountId, keys, options) =>
    change({ accountId, name: "products.remove", args: [keys] }, options, () =>
      service.remove(accountId, keys),
    ),
  list: (accountId, query, page) =>
    call(() => Effect.flatMap(readPage(page), (read) => service.list(accountId, query, read))),
})

export const salesFace = (service: SalesService, { call }: Caller): Services.Sales => ({
  record: (accountId, order) => call(() => service.record(accountId, order)),
  preview: (accountId, order) => call(() => service.preview(accountId, order)),
  refund: (accountId, refund) => call(() => service.refund(accountId, refund)),
  get: (accountId, orderId) => call(() => service.get(accountId, orderId)),
  list: (accountId, page) =>
    call(() => Effect.flatMap(readPage(page), (read) => service.list(accountId, read))),
  replay: (accountId, orderId) => call(() => service.replay(accountId, orderId)),
})

export const payoutsFace = (
  service: PayoutsService,
  { call, change }: Caller,
): Services.Payouts => ({
  list: (accountId, filter, page) =>
    call(() => Effect.flatMap(readPage(page), (read) => service.list(accountId, filter, read))),
  get: (accountId, id) => call(() => service.get(accountId, id)),
  getAsSeen: (accountId, id) => call(() => service.getAsSeen(accountId, id)),
  listPayable: (accountId, limit) => call(() => service.listPayable(accountId, limit)),
  addExpense: (accountId, id, expense, options) =>
    change({ accountId, name: "payouts.addExpense", args: [id, expense] }, options, () =>
      service.addExpense(accountId, id, expense),
    ),
  addIncome: (accountId, id, income, options) =>
    change({ accountId, name: "payouts.addIncome", args: [id, income] }, options, () =>
      service.addIncome(accountId, id, income),
    ),
  removeEntry: (accountId, id, itemId, options) =>
    change({ accountId, name: "payouts.removeEntry", args: [id, itemId] }, options, () =>
      service.removeEntry(accountId, id, itemId),
    ),
  setPaid: (accountId, id, options) =>
    change({ accountId, name: "payouts.setPaid", args: [id] }, options, () =>
      service.setPaid(accountId, id),
    ),
  closeDue: (accountId, options) =>
    change({ accountId, name: "payouts.closeDue", args: [] }, options, () =>
      service.closeDue(accountId),
    ),
  pay: (accountId, id, options) =>
    change({ accountId, name: "payouts.pay", args: [id] }, options, () =>
      service.pay(accountId, id),
    ),
  fail: (accountId, id, reason, options) =>
    change({ accountId, name: "payouts.fail", args: [id, reason] }, options, () =>
      service.fail(accountId, id, reason),
    ),
  retry: (accountId, id, options) =>
    change({ accountId, name: "payouts.retry", args: [id] }, options, () =>
      service.retry(accountId, id),
    ),
})
