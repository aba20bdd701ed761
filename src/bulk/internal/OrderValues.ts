import * as Attribute from "../../orders/Attribute.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import { noWord, type TextColumn, type TextListColumn } from "./Columns.js"
import type { WordNumbers } from "./KeyNumbers.js"
import type { OrderRows } from "./OrderRows.js"

/** The values that conditions name, and which of them an order has. */
export class OrderValues {
  private readonly words: WordNumbers
  private readonly numbers = new Map<string, number>()
  /** For each attribute the number of the value of each word; -1: no condition names it; -2: not looked up. */
  private readonly byWord = new Map<Attribute.OrderAttribute, Int32Array>()
  private readonly asked: ReadonlyArray<Attribute.OrderAttribute>
  /** The order that had a value last. */
  readonly marks: Int32Array
  /** The values of the current order, and how many they are. */
  readonly present: Int32Array
  presentCount = 0
  /** The number of the current order. */
  order = 0

  constructor(groups: ReadonlyArray<ProductGroup>, words: WordNumbers) {
    this.words = words
    for (const { condition } of groups) {
      if (condition === null) continue
      if (!this.byWord.has(condition.type)) this.byWord.set(condition.type, new Int32Array(0))
      for (const number of condition.values.map((value) => keyOf(condition.type, value))) {
        if (!this.numbers.has(number)) this.numbers.set(number, this.numbers.size)
      }
    }
    this.asked = [...this.byWord.keys()]
    this.marks = new Int32Array(this.numbers.size)
    this.present = new Int32Array(this.numbers.size)
  }

  numberOf(attribute: Attribute.OrderAttribute, value: string): number {
    return this.numbers.get(keyOf(attribute, value)) ?? -1
  }

  look(rows: OrderRows, row: number): void {
    this.order += 1
    this.presentCount = 0
    for (const attribute of this.asked) {
      if (attribute === "country.code") this.markText(attribute, rows.countries, row)
      else this.markList(attribute, listOf(rows, attribute), row)
    }
  }

  private markList(attribute: Attribute.OrderAttribute, lists: TextListColumn, row: number): void {
    const end = lists.endOf(row)
    for (let at = lists.startOf(row); at < end; at += 1) this.markText(attribute, lists.texts, at)
  }

  private markText(attribute: Attribute.OrderAttribute, texts: TextColumn, place: number): void {
    const word = texts.word(place)
    if (word === noWord) return
    const known = this.byWord.get(attribute)?.[word] ?? -2
    const value = known === -2 ? this.learn(attribute, word) : known
    if (value < 0 || this.marks[value] === this.order) return
    this.marks[value] = this.order
    this.present[this.presentCount] = value
    this.presentCount += 1
  }

  private learn(attribute: Attribute.OrderAttribute, word: number): number {
    const known = this.byWord.get(attribute) ?? new Int32Array(0)
    let values = known
    if (word >= known.length) {
      values = new Int32Array(Math.max(64, word * 2)).fill(-2)
      values.set(known)
      this.byWord.set(attribute, values)
    }
    const value = this.numberOf(attribute, this.words.textOf(word))
    values[word] = value
    return value
  }
}

const keyOf = (attribute: Attribute.OrderAttribute, value: string): string =>
  `${attribute} ${Attribute.foldOf(attribute)(value)}`

const listOf = (rows: OrderRows, attribute: Exclude<Attribute.OrderAttribute, "country.code">) => {
  switch (attribute) {
    case "order.tag":
      return rows.tags
    case "customer.tag":
      return rows.customerTags
    case "discount.code":
      return rows.discountCodes
    case "referer":
      return rows.referers
  }
}
