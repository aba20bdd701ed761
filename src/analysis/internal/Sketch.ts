/** An order in outline: what of all that rules can ask for it has. */
export interface Sketch {
  /** Numbers of the values that it has, in order. */
  readonly values: ReadonlyArray<number>
  /** The kind of its product, where the products are known. */
  readonly kind: number | undefined
  /** Its time in Unix seconds; `null`: it says none. */
  readonly at: number | null
}

/** How many attributes an order needs to be like this. A product of the catalogue is what it is. */
export const sizeOf = ({ values, at }: Sketch): number => values.length + Number(at !== null)

/** What is left of the steps that a search may take. */
export class Budget {
  private left: number
  private readonly whole: Budget | undefined

  /** `whole`: the budget of which this is a part. */
  constructor(steps: number, whole?: Budget) {
    this.left = steps
    this.whole = whole
  }

  /** Takes some steps; false when there are not so many left. */
  take(steps: number): boolean {
    this.left -= steps
    return this.whole?.take(steps) !== false && this.left >= 0
  }

  get isSpent(): boolean {
    return this.left < 0
  }
}
