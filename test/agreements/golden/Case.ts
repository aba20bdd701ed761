/** Cases with values set by hand, in a short notation. */

/** What happens; days are counted from the beginning of 1970. */
export type Occasion =
  | {
      /** Who gets what under which group: `ada/g1 1000, ben/g2 500`. */
      readonly sale: string
      /** What the store keeps; 0 when absent. */
      readonly store?: number
      readonly day?: number
      readonly order?: string
      readonly currency?: string
    }
  | {
      /** What goes back of the shares of order `1`: `g1 500, g2 250`. */
      readonly refund: string
      readonly store?: number
      readonly day?: number
      readonly order?: string
    }
  | { readonly release: number }
  | { readonly close: number }

/** A case: what was agreed, what happened, and what has to come of it. */
export interface Case {
  /** One plain line. */
  readonly shows: string
  /** Where the figures were published. */
  readonly source?: readonly [name: string, link: string]
  /** As it is given to `Agreements.read`. */
  readonly agreed: object
  readonly happens: ReadonlyArray<Occasion>
  /** Every line of the last occasion but shares and what the store kept: `ada recoupment -1000`. */
  readonly lines: ReadonlyArray<string>
  /** What everybody has in all: `ada 300, store 700`. Who has nothing is left out. */
  readonly totals: string
  /** Balances that matter to the case: `a1 open 200`, `r1 held 100`, `m1 earned 500`. */
  readonly balances?: ReadonlyArray<string>
}
