import * as Effect from "effect/Effect"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import { isSettled } from "../../payouts/PayoutStatus.js"
import type {
  ItemPlace,
  OwnedPayouts,
  PayoutChange,
  PayoutFilter,
  PayoutHistoryEntry,
  PayoutOwner,
  PayoutStore,
  PlacedItem,
  StoredPayout,
  TimeRange,
} from "../../ports/PayoutStore.js"
import type { Slice, Sliced } from "../../ports/Slice.js"
import { Conflict } from "../../ports/StorageError.js"
import { type MemoryAccount, ownerOf, PayoutItems, type PayoutTable } from "./Account.js"
import { hashedFrom, type NotedEntry } from "./historyHashes.js"
import type { Journal } from "./Table.js"
import { eachOf, everything, type SortedList, sealed, slicedArray, slicedList } from "./Table.js"

type PayoutWrite = Omit<PayoutChange, "payout">
type HistoryFields = Pick<PayoutHistoryEntry, "at" | "after" | "put" | "removed">

const isWithin = ({ from, to }: TimeRange, at: number | null): boolean =>
  at !== null && (from === undefined || at >= from) && (to === undefined || at <= to)

const applies = (filter: PayoutFilter, payout: StoredPayout): boolean => {
  const { collaboratorId, status, paid, expected } = filter
  return (
    (collaboratorId === undefined || payout.collaboratorId === collaboratorId) &&
    (status === undefined || payout.status === status) &&
    (paid === undefined || isWithin(paid, payout.paidAt)) &&
    (expected === undefined || isWithin(expected, payout.toBePaidAt))
  )
}

/** The shortest list that contains all payouts of a filter. */
const narrowest = (
  payouts: PayoutTable,
  { collaboratorId, status }: PayoutFilter,
): SortedList<StoredPayout> | undefined => {
  if (collaboratorId !== undefined) return payouts.ofCollaborator.list(collaboratorId)
  if (status !== undefined) return payouts.ofStatus.list(status)
  return payouts.inOrder.list(everything)
}

const list = (payouts: PayoutTable, filter: PayoutFilter, slice: Slice): Sliced<StoredPayout> => {
  const { collaboratorId, status, paid, expected } = filter
  const isOneOrNone = collaboratorId === undefined || status === undefined
  const all = narrowest(payouts, filter)
  if (isOneOrNone && paid === undefined && expected === undefined) return slicedList(all, slice)
  const found = (all?.all() ?? []).filter((payout) => applies(filter, payout))
  return slicedArray(found, slice)
}

const hasOtherActive = (
  { activeOfOwner }: PayoutTable,
  payout: Omit<StoredPayout, "version">,
): boolean => {
  if (payout.status !== "active") return false
  const active = activeOfOwner.list(ownerOf(payout)) ?? []
  return [...active].some(({ id }) => id !== payout.id)
}

/** The data that belongs to a payout, created on first use. */
const belonging = <A>(
  journal: Journal,
  all: Map<string, A>,
  { payoutId, make }: { readonly payoutId: string; readonly make: () => A },
): A => {
  const known = all.get(payoutId)
  if (known !== undefined) return known
  const made = make()
  all.set(payoutId, made)
  journal.note(() => all.delete(payoutId))
  return made
}

/** Adds a change to the history, after its items and before the payout itself is stored. */
const remember = (account: MemoryAccount, journal: Journal, written: HistoryFields): void => {
  const { id: payoutId, version } = written.after
  const before = account.payouts.get(payoutId) ?? null
  const make = (): Array<NotedEntry> => []
  const entries = belonging(journal, account.histories, { payoutId, make })
  entries.push(Object.freeze({ payoutId, version, actor: journal.actor, before, ...written }))
  journal.note(() => entries.pop())
}

const store = (
  account: MemoryAccount,
  journal: Journal,
  change: PayoutWrite & { readonly payout: StoredPayout; readonly at: number },
): StoredPayout => {
  const { at } = change
  const after = sealed(change.payout)
  const make = () => new PayoutItems()
  const items = belonging(journal, account.items, { payoutId: after.id, make })
  const isThere = (itemId: string) => items.get(itemId) !== undefined
  const removed = Object.freeze([...new Set(change.remove)].filter(isThere))
  const put = sealed(change.put ?? [])
  for (const itemId of removed) items.remove(journal, itemId)
  for (const item of put) items.put(journal, item)
  remember(account, journal, { at, after, put, removed })
  account.payouts.put(journal, after)
  return after
}

const changes = (
  account: MemoryAccount,
  journal: Journal,
): Pick<PayoutStore, "insert" | "update" | "storeAll"> => {
  const { payouts } = account
  const insert = (
    { payout, put }: Parameters<PayoutStore["insert"]>[0],
    at: number,
  ): StoredPayout | Conflict => {
    const isThere = payouts.get(payout.id) !== undefined
    if (isThere || hasOtherActive(payouts, payout)) return Conflict.of("payout", payout.id)
    return store(account, journal, { payout: { ...payout, version: 1 }, put, at })
  }
  const update = ({ payout, put, remove }: PayoutChange, at: number): StoredPayout | Conflict => {
    const isOther = payouts.get(payout.id)?.version !== payout.version
    if (isOther || hasOtherActive(payouts, payout)) return Conflict.of("payout", payout.id)
    const next = { ...payout, version: payout.version + 1 }
    return store(account, journal, { payout: next, put, remove, at })
  }
  return {
    insert: (change) => journal.writeAt("insert a payout", (at) => insert(change, at)),
    update: (change) => journal.writeAt("update a payout", (at) => update(change, at)),
    storeAll: (all) =>
      journal.writeAt("store payouts", (at) =>
        eachOf(all, (change) =>
          change.payout.version === 0 ? insert(change, at) : update(change, at),
        ),
      ),
  }
}

const isBelowZero = ({ status, total }: StoredPayout): boolean => total < 0 && !isSettled(status)

const entriesOf = (
  { payouts, items }: MemoryAccount,
  { collaboratorId, itemId }: Parameters<PayoutStore["entries"]>[0],
): ReadonlyArray<PlacedItem> =>
  [...(payouts.ofCollaborator.list(collaboratorId) ?? [])]
    .flatMap(({ id: payoutId }) => {
      const item = items.get(payoutId)?.get(itemId)
      return item?.kind === "expense" || item?.kind === "income" ? [{ payoutId, item }] : []
    })
    .sort((one, other) => (one.payoutId < other.payoutId ? -1 : 1))

/** The next payouts by id, at most `limit`. */
const next = (
  { payouts }: MemoryAccount,
  after: string | undefined,
  limit: number,
): ReadonlyArray<StoredPayout> =>
  payouts.inOrderOfIds
    .list(everything)
    ?.from(({ id }) => after === undefined || id > after, limit) ?? []

const reads = (
  account: MemoryAccount,
  journal: Journal,
): Pick<
  PayoutStore,
  "batch" | "belowZero" | "entries" | "history" | "historyIds" | "lastHash" | "comparedItems"
> => ({
  entries: (options) =>
    journal.read("find entries of a collaborator", () => entriesOf(account, options)),
  belowZero: ({ after, limit }) =>
    journal.read("find payouts below zero", () =>
      next(account, after, Number.MAX_SAFE_INTEGER).filter(isBelowZero).slice(0, limit),
    ),
  batch: ({ after, limit }) =>
    journal.read("read a batch of payouts", () => next(account, after, limit)),
  history: ({ payoutId, after, limit }) => {
    // Versions begin with 1, and each has its entry.
    const read = () => account.histories.get(payoutId)?.slice(0, after + limit) ?? []
    return Effect.flatMap(journal.read("read the history of a payout", read), (entries) =>
      Effect.promise(() => hashedFrom(entries, after)),
    )
  },
  comparedItems: (payoutId) =>
    journal.read("compare payout items", () => ({
      items: account.items.get(payoutId)?.all() ?? [],
      wrongCopies: [],
    })),
  // Payouts are never removed, so all payouts with a history exist.
  historyIds: ({ after, limit }) =>
    journal.read("find the next histories", () => next(account, after, limit).map(({ id }) => id)),
  lastHash: (payoutId) => {
    const read = () => account.histories.get(payoutId)?.slice() ?? []
    return Effect.flatMap(journal.read("read the hash of a history", read), (entries) =>
      Effect.promise(async () => {
        const [last] = await hashedFrom(entries, entries.length - 1)
        return last?.hash ?? null
      }),
    )
  },
})

const ownedBy = ({ payouts }: MemoryAccount, owner: PayoutOwner): OwnedPayouts => ({
  active: payouts.activeOfOwner.list(ownerOf(owner))?.slice(0, 1)[0],
  firstOpenedAt: payouts.ofOwner.list(ownerOf(owner))?.slice(0, 1)[0]?.openedAt,
})

/** The existing items at many places, each once. */
const itemsAt = (
  { items }: MemoryAccount,
  places: ReadonlyArray<ItemPlace>,
): ReadonlyArray<PlacedItem> => {
  const found = new Map<PayoutItem, PlacedItem>()
  for (const { payoutId, itemId } of places) {
    const item = items.get(payoutId)?.get(itemId)
    if (item !== undefined) found.set(item, { payoutId, item })
  }
  return [...found.values()]
}

/** The store of payouts within one transaction. */
export const makePayouts = (account: MemoryAccount, journal: Journal): PayoutStore => {
  const { payouts, items } = account
  return {
    ...changes(account, journal),
    ...reads(account, journal),
    get: (id) => journal.read("read a payout", () => payouts.get(id)),
    active: (owner) => journal.read("read an active payout", () => ownedBy(account, owner).active),
    firstOpenedAt: (owner) =>
      journal.read(
        "read when the first payout was opened",
        () => ownedBy(account, owner).firstOpenedAt,
      ),
    ofOwners: (owners) =>
      journal.read("read payouts of owners", () => owners.map((owner) => ownedBy(account, owner))),
    itemsAt: (places) => journal.read("read items of payouts", () => itemsAt(account, places)),
    item: (payoutId, itemId) =>
      journal.read("read a payout item", () => items.get(payoutId)?.get(itemId)),
    items: (payoutId) =>
      journal.read("read the items of a payout", () => items.get(payoutId)?.all() ?? []),
    someItems: (payoutId, slice) =>
      journal.read("read some items of a payout", () => items.get(payoutId)?.slice(slice) ?? []),
    list: (filter, slice) => journal.read("list payouts", () => list(payouts, filter, slice)),
    due: ({ at, limit }) =>
      journal.read(
        "read the due payouts",
        () => payouts.due.list(everything)?.firstWhile((one) => one.toBePaidAt <= at, limit) ?? [],
      ),
    payable: ({ at, limit }) =>
      journal.read(
        "read the payable payouts",
        () =>
          payouts.payable
            .list(everything)
            ?.firstWhile(({ payableAt }) => payableAt !== null && payableAt <= at, limit) ?? [],
      ),
  }
}
