/**
 * A spreadsheet of royalties, worked out line by line in the order of time with fractions of whole numbers. It knows
 * nothing of the library: both are written from the same agreements.
 */

/** Rounds a fraction of cents half-up, away from 0. */
export const rounded = (amount: bigint, unit: bigint): bigint => {
  const isNegative = amount < 0n
  const size = isNegative ? -amount : amount
  const whole = (size * 2n + unit) / (unit * 2n)
  return isNegative ? -whole : whole
}

/** Hundredths of a percent of some cents. */
export const percentOf = (cents: bigint, points: number): bigint =>
  rounded(cents * BigInt(points), 10_000n)

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** So many copies of a title at one price, on an invoice. */
export interface Invoice {
  readonly order: string
  readonly title: string
  /** Unix seconds. */
  readonly at: number
  readonly quantity: number
  /** Cents of all of them. */
  readonly amount: number
}

/** Copies of an invoice that came back, once at most. */
export interface CopiesBack {
  readonly order: string
  readonly title: string
  readonly at: number
  readonly quantity: number
}

/** What somebody gets of a title. */
export interface Royalty {
  readonly title: string
  readonly who: string
  /** Hundredths of a percent up to each number of copies sold; the last one has no end. */
  readonly steps: ReadonlyArray<{ readonly below: number; readonly points: number }>
  /** The most in a month, in cents. */
  readonly mostInMonth?: number
}

/** A commission out of somebody's royalties. */
export interface Commission {
  readonly who: string
  readonly of: string
  readonly points: number
}

/** A part of royalties that is kept back, and paid out in equal parts after so many days. */
export interface Kept {
  readonly who: string
  readonly points: number
  readonly days: ReadonlyArray<number>
}

/** Money that was paid before, in the order in which it is earned back. */
export interface Prepaid {
  readonly name: string
  readonly who: string
  readonly titles: ReadonlyArray<string>
  readonly amount: number
  /** How much of what is credited it takes. */
  readonly points: number
}

/** What somebody earns at least in the year. */
export interface Minimum {
  readonly who: string
  readonly amount: number
}

export interface Contract {
  readonly royalties: ReadonlyArray<Royalty>
  readonly commissions: ReadonlyArray<Commission>
  readonly kept: ReadonlyArray<Kept>
  readonly prepaid: ReadonlyArray<Prepaid>
  readonly minimums: ReadonlyArray<Minimum>
}

export const kinds = [
  ...(["royalty", "returned", "commission", "kept", "paid out", "earned back"] as const),
  "minimum",
] as const

/** A line of the spreadsheet. */
export interface Row {
  readonly at: number
  readonly order: string
  readonly title: string
  readonly who: string
  readonly kind: (typeof kinds)[number]
  readonly cents: bigint
}

interface Due {
  readonly who: string
  readonly order: string
  readonly title: string
  readonly at: number
  cents: bigint
}

interface Booked {
  readonly invoice: Invoice
  readonly royalty: Royalty
  readonly cents: bigint
  /** What was booked of it beside the royalty. */
  readonly others: ReadonlyArray<{
    readonly row: Row
    readonly prepaid?: string
    readonly due?: Due
  }>
}

const day = 86_400
export const monthOf = (at: number): string => new Date(at * 1_000).toISOString().slice(0, 7)

/** The spreadsheet of a year. */
export class Sheet {
  readonly rows: Array<Row> = []
  private readonly contract: Contract
  private readonly sold = new Map<string, number>()
  private readonly paidInMonth = new Map<string, bigint>()
  private readonly earnedBack = new Map<string, bigint>()
  private readonly earned = new Map<string, bigint>()
  private readonly booked = new Map<string, Booked>()
  private dues: Array<Due> = []

  constructor(contract: Contract) {
    this.contract = contract
  }

  /** Books invoices and returns by their time, and closes the year. */
  fill(invoices: ReadonlyArray<Invoice>, returns: ReadonlyArray<CopiesBack>, end: number): void {
    const events = [
      ...invoices.map((invoice) => ({ at: invoice.at, book: () => this.sell(invoice) })),
      ...returns.map((back) => ({ at: back.at, book: () => this.takeBack(back) })),
    ].sort((one, other) => one.at - other.at)
    for (const { at, book } of events) {
      this.payOut(at)
      book()
    }
    this.payOut(end - 1)
    for (const { who, amount } of this.contract.minimums) {
      const lacking = BigInt(amount) - (this.earned.get(who) ?? 0n)
      if (lacking > 0n)
        this.add({ at: end, order: "", title: "", who, kind: "minimum", cents: lacking })
    }
  }

  /** What is left to earn back, and what is kept, by name and by person. */
  balances(): { readonly open: Record<string, string>; readonly kept: Record<string, string> } {
    const open: Record<string, string> = {}
    for (const { name, amount } of this.contract.prepaid) {
      open[name] = String(BigInt(amount) - (this.earnedBack.get(name) ?? 0n))
    }
    const kept: Record<string, string> = {}
    for (const { who } of this.contract.kept) {
      const own = this.dues.filter((due) => due.who === who)
      kept[who] = String(own.reduce((sum, { cents }) => sum + cents, 0n))
    }
    return { open, kept }
  }

  /** How many copies of a title are sold. */
  copies(title: string): number {
    return this.sold.get(title) ?? 0
  }

  private add(row: Row): Row {
    if (row.cents !== 0n) this.rows.push(row)
    return row
  }

  private earn(who: string, cents: bigint): void {
    this.earned.set(who, (this.earned.get(who) ?? 0n) + cents)
  }

  private royaltyOf({ title, quantity, amount, at }: Invoice, royalty: Royalty): bigint {
    let at0 = this.copies(title)
    let left = quantity
    // Copies times points, so that the amount is divided once.
    let sum = 0n
    for (const { below, points } of royalty.steps) {
      const here = Math.max(0, Math.min(left, below - at0))
      sum += BigInt(here) * BigInt(points)
      left -= here
      at0 += here
    }
    const full = rounded(BigInt(amount) * sum, BigInt(quantity) * 10_000n)
    if (royalty.mostInMonth === undefined) return full
    const key = `${royalty.who} ${title} ${monthOf(at)}`
    const paid = this.paidInMonth.get(key) ?? 0n
    const cents = least(full, BigInt(royalty.mostInMonth) - paid)
    this.paidInMonth.set(key, paid + cents)
    return cents
  }

  private sell(invoice: Invoice): void {
    const { order, title, at } = invoice
    for (const royalty of this.contract.royalties) {
      if (royalty.title !== title) continue
      const { who } = royalty
      const cents = this.royaltyOf(invoice, royalty)
      this.add({ at, order, title, who, kind: "royalty", cents })
      this.earn(who, cents)
      const others = this.bookOthers({ at, order, title, who }, cents)
      this.booked.set(`${order} ${title}`, { invoice, royalty, cents, others })
    }
    this.sold.set(title, this.copies(title) + invoice.quantity)
  }

  private bookOthers(line: Omit<Row, "kind" | "cents">, cents: bigint): Booked["others"] {
    const others: Array<Booked["others"][number]> = []
    let left = cents
    for (const { who, of, points } of this.contract.commissions) {
      if (of !== line.who) continue
      const part = percentOf(cents, points)
      left -= part
      others.push({ row: this.add({ ...line, kind: "commission", cents: -part }) })
      others.push({ row: this.add({ ...line, who, kind: "commission", cents: part }) })
    }
    for (const { who, points, days } of this.contract.kept) {
      if (who !== line.who) continue
      const part = percentOf(left, points)
      left -= part
      this.add({ ...line, kind: "kept", cents: -part })
      days.forEach((after, place) => {
        // The odd cent is in the first part.
        const share = part / BigInt(days.length)
        const odd = BigInt(place) < part % BigInt(days.length) ? 1n : 0n
        const due = { ...line, at: line.at + after * day, cents: share + odd }
        this.dues.push(due)
        others.push({ row: { ...line, kind: "kept", cents: -due.cents }, due })
      })
    }
    others.push(...this.earnBack(line, left))
    return others
  }

  /** Takes what is credited for what was paid before. */
  private earnBack(line: Omit<Row, "kind" | "cents">, credited: bigint): Booked["others"] {
    let left = credited
    return this.contract.prepaid.flatMap(({ name, who, titles, amount, points }) => {
      if (who !== line.who || !titles.includes(line.title)) return []
      const before = this.earnedBack.get(name) ?? 0n
      const most = points === 10_000 ? left : least(left, percentOf(credited, points))
      const part = least(most, BigInt(amount) - before)
      left -= part
      this.earnedBack.set(name, before + part)
      return [{ row: this.add({ ...line, kind: "earned back", cents: -part }), prepaid: name }]
    })
  }

  /** Takes back copies, and with them their part of everything that was booked of them. */
  private takeBack({ order, title, at, quantity }: CopiesBack): void {
    const booked = this.booked.get(`${order} ${title}`)
    if (booked === undefined) throw new RangeError(`nothing was sold of ${title} in ${order}`)
    const { invoice, royalty, cents, others } = booked
    const back = rounded(cents * BigInt(quantity), BigInt(invoice.quantity))
    const line = { at, order, title, who: royalty.who }
    this.add({ ...line, kind: "returned", cents: -back })
    this.earn(royalty.who, -back)
    this.sold.set(title, this.copies(title) - quantity)
    if (royalty.mostInMonth !== undefined) {
      const key = `${royalty.who} ${title} ${monthOf(invoice.at)}`
      this.paidInMonth.set(key, (this.paidInMonth.get(key) ?? 0n) - back)
    }
    // Of each line as much goes back as of the royalty.
    const ofBack = (amount: bigint) => (cents === 0n ? 0n : rounded(amount * back, cents))
    const keptBack = others.flatMap(({ row, due }) => {
      if (due === undefined) return []
      const part = ofBack(-row.cents)
      due.cents -= part
      return [part]
    })
    const kept = keptBack.reduce((sum, part) => sum + part, 0n)
    this.add({ ...line, kind: "kept", cents: kept })
    for (const { row, prepaid, due } of others) {
      if (due !== undefined) continue
      const part = ofBack(row.cents)
      this.add({ ...row, at, cents: -part })
      if (prepaid !== undefined) {
        this.earnedBack.set(prepaid, (this.earnedBack.get(prepaid) ?? 0n) + part)
      }
    }
  }

  /** Pays out what was kept long enough. */
  private payOut(until: number): void {
    const due = this.dues.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)
    this.dues = this.dues.filter(({ at }) => at > until)
    for (const { who, order, title, at, cents } of due) {
      this.add({ at, order, title, who, kind: "paid out", cents })
      this.earnBack({ at, order, title, who }, cents)
    }
  }
}

/** Cents as decimals. */
export const decimals = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, "0")
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Every line as CSV. */
export const linesCsv = ({ rows }: Sheet): string =>
  [
    "day,order,title,who,what,amount",
    ...rows.map(({ at, order, title, who, kind, cents }) =>
      [
        new Date(at * 1_000).toISOString().slice(0, 10),
        order,
        title,
        who,
        kind,
        decimals(cents),
      ].join(),
    ),
    "",
  ].join("\n")

/** The sums of each month and person by kind, in cents. */
export const monthly = ({ rows }: Sheet): ReadonlyMap<string, Record<string, bigint>> => {
  const months = new Map<string, Record<string, bigint>>()
  for (const { at, who, kind, cents } of rows) {
    const key = `${monthOf(at)},${who}`
    const sums = months.get(key) ?? {}
    months.set(key, sums)
    sums[kind] = (sums[kind] ?? 0n) + cents
  }
  return months
}

/** A statement for each month and person as CSV. */
export const statementsCsv = (sheet: Sheet): string =>
  [
    `month,who,${kinds.join()},total`,
    ...[...monthly(sheet)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, sums]) => {
        const cells = kinds.map((kind) => sums[kind] ?? 0n)
        const total = cells.reduce((sum, cents) => sum + cents, 0n)
        return [key, ...[...cells, total].map(decimals)].join()
      }),
    "",
  ].join("\n")
