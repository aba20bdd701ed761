/** Finding something to do: mostly what can be done, now and then what must be refused. */

import type { Chance } from "../../generators/Chance.js"
import { itemIds } from "../../service/model/Goods.js"
import type { Call, Deed } from "./Deed.js"

/** What writers know of an account, to find something to do. */
export interface Board {
  readonly accountId: string
  /** The last payouts, each with its last known status and entries. */
  payouts: Array<{ readonly id: string; status: string }>
  readonly entries: Array<{ readonly payoutId: string; readonly itemId: string }>
  orders: number
  keys: number
  refunds: number
}

const small = 6

const chooseRecord = (chance: Chance, board: Board): Call => {
  const isNew = !chance.onceIn(4) || board.orders === 0
  if (isNew) board.orders += 1
  const number = isNew ? board.orders : board.orders - chance.below(Math.min(board.orders, small))
  const usual = itemIds.filter((id) => id !== "i5" && !chance.onceIn(2))
  const items = chance.onceIn(30) ? ["i5"] : usual.length === 0 ? ["i1"] : usual
  return {
    kind: "record",
    orderId: `o${number}`,
    currency: number % 3 === 0 ? "EUR" : "USD",
    items,
    isChanged: !isNew && chance.onceIn(8),
  }
}

const chooseRefund = (chance: Chance, board: Board): Call => {
  if (!chance.onceIn(5)) board.refunds += 1
  const back = chance.onceIn(3) ? 40 : small
  const amounts = [
    { quantity: 1 },
    { quantity: 1 },
    { amount: 100 },
    { amount: 37 },
    { quantity: 3 },
  ]
  return {
    kind: "refund",
    id: `r${board.refunds}`,
    orderId: `o${Math.max(1, board.orders - chance.below(back))}`,
    itemId: chance.pick(["i1", "i1", "i2", "i4", "i6"]) ?? "i1",
    ...(chance.pick(amounts) ?? { quantity: 1 }),
  }
}

/** A payout, one of a status that suits if there is any, but now and then any. */
const choosePayout = (
  chance: Chance,
  { payouts }: Board,
  ...wanted: ReadonlyArray<string>
): string => {
  const suiting = payouts.filter(({ status }) => wanted.includes(status))
  const from = suiting.length === 0 || chance.onceIn(6) ? payouts : suiting
  return chance.pick(from)?.id ?? "none"
}

const chooseEntry = (chance: Chance, board: Board, kind: "expense" | "income"): Call => {
  const payoutId = choosePayout(chance, board, "active", "active", "pending", "failed")
  const isBad = chance.onceIn(25)
  const itemId = `e${chance.below(400)} ${payoutId}`
  board.entries.push({ payoutId, itemId })
  if (board.entries.length > 60) board.entries.shift()
  const amount = isBad ? 0 : [1, 70, 500, 500, 2_000][itemId.length % 5 === 0 ? 0 : chance.below(5)]
  return { kind, payoutId, id: itemId, amount: amount ?? 1, name: "Samples" }
}

/** One call of a service. */
export const chooseCall = (chance: Chance, board: Board): Call => {
  const kind = chance.weighted({
    ...{ record: 30, refund: 16, expense: 8, income: 8, remove: 4 },
    ...{ pay: 10, fail: 4, retry: 4, setPaid: 1 },
  })
  switch (kind) {
    case "record":
      return chooseRecord(chance, board)
    case "refund":
      return chooseRefund(chance, board)
    case "expense":
    case "income":
      return chooseEntry(chance, board, kind)
    case "remove": {
      const entry = chance.pick(board.entries)
      return { kind, payoutId: entry?.payoutId ?? "none", itemId: entry?.itemId ?? "none" }
    }
    case "retry":
      return { kind, payoutId: choosePayout(chance, board, "failed") }
    case "setPaid":
      return { kind, payoutId: choosePayout(chance, board, "failed") }
    default:
      return { kind, payoutId: choosePayout(chance, board, "pending") }
  }
}

const chooseCalls = (chance: Chance, board: Board, count: number): ReadonlyArray<Call> =>
  Array.from({ length: count }, () => chooseCall(chance, board))

/** Something to do. */
export const chooseDeed = (chance: Chance, board: Board): Deed => {
  const kind = chance.weighted({ call: 70, keyed: 18, unit: 8, closeDue: 4 })
  if (kind === "closeDue") return { kind }
  if (kind === "call") return chooseCall(chance, board)
  if (kind === "unit") return { kind, calls: chooseCalls(chance, board, 2 + chance.below(2)) }
  if (!chance.onceIn(3)) board.keys += 1
  const calls = chooseCalls(chance, board, chance.onceIn(4) ? 2 : 1)
  return { kind, key: `k${board.keys}`, calls }
}

/** Of an account of which nothing is known yet. */
export const newBoard = (accountId: string): Board => ({
  accountId,
  payouts: [],
  entries: [],
  ...{ orders: 0, keys: 0, refunds: 0 },
})
