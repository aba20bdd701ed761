/** Balances while lines are booked. */
import { compareBy, compareNumbers, compareTexts } from "../../internal/compare.js"
import { AmountOutOfRange } from "../../money/Cents.js"
import * as exact from "../../money/internal/exact.js"
import type { Problem } from "../../Problem.js"
import type { Advance, Guarantee } from "../Agreement.js"
import type { AgreementItem, EarnedStep } from "../AgreementItem.js"
import type { AgreementBalances, GuaranteedEarning, HeldPart, ReserveTotals } from "../Balances.js"

/** The exact sum, which must be a safe integer. */
export const sumOf = (what: string, values: ReadonlyArray<number>): number => {
  const total = exact.sum(values)
  const safe = exact.toSafe(total)
  if (safe === undefined) throw AmountOutOfRange.of(what, total)
  return exact.withoutNegativeZero(safe)
}

/** Which part of a reserve something is about. */
export type PartKey = Pick<
  HeldPart,
  "reserveId" | "orderId" | "itemId" | "groupId" | "collaboratorId" | "place"
>

const keyOf = ({ reserveId, orderId, itemId, groupId, collaboratorId, place }: PartKey): string =>
  JSON.stringify([reserveId, orderId, itemId, groupId, collaboratorId, place])

const inTurn = compareBy<HeldPart>(
  (one, other) => compareNumbers(one.releaseAt, other.releaseAt),
  (one, other) => compareTexts(one.reserveId, other.reserveId),
  (one, other) => compareTexts(one.orderId, other.orderId),
  (one, other) => compareTexts(one.itemId, other.itemId),
  (one, other) => compareTexts(one.groupId ?? "", other.groupId ?? ""),
  (one, other) => compareTexts(one.collaboratorId, other.collaboratorId),
  (one, other) => compareNumbers(one.place, other.place),
)

type ReserveKey = Pick<ReserveTotals, "reserveId" | "currency">

const totalsKey = ({ reserveId, currency }: ReserveKey): string =>
  JSON.stringify([currency, reserveId])

const notHeld = ({ reserveId, orderId, itemId }: PartKey) => ({
  path: `balances.held.${reserveId}`,
  message: `must have what was withheld of item ${itemId} of order ${orderId}, which is more`,
})

const notRecouped = (advanceId: string) => ({
  path: `balances.advances.${advanceId}`,
  message: `must have what was recouped of advance ${advanceId}, which is more`,
})

/** What follows from balances, agreements and what happens: lines, and the balances after them. */
export class Ledger {
  readonly items: Array<AgreementItem> = []
  /** Where the balances are not those after the recorded lines. */
  readonly misfits: Array<Problem> = []
  readonly #recouped: Map<string, number>
  readonly #held: Map<string, HeldPart>
  readonly #reserves: Map<string, ReserveTotals>
  readonly #guarantees: Map<string, GuaranteedEarning>

  constructor({ advances, held, reserves, guarantees }: AgreementBalances) {
    this.#recouped = new Map(advances.map((one) => [one.advanceId, one.recouped]))
    this.#held = new Map(held.map((one) => [keyOf(one), one]))
    this.#reserves = new Map(reserves.map((one) => [totalsKey(one), one]))
    this.#guarantees = new Map(guarantees.map((one) => [one.guaranteeId, one]))
  }

  recouped(advanceId: string): number {
    return this.#recouped.get(advanceId) ?? 0
  }

  open({ id, amount }: Pick<Advance, "id" | "amount">): number {
    return Math.max(0, amount - this.recouped(id))
  }

  recoup(
    advanceId: string,
    amount: number,
  ): { readonly recoupedBefore: number; readonly recoupedAfter: number } {
    const recoupedBefore = this.recouped(advanceId)
    const recoupedAfter = recoupedBefore + amount
    if (recoupedAfter < 0) this.misfits.push({ ...notRecouped(advanceId), value: recoupedBefore })
    this.#recouped.set(advanceId, recoupedAfter)
    return { recoupedBefore, recoupedAfter }
  }

  /** Counts an earning for a guarantee. */
  earn(guaranteeId: string, amount: number): EarnedStep {
    const { earned: before, isClosed } = this.earned(guaranteeId)
    const after = sumOf(`what is earned for guarantee ${guaranteeId}`, [before, amount])
    this.#guarantees.set(guaranteeId, { guaranteeId, earned: after, isClosed })
    return { guaranteeId, before, after }
  }

  earned(guaranteeId: string): GuaranteedEarning {
    return this.#guarantees.get(guaranteeId) ?? { guaranteeId, earned: 0, isClosed: false }
  }

  close({ id }: Guarantee): void {
    this.#guarantees.set(id, { ...this.earned(id), isClosed: true })
  }

  hold(part: HeldPart): void {
    this.#held.set(keyOf(part), part)
    this.#count(part, "reserved", part.amount)
  }

  isHeld(part: PartKey): boolean {
    return this.#held.has(keyOf(part))
  }

  /** Takes so much off what is held of a part, because it is released or its share was taken back. */
  takeOff(part: PartKey, why: "released" | "reversed", amount: number): void {
    const key = keyOf(part)
    const found = this.#held.get(key)
    if (found === undefined) return
    const left = found.amount - amount
    if (left < 0) this.misfits.push({ ...notHeld(found), value: found.amount })
    if (left > 0) this.#held.set(key, { ...found, amount: left })
    else this.#held.delete(key)
    this.#count(found, why, amount)
  }

  /** The parts that can be released at a time, the earliest first. */
  due(at: number): ReadonlyArray<HeldPart> {
    return [...this.#held.values()].filter(({ releaseAt }) => releaseAt <= at).sort(inTurn)
  }

  balances(): AgreementBalances {
    const byId = <A>(of: (one: A) => string) => compareBy<A>((a, b) => compareTexts(of(a), of(b)))
    return {
      advances: Array.from(this.#recouped, ([advanceId, recouped]) => ({ advanceId, recouped }))
        .filter(({ recouped }) => recouped !== 0)
        .sort(byId(({ advanceId }) => advanceId)),
      held: [...this.#held.values()].sort(inTurn),
      reserves: [...this.#reserves.values()].sort(byId(totalsKey)),
      guarantees: [...this.#guarantees.values()]
        .filter(({ earned, isClosed }) => earned !== 0 || isClosed)
        .sort(byId(({ guaranteeId }) => guaranteeId)),
    }
  }

  #count(
    { reserveId, currency }: ReserveKey,
    field: "reserved" | "released" | "reversed",
    by: number,
  ): void {
    const key = totalsKey({ reserveId, currency })
    const none = { reserveId, currency, reserved: 0, released: 0, reversed: 0 }
    const found = this.#reserves.get(key) ?? none
    const after = sumOf(`what is ${field} of reserve ${reserveId}`, [found[field], by])
    this.#reserves.set(key, { ...found, [field]: after })
  }
}
