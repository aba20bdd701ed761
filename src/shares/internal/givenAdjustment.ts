/** An adjustment as far as a refund takes its part of it, looked at before that: a host may have kept anything. */
import { id, listOf, look, objectOf, type Shape } from "../../internal/fields.js"
import { within } from "../../internal/problems.js"
import { cents, nonNegative } from "../../money/internal/amounts.js"

interface GivenShare {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  readonly amount: number
  readonly shippingAmount: number
}

interface GivenItem {
  readonly itemId: string
  readonly store: number
  readonly distributable: number
  readonly shipping: number
}

export interface GivenAdjustment {
  /** How many refunds came before it. */
  readonly refunds: number
  readonly shares: ReadonlyArray<GivenShare>
  readonly items: ReadonlyArray<GivenItem>
}

const share: Shape<GivenShare> = {
  ...{ itemId: id, groupId: id, collaboratorId: id, amount: cents, shippingAmount: cents },
}

const item: Shape<GivenItem> = {
  itemId: id,
  store: cents,
  distributable: cents,
  shipping: cents,
}

const adjustment = /* @__PURE__ */ objectOf<GivenAdjustment>({
  refunds: nonNegative,
  shares: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(share)),
  items: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(item)),
})

/** What is given, or all its problems. */
export const lookAt = (given: unknown) => {
  const { made, problems } = look(given, adjustment)
  return { made, problems: problems.map((problem) => within("adjustment", problem)) }
}
