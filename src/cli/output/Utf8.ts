// Collects texts as UTF-8, in memory that threads can share.

const firstBytes = 1 << 16
/** A UTF-16 code unit takes at most this many bytes in UTF-8. */
const mostBytes = 3

/** No whole number that is safe has more characters. */
const longestNumber = 17
const minus = 45
const zero = 48

export class Utf8 {
  private bytes: Buffer<SharedArrayBuffer>
  private length = 0

  /** @param buffer - which is written over; a larger one takes its place when there is more */
  constructor(buffer = new SharedArrayBuffer(firstBytes)) {
    this.bytes = Buffer.from(buffer)
  }

  /** Adds a text. */
  add(text: string): void {
    this.makeRoom(text.length * mostBytes)
    this.length += this.bytes.write(text, this.length)
  }

  /** Adds some bytes of a text. */
  addBytes(source: Uint8Array, from = 0, to = source.length): void {
    this.makeRoom(to - from)
    const { bytes } = this
    let { length } = this
    // They are few mostly, for which a call takes longer than a loop.
    for (let at = from; at < to; at += 1) {
      bytes[length] = source[at] ?? 0
      length += 1
    }
    this.length = length
  }

  /** Adds a whole number, which must be safe. */
  addWhole(number: number): void {
    this.makeRoom(longestNumber)
    const { bytes } = this
    let rest = Math.abs(number)
    let end = this.length + (number < 0 ? 1 : 0)
    if (number < 0) bytes[this.length] = minus
    for (let limit = 10; ; limit *= 10) {
      end += 1
      if (rest < limit) break
    }
    this.length = end
    do {
      const tenth = Math.floor(rest / 10)
      end -= 1
      bytes[end] = zero + rest - tenth * 10
      rest = tenth
    } while (rest > 0)
  }

  /** The added texts. */
  get written(): Uint8Array<SharedArrayBuffer> {
    return this.bytes.subarray(0, this.length)
  }

  /** Forgets all texts, whose buffer is used again. */
  clear(): void {
    this.length = 0
  }

  private makeRoom(more: number): void {
    if (this.length + more > this.bytes.length) this.grow(this.length + more)
  }

  private grow(least: number): void {
    const larger = Buffer.from(new SharedArrayBuffer(Math.max(least, this.bytes.length * 2)))
    larger.set(this.written)
    this.bytes = larger
  }
}
