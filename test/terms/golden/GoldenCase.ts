import type { CountedRules, Order, SplitPolicy } from "apportion"

/** A group for every product; its collaborator is named like it. */
export type GoldenGroup = Pick<CountedRules.CountedGroupInput, "id"> &
  Partial<CountedRules.CountedGroupInput>

/** What happens, and what comes of it; all money is in cents. */
export interface GoldenStep {
  readonly sale?: {
    readonly quantity?: number
    readonly amount?: number
    /** In place of one line: several. */
    readonly items?: ReadonlyArray<
      Omit<Order.OrderItem, "product"> & { readonly productId?: string }
    >
    readonly at?: string
    readonly currency?: string
    readonly payout?: string
    readonly shippingAmount?: number
    readonly referers?: ReadonlyArray<string>
  }
  /** What the collaborator of each group gets: of the sale, or of each of its lines as they stand. */
  readonly pays?: Readonly<Record<string, number | ReadonlyArray<number>>>
  /** What the store keeps of the sale's first line. */
  readonly store?: number
  /** How much of the first share is in which band: `["12.50", 5000]`. */
  readonly bands?: ReadonlyArray<readonly [percent: string, counted: number]>
  /** What the cap took off the first share. */
  readonly cut?: number
  /** A refund of the first line of a sale, by its number. */
  readonly refund?: {
    readonly of?: number
    readonly quantity?: number
    readonly amount?: number
    readonly remaining?: true
  }
  readonly takesBack?: Readonly<Record<string, number>>
  /** The groups from now on. */
  readonly groups?: ReadonlyArray<GoldenGroup>
  /** The name of the error. */
  readonly fails?: string
  /** All counters afterwards. */
  readonly counters?: Readonly<Record<string, number>>
}

/** A case: under which groups, what happens, and what has to come of it. */
export interface GoldenCase {
  /** One plain line. */
  readonly shows: string
  /** Where the figures were published. */
  readonly source?: readonly [title: string, link: string]
  /** What the source doesn't say or says otherwise, and how it is decided here. */
  readonly leftOpen?: string
  readonly groups: ReadonlyArray<GoldenGroup>
  readonly policy?: Partial<SplitPolicy.SplitPolicy>
  readonly timeZone?: string
  /** What was counted before. */
  readonly before?: Readonly<Record<string, number>>
  readonly happens: ReadonlyArray<GoldenStep>
}
