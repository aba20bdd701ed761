import type { Journal } from "./Table.js"

/**
 * A revision that is never reused, not even after a rollback, so that what was cached in a rolled-back transaction is
 * not used for a later one.
 */
export class Revision {
  current = 0
  private next = 1

  advance(journal: Journal): void {
    const before = this.current
    journal.note(() => {
      this.current = before
    })
    this.current = this.next
    this.next += 1
  }
}
