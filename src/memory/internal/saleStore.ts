import type { RecordedSale, SaleStore } from "../../ports/SaleStore.js"
import { Conflict } from "../../ports/StorageError.js"
import { type MemoryAccount, partKey } from "./Account.js"
import type { Journal } from "./Journal.js"
import { sealed } from "./seal.js"
import { everything, slicedList } from "./Table.js"

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

const insert = (
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

/** The ledger within one transaction. */
export const make = (account: MemoryAccount, journal: Journal): SaleStore => ({
  ofOrder: (orderId) =>
    journal.read("read the parts of an order", () => account.partsOf.list(orderId)?.all() ?? []),
  insert: (sale) => journal.write("insert a sale", () => insert(account, journal, sale)),
  addRefund: (options) => journal.write("add a refund", () => addRefund(account, journal, options)),
  refund: (refundId) => journal.read("read a refund", () => account.refunds.get(refundId)),
  list: (slice) =>
    journal.read("list the ledger", () => slicedList(account.ledger.list(everything), slice)),
})
