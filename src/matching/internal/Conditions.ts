import type { Condition, ConditionType } from "../../groups/ProductGroup.js"
import { numberAt } from "../../internal/at.js"
import type { Order } from "../Order.js"
import { NumberLists } from "./NumberLists.js"
import type { OrderView } from "./OrderView.js"
import { Spellings } from "./Spellings.js"
import * as text from "./text.js"
import { Slots, Vocabulary } from "./Vocabulary.js"

const noTexts: ReadonlyArray<string> = []

/** What an order says of what a condition asks for, as it is written there. */
export const attributeOf = (order: Order, type: ConditionType): ReadonlyArray<string> => {
  switch (type) {
    case "order.tag":
      return order.tags ?? noTexts
    case "customer.tag":
      return order.customerTags ?? noTexts
    case "discount.code":
      return order.discountCodes ?? noTexts
    case "referer":
      return order.referers ?? noTexts
    case "country.code":
      return order.billingCountry == null ? noTexts : [order.billingCountry]
  }
}

const foldOf = (type: ConditionType) => (type === "country.code" ? text.foldCountry : text.fold)

/** What the conditions of one type ask for. */
interface Asked {
  readonly words: Vocabulary
  readonly spellings: Spellings
}

const foldedValues = ({ type, values }: Condition): ReadonlyArray<string> => {
  const [first, second] = values
  if (first !== undefined && second === undefined) return [foldOf(type)(first)]
  return [...new Set(values.map(foldOf(type)))]
}

/** A condition as one number: none, a value of its own, or a list of values. */
const none = 0
const ofValue = (value: number): number => value * 2 + 1
const ofList = (list: number): number => list * 2 + 2
const isValue = (condition: number): boolean => (condition & 1) === 1
const ownValueOf = (condition: number): number => condition >> 1
const listOf = (condition: number): number => (condition >> 1) - 1

/**
 * What the conditions of a rule set ask for, and which of it the order has that is looked at. Values are
 * numbers; an order's texts are turned into numbers once, and each condition is then a look or two.
 */
export class Conditions {
  private readonly byType = new Map<ConditionType, Asked>()
  private readonly slots = new Slots()
  private readonly lists = new NumberLists()
  /** 1 for each value that the order has. */
  private marks = new Uint8Array(16)
  /** The order's values that some condition asks for, each once. */
  readonly present: Array<number> = []
  private viewed = 0

  /** Makes a number of a condition. */
  use(condition: Condition | null): number {
    if (condition === null) return none
    const asked = this.askedBy(condition.type)
    const values = foldedValues(condition).map((value) => this.useValue(asked, value))
    const [first, second] = values
    if (first !== undefined && second === undefined) return ofValue(first)
    const list = this.lists.add()
    for (const value of values) this.lists.push(list, value)
    return ofList(list)
  }

  /** A group with the condition is gone. */
  release(condition: Condition | null, number: number): void {
    if (condition === null) return
    const { words, spellings } = this.askedBy(condition.type)
    const { size } = words
    for (const value of foldedValues(condition)) words.release(value)
    if (!isValue(number)) this.lists.drop(listOf(number))
    if (words.size === size) return
    spellings.forget()
    this.viewed = 0
  }

  /** The numbers of the values that a condition asks for, of a group that has one. */
  valuesOf(condition: number): ReadonlyArray<number> {
    if (isValue(condition)) return [ownValueOf(condition)]
    const list = listOf(condition)
    return Array.from({ length: this.lists.lengthOf(list) }, (_, at) => this.lists.at(list, at))
  }

  /** Takes note of what an order has, unless it was the last one that was looked at. */
  look(view: OrderView): void {
    if (this.viewed === view.number) return
    for (const value of this.present) this.marks[value] = 0
    this.present.length = 0
    for (const [type, { spellings }] of this.byType) {
      // A list of something else than texts is refused by the first of them.
      attributeOf(view.order, type).forEach((value) => {
        const number = spellings.numberOf(value)
        if (number === -1 || this.marks[number] === 1) return
        this.marks[number] = 1
        this.present.push(number)
      })
    }
    this.viewed = view.number
  }

  /** Whether the order that was looked at has what a condition asks for. */
  isMet(condition: number): boolean {
    if (isValue(condition)) return this.marks[ownValueOf(condition)] === 1
    const list = listOf(condition)
    const { numbers, starts, lengths } = this.lists
    const start = numberAt(starts, list)
    const end = start + numberAt(lengths, list)
    for (let at = start; at < end; at += 1) if (this.marks[numberAt(numbers, at)] === 1) return true
    return false
  }

  /** Gives back the room that was kept for more. */
  compact(): void {
    this.lists.compact()
  }

  private useValue({ words, spellings }: Asked, value: string): number {
    const known = words.numberOf(value)
    const number = words.use(value)
    if (known !== -1) return number
    spellings.forget()
    // The order that was looked at is looked at again, which makes all marks anew.
    this.viewed = 0
    if (number >= this.marks.length) this.marks = new Uint8Array(number * 2)
    return number
  }

  private askedBy(type: ConditionType): Asked {
    const known = this.byType.get(type)
    if (known !== undefined) return known
    const words = new Vocabulary(this.slots)
    const fold = foldOf(type)
    const made = { words, spellings: new Spellings((value) => words.numberOf(fold(value))) }
    this.byType.set(type, made)
    return made
  }
}
