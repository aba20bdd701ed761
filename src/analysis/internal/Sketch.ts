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
