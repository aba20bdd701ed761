/** The endpoints of a collaborator's entries and balances, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Ledger from "../wire/LedgerSchemas.js"
import { PageOf } from "../wire/Schemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, created, IdempotencyKey, id } from "./EndpointParts.js"
import * as Query from "./Query.js"
import { always, Conflicting, Invalid, NotFound, ofBody } from "./RefusalSchemas.js"

const collaborator = { collaborator_id: id("The collaborator's id") }
const path = "/collaborators/:collaborator_id" as const

const Booked = Schema.Struct({ data: Schema.Array(Ledger.BookedEntryView) })

const booking = {
  ...{ params: collaborator, headers: IdempotencyKey, success: created(Booked) },
  error: [...always, ...ofBody, NotFound, Conflicting],
} as const

const ofEntry = { ...booking, payload: Ledger.CollaboratorEntryRequest } as const
const ofDebt = { ...booking, payload: Ledger.DebtEntryRequest } as const

const toActive = "It goes to the active payout in its currency, which is opened if there is none"
const toDebts = "It goes to the payouts that are below 0, the earliest opened first"

export const expense = HttpApiEndpoint.post("expense", `${path}/expense`, ofEntry).annotateMerge(
  beside("bookExpense", "Book an expense for a collaborator", toActive),
)

export const income = HttpApiEndpoint.post("income", `${path}/income`, ofEntry).annotateMerge(
  beside("bookIncome", "Book extra income for a collaborator", toActive),
)

export const writeOff = HttpApiEndpoint.post("writeOff", `${path}/write-off`, ofDebt).annotateMerge(
  beside(
    "writeOffBalance",
    "Give up what a collaborator owes",
    `${toDebts}. More than is owed is refused with 409`,
  ),
)

export const request = HttpApiEndpoint.post("request", `${path}/request`, ofDebt).annotateMerge(
  beside(
    "requestBalance",
    "Note that what a collaborator owes was asked back",
    "Nothing is moved. More than is owed is refused with 409",
  ),
)

export const repayment = HttpApiEndpoint.post(
  "repayment",
  `${path}/repayment`,
  ofEntry,
).annotateMerge(
  beside(
    "bookRepayment",
    "Book what a collaborator has paid back",
    `${toDebts}; what is left to the active one`,
  ),
)

export const balances = HttpApiEndpoint.get("balances", `${path}/balances`, {
  params: collaborator,
  success: Schema.Struct({ data: Schema.Array(Ledger.BalanceView) }),
  error: [...always, NotFound, Invalid],
}).annotateMerge(
  beside(
    "listBalances",
    "List the balances of a collaborator",
    "One for each currency in which they ever had a payout, by currency. One beyond what is exact in cents is refused with 422",
  ),
)

export const allBalances = HttpApiEndpoint.get("allBalances", "/balances", {
  query: Query.Page,
  success: PageOf(Ledger.CollaboratorBalancesView),
  error: [...always, Invalid],
}).annotateMerge(
  beside(
    "listAllBalances",
    "List the balances of all collaborators",
    "Of each collaborator one for each currency in which they ever had a payout. By the ids of the collaborators, which are what is counted and paged. One beyond what is exact in cents is refused with 422",
  ),
)

export const belowZero = HttpApiEndpoint.get("belowZero", "/balances/below-zero", {
  query: Query.Page,
  success: PageOf(Ledger.DebtView),
  error: [...always, Invalid],
}).annotateMerge(
  beside(
    "listBalancesBelowZero",
    "List the balances that are below zero",
    "By the ids of the collaborators, then by currency",
  ),
)

export class EntryEndpoints extends HttpApiGroup.make("entries")
  .add(expense, income, writeOff, request, repayment, balances, allBalances, belowZero)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Entries and balances",
      description: "What is booked for collaborators, and what they have to get or owe",
    }),
  ) {}
