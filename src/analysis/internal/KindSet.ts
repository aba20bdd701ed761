/** So many kinds are told by the bits of one number. */
const bits = 32

/** Some of the kinds of product that there are, which are numbers from 0 on. */
export class KindSet {
  private readonly words: Uint32Array

  private constructor(words: Uint32Array) {
    this.words = words
  }

  /** `count`: how many kinds there are. */
  static of(kinds: Iterable<number>, count: number): KindSet {
    const words = new Uint32Array(Math.ceil(count / bits))
    for (const kind of kinds) {
      const place = kind >>> 5
      words[place] = (words[place] ?? 0) | (1 << (kind & 31))
    }
    return new KindSet(words)
  }

  static all(count: number): KindSet {
    const words = new Uint32Array(Math.ceil(count / bits)).fill(-1)
    const last = words.length - 1
    if (count % bits > 0) words[last] = 2 ** (count % bits) - 1
    return new KindSet(words)
  }

  /** How much work it is to go through two of them. */
  get steps(): number {
    return this.words.length / 64
  }

  has(kind: number): boolean {
    return ((this.words[kind >>> 5] ?? 0) & (1 << (kind & 31))) !== 0
  }

  get size(): number {
    let size = 0
    for (const _ of this) size += 1
    return size
  }

  get isEmpty(): boolean {
    return this.words.every((word) => word === 0)
  }

  /** The kinds of this set that are in another one too. */
  and(other: KindSet): KindSet {
    return new KindSet(this.words.map((word, place) => word & (other.words[place] ?? 0)))
  }

  /** The kinds of this set that are not in another one. */
  without(other: KindSet): KindSet {
    return new KindSet(this.words.map((word, place) => word & ~(other.words[place] ?? 0)))
  }

  /** The kinds in order. */
  *[Symbol.iterator](): Generator<number, void> {
    for (const [place, word] of this.words.entries()) {
      for (let rest = word; rest !== 0; rest &= rest - 1) {
        yield place * bits + 31 - Math.clz32(rest & -rest)
      }
    }
  }

  /** The first kind; `undefined`: there is none. */
  get first(): number | undefined {
    const place = this.words.findIndex((word) => word !== 0)
    const word = this.words[place] ?? 0
    return word === 0 ? undefined : place * bits + 31 - Math.clz32(word & -word)
  }
}
