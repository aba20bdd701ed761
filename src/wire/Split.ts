/**
 * A split order as one line of JSON, and an order that could not be split.
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import { snakeCase } from "../internal/names.js"
import * as reader from "../internal/reader.js"
import type {
  Carried,
  Share,
  ShareBand,
  ShareCap,
  ShareTerms,
  ShareTiers,
  StoreShare,
} from "../shares/Share.js"
import type { Unreadable } from "../Unreadable.js"

/**
 * A tagged error on the wire: its tag, its message, and its data in snake_case.
 *
 * @since 0.1.0
 * @category models
 */
export interface FailureJson {
  readonly _tag: string
  readonly message: string
  readonly [field: string]: unknown
}

/**
 * One share on the wire. Amounts are cents; `amount` is everything the collaborator gets for the item,
 * `shipping_amount` the part of it that comes from shipping.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShareJson {
  readonly item_id: string
  readonly group_id: string
  readonly collaborator_id: string
  readonly amount: number
  readonly shipping_amount: number
  readonly base: number
  readonly percent: string | null
  readonly flat_amount: number | null
  /** Only with carried remainders: the group's before and after the item, in ten-thousandths of a cent. */
  readonly carried?: Carried
  /** Only for a group with terms: what they did. `null` for tiers or a cap that it does not have. */
  readonly terms?: ShareTerms
}

/**
 * What stays with the store of one item, on the wire.
 *
 * @since 0.6.0
 * @category models
 */
export interface StoreJson {
  readonly item_id: string
  readonly amount: number
  /** Only with carried remainders: the store's. */
  readonly carried?: Carried
}

/**
 * A split order on the wire.
 *
 * @since 0.1.0
 * @category models
 */
export interface SplitJson {
  readonly order_id: string
  readonly currency: string
  readonly shares: ReadonlyArray<ShareJson>
  readonly store: ReadonlyArray<StoreJson>
}

/**
 * An order that could not be split, on the wire. `order_id` is null when the order has none.
 *
 * @since 0.1.0
 * @category models
 */
export interface ErrorJson {
  readonly order_id: string | null
  readonly error: FailureJson
}

/**
 * The fields of a share in a line.
 *
 * @since 0.1.0
 * @category models
 */
export type ShareLine = Pick<
  Share,
  | "itemId"
  | "groupId"
  | "collaboratorId"
  | "amount"
  | "shippingAmount"
  | "base"
  | "percent"
  | "flatAmount"
  | "carried"
  | "terms"
>

/**
 * The fields of a split order in a line. A full split has them too.
 *
 * @since 0.1.0
 * @category models
 */
export interface SplitLine {
  readonly orderId: string
  readonly currency: string
  readonly shares: ReadonlyArray<ShareLine>
  readonly store: ReadonlyArray<StoreShare>
}

/**
 * The fields of an order that could not be split in a line.
 *
 * @since 0.1.0
 * @category models
 */
export interface ErrorLine {
  readonly orderId: string | null
  readonly error: FailureJson
}

/** The remainders of a party, where they are carried. */
const writeCarried = ({ carried }: { readonly carried?: Carried | undefined }) =>
  carried === undefined ? undefined : { carried }

const writeShare = (share: ShareLine): ShareJson => ({
  item_id: share.itemId,
  group_id: share.groupId,
  collaborator_id: share.collaboratorId,
  amount: share.amount,
  shipping_amount: share.shippingAmount,
  base: share.base,
  percent: share.percent,
  flat_amount: share.flatAmount,
  ...writeCarried(share),
  ...(share.terms === undefined ? undefined : { terms: share.terms }),
})

/**
 * Writes a split order.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { RuleSet, Split as CoreSplit } from "apportion"
 * import { Split } from "apportion/wire"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 25 },
 * ])
 * const split = CoreSplit.order(rules, {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 9_999 }],
 * })
 * Split.write(split).shares[0]?.amount // => 2500
 * Split.write(split).store // => [{ item_id: "1", amount: 7499 }]
 * ```
 */
export const write = (split: SplitLine): SplitJson => ({
  order_id: split.orderId,
  currency: split.currency,
  shares: split.shares.map(writeShare),
  store: split.store.map((rest) => ({
    item_id: rest.itemId,
    amount: rest.amount,
    ...writeCarried(rest),
  })),
})

const isPlainObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null

/** The field with quoted input, which keeps its own names; all other names in an error are ours. */
const quoted = "value"

/** A JSON number; one that JSON can't hold becomes a text. */
const scalar = (value: unknown): unknown => {
  if (typeof value === "bigint") return String(value)
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value
}

/** Limits of how deep, and how much of, an input is quoted: it may contain itself, or be a sparse list of billions. */
const deepest = 32
const mostQuoted = 10_000
const more = "…"

const quote = (input: unknown): unknown => {
  let parts = 0
  const part = (value: unknown, depth: number): unknown => {
    parts += 1
    if (!isPlainObject(value)) return scalar(value)
    if (depth > deepest || parts > mostQuoted) return more
    if (!Array.isArray(value)) {
      const fields = Object.entries(value).slice(0, mostQuoted)
      return Object.fromEntries(fields.map(([name, field]) => [name, part(field, depth + 1)]))
    }
    const elements = value.slice(0, mostQuoted - parts)
    const whole = Array.from(elements, (element: unknown) => part(element, depth + 1))
    return elements.length < value.length ? [...whole, more] : whole
  }
  try {
    return part(input, 0)
  } catch {
    // A getter or a proxy throws when it is read.
    return more
  }
}

const toJson = (value: unknown): unknown => {
  if (!isPlainObject(value)) return scalar(value)
  if (Array.isArray(value)) return value.map(toJson)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      snakeCase(name),
      name === quoted ? quote(part) : toJson(part),
    ]),
  )
}

/** A tagged error as JSON: its fields in snake_case, and nothing that JSON can't hold. */
const writeFailure = (error: { readonly _tag: string; readonly message: string }): FailureJson => {
  const data = Object.entries(error).filter(([name]) => name !== "_tag" && name !== "message")
  const fields = toJson(Object.fromEntries(data))
  return { _tag: error._tag, message: error.message, ...(isPlainObject(fields) ? fields : {}) }
}

/**
 * Writes why an order could not be split: the error's tag, its message, and its data in snake_case. Values that JSON
 * can't hold, such as infinity, are written as texts.
 *
 * @param error - any tagged error of the library
 * @param options - `orderId`: the order, when it is known
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Cents } from "apportion"
 * import { Split } from "apportion/wire"
 *
 * const error = Cents.AmountOutOfRange.of("the sum", 2n ** 60n)
 * Split.writeError(error, { orderId: "1001" }).error._tag // => "AmountOutOfRange"
 * ```
 */
export const writeError = (
  error: { readonly _tag: string; readonly message: string },
  options: { readonly orderId?: string | undefined } = {},
): ErrorJson => ({ order_id: options.orderId ?? null, error: writeFailure(error) })

const readCarried = (node: reader.Node): { readonly carried?: Carried } => {
  const carried = reader.child(node, "carried")
  if (carried === undefined) return {}
  const before = reader.neededWhole(carried, "before")
  return { carried: { before, after: reader.neededWhole(carried, "after") } }
}

const readBand = (node: reader.Node): ShareBand => ({
  from: reader.neededWhole(node, "from"),
  percent: reader.neededText(node, "percent"),
  counted: reader.neededWhole(node, "counted"),
})

const readTiers = (node: reader.Node): ShareTiers => ({
  counted: reader.neededChoice(node, "counted", ["units", "base", "share"], "units"),
  counter: reader.neededId(node, "counter"),
  before: reader.neededWhole(node, "before"),
  after: reader.neededWhole(node, "after"),
  bands: reader.neededChildren(node, "bands").map(readBand),
})

const readCap = (node: reader.Node): ShareCap => ({
  counter: reader.neededId(node, "counter"),
  amount: reader.neededWhole(node, "amount"),
  before: reader.neededWhole(node, "before"),
  after: reader.neededWhole(node, "after"),
  left: reader.neededWhole(node, "left"),
  cut: reader.neededWhole(node, "cut"),
})

const readTerms = (node: reader.Node): { readonly terms?: ShareTerms } => {
  const terms = reader.child(node, "terms")
  if (terms === undefined) return {}
  const [tiers, cap] = [reader.child(terms, "tiers"), reader.child(terms, "cap")]
  return {
    terms: {
      tiers: tiers === undefined ? null : readTiers(tiers),
      cap: cap === undefined ? null : readCap(cap),
    },
  }
}

const readShare = (node: reader.Node): ShareLine => ({
  itemId: reader.neededId(node, "item_id"),
  groupId: reader.neededId(node, "group_id"),
  collaboratorId: reader.neededId(node, "collaborator_id"),
  amount: reader.neededWhole(node, "amount"),
  shippingAmount: reader.neededWhole(node, "shipping_amount"),
  base: reader.neededWhole(node, "base"),
  percent: reader.text(node, "percent") ?? null,
  flatAmount: reader.whole(node, "flat_amount") ?? null,
  ...readCarried(node),
  ...readTerms(node),
})

const readError = (node: reader.Node): ErrorLine => {
  const error = reader.neededChild(node, "error")
  const [_tag, message] =
    error === undefined
      ? ["", ""]
      : [reader.neededText(error, "_tag"), reader.neededText(error, "message")]
  return {
    orderId: reader.id(node, "order_id") ?? null,
    error: { ...error?.fields, _tag, message },
  }
}

const readSplit = (node: reader.Node): SplitLine => ({
  orderId: reader.neededId(node, "order_id"),
  currency: reader.neededId(node, "currency"),
  shares: reader.neededChildren(node, "shares").map(readShare),
  store: reader.neededChildren(node, "store").map((rest) => ({
    itemId: reader.neededId(rest, "item_id"),
    amount: reader.neededWhole(rest, "amount"),
    ...readCarried(rest),
  })),
})

/**
 * Reads a line back: a split order, or an order that could not be split (it has `error`). Fails with
 * `Unreadable`, which lists every problem with its path.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Split } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const line = Split.read({ order_id: "1001", currency: "USD", shares: [], store: [] })
 * Result.getOrThrow(line).orderId // => "1001"
 * ```
 */
export const read = (input: unknown): Result.Result<SplitLine | ErrorLine, Unreadable> =>
  reader.read<SplitLine | ErrorLine>(input, {
    what: "split",
    read: (node) => (reader.field(node, "error") === undefined ? readSplit(node) : readError(node)),
  })
