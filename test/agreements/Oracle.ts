/**
 * The agreements once more, from the written rules alone: a ledger that only grows, in which every balance is added up
 * anew each time it is needed, with exact fractions. It shares no code with the library.
 */

export interface OracleTerms {
  readonly advances: ReadonlyArray<{
    readonly id: string
    readonly collaboratorId: string
    readonly currency: string
    readonly amount: number
    readonly grantedAt: number
    readonly purpose: "expense" | "advance"
    readonly percent: string
    readonly groups: ReadonlyArray<string> | null
    readonly alsoFrom: ReadonlyArray<string>
  }>
  readonly reserves: ReadonlyArray<{
    readonly id: string
    readonly collaboratorId: string
    readonly percent: string
    readonly groups: ReadonlyArray<string> | null
    readonly schedule: ReadonlyArray<{ readonly days: number; readonly percent: string }>
  }>
  readonly guarantees: ReadonlyArray<{
    readonly id: string
    readonly collaboratorId: string
    readonly currency: string
    readonly amount: number
    readonly from: number
    readonly until: number
    readonly groups: ReadonlyArray<string> | null
  }>
  readonly overrides: ReadonlyArray<{
    readonly id: string
    readonly collaboratorId: string
    readonly of: "share" | "sale"
    readonly from: string | null
    readonly paidBy: "share" | "store"
    readonly percent: string
    readonly groups: ReadonlyArray<string> | null
  }>
}

export interface OracleSale {
  readonly orderId: string
  readonly currency: string
  readonly at: number
  readonly shares: ReadonlyArray<{
    readonly itemId: string
    readonly groupId: string
    readonly collaboratorId: string
    readonly amount: number
  }>
  readonly store: ReadonlyArray<{ readonly itemId: string; readonly amount: number }>
}

export interface OracleReversal {
  readonly orderId: string
  readonly itemId: string
  readonly refundedAt: number
  readonly shares: ReadonlyArray<{ readonly groupId: string; readonly amount: number }>
  readonly store: number
}

/** One line: whose money, for what, of which share, how much. */
export interface OracleLine {
  readonly event: "sale" | "refund" | "release" | "close"
  readonly kind: "share" | "store" | "override" | "reserve" | "release" | "recoupment" | "shortfall"
  /** The agreement; empty for shares. */
  readonly term: string
  /** `null`: the store. */
  readonly who: string | null
  readonly orderId: string
  readonly itemId: string
  readonly groupId: string | null
  readonly amount: bigint
}

/** What was agreed to be taken back with a share or with the sale. */
interface Part extends OracleLine {
  readonly currency: string
  /** The share that it goes back with, as an index of `shares`; `sale`: with the whole item. */
  readonly goesWith: number | "sale"
  /** For the receiver of an override: which share it made larger, as an index of `shares`. */
  readonly makes?: number
  /** For parts of a reserve. */
  readonly releaseAt?: number
  readonly place?: number
  /** For what was recouped from a released part: that part's line. */
  readonly fromPart?: Part
  /** Which guarantees it counted for. */
  readonly counts?: ReadonlyArray<string>
}

/** What somebody gets of an item under a group, from the sale and from overrides. */
interface Whole {
  readonly orderId: string
  readonly itemId: string
  readonly groupId: string | null
  readonly who: string
  amount: bigint
  readonly isDirect: boolean
}

const points = (percent: string): bigint => BigInt(percent.replace(".", ""))

const size = (value: bigint): bigint => (value < 0n ? -value : value)

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const halfUp = (numerator: bigint, denominator: bigint): bigint => {
  if (numerator < 0n !== denominator < 0n) return -halfUp(size(numerator), size(denominator))
  return (2n * size(numerator) + size(denominator)) / (2n * size(denominator))
}

/** Percentages of an amount together with its rest, by largest remainder; the rest comes last and is left out. */
const together = (amount: bigint, percents: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  if (amount < 0n) return together(-amount, percents).map((part) => -part)
  const all = [...percents, 10_000n - percents.reduce((sum, one) => sum + one, 0n)]
  const parts = all.map((percent) => (amount * percent) / 10_000n)
  const rests = all.map((percent, index) => ({ index, rest: (amount * percent) % 10_000n }))
  let left = parts.reduce((sum, part) => sum - part, amount)
  for (const { index } of rests.sort((a, b) => Number(b.rest - a.rest) || a.index - b.index)) {
    if (left === 0n) break
    parts[index] = (parts[index] ?? 0n) + 1n
    left -= 1n
  }
  return parts.slice(0, -1)
}

/** No more than is there, and nothing where what is there has the other sign. */
const cut = (part: bigint, left: bigint): bigint => {
  if (part > 0n) return left <= 0n ? 0n : part < left ? part : left
  return left >= 0n ? 0n : part > left ? part : left
}

const concerns = (groups: ReadonlyArray<string> | null, groupId: string | null): boolean =>
  groups === null || (groupId !== null && groups.includes(groupId))

export class Oracle {
  /** Every line there ever was. */
  readonly lines: Array<Part> = []
  readonly #shares: Array<Whole> = []
  readonly #closed = new Set<string>()
  readonly #sales: Array<OracleSale> = []
  readonly #reversals: Array<OracleReversal> = []
  /** Released parts, by their place among the lines. */
  readonly #released = new Map<Part, Part>()

  recouped(advanceId: string): bigint {
    return -this.#sum((line) => line.kind === "recoupment" && line.term === advanceId)
  }

  earned(guaranteeId: string): bigint {
    return this.#sum((line) => line.counts?.includes(guaranteeId) === true)
  }

  isClosed(guaranteeId: string): boolean {
    return this.#closed.has(guaranteeId)
  }

  /** What is still held of each part of a reserve. */
  held(): ReadonlyArray<{ readonly part: Part; readonly amount: bigint }> {
    return this.lines
      .filter((line) => line.kind === "reserve" && line.event === "sale")
      .filter((line) => !this.#released.has(line))
      .map((part) => ({ part, amount: -part.amount - this.#reversed(part) }))
      .filter(({ amount }) => amount !== 0n)
  }

  heldOf(reserveId: string, currency: string): bigint {
    return this.held()
      .filter(({ part }) => part.term === reserveId && part.currency === currency)
      .reduce((sum, { amount }) => sum + amount, 0n)
  }

  totalOf(who: string | null): bigint {
    return this.#sum((line) => line.who === who)
  }

  sale(terms: OracleTerms, sale: OracleSale): ReadonlyArray<OracleLine> {
    const before = this.lines.length
    this.#sales.push(sale)
    for (const { itemId } of [...sale.store].sort((a, b) => byText(a.itemId, b.itemId))) {
      this.#item(terms, sale, itemId)
    }
    return this.lines.slice(before)
  }

  release(terms: OracleTerms, at: number): ReadonlyArray<OracleLine> {
    const before = this.lines.length
    const due = this.held()
      .filter(({ part }) => (part.releaseAt ?? 0) <= at)
      .sort(
        ({ part: a }, { part: b }) =>
          (a.releaseAt ?? 0) - (b.releaseAt ?? 0) ||
          byText(a.term, b.term) ||
          byText(a.orderId, b.orderId) ||
          byText(a.itemId, b.itemId) ||
          byText(a.groupId ?? "", b.groupId ?? "") ||
          byText(a.who ?? "", b.who ?? "") ||
          (a.place ?? 0) - (b.place ?? 0),
      )
    for (const { part, amount } of due) {
      const line: Part = { ...part, event: "release", kind: "release", amount }
      this.lines.push(line)
      this.#released.set(part, line)
      this.#recoup(terms, { ...part, event: "release", at }, amount, part)
    }
    return this.lines.slice(before)
  }

  close(terms: OracleTerms, at: number): ReadonlyArray<OracleLine> {
    const before = this.lines.length
    for (const one of [...terms.guarantees].sort((a, b) => byText(a.id, b.id))) {
      if (one.until > at || this.#closed.has(one.id)) continue
      this.#closed.add(one.id)
      const short = BigInt(one.amount) - this.earned(one.id)
      this.lines.push({
        ...{ event: "close", kind: "shortfall", term: one.id, who: one.collaboratorId },
        ...{ orderId: "", itemId: "", groupId: null, currency: one.currency, goesWith: "sale" },
        amount: short > 0n ? short : 0n,
      })
    }
    return this.lines.slice(before)
  }

  /** Takes back of every line its rounded part, in all; a refund is the difference that it makes. */
  refund(reversal: OracleReversal): ReadonlyArray<OracleLine> {
    const ofItem = this.lines.filter(
      (line) =>
        line.event !== "refund" &&
        line.kind !== "release" &&
        line.orderId === reversal.orderId &&
        line.itemId === reversal.itemId &&
        !(line.kind === "reserve" && this.#released.has(line)),
    )
    const before = ofItem.map((line) => this.#back(line))
    this.#reversals.push(reversal)
    const made = ofItem.flatMap((line, index): ReadonlyArray<Part> => {
      const amount = (before[index] ?? 0n) - this.#back(line)
      return amount === 0n ? [] : [{ ...line, event: "refund", amount }]
    })
    this.lines.push(...made)
    return made
  }

  #sum(is: (line: Part) => boolean): bigint {
    return this.lines.reduce((sum, line) => (is(line) ? sum + line.amount : sum), 0n)
  }

  /** What went back of a share, or of the store's rest, as the refunds say. */
  #given(orderId: string, itemId: string, groupId: string | null): bigint {
    return this.#reversals
      .filter((one) => one.orderId === orderId && one.itemId === itemId)
      .map((one) => (groupId === null ? one.store : this.#givenOf(one, groupId)))
      .reduce((sum, amount) => sum + BigInt(amount), 0n)
  }

  #givenOf(reversal: OracleReversal, groupId: string): number {
    return reversal.shares.find((share) => share.groupId === groupId)?.amount ?? 0
  }

  /** How much of a share is back, as a fraction between nothing and all. */
  #progress(goesWith: number | "sale", part: Part): readonly [bigint, bigint] {
    const limited = (back: bigint, all: bigint): readonly [bigint, bigint] => {
      if (all === 0n || back < 0n !== all < 0n) return [0n, 1n]
      return size(back) > size(all) ? [1n, 1n] : [size(back), size(all)]
    }
    if (goesWith !== "sale") {
      const share = this.#shares[goesWith]
      if (share === undefined) throw new RangeError("no such share")
      return limited(this.#backOfShare(goesWith), share.amount)
    }
    const { orderId, itemId } = part
    const lines = this.lines.filter(
      (line) =>
        line.event === "sale" &&
        line.orderId === orderId &&
        line.itemId === itemId &&
        (line.kind === "share" || line.kind === "store"),
    )
    const all = lines.reduce((sum, line) => sum + line.amount, 0n)
    const back = lines.reduce((sum, line) => sum + this.#given(orderId, itemId, line.groupId), 0n)
    return limited(back, all)
  }

  #backOfShare(index: number): bigint {
    const share = this.#shares[index]
    if (share === undefined) throw new RangeError("no such share")
    if (share.isDirect) return this.#given(share.orderId, share.itemId, share.groupId)
    return this.lines
      .filter((line) => line.makes === index && line.event === "sale")
      .reduce((sum, line) => sum + this.#back(line), 0n)
  }

  /** What is back of a line by now, in its own sign. */
  #back(line: Part): bigint {
    if (line.kind === "share" || line.kind === "store") {
      return this.#given(line.orderId, line.itemId, line.groupId)
    }
    if (line.fromPart !== undefined) {
      const released = this.#released.get(line.fromPart)?.amount ?? 0n
      const since = size(this.#back(line.fromPart)) - (size(line.fromPart.amount) - released)
      return halfUp(line.amount * since, released)
    }
    const [back, all] = this.#progress(line.goesWith, line)
    return halfUp(line.amount * back, all)
  }

  #reversed(part: Part): bigint {
    return -this.#back(part)
  }

  /** How many links lead to somebody, at most. */
  #chain(terms: OracleTerms, who: string): number {
    const above = terms.overrides.filter((one) => one.collaboratorId === who)
    return Math.max(
      0,
      ...above.map((one) => 1 + (one.from === null ? 0 : this.#chain(terms, one.from))),
    )
  }

  #item(terms: OracleTerms, sale: OracleSale, itemId: string): void {
    const { orderId, currency, at } = sale
    const direct = sale.shares.filter((share) => share.itemId === itemId)
    const rest = BigInt(sale.store.find((store) => store.itemId === itemId)?.amount ?? 0)
    const broughtIn = direct.reduce((sum, share) => sum + BigInt(share.amount), rest)
    const common = { event: "sale", orderId, itemId, currency } as const
    let storeLeft = rest
    this.lines.push({
      ...{ ...common, kind: "store", term: "", who: null, groupId: null, goesWith: "sale" },
      amount: rest,
    })
    const counts = (who: string, groupId: string | null) =>
      terms.guarantees
        .filter((one) => one.collaboratorId === who && one.currency === currency)
        .filter((one) => concerns(one.groups, groupId) && one.from <= at && at < one.until)
        .map((one) => one.id)
    const open: Array<number> = []
    for (const { groupId, collaboratorId: who, amount } of direct) {
      open.push(this.#shares.length)
      this.#shares.push({ orderId, itemId, groupId, who, amount: BigInt(amount), isDirect: true })
      this.lines.push({
        ...{ ...common, kind: "share", term: "", who, groupId, goesWith: this.#shares.length - 1 },
        ...{ amount: BigInt(amount), counts: counts(who, groupId) },
      })
    }
    /** Moves a part from whoever pays it to who gets it. */
    const move = (
      override: OracleTerms["overrides"][number],
      part: bigint,
      options: { readonly payer: number | "store"; readonly goesWith: number | "sale" },
    ) => {
      if (part === 0n) return
      const { payer, goesWith } = options
      const source = payer === "store" ? undefined : this.#shares[payer]
      const ofShare = goesWith === "sale" ? undefined : this.#shares[goesWith]
      const groupId = override.of === "sale" ? null : (ofShare?.groupId ?? null)
      const who = override.collaboratorId
      let makes = open.find(
        (index) => this.#shares[index]?.who === who && this.#shares[index]?.groupId === groupId,
      )
      if (makes === undefined) {
        makes = this.#shares.length
        this.#shares.push({ orderId, itemId, groupId, who, amount: 0n, isDirect: false })
        open.push(makes)
      }
      const made = this.#shares[makes]
      if (made !== undefined) made.amount += part
      const line = { ...common, kind: "override", term: override.id, goesWith } as const
      this.lines.push(
        { ...line, who, groupId, amount: part, makes, counts: counts(who, groupId) },
        { ...line, who: source?.who ?? null, groupId: source?.groupId ?? null, amount: -part },
      )
    }
    const sorted = [...terms.overrides].sort((a, b) => byText(a.id, b.id))
    const all = sorted.filter((one) => one.of === "sale" && one.from === null)
    const ofSale = all.filter(
      (one) => one.groups === null || direct.some((share) => concerns(one.groups, share.groupId)),
    )
    const percentsOf = (some: ReadonlyArray<{ readonly percent: string }>) =>
      some.map((one) => points(one.percent))
    together(broughtIn, percentsOf(ofSale)).forEach((part, index) => {
      const override = ofSale[index]
      if (override === undefined) return
      const paid = cut(part, storeLeft)
      storeLeft -= paid
      move(override, paid, { payer: "store", goesWith: "sale" })
    })
    const done = new Set<number>()
    for (;;) {
      const [next] = open
        .filter((index) => !done.has(index))
        .sort((a, b) => {
          const [one, other] = [this.#shares[a], this.#shares[b]]
          if (one === undefined || other === undefined) return 0
          return (
            this.#chain(terms, one.who) - this.#chain(terms, other.who) ||
            byText(one.who, other.who) ||
            byText(one.groupId ?? "", other.groupId ?? "")
          )
        })
      if (next === undefined) break
      done.add(next)
      const share = this.#shares[next]
      if (share === undefined) break
      const { groupId, who, amount } = share
      const mine = sorted.filter((one) => one.from === who && concerns(one.groups, groupId))
      let own = amount
      for (const paidBy of ["share", "store"] as const) {
        const some = mine.filter((one) => one.of === "share" && one.paidBy === paidBy)
        together(amount, percentsOf(some)).forEach((part, index) => {
          const override = some[index]
          if (override === undefined) return
          const paid = paidBy === "share" ? part : cut(part, storeLeft)
          if (paidBy === "share") own -= paid
          else storeLeft -= paid
          move(override, paid, { payer: paidBy === "share" ? next : "store", goesWith: next })
        })
      }
      for (const paidBy of ["share", "store"] as const) {
        const some = mine.filter((one) => {
          if (one.of !== "sale" || one.paidBy !== paidBy || !share.isDirect) return false
          const firsts = direct
            .filter((each) => each.collaboratorId === who && concerns(one.groups, each.groupId))
            .map((each) => each.groupId)
          return [...firsts].sort(byText)[0] === groupId
        })
        together(broughtIn, percentsOf(some)).forEach((part, index) => {
          const override = some[index]
          if (override === undefined) return
          const paid = cut(part, paidBy === "share" ? own : storeLeft)
          if (paidBy === "share") own -= paid
          else storeLeft -= paid
          const goesWith = paidBy === "share" ? next : "sale"
          move(override, paid, { payer: paidBy === "share" ? next : "store", goesWith })
        })
      }
      const line = { ...common, who, groupId, goesWith: next, at } as const
      const credited = this.#reserve(terms, line, own)
      this.#recoup(terms, line, credited)
    }
  }

  #reserve(
    terms: OracleTerms,
    line: Pick<Part, "orderId" | "itemId" | "groupId" | "currency" | "goesWith"> & {
      readonly event: "sale"
      readonly who: string
      readonly at: number
    },
    own: bigint,
  ): bigint {
    if (own <= 0n) return own
    const { at, ...rest } = line
    const some = terms.reserves
      .filter((one) => one.collaboratorId === line.who && concerns(one.groups, line.groupId))
      .sort((a, b) => byText(a.id, b.id))
    let credited = own
    together(
      own,
      some.map((one) => points(one.percent)),
    ).forEach((held, index) => {
      const reserve = some[index]
      if (reserve === undefined) return
      credited -= held
      const parts = together(
        held,
        reserve.schedule.map((each) => points(each.percent)),
      )
      parts.forEach((part, place) => {
        if (part === 0n) return
        const releaseAt = at + (reserve.schedule[place]?.days ?? 0) * 86_400
        const term = reserve.id
        this.lines.push({ ...rest, kind: "reserve", term, amount: -part, releaseAt, place })
      })
    })
    return credited
  }

  #recoup(
    terms: OracleTerms,
    line: Pick<Part, "orderId" | "itemId" | "groupId" | "currency" | "goesWith" | "who"> & {
      readonly event: "sale" | "release"
      readonly at: number
    },
    credited: bigint,
    fromPart?: Part,
  ): void {
    const { event, who, orderId, itemId, groupId, currency, goesWith, at } = line
    const kinds = ["expense", "advance"]
    const some = terms.advances
      .filter((one) => one.currency === currency && one.grantedAt <= at)
      .filter((one) => one.collaboratorId === who || one.alsoFrom.includes(who ?? ""))
      .filter((one) => concerns(one.groups, groupId))
      .sort(
        (a, b) =>
          kinds.indexOf(a.purpose) - kinds.indexOf(b.purpose) ||
          a.grantedAt - b.grantedAt ||
          byText(a.id, b.id),
      )
    let left = credited
    for (const one of some) {
      if (left <= 0n) return
      const still = BigInt(one.amount) - this.recouped(one.id)
      const limit = halfUp(credited * points(one.percent), 10_000n)
      const taken = [still, limit, left].reduce((least, each) => (each < least ? each : least))
      if (taken <= 0n) continue
      left -= taken
      this.lines.push({
        ...{ event, kind: "recoupment", term: one.id, who, orderId, itemId, groupId, currency },
        ...{ goesWith, amount: -taken, ...(fromPart === undefined ? {} : { fromPart }) },
      })
    }
  }
}
