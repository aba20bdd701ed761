/**
 * What a collaborator may see of the sales they are paid for.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { unknownFields } from "../internal/fieldNames.js"
import { objectOf, read } from "../internal/fields.js"
import { type Unreadable, unreadable } from "../Unreadable.js"
import { permissionShape } from "./internal/permissionShape.js"

/**
 * Twelve switches. A field whose switch is `false` is left out of everything the collaborator is shown.
 *
 * @since 0.1.0
 * @category models
 */
export interface Permissions {
  readonly seeProductPrice: boolean
  readonly seeProductQuantity: boolean
  readonly seeProductDiscount: boolean
  readonly seeProductTax: boolean
  readonly seeCustomerEmail: boolean
  readonly seeCustomerName: boolean
  readonly seeOrderStatus: boolean
  readonly seeOrderPaymentGateway: boolean
  readonly seeOrderShippingAddress: boolean
  readonly seeOrderBillingAddress: boolean
  readonly seeProductCost: boolean
  readonly seeProductStock: boolean
}

/**
 * The name of one permission.
 *
 * @since 0.1.0
 * @category models
 */
export type Permission = keyof Permissions

/**
 * The twelve permissions, in the order in which they are shown.
 *
 * @since 0.1.0
 * @category constants
 */
export const names: ReadonlyArray<Permission> = [
  "seeProductPrice",
  "seeProductQuantity",
  "seeProductDiscount",
  "seeProductTax",
  "seeCustomerEmail",
  "seeCustomerName",
  "seeOrderStatus",
  "seeOrderPaymentGateway",
  "seeOrderShippingAddress",
  "seeOrderBillingAddress",
  "seeProductCost",
  "seeProductStock",
]

const every = (value: boolean): Permissions =>
  Object.freeze({
    seeProductPrice: value,
    seeProductQuantity: value,
    seeProductDiscount: value,
    seeProductTax: value,
    seeCustomerEmail: value,
    seeCustomerName: value,
    seeOrderStatus: value,
    seeOrderPaymentGateway: value,
    seeOrderShippingAddress: value,
    seeOrderBillingAddress: value,
    seeProductCost: value,
    seeProductStock: value,
  })

/**
 * Everything may be seen.
 *
 * @since 0.1.0
 * @category constants
 */
export const all: Permissions = /* @__PURE__ */ every(true)

/**
 * Nothing beyond the collaborator's own money may be seen.
 *
 * @since 0.1.0
 * @category constants
 */
export const none: Permissions = /* @__PURE__ */ every(false)

/**
 * Permissions as hosts write them; absent ones are not granted.
 *
 * @since 0.1.0
 * @category models
 */
export type PermissionsInput = { readonly [Name in Permission]?: boolean | undefined }

/**
 * Reads permissions: absent ones are not granted, and unknown names are refused. All problems are reported at once.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Permissions } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Permissions.parse({ seeProductCost: true })).seeProductPrice // => false
 * Result.isFailure(Permissions.parse({ seeProductCost: "yes" })) // => true
 * ```
 */
export const parse = (input: unknown): Result.Result<Permissions, Unreadable> => {
  const isNone = "is no field of a collaborator; the fields here are"
  const known = read<Permissions>(input, objectOf(permissionShape), (value) =>
    unknownFields(value, names, { isNone }),
  )
  return Result.mapError(known, (problems) => unreadable("permissions", problems))
}

/**
 * Completes permissions: absent ones are not granted, so that nothing is shown by oversight.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { Permissions } from "apportion"
 *
 * const permissions = Permissions.make({ seeProductPrice: true })
 * permissions.seeProductPrice // => true
 * permissions.seeProductCost // => false
 * ```
 */
export const make = (input: PermissionsInput = {}): Permissions => {
  const isAllowed = (name: Permission): boolean => input[name] === true
  return {
    seeProductPrice: isAllowed("seeProductPrice"),
    seeProductQuantity: isAllowed("seeProductQuantity"),
    seeProductDiscount: isAllowed("seeProductDiscount"),
    seeProductTax: isAllowed("seeProductTax"),
    seeCustomerEmail: isAllowed("seeCustomerEmail"),
    seeCustomerName: isAllowed("seeCustomerName"),
    seeOrderStatus: isAllowed("seeOrderStatus"),
    seeOrderPaymentGateway: isAllowed("seeOrderPaymentGateway"),
    seeOrderShippingAddress: isAllowed("seeOrderShippingAddress"),
    seeOrderBillingAddress: isAllowed("seeOrderBillingAddress"),
    seeProductCost: isAllowed("seeProductCost"),
    seeProductStock: isAllowed("seeProductStock"),
  }
}
