/** Handling requests about payouts. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Result from "effect/Result"
import * as Page from "../pagination/Page.js"
import type * as PageRequest from "../pagination/PageRequest.js"
import {
  ChosenItems,
  type ItemsChoice,
  Payouts,
  type PayoutsService,
  type ViewedPayout,
} from "../service/Payouts.js"
import type { Unreadable } from "../Unreadable.js"
import * as Entry from "../wire/Entry.js"
import { write as writePage } from "../wire/Page.js"
import * as Payment from "../wire/Payment.js"
import * as Payout from "../wire/Payout.js"
import { type Failure, InvalidRequest } from "./Answer.js"
import { Api, type viewPayout } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import { respondOnce } from "./Once.js"
import * as Query from "./Query.js"
import { mostItems, mostUnasked, usualItems } from "./Query.js"
import { writeItem } from "./StatementViews.js"

type Answered = (typeof viewPayout)["~Success"]["Type"]
type WholePayout = Answered["data"]

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

/** The account itself sees everything: nothing is hidden as it is from collaborators. */
const isWhole = (view: Payout.PayoutView): view is Payout.PayoutView & Payout.WholePayout =>
  view.items.every(isWholeItem)

/** The newest items are last: a caller that added one finds it in the answer. */
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

/** The items in an answer. */
interface Shown {
  /** `undefined`: all of them, if they are not too many. */
  readonly asked: PageRequest.PageRequest | undefined
  /** Whether each comes with what it is about, and the payout with why it failed. */
  readonly hasSources: boolean
  /** Whether the payout was changed for the answer. */
  readonly isChanged: boolean
}

/** The page to show of so many items; `undefined`: all of them. */
const pageOf = ({ asked }: Shown, count: number): PageRequest.PageRequest | undefined =>
  asked === undefined && count > mostUnasked ? newestItems(count) : asked

const choiceOf =
  (shown: Shown): ItemsChoice =>
  (count) => {
    const page = pageOf(shown, count)
    return page && { offset: (page.page - 1) * page.perPage, limit: page.perPage }
  }

/** The position of a page's items among all of them. */
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
 * Writes a payout with the requested items. Without a page, a view of very many items is refused, because half a list
 * would be taken for all of it; after a change, the newest ones are shown.
 */
const write = ({ url }: CallerService, shown: Shown) =>
  Effect.fnUntraced(function* ({ payout, itemsCount, total, collaborator }: ViewedPayout) {
    const page = pageOf(shown, itemsCount)
    if (page !== shown.asked && !shown.isChanged) return yield* tooManyItems(itemsCount)
    const view = yield* Effect.fromResult(Payout.writeView(payout, collaborator, { total }))
    if (!isWhole(view)) return yield* Effect.die(`something of an item of ${payout.id} is hidden`)
    const { items } = payout
    const whole: Payout.WholePayout = view
    const sourced = whole.items.map((item, index) => {
      const shownItem = items[index]
      return shown.hasSources && shownItem ? { ...item, source: writeItem(shownItem) } : item
    })
    const reason = shown.hasSources ? { failure_reason: payout.failureReason } : {}
    return { data: { ...whole, items: sourced, ...reason, ...placeOf(itemsCount, page, url) } }
  })

/** Refuses a request that can't be answered before anything is done, and reads only the items to show. */
const answered = (
  caller: CallerService,
  isChanged: boolean,
  work: Effect.Effect<ViewedPayout, Failure>,
): Effect.Effect<Answered, Failure> => {
  const asked = Query.readItems(caller.query)
  if (Result.isFailure(asked)) return Effect.fail(InvalidRequest.of(asked.failure))
  const { page, hasSources } = asked.success
  const shown = { asked: page, hasSources, isChanged }
  const done = Effect.provideService(work, ChosenItems, choiceOf(shown))
  return Effect.flatMap(done, write(caller, shown))
}

type AddEntry = PayoutsService["addExpense"] | PayoutsService["addIncome"]

const addEntry =
  (add: AddEntry, payoutId: string) =>
  (caller: CallerService): Effect.Effect<Answered, Failure> =>
    answered(
      caller,
      true,
      Effect.flatMap(Effect.fromResult(Entry.readRequest(caller.body)), (entry) =>
        add(caller.accountId, payoutId, entry),
      ),
    )

/** Notes a host's report about paying a payout outside of the service. */
const noteSaid =
  <A>(
    read: (body: unknown) => Result.Result<A, Unreadable>,
    note: (accountId: string, said: A) => Effect.Effect<ViewedPayout, Failure>,
  ) =>
  (caller: CallerService): Effect.Effect<Answered, Failure> =>
    answered(
      caller,
      true,
      Effect.flatMap(Effect.fromResult(read(caller.body)), (said) => note(caller.accountId, said)),
    )

const list = (payouts: PayoutsService) =>
  HttpApiBuilder.handler(Api, "payouts", "list", (call) =>
    respond(
      call,
      Effect.fnUntraced(function* ({ accountId, url }) {
        const page = Query.pageOf(call.query)
        const asked = Query.payoutsOf(call.query)
        const { entries, total } = yield* payouts.list(accountId, asked, page)
        const meta = Page.meta(total, page, { path: url })
        const hasTotals = call.query.include_totals === true
        return writePage({ data: entries, meta }, ({ payout, collaborator }) => ({
          ...Payout.writeEntry(payout, collaborator),
          ...(hasTotals ? { total: payout.total, items_count: payout.itemsCount } : {}),
        }))
      }),
    ),
  )

export const layer = HttpApiBuilder.group(
  Api,
  "payouts",
  Effect.fnUntraced(function* (handlers) {
    const payouts = yield* Payouts
    /** The answer to a change of a payout: the payout as it is now. */
    const found = (caller: CallerService, id: string) =>
      answered(caller, true, payouts.get(caller.accountId, id))
    const recalling = { recall: found }
    return handlers
      .handle("list", list(payouts))
      .handle("view", (call) =>
        respond(call, (caller) =>
          answered(caller, false, payouts.get(caller.accountId, call.params.payout_id)),
        ),
      )
      .handleRaw("addExpense", (call) =>
        respondOnce(call, addEntry(payouts.addExpense, call.params.payout_id), recalling),
      )
      .handleRaw("addIncome", (call) =>
        respondOnce(call, addEntry(payouts.addIncome, call.params.payout_id), recalling),
      )
      .handle("setPaid", (call) =>
        respondOnce(
          call,
          (caller) =>
            answered(caller, true, payouts.setPaid(caller.accountId, call.params.payout_id)),
          recalling,
        ),
      )
      .handleRaw("pay", (call) => {
        const { payout_id } = call.params
        const pay = noteSaid(Payment.readPaid, (id, paid) => payouts.pay(id, payout_id, paid))
        return respondOnce(call, pay, recalling)
      })
      .handleRaw("fail", (call) => {
        const { payout_id } = call.params
        const fail = noteSaid(Payment.readReason, (id, why) => payouts.fail(id, payout_id, why))
        return respondOnce(call, fail, recalling)
      })
      .handle("retry", (call) =>
        respondOnce(
          call,
          (caller) =>
            answered(caller, true, payouts.retry(caller.accountId, call.params.payout_id)),
          recalling,
        ),
      )
  }),
)
