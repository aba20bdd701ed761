/** The month of a time, for many times that mostly lie near each other. */
import * as Days from "./Days.js"

const daySeconds = 86_400

/** No month is shorter, and a day at its edge may be longer or shorter than others. */
const lastInnerDay = 27

export class BacktestMonths {
  private readonly timeZone: string
  private month = ""
  private from = 0
  private until = 0

  constructor(timeZone: string) {
    this.timeZone = timeZone
  }

  /** The month of a time in Unix seconds, as `2025-12`; `null` without a time. */
  of(seconds: number | null): string | null {
    if (seconds === null) return null
    if (seconds < this.from || seconds >= this.until) this.find(seconds)
    return this.month
  }

  /** Finds the month, and the days around the time that are surely of it. */
  private find(seconds: number): void {
    const day = Days.show(seconds, this.timeZone)
    const date = Number(day.slice(-2))
    this.month = day.slice(0, -3)
    this.from = seconds - Math.max(0, date - 2) * daySeconds
    this.until = seconds + Math.max(0, lastInnerDay - date) * daySeconds
  }
}
