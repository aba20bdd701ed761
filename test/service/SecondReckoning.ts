/**
 * What collaborators have of sales, reckoned once more from the decisions and without any code of the library: recorded
 * shares, refunds, re-splits, sales of the past and what was paid, slow and simple, with whole numbers only.
 */

/** A part of something, as a fraction. */
interface Part {
  readonly of: bigint
  readonly over: bigint
}

const half = (value: bigint, { of, over }: Part): bigint => {
  const [sign, size] = value * of < 0n ? [-1n, -value * of] : [1n, value * of]
  return sign * ((2n * size + over) / (2n * over))
}

const digits: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3 }

/** An amount at a rate, to the nearest cent, halves away from zero. */
const convert = (
  amount: bigint,
  { from, to, rate }: { from: string; to: string; rate: string | null },
) => {
  if (rate === null) return amount
  const [whole = "", fraction = ""] = rate.split(".")
  const shift = (digits[to] ?? 2) - (digits[from] ?? 2)
  const of = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, shift))
  return half(amount, { of, over: 10n ** BigInt(fraction.length + Math.max(0, -shift)) })
}

export interface SoldThing {
  readonly id: string
  readonly product: string
  readonly amount: number
  readonly discount: number
  readonly quantity: number
}

/** A rule: of which product, or of all. */
export interface Rule {
  readonly id: string
  readonly who: string
  readonly product: string | undefined
  /** Hundredths of a percent. */
  readonly points: number
}

/** What each rule gives of an item: floors, and the odd cents to the largest remainders, the store's among them. */
const sharesOf = ({ product, amount, discount }: SoldThing, rules: ReadonlyArray<Rule>) => {
  const net = BigInt(amount) - BigInt(discount)
  const sign = net < 0n ? -1n : 1n
  const base = net * sign
  // A rule that gives nothing of anything has no share, not one of nothing.
  const own = rules.filter(
    (rule) => rule.points > 0 && (rule.product === undefined || rule.product === product),
  )
  const all = own.reduce((sum, { points }) => sum + points, 0)
  const claims = [
    ...own.map(({ id, points }) => ({ id, points })),
    { id: "", points: 10_000 - all },
  ]
  const cut = claims.map(({ id, points }) => {
    const exact = base * BigInt(points)
    return { id, cents: exact / 10_000n, rest: exact % 10_000n }
  })
  let odd = base - cut.reduce((sum, { cents }) => sum + cents, 0n)
  const byRest = [...cut].sort((one, other) => {
    if (one.rest !== other.rest) return one.rest > other.rest ? -1 : 1
    if (one.id === "" || other.id === "") return one.id === "" ? 1 : -1
    return one.id < other.id ? -1 : 1
  })
  for (const claim of byRest) {
    if (odd === 0n || claim.rest === 0n) break
    claim.cents += 1n
    odd -= 1n
  }
  return new Map(cut.flatMap(({ id, cents }) => (id === "" ? [] : [[id, cents * sign] as const])))
}

/** Something that a collaborator got of an item: a share, or what a re-split changed of it. */
interface Claim {
  readonly rule: string
  readonly who: string
  readonly amount: bigint
  /** How much of the item was refunded already when it came. */
  readonly since: Part
  readonly currency: string
  readonly rate: string | null
  /** What is left of it, in cents of the order and of the payout. */
  left: bigint
  converted: bigint
}

interface Sold {
  readonly thing: SoldThing
  readonly part: number
  readonly claims: Array<Claim>
  /** The split in force, refunds left aside. */
  inForce: Entitlements
  /** Who ever had a share, of nothing too. */
  readonly sharers: Set<string>
  refunded: Part
}

/** A part of an order: what was recorded at once. */
export interface Lot {
  readonly orderId: string
  readonly part: number
  readonly currency: string
  readonly soldAt: number
  readonly recordedAt: number
  readonly isPast: boolean
  readonly items: Array<Sold>
  readonly rates: Map<string, string | null>
  adjustments: number
}

/** What was added to what a collaborator has, and when it counts. */
interface Movement {
  readonly who: string
  readonly currency: string
  readonly at: number
  readonly amount: bigint
  readonly kind: "sale" | "refund" | "adjustment" | "entry"
  /** When it was paid, for what is of the past. */
  readonly paidAt: number | undefined
}

const nothing: Part = { of: 0n, over: 1n }

const plus = (one: Part, other: Part): Part => ({
  of: one.of * other.over + other.of * one.over,
  over: one.over * other.over,
})

/** What part of what was left is refunded by now. */
const since = (start: Part, now: Part): Part => ({
  of: now.of * start.over - start.of * now.over,
  over: now.over * (start.over - start.of),
})

const isWhole = ({ of, over }: Part): boolean => of === over

export interface Person {
  readonly id: string
  readonly currency: string
  readonly every: "month" | "week" | "day"
  readonly frequency: number
  readonly holdingDays: number
}

export interface World {
  readonly people: ReadonlyArray<Person>
  readonly paidUntil: number
  readonly rateAt: (from: string, to: string, at: number) => string
}

const day = 86_400
const first = Date.UTC(1900, 0, 1) / 1_000

/** The first day, counted from the year 1900, of the period after a time. */
const nextPeriod = ({ every, frequency }: Person, at: number): number => {
  if (every === "month") {
    const date = new Date(at * 1_000)
    const months = (date.getUTCFullYear() - 1900) * 12 + date.getUTCMonth()
    const next = (Math.floor(months / frequency) + 1) * frequency
    return Date.UTC(1900, next, 1) / 1_000
  }
  const length = (every === "week" ? 7 : 1) * frequency * day
  return first + (Math.floor((at - first) / length) + 1) * length
}

/** Whose share through which rule. */
interface Entitled {
  readonly rule: string
  readonly who: string
  readonly amount: bigint
}

type Entitlements = ReadonlyMap<string, Entitled>

const nameOf = ({ rule, who }: Pick<Entitled, "rule" | "who">): string =>
  JSON.stringify([rule, who])

const entitlementsOf = (thing: SoldThing, rules: ReadonlyArray<Rule>): Entitlements =>
  new Map(
    [...sharesOf(thing, rules)].map(([rule, amount]) => {
      const who = rules.find(({ id }) => id === rule)?.who ?? ""
      return [nameOf({ rule, who }), { rule, who, amount }] as const
    }),
  )

/** Books of one shop. */
export class Books {
  readonly lots: Array<Lot> = []
  readonly movements: Array<Movement> = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  record(
    sale: {
      readonly orderId: string
      readonly currency: string
      readonly soldAt: number
      readonly items: ReadonlyArray<SoldThing>
    },
    rules: ReadonlyArray<Rule>,
    now: number | undefined,
  ): void {
    const { orderId, currency, soldAt, items } = sale
    const at = now ?? soldAt
    const part = this.lots.filter((lot) => lot.orderId === orderId).length + 1
    const isPast = now === undefined
    const lot: Lot = {
      ...{ orderId, part, currency, soldAt, recordedAt: at, isPast, items: [] },
      ...{ rates: new Map(), adjustments: 0 },
    }
    this.lots.push(lot)
    for (const thing of items) {
      const inForce = entitlementsOf(thing, rules)
      const sharers = new Set(Array.from(inForce.values(), ({ who }) => who))
      const sold: Sold = { thing, part, claims: [], inForce, sharers, refunded: nothing }
      lot.items.push(sold)
      for (const entitled of inForce.values()) {
        const paidAt = isPast ? this.paidAt(entitled.who, at) : undefined
        this.#give(lot, sold, { ...entitled, at, kind: "sale", paidAt })
      }
    }
  }

  /** The item, as long as it is not wholly refunded. */
  find(orderId: string, itemId: string) {
    for (const lot of this.lots) {
      const sold = lot.items.find(({ thing }) => lot.orderId === orderId && thing.id === itemId)
      if (sold !== undefined) return { lot, sold }
    }
    return undefined
  }

  /** Whether a refund can be; when it can, it is done. Without `now` it is one of the past. */
  refund(
    {
      orderId,
      itemId,
      ...asked
    }: {
      readonly orderId: string
      readonly itemId: string
      readonly amount?: number
      readonly quantity?: number
      readonly remaining?: true
    },
    at: number,
    isPast: boolean,
  ): boolean {
    const found = this.find(orderId, itemId)
    if (found === undefined) return false
    const { lot, sold } = found
    const { thing } = sold
    const paid = BigInt(thing.amount) - BigInt(thing.discount)
    const size = paid < 0n ? -paid : paid
    let refunded = sold.refunded
    if (asked.amount !== undefined) {
      refunded = plus(refunded, { of: BigInt(Math.abs(asked.amount)), over: size })
    }
    if (asked.quantity !== undefined) {
      refunded = plus(refunded, { of: BigInt(asked.quantity), over: BigInt(thing.quantity) })
    }
    if (asked.remaining === true) refunded = { of: 1n, over: 1n }
    if (refunded.of > refunded.over) return false
    sold.refunded = refunded
    for (const claim of sold.claims) {
      const left = claim.amount - half(claim.amount, since(claim.since, refunded))
      const converted = convert(left, { from: lot.currency, to: claim.currency, rate: claim.rate })
      const amount = converted - claim.converted
      const isSame = left === claim.left
      claim.left = left
      claim.converted = converted
      const paidAt = isPast ? this.paidAt(claim.who, at) : undefined
      const { who, currency } = claim
      // Nothing is noted of what takes nothing back.
      if (isSame) continue
      this.movements.push({ who, currency, at, amount, kind: "refund", paidAt })
    }
    return true
  }

  /** The differences of an item, which come to nothing when all are 0. */
  differences({ thing, inForce, claims, refunded }: Sold, rules: ReadonlyArray<Rule>) {
    const next = entitlementsOf(thing, rules)
    const changed: Array<Entitled> = []
    for (const [name, { rule, who }] of new Map([...inForce, ...next])) {
      const [old = 0n, fresh = 0n] = [inForce.get(name)?.amount, next.get(name)?.amount]
      if (old === fresh) continue
      const own = claims.filter((claim) => nameOf(claim) === name)
      const has = own.reduce((sum, { left }) => sum + left, 0n)
      const amount = fresh - half(fresh, refunded) - has
      if (amount !== 0n) changed.push({ rule, who, amount })
    }
    return { next, changed }
  }

  /** Books what other rules give; tells how many lots are changed. */
  resplit(lots: ReadonlyArray<Lot>, rules: ReadonlyArray<Rule>, now: number): number {
    let count = 0
    for (const lot of lots) {
      const all = lot.items.map((sold) => ({ sold, ...this.differences(sold, rules) }))
      if (all.every(({ changed }) => changed.length === 0)) continue
      count += 1
      lot.adjustments += 1
      const rates = new Map(lot.rates)
      for (const { sold, next, changed } of all) {
        sold.inForce = next
        for (const { who } of next.values()) sold.sharers.add(who)
        for (const { rule, who, amount } of changed) {
          const given = {
            rule,
            who,
            amount,
            at: now,
            kind: "adjustment",
            paidAt: undefined,
          } as const
          this.#give(lot, sold, given, rates)
        }
      }
    }
    return count
  }

  /** What each has of some lots, refunds taken off, in cents of the order, by currency and month of the sale. */
  kept(lots: ReadonlyArray<Lot>): ReadonlyMap<string, bigint> {
    const sums = new Map<string, bigint>()
    for (const { currency, soldAt, items } of lots) {
      const month = new Date(soldAt * 1_000).toISOString().slice(0, 7)
      for (const { who, left } of items.flatMap(({ claims }) => claims)) {
        const key = `${who} ${currency} ${month}`
        sums.set(key, (sums.get(key) ?? 0n) + left)
      }
    }
    return sums
  }

  enter(who: string, amount: bigint, at: number): void {
    const { currency } = this.#person(who)
    this.movements.push({ who, currency, at, amount, kind: "entry", paidAt: undefined })
  }

  /** When something of the past was paid. */
  paidAt(who: string, at: number): number {
    const person = this.#person(who)
    return Math.min(nextPeriod(person, at) + person.holdingDays * day, this.#world.paidUntil)
  }

  /** Up to when something of the past was collected. */
  closedAt(who: string, at: number): number {
    return Math.min(nextPeriod(this.#person(who), at), this.#world.paidUntil)
  }

  /** All that a collaborator ever got in a currency, in some time. */
  sum(
    who: string,
    currency: string,
    isMeant: (movement: Movement) => boolean = () => true,
  ): bigint {
    return this.movements.reduce((sum, movement) => {
      const isOwn = movement.who === who && movement.currency === currency
      return isOwn && isMeant(movement) ? sum + movement.amount : sum
    }, 0n)
  }

  #person(who: string): Person {
    const person = this.#world.people.find(({ id }) => id === who)
    if (person === undefined) throw new TypeError(`nobody is called ${who}`)
    return person
  }

  /** What a claim gets; the rate is that of the collaborator's other claims in the same lot, or of the day. */
  #give(
    lot: Lot,
    sold: Sold,
    claim: Pick<Claim, "rule" | "who" | "amount"> & Pick<Movement, "at" | "kind" | "paidAt">,
    known: ReadonlyMap<string, string | null> = lot.rates,
  ): void {
    const { rule, who, amount, at, kind, paidAt } = claim
    const { currency } = this.#person(who)
    const today = lot.currency === currency ? null : this.#world.rateAt(lot.currency, currency, at)
    const rate = known.get(who) ?? today
    if (!lot.rates.has(who)) lot.rates.set(who, rate)
    const converted = convert(amount, { from: lot.currency, to: currency, rate })
    const start = sold.refunded
    sold.claims.push({ rule, who, amount, since: start, currency, rate, left: amount, converted })
    this.movements.push({ who, currency, at, amount: converted, kind, paidAt })
  }
}

/** Whether an item is refunded as a whole. */
export const isGone = ({ refunded }: { readonly refunded: Part }): boolean => isWhole(refunded)
