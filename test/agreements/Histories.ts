/** Random histories of agreements, carried out by the library and by the oracle, and what has to hold in each. */
import { type AgreementItem, type AgreementSet, Agreements, Balances } from "apportion/agreements"
import * as Result from "effect/Result"
import { Chance } from "../generators/Chance.js"
import { Oracle, type OracleLine, type OracleReversal, type OracleSale } from "./Oracle.js"

const people = ["ada", "ben", "čar", "__proto__", "𝔻", "eve", "fay", "gil", "hal"]
const groupIds = ["g1", "g2", "constructor", "ü"]
const currencies = ["USD", "USD", "USD", "JPY"]
const percents = ["0.00", "100.00", "50.00", "33.33", "12.50", "10.00", "0.01", "99.99"]

const percentOf = (chance: Chance): string => {
  const found = chance.isLucky(0.7) ? chance.pick(percents) : undefined
  if (found !== undefined) return found
  const points = chance.below(10_001)
  return `${Math.trunc(points / 100)}.${String(points % 100).padStart(2, "0")}`
}

const most = Number.MAX_SAFE_INTEGER

/** How large the figures of a history are; in a vast one sums may be out of range. */
export type Size = "usual" | "vast"

const amountOf = (chance: Chance, size: Size): number => {
  if (size === "vast" && chance.onceIn(3)) {
    return chance.pick([most, most - 1, 2 ** 52, chance.below(most)]) ?? most
  }
  const kind = chance.weighted({ tiny: 4, round: 2, small: 4, huge: 1 })
  if (kind === "tiny") return chance.below(12)
  if (kind === "round") return chance.pick([100, 200, 500, 1_000]) ?? 100
  return chance.below(kind === "huge" ? 2 ** 48 : 20_000)
}

const pick = <A>(chance: Chance, list: ReadonlyArray<A>): A => {
  const found = chance.pick(list)
  if (found === undefined) throw new RangeError("nothing to pick from")
  return found
}

const some = <A>(chance: Chance, list: ReadonlyArray<A>): ReadonlyArray<A> => {
  const found = list.filter(() => chance.isLucky(0.5))
  return found.length === 0 ? list.slice(0, 1) : found
}

const groupsOf = (chance: Chance) => (chance.isLucky(0.5) ? null : some(chance, groupIds))

const listOf = <A>(chance: Chance, most: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: chance.below(most + 1) }, (_, index) => make(index))

const scheduleOf = (chance: Chance) => {
  const first = chance.below(10_001)
  const text = (points: number) =>
    `${Math.trunc(points / 100)}.${String(points % 100).padStart(2, "0")}`
  const days = chance.below(3)
  if (chance.isLucky(0.4)) return [{ days, percent: "100.00" }]
  return [
    { days, percent: text(first) },
    { days: days + 1 + chance.below(3), percent: text(10_000 - first) },
  ]
}

/** Overrides from each to the next, as long as a chain may be. */
const chainOf = (chance: Chance) =>
  people.slice(1).map((collaboratorId, place) => ({
    ...{ id: `o${place}`, collaboratorId, from: people[place] ?? null, of: "share" as const },
    ...{ paidBy: "share" as const, percent: percentOf(chance), groups: null },
  }))

const drawn = (chance: Chance, size: Size) => {
  const owner = () => pick(chance, people.slice(0, 5))
  return {
    advances: listOf(chance, 4, (index) => {
      const collaboratorId = owner()
      return {
        ...{ id: `a${index}`, collaboratorId, currency: pick(chance, currencies) },
        ...{ amount: amountOf(chance, size), grantedAt: chance.below(4) * 86_400 },
        ...{ purpose: pick(chance, ["expense", "advance"] as const), percent: percentOf(chance) },
        groups: groupsOf(chance),
        alsoFrom: chance.isLucky(0.7)
          ? []
          : some(
              chance,
              people.filter((one) => one !== collaboratorId),
            ),
      }
    }),
    reserves: listOf(chance, 3, (index) => ({
      ...{ id: `r${index}`, collaboratorId: owner(), percent: percentOf(chance) },
      ...{ groups: groupsOf(chance), schedule: scheduleOf(chance) },
    })),
    guarantees: listOf(chance, 2, (index) => {
      const from = chance.below(4) * 86_400
      const until = from + 1 + chance.below(3) * 86_400
      return {
        ...{ id: `m${index}`, collaboratorId: owner(), currency: pick(chance, currencies) },
        ...{
          amount: chance.onceIn(3) ? chance.below(12) : amountOf(chance, size),
          from,
          until,
          groups: groupsOf(chance),
        },
      }
    }),
    overrides: chance.onceIn(12)
      ? chainOf(chance)
      : listOf(chance, 6, (index) => {
          const place = chance.below(people.length - 1)
          const receiver = place + 1 + chance.below(people.length - place - 1)
          const isOfSales = chance.onceIn(6)
          const of = isOfSales || chance.onceIn(4) ? ("sale" as const) : ("share" as const)
          return {
            ...{ id: `o${index}`, collaboratorId: people[receiver] ?? "", of },
            from: isOfSales ? null : (people[place] ?? null),
            paidBy: isOfSales || chance.onceIn(3) ? ("store" as const) : ("share" as const),
            ...{ percent: percentOf(chance), groups: groupsOf(chance) },
          }
        }),
  }
}

/** Valid agreements: whatever is refused among the drawn ones is left out. */
export const agreementsOf = (chance: Chance, size: Size): AgreementSet => {
  let input = drawn(chance, size)
  for (;;) {
    const result = Agreements.read(input)
    if (Result.isSuccess(result)) return result.success
    const [, list, index] = /^(\w+)\[(\d+)\]/.exec(result.failure.problems[0]?.path ?? "") ?? []
    if (list !== "reserves" && list !== "overrides") throw result.failure
    input = { ...input, [list]: input[list].filter((_, place) => place !== Number(index)) }
  }
}

/** A sale of one to three items. */
export const saleOf = (
  chance: Chance,
  sale: { readonly orderId: string; readonly at: number; readonly size: Size },
): OracleSale => {
  const { size, ...of } = sale
  const items = ["1", "10", "2"].slice(0, 1 + chance.below(3))
  const isNegative = chance.onceIn(8)
  const signed = () =>
    isNegative !== chance.onceIn(12) ? -amountOf(chance, size) || 0 : amountOf(chance, size)
  return {
    ...{ ...of, currency: pick(chance, currencies) },
    shares: items.flatMap((itemId) =>
      groupIds
        .filter(() => chance.isLucky(0.4))
        .map((groupId) => ({
          ...{ itemId, groupId, collaboratorId: pick(chance, people.slice(0, 4)) },
          amount: signed(),
        })),
    ),
    store: items.map((itemId) => ({ itemId, amount: signed() })),
  }
}

const sizeOf = (value: bigint) => (value < 0n ? -value : value)

const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((all, one) => all + one, 0n)

const halfUp = (amount: bigint, part: number): bigint => {
  const rounded = (2n * sizeOf(amount) * BigInt(part) + 1_000n) / 2_000n
  return amount < 0n ? -rounded : rounded
}

const isSafe = (value: bigint) => sizeOf(value) <= BigInt(most)

/** How much of each item went back, by order and item. */
type Backs = Map<string, { shares: Map<string, bigint>; store: bigint }>

/**
 * A refund of an item up to so many thousandths, or of parts that have nothing to do with each other; nothing where the
 * store's part is out of range.
 */
const reversalOf = (
  chance: Chance | undefined,
  sale: OracleSale,
  itemId: string,
  options: { readonly backs: Backs; readonly thousandths: number; readonly at: number },
): OracleReversal | undefined => {
  const { backs, thousandths, at } = options
  const key = JSON.stringify([sale.orderId, itemId])
  const back = backs.get(key) ?? { shares: new Map<string, bigint>(), store: 0n }
  const own = sale.shares.filter((share) => share.itemId === itemId)
  const rest = sale.store.find((store) => store.itemId === itemId)?.amount ?? 0
  const isWild = chance?.onceIn(6) === true
  const isOther = (one: bigint, other: bigint) =>
    one === 0n || other === 0n || one < 0n !== other < 0n
  const moreOf = (amount: bigint, before: bigint): bigint => {
    if (isWild && chance !== undefined) {
      const part = BigInt(chance.below(Number(sizeOf(amount - before)) + 1))
      return amount < 0n ? -part : amount === 0n ? 0n : part
    }
    const more = halfUp(amount, thousandths) - before
    return isOther(more, amount) ? 0n : more
  }
  const broughtIn = sum([...own.map(({ amount }) => BigInt(amount)), BigInt(rest)])
  const gone = sum([...back.shares.values(), back.store])
  const shares = own.map(({ groupId, amount }) => ({
    groupId,
    amount: moreOf(BigInt(amount), back.shares.get(groupId) ?? 0n),
  }))
  const store = moreOf(broughtIn, gone) - sum(shares.map(({ amount }) => amount))
  if (![store, ...shares.map(({ amount }) => amount)].every(isSafe)) return undefined
  for (const { groupId, amount } of shares) {
    back.shares.set(groupId, (back.shares.get(groupId) ?? 0n) + amount)
  }
  back.store += store
  backs.set(key, back)
  return {
    ...{ orderId: sale.orderId, itemId, refundedAt: at, store: Number(store) },
    shares: shares.map(({ groupId, amount }) => ({ groupId, amount: Number(amount) })),
  }
}

const keyOf = (line: OracleLine): string =>
  JSON.stringify([
    ...[line.event, line.kind, line.term, line.who, line.orderId, line.itemId, line.groupId],
    String(line.amount),
  ])

/** A line of the library as lines of the oracle, which has one for each part of a reserve and none of nothing. */
export const linesOf = (item: AgreementItem): ReadonlyArray<OracleLine> => {
  const { event, kind } = item
  if (item.kind === "shortfall") {
    const { guaranteeId: term, collaboratorId: who, amount } = item
    const of = { event, kind, term, who, orderId: "", itemId: "", groupId: null }
    return [{ ...of, amount: BigInt(amount) }]
  }
  const { collaboratorId: who, orderId, itemId, groupId } = item
  const line = { event, kind, who, orderId, itemId, groupId }
  if (item.kind === "reserve") {
    const sign = event === "sale" ? -1n : 1n
    return item.parts
      .map(({ amount }) => ({ ...line, term: item.reserveId, amount: sign * BigInt(amount) }))
      .filter(({ amount }) => amount !== 0n)
  }
  const amount = BigInt(item.amount)
  if (item.kind === "release") return [{ ...line, term: item.reserveId, amount }]
  if (item.kind === "recoupment") return [{ ...line, term: item.advanceId, amount }]
  if (item.kind === "override") return [{ ...line, term: item.overrideId, amount }]
  return [{ ...line, term: "", amount }]
}

const sortedKeys = (lines: ReadonlyArray<OracleLine>) => lines.map(keyOf).sort()

/** The first difference of two lists of texts. */
const difference = (
  what: string,
  got: ReadonlyArray<string>,
  wanted: ReadonlyArray<string>,
): string | undefined => {
  const [one, other] = [got.join("\n"), wanted.join("\n")]
  if (one === other) return undefined
  const lacks = wanted.filter((line) => !got.includes(line))
  const more = got.filter((line) => !wanted.includes(line))
  return `${what}: the library lacks ${lacks.join(" ")} and has ${more.join(" ")}`
}

/** Balances as texts, which those of an oracle are compared with. */
export const balancesOf = (balances: Balances.AgreementBalances): ReadonlyArray<string> => [
  ...balances.advances.map((one) => `${one.advanceId} recouped ${one.recouped}`).sort(),
  ...balances.guarantees
    .map((one) => `${one.guaranteeId} earned ${one.earned} ${one.isClosed}`)
    .sort(),
  ...balances.held
    .map((one) =>
      JSON.stringify([
        one.reserveId,
        one.orderId,
        one.itemId,
        one.groupId,
        one.place,
        one.collaboratorId,
        one.currency,
        one.releaseAt,
        one.amount,
      ]),
    )
    .sort(),
  ...balances.reserves
    .map(
      (one) => `${one.reserveId} ${one.currency} ${one.reserved} ${one.released} ${one.reversed}`,
    )
    .sort(),
]

/** The balances of an oracle as texts. */
export const oracleBalances = (oracle: Oracle): ReadonlyArray<string> => {
  const of = (kind: OracleLine["kind"]) => oracle.lines.filter((line) => line.kind === kind)
  const ids = (kind: OracleLine["kind"]) => [...new Set(of(kind).map((line) => line.term))]
  const counted = new Set([
    ...oracle.lines.flatMap((line) => line.counts ?? []),
    ...ids("shortfall"),
  ])
  const reserves = new Set(
    of("reserve").map(({ term, currency }) => JSON.stringify([term, currency])),
  )
  return [
    ...ids("recoupment")
      .filter((id) => oracle.recouped(id) !== 0n)
      .map((id) => `${id} recouped ${oracle.recouped(id)}`)
      .sort(),
    ...[...counted]
      .filter((id) => oracle.earned(id) !== 0n || oracle.isClosed(id))
      .map((id) => `${id} earned ${oracle.earned(id)} ${oracle.isClosed(id)}`)
      .sort(),
    ...oracle
      .held()
      .map(({ part, amount }) =>
        JSON.stringify([
          part.term,
          part.orderId,
          part.itemId,
          part.groupId,
          part.place,
          part.who,
          part.currency,
          part.releaseAt,
          Number(amount),
        ]),
      )
      .sort(),
    ...[...reserves]
      .map((key) => {
        const [id, currency] = JSON.parse(key)
        const own = oracle.lines.filter((line) => line.term === id && line.currency === currency)
        const amounts = (kind: string, event: string) =>
          sum(
            own.filter((one) => one.kind === kind && one.event === event).map((one) => one.amount),
          )
        return `${id} ${currency} ${-amounts("reserve", "sale")} ${amounts("release", "release")} ${amounts("reserve", "refund")}`
      })
      .sort(),
  ]
}

/** What has to hold of all lines and the balances after them, whatever happened. */
export const broken = (
  items: ReadonlyArray<AgreementItem>,
  balances: Balances.AgreementBalances,
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const amounts = (is: (item: AgreementItem) => boolean) =>
    sum(items.filter(is).map(({ amount }) => BigInt(amount)))
  const cameIn = amounts(({ kind }) => kind === "share" || kind === "store" || kind === "shortfall")
  const recouped = sum(balances.advances.map((one) => BigInt(one.recouped)))
  const held = sum(balances.held.map(({ amount }) => BigInt(amount)))
  const all = amounts(() => true)
  if (all + recouped + held !== cameIn) {
    found.push(
      `${all} booked, ${recouped} recouped and ${held} held are not the ${cameIn} that came in`,
    )
  }
  for (const { reserveId, currency, reserved, released, reversed } of balances.reserves) {
    const own = balances.held.filter(
      (one) => one.reserveId === reserveId && one.currency === currency,
    )
    const held = sum(own.map(({ amount }) => BigInt(amount)))
    if (held + BigInt(released) + BigInt(reversed) !== BigInt(reserved)) {
      found.push(`reserve ${reserveId}: held, released and reversed are not what was reserved`)
    }
  }
  for (const { advanceId, recouped } of balances.advances) {
    const most = Math.max(
      ...items.map((item) =>
        item.kind === "recoupment" && item.advanceId === advanceId ? item.granted : 0,
      ),
    )
    if (recouped < 0 || recouped > most)
      found.push(`advance ${advanceId} has ${recouped} of ${most}`)
  }
  return [...found, ...excessive(items)]
}

/** Overrides never take more than what they come out of. */
const excessive = (items: ReadonlyArray<AgreementItem>): ReadonlyArray<string> => {
  const wholes = new Map<string, { all: bigint; paid: bigint }>()
  for (const item of items) {
    const { kind, event } = item
    if (event !== "sale" || (kind !== "share" && kind !== "store" && kind !== "override")) continue
    const key = JSON.stringify([item.orderId, item.itemId, item.groupId, item.collaboratorId])
    const whole = wholes.get(key) ?? { all: 0n, paid: 0n }
    if (kind === "override" && item.side === "paid") whole.paid -= BigInt(item.amount)
    else whole.all += BigInt(item.amount)
    wholes.set(key, whole)
  }
  return [...wholes].flatMap(([key, { all, paid }]) => {
    const isWithin = all < 0n ? paid <= 0n && paid >= all : paid >= 0n && paid <= all
    return isWithin ? [] : [`${key} pays ${paid} of ${all} for overrides`]
  })
}

/** What is carried out by both. */
class History {
  readonly #chance: Chance
  readonly #size: Size
  readonly #oracle = new Oracle()
  readonly #items: Array<AgreementItem> = []
  readonly #sales: Array<OracleSale> = []
  readonly #sets: Array<AgreementSet>
  readonly #backs: Backs = new Map()
  #agreements: AgreementSet
  #balances = Balances.empty
  #at = 0
  /** Whether something was out of range, after which the library has nothing to go on from. */
  #isOver = false

  constructor(seed: number) {
    this.#chance = new Chance(seed)
    this.#size = this.#chance.onceIn(8) ? "vast" : "usual"
    this.#agreements = agreementsOf(this.#chance, this.#size)
    this.#sets = [this.#agreements]
  }

  /** The most that sums can come to: what was sold, once for each link of the longest chain, and what was guaranteed. */
  get #moved(): bigint {
    const amounts = this.#sales.flatMap(({ shares, store }) => [...shares, ...store])
    const guaranteed = this.#sets.flatMap(({ guarantees }) => guarantees)
    const sold = sum(amounts.map(({ amount }) => sizeOf(BigInt(amount))))
    return 9n * sold + sum(guaranteed.map(({ amount }) => BigInt(amount)))
  }

  get past(): Omit<Played, "found"> {
    return { items: this.#items, sales: this.#sales, sets: this.#sets, isOver: this.#isOver }
  }

  /** What is wrong, if anything. */
  play(): string | undefined {
    const events = 2 + this.#chance.below(9)
    for (let event = 0; event < events; event += 1) {
      const found = this.#happen()
      if (found !== undefined || this.#isOver) return found
    }
    return this.#chance.onceIn(3) ? this.#refundAll() : undefined
  }

  #happen(): string | undefined {
    const chance = this.#chance
    if (chance.onceIn(3)) this.#at += chance.below(3) * 86_400
    const what = chance.weighted({ sale: 10, refund: 6, release: 3, close: 2, terms: 1 })
    if (what === "terms") {
      this.#agreements = agreementsOf(chance, this.#size)
      this.#sets.push(this.#agreements)
    }
    if (what === "refund") {
      const sale = chance.pick(this.#sales)
      const item = sale && chance.pick(sale.store)
      if (sale === undefined || item === undefined) return undefined
      const thousandths = chance.onceIn(4) ? 1_000 : chance.below(1_001)
      return this.#refund(sale, item.itemId, thousandths, chance)
    }
    if (what === "release") {
      return this.#compare(
        what,
        Agreements.release(this.#agreements, this.#balances, { at: this.#at }),
        () => this.#oracle.release(this.#agreements, this.#at),
      )
    }
    if (what === "close") {
      return this.#compare(
        what,
        Agreements.close(this.#agreements, this.#balances, { at: this.#at }),
        () => this.#oracle.close(this.#agreements, this.#at),
      )
    }
    const sale = saleOf(chance, {
      ...{ orderId: `s${this.#sales.length}`, at: this.#at, size: this.#size },
    })
    this.#sales.push(sale)
    return this.#compare(what, Agreements.post(this.#agreements, this.#balances, sale), () =>
      this.#oracle.sale(this.#agreements, sale),
    )
  }

  #refund(
    sale: OracleSale,
    itemId: string,
    thousandths: number,
    chance?: Chance,
  ): string | undefined {
    const options = { backs: this.#backs, thousandths, at: this.#at }
    const reversal = reversalOf(chance, sale, itemId, options)
    if (reversal === undefined) {
      // Without this one a refund of everything is none.
      this.#isOver ||= chance === undefined
      return undefined
    }
    return this.#compare("refund", Agreements.refund(this.#balances, this.#items, reversal), () =>
      this.#oracle.refund(reversal),
    )
  }

  #compare(
    what: string,
    result: ReturnType<typeof Agreements.post>,
    answer: () => ReadonlyArray<OracleLine>,
  ): string | undefined {
    if (Result.isFailure(result)) {
      const { _tag, message } = result.failure
      if (_tag !== "AmountOutOfRange" || this.#moved <= most) return `${what} refused: ${message}`
      this.#isOver = true
      return undefined
    }
    const { items, balances } = result.success
    this.#items.push(...items)
    this.#balances = balances
    const lines = items.flatMap(linesOf)
    return (
      difference(what, sortedKeys(lines), sortedKeys(answer())) ??
      difference(`balances after ${what}`, balancesOf(balances), oracleBalances(this.#oracle)) ??
      broken(this.#items, balances)[0]
    )
  }

  /** A refund of everything leaves nobody anything but shortfalls, and the balances as they were. */
  #refundAll(): string | undefined {
    for (const sale of this.#sales) {
      for (const { itemId } of sale.store) {
        const found = this.#refund(sale, itemId, 1_000)
        if (found !== undefined || this.#isOver) return found
      }
    }
    const { advances, held, guarantees } = this.#balances
    const earned = guarantees.filter((one) => one.earned !== 0)
    if (advances.length + held.length + earned.length > 0) return "balances are not restored"
    const paid = this.#items.filter(({ kind }) => kind !== "shortfall")
    const totals = new Map<string | null, bigint>()
    for (const { collaboratorId: who, amount } of paid) {
      totals.set(who, (totals.get(who) ?? 0n) + BigInt(amount))
    }
    return [...totals.values()].some((amount) => amount !== 0n) ? "somebody keeps money" : undefined
  }
}

/** A history with everything that came of it. */
export interface Played {
  /** What is wrong with it, if anything. */
  readonly found: string | undefined
  readonly items: ReadonlyArray<AgreementItem>
  readonly sales: ReadonlyArray<OracleSale>
  /** All sets of agreements, one after the other. */
  readonly sets: ReadonlyArray<AgreementSet>
  readonly isOver: boolean
}

/** The history of a seed. */
export const played = (seed: number): Played => {
  const history = new History(seed)
  const found = history.play()
  return { found, ...history.past }
}
