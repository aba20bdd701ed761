/** What must hold of recorded sales: nothing is lost or made of them, and payouts have what they say. */
import { bigIntOf, type Json, listIn, recordIn } from "./Model.js"
import { isRecord } from "./Shapes.js"

const records = (value: unknown, name: string): ReadonlyArray<Json> =>
  listIn(value, name).filter(isRecord)

const sumOf = (all: ReadonlyArray<Json>, name = "amount"): bigint =>
  all.reduce((sum, one) => sum + bigIntOf(one[name]), 0n)

const ofItem = (all: ReadonlyArray<Json>, itemId: unknown): ReadonlyArray<Json> =>
  all.filter((one) => one.item_id === itemId)

/** What was taken back of the shares of an item, and whether nothing of it is left. */
const backOf = (part: Json, itemId: unknown) => {
  const refunds = ofItem(records(part, "refunds"), itemId)
  return {
    shares: refunds.flatMap((refund) => records(refund, "shares")),
    store: sumOf(refunds, "store"),
    isWhole: refunds.some(({ fully_refunded }) => fully_refunded === true),
  }
}

const ofGroup = (all: ReadonlyArray<Json>, groupId: unknown): bigint =>
  sumOf(all.filter((one) => one.group_id === groupId))

/** What is wrong with an item of a part of a sale. */
function* itemFaults(part: Json, explained: Json): Generator<string> {
  const { item_id: itemId, distributable } = explained
  const name = `item ${String(itemId)} of ${String(part.order_id)}`
  const shares = ofItem(records(part, "shares"), itemId)
  const store = sumOf(ofItem(records(part, "store"), itemId))
  const given = sumOf(shares) + store
  if (given !== bigIntOf(distributable)) {
    yield `${name} brought in ${String(distributable)}, and ${given} was given out`
  }
  const back = backOf(part, itemId)
  for (const { group_id, amount } of shares) {
    const [share, reversed] = [bigIntOf(amount), ofGroup(back.shares, group_id)]
    const isWithin =
      share < 0n ? reversed >= share && reversed <= 0n : reversed <= share && reversed >= 0n
    if (!isWithin) yield `of ${share} of ${name}, ${reversed} was taken back`
    if (back.isWhole && reversed !== share) {
      yield `${name} is refunded, and of ${share} only ${reversed} was taken back`
    }
  }
  if (back.isWhole && back.store !== store) {
    yield `${name} is refunded, and the store of its ${store} gave back ${back.store}`
  }
}

/** What is wrong with the view of a sale. */
export function* saleFaults(view: Json): Generator<string> {
  const parts = records(view, "parts")
  const ids = parts.flatMap((part) => records(part, "store").map(({ item_id }) => String(item_id)))
  if (new Set(ids).size !== ids.length) yield `sale ${String(view.id)} has an item twice: ${ids}`
  const refunds = parts.flatMap((part) => records(part, "refunds").map(({ id }) => String(id)))
  if (new Set(refunds).size !== refunds.length) {
    yield `sale ${String(view.id)} has a refund twice: ${refunds}`
  }
  for (const part of parts) {
    for (const explained of records(part, "explanation")) yield* itemFaults(part, explained)
  }
}

/** What collaborators have of a sale now, in cents of a currency; `undefined`: the buyer paid in another. */
export const heldOf = (view: Json, currency: string): bigint | undefined => {
  const parts = records(view, "parts")
  const isOther = parts.some((part) => recordIn(part, "order").currency !== currency)
  if (isOther) return undefined
  return parts.reduce((sum, part) => {
    const back = records(part, "refunds").flatMap((refund) => records(refund, "shares"))
    return sum + sumOf(records(part, "shares")) - sumOf(back)
  }, 0n)
}
