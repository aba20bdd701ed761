/** What is drawn of an order before it is made: small choices, the plainest of which is the first. */
import fc from "fast-check"

/** What part of a sum another one is. */
export type Part =
  | "none"
  | "zero"
  | "cent"
  | "fifth"
  | "third"
  | "almost"
  | "all"
  | "more"
  | "against"

/** A choice of which the first is the plainest; the others come up as often as they are listed. */
const choice = <A>(...values: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...values)

const pick = (): fc.Arbitrary<number> => fc.nat({ max: 999_999 })

/** As it is every other time, else one of the other ways. */
const plainOrPick = (): fc.Arbitrary<number> =>
  fc.oneof({ withCrossShrink: true }, fc.constant(0), pick())

export const aimPlan = () =>
  fc.record({
    group: pick(),
    item: pick(),
    // Beyond half, one of the things by which the group can be missed.
    amiss: fc.oneof({ withCrossShrink: true }, fc.constant(0), fc.nat({ max: 59 })),
    choice: fc.record({ value: pick(), spelling: plainOrPick(), near: pick() }),
  })

const strewnPlan = () =>
  fc.record({
    place: pick(),
    item: pick(),
    value: pick(),
    isAdded: fc.boolean(),
    kind: choice<"spelt" | "nearly" | "elsewhere">("spelt", "spelt", "nearly", "elsewhere"),
    pick: pick(),
  })

/** How the money of a line is drawn. */
export interface MoneyPlan {
  /** The first is the plainest. */
  readonly amounts: ReadonlyArray<number>
  readonly quantities: ReadonlyArray<number>
  readonly discounts: ReadonlyArray<Part>
  readonly taxes: ReadonlyArray<Part>
  readonly costs: ReadonlyArray<Part>
  readonly hasReturns: boolean
  /** Whether what is sold and what is taken back may be in one order. */
  readonly isOdd: boolean
}

const linePlan = (money: MoneyPlan) =>
  fc.record({
    product: pick(),
    isExternal: fc.boolean(),
    amount: fc.oneof(
      { withCrossShrink: true },
      { weight: 3, arbitrary: choice(...money.amounts) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
    ),
    quantity: choice(...money.quantities),
    discount: choice(...money.discounts),
    tax: choice(...money.taxes),
    cost: choice(...money.costs),
    isReturn: money.hasReturns ? choice(false, false, false, false, true) : fc.constant(false),
  })

export interface OrderPlan extends MoneyPlan {
  readonly maxItems: number
  readonly shippings: ReadonlyArray<number | undefined>
  readonly fees: ReadonlyArray<number | undefined>
}

/** Everything that is drawn of an order. */
export const orderPlan = (plan: OrderPlan) =>
  fc.record({
    lines: fc.array(linePlan(plan), {
      minLength: 1,
      maxLength: Math.max(1, plan.maxItems),
      size: "max",
    }),
    strewn: fc.array(strewnPlan(), { maxLength: 3, size: "max" }),
    aims: fc.array(aimPlan(), { maxLength: 3, size: "max" }),
    time: plainOrPick(),
    shipping: choice(...plan.shippings),
    fee: choice(...plan.fees),
    taxesIncluded: choice<boolean | undefined>(undefined, false, true, true),
    writesEmpty: choice(false, false, false, true),
    isOdd: fc.constant(plan.isOdd),
  })

type Drawn<A> = A extends fc.Arbitrary<infer Value> ? Value : never

export type OrderDrawn = Drawn<ReturnType<typeof orderPlan>>
export type LineDrawn = Drawn<ReturnType<typeof linePlan>>
export type AimDrawn = Drawn<ReturnType<typeof aimPlan>>
