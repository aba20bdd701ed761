/**
 * The payouts of one collaborator in one currency, opened, closed and paid as time goes on. No account
 * depends on another, so each is brought up to date only when something happens to it.
 */
import * as HashMap from "effect/HashMap"
import type * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Collaborator } from "../Collaborator.js"
import type { BookError, PayoutBook } from "../PayoutBook.js"
import type { PayoutItem } from "../PayoutItem.js"
import * as Schedule from "../Schedule.js"
import { DuplicatePayout, UnknownCollaborator } from "./bookErrors.js"
import * as lifeCycle from "./lifeCycle.js"
import * as Slip from "./Slip.js"

/** All payouts of one collaborator in one currency. */
export interface PayoutAccount {
  readonly collaboratorId: string
  readonly currency: string
  /** When its first payout was opened: due dates are counted from there. */
  readonly firstOpenedAt: number | null
  /** How many payouts were opened. */
  readonly opened: number
  readonly activeId: string | null
  readonly pendingIds: ReadonlyArray<string>
  /** Up to when its payouts were closed and paid. */
  readonly advancedTo: number
}

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
  readonly accounts: HashMap.HashMap<string, PayoutAccount>
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
): PayoutAccount =>
  Option.getOrElse(HashMap.get(contents.accounts, keyOf(owner)), () => ({
    collaboratorId: owner.collaboratorId,
    currency: owner.currency,
    firstOpenedAt: null,
    opened: 0,
    activeId: null,
    pendingIds: [],
    advancedTo: Number.NEGATIVE_INFINITY,
  }))

export const withAccount = (book: PayoutBook, account: PayoutAccount): PayoutBook =>
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

const nextDueDate = (
  book: PayoutBook,
  { account, after }: { readonly account: PayoutAccount; readonly after: number },
): Result.Result<number, BookError> =>
  Result.flatMap(collaboratorOf(book, account.collaboratorId), (schedule) =>
    Schedule.nextDueDate(schedule, {
      openedAt: account.firstOpenedAt ?? after,
      after,
      timeZone: book.options.timeZone,
    }),
  )

/**
 * Closes the active payout when its due date has come. A total too small for the due date is too small
 * for all later ones up to `to`, because nothing happened in between: the date rolls beyond them at once.
 */
const closeDue = (book: PayoutBook, account: PayoutAccount, to: number): Recording =>
  Result.gen(function* () {
    if (account.activeId === null) return book
    const slip = namedSlip(book, account.activeId)
    if (slip.head.toBePaidAt > to) return book
    const terms = yield* collaboratorOf(book, account.collaboratorId)
    if (!lifeCycle.isPayable(slip.total, terms.payoutThreshold)) {
      return withSlip(book, Slip.due(slip, yield* nextDueDate(book, { account, after: to })))
    }
    const { timeZone } = book.options
    const closed = yield* Slip.move(slip, {
      type: "close",
      at: slip.head.toBePaidAt,
      terms,
      timeZone,
    })
    const pendingIds = [...account.pendingIds, slip.head.id]
    return withAccount(withSlip(book, closed), { ...account, activeId: null, pendingIds })
  })

/** Pays what is past its holding days; a total below 0 waits until something raises it. */
const payHeld = (book: PayoutBook, account: PayoutAccount, to: number): Recording =>
  Result.gen(function* () {
    if (account.pendingIds.length === 0) return book
    const terms = yield* collaboratorOf(book, account.collaboratorId)
    if (!terms.shouldPayAutomatically) return book
    let paid = book
    const pendingIds: Array<string> = []
    for (const id of account.pendingIds) {
      const slip = namedSlip(book, id)
      const { payableAt } = slip.head
      if (payableAt === null || payableAt > to || slip.total < 0n) {
        pendingIds.push(id)
        continue
      }
      // Had nothing stood in the way earlier, it would have been paid earlier.
      const at = Math.max(payableAt, account.advancedTo)
      paid = withSlip(paid, yield* Slip.move(slip, { type: "pay", at }))
    }
    return withAccount(paid, { ...account, pendingIds })
  })

/** Brings an account up to a time: closes what is due by then, and pays what may be paid by then. */
export const advance = (
  book: PayoutBook,
  owner: { readonly collaboratorId: string; readonly currency: string },
  to: number,
): Recording =>
  Result.gen(function* () {
    const closed = yield* closeDue(book, accountOf(book, owner), to)
    const paid = yield* payHeld(closed, accountOf(closed, owner), to)
    return withAccount(paid, { ...accountOf(paid, owner), advancedTo: to })
  })

const openPayout = (
  book: PayoutBook,
  account: PayoutAccount,
  at: number,
): Result.Result<Place, BookError> =>
  Result.gen(function* () {
    const { collaboratorId, currency } = account
    const number = account.opened + 1
    const name = book.options.payoutId ?? (() => `${collaboratorId}-${currency}-${number}`)
    const id = name({ collaboratorId, currency, number })
    if (slipOf(book, id) !== undefined) return yield* Result.fail(DuplicatePayout.of(id))
    const toBePaidAt = yield* nextDueDate(book, { account, after: at })
    const slip = Slip.open({ id, collaboratorId, currency, openedAt: at, toBePaidAt })
    const firstOpenedAt = account.firstOpenedAt ?? at
    const changed = { ...account, firstOpenedAt, opened: number, activeId: id }
    return { book: withAccount(withSlip(book, slip), changed), payoutId: id }
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
