/** Payouts that can be paid, and payments in each state. */
import { Storage } from "apportion/ports"
import { Effect } from "effect"
import { type Shop, start } from "./Shop.js"

type Status = "active" | "pending" | "failed"

/** Puts a payout of Ada's into the store, as it is after its sale and its due date; gives its id. */
export const putPayout = async (
  { run }: Pick<Shop, "run">,
  id: string,
  given: { readonly status?: Status; readonly total?: number; readonly currency?: string } = {},
): Promise<string> => {
  const { status = "pending", total = 5_000, currency = "EUR" } = given
  const closedAt = status === "active" ? null : start - 100
  const item = {
    ...{ id: "e1", kind: "income" as const, name: "Bonus", createdAt: start - 200 },
    ...{ amount: total, originalAmount: total, originalCurrency: currency },
    currencyExchangeRate: null,
  }
  const payout = {
    ...{ id, collaboratorId: "ada", currency, status, openedAt: start - 1_000 },
    ...{ toBePaidAt: start - 100, closedAt, payableAt: closedAt, paidAt: null, paymentId: null },
    ...{ failureReason: status === "failed" ? "no account" : null, total, itemsCount: 1 },
  }
  const put = Effect.flatMap(Storage, (storage) =>
    storage.transaction("store", ({ payouts }) => payouts.insert({ payout, put: [item] })),
  )
  await run(put)
  return id
}

/** How far a payment can be. */
export type State = "claimed" | "sent" | "unknown" | "confirmed" | "rejected" | "released"

const steps: Readonly<Record<State, ReadonlyArray<readonly [step: string, body?: object]>>> = {
  claimed: [],
  sent: [["send"]],
  unknown: [["send"]],
  confirmed: [["send"], ["confirm", {}]],
  rejected: [["send"], ["reject", { reason: "no account" }]],
  released: [["release", {}]],
}

/** Claims a payout and brings its payment so far; gives the payment's id. */
export const bringTo = async (
  { ask, bank }: Pick<Shop, "ask" | "bank">,
  payoutId: string,
  state: State,
): Promise<string> => {
  const claim = await ask("POST", `/v1/payouts/${payoutId}/claim`, { body: { rail: "bank" } })
  const id = String(claim.json.data.id)
  const before = bank.answer
  if (state === "unknown") bank.answer = "nothing"
  for (const [step, body] of steps[state]) {
    await ask("POST", `/v1/payments/${id}/${step}`, body === undefined ? {} : { body })
  }
  bank.answer = before
  const { json } = await ask("GET", `/v1/payments/${id}`)
  if (json.data.status !== state) throw new RangeError(`payment ${id} is ${json.data.status}`)
  return id
}
