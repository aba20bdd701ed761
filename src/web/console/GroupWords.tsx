/** A product group in words: which products, of which orders, and what is paid. */
import { capInWords, tiersInWords } from "../parts/TermsWords.js"
import { Verbatim } from "../parts/Verbatim.js"
import type { GroupForm } from "./Answers.js"
import { draftOf } from "./GroupDraft.js"
import { moment } from "./Time.js"

const most = 3

const Values = ({ of, count }: { of: string; count: number | undefined }) => {
  const values = of.split("\n").filter((value) => value !== "")
  const rest = Math.max(values.length, count ?? 0) - most
  return (
    <>
      {values.slice(0, most).map((value, index) => (
        <span key={`${index}`}>
          {index > 0 && ", "}
          <Verbatim text={value} most={40} />
        </span>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  )
}

const linkWords = {
  "products.all": "All products",
  "products.tag": "Tag ",
  "products.vendor": "Vendor ",
  products: "Product ",
} as const

export const GroupLink = ({ of, count }: { of: GroupForm; count?: number | undefined }) => {
  const { itemType, isLinkNot, items } = draftOf(of)
  if (itemType === "products.all") return <>{linkWords[itemType]}</>
  return (
    <>
      {isLinkNot ? "All but " : ""}
      {isLinkNot ? linkWords[itemType].toLowerCase() : linkWords[itemType]}
      <Values of={items} count={count} />
    </>
  )
}

const conditionWords = {
  "": "Every order",
  "order.tag": "order tag ",
  "customer.tag": "customer tag ",
  "discount.code": "code ",
  "country.code": "country ",
  referer: "referrer ",
} as const

export const GroupConditions = ({ of }: { of: GroupForm }) => {
  const { condition, isConditionNot, conditions } = draftOf(of)
  if (condition === "") return <>{conditionWords[condition]}</>
  return (
    <>
      {isConditionNot ? "Not " : "With "}
      {conditionWords[condition]}
      <Values of={conditions} count={undefined} />
    </>
  )
}

/** An amount of a group, which is in the lowest unit of the currency of each order, whichever that is. */
export const centsOf = (amount: string): string =>
  amount === "" ? "–" : `${amount} ${amount === "1" ? "cent" : "cents"}`

const amountWords = (cents: number): string => centsOf(String(cents))

/** As `12.5 %`, or its tiers, or a flat amount for each unit; and what it is capped at. */
export const GroupPay = ({ of }: { of: GroupForm }) => {
  const { type, percent, amount, terms } = draftOf(of)
  const { tiers, cap } = terms
  const percentTold =
    tiers === null ? `${Number(percent ?? 0)} %` : tiersInWords(tiers, amountWords)
  const parts = [
    ...(type === "flat" ? [] : [percentTold]),
    ...(type === "percentage" ? [] : [`${centsOf(amount)} a unit`]),
  ]
  const most = cap === null ? "" : `, ${capInWords(cap, amountWords)}`
  return <>{`${parts.join(" and ")}${most}`}</>
}

/** From when to when it counts. */
export const GroupTimes = ({ of: { starts_at, ends_at } }: { of: GroupForm }) => {
  const from = typeof starts_at === "number" ? `from ${moment(starts_at)} ` : ""
  const until = typeof ends_at === "number" ? `until ${moment(ends_at)}` : ""
  return <>{from + until === "" ? "always" : from + until}</>
}
