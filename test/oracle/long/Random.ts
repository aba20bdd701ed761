/**
 * Quick chance from a seed (sfc32): the same seeds give the same numbers everywhere.
 */
export class Random {
  private a: number
  private b: number
  private c: number
  private counter = 1

  constructor(seed: number, round = 0) {
    this.a = seed | 0
    this.b = Math.floor(seed / 2 ** 32) | 0
    this.c = round | 0
    for (let warm = 0; warm < 16; warm += 1) this.bits()
  }

  /** 32 bits of chance, as an unsigned number. */
  bits(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum
    this.c |= 0
    return sum >>> 0
  }

  /** A whole number from 0 to one below the limit. */
  below(limit: number): number {
    return Math.floor((this.bits() / 2 ** 32) * limit)
  }

  /** A whole number from the least to the most, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  /** True in so many of a hundred cases. */
  percent(cases: number): boolean {
    return this.bits() < cases * 42_949_672.96
  }

  pick<A>(values: ReadonlyArray<A>): A {
    const value = values[this.below(values.length)]
    if (value === undefined && values.length === 0) throw new Error("nothing to pick from")
    return value as A
  }

  /** As many picks as asked for; one may come twice. */
  picks<A>(count: number, values: ReadonlyArray<A>): Array<A> {
    return Array.from({ length: values.length === 0 ? 0 : count }, () => this.pick(values))
  }

  shuffled<A>(values: ReadonlyArray<A>): Array<A> {
    const left = [...values]
    return values.flatMap(() => left.splice(this.below(left.length), 1))
  }

  /** Any whole number that a double holds exactly, from 0. */
  safe(): number {
    return this.below(2 ** 21) * 2 ** 32 + this.bits()
  }
}
