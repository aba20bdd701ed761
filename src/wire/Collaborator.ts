/**
 * A collaborator as JSON, as it appears inside product groups and payouts.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { camelCase, snakeCase } from "../internal/names.js"
import * as reader from "../internal/reader.js"
import { readCurrency } from "../internal/reader.js"
import type { Problem } from "../Problem.js"
import * as Core from "../payouts/Collaborator.js"
import type { Permissions } from "../payouts/Permissions.js"
import type { Unreadable } from "../Unreadable.js"
import type * as Schemas from "./Schemas.js"

/**
 * The twelve permissions on the wire.
 *
 * @since 0.1.0
 * @category models
 */
export interface PermissionsView extends Schema.Schema.Type<typeof Schemas.PermissionsView> {}

/**
 * A collaborator inside a payout.
 *
 * @since 0.1.0
 * @category models
 */
export interface PayoutCollaboratorView
  extends Schema.Schema.Type<typeof Schemas.PayoutCollaboratorView> {}

/**
 * A collaborator inside a product group or a product: with every field.
 *
 * @since 0.1.0
 * @category models
 */
export interface CollaboratorView extends Schema.Schema.Type<typeof Schemas.CollaboratorView> {}

/** The given fields under their own names; null is the same as absent. */
const ownFields = (node: reader.Node, names: ReadonlyArray<string>) =>
  Object.fromEntries(
    names
      .map((name) => [camelCase(name), reader.field(node, name)] as const)
      .filter(([, value]) => value !== undefined),
  )

const plainFields = [
  "payout_measurement",
  "payout_frequency",
  "payout_threshold",
  "payout_holding_days",
  "should_pay_automatically",
  "notes",
]

/**
 * Every field that a collaborator's JSON can have. Others have no effect.
 *
 * @since 0.1.0
 * @category constants
 */
export const fields: ReadonlyArray<string> = [
  ...["id", "currency", "permissions", "account"],
  ...plainFields,
]

const accountFields = ["name", "paypal_email", "is_managed"]

/**
 * The names of the twelve permissions.
 *
 * @since 0.1.0
 * @category constants
 */
export const permissionFields: ReadonlyArray<string> = /* @__PURE__ */ Object.keys({
  ...{ see_product_price: true, see_product_quantity: true, see_product_discount: true },
  ...{ see_product_tax: true, see_customer_email: true, see_customer_name: true },
  ...{ see_order_status: true, see_order_payment_gateway: true },
  ...{ see_order_shipping_address: true, see_order_billing_address: true },
  ...{ see_product_cost: true, see_product_stock: true },
} satisfies Record<keyof PermissionsView, true>)

const readCollaborator = (node: reader.Node): Core.Collaborator => {
  const account = reader.child(node, "account")
  const permissions = reader.child(node, "permissions")
  const collaborator = Core.parse({
    // Placeholders for an id or a currency whose problem is noted already.
    id: reader.neededId(node, "id") || "?",
    currency: readCurrency(node, "currency") || "USD",
    ...ownFields(node, plainFields),
    ...(account && { account: ownFields(account, accountFields) }),
    ...(permissions && { permissions: ownFields(permissions, permissionFields) }),
  })
  if (Result.isSuccess(collaborator)) return collaborator.success
  const inWireNames = (problem: Problem) => ({
    ...problem,
    path: reader.pathOf(node, snakeCase(problem.path)),
  })
  node.problems.push(...collaborator.failure.problems.map(inWireNames))
  return Core.make({ id: "?", currency: "USD" })
}

/**
 * Reads a collaborator. Only `id` and `currency` are needed: without more they are paid once a month,
 * from the first cent, without holding, and see nothing but their own money. `payout_threshold` is in
 * cents. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @param options - `path`: the collaborator's path in a larger input, for the paths of problems
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Collaborator } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const ada = Collaborator.read({
 *   id: "ada",
 *   currency: "EUR",
 *   payout_measurement: "monthly_date",
 *   payout_frequency: -1,
 *   account: { name: "Ada" },
 * })
 * Result.getOrThrow(ada).payoutFrequency // => -1
 * ```
 */
export const read = (
  input: unknown,
  options: { readonly path?: string | undefined } = {},
): Result.Result<Core.Collaborator, Unreadable> =>
  reader.read(input, { what: "collaborator", path: options.path, read: readCollaborator })

/**
 * Changes to a collaborator; absent fields stay as they are. Amounts are cents.
 *
 * @since 0.6.0
 * @category models
 */
export type CollaboratorChanges = Partial<Omit<Core.CollaboratorInput, "id">>

/** A field that null clears. */
const clearable = <A>(
  node: reader.Node,
  key: string,
  value: A | undefined,
): A | null | undefined => (node.fields[key] === null ? null : value)

const saidPermissions = (node: reader.Node): Core.CollaboratorInput["permissions"] => {
  reader.refuseMisspelt(node, permissionFields)
  const said = permissionFields.map((name) => [camelCase(name), reader.flag(node, name)] as const)
  return Object.fromEntries(said.filter(([, value]) => value !== undefined))
}

const saidAccount = (node: reader.Node): Core.CollaboratorInput["account"] => {
  reader.refuseMisspelt(node, accountFields)
  return {
    name: reader.text(node, "name"),
    paypalEmail: clearable(node, "paypal_email", reader.text(node, "paypal_email")),
    isManaged: reader.flag(node, "is_managed"),
  }
}

const readMeasurements = [...Core.payoutMeasurements, "month_day"] as const

const readTerms = (node: reader.Node): CollaboratorChanges => {
  const days = reader.whole(node, "payout_holding_days", 0)
  const permissions = reader.child(node, "permissions")
  const account = reader.child(node, "account")
  return {
    payoutMeasurement: reader.choice(node, "payout_measurement", readMeasurements),
    payoutFrequency: reader.whole(node, "payout_frequency"),
    payoutThreshold: reader.whole(node, "payout_threshold", 0),
    payoutHoldingDays: clearable(node, "payout_holding_days", days),
    shouldPayAutomatically: reader.flag(node, "should_pay_automatically"),
    notes: clearable(node, "notes", reader.text(node, "notes")),
    permissions: permissions && saidPermissions(permissions),
    account: account && saidAccount(account),
  }
}

/**
 * Reads changes to a collaborator: any of the fields but the id. null clears `payout_holding_days`, `notes` and
 * `paypal_email`, and is the same as absent elsewhere; misspelt fields are refused. Whether the result is valid is
 * checked together with the fields that stay. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Collaborator } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const changes = Result.getOrThrow(Collaborator.readChanges({ payout_threshold: 5_000, notes: null }))
 * changes.payoutThreshold // => 5_000
 * changes.notes // => null
 * changes.currency // => undefined
 * ```
 */
export const readChanges = (input: unknown): Result.Result<CollaboratorChanges, Unreadable> =>
  reader.read(input, {
    what: "collaborator",
    known: fields,
    read: (node) => {
      if (reader.field(node, "id") !== undefined) {
        reader.note(node, "id", "can't be changed: leave it out")
      }
      const terms = readTerms(node)
      return reader.field(node, "currency") === undefined
        ? terms
        : { ...terms, currency: readCurrency(node, "currency") }
    },
  })

const writePermissions = (permissions: Permissions): PermissionsView => ({
  see_product_price: permissions.seeProductPrice,
  see_product_quantity: permissions.seeProductQuantity,
  see_product_discount: permissions.seeProductDiscount,
  see_product_tax: permissions.seeProductTax,
  see_customer_email: permissions.seeCustomerEmail,
  see_customer_name: permissions.seeCustomerName,
  see_order_status: permissions.seeOrderStatus,
  see_order_payment_gateway: permissions.seeOrderPaymentGateway,
  see_order_shipping_address: permissions.seeOrderShippingAddress,
  see_order_billing_address: permissions.seeOrderBillingAddress,
  see_product_cost: permissions.seeProductCost,
  see_product_stock: permissions.seeProductStock,
})

/**
 * Writes a collaborator as it appears inside a payout: without the fields that payouts leave out.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Collaborator as CoreCollaborator } from "apportion"
 * import { Collaborator } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const ada = CoreCollaborator.make({ id: "ada", currency: "EUR" })
 * const view = Collaborator.writeForPayout(ada)
 * view.account // => { name: "ada", paypal_email: null }
 * "notes" in view // => false
 * ```
 */
export const writeForPayout = (collaborator: Core.Collaborator): PayoutCollaboratorView => ({
  id: collaborator.id,
  currency: collaborator.currency,
  payout_measurement: collaborator.payoutMeasurement,
  payout_frequency: collaborator.payoutFrequency,
  payout_threshold: collaborator.payoutThreshold,
  permissions: writePermissions(collaborator.permissions),
  account: {
    name: collaborator.account.name,
    paypal_email: collaborator.account.paypalEmail,
  },
})

/**
 * Writes a collaborator as it appears inside a product group: with every field. {@link read} reads the same
 * collaborator from it.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Collaborator as CoreCollaborator } from "apportion"
 * import { Collaborator } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const ada = CoreCollaborator.make({ id: "ada", currency: "EUR" })
 * Collaborator.write(ada).payout_holding_days // => null
 * ```
 */
export const write = (collaborator: Core.Collaborator): CollaboratorView => ({
  id: collaborator.id,
  currency: collaborator.currency,
  payout_measurement: collaborator.payoutMeasurement,
  payout_frequency: collaborator.payoutFrequency,
  payout_threshold: collaborator.payoutThreshold,
  should_pay_automatically: collaborator.shouldPayAutomatically,
  payout_holding_days: collaborator.payoutHoldingDays,
  notes: collaborator.notes,
  permissions: writePermissions(collaborator.permissions),
  account: {
    name: collaborator.account.name,
    paypal_email: collaborator.account.paypalEmail,
    is_managed: collaborator.account.isManaged,
  },
})
