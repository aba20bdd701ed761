/** The comparison of the library with the oracle is worth something: it can fail, and it meets everything. */
import { SplitPolicy } from "apportion"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { policyOptions, type Sale, sale } from "../generators/Sales.js"
import { difference } from "./Difference.js"
import { features } from "./Features.js"

/** A view of a sale in which something is missing: an oracle that sees only this must be caught. */
const blindSpots: ReadonlyArray<readonly [string, (one: Sale) => Sale]> = [
  ...(
    [
      ["condition", null],
      ["percent", "10"],
      ["amount", null],
      ["shippingPercent", null],
      ["shippingAmount", null],
      ["deductForOtherSplits", false],
      ["minAmount", null],
      ["maxAmount", null],
      ["startsAt", null],
      ["endsAt", null],
      ["createdAt", null],
    ] as const
  ).map(
    ([field, blank]) =>
      [
        `the groups' ${field}`,
        (one: Sale): Sale => ({
          ...one,
          groups: one.groups.map((group) => ({ ...group, [field]: blank })),
        }),
      ] as const,
  ),
  ...(
    [
      "createdAt",
      "tags",
      "customerTags",
      "discountCodes",
      "billingCountry",
      "referers",
      "taxesIncluded",
      "shippingAmount",
      "shippingTax",
      "gatewayFee",
    ] as const
  ).map(
    (field) =>
      [
        `the order's ${field}`,
        (one: Sale): Sale => ({ ...one, order: { ...one.order, [field]: undefined } }),
      ] as const,
  ),
  ...(["discount", "taxTotal"] as const).map(
    (field) =>
      [
        `the items' ${field}`,
        (one: Sale): Sale => ({
          ...one,
          order: {
            ...one.order,
            items: one.order.items.map((item) => ({ ...item, [field]: undefined })),
          },
        }),
      ] as const,
  ),
  ...(["externalId", "vendor", "cost", "tags"] as const).map(
    (field) =>
      [
        `the products' ${field}`,
        (one: Sale): Sale => ({
          ...one,
          order: {
            ...one.order,
            items: one.order.items.map((item) => ({
              ...item,
              product: { ...item.product, [field]: undefined },
            })),
          },
        }),
      ] as const,
  ),
  ...(
    [
      "discount",
      "tax",
      "cost",
      "gatewayFee",
      "flatScope",
      "shipping",
      "stacking",
      "rounding",
      "overAllocation",
    ] as const
  ).map(
    (field) =>
      [
        `the policy's ${field}`,
        (one: Sale): Sale => ({
          ...one,
          policy: { ...one.policy, [field]: SplitPolicy.defaults[field] },
        }),
      ] as const,
  ),
]

describe("the comparison can fail", () => {
  test.each(blindSpots)("when the oracle does not see %s, that is noticed", (_, blinded) => {
    const { failed } = fc.check(
      fc.property(sale, (one) => difference(one, blinded(one)) === undefined),
      { numRuns: 10_000, endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})

/** The least part of random sales, in percent, that exercises each thing. */
const leastPercent: Readonly<Record<string, number>> = {
  "split with a share": 45,
  "item without a share": 15,
  "item with several shares": 20,
  "item with a deducting and another share": 4,
  "base with odd cents": 30,
  "shipping earned": 8,
  "shipping charged or taken back": 5,
  "minimum or maximum applied": 1.5,
  "store rest below zero": 15,
  "group outranked": 6,
  "group outranked by one that pays nothing": 0.5,
  "over-allocated under scale": 3,
  "over-allocated under rank": 3,
  "over-allocated under allow": 3,
  "claim cut by scale": 3,
  "claim cut by rank": 3,
  "refused OverAllocated": 3,
  "refused AmountOutOfRange": 0.8,
  "refused InvalidOrder": 0.1,
  "order with several items": 45,
  "order without items": 2,
  "order with a negative item": 20,
  "order with both signs": 3,
  "order with a free item": 5,
  "order with a huge amount": 2,
  "order with no units of an item": 12,
  "discount beyond the amount": 8,
  "negative shipping": 8,
  "paid by a group with dates": 4,
  "paid in the first second": 0.5,
  "paid percent and flat amount": 4,
  ...Object.fromEntries(
    ["products.all WITH", "products.tag WITH", "products.vendor WITH", "products WITH"].map(
      (link) => [`paid by link ${link}`, 5],
    ),
  ),
  ...Object.fromEntries(
    ["products.tag NOT", "products.vendor NOT", "products NOT"].map((link) => [
      `paid by link ${link}`,
      4,
    ]),
  ),
  ...Object.fromEntries(
    ["order.tag", "customer.tag", "discount.code", "country.code", "referer"].flatMap((type) => [
      [`paid under condition ${type} WITH`, 1],
      [`paid under condition ${type} NOT`, 0.5],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(policyOptions).flatMap(([option, values]) =>
      values.map((value) => [`policy ${option} ${value}`, 60 / values.length]),
    ),
  ),
}

test("random sales exercise everything, each thing often enough", () => {
  const sales = fc.sample(sale, { numRuns: 3_000, seed: 20_240_229 })
  const seen = sales.map(features)
  const percentOf = (label: string) =>
    (seen.filter((labels) => labels.has(label)).length / seen.length) * 100
  const tooSeldom = Object.entries(leastPercent)
    .map(([label, least]) => ({ label, least, found: percentOf(label) }))
    .filter(({ least, found }) => found < least)
  expect(tooSeldom).toEqual([])
})
