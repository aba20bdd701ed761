/**
 * What can be wrong with a fact for a payout book.
 *
 * @since 0.1.0
 */
import { show } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import type * as PayoutItem from "./PayoutItem.js"
import type * as PayoutStatus from "./PayoutStatus.js"
import * as Schedule from "./Schedule.js"

/**
 * Two collaborators with one id.
 *
 * @since 0.1.0
 * @category errors
 */
export class DuplicateCollaborator extends TaggedError("DuplicateCollaborator")<{
  readonly collaboratorId: string
  readonly message: string
}> {
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
export class UnknownCollaborator extends TaggedError("UnknownCollaborator")<{
  readonly collaboratorId: string
  readonly message: string
}> {
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
export class UnknownShare extends TaggedError("UnknownShare")<{
  readonly orderId: string
  readonly itemId: string
  readonly groupId: string
  readonly message: string
}> {
  static of(share: PayoutItem.ShareKey): UnknownShare {
    const { orderId, itemId, groupId, runId } = share
    const what = runId === undefined ? "share" : `adjustment of run ${runId}`
    const message = `no ${what} of group ${groupId} of item ${itemId} of order ${orderId} was recorded`
    return new UnknownShare({ orderId, itemId, groupId, message })
  }
}

/**
 * An event of a payout that the book does not have.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownPayout extends TaggedError("UnknownPayout")<{
  readonly payoutId: string
  readonly message: string
}> {
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
export class DuplicatePayout extends TaggedError("DuplicatePayout")<{
  readonly payoutId: string
  readonly message: string
}> {
  static of(payoutId: string): DuplicatePayout {
    const message = `a new payout would get the id ${payoutId}, which another one has`
    return new DuplicatePayout({ payoutId, message })
  }
}

/**
 * A fact with a time before the latest recorded fact.
 *
 * @since 0.1.0
 * @category errors
 */
export class FactOutOfOrder extends TaggedError("FactOutOfOrder")<{
  readonly at: number
  readonly latestAt: number
  readonly message: string
}> {
  static of(at: number, latestAt: number): FactOutOfOrder {
    const message = `a fact of ${Schedule.showTime(at)} comes too late: the book has reached ${Schedule.showTime(latestAt)}`
    return new FactOutOfOrder({ at, latestAt, message })
  }
}

/**
 * A fact of a type that there is not.
 *
 * @since 0.6.0
 * @category errors
 */
export class UnknownFact extends TaggedError("UnknownFact")<{
  /** The type as it was given. */
  readonly type: unknown
  readonly message: string
}> {
  static of(type: unknown): UnknownFact {
    return new UnknownFact({ type, message: `type: there is no fact of the type ${show(type)}` })
  }
}

/**
 * A fact whose item would get the id of an item of another kind.
 *
 * @since 0.1.0
 * @category errors
 */
export class ItemIdTaken extends TaggedError("ItemIdTaken")<{
  readonly itemId: string
  readonly message: string
}> {
  static of(itemId: string): ItemIdTaken {
    return new ItemIdTaken({ itemId, message: `an item of another kind has the id ${itemId}` })
  }
}

/**
 * Why a fact could not be recorded.
 *
 * @since 0.1.0
 * @category errors
 */
export type BookError =
  | DuplicatePayout
  | FactOutOfOrder
  | ItemIdTaken
  | UnknownCollaborator
  | UnknownFact
  | UnknownPayout
  | UnknownShare
  | PayoutItem.InvalidEntry
  | PayoutItem.MissingExchangeRate
  | PayoutItem.RefundBeyondShare
  | PayoutItem.UnknownOrderItem
  | PayoutItem.ConversionError
  | PayoutStatus.TransitionError
