/** Texts one after another as UTF-8, in a buffer that can be given away. */

const firstBytes = 1 << 16
/** No character of a text's length takes more bytes. */
const mostBytes = 3

export class Utf8 {
  private bytes: Buffer<ArrayBuffer>
  private length = 0

  /** @param expectedBytes - how many there will be, as far as one can tell */
  constructor(expectedBytes: number) {
    this.bytes = Buffer.from(new ArrayBuffer(Math.max(expectedBytes, firstBytes)))
  }

  /** Adds a text. */
  add(text: string): void {
    const most = this.length + text.length * mostBytes
    if (most > this.bytes.length) this.grow(most)
    this.length += this.bytes.write(text, this.length)
  }

  /** What was added. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length)
  }

  private grow(least: number): void {
    const larger = Buffer.from(new ArrayBuffer(Math.max(least, this.bytes.length * 2)))
    larger.set(this.written)
    this.bytes = larger
  }
}
