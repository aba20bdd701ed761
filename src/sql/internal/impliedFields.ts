/** Objects without the fields that follow from what is known beside them: what is stored of every sale lacks those. */
import { ByNames } from "../../internal/ByNames.js"
import { sameData } from "../../internal/sameData.js"
import { KeptFields } from "./Packer.js"

/** The fields of an object that anybody may have given. */
export interface StoredFields {
  readonly [name: string]: unknown
}

export const isFields = (value: unknown): value is StoredFields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const fieldsOf = (value: unknown): StoredFields => (isFields(value) ? value : {})

/** What a field is when nothing is said of it; `undefined`: nothing follows. */
type Follows<Known> = (fields: StoredFields, known: Known) => unknown

/** What always is the same. */
export const always =
  (value: string | number | boolean | null): Follows<unknown> =>
  () =>
    value

/** Of what is left out in any case, because it is packed in another form. */
export const apart: Follows<unknown> = () => undefined

/** An object as it is packed. */
interface ShortObject {
  readonly kept: KeptFields
  /** Whether it lacks a field that would follow: without it, it would come out with that. */
  readonly lacks: boolean
}

/**
 * Which fields of an object follow from what is known beside it, and from those that are listed before. By this list fields are left out of what is packed, and come back when it is read.
 */
export class ImpliedFields<Known> {
  readonly #follows: ReadonlyMap<string, Follows<Known>>
  /** What the fields of an object with these names follow from, in their order. */
  readonly #listed: ByNames<ReadonlyArray<Follows<Known> | undefined>>

  constructor(follows: Readonly<Record<string, Follows<Known>>>) {
    const all = new Map(Object.entries(follows))
    this.#follows = all
    this.#listed = new ByNames((names) => names.map((name) => all.get(name)))
  }

  /** Leaves out what is as it follows. A hot path. */
  shorten(fields: StoredFields, known: Known): ShortObject {
    const kept = new KeptFields()
    const names = Object.keys(fields)
    const values = Object.values(fields)
    const listed = this.#listed.of(names)
    let count = 0
    for (let index = 0; index < names.length; index += 1) {
      const follows = listed[index]
      const value = values[index]
      if (value === undefined) continue
      if (follows !== undefined) count += 1
      const isLeftOut =
        follows === apart || (follows !== undefined && sameData(value, follows(fields, known)))
      if (!isLeftOut) kept.keep(names[index] ?? "", value)
    }
    return { kept, lacks: count < this.#follows.size && this.#lacks(fields, known) }
  }

  #lacks(fields: StoredFields, known: Known): boolean {
    for (const [name, follows] of this.#follows) {
      if (fields[name] === undefined && follows(fields, known) !== undefined) return true
    }
    return false
  }

  /** The whole object. */
  complete(short: StoredFields, known: Known): StoredFields {
    const whole: { [name: string]: unknown } = {}
    for (const [name, follows] of this.#follows) {
      const own = short[name]
      const value = own === undefined ? follows(whole, known) : own
      if (value !== undefined) whole[name] = value
    }
    return { ...whole, ...short }
  }
}
