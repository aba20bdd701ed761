import * as Order from "effect/Order"
import * as Semaphore from "effect/Semaphore"
import * as ListOrder from "../../pagination/ListOrder.js"
import type { StoredCollaborator } from "../../ports/CollaboratorStore.js"
import type { StoredAnswer } from "../../ports/KeyStore.js"
import type { LinkJob } from "../../ports/LinkStore.js"
import type { PayoutHistoryEntry } from "../../ports/PayoutStore.js"
import type { StoredGroup } from "../../ports/ProductGroupStore.js"
import type { RecordedRefund, RecordedSale } from "../../ports/SaleStore.js"
import { Catalogue, Links, Searches } from "./Catalogue.js"
import type { PayoutItems } from "./payoutStore.js"
import { PayoutTable } from "./payoutStore.js"
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

const byCreation: Order.Order<StoredAnswer> = Order.combine(
  by(Order.Number, ({ createdAt }: StoredAnswer) => createdAt),
  by(Order.String, ({ key }: StoredAnswer) => key),
)

/** The name of a part of an order in the ledger. */
export const partKey = (part: { readonly orderId: string; readonly part: number }): string =>
  `${part.part}/${part.orderId}`

const groupsOfCollaborator = () =>
  new Index<StoredGroup>(
    by(ListOrder.productGroups, ({ group }: StoredGroup) => group),
    ({ group }) => group.collaboratorId,
  )

/** Everything of one account, with the lock that lets one transaction in at a time. */
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
  groupsRevision = 0
  /** Never the same twice, also when a transaction is taken back. */
  nextRevision = 1

  readonly links = new Links()
  readonly catalogue: Catalogue = new Catalogue(this.links)
  readonly searches: Searches = new Searches(this)
  readonly runningJobs = new Index<LinkJob>(byStart, ({ status }) =>
    status === "running" ? everything : undefined,
  )
  readonly jobs = new Table<LinkJob>(({ groupId }) => groupId, [this.runningJobs])

  readonly payouts = new PayoutTable()
  readonly items = new Map<string, PayoutItems>()
  /** Of each payout, an entry for each of its versions, from the first one on. */
  readonly histories = new Map<string, Array<PayoutHistoryEntry>>()

  readonly ledger = indexOfAll<RecordedSale>(byRecording)
  readonly partsOf = new Index<RecordedSale>(
    by(Order.Number, ({ part }) => part),
    ({ orderId }) => orderId,
  )
  readonly sales = new Table<RecordedSale>(partKey, [this.ledger, this.partsOf])
  readonly refunds = new Table<RecordedRefund>(({ id }) => id, [])

  readonly answersByTime = indexOfAll<StoredAnswer>(byCreation)
  readonly answers = new Table<StoredAnswer>(({ key }) => key, [this.answersByTime])

  /** Whether nothing is stored. */
  get isEmpty(): boolean {
    const tables = [this.collaborators, this.groups, this.catalogue, this.links, this.jobs]
    const ledgers = [this.payouts, this.sales, this.refunds, this.answers]
    return [...tables, ...ledgers].every(({ size }) => size === 0)
  }
}
