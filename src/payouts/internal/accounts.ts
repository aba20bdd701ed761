import * as HashMap from "effect/HashMap"
import type * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Collaborator } from "../Collaborator.js"
import type * as Payout from "../Payout.js"
import type { Counted } from "../PayoutAccount.js"
import * as PayoutAccount from "../PayoutAccount.js"
import type { BookError, PayoutBook } from "../PayoutBook.js"
import type { PayoutItem, ShareKey } from "../PayoutItem.js"
import * as Schedule from "../Schedule.js"

// What can be wrong with a fact for a payout book.

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

// A payout as the payout book keeps it: its items found by id, its total kept as they come and go.

interface PositionedItem {
  /** The items' order: that in which they came. */
  readonly position: number
  readonly item: PayoutItem
}

export interface KeptPayout extends Counted {
  readonly items: HashMap.HashMap<string, PositionedItem>
}

export const open = (head: KeptPayout["head"]): KeptPayout => ({
  head,
  items: HashMap.empty(),
  total: 0n,
})

/** Puts an item in, or in the place of the one with its id. */
export const putShare = (slip: KeptPayout, item: PayoutItem): KeptPayout => {
  const earlier = Option.getOrUndefined(HashMap.get(slip.items, item.id))
  const position = earlier?.position ?? HashMap.size(slip.items)
  return {
    head: slip.head,
    items: HashMap.set(slip.items, item.id, { position, item }),
    total: slip.total + BigInt(item.amount) - BigInt(earlier?.item.amount ?? 0),
  }
}

/** The item with an id that the slip has. */
export const find = (slip: KeptPayout, itemId: string): PayoutItem =>
  HashMap.getUnsafe(slip.items, itemId).item

export const toPayout = ({ head, items }: KeptPayout): Payout.Payout => ({
  ...head,
  items: HashMap.toValues(items)
    .sort((a, b) => a.position - b.position)
    .map(({ item }) => item),
})

// The accounts of a payout book, and the payouts in them. No account depends on another, so each is brought
// up to date only when something happens to it.

/** Where an item is. */
export interface Recorded {
  readonly payoutId: string
  /** What was taken back of a sale since its payout was settled, in the original currency. */
  readonly reversed: number
  /** How many items took back something of a sale. */
  readonly refunds: number
}

export interface Contents {
  readonly collaborators: HashMap.HashMap<string, Collaborator>
  readonly accounts: HashMap.HashMap<string, PayoutAccount.PayoutAccount>
  readonly slips: HashMap.HashMap<string, KeptPayout>
  /** By the ids of items. */
  readonly recorded: HashMap.HashMap<string, Recorded>
  readonly refundIds: HashSet.HashSet<string>
}

type BookResult = Result.Result<PayoutBook, BookError>

/** A book, and one of its payouts. */
interface BookedPayout {
  readonly book: PayoutBook
  readonly payoutId: string
}

export const withContents = (book: PayoutBook, changes: Partial<Contents>): PayoutBook => ({
  ...book,
  contents: { ...book.contents, ...changes },
})

export const withSlip = (book: PayoutBook, slip: KeptPayout): PayoutBook =>
  withContents(book, { slips: HashMap.set(book.contents.slips, slip.head.id, slip) })

export const slipOf = ({ contents }: PayoutBook, payoutId: string): KeptPayout | undefined =>
  Option.getOrUndefined(HashMap.get(contents.slips, payoutId))

/** A payout that the book itself named. */
export const namedSlip = ({ contents }: PayoutBook, payoutId: string): KeptPayout =>
  HashMap.getUnsafe(contents.slips, payoutId)

/** A currency has no space in it, so no two accounts have the same key. */
export const keyOf = (account: {
  readonly collaboratorId: string
  readonly currency: string
}): string => `${account.currency} ${account.collaboratorId}`

const accountOf = (
  { contents }: PayoutBook,
  owner: { readonly collaboratorId: string; readonly currency: string },
): PayoutAccount.PayoutAccount =>
  Option.getOrElse(HashMap.get(contents.accounts, keyOf(owner)), () => PayoutAccount.empty(owner))

const withAccount = (book: PayoutBook, account: PayoutAccount.PayoutAccount): PayoutBook =>
  withContents(book, {
    accounts: HashMap.set(book.contents.accounts, keyOf(account), account),
  })

export const collaboratorOf = (
  book: PayoutBook,
  collaboratorId: string,
): Result.Result<Collaborator, UnknownCollaborator> =>
  Result.fromOption(HashMap.get(book.contents.collaborators, collaboratorId), () =>
    UnknownCollaborator.of(collaboratorId),
  )

const withMoved = (book: PayoutBook, { account, changed }: PayoutAccount.Moved<KeptPayout>) =>
  withAccount(changed.reduce(withSlip, book), account)

/** Brings an account up to a time: closes what is due by then, and pays what may be paid by then. */
export const advance = (
  book: PayoutBook,
  owner: { readonly collaboratorId: string; readonly currency: string },
  to: number,
): BookResult =>
  Result.gen(function* () {
    const collaborator = yield* collaboratorOf(book, owner.collaboratorId)
    const { timeZone } = book.options
    const find = (payoutId: string) => namedSlip(book, payoutId)
    const options = { to, find, collaborator, timeZone }
    return withMoved(book, yield* PayoutAccount.advance(accountOf(book, owner), options))
  })

const openPayout = (
  book: PayoutBook,
  account: PayoutAccount.PayoutAccount,
  at: number,
): Result.Result<BookedPayout, BookError> =>
  Result.gen(function* () {
    const { collaboratorId, currency } = account
    const collaborator = yield* collaboratorOf(book, collaboratorId)
    const number = account.opened + 1
    const name = book.options.payoutId ?? PayoutAccount.payoutId
    const id = name({ collaboratorId, currency, number })
    if (slipOf(book, id) !== undefined) return yield* Result.fail(DuplicatePayout.of(id))
    const { timeZone } = book.options
    const opened = yield* PayoutAccount.open(account, { id, at, collaborator, timeZone })
    const changed = [open(opened.payout)]
    return { book: withMoved(book, { account: opened.account, changed }), payoutId: id }
  })

/** Puts an item into the active payout of an account that is up to date, and opens one if there is none. */
export const put = (
  book: PayoutBook,
  owner: { readonly collaboratorId: string; readonly currency: string },
  { item, at }: { readonly item: PayoutItem; readonly at: number },
): Result.Result<BookedPayout, BookError> =>
  Result.gen(function* () {
    const account = accountOf(book, owner)
    const place =
      account.activeId === null
        ? yield* openPayout(book, account, at)
        : { book, payoutId: account.activeId }
    const slip = putShare(namedSlip(place.book, place.payoutId), item)
    return { ...place, book: withSlip(place.book, slip) }
  })

/** The item with an id, and where it is. */
export const itemOf = (
  book: PayoutBook,
  itemId: string,
): (Recorded & { readonly item: PayoutItem; readonly slip: KeptPayout }) | undefined => {
  const recorded = Option.getOrUndefined(HashMap.get(book.contents.recorded, itemId))
  if (recorded === undefined) return undefined
  const slip = namedSlip(book, recorded.payoutId)
  return { ...recorded, slip, item: find(slip, itemId) }
}

/** Sees to it that a payout which was moved by hand is pending in its account or not; active it is no more. */
export const settleIn = (book: PayoutBook, slip: KeptPayout): PayoutBook => {
  const { id, status } = slip.head
  const account = accountOf(book, slip.head)
  const others = account.pendingIds.filter((pending) => pending !== id)
  return withAccount(withSlip(book, slip), {
    ...account,
    activeId: account.activeId === id ? null : account.activeId,
    pendingIds: status === "pending" ? [...others, id] : others,
  })
}
