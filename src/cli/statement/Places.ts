/**
 * The places of a payout's records in the spool. Most payouts have one stretch. When records move from one payout to
 * another, they stay where they are, and only the stretches are divided.
 */
import type { Spool } from "./Spool.js"

interface Stretch {
  readonly begin: number
  readonly end: number
}

/** Stretches of the spool, in reading order. */
export type Places = ReadonlyArray<Stretch>

/** Adds a stretch; one that begins where the last one ends extends it. */
export const add = (places: Places, more: Stretch): Places => {
  const last = places.at(-1)
  return last?.end === more.begin
    ? [...places.slice(0, -1), { begin: last.begin, end: more.end }]
    : [...places, more]
}

/** The records in all stretches. Each is valid until the next one is requested. */
export function* records(spool: Spool, places: Places): Generator<Buffer> {
  for (const { begin, end } of places) yield* spool.records(begin, end)
}

/** Divides stretches into those of the records that stay and those of the records that are taken out. */
export const divide = (
  spool: Spool,
  places: Places,
  isTaken: (record: Buffer) => boolean,
): readonly [left: Places, taken: Places] => {
  const parts: { readonly [Part in "left" | "taken"]: Array<{ begin: number; end: number }> } = {
    left: [],
    taken: [],
  }
  for (const { begin: first, end: last } of places) {
    let begin = first
    for (const record of spool.records(first, last)) {
      const part = isTaken(record) ? parts.taken : parts.left
      const end = begin + record.length
      const latest = part.at(-1)
      if (latest?.end === begin) latest.end = end
      else part.push({ begin, end })
      begin = end
    }
  }
  return [parts.left, parts.taken]
}
