/** What a collaborator may be allowed to see of an order beside its items. */
import * as reader from "../../internal/reader.js"
import type { OrderDetails } from "../../matching/Order.js"
import { filled, notBlank } from "./texts.js"

const addressLine = (node: reader.Node, key: string): string | null => {
  const address = reader.child(node, key)
  if (address === undefined) return null
  const name = filled(address, "name") ?? fullName(address)
  const parts = ["company", "address1", "address2", "city", "province", "zip", "country"]
  const line = notBlank([name, ...parts.map((part) => reader.text(address, part))]).join(", ")
  return line === "" ? null : line
}

const fullName = (node: reader.Node | undefined): string | undefined => {
  if (node === undefined) return undefined
  const name = notBlank([reader.text(node, "first_name"), reader.text(node, "last_name")]).join(" ")
  return name === "" ? undefined : name
}

const gatewayOf = (node: reader.Node): string | undefined => {
  const names = notBlank(reader.texts(node, "payment_gateway_names") ?? [])
  return names.length === 0 ? filled(node, "gateway") : names.join(", ")
}

export const readDetails = (node: reader.Node, customer: reader.Node | undefined): OrderDetails => {
  const email = filled(node, "email") ?? filled(node, "contact_email")
  const billing = reader.child(node, "billing_address")
  const orderName = filled(node, "name")
  return {
    customerEmail: email ?? (customer && filled(customer, "email")) ?? null,
    customerName: fullName(customer) ?? fullName(billing) ?? null,
    status: filled(node, "financial_status") ?? null,
    paymentGateway: gatewayOf(node) ?? null,
    shippingAddress: addressLine(node, "shipping_address"),
    billingAddress: addressLine(node, "billing_address"),
    ...(orderName === undefined ? {} : { orderName }),
  }
}
