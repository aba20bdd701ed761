import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as CoreCents from "../money/Cents.js"
import * as CoreOrder from "../orders/Order.js"
import * as CoreCollaborator from "../payouts/Collaborator.js"
import * as CoreProductGroup from "../rules/ProductGroup.js"
import * as CoreRuleSet from "../rules/RuleSet.js"
import * as CoreSplit from "../shares/Split.js"
import * as CoreSplitPolicy from "../shares/SplitPolicy.js"
import { Problem } from "./Problem.js"

// Errors that a host may want to serialise: each is encoded as its fields with its tag.

const errorOf = <E extends F, F extends { readonly _tag: string }, I extends object>(
  Failure: new (fields: Omit<F, "_tag">) => E,
  fields: Schema.Codec<F, I>,
): Schema.Codec<E, object> =>
  fields.pipe(
    Schema.decodeTo(
      Schema.instanceOf(Failure),
      SchemaTransformation.transform<E, F>({
        decode: ({ _tag, ...given }) => new Failure(given),
        encode: (error) => error,
      }),
    ),
  )

const problems = { problems: Schema.Array(Problem), message: Schema.String }

/**
 * Schema of the error for an order that can't be split.
 *
 * @since 0.6.0
 * @category schemas
 */
export const InvalidOrder: Schema.Codec<CoreOrder.InvalidOrder, object> = errorOf(
  CoreOrder.InvalidOrder,
  Schema.TaggedStruct("InvalidOrder", { orderId: Schema.Unknown, ...problems }),
)

/**
 * Schema of the error for groups that claim more than an item brought in.
 *
 * @since 0.6.0
 * @category schemas
 */
export const OverAllocated: Schema.Codec<CoreSplit.OverAllocated, object> = errorOf(
  CoreSplit.OverAllocated,
  Schema.TaggedStruct("OverAllocated", {
    orderId: Schema.String,
    itemId: Schema.String,
    exceeded: Schema.Literals(["sum", "percentages"]),
    distributable: Schema.Number,
    claims: Schema.Array(
      Schema.Struct({
        groupId: Schema.String,
        collaboratorId: Schema.String,
        amount: Schema.Number,
      }),
    ),
    message: Schema.String,
  }),
)

/**
 * Schema of the error for an amount beyond the safe integers.
 *
 * @since 0.6.0
 * @category schemas
 */
export const AmountOutOfRange: Schema.Codec<CoreCents.AmountOutOfRange, object> = errorOf(
  CoreCents.AmountOutOfRange,
  Schema.TaggedStruct("AmountOutOfRange", {
    what: Schema.String,
    value: Schema.String,
    message: Schema.String,
  }),
)

/**
 * Schema of the error for an invalid split policy.
 *
 * @since 0.6.0
 * @category schemas
 */
export const InvalidPolicy: Schema.Codec<CoreSplitPolicy.InvalidPolicy, object> = errorOf(
  CoreSplitPolicy.InvalidPolicy,
  Schema.TaggedStruct("InvalidPolicy", problems),
)

/**
 * Schema of the error for groups that can't be one rule set.
 *
 * @since 0.6.0
 * @category schemas
 */
export const InvalidRuleSet: Schema.Codec<CoreRuleSet.InvalidRuleSet, object> = errorOf(
  CoreRuleSet.InvalidRuleSet,
  Schema.TaggedStruct("InvalidRuleSet", problems),
)

/**
 * Schema of why an order could not be split.
 *
 * @since 0.6.0
 * @category schemas
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 * import { SplitError } from "apportion/schema"
 * import { Result, Schema } from "effect"
 *
 * const order = { id: "1001", currency: "usd", items: [] }
 * const failure = Result.getOrThrow(Result.flip(Split.orderResult(RuleSet.make([]), order)))
 * const sent = JSON.stringify(Schema.encodeSync(SplitError)(failure))
 * Schema.decodeUnknownSync(SplitError)(JSON.parse(sent))._tag // => "InvalidOrder"
 * ```
 */
export const SplitError: Schema.Codec<CoreSplit.SplitError, object> = Schema.Union([
  InvalidOrder,
  OverAllocated,
  AmountOutOfRange,
  InvalidPolicy,
  InvalidRuleSet,
])

/**
 * Schema of the error for an invalid product group.
 *
 * @since 0.6.0
 * @category schemas
 */
export const InvalidProductGroup: Schema.Codec<CoreProductGroup.InvalidProductGroup, object> =
  errorOf(
    CoreProductGroup.InvalidProductGroup,
    Schema.TaggedStruct("InvalidProductGroup", problems),
  )

/**
 * Schema of the error for an invalid collaborator.
 *
 * @since 0.6.0
 * @category schemas
 */
export const InvalidCollaborator: Schema.Codec<CoreCollaborator.InvalidCollaborator, object> =
  errorOf(
    CoreCollaborator.InvalidCollaborator,
    Schema.TaggedStruct("InvalidCollaborator", problems),
  )
