/** The stores of an account in memory, except payouts, each within one transaction. */
import type { Product } from "../../orders/Product.js"
import type { CollaboratorStore, StoredCollaborator } from "../../ports/CollaboratorStore.js"
import type { KeyStore } from "../../ports/KeyStore.js"
import type { LinkStore } from "../../ports/LinkStore.js"
import type { ProductGroupStore, StoredGroup } from "../../ports/ProductGroupStore.js"
import type { ProductFilter, ProductStore, SelectedProducts } from "../../ports/ProductStore.js"
import {
  isSaleOf,
  type LedgerOrder,
  type Posting,
  type PostingMove,
  type RecordedSale,
  type SaleFilter,
  type SaleStore,
} from "../../ports/SaleStore.js"
import type { Slice, Sliced } from "../../ports/Slice.js"
import { soldBySale } from "../../ports/SoldSales.js"
import { periodAt, type SoldSums, SoldTally } from "../../ports/SoldSums.js"
import { Conflict } from "../../ports/StorageError.js"
import { type MemoryAccount, partKey } from "./Account.js"
import { CatalogueEntry } from "./Catalogue.js"
import {
  eachOf,
  everything,
  firstPlace,
  type Journal,
  sealed,
  slicedArray,
  slicedList,
} from "./Table.js"

/** The store of collaborators within one transaction. */
export const makeCollaborators = (account: MemoryAccount, journal: Journal): CollaboratorStore => {
  const { collaborators, collaboratorsInOrder } = account
  const store = (row: StoredCollaborator): StoredCollaborator => {
    collaborators.put(journal, row)
    return row
  }
  return {
    get: (id) => journal.read("read a collaborator", () => collaborators.get(id)),
    find: (ids) => journal.read("read collaborators", () => collaborators.find(ids)),
    insert: (row) =>
      journal.write("insert a collaborator", () => {
        const { id } = row.collaborator
        if (collaborators.get(id) !== undefined) return Conflict.of("collaborator", id)
        return store(sealed({ ...row, version: 1 }))
      }),
    update: (row) =>
      journal.write("update a collaborator", () => {
        const { id } = row.collaborator
        if (collaborators.get(id)?.version !== row.version) return Conflict.of("collaborator", id)
        return store(sealed({ ...row, version: row.version + 1 }))
      }),
    list: (slice) =>
      journal.read("list collaborators", () =>
        slicedList(collaboratorsInOrder.list(everything), slice),
      ),
  }
}

/** The store of product groups within one transaction. */
export const makeGroups = (account: MemoryAccount, journal: Journal): ProductGroupStore => {
  const { groups, groupsOf } = account
  const store = (row: StoredGroup): StoredGroup => {
    account.groupsRevision.advance(journal)
    groups.put(journal, row)
    return row
  }
  return {
    get: (id) => journal.read("read a product group", () => groups.get(id)),
    find: (ids) => journal.read("read product groups", () => groups.find(ids)),
    insert: (row) =>
      journal.write("insert a product group", () => {
        const { id } = row.group
        if (groups.get(id) !== undefined) return Conflict.of("product group", id)
        return store(sealed({ ...row, version: 1 }))
      }),
    update: (row) =>
      journal.write("update a product group", () => {
        const { id } = row.group
        if (groups.get(id)?.version !== row.version) return Conflict.of("product group", id)
        return store(sealed({ ...row, version: row.version + 1 }))
      }),
    remove: ({ groupId, version }) =>
      journal.write("remove a product group", () => {
        if (groups.get(groupId)?.version !== version) return Conflict.of("product group", groupId)
        account.groupsRevision.advance(journal)
        groups.remove(journal, groupId)
      }),
    list: (collaboratorId, slice) =>
      journal.read("list product groups", () => slicedList(groupsOf.list(collaboratorId), slice)),
    all: journal.read("read all product groups", () => groups.all().map(({ group }) => group)),
    revision: journal.read("read the revision of the groups", () => account.groupsRevision.current),
  }
}

const removeProduct = (account: MemoryAccount, journal: Journal, key: string): void => {
  const { catalogue, links } = account
  const entry = catalogue.get(key)
  if (entry === undefined) return
  for (const groupId of [...links.groupsOf(key)]) links.remove(journal, groupId, entry)
  catalogue.remove(journal, key)
}

const listProducts = (
  account: MemoryAccount,
  filter: ProductFilter,
  slice: Slice,
): Sliced<CatalogueEntry> =>
  (filter.search ?? "").trim() === "" && filter.collaboratorId === undefined
    ? slicedList(account.catalogue.inOrder.list(everything), slice)
    : slicedArray(account.searches.find(filter), slice)

/** The products of a slice of entries. */
const productsOf = ({ entries, total }: Sliced<CatalogueEntry>): Sliced<Product> => ({
  entries: entries.map(({ product }) => product),
  total,
})

const select = (
  { catalogue }: MemoryAccount,
  { link, after = "", limit }: Parameters<NonNullable<ProductStore["selected"]>>[0],
): SelectedProducts => {
  const all = catalogue.selections.keysOf(link)
  const start = firstPlace(all, (key) => key > after)
  const keys = all.slice(start, start + limit)
  const isLast = start + limit >= all.length
  const last = keys.at(-1) ?? after
  const inOrder = catalogue.inOrderOfKeys.list(everything)
  const placeAfter = (place: string) => inOrder?.countBefore(({ key }) => key > place) ?? 0
  const end = isLast ? catalogue.size : placeAfter(last)
  return { keys, scanned: end - placeAfter(after), isLast }
}

/** The store of products within one transaction. */
export const makeProducts = (account: MemoryAccount, journal: Journal): ProductStore => {
  const { catalogue } = account
  const inOrderOfKeys = () => catalogue.inOrderOfKeys.list(everything)
  return {
    put: (products) =>
      journal.write("put products", () => {
        for (const product of products) catalogue.put(journal, new CatalogueEntry(sealed(product)))
      }),
    remove: (keys) =>
      journal.write("remove products", () => {
        for (const key of keys) removeProduct(account, journal, key)
      }),
    get: (keys) =>
      journal.read("read products", () => catalogue.find(keys).map(({ product }) => product)),
    find: (ids) => journal.read("find products", () => catalogue.byIds(ids)),
    list: (filter, slice) =>
      journal.read("list products", () => productsOf(listProducts(account, filter, slice))),
    selected: (options) =>
      journal.read("find the products of a link", () => select(account, options)),
    batch: ({ after, limit }) =>
      journal.read("read a batch of products", () =>
        (inOrderOfKeys()?.from(({ key }) => after === undefined || key > after, limit) ?? []).map(
          ({ product }) => product,
        ),
      ),
  }
}

type LinkJobs = "job" | "saveJob" | "removeJob" | "runningJobs"

const jobs = (
  { jobs, runningJobs }: MemoryAccount,
  journal: Journal,
): Pick<LinkStore, LinkJobs> => ({
  job: (groupId) => journal.read("read a link job", () => jobs.get(groupId)),
  saveJob: (job) => journal.write("save a link job", () => jobs.put(journal, sealed(job))),
  removeJob: (groupId) => journal.write("remove a link job", () => jobs.remove(journal, groupId)),
  runningJobs: (limit) =>
    journal.read(
      "read the running link jobs",
      () => runningJobs.list(everything)?.slice(0, limit) ?? [],
    ),
})

const setOfProduct = (
  { catalogue, links }: MemoryAccount,
  journal: Journal,
  change: { readonly productKey: string; readonly groupIds: ReadonlySet<string> },
): void => {
  const entry = catalogue.get(change.productKey)
  if (entry === undefined) return
  for (const groupId of [...links.groupsOf(entry.key)]) {
    if (!change.groupIds.has(groupId)) links.remove(journal, groupId, entry)
  }
  for (const groupId of change.groupIds) links.add(journal, groupId, entry)
}

/** The store of links within one transaction. Only products that are in the catalogue can be linked. */
export const makeLinks = (account: MemoryAccount, journal: Journal): LinkStore => {
  const { catalogue, links } = account
  return {
    add: (groupId, productKeys) =>
      journal.write("link products", () => {
        for (const entry of catalogue.find(productKeys)) links.add(journal, groupId, entry)
      }),
    clear: (groupId) =>
      journal.write("clear the links of a group", () => {
        for (const entry of links.productsOf(groupId)?.all() ?? []) {
          links.remove(journal, groupId, entry)
        }
      }),
    setOfProduct: (productKey, groupIds) =>
      journal.write("set the links of a product", () =>
        setOfProduct(account, journal, { productKey, groupIds: new Set(groupIds) }),
      ),
    products: (groupId, slice) =>
      journal.read("list linked products", () =>
        productsOf(slicedList(links.productsOf(groupId), slice)),
      ),
    counts: (groupIds) =>
      journal.read("count linked products", () =>
        groupIds.map((groupId) => links.productsOf(groupId)?.size ?? 0),
      ),
    groupsOf: (productKeys) =>
      journal.read("read the groups of products", () =>
        productKeys.map((key) => [...links.groupsOf(key)]),
      ),
    ...jobs(account, journal),
  }
}

const itemIds = (sale: Pick<RecordedSale, "order">): ReadonlyArray<string> =>
  sale.order.items.map(({ id }) => id)

/** Whether a part of an order, or one of its items, is in the ledger already. */
const isRecorded = (account: MemoryAccount, sale: Omit<RecordedSale, "version">): boolean => {
  const ids = new Set(itemIds(sale))
  const parts = account.partsOf.list(sale.orderId) ?? []
  return [...parts].some(
    (known) => known.part === sale.part || itemIds(known).some((id) => ids.has(id)),
  )
}

const addRefund = (
  account: MemoryAccount,
  journal: Journal,
  options: Parameters<SaleStore["addRefund"]>[0],
): RecordedSale | Conflict => {
  const { sales, refunds } = account
  const sale = sales.get(partKey(options))
  if (sale?.version !== options.version) return Conflict.of("sale", options.orderId)
  if (refunds.get(options.refund.id) !== undefined) return Conflict.of("refund", options.refund.id)
  const refund = sealed(options.refund)
  const next: RecordedSale = Object.freeze({
    ...sale,
    postings: sealed(options.postings),
    refunds: Object.freeze([...sale.refunds, refund]),
    version: sale.version + 1,
  })
  refunds.put(journal, refund)
  sales.put(journal, next)
  return next
}

const addAdjustment = (
  { sales }: MemoryAccount,
  journal: Journal,
  options: Parameters<SaleStore["addAdjustment"]>[0],
): RecordedSale | Conflict => {
  const sale = sales.get(partKey(options))
  if (sale?.version !== options.version) return Conflict.of("sale", options.orderId)
  const { adjustments = [] } = sale
  const { runId } = options.adjustment
  if (adjustments.some((known) => known.runId === runId)) return Conflict.of("adjustment", runId)
  const next: RecordedSale = Object.freeze({
    ...sale,
    postings: sealed(options.postings),
    adjustments: Object.freeze([...adjustments, sealed(options.adjustment)]),
    version: sale.version + 1,
  })
  sales.put(journal, next)
  return next
}

const movePostings = (
  { partsOf, sales }: MemoryAccount,
  journal: Journal,
  { fromPayoutId, toPayoutId, items }: PostingMove,
): undefined => {
  const ids = new Map<string, Set<string>>()
  for (const { orderId, payoutItemId } of items) {
    ids.set(orderId, (ids.get(orderId) ?? new Set()).add(payoutItemId))
  }
  for (const [orderId, moved] of ids) {
    const isMoved = ({ payoutId, payoutItemId }: Posting) =>
      payoutId === fromPayoutId && moved.has(payoutItemId)
    for (const sale of partsOf.list(orderId)?.all() ?? []) {
      if (!sale.postings.some(isMoved)) continue
      const postings = sale.postings.map((posting) =>
        isMoved(posting) ? { ...posting, payoutId: toPayoutId } : posting,
      )
      sales.put(
        journal,
        Object.freeze({ ...sale, postings: sealed(postings), version: sale.version + 1 }),
      )
    }
  }
}

const insertSale = (
  account: MemoryAccount,
  journal: Journal,
  sale: Omit<RecordedSale, "version">,
): RecordedSale | Conflict => {
  const { sales, refunds } = account
  if (isRecorded(account, sale)) return Conflict.of("sale", sale.orderId)
  const taken = sale.refunds.find(({ id }) => refunds.get(id) !== undefined)
  if (taken !== undefined) return Conflict.of("refund", taken.id)
  const row = sealed({ ...sale, version: 1 })
  for (const refund of row.refunds) refunds.put(journal, refund)
  sales.put(journal, row)
  return row
}

/** The same slice of a list that is read from its end. */
const sliceFromEnd = <A>(
  total: number,
  { offset, limit }: Slice,
  sliceOf: (slice: Slice) => Sliced<A>,
): Sliced<A> => {
  const end = Math.max(0, total - offset)
  const begin = Math.max(0, end - limit)
  const { entries } = sliceOf({ offset: begin, limit: end - begin })
  return { entries: entries.toReversed(), total }
}

const listSales = (
  { ledger }: MemoryAccount,
  filter: SaleFilter,
  slice: Slice,
  order: LedgerOrder = "earliest first",
): Sliced<RecordedSale> => {
  const all = ledger.list(everything)
  const isAll = Object.values(filter).every((each) => each === undefined)
  const found = isAll ? [] : [...(all ?? [])].filter((sale) => isSaleOf(filter, sale))
  const sliceOf = (part: Slice) => (isAll ? slicedList(all, part) : slicedArray(found, part))
  if (order === "earliest first") return sliceOf(slice)
  return sliceFromEnd(isAll ? (all?.size ?? 0) : found.length, slice, sliceOf)
}

/** Those of an account in memory are added up in less time than sums of them would take to keep. */
const soldIn = ({ ledger }: MemoryAccount, times: ReadonlyArray<number>): SoldSums => {
  const all = ledger.list(everything)
  if (all === undefined || all.size === 0) return { first: null, last: null, sums: [] }
  const timeAt = (index: number) => all.slice(index, 1)[0]?.recordedAt ?? null
  const [from = Infinity, until = -Infinity] = [times[0], times.at(-1)]
  const begin = all.countBefore(({ recordedAt }) => recordedAt >= from)
  const end = all.countBefore(({ recordedAt }) => recordedAt >= until)
  const tally = new SoldTally()
  for (const sale of all.slice(begin, Math.max(0, end - begin))) {
    tally.add(periodAt(times, sale.recordedAt), soldBySale(sale))
  }
  return { first: timeAt(0), last: timeAt(all.size - 1), sums: tally.sums }
}

/** The ledger within one transaction. */
export const makeSales = (account: MemoryAccount, journal: Journal): SaleStore => ({
  ofOrder: (orderId) =>
    journal.read("read the parts of an order", () => account.partsOf.list(orderId)?.all() ?? []),
  ofOrders: (orderIds) =>
    journal.read("read the parts of orders", () =>
      [...new Set(orderIds)].flatMap((orderId) => account.partsOf.list(orderId)?.all() ?? []),
    ),
  insert: (sale) => journal.write("insert a sale", () => insertSale(account, journal, sale)),
  insertAll: (sales) =>
    journal.write("insert sales", () =>
      eachOf(sales, (sale) => insertSale(account, journal, sale)),
    ),
  addRefund: (options) => journal.write("add a refund", () => addRefund(account, journal, options)),
  addAdjustment: (options) =>
    journal.write("add an adjustment", () => addAdjustment(account, journal, options)),
  move: (moved) => journal.write("move postings", () => movePostings(account, journal, moved)),
  refund: (refundId) => journal.read("read a refund", () => account.refunds.get(refundId)),
  refunds: (refundIds) => journal.read("read refunds", () => account.refunds.find(refundIds)),
  list: (filter, slice, order) =>
    journal.read("list the ledger", () => listSales(account, filter, slice, order)),
  sold: (times) => journal.read("read what was sold", () => soldIn(account, times)),
})

/** The store of idempotency keys within one transaction. */
export const makeKeys = (
  { answers, answersByTime }: MemoryAccount,
  journal: Journal,
): KeyStore => ({
  get: (key) => journal.read("read an idempotency key", () => answers.get(key)),
  insert: (answer) =>
    journal.write("insert an idempotency key", () => {
      if (answers.get(answer.key) !== undefined) return Conflict.of("idempotency key", answer.key)
      answers.put(journal, sealed(answer))
    }),
  kept: () =>
    journal.read("count idempotency keys", () => {
      const byTime = answersByTime.list(everything)
      return { count: byTime?.size ?? 0, oldestAt: byTime?.slice(0, 1)[0]?.createdAt }
    }),
  removeBefore: (at) =>
    journal.write("remove old idempotency keys", () => {
      const byTime = answersByTime.list(everything)
      const old = byTime?.firstWhile(({ createdAt }) => createdAt < at, byTime.size) ?? []
      for (const { key } of old) answers.remove(journal, key)
      return old.length
    }),
})
