/**
 * What was answered how often, and what was wrong.
 */
import { expect } from "vitest"

/** Whether everything is to be looked at, which takes long. */
export const isWhole = process.env.APPORTION_SCOPE === "all"

/** Whether little is looked at, and often: while the code is broken on purpose, in one place after another. */
export const isLittle = process.env.APPORTION_SCOPE === "little"

const mostComplaints = 20
const longest = 4_000

export class Tally {
  readonly counts = new Map<string, number>()
  readonly complaints: Array<string> = []
  looked = 0

  add(answers: ReadonlyArray<string>, complaints: ReadonlyArray<string>, about: unknown): void {
    this.looked += 1
    for (const answer of answers) this.counts.set(answer, (this.counts.get(answer) ?? 0) + 1)
    if (this.complaints.length >= mostComplaints) return
    this.complaints.push(
      ...complaints.map((what) => `${what}\n${JSON.stringify(about).slice(0, longest)}`),
    )
  }

  /** Tells the counts where everything was looked at. */
  report(name: string): void {
    if (!isWhole) return
    const counts = JSON.stringify(Object.fromEntries([...this.counts].sort()))
    process.stdout.write(`${name}: ${this.looked} rule sets, ${counts}\n`)
  }

  /** That each of the answers was given so often at least: others would prove little. */
  expectEach(least: number, answers: ReadonlyArray<string>): void {
    if (isLittle) return
    for (const answer of answers) {
      expect(this.counts.get(answer) ?? 0, answer).toBeGreaterThanOrEqual(least)
    }
  }
}
