import { flag, or } from "../../internal/fields.js"

const allowed = /* @__PURE__ */ or(flag, false)

/** An absent permission is not granted. */
export const permissionShape = {
  seeProductPrice: allowed,
  seeProductQuantity: allowed,
  seeProductDiscount: allowed,
  seeProductTax: allowed,
  seeCustomerEmail: allowed,
  seeCustomerName: allowed,
  seeOrderStatus: allowed,
  seeOrderPaymentGateway: allowed,
  seeOrderShippingAddress: allowed,
  seeOrderBillingAddress: allowed,
  seeProductCost: allowed,
  seeProductStock: allowed,
}
