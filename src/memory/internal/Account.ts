import * as Order from "effect/Order"
import * as Semaphore from "effect/Semaphore"
import * as ListOrder from "../../pagination/ListOrder.js"
import * as Payment from "../../payouts/Payment.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import type { StoredCollaborator } from "../../ports/CollaboratorStore.js"
import type { StoredCounter } from "../../ports/CounterStore.js"
import type { DeadLetter, StoredEndpoint } from "../../ports/EndpointStore.js"
import type { InboxEntry, InboxNote } from "../../ports/InboxStore.js"
import type { StoredAnswer } from "../../ports/KeyStore.js"
import type { LinkJob } from "../../ports/LinkStore.js"
import type { StoredPass } from "../../ports/PassStore.js"
import type { PaymentPlace, StoredPayment } from "../../ports/PaymentStore.js"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import type { StoredGroup } from "../../ports/ProductGroupStore.js"
import type { ResplitBatch, ResplitRun } from "../../ports/ResplitStore.js"
import type { RecordedRefund, RecordedSale } from "../../ports/SaleStore.js"
import type { SettingsChange } from "../../ports/SettingsStore.js"
import type { Slice } from "../../ports/Slice.js"
import { AgreementTables } from "./agreementStore.js"
import { Catalogue, Links, Searches } from "./Catalogue.js"
import { EventLog } from "./eventStore.js"
import type { NotedEntry } from "./historyHashes.js"
import { Revision } from "./Revision.js"
import type { Journal } from "./Table.js"
import { everything, Index, indexOfAll, Table } from "./Table.js"

const by = <Row, Field>(order: Order.Order<Field>, field: (row: Row) => Field): Order.Order<Row> =>
  Order.mapInput(order, field)

const byRecording: Order.Order<RecordedSale> = Order.combineAll([
  by(Order.Number, ({ recordedAt }: RecordedSale) => recordedAt),
  by(Order.String, ({ orderId }: RecordedSale) => orderId),
  by(Order.Number, ({ part }: RecordedSale) => part),
])

const byStart: Order.Order<LinkJob> = Order.combine(
  by(Order.Number, ({ startedAt }: LinkJob) => startedAt),
  by(Order.String, ({ groupId }: LinkJob) => groupId),
)

/** The order of every list of payments. */
export const byClaim: Order.Order<PaymentPlace> = Order.combine(
  by(Order.Number, ({ claimedAt }: PaymentPlace) => claimedAt),
  by(Order.String, ({ id }: PaymentPlace) => id),
)

const byCreation: Order.Order<StoredAnswer> = Order.combine(
  by(Order.Number, ({ createdAt }: StoredAnswer) => createdAt),
  by(Order.String, ({ key }: StoredAnswer) => key),
)

const byNoting: Order.Order<InboxNote> = Order.combine(
  by(Order.Number, ({ at }: InboxNote) => at),
  by(Order.String, ({ key }: InboxNote) => key),
)

const latestFirst: Order.Order<SettingsChange> = Order.flip(
  by(Order.Number, ({ version }: SettingsChange) => version),
)

const byProposal: Order.Order<ResplitRun> = Order.combine(
  Order.flip(by(Order.Number, ({ proposedAt }: ResplitRun) => proposedAt)),
  by(Order.String, ({ id }: ResplitRun) => id),
)

/** A batch of a run of a re-split. */
export interface BatchOfRun extends ResplitBatch {
  readonly runId: string
}

/** The key of a batch among the batches of all runs. */
export const batchKey = ({ runId, number }: Pick<BatchOfRun, "runId" | "number">): string =>
  `${number}/${runId}`

/** The key of a part of an order in the ledger. */
export const partKey = (part: { readonly orderId: string; readonly part: number }): string =>
  `${part.part}/${part.orderId}`

const groupsOfCollaborator = () =>
  new Index<StoredGroup>(
    by(ListOrder.productGroups, ({ group }: StoredGroup) => group),
    ({ group }) => group.collaboratorId,
  )

interface StoredItem {
  /** The position of the item: later ones have larger numbers. */
  readonly place: number
  readonly item: PayoutItem
}

const byPlace: Order.Order<StoredItem> = Order.mapInput(
  Order.Number,
  ({ place }: StoredItem) => place,
)

/** The items of one payout, in the order in which they were added. */
export class PayoutItems {
  #items = new Map<string, StoredItem>()
  #nextPlace = 0
  /** Whether a rollback has restored an item at the wrong position of the map. */
  #isDisordered = false

  get(itemId: string): PayoutItem | undefined {
    return this.#items.get(itemId)?.item
  }

  all(): Array<PayoutItem> {
    return Array.from(this.#inOrder(), ({ item }) => item)
  }

  slice({ offset, limit }: Slice): Array<PayoutItem> {
    const part: Array<PayoutItem> = []
    if (offset >= this.#items.size) return part
    let place = 0
    for (const { item } of this.#inOrder()) {
      if (place >= offset) part.push(item)
      place += 1
      if (part.length === limit) break
    }
    return part
  }

  #inOrder(): Iterable<StoredItem> {
    if (this.#isDisordered) {
      const sorted = [...this.#items.values()].sort(byPlace)
      this.#items = new Map(sorted.map((placed) => [placed.item.id, placed]))
      this.#isDisordered = false
    }
    return this.#items.values()
  }

  put(journal: Journal, item: PayoutItem): void {
    const before = this.#items.get(item.id)
    const place = before?.place ?? this.#nextPlace
    this.#items.set(item.id, { place, item })
    if (before === undefined) {
      this.#nextPlace += 1
      journal.note(() => this.#items.delete(item.id))
    } else journal.note(() => this.#items.set(item.id, before))
  }

  remove(journal: Journal, itemId: string): void {
    const before = this.#items.get(itemId)
    if (before === undefined) return
    this.#items.delete(itemId)
    journal.note(() => {
      this.#items.set(itemId, before)
      this.#isDisordered = true
    })
  }
}

/** The owner of payouts (collaborator and currency) as one text. */
export const ownerOf = (owner: {
  readonly collaboratorId: string
  readonly currency: string
}): string => `${owner.currency.length}:${owner.currency}${owner.collaboratorId}`

const byTime = (timeOf: (payout: StoredPayout) => number): Order.Order<StoredPayout> =>
  Order.combine(
    Order.mapInput(Order.Number, timeOf),
    Order.mapInput(Order.String, ({ id }: StoredPayout) => id),
  )

const ofActive = (payout: StoredPayout, partition: string): string | undefined =>
  payout.status === "active" ? partition : undefined

const payable = ({ status, payableAt }: StoredPayout): string | undefined =>
  status === "pending" && payableAt !== null ? everything : undefined

/** The payouts of an account without their items, with their indexes. */
export class PayoutTable extends Table<StoredPayout> {
  readonly inOrder: Index<StoredPayout>
  readonly inOrderOfIds: Index<StoredPayout>
  readonly ofCollaborator: Index<StoredPayout>
  readonly ofStatus: Index<StoredPayout>
  readonly activeOfOwner: Index<StoredPayout>
  /** The earliest opened first. */
  readonly ofOwner: Index<StoredPayout>
  /** Active payouts, the earliest due first. */
  readonly due: Index<StoredPayout>
  /** Pending payouts, the earliest payable first. */
  readonly payable: Index<StoredPayout>

  constructor() {
    const indexes = {
      inOrder: indexOfAll<StoredPayout>(ListOrder.payouts),
      inOrderOfIds: indexOfAll<StoredPayout>(Order.mapInput(Order.String, ({ id }) => id)),
      ofCollaborator: new Index<StoredPayout>(ListOrder.payouts, (payout) => payout.collaboratorId),
      ofStatus: new Index<StoredPayout>(ListOrder.payouts, (payout) => payout.status),
      activeOfOwner: new Index<StoredPayout>(ListOrder.payouts, (payout) =>
        ofActive(payout, ownerOf(payout)),
      ),
      ofOwner: new Index(
        byTime(({ openedAt }) => openedAt),
        ownerOf,
      ),
      due: new Index(
        byTime(({ toBePaidAt }) => toBePaidAt),
        (payout) => ofActive(payout, everything),
      ),
      payable: new Index(
        byTime(({ payableAt }) => payableAt ?? 0),
        payable,
      ),
    }
    super(({ id }) => id, Object.values(indexes))
    this.inOrder = indexes.inOrder
    this.inOrderOfIds = indexes.inOrderOfIds
    this.ofCollaborator = indexes.ofCollaborator
    this.ofStatus = indexes.ofStatus
    this.activeOfOwner = indexes.activeOfOwner
    this.ofOwner = indexes.ofOwner
    this.due = indexes.due
    this.payable = indexes.payable
  }
}

/** The data of one account, with the lock for one transaction at a time. */
export class MemoryAccount {
  readonly lock: Semaphore.Semaphore = Semaphore.makeUnsafe(1)

  readonly collaboratorsInOrder = indexOfAll<StoredCollaborator>(
    by(Order.String, ({ collaborator }) => collaborator.id),
  )
  readonly collaborators = new Table<StoredCollaborator>(
    ({ collaborator }) => collaborator.id,
    [this.collaboratorsInOrder],
  )

  readonly groupsOf: Index<StoredGroup> = groupsOfCollaborator()
  readonly groups = new Table<StoredGroup>(({ group }) => group.id, [this.groupsOf])
  readonly groupsRevision = new Revision()

  readonly links = new Links()
  readonly catalogue: Catalogue = new Catalogue(this.links)
  readonly searches: Searches = new Searches(this)
  readonly runningJobs = new Index<LinkJob>(byStart, ({ status }) =>
    status === "running" ? everything : undefined,
  )
  readonly jobs = new Table<LinkJob>(({ groupId }) => groupId, [this.runningJobs])

  readonly payouts = new PayoutTable()
  readonly items = new Map<string, PayoutItems>()
  /** The entries of each payout, one for each version, from the first one on. */
  readonly histories = new Map<string, Array<NotedEntry>>()

  readonly paymentsInOrder = indexOfAll<StoredPayment>(byClaim)
  readonly paymentsOfStatus = new Index<StoredPayment>(byClaim, ({ status }) => status)
  readonly paymentsOfPayout = new Index<StoredPayment>(byClaim, ({ payoutId }) => payoutId)
  readonly paymentsOfReference = new Index<StoredPayment>(
    byClaim,
    ({ reference }) => reference ?? undefined,
  )
  /** Payments that a person may have to check. */
  readonly unsettledPayments = new Index<StoredPayment>(byClaim, (payment) =>
    Payment.isUnderWay(payment.status) || payment.contradiction !== null ? everything : undefined,
  )
  readonly payments = new Table<StoredPayment>(
    ({ id }) => id,
    [
      ...[this.paymentsInOrder, this.paymentsOfStatus, this.paymentsOfPayout],
      ...[this.paymentsOfReference, this.unsettledPayments],
    ],
  )

  readonly ledger = indexOfAll<RecordedSale>(byRecording)
  readonly partsOf = new Index<RecordedSale>(
    by(Order.Number, ({ part }) => part),
    ({ orderId }) => orderId,
  )
  readonly sales = new Table<RecordedSale>(partKey, [this.ledger, this.partsOf])
  readonly refunds = new Table<RecordedRefund>(({ id }) => id, [])

  readonly answersByTime = indexOfAll<StoredAnswer>(byCreation)
  readonly answers = new Table<StoredAnswer>(({ key }) => key, [this.answersByTime])

  readonly events = new EventLog()

  readonly endpointsInOrder = indexOfAll<StoredEndpoint>(
    by(Order.String, ({ id }: StoredEndpoint) => id),
  )
  readonly endpoints = new Table<StoredEndpoint>(({ id }) => id, [this.endpointsInOrder])
  readonly deadLettersOf = new Index<DeadLetter>(
    by(Order.Number, ({ event }: DeadLetter) => event.number),
    ({ endpointId }) => endpointId,
  )
  readonly deadLetters = new Table<DeadLetter>(
    ({ endpointId, event }) => `${event.number}/${endpointId}`,
    [this.deadLettersOf],
  )

  readonly inboxInOrder = indexOfAll<InboxEntry>(by(Order.String, ({ key }: InboxEntry) => key))
  readonly inboxWaiting = new Index<InboxEntry>(
    by(Order.String, ({ key }: InboxEntry) => key),
    ({ waitsFor }) => waitsFor ?? undefined,
  )
  readonly inbox = new Table<InboxEntry>(({ key }) => key, [this.inboxInOrder, this.inboxWaiting])
  readonly notesOfKind = new Index<InboxNote>(byNoting, ({ kind }) => kind)
  readonly notes = new Table<InboxNote>(({ key }) => key, [this.notesOfKind])

  readonly resplitsInOrder = indexOfAll<ResplitRun>(byProposal)
  readonly resplits = new Table<ResplitRun>(({ id }) => id, [this.resplitsInOrder])
  readonly batchesOfRun = new Index<BatchOfRun>(
    by(Order.Number, ({ number }: BatchOfRun) => number),
    ({ runId }) => runId,
  )
  readonly resplitBatches = new Table<BatchOfRun>(batchKey, [this.batchesOfRun])

  readonly settingsInOrder = indexOfAll<SettingsChange>(latestFirst)
  readonly settings = new Table<SettingsChange>(
    ({ version }) => String(version),
    [this.settingsInOrder],
  )

  readonly passesOf = new Index<StoredPass>(
    by(Order.String, ({ id }: StoredPass) => id),
    ({ collaboratorId }) => collaboratorId,
  )
  readonly passes = new Table<StoredPass>(({ id }) => id, [this.passesOf])

  readonly countersInOrder = indexOfAll<StoredCounter>(
    by(Order.String, ({ key }: StoredCounter) => key),
  )
  readonly counters = new Table<StoredCounter>(({ key }) => key, [this.countersInOrder])
  readonly agreements = new AgreementTables()

  /** Whether nothing is stored. */
  get isEmpty(): boolean {
    const tables = [this.collaborators, this.groups, this.catalogue, this.links, this.jobs]
    const ledgers = [this.payouts, this.payments, this.sales, this.refunds]
    const others = [
      this.answers,
      this.events,
      this.endpoints,
      this.inbox,
      this.notes,
      this.resplits,
      this.settings,
      this.passes,
      this.counters,
    ]
    const isEmpty = [...tables, ...ledgers, ...others].every(({ size }) => size === 0)
    return isEmpty && this.agreements.isEmpty
  }
}
