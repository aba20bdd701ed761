/** Handling requests about a collaborator's entries and balances. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as Result from "effect/Result"
import * as Page from "../pagination/Page.js"
import type { Balance } from "../payouts/Balance.js"
import {
  Balances,
  type BalancesService,
  type CollaboratorBalances,
  type Debt,
} from "../service/Balances.js"
import { type BookedEntry, Entries } from "../service/Entries.js"
import type { Unreadable } from "../Unreadable.js"
import * as Entry from "../wire/Entry.js"
import { write as writePage } from "../wire/Page.js"
import type { Failure } from "./Answer.js"
import { Api } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import type { allBalances, balances, belowZero, expense } from "./EntryApi.js"
import { respondOnce } from "./Once.js"
import { pageOf } from "./Query.js"

type Booked = (typeof expense)["~Success"]["Type"]
type BalanceView = (typeof balances)["~Success"]["Type"]["data"][number]
type OwnerView = (typeof allBalances)["~Success"]["Type"]["data"][number]
type DebtView = (typeof belowZero)["~Success"]["Type"]["data"][number]

const write = ({ payoutId, item }: BookedEntry): Booked["data"][number] => ({
  payout_id: payoutId,
  id: item.id,
  kind: item.kind,
  purpose: item.purpose ?? null,
  amount: item.amount,
  asked: item.asked ?? null,
  currency: item.originalCurrency,
  name: item.name,
  created_at: item.createdAt,
})

const writeBalance = (balance: Balance): BalanceView => ({
  collaborator_id: balance.collaboratorId,
  currency: balance.currency,
  collecting: balance.collecting,
  pending: balance.pending,
  under_way: balance.underWay,
  failed: balance.failed,
  total: balance.total,
  paid: balance.paid,
})

const writeOwner = ({ collaborator, balances }: CollaboratorBalances): OwnerView => ({
  collaborator_id: collaborator.id,
  collaborator_name: collaborator.account.name,
  balances: balances.map(writeBalance),
})

const writeDebt = ({ collaborator, currency, balance, since, days }: Debt): DebtView => ({
  ...{ collaborator_id: collaborator.id, collaborator_name: collaborator.account.name },
  ...{ currency, balance, since, days },
})

/** Books the entry of a request; once for its key. */
const book =
  <A>(
    read: (body: unknown) => Result.Result<A, Unreadable>,
    note: (
      accountId: string,
      said: A,
    ) => Effect.Effect<BookedEntry | ReadonlyArray<BookedEntry>, Failure>,
  ) =>
  ({ accountId, body }: CallerService): Effect.Effect<Booked, Failure> =>
    Effect.flatMap(Effect.fromResult(read(body)), (said) =>
      Effect.map(note(accountId, said), (booked) => ({ data: [booked].flat().map(write) })),
    )

const listAll = (balances: BalancesService) =>
  HttpApiBuilder.handler(Api, "entries", "allBalances", (call) =>
    respond(
      call,
      Effect.fnUntraced(function* ({ accountId, url }) {
        const page = pageOf(call.query)
        const { entries, total } = yield* balances.list(accountId, page)
        const meta = Page.meta(total, page, { path: url })
        return writePage({ data: entries, meta }, writeOwner)
      }),
    ),
  )

export const layer = HttpApiBuilder.group(
  Api,
  "entries",
  Effect.fnUntraced(function* (handlers) {
    const entries = yield* Entries
    const balances = yield* Balances
    return handlers
      .handleRaw("expense", (call) => {
        const { collaborator_id } = call.params
        const note = book(Entry.readCollaboratorRequest, (id, said) =>
          entries.addExpense(id, collaborator_id, said),
        )
        return respondOnce(call, note)
      })
      .handleRaw("income", (call) => {
        const { collaborator_id } = call.params
        const note = book(Entry.readCollaboratorRequest, (id, said) =>
          entries.addIncome(id, collaborator_id, said),
        )
        return respondOnce(call, note)
      })
      .handleRaw("writeOff", (call) => {
        const { collaborator_id } = call.params
        const note = book(Entry.readDebtRequest, (id, said) =>
          entries.writeOff(id, collaborator_id, said),
        )
        return respondOnce(call, note)
      })
      .handleRaw("request", (call) => {
        const { collaborator_id } = call.params
        const note = book(Entry.readDebtRequest, (id, said) =>
          entries.request(id, collaborator_id, said),
        )
        return respondOnce(call, note)
      })
      .handleRaw("repayment", (call) => {
        const { collaborator_id } = call.params
        const note = book(Entry.readCollaboratorRequest, (id, said) =>
          entries.repay(id, collaborator_id, said),
        )
        return respondOnce(call, note)
      })
      .handle("balances", (call) =>
        respond(call, ({ accountId }) =>
          Effect.map(balances.of(accountId, call.params.collaborator_id), (all) => ({
            data: all.map(writeBalance),
          })),
        ),
      )
      .handle("allBalances", listAll(balances))
      .handle("belowZero", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* ({ accountId, url }) {
            const page = pageOf(call.query)
            const { entries, total } = yield* balances.belowZero(accountId, page)
            const meta = Page.meta(total, page, { path: url })
            return writePage({ data: entries, meta }, writeDebt)
          }),
        ),
      )
  }),
)
