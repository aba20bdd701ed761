/** Of the endpoints of the original API. */
import type { Samples } from "./Sample.js"

const entry = { amount: 5, name: "Frames" }
const newGroup = { itemType: "products.tag", items: ["art"], type: "percentage", percent: "5.00" }

const tag = { itemType: "products.tag", items: ["art"], type: "percentage", percent: 5 }
const flat = { itemType: "products.all", type: "flat", amount: 250 }
const ofCondition = (splitConditionType: string, ...splitConditions: ReadonlyArray<string>) => ({
  ...{ ...tag, splitConditionType, splitConditions },
})

/** Terms with each documented value. Tiers take the place of a percentage, so these come last. */
const termed: ReadonlyArray<object> = (
  [
    ["units", "group", "lifetime"],
    ["base", "collaborator", "year"],
    ["share", "group", "month"],
    ["units", "collaborator", "payout"],
  ] as const
)
  .map(([counted, per, period]): object => ({
    tiers: {
      ...{ counted, per, period },
      bands: [
        { from: 0, percent: 10 },
        { from: 5, percent: "12.5" },
      ],
    },
    cap: { amount: 900, per, period },
  }))
  .concat([{ tiers: { counted: "units", bands: [{ from: 0, percent: 10 }] }, cap: null }])
  .map((terms) => ({ itemType: "products.tag", items: ["art"], terms }))

/** Product groups with each documented field and value. */
export const groupBodies: ReadonlyArray<object> = [
  ...["products.all", "product.all", "products.tag", "product.tag"],
  ...["products.vendor", "product.vendor", "products", "product"],
]
  .map((itemType): object => ({ ...tag, itemType }))
  .concat([
    { ...tag, itemType: "products", items: [5, "p1"] },
    { ...tag, type_modifier: "WITH" },
    { ...tag, type_modifier: ["NOT"] },
    { ...tag, type_modifier: [] },
    { ...tag, splitConditionType: null, splitConditions: [], condition_modifier: null },
    ofCondition("order.tag", "gift"),
    ofCondition("customer.tag", "vip"),
    { ...ofCondition("discount.code", "HERON"), condition_modifier: "WITH" },
    { ...ofCondition("country.code", "DE", "PT"), condition_modifier: "NOT" },
    { ...ofCondition("referer", "theo"), deduct_for_other_splits: true },
    { ...tag, percent: "7.5", amount: 9, deduct_for_other_splits: false },
    { ...tag, percent: undefined, percentage: "7.50" },
    { ...tag, percent: null, percentage: 7.25, amount: null },
    { ...tag, shipping_percent: "3", min_amount: 1, max_amount: 900 },
    { ...tag, shipping_percent: 3, min_amount: null, max_amount: null },
    { ...tag, starts_at: 1_700_000_000, ends_at: "2030-01-01T00:00:00Z" },
    { ...tag, starts_at: "2020-01-01T00:00:00+01:00", ends_at: null },
    { ...flat, shipping_amount: 0, percent: 4, note: "of no meaning here" },
    { ...flat, type: "both", percent: "5.00" },
    { ...tag, terms: { tiers: null, cap: { amount: 9 } } },
    { ...tag, terms: null },
    ...termed,
  ])

export const originalSamples: Samples = {
  createProductGroup: { body: newGroup, bodies: groupBodies },
  updateProductGroup: { body: { percent: 7 }, bodies: [{}, ...groupBodies] },
  addExpense: {
    body: entry,
    bodies: [entry, { amount: 1, name: " é ", note: "of no meaning here" }],
  },
  addIncome: { body: entry, bodies: [entry] },
}
