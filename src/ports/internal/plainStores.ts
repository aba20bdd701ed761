/** The stores of a plain transaction as stores of Effect: each method by its name, none forgotten. */
import * as Effect from "effect/Effect"
import type { CollaboratorStore } from "../CollaboratorStore.js"
import type { KeyStore } from "../KeyStore.js"
import type { LinkStore } from "../LinkStore.js"
import type { PayoutStore } from "../PayoutStore.js"
import type { Plain, PlainStores } from "../PlainStorage.js"
import type { ProductGroupStore } from "../ProductGroupStore.js"
import type { ProductStore } from "../ProductStore.js"
import type { SaleStore } from "../SaleStore.js"
import type { Stores } from "../Storage.js"
import { lift, liftOptional } from "./plainCalls.js"

const collaborators = (plain: Plain<CollaboratorStore>): CollaboratorStore => ({
  get: liftOptional("read a collaborator", (id) => plain.get(id)),
  find: lift("find collaborators", (ids) => plain.find(ids)),
  insert: lift("store a collaborator", (collaborator) => plain.insert(collaborator)),
  update: lift("change a collaborator", (collaborator) => plain.update(collaborator)),
  list: lift("list collaborators", (slice) => plain.list(slice)),
})

const groups = (plain: Plain<ProductGroupStore>): ProductGroupStore => ({
  get: liftOptional("read a product group", (id) => plain.get(id)),
  find: lift("find product groups", (ids) => plain.find(ids)),
  insert: lift("store a product group", (group) => plain.insert(group)),
  update: lift("change a product group", (group) => plain.update(group)),
  remove: lift("remove a product group", (options) => plain.remove(options)),
  list: lift("list product groups", (collaboratorId, slice) => plain.list(collaboratorId, slice)),
  all: Effect.suspend(lift("read all product groups", () => plain.all())),
  revision: Effect.suspend(lift("read the revision of the groups", () => plain.revision())),
})

/** What a store leaves out is left out; a host that has no such store at all may never be asked for it. */
const selected = (plain: Plain<ProductStore> | undefined): Pick<ProductStore, "selected"> => {
  const look = plain?.selected?.bind(plain)
  return look === undefined ? {} : { selected: lift("find the products of a link", look) }
}

const products = (plain: Plain<ProductStore>): ProductStore => ({
  put: lift("store products", (products) => plain.put(products)),
  remove: lift("remove products", (keys) => plain.remove(keys)),
  get: lift("read products", (keys) => plain.get(keys)),
  find: lift("find products", (ids) => plain.find(ids)),
  list: lift("list products", (filter, slice) => plain.list(filter, slice)),
  batch: lift("read the next products", (options) => plain.batch(options)),
  ...selected(plain),
})

const links = (plain: Plain<LinkStore>): LinkStore => ({
  add: lift("link products", (groupId, keys) => plain.add(groupId, keys)),
  clear: lift("take links away", (groupId) => plain.clear(groupId)),
  setOfProduct: lift("link a product", (key, groupIds) => plain.setOfProduct(key, groupIds)),
  products: lift("list linked products", (groupId, slice) => plain.products(groupId, slice)),
  counts: lift("count linked products", (groupIds) => plain.counts(groupIds)),
  groupsOf: lift("find the groups of products", (keys) => plain.groupsOf(keys)),
  job: liftOptional("read a link job", (groupId) => plain.job(groupId)),
  saveJob: lift("store a link job", (job) => plain.saveJob(job)),
  removeJob: lift("remove a link job", (groupId) => plain.removeJob(groupId)),
  runningJobs: lift("find link jobs", (limit) => plain.runningJobs(limit)),
})

const payouts = (plain: Plain<PayoutStore>): PayoutStore => ({
  get: liftOptional("read a payout", (id) => plain.get(id)),
  active: liftOptional("read an active payout", (owner) => plain.active(owner)),
  firstOpenedAt: liftOptional("read when payouts began", (owner) => plain.firstOpenedAt(owner)),
  insert: lift("store a payout", (change) => plain.insert(change)),
  update: lift("change a payout", (change) => plain.update(change)),
  item: liftOptional("read a payout item", (payoutId, id) => plain.item(payoutId, id)),
  items: lift("read payout items", (payoutId) => plain.items(payoutId)),
  someItems: lift("read some payout items", (id, slice) => plain.someItems(id, slice)),
  list: lift("list payouts", (filter, slice) => plain.list(filter, slice)),
  due: lift("find due payouts", (options) => plain.due(options)),
  payable: lift("find payable payouts", (options) => plain.payable(options)),
  batch: lift("read the next payouts", (options) => plain.batch(options)),
  history: lift("read the history of a payout", (options) => plain.history(options)),
})

const sales = (plain: Plain<SaleStore>): SaleStore => ({
  ofOrder: lift("read a sale", (orderId) => plain.ofOrder(orderId)),
  insert: lift("store a sale", (sale) => plain.insert(sale)),
  addRefund: lift("store a refund", (options) => plain.addRefund(options)),
  refund: liftOptional("read a refund", (refundId) => plain.refund(refundId)),
  list: lift("list sales", (slice) => plain.list(slice)),
})

const keys = (plain: Plain<KeyStore>): KeyStore => ({
  get: liftOptional("read an idempotency key", (key) => plain.get(key)),
  insert: lift("store an idempotency key", (answer) => plain.insert(answer)),
  kept: lift("count idempotency keys", () => plain.kept()),
  removeBefore: lift("forget idempotency keys", (at) => plain.removeBefore(at)),
})

/** The stores of a plain transaction, as stores of Effect. */
export const storesOf = (plain: PlainStores): Stores => ({
  collaborators: collaborators(plain.collaborators),
  groups: groups(plain.groups),
  products: products(plain.products),
  links: links(plain.links),
  payouts: payouts(plain.payouts),
  sales: sales(plain.sales),
  keys: keys(plain.keys),
})
