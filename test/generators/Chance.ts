/** Where tests that don't use fast-check take their random values from. */
import { SecureRandom } from "effect/crypto"

/** Chance that is the same in every run with the same seed (mulberry32). */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number of at least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number of at least 0 and below another. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** Whether something happens that happens so often, from 0 to 1. */
  isLucky(probability: number): boolean {
    return this.next() < probability
  }

  /** Whether something happens that happens once in so many times. */
  onceIn(times: number): boolean {
    return this.below(times) === 0
  }

  pick<A>(list: ReadonlyArray<A>): A | undefined {
    return list[this.below(list.length)]
  }

  /** One of several by their weights. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Array<Name>
    const sum = names.reduce((total, name) => total + weights[name], 0)
    let left = this.next() * sum
    for (const name of names) {
      left -= weights[name]
      if (left < 0) return name
    }
    throw new RangeError("nothing has a weight")
  }
}

/** Random bytes for the services, the same in every run with the same seed. */
export const secureRandom = (seed: number): SecureRandom.SecureRandom["Service"] => {
  const chance = new Chance(seed)
  return SecureRandom.make((size) => Uint8Array.from({ length: size }, () => chance.below(256)))
}
