/** Which period an order is counted in. */
import { isFields, refusal, show, summarize } from "../../internal/problems.js"
import { InvalidOrder, type Order } from "../../orders/Order.js"
import { monthsOf, wallOf, type Zone, zoneOf } from "../../payouts/internal/calendar.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { Split } from "../../shares/Split.js"
import * as Counters from "../Counters.js"
import type { CountPeriod } from "../Terms.js"
import type { TermCounters } from "./termCounters.js"

/**
 * What the periods of a host depend on.
 *
 * @since 0.6.0
 * @category models
 */
export interface PeriodOptions {
  /** An IANA time zone, in which years and months begin; UTC by default. */
  readonly timeZone?: string | undefined
  /**
   * The name of the payout that collects sales now, for terms that count for each payout; or what gives the name of that
   * which collects the shares of a collaborator.
   */
  readonly payout?: string | ((collaboratorId: string) => string) | undefined
}

const invalid = (path: string, value: unknown, message: string): Counters.InvalidCounters =>
  refusal(Counters.InvalidCounters)([{ path, value, message }])

const secondsOfDay = 86_400

const pad = (year: number): string =>
  year < 0 ? `-${String(-year).padStart(4, "0")}` : String(year).padStart(4, "0")

const monthName = (months: number): string =>
  `${pad(Math.floor(months / 12))}-${String((((months % 12) + 12) % 12) + 1).padStart(2, "0")}`

/** Whose period is named. */
type PeriodGroup = Pick<ProductGroup, "id" | "collaboratorId">

/** Names the periods that orders are counted in. */
export interface OrderPeriods {
  /** Begins with an order. */
  of(order: Order): void
  /** The name of the order's period for a group. */
  nameOf(period: CountPeriod, group: PeriodGroup): string
}

/** The options, each looked at once. */
const looked = (options: PeriodOptions): PeriodOptions => {
  try {
    const isObject: boolean = isFields(options)
    if (isObject) return { timeZone: options.timeZone, payout: options.payout }
  } catch {
    throw invalid("options", options, "can't be read: it throws when it is looked at")
  }
  throw invalid("options", options, `must be an object, got ${show(options)}`)
}

const isPayoutName = (payout: unknown): boolean =>
  typeof payout === "string" && /^[^/]{1,100}$/u.test(payout)

const checkedName = (payout: string): string => {
  if (isPayoutName(payout)) return payout
  const message = `must be a name of 1 to 100 characters without a slash, got ${show(payout)}`
  throw invalid("payout", payout, message)
}

/** The periods of orders, one after the other. */
export class Periods implements OrderPeriods {
  private readonly zone: Zone
  private readonly payout: PeriodOptions["payout"]
  private order: Order | undefined
  /** That of the order, once it was asked for. */
  private month: string | undefined
  /** The day of UTC of the order before: most sales are of the same one. */
  private day: Day | undefined

  constructor(options: PeriodOptions) {
    const { timeZone = "UTC", payout } = looked(options)
    const zone = typeof timeZone === "string" ? zoneOf(timeZone) : undefined
    if (zone === undefined) {
      const message = `must be an IANA time zone, as Europe/Berlin, got ${show(timeZone)}`
      throw invalid("timeZone", timeZone, message)
    }
    this.zone = zone
    const isGiven = payout !== undefined && typeof payout !== "function"
    this.payout = isGiven ? checkedName(payout) : payout
  }

  of(order: Order): void {
    this.order = order
    this.month = undefined
  }

  nameOf(period: CountPeriod, { id, collaboratorId }: PeriodGroup): string {
    if (period === "lifetime") return period
    if (period === "payout") {
      const { payout } = this
      if (typeof payout === "function") return `payout:${checkedName(payout(collaboratorId))}`
      if (payout !== undefined) return `payout:${payout}`
      const message = `is missing: the terms of group ${show(id)} count for each payout`
      throw invalid("payout", undefined, message)
    }
    const month = this.month ?? this.monthOf(id)
    this.month = month
    return period === "month" ? month : month.slice(0, -3)
  }

  private monthOf(groupId: string): string {
    const createdAt = this.order?.createdAt
    if (createdAt == null) {
      const message = `is missing: the terms of group ${show(groupId)} count by year or month`
      const problems = [{ path: "createdAt", value: createdAt, message }]
      throw new InvalidOrder({ orderId: this.order?.id, problems, message: summarize(problems) })
    }
    const number = Math.floor(createdAt / secondsOfDay)
    const day = this.day?.number === number ? this.day : dayOf(number, this.zone)
    this.day = day
    if (day.month !== undefined) return day.month
    const wall = day.ahead === undefined ? wallOf(createdAt, this.zone) : createdAt + day.ahead
    return monthName(monthsOf(wall))
  }
}

/** A day of UTC, and what clocks in a time zone show on it. */
interface Day {
  readonly number: number
  /** The month that all of it is in. */
  readonly month: string | undefined
  /** By how many seconds the clocks are ahead of UTC, unless they are changed. */
  readonly ahead: number | undefined
}

/** Asking the time zone takes as long as a split, so that it is asked twice a day, and in the middle of a month not at all. */
const dayOf = (number: number, zone: Zone): Day => {
  const start = number * secondsOfDay
  const end = start + secondsOfDay - 1
  // No zone is a day away from UTC, so days in the middle of a month are in it everywhere.
  const latest = monthsOf(end + secondsOfDay)
  if (monthsOf(start - secondsOfDay) === latest) {
    return { number, month: monthName(latest), ahead: undefined }
  }
  // No zone changes its clocks twice within a day.
  const ahead = wallOf(start, zone) - start
  return { number, month: undefined, ahead: wallOf(end, zone) - end === ahead ? ahead : undefined }
}

/** The periods that a split recorded in the keys of its counters, whatever time zone and payouts were those of then. */
export class RecordedPeriods implements OrderPeriods {
  private readonly names = new Map<string, string>()

  constructor(terms: ReadonlyMap<ProductGroup, TermCounters>, { shares }: Split) {
    const byId = new Map(Array.from(terms, ([{ id }, counters]) => [id, counters]))
    for (const { groupId, terms: told } of shares) {
      const known = byId.get(groupId)
      this.note(groupId, known?.tierKeys?.period, told?.tiers?.counter)
      this.note(groupId, known?.capKeys?.period, told?.cap?.counter)
    }
  }

  of(): void {}

  /** A group of which nothing was recorded has no period, and so none of the recorded ones. */
  nameOf(period: CountPeriod, { id }: PeriodGroup): string {
    return this.names.get(`${period}/${id}`) ?? ""
  }

  private note(groupId: string, period: CountPeriod | undefined, key: string | undefined): void {
    const name = key === undefined ? undefined : Counters.read(key)?.period
    if (period !== undefined && name !== undefined) this.names.set(`${period}/${groupId}`, name)
  }
}
