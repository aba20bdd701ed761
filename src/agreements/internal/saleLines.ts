/** From the shares of an item to its lines: overrides, reserves, recoupment. */
import { compareBy, compareTexts } from "../../internal/compare.js"
import type { Override } from "../Agreement.js"
import type { EarnedStep, OverrideItem, ShareOfItem } from "../AgreementItem.js"
import { type Ledger, sumOf } from "./Ledger.js"
import { partsOf, recoup, withhold } from "./recoupment.js"
import { type AgreementTerms, concerns, type Term } from "./terms.js"

/** A share as it is posted. */
export interface GivenShare {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  /** Cents. */
  readonly amount: number
}

/** The shares of one item, and what is the same for all of them. */
export interface SoldShares {
  readonly orderId: string
  readonly itemId: string
  readonly currency: string
  readonly at: number
  readonly shares: ReadonlyArray<GivenShare>
  /** What the store keeps. */
  readonly store: number
  readonly isDifference?: boolean | undefined
}

/** Everything that a collaborator has of the item under a group. */
interface WholeShare extends ShareOfItem {
  amount: number
  readonly isGiven: boolean
}

type Terming = Term<Override>

/** What can be paid of an amount: nothing where there is only money of the other sign. */
const within = (amount: number, left: number): number => {
  if (Math.sign(amount) !== Math.sign(left)) return 0
  return amount > 0 ? Math.min(amount, left) : Math.max(amount, left)
}

const inTurn = compareBy<WholeShare>(
  (one, other) => compareTexts(one.collaboratorId, other.collaboratorId),
  (one, other) => compareTexts(one.groupId ?? "", other.groupId ?? ""),
)

/** One item while its overrides are moved. */
class ItemPosting {
  readonly #terms: AgreementTerms
  readonly #ledger: Ledger
  readonly #sold: SoldShares
  readonly #broughtIn: number
  readonly #wholes: Array<WholeShare>
  #storeLeft: number

  constructor(terms: AgreementTerms, ledger: Ledger, sold: SoldShares) {
    const { shares, store, itemId } = sold
    this.#terms = terms
    this.#ledger = ledger
    this.#sold = sold
    this.#storeLeft = store
    const amounts = shares.map(({ amount }) => amount)
    this.#broughtIn = sumOf(`what item ${itemId} brought in`, [...amounts, store])
    this.#wholes = shares.map(({ groupId, collaboratorId, amount }) => {
      return { groupId, collaboratorId, amount, isGiven: true }
    })
  }

  post(): void {
    this.#begin()
    this.#overridesOfSales()
    const done = new Set<WholeShare>()
    const linksTo = ({ collaboratorId }: WholeShare) => this.#terms.links.get(collaboratorId) ?? 0
    // Whoever gets an override has more links before them, so everything that makes a share comes before it is used.
    while (done.size < this.#wholes.length) {
      const open = this.#wholes.filter((whole) => !done.has(whole))
      const least = Math.min(...open.map(linksTo))
      for (const whole of open.filter((one) => linksTo(one) === least).sort(inTurn)) {
        done.add(whole)
        this.#settle(whole)
      }
    }
  }

  get #line() {
    const { orderId, itemId, currency, at } = this.#sold
    return { orderId, itemId, currency, at, event: "sale" as const }
  }

  #begin(): void {
    const { shares, store } = this.#sold
    const whose = { groupId: null, collaboratorId: null }
    this.#ledger.items.push({
      ...{ ...this.#line, ...whose, kind: "store", amount: store, broughtIn: this.#broughtIn },
    })
    for (const { groupId, collaboratorId, amount } of shares) {
      const guarantees = this.#earn({ groupId, collaboratorId, amount })
      this.#ledger.items.push({
        ...{ ...this.#line, kind: "share", groupId, collaboratorId, amount, guarantees },
      })
    }
  }

  #earn({ groupId, collaboratorId, amount }: ShareOfItem): ReadonlyArray<EarnedStep> {
    const { currency, at } = this.#sold
    return (this.#terms.guarantees.get(collaboratorId) ?? [])
      .filter((term) => {
        const { agreement } = term
        const isThen = agreement.from <= at && at < agreement.until
        return isThen && agreement.currency === currency && concerns(term, groupId)
      })
      .map(({ agreement }) => this.#ledger.earn(agreement.id, amount))
  }

  #overridesOfSales(): void {
    const { shares } = this.#sold
    const some = this.#terms.overridesOfSales.filter(
      (term) => term.groups === null || shares.some(({ groupId }) => concerns(term, groupId)),
    )
    for (const [place, due] of partsOf(this.#broughtIn, some).entries()) {
      this.#move(some[place], due, undefined)
    }
  }

  #settle(whole: WholeShare): void {
    const { groupId, collaboratorId } = whole
    const all = (this.#terms.overrides.get(collaboratorId) ?? []).filter((term) =>
      concerns(term, groupId),
    )
    let own = whole.amount
    for (const basis of ["share", "sale"] as const) {
      const some = all.filter((term) => term.agreement.of === basis && this.#isWhere(term, whole))
      const base = basis === "share" ? whole.amount : this.#broughtIn
      for (const payer of ["share", "store"] as const) {
        const paid = some.filter(({ agreement }) => agreement.paidBy === payer)
        for (const [place, due] of partsOf(base, paid).entries()) {
          own -= this.#move(paid[place], due, { whole, own })
        }
      }
    }
    const credited = { ...this.#line, groupId, collaboratorId }
    const base = withhold(this.#terms, this.#ledger, credited, own)
    recoup(this.#terms, this.#ledger, credited, { base, part: null })
  }

  /** An override of the sale counts once for each item, at the first share that it is about. */
  #isWhere(term: Terming, whole: WholeShare): boolean {
    if (term.agreement.of === "share") return true
    const groups = this.#sold.shares
      .filter(({ collaboratorId }) => collaboratorId === whole.collaboratorId)
      .filter(({ groupId }) => concerns(term, groupId))
      .map(({ groupId }) => groupId)
    return whole.isGiven && groups.sort(compareTexts)[0] === whole.groupId
  }

  /** Moves an override from who pays it to who gets it, and returns what it took of the share. */
  #move(
    term: Terming | undefined,
    due: number,
    about: { readonly whole: WholeShare; readonly own: number } | undefined,
  ): number {
    if (term === undefined) return 0
    const { of, paidBy, id: overrideId, percent, collaboratorId: receiverId } = term.agreement
    const isOfShare = paidBy === "share"
    const ofStore = this.#sold.isDifference === true ? due : this.#storeLeft
    const amount = within(due, isOfShare ? (about?.own ?? 0) : ofStore)
    if (amount === 0) return 0
    const whole = about?.whole
    if (!isOfShare) this.#storeLeft -= amount
    const groupId = of === "share" ? (whole?.groupId ?? null) : null
    const share = whole !== undefined && (isOfShare || of === "share") ? shareOf(whole) : null
    const base = of === "share" && whole !== undefined ? whole.amount : this.#broughtIn
    const line = {
      ...{ ...this.#line, kind: "override", overrideId, receiverId, of, paidBy, percent, base },
      ...{ due, share },
    } as const satisfies Partial<OverrideItem>
    const receiver = { groupId, collaboratorId: receiverId, amount }
    const payer = isOfShare ? whole : undefined
    this.#ledger.items.push({
      ...{ ...line, ...receiver, side: "received", guarantees: this.#earn(receiver) },
    })
    this.#ledger.items.push({
      ...{ ...line, side: "paid", guarantees: [], amount: -amount },
      ...{ groupId: payer?.groupId ?? null, collaboratorId: payer?.collaboratorId ?? null },
    })
    this.#add(receiver)
    return isOfShare ? amount : 0
  }

  #add({ groupId, collaboratorId, amount }: ShareOfItem): void {
    const found = this.#wholes.find(
      (one) => one.collaboratorId === collaboratorId && one.groupId === groupId,
    )
    if (found === undefined) {
      this.#wholes.push({ groupId, collaboratorId, amount, isGiven: false })
    } else {
      found.amount = sumOf(`the share of ${collaboratorId}`, [found.amount, amount])
    }
  }
}

const shareOf = ({ groupId, collaboratorId, amount }: WholeShare): ShareOfItem => ({
  ...{ groupId, collaboratorId, amount },
})

/** Books the lines of an item. */
export const postItem = (terms: AgreementTerms, ledger: Ledger, sold: SoldShares): void =>
  new ItemPosting(terms, ledger, sold).post()
