/**
 * A rail that moves no money, for tests: it keeps a book of its own, and does everything that goes wrong with real
 * ones.
 *
 * @since 0.6.0
 */
import * as Effect from "effect/Effect"
import type { PaymentTerms } from "../payouts/PaymentTerms.js"
import {
  type FoundPayment,
  type PaymentRail,
  type RailAnswer,
  RailUnclear,
} from "../ports/PaymentRail.js"
import type { Instruction } from "../rails/Instruction.js"
import type { Outcome } from "../rails/Outcome.js"

/**
 * What a fake rail does with a requested payment. `pay`: pays and confirms. `accept`: accepts it, and pays on a later
 * call. `reject`: refuses it. `lose before`: the request never arrives. `lose after`: it pays, and the answer is lost.
 * `late`: the connection breaks, and the request arrives on a later call. `break`: it pays, and answers with an error
 * of its own.
 *
 * @since 0.6.0
 * @category models
 */
export type RailBehaviour =
  | "pay"
  | "accept"
  | "reject"
  | "lose before"
  | "lose after"
  | "late"
  | "break"

/**
 * A payment in the book of a fake rail: money that really moved. An entry for each time that it did.
 *
 * @since 0.6.0
 * @category models
 */
export interface MovedMoney {
  readonly key: string
  readonly collaboratorId: string
  readonly amount: number
  readonly currency: string
  /** What the rail calls it. */
  readonly reference: string
  /** Unix seconds. */
  readonly at: number
  /** Whether it came back. */
  readonly isReturned: boolean
}

interface KnownPayment {
  readonly answer: RailAnswer
  readonly instruction: Instruction
  readonly since: number
}

/**
 * How a fake rail is made.
 *
 * @since 0.6.0
 * @category models
 */
export interface FakeRailOptions {
  /** `fake` when absent. */
  readonly name?: string | undefined
  /** What is absent: every currency, one by one, 60 seconds late at most, and keys known for a day. */
  readonly terms?: Partial<PaymentTerms> | undefined
  /** The time in Unix seconds. */
  readonly now: () => number
  /** What it takes for each payment, in cents; nothing when absent. */
  readonly fee?: number | undefined
}

/**
 * A rail that moves no money. What it does next is set by its methods; its {@link FakeRail.book} tells what it did.
 *
 * @since 0.6.0
 * @category models
 * @example
 * ```ts
 * import { FakeRail } from "apportion/testing"
 * import { Effect } from "effect"
 *
 * const fake = new FakeRail({ now: () => 1_700_000_000 })
 * fake.next("lose after")
 * const owner = { currency: "EUR", collaboratorId: "ada" }
 * const instruction = { ...owner, key: "a1", amount: 5_000, reference: "Payout p1" }
 * const lost = await Effect.runPromise(Effect.flip(fake.rail.send(instruction)))
 * lost._tag // => "RailUnclear"
 * const found = await Effect.runPromise(fake.rail.find("a1"))
 * found.type // => "confirmed"
 * fake.book.length // => 1
 * ```
 */
export class FakeRail {
  /** What services ask. */
  readonly rail: PaymentRail
  readonly #now: () => number
  readonly #fee: number
  readonly #moved: Array<MovedMoney> = []
  readonly #known = new Map<string, KnownPayment>()
  /** Questions that are still on their way. */
  readonly #late: Array<Instruction> = []
  readonly #behaviours: Array<RailBehaviour> = []
  #isFindBroken = false

  constructor({ name = "fake", terms = {}, now, fee = 0 }: FakeRailOptions) {
    this.#now = now
    this.#fee = fee
    const usual = {
      currencies: null,
      mode: "single",
      lateSeconds: 60,
      knownSeconds: 86_400,
    } as const
    this.rail = {
      name,
      terms: { ...usual, ...terms },
      send: (instruction) => Effect.suspend(() => this.#send(instruction)),
      find: (key) => Effect.suspend(() => this.#find(key)),
    }
  }

  /** All money that moved, in the order in which it did. */
  get book(): ReadonlyArray<MovedMoney> {
    return this.#moved
  }

  /** What moved and did not come back, in cents, by the key of the payment. */
  get kept(): ReadonlyMap<string, number> {
    const sums = new Map<string, number>()
    for (const { key, amount, isReturned } of this.#moved) {
      if (!isReturned) sums.set(key, (sums.get(key) ?? 0) + amount)
    }
    return sums
  }

  /** What it does with the next payment; asked several times, with those after it. It pays when nothing is said. */
  next(...behaviours: ReadonlyArray<RailBehaviour>): void {
    this.#behaviours.push(...behaviours)
  }

  /** Whether it gives no answer to those who ask after a payment. */
  breakFind(isBroken: boolean): void {
    this.#isFindBroken = isBroken
  }

  /** Lets the first question that is late arrive, unless it is too late for it; gives its key. */
  arrive(): string | undefined {
    const instruction = this.#late.shift()
    if (instruction === undefined) return undefined
    this.#take(instruction, "pay")
    return instruction.key
  }

  /** Drops late requests: a network does not keep them forever. */
  dropLate(): void {
    this.#late.length = 0
  }

  /** Pays what it has accepted, and says so as its messages do; `undefined`: it has accepted no such payment. */
  settle(key: string): Outcome | undefined {
    const known = this.#known.get(key)
    if (known?.answer.type !== "accepted") return undefined
    return this.#outcomeOf(key, this.#pay(known.instruction))
  }

  /** Refuses what it has accepted, and says so. */
  refuse(key: string): Outcome | undefined {
    const known = this.#known.get(key)
    if (known?.answer.type !== "accepted") return undefined
    const answer = { type: "rejected", reason: "no such account" } as const
    this.#note(known.instruction, answer)
    return this.#outcomeOf(key, answer)
  }

  /** Returns the money of a confirmed payment, and reports it; `undefined` without such a payment. */
  giveBack(key: string): Outcome | undefined {
    const place = this.#moved.findIndex((one) => one.key === key && !one.isReturned)
    const moved = this.#moved[place]
    if (moved === undefined) return undefined
    this.#moved[place] = { ...moved, isReturned: true }
    const known = this.#known.get(key)
    const answer = { type: "rejected", reason: "account closed" } as const
    if (known !== undefined) this.#note(known.instruction, answer)
    return {
      ...{ key, railReference: moved.reference, type: "returned", at: this.#now() },
      ...{ amount: moved.amount, currency: moved.currency, fee: null, reason: "account closed" },
    }
  }

  /** What its messages say once more of a payment; `undefined`: it knows none. */
  tellAgain(key: string): Outcome | undefined {
    const known = this.#known.get(key)
    return known && this.#outcomeOf(key, known.answer)
  }

  /** Whether it remembers a key. */
  #remembers(key: string): KnownPayment | undefined {
    const known = this.#known.get(key)
    const { knownSeconds } = this.rail.terms
    if (known === undefined || knownSeconds === null) return known
    return this.#now() - known.since < knownSeconds ? known : undefined
  }

  #note(instruction: Instruction, answer: RailAnswer): RailAnswer {
    const since = this.#known.get(instruction.key)?.since ?? this.#now()
    this.#known.set(instruction.key, { answer, instruction, since })
    return answer
  }

  #pay(instruction: Instruction): RailAnswer {
    const { key, collaboratorId, amount, currency } = instruction
    const at = this.#now()
    const reference = `moved-${this.#moved.length + 1}`
    const moved = { key, collaboratorId, amount, currency, reference, at, isReturned: false }
    this.#moved.push(moved)
    this.#known.delete(key)
    return this.#note(instruction, { type: "confirmed", at, reference, fee: this.#fee })
  }

  /** What the same key was answered before it is answered again, as long as it is remembered. */
  #take(instruction: Instruction, behaviour: RailBehaviour): RailAnswer {
    const known = this.#remembers(instruction.key)
    if (known !== undefined) return known.answer
    if (behaviour === "accept") {
      return this.#note(instruction, { type: "accepted", reference: `taken-${instruction.key}` })
    }
    return behaviour === "reject"
      ? this.#note(instruction, { type: "rejected", reason: "no such account" })
      : this.#pay(instruction)
  }

  #unclear(key: string, reason: string): Effect.Effect<never, RailUnclear> {
    return Effect.fail(RailUnclear.of(this.rail.name, key, reason))
  }

  #send(instruction: Instruction): Effect.Effect<RailAnswer, RailUnclear> {
    const behaviour = this.#behaviours.shift() ?? "pay"
    const { key } = instruction
    if (behaviour === "lose before") return this.#unclear(key, "no connection")
    if (behaviour === "late") {
      this.#late.push(instruction)
      return this.#unclear(key, "the connection broke")
    }
    const answer = this.#take(instruction, behaviour)
    if (behaviour === "lose after") return this.#unclear(key, "no answer came in time")
    return behaviour === "break" ? Effect.die("internal error of the rail") : Effect.succeed(answer)
  }

  #find(key: string): Effect.Effect<FoundPayment, RailUnclear> {
    if (this.#isFindBroken) return this.#unclear(key, "no answer came in time")
    return Effect.succeed(this.#remembers(key)?.answer ?? { type: "absent" })
  }

  #outcomeOf(key: string, answer: RailAnswer): Outcome {
    const { amount, currency } = this.#known.get(key)?.instruction ?? {
      amount: null,
      currency: null,
    }
    const isConfirmed = answer.type === "confirmed"
    return {
      ...{ key, type: answer.type, amount, currency },
      railReference: answer.type === "rejected" ? null : answer.reference,
      at: isConfirmed ? answer.at : this.#now(),
      fee: isConfirmed ? answer.fee : null,
      reason: answer.type === "rejected" ? answer.reason : null,
    }
  }
}
