/** What is done for requests about payouts. */
import * as Effect from "effect/Effect"
import * as Page from "../pagination/Page.js"
import type * as PageRequest from "../pagination/PageRequest.js"
import {
  ChosenItems,
  type ItemsChoice,
  type NewEntry,
  Payouts,
  type PayoutsService,
  type ViewedPayout,
} from "../service/Payouts.js"
import * as Entry from "../wire/Entry.js"
import { write as writePage } from "../wire/Page.js"
import * as Payout from "../wire/Payout.js"
import type { PayoutEndpoints } from "./Api.js"
import type { Failure } from "./ErrorBody.js"
import { InvalidRequest } from "./ErrorBody.js"
import type { HandlerCall, HandlersOf, Recall } from "./Handler.js"
import * as Query from "./Query.js"
import { mostItems, mostUnasked, usualItems } from "./Query.js"
import type * as PayoutSchemas from "./Schemas.js"

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

/** The newest items stand last: whoever added one finds it in the answer. */
const newestItems = (count: number): PageRequest.PageRequest => {
  return { page: Math.ceil(count / usualItems), perPage: usualItems }
}

const tooManyItems = (count: number): InvalidRequest =>
  InvalidRequest.of([
    {
      path: "items_page",
      value: undefined,
      message: `is needed for a payout of ${count} items: more than ${mostUnasked} are only shown by pages (items_page, and items_per_page up to ${mostItems})`,
    },
  ])

/** Which items an answer shows. */
interface Shown {
  /** `undefined`: all of them, as long as they are not too many. */
  readonly asked: PageRequest.PageRequest | undefined
  /** Whether the payout was changed for the answer. */
  readonly isChanged: boolean
}

/** The page that is shown of so many items; `undefined`: all of them. */
const pageOf = ({ asked }: Shown, count: number): PageRequest.PageRequest | undefined =>
  asked === undefined && count > mostUnasked ? newestItems(count) : asked

const choiceOf =
  (shown: Shown): ItemsChoice =>
  (count) => {
    const page = pageOf(shown, count)
    return page && { offset: (page.page - 1) * page.perPage, limit: page.perPage }
  }

/** Where the items of a page stand among all of them. */
const placeOf = (
  count: number,
  page: PageRequest.PageRequest | undefined,
  path: string,
): Pick<WholePayout, "items_meta"> => {
  if (page === undefined) return {}
  const meta = Page.meta(count, page, { path })
  return { items_meta: writePage({ data: [], meta }, (item) => item).meta }
}

/**
 * Writes a payout with the items that are asked for. Nobody asked for a page of very many: a view is refused, as
 * half a list would be taken for all of it; what was changed already is answered with the newest.
 */
const write = (call: HandlerCall, shown: Shown) =>
  Effect.fnUntraced(function* ({ payout, itemsCount, total, collaborator }: ViewedPayout) {
    const page = pageOf(shown, itemsCount)
    if (page !== shown.asked && !shown.isChanged) return yield* tooManyItems(itemsCount)
    const view = yield* Effect.fromResult(Payout.writeView(payout, collaborator, { total }))
    if (!isWhole(view)) return yield* Effect.die(`something of an item of ${payout.id} is hidden`)
    return { data: { ...view, ...placeOf(itemsCount, page, call.url) } }
  })

/** What can't be answered is refused before anything is done, and only the items that are shown are read. */
const answered = (
  call: HandlerCall,
  isChanged: boolean,
  work: Effect.Effect<ViewedPayout, Failure>,
): Effect.Effect<{ readonly data: WholePayout }, Failure> =>
  Effect.flatMap(Effect.fromResult(Query.readItemsPage(call.query)), (asked) => {
    const shown = { asked, isChanged }
    const done = Effect.provideService(work, ChosenItems, choiceOf(shown))
    return Effect.flatMap(done, write(call, shown))
  })

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
  (add: (call: HandlerCall, entry: NewEntry) => Effect.Effect<ViewedPayout, Failure>) =>
  (call: HandlerCall) =>
    answered(
      call,
      true,
      Effect.flatMap(Effect.fromResult(Entry.readRequest(call.body)), (entry) => add(call, entry)),
    )

export const make: Effect.Effect<Handlers, never, Payouts> = Effect.map(Payouts, (payouts) => ({
  list: list(payouts),
  view: (call) => answered(call, false, payouts.get(call.accountId, call.param("payout_id"))),
  addExpense: addEntry(({ accountId, param }, expense) =>
    payouts.addExpense(accountId, param("payout_id"), expense),
  ),
  addIncome: addEntry(({ accountId, param }, income) =>
    payouts.addIncome(accountId, param("payout_id"), income),
  ),
  setPaid: (call) => answered(call, true, payouts.setPaid(call.accountId, call.param("payout_id"))),
}))

/** What changing a payout answers, as the payout is now. */
export const recall: Effect.Effect<Recall, never, Payouts> = Effect.map(
  Payouts,
  (payouts) => (call, id) => answered(call, true, payouts.get(call.accountId, id)),
)
