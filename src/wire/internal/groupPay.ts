/** What a group pays: percent and flat amount, and which of the two counts. */
import * as Result from "effect/Result"
import * as reader from "../../internal/reader.js"
import * as Percent from "../../money/Percent.js"

export interface Pay {
  readonly percent: string | null
  readonly amount: number | null
}

const parsePercent = (value: unknown): string | undefined => {
  const basisPoints = Percent.parse(value)
  return Result.isSuccess(basisPoints) ? Percent.format(basisPoints.success) : undefined
}

export const readPercent = (node: reader.Node, key: string): string | null =>
  reader.parsed(node, key, { parse: parsePercent, expected: Percent.expected }) ?? null

export const readAmount = (node: reader.Node, key: string): number | null =>
  reader.whole(node, key, 0) ?? null

const has = (node: reader.Node, key: string): boolean => reader.field(node, key) !== undefined

/** The percentage goes by two names; given under both, it must be the same. */
const readEitherPercent = (node: reader.Node): string | null => {
  if (!has(node, "percentage")) return readPercent(node, "percent")
  const percentage = readPercent(node, "percentage")
  const other = readPercent(node, "percent")
  if (percentage !== null && other !== null && percentage !== other) {
    reader.note(node, "percentage", `is ${percentage}, but percent is ${other}: give one of them`)
  }
  return percentage
}

type Kind = "percentage" | "flat"

const parseKind = (value: unknown): Kind | undefined => {
  const kind = typeof value === "string" ? value.trim().toLowerCase() : undefined
  return kind === "percentage" || kind === "flat" ? kind : undefined
}

const readKind = (node: reader.Node): Kind | undefined => {
  if (has(node, "type")) {
    return reader.parsed(node, "type", { parse: parseKind, expected: "percentage or flat" })
  }
  const [percent, flat] = [has(node, "percent") || has(node, "percentage"), has(node, "amount")]
  if (percent !== flat) return percent ? "percentage" : "flat"
  const reason = percent ? "both percent and amount are given" : "there is no percent and no amount"
  reader.note(node, "type", `is missing, it must be percentage or flat: ${reason}`)
  return undefined
}

/** In a request `type` says which of the two counts, and the other is ignored. */
export const readRequestPay = (node: reader.Node): Pay => {
  const kind = readKind(node)
  if (kind === "flat") {
    if (!has(node, "amount")) reader.refuse(node, "amount", "set when type is flat")
    return { percent: null, amount: readAmount(node, "amount") }
  }
  if (kind === "percentage" && !has(node, "percent") && !has(node, "percentage")) {
    reader.refuse(node, "percent", "set when type is percentage")
  }
  return { percent: kind === "percentage" ? readEitherPercent(node) : null, amount: null }
}

/** In an answer of the service the one that does not count is null; both count when both are set. */
export const readViewPay = (node: reader.Node): Pay => {
  if (!has(node, "percent") && !has(node, "percentage") && !has(node, "amount")) {
    reader.note(node, "percent", "is missing: a group needs a percent, an amount or both")
  }
  return { percent: readEitherPercent(node), amount: readAmount(node, "amount") }
}
