import { at, numberAt } from "../../internal/at.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Order } from "../../orders/Order.js"
import type { Condition, ConditionType, ProductGroup } from "../ProductGroup.js"
import { enlarged, NumberLists } from "./NumberLists.js"

let ordersViewed = 0

/** One order during matching. */
export class OrderView {
  readonly order: Order
  /** Unique for each view; at a million orders a second the safe integers last for centuries. */
  readonly number: number
  /** The groups that apply to the order and that are not found by a value of a product. */
  wide: ReadonlyArray<number> | undefined = undefined

  constructor(order: Order) {
    ordersViewed += 1
    this.order = order
    this.number = ordersViewed
  }

  /** Whether no other order has been viewed since. */
  get isLast(): boolean {
    return this.number === ordersViewed
  }
}

/** When an order was made; not a number for one without a time, which is within no dates. */
export const timeOf = ({ createdAt }: Order): number => createdAt ?? Number.NaN

/** Whether a group with dates is in force at the order's time; without a time it is not. */
export const inForce = ({ createdAt: at }: Order, { startsAt, endsAt }: ProductGroup): boolean => {
  if (startsAt === null && endsAt === null) return true
  if (at == null) return false
  return (startsAt === null || startsAt <= at) && (endsAt === null || at < endsAt)
}

/** A flood of texts that no group names must not fill the memory. */
const mostSpellings = 1 << 14
/** Nor must a few very long texts. */
const longest = 128

/** Caches the number of each spelling of a text, so that the same spelling is folded once. -1: it has no number. */
export class Spellings {
  private readonly known = new Map<string, number>()
  private readonly find: (text: string) => number

  constructor(find: (text: string) => number) {
    this.find = find
  }

  numberOf(text: string): number {
    return this.known.get(text) ?? this.learn(text)
  }

  /** Clears the cache after a change of numbers. */
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

/** Allocates numbers from 0 on, released ones first. */
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

/** Numbers for texts, as long as they are in use. */
export class TextNumbers {
  private readonly numbers = new Map<string, number>()
  private readonly uses: Array<number> = []
  private readonly slots: Slots

  /** Vocabularies that share slots have no numbers in common. */
  constructor(slots: Slots = new Slots()) {
    this.slots = slots
  }

  get size(): number {
    return this.numbers.size
  }

  /** The number of a text in use, else -1. */
  numberOf(text: string): number {
    return this.numbers.get(text) ?? -1
  }

  /** The number of a text, with its use count incremented. */
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

/** The values of the conditions of one type. */
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

/** Numbers of 32 bits go no further. */
const mostMet = 0x7fff_fffe

/**
 * The values of the conditions of a rule set, and which of them the current order has. Values are numbers; an order's
 * texts are converted to numbers once, and each condition is tested once an order, by one or two comparisons.
 */
export class Conditions {
  private readonly byType = new Map<ConditionType, ConditionValues>()
  /** The same as a list, which is gone through for each order. */
  private readonly types: Array<ConditionValues> = []
  private readonly slots = new Slots()
  private readonly lists = new NumberLists()
  /** By condition: what stands for met or for not met by the order for which it was tested last. */
  private states = new Int32Array(16)
  /** Stands for met by the current order, and the number below it for not met; higher than those of all orders before. */
  private met = 1
  /** The order's values that some condition names, each once. */
  readonly present: Array<number> = []
  private viewed = 0

  /** Converts a condition to a number. */
  use(condition: Condition | null): number {
    if (condition === null) return none
    // The current order is read again, with new states.
    this.viewed = 0
    const asked = this.askedBy(condition.type)
    const values = foldedValues(condition).map((value) => this.useValue(asked, value))
    const [first, second] = values
    if (first !== undefined && second === undefined) return this.withState(ofValue(first))
    const list = this.lists.add()
    for (const value of values) this.lists.push(list, value)
    return this.withState(ofList(list))
  }

  /** A group with the condition was removed. */
  release(condition: Condition | null, number: number): void {
    if (condition === null) return
    this.viewed = 0
    const { words, spellings } = this.askedBy(condition.type)
    const { size } = words
    for (const value of foldedValues(condition)) words.release(value)
    if (!isValue(number)) this.lists.drop(listOf(number))
    if (words.size !== size) spellings.forget()
  }

  /** The numbers of the values of a group's condition. */
  valuesOf(condition: number): ReadonlyArray<number> {
    if (isValue(condition)) return [ownValueOf(condition)]
    const list = listOf(condition)
    return Array.from({ length: this.lists.lengthOf(list) }, (_, at) => this.lists.at(list, at))
  }

  /** Reads the values of an order, unless it is the same order as before. */
  look(view: OrderView): void {
    if (this.viewed === view.number) return
    this.begin()
    const { states, present, met } = this
    for (const { read, spellings } of this.types) {
      // A list with anything but texts is refused at its first wrong entry.
      read(view.order).forEach((value) => {
        const number = spellings.numberOf(value)
        if (number === -1 || states[ofValue(number)] === met) return
        states[ofValue(number)] = met
        present.push(number)
      })
    }
    this.viewed = view.number
  }

  /** 1 where the current order meets a condition, else 0: a number, as branches on it could not be foreseen. */
  answerTo(condition: number): number {
    const { met } = this
    const state = numberAt(this.states, condition)
    return state < met - 1 ? this.test(condition) : state - met + 1
  }

  /** Releases unused room. */
  compact(): void {
    this.lists.compact()
  }

  private begin(): void {
    this.viewed = 0
    this.present.length = 0
    this.met += 2
    if (this.met > mostMet) {
      this.states.fill(0)
      this.met = 3
    }
    this.states[none] = this.met
  }

  private test(condition: number): number {
    const { states, lists, met } = this
    states[condition] = met - 1
    // The values that the order has were marked when it was read.
    if (isValue(condition)) return 0
    const list = listOf(condition)
    for (let at = 0; at < lists.lengthOf(list); at += 1) {
      if (states[ofValue(lists.at(list, at))] !== met) continue
      states[condition] = met
      return 1
    }
    return 0
  }

  private withState(condition: number): number {
    if (condition >= this.states.length) this.states = enlarged(this.states, condition + 16)
    return condition
  }

  private useValue({ words, spellings }: ConditionValues, value: string): number {
    const known = words.numberOf(value)
    const number = words.use(value)
    if (known === -1) spellings.forget()
    this.withState(ofValue(number))
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
    this.types.push(made)
    return made
  }
}
