/**
 * What one group earns on one item, and what stays with the store.
 *
 * @since 0.1.0
 */

/**
 * What rounding left of a party's money, before and after an item, in ten-thousandths of a cent: above 0 when the party
 * has got less than its exact share so far. What the party got of the item is its exact share, plus `before`, less
 * `after`.
 *
 * @since 0.6.0
 * @category models
 */
export interface Carried {
  readonly before: number
  readonly after: number
}

/**
 * The part of a share that was earned in one band of its group's tiers.
 *
 * @since 0.6.0
 * @category models
 */
export interface ShareBand {
  /** The band's lower bound. */
  readonly from: number
  /** The band's percentage, as `"12.50"`. */
  readonly percent: string
  /** What of this share was counted in the band: units, or cents of the base or of the share; negative for a return. */
  readonly counted: number
}

/**
 * What the tiers of a group did to a share.
 *
 * @since 0.6.0
 * @category models
 */
export interface ShareTiers {
  /** What is counted. */
  readonly counted: "units" | "base" | "share"
  /** The key of the counter. */
  readonly counter: string
  /** What the counter had reached before this share. */
  readonly before: number
  /** What it has reached with it. */
  readonly after: number
  /** In the order in which they were passed: a return walks them downwards. */
  readonly bands: ReadonlyArray<ShareBand>
}

/**
 * What the cap of a group did to a share.
 *
 * @since 0.6.0
 * @category models
 */
export interface ShareCap {
  /** The key of the counter. */
  readonly counter: string
  /** The cap of a period, in cents. */
  readonly amount: number
  /** What was paid in the period before this share. */
  readonly before: number
  /** What has been paid with it. */
  readonly after: number
  /** What is left for the rest of the period. */
  readonly left: number
  /** What the share would have had on top. */
  readonly cut: number
}

/**
 * What the terms of a group did to a share, in a split by {@link CountedSplit}.
 *
 * @since 0.6.0
 * @category models
 */
export interface ShareTerms {
  readonly tiers: ShareTiers | null
  readonly cap: ShareCap | null
}

/**
 * One group's share of one item. All amounts are cents of the order's currency.
 *
 * @since 0.1.0
 * @category models
 */
export interface Share {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  /** Everything that the collaborator gets, including shipping. */
  readonly amount: number
  /** The part of `amount` that comes from shipping; negative when shipping is charged. */
  readonly shippingAmount: number
  /** The base of the percentage, after all deductions. */
  readonly base: number
  /** The group's percentage, as `"12.50"`; `null` where it has none, or tiers instead. */
  readonly percent: string | null
  /** The group's flat amount, as set in the group. */
  readonly flatAmount: number | null
  /** Whether the share was computed first and deducted from the base of the others. */
  readonly deducting: boolean
  /** The result of the percentage, rounded. */
  readonly percentTotal: number
  /** The result of the flat amount for this item. */
  readonly flatTotal: number
  /** Percent and flat together, within the group's minimum and maximum. */
  readonly beforeShipping: number
  /** What the group claimed, `goods` and shipping. It is `amount`, unless an over-allocation was settled. */
  readonly claim: number
  /** The group's remainder, when remainders are carried (`CarriedSplit`). */
  readonly carried?: Carried | undefined
  /** Absent for a group without tiers and cap. */
  readonly terms?: ShareTerms
}

/**
 * What stays with the store of one item.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoreShare {
  readonly itemId: string
  /** Cents; negative only under `overAllocation: "allow"`, or when the store pays more than the item brought in. */
  readonly amount: number
  /** The store's remainder, when remainders are carried (`CarriedSplit`). */
  readonly carried?: Carried | undefined
}

/**
 * A group that matched an item but lost to a more specific group of the same collaborator.
 *
 * @since 0.1.0
 * @category models
 */
export interface Outranked {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  /** The group that counts instead. */
  readonly byGroupId: string
}

/**
 * How an item's money was computed before it was shared. All amounts are cents of the order's currency.
 *
 * @since 0.1.0
 * @category models
 */
export interface ItemBreakdown {
  readonly itemId: string
  /** The item's amount as it came. */
  readonly amount: number
  /** How many units. */
  readonly quantity: number
  /** The item's discount as it came. */
  readonly discount: number
  /** What tax added to the base: negative when it was removed, positive when it was shared, else 0. */
  readonly tax: number
  /** Cost of all units, when the policy deducts it, else 0. */
  readonly cost: number
  /** The item's part of the gateway fee, when the policy deducts it, else 0. */
  readonly gatewayFee: number
  /** The item's part of the order's shipping. */
  readonly shipping: number
  /** The base of the deducting groups' percentages. */
  readonly base: number
  /** The sum of the deducting groups' shares. */
  readonly deducted: number
  /** What the item brought in: the shares and the store's rest add up to it. */
  readonly distributable: number
  /** Whether the claims on the item exceeded what could be paid. */
  readonly overAllocated: boolean
}
