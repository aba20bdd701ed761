import { byteAt, numberAt } from "../../internal/at.js"

const enlarged = (numbers: Int32Array, room: number): Int32Array => {
  const larger = new Int32Array(room)
  larger.set(numbers)
  return larger
}

/** Spreads the bits of a hash, so that its last bits say where to look. */
const mixed = (hash: number): number => {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return half ^ (half >>> 13)
}

const prime = 0x01000193

/**
 * A table of numbers from 0 on, by hash. What the numbers stand for is kept by those who ask: they compare it where the
 * hash is the same.
 */
class HashTable {
  ends: Int32Array = new Int32Array(1 << 10)
  hashes: Int32Array = new Int32Array(1 << 10)
  /** Numbers plus one; 0: free. */
  places: Int32Array = new Int32Array(1 << 11)
  count = 0

  startOf(number: number): number {
    return number === 0 ? 0 : numberAt(this.ends, number - 1)
  }

  endOf(number: number): number {
    return numberAt(this.ends, number)
  }

  /** Adds the next number at a free place; what it stands for ends there. */
  add(hash: number, place: number, end: number): number {
    const number = this.count
    if (number === this.ends.length) {
      this.ends = enlarged(this.ends, number * 2)
      this.hashes = enlarged(this.hashes, number * 2)
    }
    this.ends[number] = end
    this.hashes[number] = hash
    this.places[place] = number + 1
    this.count += 1
    if (this.count * 2 > this.places.length) this.grow()
    return number
  }

  private grow(): void {
    const places = new Int32Array(this.places.length * 2)
    const last = places.length - 1
    for (let number = 0; number < this.count; number += 1) {
      let place = numberAt(this.hashes, number) & last
      while (places[place] !== 0) place = (place + 1) & last
      places[place] = number + 1
    }
    this.places = places
  }
}

const mostWords = 1 << 20
const mostBytes = 1 << 26

const decoder = new TextDecoder()

/** A number for each text, from 0 on: texts are met as bytes of UTF-8 in columns, and seldom needed as strings. */
export class WordNumbers {
  /** The bytes of all words, one behind the other. */
  bytes: Uint8Array = new Uint8Array(1 << 16)
  private readonly table = new HashTable()

  /** Whether there are so many words that memory has to be freed. */
  get isFull(): boolean {
    return this.table.count > mostWords || this.startOf(this.table.count) > mostBytes
  }

  startOf(word: number): number {
    return this.table.startOf(word)
  }

  endOf(word: number): number {
    return this.table.endOf(word)
  }

  textOf(word: number): string {
    return decoder.decode(this.bytes.subarray(this.startOf(word), this.endOf(word)))
  }

  /** The number of the text of some bytes, which gets one when it has none. */
  numberOf(source: Uint8Array, from: number, to: number): number {
    let sum = to - from
    for (let at = from; at < to; at += 1) sum = Math.imul(sum ^ byteAt(source, at), prime)
    const hash = mixed(sum)
    const { places, hashes } = this.table
    const last = places.length - 1
    for (let place = hash & last; ; place = (place + 1) & last) {
      const word = numberAt(places, place) - 1
      if (word === -1) return this.table.add(hash, place, this.keep(source, from, to))
      if (numberAt(hashes, word) === hash && this.isWord(word, source, from, to)) return word
    }
  }

  private isWord(word: number, source: Uint8Array, from: number, to: number): boolean {
    const { bytes } = this
    const start = this.startOf(word)
    if (this.endOf(word) - start !== to - from) return false
    for (let at = from; at < to; at += 1) {
      if (byteAt(source, at) !== byteAt(bytes, start + at - from)) return false
    }
    return true
  }

  private keep(source: Uint8Array, from: number, to: number): number {
    const start = this.startOf(this.table.count)
    const end = start + to - from
    if (end > this.bytes.length) {
      const larger = new Uint8Array(end * 2)
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.bytes.set(source.subarray(from, to), start)
    return end
  }
}

/** A number for each list of whole numbers, from 0 on. */
export class KeyNumbers {
  private keys: Int32Array = new Int32Array(1 << 12)
  private readonly table = new HashTable()

  get size(): number {
    return this.table.count
  }

  /** How long all lists are together. */
  get length(): number {
    return this.table.startOf(this.table.count)
  }

  /** The number of the first entries of an array, which get one when they have none. */
  numberOf(key: Int32Array, length: number): number {
    let sum = length
    for (let at = 0; at < length; at += 1) {
      sum = Math.imul(sum ^ numberAt(key, at), prime)
      sum ^= sum >>> 15
    }
    const hash = mixed(sum)
    const { places, hashes } = this.table
    const last = places.length - 1
    for (let place = hash & last; ; place = (place + 1) & last) {
      const number = numberAt(places, place) - 1
      if (number === -1) return this.table.add(hash, place, this.keep(key, length))
      if (numberAt(hashes, number) === hash && this.isKey(number, key, length)) return number
    }
  }

  private isKey(number: number, key: Int32Array, length: number): boolean {
    const { keys } = this
    const start = this.table.startOf(number)
    if (this.table.endOf(number) - start !== length) return false
    for (let at = 0; at < length; at += 1) {
      if (numberAt(keys, start + at) !== numberAt(key, at)) return false
    }
    return true
  }

  private keep(key: Int32Array, length: number): number {
    const start = this.length
    const end = start + length
    if (end > this.keys.length) this.keys = enlarged(this.keys, end * 2)
    for (let at = 0; at < length; at += 1) this.keys[start + at] = numberAt(key, at)
    return end
  }
}
