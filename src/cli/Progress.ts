/** A line on standard error that tells how far a run is, for a person who watches. */
import { eraseLine, type Sink } from "./Io.js"

const betweenUpdatesMs = 200

export class Progress {
  private readonly sink: Sink
  private readonly startedMs = performance.now()
  private shownMs = performance.now()
  private isShown = false

  constructor(sink: Sink) {
    this.sink = sink
  }

  /** Tells how many orders were done; it is shown a few times a second, on a terminal only. */
  update(orders: number): void {
    if (!this.sink.isTerminal) return
    const now = performance.now()
    if (now - this.shownMs < betweenUpdatesMs) return
    this.shownMs = now
    this.isShown = true
    const perSecond = Math.round((orders * 1000) / (now - this.startedMs))
    const count = (value: number) => value.toLocaleString("en-US")
    void this.sink.write(`${eraseLine}${count(orders)} orders, ${count(perSecond)} a second`)
  }

  /** Takes the line away. */
  clear(): void {
    if (this.isShown) void this.sink.write(eraseLine)
    this.isShown = false
  }
}
