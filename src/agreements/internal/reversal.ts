/** What refunds take back of recorded lines: of each its rounded part of the original, in all. */
import { multiplyDivideHalfUp, withoutNegativeZero } from "../../money/internal/exact.js"
import type {
  AgreementItem,
  OverrideItem,
  PostedRest,
  PostedShare,
  RecoupmentItem,
  ReserveItem,
  ShareOfItem,
} from "../AgreementItem.js"
import { type Ledger, sumOf } from "./Ledger.js"

/** How much is back of each share of an item, and of what the store kept. */
export interface TakenBack {
  readonly shares: ReadonlyMap<string, number>
  readonly store: number
}

/** How much is back of something, of how much. */
interface Fraction {
  readonly back: number
  readonly all: number
}

type Holder = Pick<ShareOfItem, "groupId" | "collaboratorId">

const holderKey = ({ groupId, collaboratorId }: Holder): string =>
  JSON.stringify([groupId, collaboratorId])

const partKey = (holder: Holder, part: { readonly reserveId: string; readonly place: number }) =>
  JSON.stringify([holder.groupId, holder.collaboratorId, part.reserveId, part.place])

/** The part of an amount that is back, half-up; all of it at most, and nothing where the signs differ. */
const partOf = (amount: number, { back, all }: Fraction): number => {
  if (Math.sign(back) !== Math.sign(all)) return 0
  if (Math.abs(back) >= Math.abs(all)) return amount
  return withoutNegativeZero(
    Math.sign(amount) * multiplyDivideHalfUp(Math.abs(amount), Math.abs(back), Math.abs(all)),
  )
}

/** The lines of an item, without those of refunds. */
export interface RecordedItem {
  readonly shares: ReadonlyArray<PostedShare>
  readonly store: PostedRest
  /** The others, in the order in which they were booked. */
  readonly lines: ReadonlyArray<AgreementItem>
}

/** What is back of every line when so much is back of the shares. */
class Reversed {
  readonly #wholes = new Map<string, { back: number; all: number }>()
  readonly #sale: Fraction
  readonly #parts = new Map<string, Fraction>()
  readonly #released = new Map<string, number>()

  constructor({ shares, store, lines }: RecordedItem, given: TakenBack) {
    const backs = shares.map(({ groupId }) => given.shares.get(groupId) ?? 0)
    const back = sumOf("what is back of the item", [...backs, given.store])
    this.#sale = { back, all: store.broughtIn }
    for (const [place, share] of shares.entries()) this.#add(share, share.amount, backs[place] ?? 0)
    for (const line of lines) {
      if (line.kind === "override" && line.side === "received") {
        this.#add({ ...line, collaboratorId: line.receiverId }, line.amount, this.override(line))
      }
      if (line.kind === "reserve") this.#addParts(line)
      if (line.kind === "release") this.#released.set(partKey(line, line), line.amount)
    }
  }

  /** What is back of an override, in the sign of its line. */
  override(line: OverrideItem): number {
    const { share, amount } = line
    return partOf(amount, share === null ? this.#sale : this.#progressOf(share))
  }

  /** What is back of a part of a reserve, were it held until now. */
  part(holder: Holder, part: { readonly reserveId: string; readonly place: number }): number {
    return this.#parts.get(partKey(holder, part))?.back ?? 0
  }

  recoupment(line: RecoupmentItem): number {
    if (line.part === null) return partOf(line.amount, this.#progressOf(line))
    // Of what was released of a part, that much is back which is back of the part and was not back before the release.
    const key = partKey(line, line.part)
    const { back, all } = this.#parts.get(key) ?? { back: 0, all: 0 }
    const released = this.#released.get(key) ?? 0
    return partOf(line.amount, { back: back - (all - released), all: released })
  }

  #progressOf(holder: Holder): Fraction {
    return this.#wholes.get(holderKey(holder)) ?? { back: 0, all: 0 }
  }

  #add(holder: Holder, amount: number, back: number): void {
    const key = holderKey(holder)
    const whole = this.#wholes.get(key) ?? { back: 0, all: 0 }
    whole.back += back
    whole.all += amount
    this.#wholes.set(key, whole)
  }

  #addParts(line: ReserveItem): void {
    const progress = this.#progressOf(line)
    for (const part of line.parts) {
      const back = partOf(part.amount, progress)
      this.#parts.set(partKey(line, { ...line, ...part }), { back, all: part.amount })
    }
  }
}

/** A refund while its lines are booked. */
class Refunding {
  readonly #ledger: Ledger
  readonly #at: number
  readonly #before: Reversed
  readonly #after: Reversed

  constructor(ledger: Ledger, at: number, [before, after]: readonly [Reversed, Reversed]) {
    this.#ledger = ledger
    this.#at = at
    this.#before = before
    this.#after = after
  }

  /** A line that takes back so much of a recorded one. */
  given(line: PostedShare | PostedRest, back: number): void {
    if (back === 0) return
    const refunded = { ...line, event: "refund", at: this.#at, amount: -back } as const
    if (refunded.kind === "store") this.#ledger.items.push(refunded)
    else this.#ledger.items.push({ ...refunded, guarantees: this.#unearn(line, -back) })
  }

  line(line: AgreementItem): void {
    if (line.kind === "override") this.#override(line)
    if (line.kind === "reserve") this.#reserve(line)
    if (line.kind === "recoupment") this.#recoupment(line)
  }

  #unearn(line: AgreementItem, amount: number) {
    const guarantees = "guarantees" in line ? line.guarantees : []
    return guarantees.map(({ guaranteeId }) => this.#ledger.earn(guaranteeId, amount))
  }

  #override(line: OverrideItem): void {
    const back = this.#after.override(line) - this.#before.override(line)
    if (back === 0) return
    const guarantees = this.#unearn(line, -back)
    const refunded = { ...line, event: "refund", at: this.#at, amount: -back, guarantees } as const
    this.#ledger.items.push(refunded)
  }

  #reserve(line: ReserveItem): void {
    const parts = line.parts.flatMap((part) => {
      const key = { ...line, place: part.place }
      const back = this.#after.part(line, key) - this.#before.part(line, key)
      // What was released is the collaborator's, and is taken back with the share.
      if (back === 0 || !this.#ledger.isHeld(key)) return []
      this.#ledger.takeOff(key, "reversed", back)
      return [{ ...part, amount: back }]
    })
    if (parts.length === 0) return
    const amount = parts.reduce((sum, part) => sum + part.amount, 0)
    this.#ledger.items.push({ ...line, event: "refund", at: this.#at, amount, parts })
  }

  #recoupment(line: RecoupmentItem): void {
    // Its own amount is negative, and so is what is back of it.
    const back = this.#before.recoupment(line) - this.#after.recoupment(line)
    if (back === 0) return
    const recouped = this.#ledger.recoup(line.advanceId, -back)
    this.#ledger.items.push({ ...line, ...recouped, event: "refund", at: this.#at, amount: back })
  }
}

/** Books what a refund takes back, from what was back of the item before it and after it. */
export const reverse = (
  ledger: Ledger,
  recorded: RecordedItem,
  options: { readonly at: number; readonly before: TakenBack; readonly after: TakenBack },
): void => {
  const { at, before, after } = options
  const { shares, store, lines } = recorded
  const refunding = new Refunding(ledger, at, [
    new Reversed(recorded, before),
    new Reversed(recorded, after),
  ])
  refunding.given(store, after.store - before.store)
  for (const share of shares) {
    const { groupId } = share
    refunding.given(share, (after.shares.get(groupId) ?? 0) - (before.shares.get(groupId) ?? 0))
  }
  for (const line of lines) refunding.line(line)
}
