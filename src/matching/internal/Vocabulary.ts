import { at } from "../../internal/at.js"

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
export class Vocabulary {
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
