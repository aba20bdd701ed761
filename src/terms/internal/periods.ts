/** Which period an order is counted in. */
import { refusal, show, summarize } from "../../internal/problems.js"
import { InvalidOrder, type Order } from "../../orders/Order.js"
import { monthsOf, wallOf, type Zone, zoneOf } from "../../payouts/internal/calendar.js"
import { InvalidCounters } from "../Counters.js"
import type { CountPeriod } from "../Terms.js"

/**
 * What the periods of a host depend on.
 *
 * @since 0.6.0
 * @category models
 */
export interface PeriodOptions {
  /** An IANA time zone, in which years and months begin; UTC by default. */
  readonly timeZone?: string | undefined
  /** The name of the payout that collects sales now, for terms that count for each payout. */
  readonly payout?: string | undefined
}

const invalid = (path: string, value: unknown, message: string): InvalidCounters =>
  refusal(InvalidCounters)([{ path, value, message }])

const pad = (year: number): string =>
  year < 0 ? `-${String(-year).padStart(4, "0")}` : String(year).padStart(4, "0")

/** The periods of orders, one after the other. */
export class Periods {
  private readonly zone: Zone
  private readonly payout: string | undefined
  private order: Order | undefined
  private time = Number.NaN
  private month = ""

  constructor({ timeZone = "UTC", payout }: PeriodOptions) {
    const zone = zoneOf(timeZone)
    if (zone === undefined) {
      const message = `must be an IANA time zone, as Europe/Berlin, got ${show(timeZone)}`
      throw invalid("timeZone", timeZone, message)
    }
    if (payout !== undefined && !/^[^/]{1,100}$/u.test(payout)) {
      const message = `must be a name of 1 to 100 characters without a slash, got ${show(payout)}`
      throw invalid("payout", payout, message)
    }
    this.zone = zone
    this.payout = payout
  }

  of(order: Order): void {
    this.order = order
  }

  /** The name of the order's period. */
  nameOf(period: CountPeriod, groupId: string): string {
    if (period === "lifetime") return period
    if (period === "payout") {
      if (this.payout !== undefined) return `payout:${this.payout}`
      const message = `is missing: the terms of group ${show(groupId)} count for each payout`
      throw invalid("payout", undefined, message)
    }
    const month = this.monthOf(groupId)
    return period === "month" ? month : month.slice(0, -3)
  }

  private monthOf(groupId: string): string {
    const createdAt = this.order?.createdAt
    if (createdAt == null) {
      const message = `is missing: the terms of group ${show(groupId)} count by year or month`
      const problems = [{ path: "createdAt", value: createdAt, message }]
      throw new InvalidOrder({ orderId: this.order?.id, problems, message: summarize(problems) })
    }
    if (createdAt === this.time) return this.month
    const months = monthsOf(wallOf(createdAt, this.zone))
    this.time = createdAt
    this.month = `${pad(Math.floor(months / 12))}-${String((((months % 12) + 12) % 12) + 1).padStart(2, "0")}`
    return this.month
  }
}
