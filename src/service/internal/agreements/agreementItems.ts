/** The lines of agreements as items of payouts. */
import * as Effect from "effect/Effect"
import { type AgreementItem, agreementOf } from "../../../agreements/AgreementItem.js"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import type { Collaborator } from "../../../payouts/Collaborator.js"
import * as Lifecycle from "../../../payouts/Lifecycle.js"
import { type AgreementLine, type Entry, longestName } from "../../../payouts/PayoutItem.js"
import type { ScheduleError } from "../../../payouts/Schedule.js"
import type { BookedLine } from "../../../ports/AgreementStore.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { settleDebt } from "../payouts/debts.js"
import {
  addNewItems,
  closeOrRoll,
  type Moved,
  openOrActive,
  type Passing,
} from "../payouts/payoutCycle.js"
import { die } from "../transactions.js"

/** What booking needs to know beside the lines. */
export type BookingTerms = Omit<Passing, "collaborator">

type PaidLine = Exclude<AgreementItem, { readonly kind: "share" | "store" }>

/** A line that moves money of a collaborator; shares have items of their own. */
const isPaid = (line: AgreementItem): line is PaidLine & { readonly collaboratorId: string } =>
  line.kind !== "share" &&
  line.kind !== "store" &&
  line.collaboratorId !== null &&
  line.amount !== 0

const words = {
  override: { received: "Override", paid: "Override paid" },
  reserve: "Reserve withheld",
  release: "Reserve released",
  recoupment: "Advance recouped",
  shortfall: "Guarantee made up",
} as const

const nameOf = (line: PaidLine, orderId: string | null): string => {
  const what = line.kind === "override" ? words.override[line.side] : words[line.kind]
  const back = line.event === "refund" ? ", taken back" : ""
  const about = orderId === null ? "" : `, order ${orderId}`
  const name = `${what}${back}: ${agreementOf(line).id}${about}`
  return [...name].slice(0, longestName).join("").trim()
}

const entryOf = (
  line: PaidLine,
  {
    id,
    at,
    orderId,
  }: { readonly id: string; readonly at: number; readonly orderId: string | null },
): Entry => {
  const { kind, event, currency, amount } = line
  const [itemId, groupId] = line.kind === "shortfall" ? [null, null] : [line.itemId, line.groupId]
  const agreement: AgreementLine = {
    ...{ kind, event, agreementId: agreementOf(line).id, orderId, itemId, groupId },
  }
  return {
    ...{ kind: amount < 0 ? "expense" : "income", id, createdAt: at },
    ...{ name: nameOf(line, orderId), amount, originalAmount: amount },
    ...{ originalCurrency: currency, currencyExchangeRate: null, agreement },
  }
}

/** Lines with the items in which they are, and the payouts that changed. */
export interface BookedLines {
  readonly lines: ReadonlyArray<BookedLine>
  readonly moved: ReadonlyArray<Moved>
}

type BookingFailure = AmountOutOfRange | ScheduleError | StorageError

/** Puts items into a payout; one that no longer collects and falls below zero is set off against the active one. */
const addTo = Effect.fnUntraced(function* (
  stores: Stores,
  payout: StoredPayout,
  items: ReadonlyArray<Entry>,
  options: {
    readonly active: Effect.Effect<StoredPayout, ScheduleError | StorageError>
    readonly at: number
  },
): Effect.fn.Return<ReadonlyArray<Moved>, BookingFailure> {
  const changed = yield* addNewItems(stores, payout, items)
  yield* settleDebt(stores, changed, options)
  return items.map(({ amount }) => ({ payoutId: payout.id, amount }))
})

const ownerOf = Effect.fnUntraced(function* (
  stores: Stores,
  collaboratorId: string,
): Effect.fn.Return<Collaborator, StorageError> {
  const found = yield* stores.collaborators.get(collaboratorId)
  if (found !== undefined) return found.collaborator
  return yield* die(`the agreements of collaborator ${collaboratorId} have nobody to go to`)
})

/** The payout in which an item is now, unless nothing in it can change any more. */
const payoutOfItem = Effect.fnUntraced(function* (
  stores: Stores,
  terms: BookingTerms,
  collaborator: Collaborator,
  { itemId, currency }: { readonly itemId: string; readonly currency: string },
): Effect.fn.Return<StoredPayout | undefined, ScheduleError | StorageError> {
  const [place] = yield* stores.payouts.entries({ collaboratorId: collaborator.id, itemId })
  const found = place && (yield* stores.payouts.get(place.payoutId))
  if (found === undefined || found.currency !== currency) return undefined
  const { payout } = yield* closeOrRoll(stores, { ...terms, payout: found, collaborator })
  return Lifecycle.isFixed(payout) ? undefined : payout
})

/**
 * Puts lines into payouts, as an item each: into those in which what they take back is, as long as these can change, and
 * else into the active ones of their collaborators in their currencies.
 *
 * @param given.before - the item of a line that another one takes back
 */
export const bookLines = Effect.fnUntraced(function* (
  stores: Stores,
  terms: BookingTerms,
  lines: ReadonlyArray<AgreementItem>,
  given: {
    readonly orderId: string | null
    readonly before?: (line: AgreementItem) => string | null
  },
): Effect.fn.Return<BookedLines, BookingFailure> {
  const { at, newId } = terms
  const { orderId, before = () => null } = given
  const booked = new Map<AgreementItem, string>()
  const moved: Array<Moved> = []
  const byOwner = Map.groupBy(lines.filter(isPaid), ({ collaboratorId, currency }) =>
    JSON.stringify([collaboratorId, currency]),
  )
  for (const own of byOwner.values()) {
    const [first] = own
    if (first === undefined) continue
    const { currency } = first
    const collaborator = yield* ownerOf(stores, first.collaboratorId)
    const active = openOrActive(stores, { ...terms, collaborator, currency })
    const byPlace = Map.groupBy(own, (line) => before(line))
    for (const [itemId, some] of byPlace) {
      const entries: Array<Entry> = []
      for (const line of some) {
        const id = yield* newId
        booked.set(line, id)
        entries.push(entryOf(line, { id, at, orderId }))
      }
      const same =
        itemId === null
          ? undefined
          : yield* payoutOfItem(stores, terms, collaborator, { itemId, currency })
      moved.push(...(yield* addTo(stores, same ?? (yield* active), entries, { active, at })))
    }
  }
  return { lines: lines.map((line) => ({ line, payoutItemId: booked.get(line) ?? null })), moved }
})
