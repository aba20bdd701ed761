/**
 * Remembers many millions of ids in little memory: it keeps a 96-bit hash of each id. The probability that two
 * different ids among ten million collide is below 1 in 10^14.
 */

/** How many words an id is mixed into. */
export const wordsOfId = 3
const firstCapacity = 1 << 12
const fullest = 0.6

const mix = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) | 0
}

/** Mixes an id into its words. The last one is never 0, which marks a free place. */
const mixInto = (words: Int32Array, at: number, id: string): void => {
  let first = 0x9e3779b9
  let second = 0x7f4a7c15
  let third = 0x2545f491
  for (let index = 0; index < id.length; index += 1) {
    const code = id.charCodeAt(index)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second + code, 0x5bd1e995) ^ (second >>> 15)
    third = Math.imul(third ^ (code + (third << 6) + (third >>> 2)), 0x27d4eb2f)
  }
  words[at] = mix(first)
  words[at + 1] = mix(second)
  words[at + 2] = mix(third ^ id.length) || 1
}

const scratch = new Int32Array(wordsOfId)

/** The mixed words of many ids, to be passed to another thread. */
export class MixedIds {
  private words = new Int32Array(firstCapacity)
  private count = 0

  /** Adds an id, and returns how many there were before. */
  add(id: string): number {
    const at = this.count * wordsOfId
    if (at + wordsOfId > this.words.length) {
      const larger = new Int32Array(this.words.length * 2)
      larger.set(this.words)
      this.words = larger
    }
    mixInto(this.words, at, id)
    this.count += 1
    return this.count - 1
  }

  /** All words, in an array without spare room. */
  take(): Int32Array<ArrayBuffer> {
    return this.words.slice(0, this.count * wordsOfId)
  }
}

export class SeenIds {
  private capacity = firstCapacity
  private words = new Int32Array(firstCapacity * wordsOfId)
  private count = 0

  /** Adds an id; false when it was added before. */
  add(id: string): boolean {
    mixInto(scratch, 0, id)
    return this.addMixed(scratch, 0)
  }

  /** Adds the id whose words begin at a position of `mixed`; false when it was added before. */
  addMixed(mixed: Int32Array, at: number): boolean {
    if (this.count > this.capacity * fullest) this.grow()
    return this.insert(mixed[at] ?? 0, mixed[at + 1] ?? 0, mixed[at + 2] ?? 1)
  }

  private insert(first: number, second: number, third: number): boolean {
    const { words, capacity } = this
    let place = (first >>> 0) & (capacity - 1)
    for (;;) {
      const at = place * wordsOfId
      if (words[at + 2] === 0) {
        words[at] = first
        words[at + 1] = second
        words[at + 2] = third
        this.count += 1
        return true
      }
      if (words[at] === first && words[at + 1] === second && words[at + 2] === third) return false
      place = (place + 1) & (capacity - 1)
    }
  }

  private grow(): void {
    const { words } = this
    this.capacity *= 2
    this.words = new Int32Array(this.capacity * wordsOfId)
    this.count = 0
    for (let at = 0; at < words.length; at += wordsOfId) {
      const third = words[at + 2]
      if (third !== undefined && third !== 0) this.insert(words[at] ?? 0, words[at + 1] ?? 0, third)
    }
  }
}
