/** Withholding a reserve, and recouping advances from what is credited. */
import { lastSecond } from "../../internal/seconds.js"
import { allocateExactly, multiplyDivideHalfUp } from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { Advance, Reserve } from "../Agreement.js"
import type { RecoupmentItem, ReservePart } from "../AgreementItem.js"
import type { Ledger } from "./Ledger.js"
import { type AgreementTerms, concerns, type Term } from "./terms.js"

/** A share of a sale, and what happens to it. */
export interface Credited {
  readonly event: "sale" | "release"
  readonly orderId: string
  readonly itemId: string
  readonly groupId: string | null
  readonly collaboratorId: string
  readonly currency: string
  readonly at: number
}

const secondsOfDay = 86_400

/** The parts of an amount by percentages, rounded together with what is left of it, which comes last and is left out. */
export const partsOf = (
  amount: number,
  terms: ReadonlyArray<{ readonly points: number }>,
): ReadonlyArray<number> => {
  const points = terms.map((term) => term.points)
  const rest = points.reduce((left, one) => left - one, Percent.whole)
  return allocateExactly(amount, [...points, rest]).slice(0, -1)
}

const scheduled = (
  { agreement: { schedule } }: Term<Reserve>,
  held: number,
  at: number,
): ReadonlyArray<ReservePart> => {
  const points = schedule.map(({ percent }) => Math.round(Number(percent) * 100))
  const amounts = allocateExactly(held, points)
  return schedule.map(({ days, percent }, place) => {
    const releaseAt = Math.min(at + days * secondsOfDay, lastSecond)
    return { place, days, percent, releaseAt, amount: amounts[place] ?? 0 }
  })
}

/** Withholds what is agreed of a positive amount, and returns what is left of it. */
export const withhold = (
  terms: AgreementTerms,
  ledger: Ledger,
  credited: Credited,
  own: number,
): number => {
  if (own <= 0) return own
  const { event: _, ...line } = credited
  const all = terms.reserves.get(credited.collaboratorId) ?? []
  const some = all.filter((term) => concerns(term, credited.groupId))
  let left = own
  for (const [place, held] of partsOf(own, some).entries()) {
    const term = some[place]
    if (term === undefined || held === 0) continue
    left -= held
    const { id: reserveId, percent } = term.agreement
    const parts = scheduled(term, held, credited.at)
    const about = { ...line, reserveId }
    ledger.items.push({
      ...{ ...about, kind: "reserve", event: "sale", percent, base: own, parts, amount: -held },
    })
    for (const { place, releaseAt, amount } of parts) {
      const { at: _, ...key } = about
      if (amount > 0) ledger.hold({ ...key, place, releaseAt, amount })
    }
  }
  return left
}

const takes = (
  { agreement, points }: Term<Advance>,
  amounts: { readonly open: number; readonly base: number; readonly left: number },
): number => {
  const { open, base, left } = amounts
  if (agreement.percent === "100.00") return Math.min(open, left)
  return Math.min(open, left, multiplyDivideHalfUp(base, points, Percent.whole))
}

/** Recoups the advances that an amount is recouped for, one after the other. */
export const recoup = (
  terms: AgreementTerms,
  ledger: Ledger,
  credited: Credited,
  options: { readonly base: number; readonly part: RecoupmentItem["part"] },
): void => {
  const { base, part } = options
  let left = base
  for (const term of terms.advances.get(credited.collaboratorId) ?? []) {
    const { id: advanceId, currency, grantedAt, purpose, percent } = term.agreement
    if (left <= 0) return
    if (currency !== credited.currency || grantedAt > credited.at) continue
    if (!concerns(term, credited.groupId)) continue
    const taken = takes(term, { open: ledger.open(term.agreement), base, left })
    if (taken === 0) continue
    left -= taken
    const recouped = ledger.recoup(advanceId, taken)
    const about = { advanceId, purpose, percent, base, granted: term.agreement.amount }
    ledger.items.push({
      ...{ ...credited, kind: "recoupment", ...about, ...recouped, part, amount: -taken },
    })
  }
}
