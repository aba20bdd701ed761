/** Reads what is packed. What a later version wrote is refused. */
import { begins, hexOf, isWorthANumber, shapes, words } from "./packedJson.js"

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

class Unpacker {
  readonly #bytes: Uint8Array
  #at = 0
  readonly #texts: Array<string> = []

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  value(): unknown {
    return this.#valueOf(this.#byte())
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw broken(`${this.#bytes.length - this.#at} bytes more`)
  }

  #byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw broken("an end too early")
    this.#at += 1
    return byte
  }

  #take(length: number): Uint8Array {
    const taken = this.#bytes.subarray(this.#at, this.#at + length)
    if (taken.length < length) throw broken("an end too early")
    this.#at += length
    return taken
  }

  #whole(): number {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = this.#byte()
      value += (byte % 0x80) * factor
      if (byte < 0x80) return value
      factor *= 0x80
    }
  }

  #valueOf(begin: number): unknown {
    if (begin < begins.text) return begin
    if (begin < begins.word) return this.#noted(decoder.decode(this.#take(begin - begins.text)))
    if (begin < begins.shape) return words[begin - begins.word] ?? unknown(begin)
    if (begin < begins.null) return this.#shaped(begin)
    if (begin >= begins.early) return this.#texts[begin - begins.early] ?? unknown(begin)
    switch (begin) {
      case begins.null:
        return null
      case begins.false:
      case begins.true:
        return begin === begins.true
      case begins.whole:
        return this.#whole()
      case begins.negative:
        return -this.#whole()
      case begins.list:
        return Array.from({ length: this.#whole() }, () => this.value())
      case begins.object:
        return this.#object()
      case begins.sparse:
        return this.#sparse()
      case begins.decimal:
        return Number(this.value())
      case begins.again:
        return this.#texts[this.#whole()] ?? unknown(begin)
      default:
        return this.#noted(this.#rareText(begin))
    }
  }

  #noted(text: string): string {
    if (isWorthANumber(text)) this.#texts.push(text)
    return text
  }

  #rareText(begin: number): string {
    switch (begin) {
      case begins.longText:
        return decoder.decode(this.#take(this.#whole()))
      case begins.units:
        return Array.from({ length: this.#whole() }, () => String.fromCharCode(this.#whole())).join(
          "",
        )
      case begins.digits:
        return String(this.#whole())
      case begins.uuid:
        return hexOf(this.#take(16)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
      default:
        return unknown(begin)
    }
  }

  #object(): object {
    const entries = Array.from({ length: this.#whole() }, () => [
      String(this.value()),
      this.value(),
    ])
    return Object.fromEntries(entries)
  }

  #sparse(): object {
    const index = this.#byte()
    const fields = shapes[index] ?? unknown(index)
    let bits = this.#whole()
    const found: { [field: string]: unknown } = {}
    for (const field of fields) {
      if (bits % 2 === 1) found[field] = this.value()
      bits = Math.floor(bits / 2)
    }
    return found
  }

  #shaped(begin: number): object {
    const fields = shapes[begin - begins.shape] ?? unknown(begin)
    const found: { [field: string]: unknown } = {}
    for (const field of fields) {
      const next = this.#byte()
      if (next !== begins.absent) found[field] = this.#valueOf(next)
    }
    return found
  }
}

const broken = (what: string): TypeError => new TypeError(`what is packed has ${what}`)

const unknown = (begin: number): never => {
  throw broken(`a value that begins with ${begin}, which a later version must have written`)
}

/** The value of a hexadecimal digit by its code: the letters from `a` or `A` on are from 10 on. */
const digitOf = (code: number): number => (code & 0xf) + (code >> 6) * 9

const bytesOf = (hex: string): Uint8Array => {
  const bytes = new Uint8Array(hex.length / 2)
  for (let index = 0; index < bytes.length; index += 1) {
    const [high, low] = [hex.charCodeAt(2 * index), hex.charCodeAt(2 * index + 1)]
    bytes[index] = digitOf(high) * 16 + digitOf(low)
  }
  return bytes
}

/** The value that was packed; `encode(column, 'hex')` gives the digits. */
export const unpack = (hex: string): unknown => {
  const unpacker = new Unpacker(bytesOf(hex))
  const value = unpacker.value()
  unpacker.end()
  return value
}
