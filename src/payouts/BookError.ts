/**
 * What can be wrong with a fact for a payout book.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { ShareKey } from "./PayoutItem.js"
import * as Schedule from "./Schedule.js"

/**
 * Two collaborators with one id.
 *
 * @since 0.1.0
 * @category errors
 */
export class DuplicateCollaborator extends Schema.TaggedError<DuplicateCollaborator>()(
  "DuplicateCollaborator",
  { collaboratorId: Schema.String, message: Schema.String },
) {
  static of(collaboratorId: string): DuplicateCollaborator {
    const message = `there are two collaborators with the id ${collaboratorId}`
    return new DuplicateCollaborator({ collaboratorId, message })
  }
}

/**
 * A fact about a collaborator that the book does not know.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownCollaborator extends Schema.TaggedError<UnknownCollaborator>()(
  "UnknownCollaborator",
  { collaboratorId: Schema.String, message: Schema.String },
) {
  static of(collaboratorId: string): UnknownCollaborator {
    const message = `there is no collaborator with the id ${collaboratorId}`
    return new UnknownCollaborator({ collaboratorId, message })
  }
}

/**
 * A refund of a share that was never recorded.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownShare extends Schema.TaggedError<UnknownShare>()("UnknownShare", {
  orderId: Schema.String,
  itemId: Schema.String,
  groupId: Schema.String,
  message: Schema.String,
}) {
  static of(share: ShareKey): UnknownShare {
    const { orderId, itemId, groupId } = share
    const message = `no share of group ${groupId} of item ${itemId} of order ${orderId} was recorded`
    return new UnknownShare({ orderId, itemId, groupId, message })
  }
}

/**
 * An event of a payout that the book does not have.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownPayout extends Schema.TaggedError<UnknownPayout>()("UnknownPayout", {
  payoutId: Schema.String,
  message: Schema.String,
}) {
  static of(payoutId: string): UnknownPayout {
    return new UnknownPayout({ payoutId, message: `there is no payout with the id ${payoutId}` })
  }
}

/**
 * A new payout with the id of another one.
 *
 * @since 0.1.0
 * @category errors
 */
export class DuplicatePayout extends Schema.TaggedError<DuplicatePayout>()("DuplicatePayout", {
  payoutId: Schema.String,
  message: Schema.String,
}) {
  static of(payoutId: string): DuplicatePayout {
    const message = `a new payout would get the id ${payoutId}, which another one has`
    return new DuplicatePayout({ payoutId, message })
  }
}

/**
 * A fact that happened before what the book has recorded already.
 *
 * @since 0.1.0
 * @category errors
 */
export class FactOutOfOrder extends Schema.TaggedError<FactOutOfOrder>()("FactOutOfOrder", {
  at: Schema.Number,
  latestAt: Schema.Number,
  message: Schema.String,
}) {
  static of(at: number, latestAt: number): FactOutOfOrder {
    const message = `a fact of ${Schedule.showTime(at)} comes too late: the book has reached ${Schedule.showTime(latestAt)}`
    return new FactOutOfOrder({ at, latestAt, message })
  }
}

/**
 * A fact whose item would get an id that an item of another kind has.
 *
 * @since 0.1.0
 * @category errors
 */
export class ItemIdTaken extends Schema.TaggedError<ItemIdTaken>()("ItemIdTaken", {
  itemId: Schema.String,
  message: Schema.String,
}) {
  static of(itemId: string): ItemIdTaken {
    return new ItemIdTaken({ itemId, message: `an item of another kind has the id ${itemId}` })
  }
}
