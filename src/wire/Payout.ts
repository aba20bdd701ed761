/**
 * A payout as JSON: the entry of a list, and the view with its items.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as reader from "../internal/reader.js"
import { type AmountOutOfRange, sum } from "../money/Cents.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type * as Core from "../payouts/Payout.js"
import type { SeenItem, SeenPayout } from "../payouts/Visibility.js"
import type { Unreadable } from "../Unreadable.js"
import { writeForPayout } from "./Collaborator.js"
import { type Reading, readPayout } from "./internal/payouts.js"
import { type OrderItemView, writeOrderItem } from "./internal/soldItems.js"
import type * as Schemas from "./Schemas.js"

export type { Reading } from "./internal/payouts.js"
export type { OrderItemView, SoldProductView } from "./internal/soldItems.js"

/**
 * A payout in a list. Times are Unix seconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface PayoutEntry extends Schema.Schema.Type<typeof Schemas.PayoutEntry> {}

/**
 * A payout with its items, as the account itself sees it: nothing is hidden.
 *
 * @since 0.6.0
 * @category models
 */
export interface WholePayout extends Schema.Schema.Type<typeof Schemas.WholePayout> {}

/**
 * One item of a payout. `amount` is cents of the payout's currency, negative for expenses.
 *
 * @since 0.1.0
 * @category models
 */
export interface PayoutItemView extends Omit<typeof Schemas.PayoutItem.Type, "orderItem"> {
  readonly orderItem: OrderItemView | null
}

/**
 * A payout with its items and their sum, in cents.
 *
 * @since 0.1.0
 * @category models
 */
export interface PayoutView extends PayoutEntry {
  readonly total: number
  readonly items: ReadonlyArray<PayoutItemView>
}

/**
 * Writes a payout as the entry of a list: without its items and its total.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Collaborator, Payout as CorePayout } from "apportion"
 * import { Payout } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const ada = Collaborator.make({ id: "ada", currency: "USD" })
 * const payout = CorePayout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const entry = Payout.writeEntry(payout, ada)
 * entry.status // => "active"
 * "total" in entry // => false
 * ```
 */
export const writeEntry = (
  payout: Omit<Core.Payout, "items" | "failureReason">,
  collaborator: Collaborator,
): PayoutEntry => ({
  id: payout.id,
  currency: payout.currency,
  collaborator: writeForPayout(collaborator),
  status: payout.status,
  to_be_paid_at: payout.toBePaidAt,
  paid_at: payout.paidAt,
})

const writeItem = (item: SeenItem): PayoutItemView => ({
  amount: item.amount,
  original_amount: item.originalAmount,
  original_currency: item.originalCurrency,
  currency_exchange_rate: item.currencyExchangeRate,
  is_expenses: item.kind === "expense",
  expense_name: "name" in item ? item.name : null,
  orderItem: "orderItem" in item ? writeOrderItem(item.orderItem) : null,
})

/**
 * Writes a payout with its items and its total. A payout made with `Visibility.asSeenBy` is written without its hidden
 * fields: these are absent, not null. Fails with `AmountOutOfRange` when the total is not a safe integer. If `total` is
 * given, nothing is summed: for a payout of which only some items are given.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Collaborator, Payout as CorePayout } from "apportion"
 * import { Payout } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const ada = Collaborator.make({ id: "ada", currency: "USD" })
 * const empty = CorePayout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const samples = { id: "e1", amount: 1_500, name: "Samples", at: 1_700_000_000 }
 * const payout = Result.getOrThrow(CorePayout.addExpense(empty, samples))
 * const view = Result.getOrThrow(Payout.writeView(payout, ada))
 * view.total // => -1500
 * view.items[0]?.is_expenses // => true
 * ```
 */
export const writeView = (
  payout: SeenPayout,
  collaborator: Collaborator,
  known: { readonly total?: number | undefined } = {},
): Result.Result<PayoutView, AmountOutOfRange> => {
  const amounts = payout.items.map((item) => item.amount)
  const summed =
    known.total === undefined
      ? sum(amounts, { what: `the total of payout ${payout.id}` })
      : Result.succeed(known.total)
  return Result.map(summed, (total) => ({
    ...writeEntry(payout, collaborator),
    total,
    items: payout.items.map(writeItem),
  }))
}

/**
 * Every field that a payout's JSON can have: those of the view, and two more.
 *
 * @since 0.2.0
 * @category constants
 */
export const fields: ReadonlyArray<string> = [
  ...["id", "currency", "collaborator", "status", "to_be_paid_at", "paid_at", "total", "items"],
  ...["opened_at", "failure_reason"],
]

/**
 * Every field that an item of a payout's JSON can have.
 *
 * @since 0.2.0
 * @category constants
 */
export const itemFields: ReadonlyArray<string> = [
  ...["amount", "original_amount", "original_currency", "currency_exchange_rate"],
  ...["is_expenses", "expense_name", "orderItem"],
]

/**
 * Every field that the order item of a payout's item can have.
 *
 * @since 0.2.0
 * @category constants
 */
export const orderItemFields: ReadonlyArray<string> = [
  ...["amount", "discount", "quantity", "tax_percent", "tax_name", "tax_total", "grams", "product"],
  ...["external_id", "split_at", "refunded_at", "order_id", "group_id"],
]

/**
 * Reads a payout with its items, as {@link writeView} writes it; written again, it is the same. For what the view does
 * not contain, these rules apply:
 *
 * - Items are called `<payout>/1`, `<payout>/2` … in their order.
 * - An item without an `orderItem` is an expense when `is_expenses` is true, else an income. It needs its
 *   name, and an amount below 0 for an expense, above 0 for an income.
 * - An item with an `orderItem` is a refund when it has `refunded_at` and the opposite sign of what was sold; otherwise
 *   it is a sale. The order is `order_id`, or `external_id` without one; the group is `group_id`, or empty.
 * - The payout was opened at `opened_at`, or at its earliest sale, or when it is to be paid. When it is
 *   `pending`, `paid` or `failed` it was closed when it was to be paid, and could be paid then.
 * - It failed for its `failure_reason`, or for one `unknown`.
 *
 * `collaborator` is an id, or the object. `total` may be absent; when it is there, it must be the sum of
 * the items. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @param options.path - the payout's path in a larger input, for the paths of problems
 * @param options.collaborators - those who are known, by id: another id is a problem, and they count more
 *   than an object in the payout, which does not say everything about its collaborator
 * @since 0.2.0
 * @category decoding
 * @example
 * ```ts
 * import { Payout } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const reading = Payout.read({
 *   id: "p1",
 *   currency: "USD",
 *   collaborator: "ada",
 *   status: "active",
 *   to_be_paid_at: 1_702_598_400,
 *   paid_at: null,
 *   items: [{ amount: -1_500, is_expenses: true, expense_name: "Samples", orderItem: null }],
 * })
 * const { payout } = Result.getOrThrow(reading)
 * payout.collaboratorId // => "ada"
 * payout.items.map(({ id, kind }) => `${id}: ${kind}`) // => ["p1/1: expense"]
 * ```
 */
export const read = (
  input: unknown,
  options: {
    readonly path?: string | undefined
    readonly collaborators?: ReadonlyMap<string, Collaborator> | undefined
  } = {},
): Result.Result<Reading, Unreadable> =>
  reader.read(input, {
    what: "payout",
    path: options.path,
    read: (node) => readPayout(node, options.collaborators),
  })
