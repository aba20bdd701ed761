import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { show, summarize } from "../../internal/problems.js"
import * as Payout from "../../payouts/Payout.js"
import * as PayoutItem from "../../payouts/PayoutItem.js"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { NewEntry, PayoutsService } from "../Payouts.js"
import type { SettingsService } from "../Settings.js"
import { now } from "./now.js"
import { addItems, removeItem, upToDate } from "./payoutCycle.js"
import { needPayout, ownerOf, viewOf } from "./payoutViews.js"
import { die, logChange, type Transactor } from "./transactions.js"

// Adding expenses and incomes to payouts, and removing them.

/** What changes of payouts need. */
export interface PayoutTools extends Transactor {
  readonly settings: SettingsService
  readonly newId: Effect.Effect<string>
}

const kinds = {
  expense: { span: "Payouts.addExpense", make: PayoutItem.expense, change: "expense added" },
  income: { span: "Payouts.addIncome", make: PayoutItem.income, change: "income added" },
} as const

/** Stands for the currency until the payout is known: ISO 4217 has it for "no currency". */
const noCurrency = "XXX"

/** How `PayoutItem.keyOf` names shares, and how what refunds take back of them is named. */
const shareKey = /^[^/]*\/[^/]*\/[^/]*(\/refund\/\d+)?$/

const invalidId = (id: string, message: string): PayoutItem.InvalidEntry => {
  const problems = [{ path: "id", value: id, message }]
  return new PayoutItem.InvalidEntry({ problems, message: summarize(problems) })
}

/** An id that a share could get is refused now, so that no sale is ever refused because of it. */
const checkId = (
  item: PayoutItem.Entry,
): Result.Result<PayoutItem.Entry, PayoutItem.InvalidEntry> =>
  shareKey.test(item.id)
    ? Result.fail(
        invalidId(
          item.id,
          `must not look like order/item/group, as shares do, got ${show(item.id)}`,
        ),
      )
    : Result.succeed(item)

const isSameEntry = (a: PayoutItem.PayoutItem | undefined, b: PayoutItem.Entry): boolean =>
  a?.kind === b.kind && a.amount === b.amount && a.name === b.name

const asPayout = (
  payout: StoredPayout,
  item: PayoutItem.PayoutItem | undefined,
): Payout.Payout => ({ ...payout, items: item === undefined ? [] : [item] })

/** Whether the core lets the item in. The one of its id is all that the rule has to see. */
const checkAdding = (
  payout: StoredPayout,
  {
    known,
    item,
  }: { readonly known: PayoutItem.PayoutItem | undefined; readonly item: PayoutItem.Entry },
): Result.Result<Payout.Payout, Payout.PayoutAlreadyPaid | PayoutItem.InvalidEntry> =>
  Result.mapError(Payout.addItems(asPayout(payout, known), [item]), (error) =>
    error._tag === "PayoutAlreadyPaid"
      ? error
      : invalidId(item.id, `must be new, or that of the same entry: ${error.message}`),
  )

/** The payout, closed or rolled before when it is due: what is done now comes after its due date. */
const broughtUp = Effect.fnUntraced(function* (
  { settings }: PayoutTools,
  stores: Stores,
  options: { readonly payout: StoredPayout; readonly accountId: string; readonly at: number },
): Effect.fn.Return<StoredPayout, StorageError> {
  const { payout, accountId, at } = options
  if (payout.status !== "active" || payout.toBePaidAt > at) return payout
  const collaborator = yield* ownerOf(stores, payout)
  const { timeZone } = yield* settings.of(accountId)
  return yield* upToDate(stores, { payout, collaborator, timeZone, at })
})

/** `Payouts.addExpense` and `Payouts.addIncome` */
export const addEntry = (
  tools: PayoutTools,
  kind: PayoutItem.Entry["kind"],
): PayoutsService["addExpense"] => {
  const { span, make, change } = kinds[kind]
  return Effect.fn(span)(function* (accountId: string, payoutId: string, entry: NewEntry) {
    const id = entry.id ?? (yield* tools.newId)
    yield* Effect.annotateCurrentSpan({ accountId, payoutId, itemId: id })
    const at = yield* now
    const input = { id, amount: entry.amount, name: entry.name, at }
    const made = Result.flatMap(make(input, { currency: noCurrency }), checkId)
    const item = yield* Effect.fromResult(made)
    return yield* tools.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const found = yield* needPayout(stores, payoutId)
        const known = yield* stores.payouts.item(payoutId, id)
        if (isSameEntry(known, item)) return yield* viewOf(stores, found)
        yield* Effect.fromResult(checkAdding(found, { known, item }))
        const payout = yield* broughtUp(tools, stores, { payout: found, accountId, at })
        const added = { ...item, originalCurrency: payout.currency }
        const changed = yield* addItems(stores, payout, [added])
        yield* logChange(change, { payoutId, itemId: id })
        return yield* viewOf(stores, changed)
      }),
    )
  })
}

/** `Payouts.removeEntry` */
export const removeEntry = (tools: PayoutTools): PayoutsService["removeEntry"] =>
  Effect.fn("Payouts.removeEntry")(function* (accountId: string, payoutId: string, itemId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId, itemId })
    const at = yield* now
    return yield* tools.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const found = yield* needPayout(stores, payoutId)
        const item = yield* stores.payouts.item(payoutId, itemId)
        yield* Effect.fromResult(Payout.removeItem(asPayout(found, item), itemId))
        if (item === undefined) return yield* die(`item ${itemId} is not there`)
        const payout = yield* broughtUp(tools, stores, { payout: found, accountId, at })
        const changed = yield* removeItem(stores, payout, item)
        yield* logChange("entry removed", { payoutId, itemId })
        return yield* viewOf(stores, changed)
      }),
    )
  })
