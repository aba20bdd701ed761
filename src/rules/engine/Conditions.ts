import { at, numberAt } from "../../internal/at.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Order } from "../../orders/Order.js"
import type { Condition, ConditionType, ProductGroup } from "../ProductGroup.js"
import { NumberLists } from "./NumberLists.js"

let ordersViewed = 0

/** One order while it is looked at. */
export class OrderView {
  readonly order: Order
  /** No two views have the same; at a million orders a second the safe integers last for centuries. */
  readonly number: number
  /** The groups that apply to the order and that no value of a product leads to. */
  wide: ReadonlyArray<number> | undefined = undefined

  constructor(order: Order) {
    ordersViewed += 1
    this.order = order
    this.number = ordersViewed
  }
}

/** Whether a group with dates is in force at the order's time; without a time it is not. */
export const inForce = ({ createdAt: at }: Order, { startsAt, endsAt }: ProductGroup): boolean => {
  if (startsAt === null && endsAt === null) return true
  if (at == null) return false
  return (startsAt === null || startsAt <= at) && (endsAt === null || at < endsAt)
}

/** A flood of texts that nobody asks for must not fill the memory. */
const mostSpellings = 1 << 14
/** Nor must a few texts that are as long as books. */
const longest = 128

/**
 * Remembers which number a text leads to as people spell it, so that the same spelling is folded once.
 * -1: it leads nowhere.
 */
export class Spellings {
  private readonly known = new Map<string, number>()
  private readonly find: (text: string) => number

  constructor(find: (text: string) => number) {
    this.find = find
  }

  numberOf(text: string): number {
    return this.known.get(text) ?? this.learn(text)
  }

  /** What texts lead to has changed. */
  forget(): void {
    if (this.known.size > 0) this.known.clear()
  }

  private learn(text: string): number {
    const number = this.find(text)
    if (text.length > longest) return number
    if (this.known.size >= mostSpellings) this.known.clear()
    this.known.set(text, number)
    return number
  }
}

/** Numbers from 0 on, the ones that were given back first. */
export class Slots {
  private count = 0
  private readonly free: Array<number> = []

  take(): number {
    const reused = this.free.pop()
    if (reused !== undefined) return reused
    this.count += 1
    return this.count - 1
  }

  giveBack(slot: number): void {
    this.free.push(slot)
  }
}

/** Numbers for texts, as long as somebody uses them. */
export class TextNumbers {
  private readonly numbers = new Map<string, number>()
  private readonly uses: Array<number> = []
  private readonly slots: Slots

  /** Vocabularies that share slots have no number in common. */
  constructor(slots: Slots = new Slots()) {
    this.slots = slots
  }

  get size(): number {
    return this.numbers.size
  }

  /** The number of a text that somebody uses, else -1. */
  numberOf(text: string): number {
    return this.numbers.get(text) ?? -1
  }

  /** The number of a text, which is one use more of it. */
  use(text: string): number {
    const known = this.numbers.get(text)
    const number = known ?? this.slots.take()
    if (known === undefined) this.numbers.set(text, number)
    this.uses[number] = (this.uses[number] ?? 0) + 1
    return number
  }

  release(text: string): void {
    const number = this.numberOf(text)
    const uses = at(this.uses, number) - 1
    this.uses[number] = uses
    if (uses > 0) return
    this.numbers.delete(text)
    this.slots.giveBack(number)
  }
}

/** What the conditions of one type ask for. */
interface ConditionValues {
  readonly words: TextNumbers
  readonly spellings: Spellings
  /** The values that an order has, as they are written there. */
  readonly read: (order: Order) => ReadonlyArray<string>
}

const foldedValues = ({ type, values }: Condition): ReadonlyArray<string> => {
  const fold = Attribute.foldOf(type)
  const [first, second] = values
  if (first !== undefined && second === undefined) return [fold(first)]
  return [...new Set(values.map(fold))]
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
  private readonly byType = new Map<ConditionType, ConditionValues>()
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
    for (const { read, spellings } of this.byType.values()) {
      // A list of something else than texts is refused by the first of them.
      read(view.order).forEach((value) => {
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

  private useValue({ words, spellings }: ConditionValues, value: string): number {
    const known = words.numberOf(value)
    const number = words.use(value)
    if (known !== -1) return number
    spellings.forget()
    // The order that was looked at is looked at again, which makes all marks anew.
    this.viewed = 0
    if (number >= this.marks.length) this.marks = new Uint8Array(number * 2)
    return number
  }

  private askedBy(type: ConditionType): ConditionValues {
    const known = this.byType.get(type)
    if (known !== undefined) return known
    const words = new TextNumbers(this.slots)
    const fold = Attribute.foldOf(type)
    const spellings = new Spellings((value) => words.numberOf(fold(value)))
    const made = { words, spellings, read: Attribute.ofOrder[type] }
    this.byType.set(type, made)
    return made
  }
}
