/** A sum of cents that is exact however many there are, and costs little while it is small. */

export class ExactSum {
  private small = 0
  private large = 0n

  /** The sum, whatever its size. */
  get value(): bigint {
    return this.large + BigInt(this.small)
  }

  /** Adds a safe integer. */
  add(amount: number): void {
    const sum = this.small + amount
    if (Number.isSafeInteger(sum)) this.small = sum
    else {
      this.large += BigInt(this.small) + BigInt(amount)
      this.small = 0
    }
  }

  /** Adds another sum. */
  addSum(other: ExactSum): void {
    this.large += other.large
    this.add(other.small)
  }

  /** How much more another sum is. */
  differenceTo(other: ExactSum): bigint {
    return other.small === this.small && other.large === this.large ? 0n : other.value - this.value
  }
}
