import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { type Field, objectOf, read, seconds } from "../internal/fields.js"
import { sameData } from "../internal/sameData.js"
import * as amounts from "../money/internal/amounts.js"
import { detailsShape, itemShape } from "../orders/internal/shapes.js"
import * as CoreOrder from "../orders/Order.js"
import * as CoreProduct from "../orders/Product.js"
import type { Problem } from "../Problem.js"
import type { Meta } from "../pagination/Page.js"
import * as CoreCollaborator from "../payouts/Collaborator.js"
import * as CorePayout from "../payouts/Payout.js"
import * as CorePayoutItem from "../payouts/PayoutItem.js"
import { statuses } from "../payouts/PayoutStatus.js"
import * as CorePermissions from "../payouts/Permissions.js"
import * as CoreSoldItem from "../payouts/SoldItem.js"
import * as CoreProductGroup from "../rules/ProductGroup.js"
import * as CoreSplitPolicy from "../shares/SplitPolicy.js"

// How a schema asks what is valid.

type Parse<A> = (input: unknown) => Result.Result<A, { readonly problems: ReadonlyArray<Problem> }>

/** `items[2].amount` as `["items", 2, "amount"]`. */
const keysOf = (path: string): ReadonlyArray<PropertyKey> =>
  Array.from(path.matchAll(/\[(\d+)\]|[^.[]+/g), ([key, place]) =>
    place === undefined ? key : Number(place),
  )

const issuesOf = (problems: ReadonlyArray<Problem>): ReadonlyArray<Schema.FilterIssue> =>
  problems.map(({ path, message }) => ({ path: keysOf(path), issue: message }))

/** What is wrong with a value as the type has it: it can't be read, or something in it is not as it is read. */
const problemsOfWhole = <A>(parse: Parse<A>, value: A): ReadonlyArray<Problem> => {
  const parsed = parse(value)
  if (Result.isFailure(parsed)) return parsed.failure.problems
  return Object.entries(Object(parsed.success))
    .filter(([name, made]) => !sameData(Reflect.get(Object(value), name), made))
    .map(([path, made]) => ({ path, value: made, message: "is not as parse makes it" }))
}

/** A schema that decodes with `parse`; what it decodes to is encoded as it is. */
const parsed = <I, A extends I>(parse: Parse<A>): Schema.Codec<A, I> => {
  const any = <B>() => Schema.declare((_value: unknown): _value is B => true)
  const input = any<I>().check(
    Schema.makeFilter((value: I) =>
      Result.match(parse(value), {
        onFailure: ({ problems }) => issuesOf(problems),
        onSuccess: () => [],
      }),
    ),
  )
  const whole = any<A>().check(
    Schema.makeFilter((value: A) => issuesOf(problemsOfWhole(parse, value))),
  )
  return input.pipe(
    Schema.decodeTo(
      whole,
      SchemaTransformation.transform<A, I>({
        decode: (value) => Result.getOrThrow(parse(value)),
        encode: (value) => value,
      }),
    ),
  )
}

const ofField =
  <A>(field: Field<A>): Parse<A> =>
  (input) =>
    Result.mapError(read(input, field), (problems) => ({ problems }))

const valid = <A>(field: Field<unknown>) =>
  Schema.makeFilter((value: A) =>
    Result.match(read(value, field), { onFailure: issuesOf, onSuccess: () => [] }),
  )

// The models.

/**
 * Schema of an amount in the lowest unit of its currency: a safe integer.
 *
 * @since 0.6.0
 * @category schemas
 */
export const Cents: Schema.Codec<number> = Schema.Number.check(valid(amounts.cents))

/**
 * Schema of a whole number of 0 or more: quantities, and amounts that can't be negative.
 *
 * @since 0.6.0
 * @category schemas
 */
export const NonNegative: Schema.Codec<number> = Schema.Number.check(valid(amounts.nonNegative))

/**
 * Schema of a time: whole Unix seconds within the years 1 to 9999.
 *
 * @since 0.6.0
 * @category schemas
 */
export const Seconds: Schema.Codec<number> = Schema.Number.check(valid(seconds))

/**
 * Schema of a percentage as hosts write it, text or number.
 *
 * @since 0.6.0
 * @category schemas
 */
export const Percent: Schema.Codec<string | number> = Schema.Union([
  Schema.String,
  Schema.Number,
]).check(valid(amounts.percent))

/**
 * Schema of an ISO 4217 code in capital letters.
 *
 * @since 0.6.0
 * @category schemas
 */
export const Currency: Schema.Codec<string> = Schema.String.check(valid(amounts.currency))

/**
 * Schema of an exchange rate: a decimal text above 0.
 *
 * @since 0.6.0
 * @category schemas
 */
export const ExchangeRate: Schema.Codec<string> = Schema.String.check(valid(amounts.exchangeRate))

/**
 * Schema of a product, which wraps `Product.parse`.
 *
 * @since 0.6.0
 * @category schemas
 */
export const Product: Schema.Codec<CoreProduct.Product> = parsed(CoreProduct.parse)

/**
 * Schema of one line of an order.
 *
 * @since 0.6.0
 * @category schemas
 */
export const OrderItem: Schema.Codec<CoreOrder.OrderItem> = parsed(
  ofField<CoreOrder.OrderItem>(objectOf(itemShape)),
)

/**
 * Schema of the fields of an order, besides its items, that a collaborator may be allowed to see.
 *
 * @since 0.6.0
 * @category schemas
 */
export const OrderDetails: Schema.Codec<CoreOrder.OrderDetails> = parsed(
  ofField<CoreOrder.OrderDetails>(objectOf(detailsShape)),
)

/**
 * Schema of an order, which wraps `Order.parse`: rules between fields are checked too.
 *
 * @since 0.6.0
 * @category schemas
 * @example
 * ```ts
 * import { Order } from "apportion/schema"
 * import { Schema } from "effect"
 *
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 900 }]
 * Schema.is(Order)({ id: "1001", currency: "USD", items }) // => true
 * Schema.is(Order)({ id: "1001", currency: "USD", items: [...items, ...items] }) // => false
 * ```
 */
export const Order: Schema.Codec<CoreOrder.Order> = parsed(CoreOrder.parse)

/**
 * Schema of a product group, which wraps `ProductGroup.parse`: it is decoded from what hosts write, and absent fields
 * are filled in.
 *
 * @since 0.6.0
 * @category schemas
 * @example
 * ```ts
 * import { ProductGroup } from "apportion/schema"
 * import { Schema } from "effect"
 *
 * const link = { type: "products.all" }
 * const decode = Schema.decodeUnknownSync(ProductGroup)
 * decode({ id: "g1", collaboratorId: "ada", link, percent: 12.5 }).percent // => "12.50"
 * ```
 */
export const ProductGroup: Schema.Codec<
  CoreProductGroup.ProductGroup,
  CoreProductGroup.GroupInput
> = parsed(CoreProductGroup.parse)

/**
 * Schema of a split policy, which wraps `SplitPolicy.parse`: options that are left out have their defaults.
 *
 * @since 0.6.0
 * @category schemas
 */
export const SplitPolicy: Schema.Codec<
  CoreSplitPolicy.SplitPolicy,
  Partial<CoreSplitPolicy.SplitPolicy>
> = parsed(CoreSplitPolicy.parse)

/**
 * Schema of permissions, which wraps `Permissions.parse`: absent permissions are not granted.
 *
 * @since 0.6.0
 * @category schemas
 */
export const Permissions: Schema.Codec<
  CorePermissions.Permissions,
  CorePermissions.PermissionsInput
> = parsed(CorePermissions.parse)

/**
 * Schema of a collaborator, which wraps `Collaborator.parse`: it is decoded from what hosts write, and absent fields
 * are filled in.
 *
 * @since 0.6.0
 * @category schemas
 */
export const Collaborator: Schema.Codec<
  CoreCollaborator.Collaborator,
  CoreCollaborator.CollaboratorInput
> = parsed(CoreCollaborator.parse)

/**
 * Schema of an order item as it was when it was sold.
 *
 * @since 0.6.0
 * @category schemas
 */
export const SoldItem: Schema.Codec<CoreSoldItem.SoldItem> = parsed(CoreSoldItem.parse)

/**
 * Schema of one line of a payout.
 *
 * @since 0.6.0
 * @category schemas
 */
export const PayoutItem: Schema.Codec<CorePayoutItem.PayoutItem> = parsed(CorePayoutItem.parse)

/**
 * Schema of a payout's status.
 *
 * @since 0.6.0
 * @category schemas
 */
export const PayoutStatus: Schema.Codec<(typeof statuses)[number]> = Schema.Literals(statuses)

/**
 * Schema of a payout.
 *
 * @since 0.6.0
 * @category schemas
 */
export const Payout: Schema.Codec<CorePayout.Payout> = parsed(CorePayout.parse)

/**
 * Schema of the position of a page in its list.
 *
 * @since 0.6.0
 * @category schemas
 */
export const PageMeta: Schema.Codec<Meta> = Schema.Struct({
  currentPage: NonNegative,
  from: Schema.NullOr(NonNegative),
  lastPage: NonNegative,
  path: Schema.String,
  perPage: NonNegative,
  to: Schema.NullOr(NonNegative),
  total: NonNegative,
})
