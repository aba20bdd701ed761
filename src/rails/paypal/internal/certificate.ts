/** The parts of an X.509 certificate that checking a signature needs. */
export interface Certificate {
  /** The public key in the form that WebCrypto takes: SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array<ArrayBuffer>
  /** The period in which it is valid, in Unix seconds. */
  readonly from: number
  readonly until: number
}

/** One value of DER: its tag, its start, the start of its content, and its end. */
interface DerValue {
  readonly tag: number
  readonly start: number
  readonly inside: number
  readonly end: number
}

const valueAt = (bytes: Uint8Array, start: number, limit: number): DerValue | undefined => {
  const [tag, first] = [bytes[start], bytes[start + 1]]
  if (tag === undefined || first === undefined) return undefined
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (lengthBytes > 4 || first === 0x80) return undefined
  const inside = start + 2 + lengthBytes
  let length = lengthBytes === 0 ? first : 0
  for (let at = start + 2; at < inside; at++) length = length * 256 + (bytes[at] ?? 0)
  const end = inside + length
  return end <= limit ? { tag, start, inside, end } : undefined
}

/** The values inside another value; `undefined` if its content is no sequence of values. */
const valuesIn = (bytes: Uint8Array, outer: DerValue): ReadonlyArray<DerValue> | undefined => {
  const found: Array<DerValue> = []
  for (let at = outer.inside; at < outer.end; ) {
    const next = valueAt(bytes, at, outer.end)
    if (next === undefined) return undefined
    found.push(next)
    at = next.end
  }
  return found
}

/** A time in DER: two digits of the year until 2049 (tag 23), four digits otherwise (tag 24). */
const timeOf = (bytes: Uint8Array, value: DerValue | undefined): number | undefined => {
  if (value === undefined) return undefined
  const text = String.fromCharCode(...bytes.subarray(value.inside, value.end))
  const parts = /^(\d\d|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (parts === null) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map(Number)
  const century = value.tag === 24 ? 0 : year < 50 ? 2000 : 1900
  return Date.UTC(century + year, month - 1, day, hour, minute, second) / 1000
}

const derOf = (pem: string): Uint8Array<ArrayBuffer> | undefined => {
  const body = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(pem)
  const text = body?.[1]?.replace(/\s/g, "")
  if (text === undefined) return undefined
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The first certificate of a text in PEM; `undefined` without a readable one. */
export const readCertificate = (pem: string): Certificate | undefined => {
  const bytes = derOf(pem)
  const whole = bytes && valueAt(bytes, 0, bytes.length)
  const [signed] = (whole && valuesIn(bytes, whole)) ?? []
  const fields = signed && bytes && valuesIn(bytes, signed)
  if (bytes === undefined || fields === undefined) return undefined
  // The version is the first field, unless it is version 1.
  const behind = fields[0]?.tag === 0xa0 ? fields.slice(1) : fields
  const [, , , validity, , key] = behind
  const [from, until] = (validity && valuesIn(bytes, validity)) ?? []
  const [begin, end] = [timeOf(bytes, from), timeOf(bytes, until)]
  if (key === undefined || begin === undefined || end === undefined) return undefined
  return { publicKey: bytes.slice(key.start, key.end), from: begin, until: end }
}
