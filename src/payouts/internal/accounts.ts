/**
 * The accounts of a payout book, and the payouts in them. No account depends on another, so each is brought
 * up to date only when something happens to it.
 */
import * as HashMap from "effect/HashMap"
import type * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Collaborator } from "../Collaborator.js"
import * as PayoutAccount from "../PayoutAccount.js"
import type { BookError, PayoutBook } from "../PayoutBook.js"
import type { PayoutItem } from "../PayoutItem.js"
import { DuplicatePayout, UnknownCollaborator } from "./bookErrors.js"
import * as Slip from "./Slip.js"

/** Where an item is. */
export interface Recorded {
  readonly payoutId: string
  /** What was taken back of a sale since its payout was settled, in the original currency. */
  readonly takenBack: number
  /** How many items took back something of a sale. */
  readonly refunds: number
}

export interface Contents {
  readonly collaborators: HashMap.HashMap<string, Collaborator>
  readonly accounts: HashMap.HashMap<string, PayoutAccount.PayoutAccount>
  readonly slips: HashMap.HashMap<string, Slip.Slip>
  /** By the ids of items. */
  readonly recorded: HashMap.HashMap<string, Recorded>
  readonly refundIds: HashSet.HashSet<string>
}

type Recording = Result.Result<PayoutBook, BookError>

/** A book, and one of its payouts. */
interface Place {
  readonly book: PayoutBook
  readonly payoutId: string
}

export const withContents = (book: PayoutBook, changes: Partial<Contents>): PayoutBook => ({
  ...book,
  contents: { ...book.contents, ...changes },
})

export const withSlip = (book: PayoutBook, slip: Slip.Slip): PayoutBook =>
  withContents(book, { slips: HashMap.set(book.contents.slips, slip.head.id, slip) })

export const slipOf = ({ contents }: PayoutBook, payoutId: string): Slip.Slip | undefined =>
  Option.getOrUndefined(HashMap.get(contents.slips, payoutId))

/** A payout that the book itself named. */
export const namedSlip = ({ contents }: PayoutBook, payoutId: string): Slip.Slip =>
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

const withMoved = (book: PayoutBook, { account, changed }: PayoutAccount.Moved<Slip.Slip>) =>
  withAccount(changed.reduce(withSlip, book), account)

/** Brings an account up to a time: closes what is due by then, and pays what may be paid by then. */
export const advance = (
  book: PayoutBook,
  owner: { readonly collaboratorId: string; readonly currency: string },
  to: number,
): Recording =>
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
): Result.Result<Place, BookError> =>
  Result.gen(function* () {
    const { collaboratorId, currency } = account
    const collaborator = yield* collaboratorOf(book, collaboratorId)
    const number = account.opened + 1
    const name = book.options.payoutId ?? PayoutAccount.payoutId
    const id = name({ collaboratorId, currency, number })
    if (slipOf(book, id) !== undefined) return yield* Result.fail(DuplicatePayout.of(id))
    const { timeZone } = book.options
    const opened = yield* PayoutAccount.open(account, { id, at, collaborator, timeZone })
    const changed = [Slip.open(opened.payout)]
    return { book: withMoved(book, { account: opened.account, changed }), payoutId: id }
  })

/** Puts an item into the active payout of an account that is up to date, and opens one if there is none. */
export const put = (
  book: PayoutBook,
  owner: { readonly collaboratorId: string; readonly currency: string },
  { item, at }: { readonly item: PayoutItem; readonly at: number },
): Result.Result<Place, BookError> =>
  Result.gen(function* () {
    const account = accountOf(book, owner)
    const place =
      account.activeId === null
        ? yield* openPayout(book, account, at)
        : { book, payoutId: account.activeId }
    const slip = Slip.put(namedSlip(place.book, place.payoutId), item)
    return { ...place, book: withSlip(place.book, slip) }
  })

/** The item with an id, and where it is. */
export const itemOf = (
  book: PayoutBook,
  itemId: string,
): (Recorded & { readonly item: PayoutItem; readonly slip: Slip.Slip }) | undefined => {
  const recorded = Option.getOrUndefined(HashMap.get(book.contents.recorded, itemId))
  if (recorded === undefined) return undefined
  const slip = namedSlip(book, recorded.payoutId)
  return { ...recorded, slip, item: Slip.find(slip, itemId) }
}

/** Sees to it that a payout which was moved by hand is pending in its account or not; active it is no more. */
export const settleIn = (book: PayoutBook, slip: Slip.Slip): PayoutBook => {
  const { id, status } = slip.head
  const account = accountOf(book, slip.head)
  const others = account.pendingIds.filter((pending) => pending !== id)
  return withAccount(withSlip(book, slip), {
    ...account,
    activeId: account.activeId === id ? null : account.activeId,
    pendingIds: status === "pending" ? [...others, id] : others,
  })
}
