/** Everything of an account that stores give back, and what must always hold of it. */
import { isDeepStrictEqual } from "node:util"
import type { PayoutItem } from "apportion"
import type {
  PayoutHistoryEntry,
  RecordedSale,
  StorageError,
  StorageService,
  StoredPayout,
  Stores,
} from "apportion/ports"
import { Effect } from "effect"

/** A payout with its items and its history. */
export interface KeptPayout {
  readonly payout: StoredPayout
  readonly items: ReadonlyArray<PayoutItem.PayoutItem>
  readonly history: ReadonlyArray<PayoutHistoryEntry>
}

export interface Books {
  readonly payouts: ReadonlyArray<KeptPayout>
  readonly sales: ReadonlyArray<RecordedSale>
}

const pageSize = 500

/** All pages of something, each read from where the one before ended. */
const readAll = <A>(
  next: (last: A | undefined) => Effect.Effect<ReadonlyArray<A>, StorageError>,
): Effect.Effect<ReadonlyArray<A>, StorageError> =>
  Effect.gen(function* () {
    const all: Array<A> = []
    for (;;) {
      const page = yield* next(all.at(-1))
      all.push(...page)
      if (page.length < pageSize) return all
    }
  })

const readPayout = Effect.fnUntraced(function* ({ payouts }: Stores, payout: StoredPayout) {
  const items = yield* payouts.items(payout.id)
  const history = yield* readAll<PayoutHistoryEntry>((last) =>
    payouts.history({ payoutId: payout.id, after: last?.version ?? 0, limit: pageSize }),
  )
  return { payout, items, history } satisfies KeptPayout
})

const readSales = Effect.fnUntraced(function* ({ sales }: Stores) {
  const all: Array<RecordedSale> = []
  for (;;) {
    const page = yield* sales.list({}, { offset: all.length, limit: pageSize })
    all.push(...page.entries)
    if (page.entries.length === 0) return all
  }
})

/** Reads the books of an account in one transaction. */
export const readBooks = (
  storage: StorageService,
  accountId: string,
): Effect.Effect<Books, StorageError> =>
  storage.transaction(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const heads = yield* readAll<StoredPayout>((last) =>
        stores.payouts.batch({ after: last?.id, limit: pageSize }),
      )
      const payouts = yield* Effect.forEach(heads, (payout) => readPayout(stores, payout))
      return { payouts, sales: yield* readSales(stores) }
    }),
    { mode: "read" },
  )

const sumOf = (items: Iterable<PayoutItem.PayoutItem>): bigint => {
  let sum = 0n
  for (const { amount } of items) sum += BigInt(amount)
  return sum
}

const isSettled = (payout: StoredPayout | null): boolean =>
  payout !== null && (payout.status === "paid" || payout.status === "manually paid")

/** What may follow what. */
const next: Readonly<Record<string, ReadonlyArray<string>>> = {
  none: ["active"],
  active: ["active", "pending", "manually paid"],
  pending: ["pending", "paid", "failed", "manually paid"],
  failed: ["failed", "pending", "manually paid"],
  paid: ["manually paid"],
  "manually paid": [],
}

const entryProblems = (
  entry: PayoutHistoryEntry,
  before: StoredPayout | null,
  items: Map<string, PayoutItem.PayoutItem>,
): ReadonlyArray<string> => {
  const { after, put, removed } = entry
  const problems: Array<string> = []
  if (!isDeepStrictEqual(entry.before, before)) problems.push("does not go on from the one before")
  if (after.version !== entry.version) problems.push(`says of itself version ${after.version}`)
  if (!(next[before?.status ?? "none"] ?? []).includes(after.status)) {
    problems.push(`goes from ${before?.status} to ${after.status}`)
  }
  if (isSettled(before) && put.length + removed.length > 0) problems.push("changes what is settled")
  for (const id of removed)
    if (!items.delete(id)) problems.push(`removes ${id}, which is not there`)
  for (const item of put) items.set(item.id, item)
  if (sumOf(items.values()) !== BigInt(after.total)) problems.push(`has a total of ${after.total}`)
  if (after.itemsCount !== items.size) problems.push(`counts ${after.itemsCount} items`)
  return problems.map((problem) => `entry ${entry.version} of payout ${entry.payoutId} ${problem}`)
}

/** The payout worked out again from its history must be the one that is stored. */
const historyProblems = ({ payout, items, history }: KeptPayout): ReadonlyArray<string> => {
  const rebuilt = new Map<string, PayoutItem.PayoutItem>()
  const problems: Array<string> = []
  let before: StoredPayout | null = null
  for (const [index, entry] of history.entries()) {
    if (entry.version !== index + 1) problems.push(`payout ${payout.id} lacks entry ${index + 1}`)
    problems.push(...entryProblems(entry, before, rebuilt))
    before = entry.after
  }
  if (!isDeepStrictEqual(before, payout)) {
    problems.push(`the history of payout ${payout.id} ends as ${JSON.stringify(before)}`)
  }
  if (!isDeepStrictEqual([...rebuilt.values()], [...items])) {
    problems.push(`the history of payout ${payout.id} leads to other items`)
  }
  return problems
}

const itemProblems = ({ payout, items }: KeptPayout): ReadonlyArray<string> => {
  const isSum = sumOf(items) === BigInt(payout.total) && items.length === payout.itemsCount
  const isOnce = new Set(items.map(({ id }) => id)).size === items.length
  return [
    ...(isSum ? [] : [`payout ${payout.id} has a total of ${payout.total}, its items another`]),
    ...(isOnce ? [] : [`payout ${payout.id} has an item twice`]),
  ]
}

/** Each share of a sale is in the payout in which it was put, once, and no item is from nowhere. */
const postingProblems = ({ payouts, sales }: Books): ReadonlyArray<string> => {
  const wanted = new Map<string, number>()
  for (const { postings } of sales) {
    for (const { payoutId, payoutItemId } of postings) {
      const place = `${payoutId} ${payoutItemId}`
      wanted.set(place, (wanted.get(place) ?? 0) + 1)
    }
  }
  const problems: Array<string> = []
  for (const { payout, items } of payouts) {
    for (const { id, kind } of items) {
      const place = `${payout.id} ${id}`
      if (kind === "sale" && wanted.get(place) !== 1) problems.push(`${place} is of no sale`)
      wanted.delete(place)
    }
  }
  return [...problems, ...[...wanted.keys()].map((place) => `${place} is missing`)]
}

/** What is wrong in the books, whatever was done to them. */
export const bookProblems = (books: Books): ReadonlyArray<string> => [
  ...books.payouts.flatMap(historyProblems),
  ...books.payouts.flatMap(itemProblems),
  ...postingProblems(books),
]
