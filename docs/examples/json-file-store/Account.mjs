/**
 * One account in memory: a table for each kind of thing, and the text that they are kept as.
 */
import { productKeyOf } from "apportion/ports"

/**
 * What tells the rows of each table apart.
 *
 * @type {Record<keyof Tables, (row: any) => string>}
 */
const keys = {
  collaborators: (row) => row.collaborator.id,
  groups: (row) => row.group.id,
  products: productKeyOf,
  links: (row) => row.groupId,
  jobs: (row) => row.groupId,
  payouts: (row) => row.payout.id,
  history: (row) => row.payoutId,
  payments: (row) => row.id,
  sales: (row) => saleKey(row),
  answers: (row) => row.key,
  inbox: (row) => row.key,
  notes: (row) => row.key,
  resplits: (row) => row.run.id,
  settings: (row) => String(row.version),
  passes: (row) => row.id,
  counters: (row) => row.key,
}

/**
 * What tells the parts of all orders apart.
 *
 * @param {{ orderId: string, part: number }} sale
 */
export const saleKey = ({ orderId, part }) => JSON.stringify([orderId, part])

/**
 * @template Row
 * @typedef {Map<string, Row>} Table
 */

/**
 * @typedef {object} Tables
 * @property {Table<import("apportion/ports").StoredCollaborator>} collaborators
 * @property {Table<import("apportion/ports").StoredGroup>} groups
 * @property {Table<import("apportion").Product.Product>} products
 * @property {Table<{ groupId: string, productKeys: ReadonlyArray<string> }>} links
 * @property {Table<import("apportion/ports").LinkJob>} jobs
 * @property {Table<{ payout: import("apportion/ports").StoredPayout, items: ReadonlyArray<import("apportion").PayoutItem.PayoutItem> }>} payouts
 * @property {Table<{ payoutId: string, entries: ReadonlyArray<import("apportion/ports").PayoutHistoryEntry> }>} history
 * @property {Table<import("apportion/ports").StoredPayment>} payments
 * @property {Table<import("apportion/ports").RecordedSale>} sales
 * @property {Table<import("apportion/ports").StoredAnswer>} answers
 * @property {Table<import("apportion/ports").InboxEntry>} inbox
 * @property {Table<import("apportion/ports").InboxNote>} notes
 * @property {Table<{ run: import("apportion/ports").ResplitRun, batches: ReadonlyArray<import("apportion/ports").ResplitBatch> }>} resplits
 * @property {Table<import("apportion/ports").SettingsChange>} settings
 * @property {Table<import("apportion/ports").StoredPass>} passes
 * @property {Table<import("apportion/ports").StoredCounter>} counters
 */

/**
 * @typedef {object} Numbers
 * @property {number} revision One more with each transaction that changed the account.
 * @property {number} groupsRevision One more with each change of a product group.
 */

/** @typedef {Numbers & Tables} Account */

/**
 * An account out of its text; an empty one out of none.
 *
 * @param {string} text
 * @returns {Account}
 */
export const read = (text) => {
  const stored = text === "" ? {} : JSON.parse(text)
  /** @type {(name: keyof Tables) => Map<string, any>} */
  const table = (name) =>
    new Map((stored[name] ?? []).map((/** @type {unknown} */ row) => [keys[name](row), row]))
  return {
    revision: stored.revision ?? 0,
    groupsRevision: stored.groupsRevision ?? 0,
    collaborators: table("collaborators"),
    groups: table("groups"),
    products: table("products"),
    links: table("links"),
    jobs: table("jobs"),
    payouts: table("payouts"),
    history: table("history"),
    payments: table("payments"),
    sales: table("sales"),
    answers: table("answers"),
    inbox: table("inbox"),
    notes: table("notes"),
    resplits: table("resplits"),
    settings: table("settings"),
    passes: table("passes"),
    counters: table("counters"),
  }
}

/**
 * The text of an account, one field below the other for people who look into the file.
 *
 * @param {Account} account
 */
export const write = (account) => {
  const fields = Object.entries(account).map(([name, value]) => [
    name,
    value instanceof Map ? [...value.values()] : value,
  ])
  return `${JSON.stringify(Object.fromEntries(fields), null, 1)}\n`
}

/**
 * Whether nothing is stored in an account.
 *
 * @param {Account} account
 */
export const isEmpty = (account) =>
  Object.values(account).every((value) => !(value instanceof Map) || value.size === 0)
