/**
 * The stores of a transaction in which many sales are recorded. What they have of sales, products, collaborators, payouts
 * and counters is looked up for all at once, changes of sales, payouts and counters wait here, and all of them are written
 * together. What is known is answered when it is asked for, by an effect that is over already, so that a step that asks for
 * nothing else takes no turn of the fiber.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Product } from "../../../orders/Product.js"
import type { StoredCollaborator } from "../../../ports/CollaboratorStore.js"
import type { CounterStore } from "../../../ports/CounterStore.js"
import type {
  ItemPlace,
  PayoutChange,
  PayoutOwner,
  PayoutStore,
  PlacedItem,
  StoredPayout,
} from "../../../ports/PayoutStore.js"
import type {
  NewSale,
  PostingMove,
  RecordedRefund,
  RecordedSale,
  SaleStore,
} from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { batchedAgreements, bookedAtOnce } from "../agreements/agreementBatch.js"
import { die, eventsSoFar } from "../transactions.js"
import { BatchCounters } from "./BatchCounters.js"
import { BatchItems } from "./BatchItems.js"
import { BatchOwners, isOwnerOf, type Owned, withPayout } from "./BatchOwners.js"
import { BatchPeople, type Looked } from "./BatchPeople.js"
import { BatchProducts } from "./BatchProducts.js"
import {
  type BatchedChange,
  type NewRefund,
  runsOf,
  withChanges,
  withMoved,
} from "./batchChanges.js"

const nothingOwned: Owned = { activeId: undefined, firstOpenedAt: undefined }

const nothing = Effect.succeed(undefined)

/** A transaction's stores for many sales. */
export class Batch {
  readonly stores: Stores
  readonly #inner: Stores
  #waiting: Array<BatchedChange> = []
  /** Takes back what was noted since an attempt began. */
  #undo: Array<() => void> = []
  readonly #parts = new Map<string, ReadonlyArray<RecordedSale>>()
  readonly #refunds = new Map<string, Looked<RecordedRefund>>()
  readonly #products = new BatchProducts()
  readonly #people = new BatchPeople()
  readonly #payouts = new Map<string, StoredPayout>()
  readonly #owners = new BatchOwners()
  readonly #items = new BatchItems((payoutId) => this.#opened.has(payoutId))
  /** Payouts that are opened here: which items they have is known, though not by payout once they are written. */
  readonly #opened = new Map<string, "waits" | "written">()
  readonly #counters = new BatchCounters()
  /** Whether what waits is written; it is not where it is only foreseen what a change comes to. */
  readonly #writes: boolean
  /** Set when something failed that was written already: nothing of the transaction may be kept. */
  #isBroken = false

  constructor(inner: Stores, { writes = true }: { readonly writes?: boolean } = {}) {
    this.#inner = inner
    this.#writes = writes
    this.stores = {
      ...inner,
      products: { ...inner.products, find: (ids) => this.#findProducts(ids) },
      collaborators: {
        ...inner.collaborators,
        get: (id) => Effect.mapEager(this.#findPeople([id]), ([found]) => found),
        find: (ids) => this.#findPeople(ids),
      },
      sales: this.#salesOf(inner.sales),
      payouts: this.#payoutsOf(inner.payouts),
      counters: this.#countersOf(inner.counters),
      agreements: batchedAgreements(inner.agreements, {
        askAfter: (asked) => this.#askAfter("agreements", asked),
        wait: (changes) => this.#waiting.push({ type: "agreements", changes }),
        note: (all, key, value) => this.#note(all, key, value),
      }),
    }
  }

  /**
   * Runs work, of which nothing is kept when it fails: neither its changes nor its events. What it did must not have been
   * written by then, which only questions lead to that recording a sale does not ask; otherwise nothing at all is kept.
   */
  attempt<A, E>(work: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E>> {
    return Effect.flatMap(eventsSoFar, (forgetEvents) => {
      this.#undo = []
      const undo = this.#undo
      const length = this.#waiting.length
      return Effect.map(Effect.exit(work), (exit) => {
        if (Exit.isSuccess(exit)) return exit
        forgetEvents()
        if (this.#undo !== undo) {
          this.#isBroken = true
          return exit
        }
        this.#waiting.length = length
        for (let back = undo.pop(); back !== undefined; back = undo.pop()) back()
        return exit
      })
    })
  }

  /** Looks up what is recorded of orders, and their products as far as they are known. */
  lookUpOrders(
    orderIds: ReadonlyArray<string>,
    productIds: ReadonlyArray<string>,
  ): Effect.Effect<void, StorageError> {
    return Effect.andThen(this.#findOrders(orderIds), Effect.asVoid(this.#findProducts(productIds)))
  }

  /** Looks up which refunds there are. */
  lookUpRefunds(refundIds: ReadonlyArray<string>): Effect.Effect<void, StorageError> {
    const unknown = [...new Set(refundIds)].filter((id) => !this.#refunds.has(id))
    if (unknown.length === 0) return Effect.void
    return Effect.map(this.#inner.sales.refunds(unknown), (all) => {
      for (const id of unknown) this.#refunds.set(id, { found: undefined })
      for (const found of all) this.#refunds.set(found.id, { found })
    })
  }

  /** Looks up the collaborators that there are. */
  lookUpPeople(
    ids: ReadonlyArray<string>,
  ): Effect.Effect<ReadonlyArray<StoredCollaborator>, StorageError> {
    return this.#findPeople(ids)
  }

  /** Looks up what owners of payouts have. */
  lookUpOwners(owners: ReadonlyArray<PayoutOwner>): Effect.Effect<void, StorageError> {
    const unknown = this.#owners.unknown(owners)
    if (unknown.length === 0) return Effect.void
    return Effect.map(this.#inner.payouts.ofOwners(unknown), (found) => {
      for (const [index, { collaboratorId, currency }] of unknown.entries()) {
        const { active, firstOpenedAt } = found[index] ?? {}
        const owners = this.#owners.of(currency)
        this.#undo.push(() => owners.delete(collaboratorId))
        owners.set(collaboratorId, { activeId: active?.id, firstOpenedAt })
        if (active !== undefined && !this.#payouts.has(active.id)) {
          this.#payouts.set(active.id, active)
        }
      }
      // What changes that wait have made of owners that are looked up after them.
      for (const one of this.#waiting) {
        const payout = one.type === "payout" ? one.change.payout : undefined
        if (payout !== undefined && unknown.some(isOwnerOf(payout))) this.#own(payout)
      }
    })
  }

  /** Looks up whether the active payouts of owners have items with ids. */
  lookUpItems(
    all: ReadonlyArray<{ readonly owner: PayoutOwner; readonly itemId: string }>,
  ): Effect.Effect<void, StorageError> {
    const places: Array<ItemPlace> = []
    for (const { owner, itemId } of all) {
      const payoutId = this.#owners.get(owner)?.activeId
      if (payoutId !== undefined) places.push({ payoutId, itemId })
    }
    return places.length === 0 ? Effect.void : this.lookUpPlaces(places)
  }

  /** Looks up the items at places. */
  lookUpPlaces(places: ReadonlyArray<ItemPlace>): Effect.Effect<void, StorageError> {
    return Effect.asVoid(this.#itemsAt(places))
  }

  /** Writes what waits. */
  readonly write: Effect.Effect<void, StorageError> = Effect.suspend(() => {
    if (this.#isBroken) return die("an order failed of which something was written already")
    const runs = runsOf(this.#waiting)
    const counters = this.#counters.take()
    this.#waiting = []
    this.#undo = []
    for (const id of this.#opened.keys()) this.#opened.set(id, "written")
    const { sales, payouts, agreements, counters: counting } = this.#inner
    const written = Effect.forEach(
      runs,
      Effect.fnUntraced(function* (run) {
        if (run.sales.length > 0) yield* sales.insertAll(run.sales)
        for (const refund of run.refunds) yield* sales.addRefund(refund)
        if (run.changes.length > 0) yield* payouts.storeAll(run.changes)
        if (run.agreements.length > 0) yield* agreements.book(bookedAtOnce(run.agreements))
        if (run.moved !== undefined) yield* sales.move(run.moved)
      }),
      { discard: true },
    )
    return counters.length === 0 ? written : Effect.andThen(written, counting.put(counters))
  })

  #salesOf(inner: SaleStore): SaleStore {
    return {
      ...inner,
      ofOrder: (id) => this.#partsOf(id),
      ofOrders: (ids) =>
        Effect.map(this.#findOrders(ids), () =>
          [...new Set(ids)].flatMap((id) => this.#parts.get(id) ?? []),
        ),
      insert: (sale) => Effect.sync(() => this.#record(sale)),
      insertAll: (sales) => Effect.sync(() => sales.map((sale) => this.#record(sale))),
      move: (moved) => Effect.sync(() => this.#move(moved)),
      refund: (id) => Effect.map(this.lookUpRefunds([id]), () => this.#refunds.get(id)?.found),
      addRefund: (refund) =>
        Effect.flatMap(this.#findOrders([refund.orderId]), () => this.#addRefund(refund)),
      addAdjustment: (options) =>
        this.#askAfter(
          "any",
          Effect.map(inner.addAdjustment(options), (sale) => this.#replace(sale)),
        ),
      list: (...asked) => this.#askAfter("any", inner.list(...asked)),
      sold: (times) => this.#askAfter("any", inner.sold(times)),
    }
  }

  #payoutsOf(inner: PayoutStore): PayoutStore {
    return {
      ...inner,
      get: (id) => this.#payout(id),
      active: (owner) =>
        Effect.flatMapEager(this.#ownedBy(owner), ({ activeId }) =>
          activeId === undefined ? nothing : this.#payout(activeId),
        ),
      firstOpenedAt: (owner) =>
        Effect.mapEager(this.#ownedBy(owner), ({ firstOpenedAt }) => firstOpenedAt),
      insert: ({ payout, put }) =>
        Effect.sync(() => this.#change({ payout: { ...payout, version: 0 }, put })),
      update: (change) => Effect.sync(() => this.#change(change)),
      storeAll: (changes) => Effect.sync(() => changes.map((change) => this.#change(change))),
      item: (payoutId, itemId) =>
        Effect.mapEager(this.#itemsAt([{ payoutId, itemId }]), ([found]) => found?.item),
      itemsAt: (places) => this.#itemsAt(places),
      items: (id) =>
        Effect.map(
          this.#opened.get(id) === "waits" ? Effect.succeed([]) : inner.items(id),
          (items) => withChanges(items, this.#changesOf(id)),
        ),
      list: (filter, slice) => this.#askAfter("payout", inner.list(filter, slice)),
      someItems: (id, slice) => this.#askAfter("payout", inner.someItems(id, slice)),
      entries: (options) => this.#askAfter("payout", inner.entries(options)),
      due: (options) => this.#askAfter("payout", inner.due(options)),
      payable: (options) => this.#askAfter("payout", inner.payable(options)),
      batch: (options) => this.#askAfter("payout", inner.batch(options)),
      belowZero: (options) => this.#askAfter("payout", inner.belowZero(options)),
      history: (options) => this.#askAfter("payout", inner.history(options)),
    }
  }

  #countersOf(inner: CounterStore): CounterStore {
    return {
      find: (keys) => this.#counters.find(keys, (unknown) => inner.find(unknown)),
      put: (counters) => Effect.sync(() => void this.#undo.push(this.#counters.put(counters))),
      list: (slice) => this.#askAfter("any", inner.list(slice)),
    }
  }

  /** Asks what only the storage knows, with all that waits if any change of a kind does. */
  #askAfter<A>(kind: BatchedChange["type"] | "any", asked: Effect.Effect<A, StorageError>) {
    return Effect.suspend(() => {
      const waits = this.#writes && this.#waiting.some(({ type }) => [type, "any"].includes(kind))
      return waits ? Effect.andThen(this.write, asked) : asked
    })
  }

  #partsOf(orderId: string): Effect.Effect<ReadonlyArray<RecordedSale>, StorageError> {
    const known = this.#parts.get(orderId)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.map(this.#findOrders([orderId]), () => this.#parts.get(orderId) ?? [])
  }

  #findOrders(orderIds: ReadonlyArray<string>): Effect.Effect<void, StorageError> {
    return Effect.suspend(() => {
      const unknown = [...new Set(orderIds)].filter((id) => !this.#parts.has(id))
      if (unknown.length === 0) return Effect.void
      return Effect.map(this.#inner.sales.ofOrders(unknown), (found) => {
        for (const id of unknown) this.#parts.set(id, [])
        for (const [id, parts] of Map.groupBy(found, ({ orderId }) => orderId)) {
          this.#parts.set(id, parts)
        }
      })
    })
  }

  #findProducts(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Product>, StorageError> {
    return this.#products.find(ids, (unknown) => this.#inner.products.find(unknown))
  }

  #findPeople(
    ids: ReadonlyArray<string>,
  ): Effect.Effect<ReadonlyArray<StoredCollaborator>, StorageError> {
    return this.#people.find(ids, (unknown) => this.#inner.collaborators.find(unknown))
  }

  #itemsAt(
    places: ReadonlyArray<ItemPlace>,
  ): Effect.Effect<ReadonlyArray<PlacedItem>, StorageError> {
    return this.#items.find(places, (unknown) => this.#inner.payouts.itemsAt(unknown))
  }

  #ownedBy(owner: PayoutOwner): Effect.Effect<Owned, StorageError> {
    const known = this.#owners.get(owner)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.map(this.lookUpOwners([owner]), () => this.#owners.get(owner) ?? nothingOwned)
  }

  #payout(id: string): Effect.Effect<StoredPayout | undefined, StorageError> {
    const known = this.#payouts.get(id)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.map(this.#inner.payouts.get(id), (found) => {
      if (found !== undefined) this.#payouts.set(id, found)
      return found
    })
  }

  #changesOf(payoutId: string): ReadonlyArray<PayoutChange> {
    return this.#waiting.flatMap((one) =>
      one.type === "payout" && one.change.payout.id === payoutId ? [one.change] : [],
    )
  }

  /** Notes something, so that it can be taken back. */
  #note<A>(all: Map<string, A>, key: string, value: A): void {
    const before = all.get(key)
    this.#undo.push(() => (before === undefined ? all.delete(key) : all.set(key, before)))
    all.set(key, value)
  }

  #record(sale: NewSale): RecordedSale {
    const stored = { ...sale, version: 1 }
    this.#waiting.push({ type: "sale", sale })
    this.#note(this.#parts, sale.orderId, [...(this.#parts.get(sale.orderId) ?? []), stored])
    return stored
  }

  #addRefund(refund: NewRefund): Effect.Effect<RecordedSale, StorageError> {
    const { orderId, part: number, version, postings, refund: found } = refund
    const part = this.#parts.get(orderId)?.find((one) => one.part === number)
    // Of a conflict the storage tells, so that nothing of the transaction is kept.
    if (part?.version !== version) return this.#askAfter("any", this.#inner.sales.addRefund(refund))
    this.#waiting.push({ type: "refund", refund })
    this.#note(this.#refunds, found.id, { found })
    const refunds = [...part.refunds, found]
    return Effect.succeed(this.#replace({ ...part, version: version + 1, postings, refunds }))
  }

  #replace(sale: RecordedSale): RecordedSale {
    const isSame = ({ part }: RecordedSale) => part === sale.part
    const parts = this.#parts.get(sale.orderId) ?? []
    this.#note(
      this.#parts,
      sale.orderId,
      parts.map((one) => (isSame(one) ? sale : one)),
    )
    return sale
  }

  #move(moved: PostingMove): void {
    this.#waiting.push({ type: "move", moved })
    for (const orderId of new Set(moved.items.map((item) => item.orderId))) {
      const parts = this.#parts.get(orderId)
      if (parts === undefined) continue
      this.#note(
        this.#parts,
        orderId,
        parts.map((part) => withMoved(part, moved)),
      )
    }
  }

  #change(change: PayoutChange): StoredPayout {
    const payout = { ...change.payout, version: change.payout.version + 1 }
    const { id: payoutId } = payout
    this.#waiting.push({ type: "payout", change })
    this.#note(this.#payouts, payoutId, payout)
    if (payout.version === 1) this.#note(this.#opened, payoutId, "waits")
    this.#undo.push(this.#items.change(payoutId, change))
    this.#own(payout)
    return payout
  }

  #own(payout: StoredPayout): void {
    const before = this.#owners.get(payout)
    if (before === undefined) return
    const after = withPayout(before, payout)
    if (after !== before) this.#note(this.#owners.of(payout.currency), payout.collaboratorId, after)
  }
}
