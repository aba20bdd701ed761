/** A product group while it is filled in, and as a request takes it. */
import {
  needed,
  noTerms,
  problemsOfTerms,
  type TermsDraft,
  termsDraftOf,
} from "../parts/TermsDraft.js"
import type { GroupForm } from "./Answers.js"
import { fieldOf, keptTime, timeAt } from "./Time.js"
import { linesOf } from "./ValueLines.js"

export const linkTypes = [
  ["products.tag", "Products with a tag"],
  ["products.vendor", "Products of a vendor"],
  ["products", "Certain products"],
  ["products.all", "All products"],
] as const

export const conditionTypes = [
  ["", "Every order"],
  ["order.tag", "Orders with a tag"],
  ["customer.tag", "Orders of customers with a tag"],
  ["discount.code", "Orders with a discount code"],
  ["country.code", "Orders billed to a country"],
  ["referer", "Orders that came from a referrer"],
] as const

export type LinkName = (typeof linkTypes)[number][0]
export type ConditionName = (typeof conditionTypes)[number][0]

export interface GroupDraft {
  readonly itemType: LinkName
  readonly isLinkNot: boolean
  /** A value a line. */
  readonly items: string
  readonly condition: ConditionName
  readonly isConditionNot: boolean
  readonly conditions: string
  readonly type: "percentage" | "flat" | "both"
  readonly percent: string | null
  /** Texts of whole numbers: in which currency is said by each order. */
  readonly amount: string
  readonly deducts: boolean
  readonly shippingPercent: string | null
  readonly shippingAmount: string
  readonly least: string
  readonly most: string
  readonly startsAt: string
  readonly endsAt: string
  /** The seconds that these times were filled in with, if the group is stored. */
  readonly stored: { readonly [Name in "startsAt" | "endsAt"]?: number }
  /** Tiers and a cap. */
  readonly terms: TermsDraft
}

/** Whether the bands of tiers stand in the place of a percentage. */
export const isTiered = ({ terms }: Pick<GroupDraft, "terms">): boolean => terms.tiers !== null

/** The terms that count: tiers are a percentage, which a flat amount alone has not. */
const countingTerms = ({ type, terms }: GroupDraft): TermsDraft =>
  type === "flat" ? { ...terms, tiers: null } : terms

export const emptyDraft: GroupDraft = {
  itemType: "products.tag",
  isLinkNot: false,
  items: "",
  condition: "",
  isConditionNot: false,
  conditions: "",
  type: "percentage",
  percent: null,
  amount: "",
  deducts: false,
  shippingPercent: null,
  shippingAmount: "",
  least: "",
  most: "",
  startsAt: "",
  endsAt: "",
  stored: {},
  terms: noTerms,
}

const linkOf = (name: string): LinkName => {
  const [, kind] = name.split(".")
  if (kind === "all") return "products.all"
  if (kind === "tag") return "products.tag"
  return kind === "vendor" ? "products.vendor" : "products"
}

const textOf = (value: unknown): string => (value == null ? "" : String(value))

/** As the field of a percentage has it: `12.50`. */
const percentOf = (value: number | string | null | undefined): string | null =>
  value == null ? null : Number(value).toFixed(2)

const storedTime = (value: number | string | null | undefined): number | undefined => {
  if (value == null) return undefined
  return typeof value === "number" ? value : Math.floor(Date.parse(value) / 1000)
}

const timeOf = (seconds: number | undefined): string =>
  seconds === undefined ? "" : fieldOf(seconds)

/** What a stored group is filled in with. */
export const draftOf = (form: GroupForm): GroupDraft => {
  const [startsAt, endsAt] = [storedTime(form.starts_at), storedTime(form.ends_at)]
  return {
    itemType: linkOf(form.itemType),
    isLinkNot: [form.type_modifier].flat()[0] === "NOT",
    items: (form.items ?? []).map(String).join("\n"),
    condition: form.splitConditionType ?? "",
    isConditionNot: form.condition_modifier === "NOT",
    conditions: (form.splitConditions ?? []).join("\n"),
    type: form.type ?? (form.amount == null ? "percentage" : "flat"),
    percent: percentOf(form.percentage ?? form.percent),
    amount: textOf(form.amount),
    deducts: form.deduct_for_other_splits ?? false,
    shippingPercent: percentOf(form.shipping_percent),
    shippingAmount: textOf(form.shipping_amount),
    least: textOf(form.min_amount),
    most: textOf(form.max_amount),
    startsAt: timeOf(startsAt),
    endsAt: timeOf(endsAt),
    stored: {
      ...(startsAt === undefined ? {} : { startsAt }),
      ...(endsAt === undefined ? {} : { endsAt }),
    },
    terms: termsDraftOf(form.terms),
  }
}

/** What is no whole number goes to the API as it was typed, which says what is wrong with it. */
const wholeOf = (text: string): number | null => {
  if (text.trim() === "") return null
  const number = Number(text)
  return Number.isFinite(number) ? number : -1
}

const secondsOf = (draft: GroupDraft, name: keyof GroupDraft["stored"]): number | null => {
  const text = draft[name]
  if (text === "") return null
  const timeOf = () => timeAt(text.length === 16 ? `${text}:00` : text)
  return keptTime(text, draft.stored[name], { fieldOf, timeOf }) ?? null
}

/** Terms that have all of their fields, as a request takes them. */
const termsRequestOf = (draft: GroupDraft): NonNullable<GroupForm["terms"]> | null => {
  const { tiers, cap } = countingTerms(draft)
  if (tiers === null && cap === null) return null
  return {
    tiers: tiers && {
      ...tiers,
      bands: tiers.bands.map(({ from, percent }) => ({ from: from ?? 0, percent: percent ?? "" })),
    },
    cap: cap && { ...cap, amount: cap.amount ?? 0 },
  }
}

/** What a request takes: all fields, so that what was cleared is cleared. */
export const requestOf = (draft: GroupDraft): GroupForm => {
  const hasCondition = draft.condition !== ""
  return {
    itemType: draft.itemType,
    items: draft.itemType === "products.all" ? [] : linesOf(draft.items),
    type_modifier: draft.isLinkNot && draft.itemType !== "products.all" ? "NOT" : "WITH",
    splitConditionType: draft.condition === "" ? null : draft.condition,
    splitConditions: hasCondition ? linesOf(draft.conditions) : [],
    condition_modifier: hasCondition ? (draft.isConditionNot ? "NOT" : "WITH") : null,
    type: draft.type,
    percentage: draft.type === "flat" || isTiered(draft) ? null : draft.percent,
    amount: draft.type === "percentage" ? null : wholeOf(draft.amount),
    deduct_for_other_splits: draft.condition === "referer" && draft.deducts,
    shipping_percent: draft.shippingPercent,
    shipping_amount: wholeOf(draft.shippingAmount),
    min_amount: wholeOf(draft.least),
    max_amount: wholeOf(draft.most),
    starts_at: secondsOf(draft, "startsAt"),
    ends_at: secondsOf(draft, "endsAt"),
    terms: termsRequestOf(draft),
  }
}

/** What is wrong with the terms, by field: `terms.cap.amount`. */
const wrongTerms = (draft: GroupDraft): ReadonlyArray<readonly [name: string, text: string]> =>
  Object.entries(problemsOfTerms(countingTerms(draft))).map(([path, text]) => [
    `terms.${path}`,
    text,
  ])

/** What is wrong with what was filled in, by field; the rest is looked at by the API. */
export const wrongIn = (draft: GroupDraft): Readonly<Record<string, string>> =>
  Object.fromEntries(wrongTerms(draft).filter(([, text]) => text !== needed))

/** What is still to be filled in, by field. */
export const missingIn = (draft: GroupDraft): Readonly<Record<string, string>> => ({
  ...(draft.itemType !== "products.all" && linesOf(draft.items).length === 0
    ? { items: "name at least one" }
    : {}),
  ...(draft.condition !== "" && linesOf(draft.conditions).length === 0
    ? { conditions: "name at least one" }
    : {}),
  ...(draft.type !== "flat" && draft.percent === null && !isTiered(draft)
    ? { percent: needed }
    : {}),
  ...(draft.type !== "percentage" && draft.amount.trim() === "" ? { amount: needed } : {}),
  ...Object.fromEntries(wrongTerms(draft).filter(([, text]) => text === needed)),
})

/** The field that a problem of the API is about. */
const fields: Readonly<Record<string, keyof GroupDraft>> = {
  itemType: "itemType",
  items: "items",
  type_modifier: "isLinkNot",
  splitConditionType: "condition",
  splitConditions: "conditions",
  condition_modifier: "isConditionNot",
  type: "type",
  percent: "percent",
  percentage: "percent",
  amount: "amount",
  deduct_for_other_splits: "deducts",
  shipping_percent: "shippingPercent",
  shipping_amount: "shippingAmount",
  min_amount: "least",
  max_amount: "most",
  starts_at: "startsAt",
  ends_at: "endsAt",
}

/** The problems of each field of the form; what is about none of them is not in it. */
export const problemsOf = (
  errors: Readonly<Record<string, ReadonlyArray<string>>>,
): Readonly<Record<string, string>> => {
  const problems: Record<string, string> = {}
  for (const [name, texts] of Object.entries(errors)) {
    const path = name.replace(/^group\./, "")
    const [top = ""] = path.split(/[.[]/)
    const field = top === "terms" ? path : fields[top]
    if (field !== undefined) problems[field] = texts.join("; ")
  }
  return problems
}
