/** JSON packed as plainly as can be: what `Packer` writes, byte by byte. */
import { begins, earlyTexts, shapes, words } from "../../../src/sql/internal/packedJson.js"

export type Fields = Readonly<Record<string, unknown>>

type Bytes = ReadonlyArray<number>

const whole = (value: number): Bytes =>
  value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...whole(Math.floor(value / 0x80))]

const withLength = (text: Bytes): Bytes =>
  text.length < begins.word - begins.text
    ? [begins.text + text.length, ...text]
    : [begins.longText, ...whole(text.length), ...text]

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const newText = (text: string): Bytes => {
  if (/^[1-9][0-9]{3,14}$/.test(text)) return [begins.digits, ...whole(Number(text))]
  if (uuid.test(text)) return [begins.uuid, ...Buffer.from(text.replaceAll("-", ""), "hex")]
  if (text.isWellFormed()) return withLength([...new TextEncoder().encode(text)])
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return [begins.units, ...whole(text.length), ...units.flatMap(whole)]
}

/** The smallest shape with all of these fields. */
const shapeOf = (names: ReadonlyArray<string>): ReadonlyArray<string> | undefined =>
  shapes
    .toSorted((one, other) => one.length - other.length)
    .find((shape) => names.every((name) => shape.includes(name)))

const isThere = (value: unknown): boolean => value !== undefined

export const naivePack = (given: unknown): string => {
  const texts: Array<string> = []
  const text = (value: string): Bytes => {
    if (words.includes(value)) return [begins.word + words.indexOf(value)]
    const number = texts.indexOf(value)
    if (number === -1 && value.length > 1) texts.push(value)
    if (number === -1) return newText(value)
    return number < earlyTexts ? [begins.early + number] : [begins.again, ...whole(number)]
  }
  const decimal = (value: number): Bytes => [begins.decimal, ...text(JSON.stringify(value))]
  const number = (value: number): Bytes => {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return decimal(value)
    if (value < 0) return [begins.negative, ...whole(-value)]
    return value < begins.text ? [value] : [begins.whole, ...whole(value)]
  }
  const object = (value: Fields): Bytes => {
    const names = Object.keys(value).filter((name) => isThere(value[name]))
    const shape = shapeOf(names)
    if (shape === undefined) {
      const fields = names.flatMap((name) => [...text(name), ...bytes(value[name])])
      return [begins.object, ...whole(names.length), ...fields]
    }
    const ofShape = shape.map((name) => (names.includes(name) ? value[name] : undefined))
    const index = shapes.indexOf(shape)
    if (shape.length - names.length <= 3) {
      const fields = ofShape.flatMap((field) => (isThere(field) ? bytes(field) : [begins.absent]))
      return [begins.shape + index, ...fields]
    }
    const bits = ofShape.reduce(
      (sum: number, field, bit) => sum + (isThere(field) ? 2 ** bit : 0),
      0,
    )
    return [begins.sparse, index, ...whole(bits), ...ofShape.filter(isThere).flatMap(bytes)]
  }
  const bytes = (value: unknown): Bytes => {
    if (typeof value === "string") return text(value)
    if (typeof value === "number") return number(value)
    if (typeof value === "boolean") return [value ? begins.true : begins.false]
    if (Array.isArray(value)) return [begins.list, ...whole(value.length), ...value.flatMap(bytes)]
    return typeof value === "object" && value !== null ? object({ ...value }) : [begins.null]
  }
  return Buffer.from(bytes(given)).toString("hex")
}
