/** What the owners of payouts have, in a batch. */
import type { PayoutOwner, StoredPayout } from "../../../ports/PayoutStore.js"

/** What an owner has, as it will be when all is written. */
export interface Owned {
  readonly activeId: string | undefined
  readonly firstOpenedAt: number | undefined
}

export const isOwnerOf =
  (payout: PayoutOwner) =>
  ({ collaboratorId, currency }: PayoutOwner): boolean =>
    collaboratorId === payout.collaboratorId && currency === payout.currency

/** What an owner has who has a payout as it is now. */
export const withPayout = (before: Owned, { id, status, openedAt }: StoredPayout): Owned => {
  const isLeft = before.activeId === id ? undefined : before.activeId
  const activeId = status === "active" ? id : isLeft
  const firstOpenedAt = Math.min(before.firstOpenedAt ?? openedAt, openedAt)
  const isSame = activeId === before.activeId && firstOpenedAt === before.firstOpenedAt
  return isSame ? before : { activeId, firstOpenedAt }
}

/** Owners as far as they were looked up. */
export class BatchOwners {
  readonly #byCurrency = new Map<string, Map<string, Owned>>()

  /** Those of a currency, by collaborator. */
  of(currency: string): Map<string, Owned> {
    const known = this.#byCurrency.get(currency)
    if (known !== undefined) return known
    const owners = new Map<string, Owned>()
    this.#byCurrency.set(currency, owners)
    return owners
  }

  get({ collaboratorId, currency }: PayoutOwner): Owned | undefined {
    return this.#byCurrency.get(currency)?.get(collaboratorId)
  }

  /** Those that are not known, each once. */
  unknown(owners: ReadonlyArray<PayoutOwner>): ReadonlyArray<PayoutOwner> {
    const unknown = new Map<string, PayoutOwner>()
    for (const owner of owners) {
      const { collaboratorId, currency } = owner
      if (this.get(owner) === undefined) unknown.set(`${currency} ${collaboratorId}`, owner)
    }
    return [...unknown.values()]
  }
}
