/** A line on standard error that tells how far a run is, for a person who watches. */
import { eraseLine, type Sink } from "../Io.js"

const betweenUpdatesMs = 200

/** A number as it is read. */
export const inEnglish = (value: number): string => value.toLocaleString("en-US")

export class Progress {
  private readonly sink: Sink
  private readonly startedMs = performance.now()
  private shownMs = performance.now()
  private isShown = false

  constructor(sink: Sink) {
    this.sink = sink
  }

  /** Tells how many orders were done. */
  update(orders: number): void {
    this.tell((elapsedMs) => {
      const perSecond = Math.round((orders * 1000) / elapsedMs)
      return `${inEnglish(orders)} orders, ${inEnglish(perSecond)} a second`
    })
  }

  /** Tells something; it is shown a few times a second, on a terminal only. */
  tell(text: (elapsedMs: number) => string): void {
    if (!this.sink.isTerminal) return
    const now = performance.now()
    if (now - this.shownMs < betweenUpdatesMs) return
    this.shownMs = now
    this.isShown = true
    void this.sink.write(`${eraseLine}${text(now - this.startedMs)}`)
  }

  /** Takes the line away. */
  clear(): void {
    if (this.isShown) void this.sink.write(eraseLine)
    this.isShown = false
  }
}
