/** What is done for requests about payouts. */
import * as Effect from "effect/Effect"
import type { AmountOutOfRange } from "../money/Cents.js"
import * as Page from "../pagination/Page.js"
import {
  type NewEntry,
  Payouts,
  type PayoutsService,
  type ViewedPayout,
} from "../service/Payouts.js"
import * as Entry from "../wire/Entry.js"
import { write as writePage } from "../wire/Page.js"
import * as Payout from "../wire/Payout.js"
import type { PayoutEndpoints } from "./Api.js"
import type { Call } from "./Call.js"
import type { Failure } from "./Failure.js"
import type { HandlersOf } from "./Handler.js"
import type * as PayoutSchemas from "./PayoutSchemas.js"
import * as Query from "./Query.js"

type Handlers = HandlersOf<typeof PayoutEndpoints>
type WholePayout = typeof PayoutSchemas.ViewedPayout.Type

const isWholeItem = ({ orderItem }: Payout.PayoutItemView): boolean =>
  orderItem === null ||
  (orderItem.amount !== undefined &&
    orderItem.discount !== undefined &&
    orderItem.quantity !== undefined &&
    orderItem.tax_percent !== undefined &&
    orderItem.tax_name !== undefined &&
    orderItem.tax_total !== undefined &&
    orderItem.product.price !== undefined &&
    orderItem.product.cost !== undefined &&
    orderItem.product.inventory_quantity !== undefined)

/** The account itself sees everything: nothing is left out as it is for collaborators. */
const isWhole = (view: Payout.PayoutView): view is Payout.PayoutView & WholePayout =>
  view.items.every(isWholeItem)

const write = ({
  payout,
  collaborator,
}: ViewedPayout): Effect.Effect<{ readonly data: WholePayout }, AmountOutOfRange> =>
  Effect.flatMap(Effect.fromResult(Payout.writeView(payout, collaborator)), (view) =>
    isWhole(view)
      ? Effect.succeed({ data: view })
      : Effect.die(`payout ${payout.id} has an item of which something is hidden`),
  )

const list = (payouts: PayoutsService): Handlers["list"] =>
  Effect.fnUntraced(function* (call) {
    const { filter, page } = yield* Effect.fromResult(Query.readPayouts(call.query))
    const { entries, total } = yield* payouts.list(call.accountId, filter, page)
    const meta = Page.meta(total, page, { path: call.url })
    return writePage({ data: entries, meta }, ({ payout, collaborator }) =>
      Payout.writeEntry(payout, collaborator),
    )
  })

const addEntry =
  (add: (call: Call, entry: NewEntry) => Effect.Effect<ViewedPayout, Failure>) =>
  (call: Call): Effect.Effect<{ readonly data: WholePayout }, Failure> =>
    Effect.fromResult(Entry.readRequest(call.body)).pipe(
      Effect.flatMap((entry) => add(call, entry)),
      Effect.flatMap(write),
    )

export const make: Effect.Effect<Handlers, never, Payouts> = Effect.map(Payouts, (payouts) => ({
  list: list(payouts),
  view: ({ accountId, param }) => Effect.flatMap(payouts.get(accountId, param("payout_id")), write),
  addExpense: addEntry(({ accountId, param }, expense) =>
    payouts.addExpense(accountId, param("payout_id"), expense),
  ),
  addIncome: addEntry(({ accountId, param }, income) =>
    payouts.addIncome(accountId, param("payout_id"), income),
  ),
  setPaid: ({ accountId, param }) =>
    Effect.flatMap(payouts.setPaid(accountId, param("payout_id")), write),
}))
