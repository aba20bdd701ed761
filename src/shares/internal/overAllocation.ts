import { at } from "../../internal/at.js"
import { allocateExactly } from "../../money/internal/allocating.js"
import * as exact from "../../money/internal/exact.js"
import type { Claim } from "./claims.js"

/** What the claims come to together; a bigint where no number is exact. */
export const claimed = (claims: ReadonlyArray<Claim>): number | bigint => {
  let total = 0
  for (const claim of claims) {
    total += claim.amount
    if (!exact.isSafe(total)) return exact.sum(claims.map(({ amount }) => amount))
  }
  return total
}

/** Those who are charged more than they earn pay it in: what there is to share grows by it. */
const available = (claims: ReadonlyArray<Claim>, broughtIn: number): number | bigint =>
  exact.sum([Math.max(0, broughtIn), ...claims.map((claim) => Math.max(0, -claim.amount))])

/** Cuts every claim in the same proportion, down to what there is. */
export const scale = (claims: ReadonlyArray<Claim>, broughtIn: number): void => {
  if (claimed(claims) <= Math.max(0, broughtIn)) return
  const positive = claims.filter((claim) => claim.amount > 0)
  const weights = positive.map((claim) => claim.amount)
  const parts = allocateExactly(available(claims, broughtIn), weights)
  positive.forEach((claim, index) => {
    const paid = at(parts, index)
    claim.paidShipping = exact.multiplyDivideHalfUp(claim.shipping, paid, claim.amount)
    claim.amount = paid
  })
}

/** Pays the most specific groups first, until nothing is left. */
export const payByRank = (claims: ReadonlyArray<Claim>, broughtIn: number): void => {
  let left = available(claims, broughtIn)
  const byRank = [...claims].sort((a, b) => a.rank - b.rank)
  for (const claim of byRank) {
    if (claim.amount <= 0) continue
    const paid = left < claim.amount ? Number(left) : claim.amount
    left = typeof left === "bigint" ? left - BigInt(paid) : left - paid
    claim.paidShipping = Math.max(Math.min(0, Number(claim.shipping)), paid - claim.goods)
    claim.amount = paid
  }
}
