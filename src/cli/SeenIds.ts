/**
 * Remembers ids, many millions of them, in little memory: of each id it keeps 96 bits that are mixed
 * from its characters. That two different ids among ten million look the same is less likely than one
 * in 10^14.
 */

const wordsOfId = 3
const firstCapacity = 1 << 12
const fullest = 0.6

const mix = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) | 0
}

export class SeenIds {
  private capacity = firstCapacity
  private words = new Int32Array(firstCapacity * wordsOfId)
  private count = 0

  /** Adds an id; false when it was there before. */
  add(id: string): boolean {
    let [first, second, third] = [0x9e3779b9, 0x7f4a7c15, 0x2545f491]
    for (let index = 0; index < id.length; index += 1) {
      const code = id.charCodeAt(index)
      first = Math.imul(first ^ code, 0x01000193)
      second = Math.imul(second + code, 0x5bd1e995) ^ (second >>> 15)
      third = Math.imul(third ^ (code + (third << 6) + (third >>> 2)), 0x27d4eb2f)
    }
    if (this.count > this.capacity * fullest) this.grow()
    // The last word is never 0: that marks a free place.
    return this.insert(mix(first), mix(second), mix(third ^ id.length) || 1)
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
