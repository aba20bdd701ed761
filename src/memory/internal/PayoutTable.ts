import * as Order from "effect/Order"
import * as ListOrder from "../../pagination/ListOrder.js"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import { everything, Index, indexOfAll, Table } from "./Table.js"

/** Whose payouts of which currency, as one text. */
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

/** The payouts of an account without their items, with the ways in which they are looked for. */
export class PayoutTable extends Table<StoredPayout> {
  readonly inOrder: Index<StoredPayout>
  readonly inOrderOfIds: Index<StoredPayout>
  readonly ofCollaborator: Index<StoredPayout>
  readonly ofStatus: Index<StoredPayout>
  readonly activeOfOwner: Index<StoredPayout>
  /** The earliest opened first. */
  readonly ofOwner: Index<StoredPayout>
  /** Active ones, the earliest due first. */
  readonly due: Index<StoredPayout>
  /** Pending ones, the earliest payable first. */
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
