import { show } from "../../../internal/problems.js"
import { sameData } from "../../../internal/sameData.js"
import * as PastPayout from "../../../payouts/PastPayout.js"
import type { PayoutItem } from "../../../payouts/PayoutItem.js"
import { isSettled, table } from "../../../payouts/PayoutStatus.js"
import type { StoredPayment } from "../../../ports/PaymentStore.js"
import type { PayoutHistoryEntry, StoredPayout, WrongCopy } from "../../../ports/PayoutStore.js"
import { paymentDifferences } from "../payments/paymentAudit.js"

/**
 * What a difference is about. `payout`: the stored payout, or a history whose payout is gone. `item`: one of its items,
 * one that is missing or too many, or a copy of its values that a storage keeps beside it. `order`: the order of its
 * items. `missing entry`: its history lacks a version. `broken chain`: an entry begins with something else than the one
 * before it ended with. `wrong entry`: an entry has an outcome that its change can't have. `hash`: an entry or the one
 * before it was changed, or removed, since it was written. `payment`: the payout does not agree with its payments.
 *
 * @since 0.3.0
 * @category models
 */
export type DifferenceKind =
  | "payout"
  | "item"
  | "order"
  | "missing entry"
  | "broken chain"
  | "wrong entry"
  | "hash"
  | "payment"

/**
 * A difference between a payout and its history.
 *
 * @since 0.3.0
 * @category models
 */
export interface PayoutDifference {
  readonly payoutId: string
  readonly kind: DifferenceKind
  /** The version of the entry in which it is; `null`: in the payout or its items as they are stored. */
  readonly version: number | null
  /** What differs, such as `total`, `items[1001/1/ada].amount` or `after.status`. */
  readonly field: string
  /** The stored value; `null`: nothing. */
  readonly stored: unknown
  /** What the history makes of it; `null`: nothing. */
  readonly rebuilt: unknown
  /** All of it in words. It names amounts, so it is not for every log. */
  readonly message: string
}

/**
 * A history that begins with entries of versions before 0.6.0, which have no hash: nothing proves that they are as they
 * were written.
 *
 * @since 0.6.0
 * @category models
 */
export interface UnhashedHistory {
  readonly payoutId: string
  /** How many of its entries have no hash. */
  readonly entries: number
  /** The version of its first entry with a hash, from which on the chain holds; `null`: none has one. */
  readonly hashedSince: number | null
}

/** The fields of a payout that never change. */
const lasting = ["id", "collaboratorId", "currency", "openedAt"] as const

type FoundDifference = Pick<PayoutDifference, "kind" | "field" | "stored" | "rebuilt">

type BothValues = Pick<PayoutDifference, "stored" | "rebuilt">

const asStored = (field: string, { stored, rebuilt }: Record<keyof BothValues, string>) =>
  `${field} is stored as ${stored}, its history makes it ${rebuilt}`

const sentences: Readonly<Record<DifferenceKind, typeof asStored>> = {
  payout: asStored,
  item: asStored,
  order: asStored,
  "missing entry": (_field, { stored, rebuilt }) =>
    `version ${rebuilt} is missing, there is ${stored}`,
  "broken chain": (field, { stored, rebuilt }) =>
    `${field} is ${stored}, the entry before ended with ${rebuilt}`,
  "wrong entry": (field, { stored, rebuilt }) =>
    `${field} is ${stored}, what was done makes it ${rebuilt}`,
  hash: (field, { stored, rebuilt }) =>
    `${field} is ${stored}, the entries as they are make it ${rebuilt}`,
  payment: (field, { stored, rebuilt }) =>
    `${field} is ${stored}, the payments of the payout make it ${rebuilt}`,
}

const orNothing = (value: unknown): unknown => (value === undefined ? null : value)

const shown = (value: unknown): string => (value === null ? "nothing" : show(value))

/** A value that is not a whole number counts as 0, which then shows in the total. */
const exactly = (amount: number): bigint => (Number.isInteger(amount) ? BigInt(amount) : 0n)

const isMove = (from: StoredPayout["status"], to: StoredPayout["status"]): boolean =>
  from === to || table.some((row) => row.from === from && row.to === to)

/** Each field in which two objects differ, with its values. */
const fieldsThatDiffer = (stored: object, rebuilt: object) => {
  const names = new Set([...Object.keys(rebuilt), ...Object.keys(stored)])
  return [...names].flatMap((name) => {
    const [one, other]: [unknown, unknown] = [Reflect.get(stored, name), Reflect.get(rebuilt, name)]
    if (sameData(one, other)) return []
    return [{ name, stored: orNothing(one), rebuilt: orNothing(other) }]
  })
}

/** Rebuilds a payout from its history, entry by entry. */
export class PayoutRebuilding {
  readonly #payoutId: string
  readonly #found: Array<PayoutDifference> = []
  /** In the order in which they were added, as a map keeps them. */
  readonly #items = new Map<string, PayoutItem>()
  /** Exact, whatever has been tampered with. */
  #total = 0n
  #last: PayoutHistoryEntry | undefined
  /** The hash of the last entry that has one; `null`: none has so far. */
  #hash: string | null = null
  #withoutHash = 0
  #hashedSince: number | null = null

  constructor(payoutId: string) {
    this.#payoutId = payoutId
  }

  /** Repeats the change of the next entry. */
  take(entry: PayoutHistoryEntry): void {
    this.#checkPlace(entry)
    this.#checkChange(entry)
    for (const itemId of entry.removed) this.#remove(entry, itemId)
    for (const item of entry.put) this.#put(item)
    this.#checkOutcome(entry)
    this.#last = entry
  }

  /** The hash of the last entry that has one, which the hash of the next one covers. */
  get hash(): string | null {
    return this.#hash
  }

  /** Compares the hash of an entry with the one that the entries give; entries of old versions have none. */
  prove({ version, hash }: PayoutHistoryEntry, rebuilt: string): void {
    if (hash === null) this.#withoutHash += 1
    else this.#hashedSince ??= version
    if (hash === null && this.#hash === null) return
    const field = `history[${version}].hash`
    if (hash !== rebuilt) this.#note(version, { kind: "hash", field, stored: hash, rebuilt })
    // Continue with the stored hash, so that one wrong entry is one difference.
    this.#hash = hash ?? this.#hash
  }

  /** The entries without a hash; `undefined`: every entry has one. */
  get unhashed(): UnhashedHistory | undefined {
    const [payoutId, entries] = [this.#payoutId, this.#withoutHash]
    return entries === 0 ? undefined : { payoutId, entries, hashedSince: this.#hashedSince }
  }

  /** All differences found, with those to the stored payout and its items. */
  compare(
    stored: StoredPayout,
    items: ReadonlyArray<PayoutItem>,
    lastHash: string | null,
  ): ReadonlyArray<PayoutDifference> {
    const last = this.#last
    if (last === undefined) {
      const field = `history[${stored.version}]`
      this.#note(null, { kind: "missing entry", field, stored: null, rebuilt: stored.version })
      return this.#found
    }
    const rebuilt = { ...last.after, version: last.version, ...this.#sums() }
    for (const { name, ...values } of fieldsThatDiffer(stored, rebuilt)) {
      this.#note(null, { kind: "payout", field: name, ...values })
    }
    this.#compareItems(items)
    if (lastHash !== this.#hash) {
      const values = { stored: lastHash, rebuilt: this.#hash }
      this.#note(null, { kind: "hash", field: "lastHash", ...values })
    }
    return this.#found
  }

  /** All differences found, and that the payout itself is gone. */
  compareNothing(): ReadonlyArray<PayoutDifference> {
    const rebuilt = this.#last?.after ?? null
    this.#note(null, { kind: "payout", field: "payout", stored: null, rebuilt })
    return this.#found
  }

  /** Notes copies of an item's values, kept beside it, that differ from the item. */
  noteCopies(wrong: ReadonlyArray<WrongCopy>): void {
    for (const { itemId, place, copy, original } of wrong) {
      const values = { stored: orNothing(copy), rebuilt: orNothing(original) }
      this.#note(null, { kind: "item", field: `items[${itemId}] (${place})`, ...values })
    }
  }

  /** Notes where the payout does not agree with its payments. */
  comparePayments(stored: StoredPayout, payments: ReadonlyArray<StoredPayment>): void {
    for (const { field, ...values } of paymentDifferences(stored, payments)) {
      this.#note(null, { kind: "payment", field, ...values })
    }
  }

  #note(version: number | null, found: FoundDifference): void {
    const { kind, field, stored, rebuilt } = found
    const payoutId = this.#payoutId
    const where = version === null ? "" : `, entry ${version} of its history`
    const what = sentences[kind](field, { stored: shown(stored), rebuilt: shown(rebuilt) })
    const message = `payout ${payoutId}${where}: ${what}`
    this.#found.push({ payoutId, version, ...found, message })
  }

  #sums(): Pick<StoredPayout, "total" | "itemsCount"> {
    return { total: Number(this.#total), itemsCount: this.#items.size }
  }

  /** Whether an entry follows the one before it. */
  #checkPlace({ version, before }: PayoutHistoryEntry): void {
    const expected = (this.#last?.version ?? 0) + 1
    if (version !== expected) {
      const field = `history[${expected}]`
      this.#note(version, { kind: "missing entry", field, stored: version, rebuilt: expected })
    }
    const previous = this.#last?.after ?? null
    if (before === null || previous === null) {
      const values = { stored: before, rebuilt: previous }
      if (before !== previous)
        this.#note(version, { kind: "broken chain", field: "before", ...values })
      return
    }
    for (const { name, ...values } of fieldsThatDiffer(before, previous)) {
      this.#note(version, { kind: "broken chain", field: `before.${name}`, ...values })
    }
  }

  /** Whether a change can have been made. */
  #checkChange(entry: PayoutHistoryEntry): void {
    const { version, before, after, put, removed } = entry
    const kind = "wrong entry"
    if (before === null) return
    for (const name of lasting.filter((one) => before[one] !== after[one])) {
      const values = { stored: after[name], rebuilt: before[name] }
      this.#note(version, { kind, field: `after.${name}`, ...values })
    }
    if (!isMove(before.status, after.status)) {
      const values = { stored: after.status, rebuilt: before.status }
      this.#note(version, { kind, field: "after.status", ...values })
    }
    const changed = [...removed, ...put.map(({ id }) => id)]
    const isFixed = isSettled(before.status) || before.paymentId !== null
    const isAdded = removed.length === 0 && put.every(({ id }) => !this.#items.has(id))
    // An item that is imported later was paid with the rest of the payout.
    if (isFixed && changed.length > 0 && !(PastPayout.isPast(before) && isAdded)) {
      this.#note(version, { kind, field: "put", stored: changed, rebuilt: [] })
    }
  }

  #remove({ version }: PayoutHistoryEntry, itemId: string): void {
    const known = this.#items.get(itemId)
    if (known === undefined) {
      const field = `removed[${itemId}]`
      this.#note(version, { kind: "wrong entry", field, stored: itemId, rebuilt: null })
      return
    }
    this.#items.delete(itemId)
    this.#total -= exactly(known.amount)
  }

  #put(item: PayoutItem): void {
    this.#total += exactly(item.amount) - exactly(this.#items.get(item.id)?.amount ?? 0)
    this.#items.set(item.id, item)
  }

  /** Whether the payout in an entry is the outcome of its change. */
  #checkOutcome({ payoutId, version, after }: PayoutHistoryEntry): void {
    const id = this.#payoutId
    if (payoutId !== id) {
      const values = { stored: payoutId, rebuilt: id }
      this.#note(version, { kind: "wrong entry", field: "payoutId", ...values })
    }
    const outcome = { id, version, ...this.#sums() }
    for (const name of ["id", "version", "total", "itemsCount"] as const) {
      const values = { stored: after[name], rebuilt: outcome[name] }
      if (values.stored === values.rebuilt) continue
      this.#note(version, { kind: "wrong entry", field: `after.${name}`, ...values })
    }
  }

  #compareItems(items: ReadonlyArray<PayoutItem>): void {
    const stored = new Map(items.map((item) => [item.id, item]))
    for (const id of new Set([...this.#items.keys(), ...stored.keys()])) {
      this.#compareItem(id, stored.get(id), this.#items.get(id))
    }
    const order = items.map(({ id }) => id).filter((id) => this.#items.has(id))
    const rightOrder = [...this.#items.keys()].filter((id) => stored.has(id))
    const isWrong = (_: unknown, place: number) => order[place] !== rightOrder[place]
    const place = (order.length > rightOrder.length ? order : rightOrder).findIndex(isWrong)
    if (place === -1) return
    const values = { stored: orNothing(order[place]), rebuilt: orNothing(rightOrder[place]) }
    this.#note(null, { kind: "order", field: `items[${place}]`, ...values })
  }

  #compareItem(id: string, stored: PayoutItem | undefined, rebuilt: PayoutItem | undefined): void {
    const field = `items[${id}]`
    if (stored === undefined || rebuilt === undefined) {
      const values = { stored: orNothing(stored), rebuilt: orNothing(rebuilt) }
      this.#note(null, { kind: "item", field, ...values })
      return
    }
    for (const { name, ...values } of fieldsThatDiffer(stored, rebuilt)) {
      this.#note(null, { kind: "item", field: `${field}.${name}`, ...values })
    }
  }
}
