/** What changes payouts. */
import { Payouts, type PayoutsService } from "apportion/service"
import { Effect } from "effect"
import { at } from "./HastyClock.js"
import {
  afterHolding,
  afterJanuary,
  closed,
  opening,
  paid,
  type UseCase,
  useCaseWith,
  type World,
  withSale,
} from "./UseCase.js"

interface Found {
  readonly ada: string
  readonly sam: string
}

const ofAda =
  (
    call: (
      payouts: PayoutsService,
      account: string,
      payoutId: string,
    ) => Effect.Effect<unknown, unknown>,
  ) =>
  (account: string, { ada }: Found) =>
    Effect.flatMap(Payouts, (payouts) => call(payouts, account, ada))

const after =
  (
    given: (account: string) => Effect.Effect<Found, unknown, World>,
    call: (account: string, found: Found) => Effect.Effect<unknown, unknown, World>,
    time = opening,
  ) =>
  (account: string) =>
    Effect.gen(function* () {
      const found = yield* given(account)
      yield* at(time)(call(account, found))
      return found
    })

const expense = (id: string | undefined, amount = 300) =>
  ofAda((payouts, account, payoutId) =>
    payouts.addExpense(account, payoutId, { id, amount, name: "Frames" }),
  )

const income = (id: string | undefined) =>
  ofAda((payouts, account, payoutId) =>
    payouts.addIncome(account, payoutId, { id, amount: 700, name: "Workshop" }),
  )

const isRepeatable = true
const pay = ofAda((payouts, account, payoutId) => payouts.pay(account, payoutId))
const fail = ofAda((payouts, account, id) => payouts.fail(account, id, "no such account"))
const setPaid = ofAda((payouts, account, payoutId) => payouts.setPaid(account, payoutId))
const closeDue = (account: string) => Effect.flatMap(Payouts, ({ closeDue }) => closeDue(account))

const entries: ReadonlyArray<UseCase> = [
  useCaseWith("an expense is added with an id", withSale, expense("e1"), { isRepeatable }),
  useCaseWith("an expense is added", withSale, expense(undefined)),
  useCaseWith("an income is added with an id", withSale, income("e1"), { isRepeatable }),
  useCaseWith("an income is added", withSale, income(undefined)),
  useCaseWith("an income is added again", after(withSale, income("e1")), income("e1"), {
    isRepeatable,
  }),
  useCaseWith("an expense is added when the payout is due", withSale, expense("e1"), {
    isRepeatable,
    at: afterJanuary,
  }),
  useCaseWith("an expense on a paid payout is refused", paid, expense("e1"), {
    isRepeatable,
    at: afterHolding,
  }),
  useCaseWith(
    "an entry is removed",
    after(withSale, income("e1")),
    ofAda((payouts, account, id) => payouts.removeEntry(account, id, "e1")),
    { isRepeatable },
  ),
]

const events: ReadonlyArray<UseCase> = [
  useCaseWith(
    "payouts that are due are closed, and roll when they are too small",
    withSale,
    closeDue,
    {
      isRepeatable,
      at: afterJanuary,
    },
  ),
  useCaseWith("payouts are closed when nothing is due", withSale, closeDue, { isRepeatable }),
  useCaseWith("a payout is paid", closed, pay, { isRepeatable, at: afterHolding }),
  useCaseWith("a payment fails", closed, fail, { isRepeatable, at: afterHolding }),
  useCaseWith(
    "a payment is tried again",
    after(closed, fail, afterHolding),
    ofAda((payouts, account, payoutId) => payouts.retry(account, payoutId)),
    { isRepeatable, at: afterHolding },
  ),
  useCaseWith("a payout is set as paid", withSale, setPaid, { isRepeatable }),
  useCaseWith("a payout that is set as paid is set as paid", after(withSale, setPaid), setPaid, {
    isRepeatable,
  }),
  useCaseWith("a payment of what is paid is refused", paid, pay, {
    isRepeatable,
    at: afterHolding,
  }),
]

/** The changes of payouts. */
export const payoutCalls: ReadonlyArray<UseCase> = [...entries, ...events]
