/** Counts what random commands came to, so that a test can tell whether they reached everything. */
export class Tally {
  readonly #counts = new Map<string, number>()

  add(what: string): void {
    this.#counts.set(what, this.count(what) + 1)
  }

  count(what: string): number {
    return this.#counts.get(what) ?? 0
  }

  /** The things that came up less often than they should. */
  missing(wanted: ReadonlyArray<string>, least = 1): ReadonlyArray<string> {
    return wanted.filter((what) => this.count(what) < least)
  }

  /** Everything that came up, with how often. */
  lines(): ReadonlyArray<string> {
    return [...this.#counts].sort().map(([what, count]) => `${what}: ${count}`)
  }
}
