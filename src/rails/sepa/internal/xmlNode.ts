import * as Result from "effect/Result"
import * as instant from "../../../internal/instant.js"
import { addProblems, show } from "../../../internal/problems.js"
import * as Currency from "../../../money/Currency.js"
import type { Problem } from "../../../Problem.js"
import type { XmlElement } from "./xmlTree.js"

/** An element with its path, and the list that collects problems. */
export interface XmlNode {
  readonly element: XmlElement
  readonly path: string
  readonly problems: Array<Problem>
}

/** Reports an element that can't be read, with its line. */
export const refuse = ({ element, path, problems }: XmlNode, expected: string): void => {
  const message = `must be ${expected}, got ${show(element.text)} (line ${element.line})`
  addProblems(problems, [{ path, value: element.text, message }])
}

/** Reports a missing element. */
export const refuseMissing = ({ element, path, problems }: XmlNode, name: string): void => {
  const message = `is missing (in the element of line ${element.line})`
  addProblems(problems, [{ path: `${path}.${name}`, value: undefined, message }])
}

/** The children with a name. */
export const nodes = ({ element, path, problems }: XmlNode, name: string): ReadonlyArray<XmlNode> =>
  element.children
    .filter((child) => child.name === name)
    .map((child, index) => ({ element: child, path: `${path}.${name}[${index}]`, problems }))

/** The first element at the end of a path of names. */
export const node = (from: XmlNode, ...way: ReadonlyArray<string>): XmlNode | undefined => {
  let at: XmlNode = from
  for (const name of way) {
    const element = at.element.children.find((child) => child.name === name)
    if (element === undefined) return undefined
    at = { element, path: `${at.path}.${name}`, problems: from.problems }
  }
  return at
}

/** The text at the end of a path of names; `undefined` for an empty one. */
export const text = (from: XmlNode, ...way: ReadonlyArray<string>): string | undefined => {
  const found = node(from, ...way)?.element.text
  return found === "" ? undefined : found
}

/** A day is read as its first second in UTC; a time without an offset is in UTC. */
const secondsOf = (written: string): number | undefined => {
  const day = /^(\d{4}-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)?$/.exec(written)?.[1]
  if (day !== undefined) return instant.parse(`${day}T00:00:00Z`)
  return instant.parse(written) ?? instant.parse(`${written}Z`)
}

/** The time in an element. */
export const time = (at: XmlNode | undefined): number | null => {
  if (at === undefined) return null
  const seconds = secondsOf(at.element.text)
  if (seconds === undefined) refuse(at, "a day or a time, as 2026-11-20 or 2026-11-20T12:00:00Z")
  return seconds ?? null
}

/** The time in an element that holds a day (`Dt`) or a time (`DtTm`). */
export const dayOrTime = (at: XmlNode | undefined): number | null =>
  at === undefined ? null : time(node(at, "DtTm") ?? node(at, "Dt"))

/** An amount with its currency. */
export interface XmlAmount {
  readonly amount: number
  readonly currency: string
}

/** The amount in an element, with its currency. */
export const money = (at: XmlNode | undefined): XmlAmount | undefined => {
  if (at === undefined) return undefined
  const { currency } = at.element
  const amount = Result.getOrUndefined(Currency.parseAmount(at.element.text, currency ?? ""))
  if (amount !== undefined && currency !== undefined && amount >= 0) return { amount, currency }
  refuse(at, `a decimal amount with its currency in Ccy (${show(currency)})`)
  return undefined
}

/**
 * The sum of amounts in a currency, credits subtracted; `undefined` without amounts, or if one is in another currency.
 */
export const sumOf = (
  records: ReadonlyArray<{ readonly money: XmlAmount | undefined; readonly isCredit: boolean }>,
  currency: string | null,
): number | undefined => {
  const sums = records.map(({ money, isCredit }) => {
    if (money === undefined || money.currency !== currency) return Number.NaN
    return isCredit ? -money.amount : money.amount
  })
  const sum = sums.reduce((total, amount) => total + amount, 0)
  return records.length > 0 && Number.isSafeInteger(sum) ? sum : undefined
}
