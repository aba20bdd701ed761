/**
 * A third reckoning of remainders, from the page of the decision alone: the chairman assignment of Tijdeman (1980) in
 * its own words, for sales of which percentages are paid and nothing else. Where the page leaves open who gets what
 * (an item on which more is due than it brought in, or on which nobody may have the odd cent yet), it answers nothing.
 */

/** A group's id; `null` is the store. */
export type Party = string | null

export interface Percentage {
  readonly id: string
  readonly points: number
}

/** The cents of each group, and the exact remainders of all afterwards. */
export interface Assigned {
  readonly cents: ReadonlyMap<string, bigint>
  readonly due: ReadonlyMap<Party, bigint>
}

const cent = 10_000n

const floored = (tenThousandths: bigint): bigint =>
  tenThousandths < 0n ? (tenThousandths - cent + 1n) / cent : tenThousandths / cent

/** A part of a cent, as a fraction: what is due to a party beyond whole cents, and until when it can wait. */
interface Candidate {
  readonly party: Party
  readonly rest: bigint
  readonly points: bigint
}

/** The remainders after an item whose cents are known. */
export const leftBy = (
  base: bigint,
  percentages: ReadonlyArray<Percentage>,
  before: ReadonlyMap<Party, bigint>,
  cents: ReadonlyMap<string, bigint>,
): ReadonlyMap<Party, bigint> => {
  const due = new Map(before)
  for (const { id, points } of percentages) {
    const left = base * BigInt(points) - (cents.get(id) ?? 0n) * cent
    due.set(id, (due.get(id) ?? 0n) + left)
    due.set(null, (due.get(null) ?? 0n) - left)
  }
  return due
}

/** Assigns the cents of an item; nothing where the page leaves it open. */
export const assign = (
  base: bigint,
  percentages: ReadonlyArray<Percentage>,
  before: ReadonlyMap<Party, bigint>,
): Assigned | undefined => {
  if (base < 0n) {
    const mirrored = assign(-base, percentages, turned(before))
    if (mirrored === undefined) return undefined
    const cents = new Map([...mirrored.cents].map(([id, amount]) => [id, -amount] as const))
    return { cents, due: turned(mirrored.due) }
  }
  const taking = base === 0n ? [] : percentages.filter(({ points }) => points > 0)
  const storePoints = cent - taking.reduce((sum, { points }) => sum + BigInt(points), 0n)
  if (storePoints < 0n) return undefined
  const parties: ReadonlyArray<{ readonly party: Party; readonly points: bigint }> = [
    ...taking.map(({ id, points }) => ({ party: id, points: BigInt(points) })),
    ...(storePoints > 0n ? [{ party: null, points: storePoints }] : []),
  ]
  const given = new Map<Party, bigint>()
  const candidates: Array<Candidate> = []
  for (const { party, points } of parties) {
    const due = base * points + (before.get(party) ?? 0n)
    const whole = due < 0n ? 0n : floored(due)
    given.set(party, whole)
    if (due > 0n && due > whole * cent) candidates.push({ party, points, rest: due - whole * cent })
  }
  const isOfGroup = ({ party }: { readonly party: Party }) => party !== null
  const sum = () => [...given.values()].reduce((all, amount) => all + amount, 0n)
  // Groups come first: what is due to them in whole cents is theirs, and the store has the rest.
  const toGroups = [...given].filter(([party]) => party !== null).reduce((a, [, b]) => a + b, 0n)
  if (toGroups > base) return undefined
  let odd = base - sum()
  if (odd > 0n) {
    // Windows: nobody gets a cent before 1/(2k - 2) of it is due; of the others, first who must not wait longest.
    const windows = 2n * BigInt(parties.length) - 2n
    const ready = candidates.filter(({ rest }) => windows > 0n && rest * windows >= cent)
    const deadline = ({ rest, points }: Candidate) => ({
      top: (cent - rest) * windows - cent,
      bottom: points * windows,
    })
    ready.sort((one, other) => {
      const [a, b] = [deadline(one), deadline(other)]
      const wait = a.top * b.bottom - b.top * a.bottom
      if (wait !== 0n) return wait < 0n ? -1 : 1
      if (isOfGroup(one) !== isOfGroup(other)) return isOfGroup(one) ? -1 : 1
      return (one.party ?? "") < (other.party ?? "") ? -1 : 1
    })
    if (BigInt(ready.length) < odd) return undefined
    for (const { party } of ready) {
      if (odd === 0n) break
      given.set(party, (given.get(party) ?? 0n) + 1n)
      odd -= 1n
    }
  }
  const cents = new Map<string, bigint>()
  for (const { id } of percentages) cents.set(id, given.get(id) ?? 0n)
  return { cents, due: leftBy(base, percentages, before, cents) }
}

const turned = (due: ReadonlyMap<Party, bigint>): ReadonlyMap<Party, bigint> =>
  new Map([...due].map(([party, remainder]) => [party, -remainder]))

/** A percentage of a whole as refunds take it: rounded half up, on the absolute value. */
const partOf = (whole: bigint, part: bigint, all: bigint): bigint => {
  if (all < 0n) return partOf(whole, -part, -all)
  return whole < 0n ? -partOf(-whole, part, all) : (2n * whole * part + all) / (2n * all)
}

/** A fraction of at least nothing and at most all. */
export interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

/** How much of an item is back after some refunds: of its goods, and of its shipping by itself. */
export interface Progress {
  readonly goods: Fraction
  readonly shipping: Fraction
}

const greater = (one: Fraction, other: Fraction): Fraction =>
  one.top * other.bottom >= other.top * one.bottom ? one : other

/**
 * What a refund takes off a group's remainder: the exact share of what goes back, to the ten-thousandth of a cent, less
 * the cents that go back. Shipping goes back as the greater of the two fractions says; with the goods where it was charged.
 */
export const takenOff = (
  share: { readonly exact: bigint; readonly goods: bigint; readonly shipping: bigint },
  refund: { readonly before: Progress; readonly after: Progress; readonly cents: bigint },
): bigint => {
  const isCharged = share.goods * share.shipping < 0n
  const back = ({ goods, shipping }: Progress) => {
    const parcel = isCharged ? goods : greater(goods, shipping)
    const ofShipping = share.shipping * cent
    const top =
      (share.exact - ofShipping) * goods.top * parcel.bottom +
      ofShipping * parcel.top * goods.bottom
    return partOf(top, 1n, goods.bottom * parcel.bottom)
  }
  return back(refund.after) - back(refund.before) - refund.cents * cent
}
