/** The endpoints of sales and refunds, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  NewSale,
  PreviewedRefund,
  PreviewedSale,
  RecordedSale,
  RefundRequest,
  RefundView,
  SaleLine,
  SalePart,
  ViewedSale,
} from "../wire/SaleSchemas.js"
import { PageOf } from "../wire/Schemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, created, IdempotencyKey, id, One } from "./EndpointParts.js"
import { always, atTheDoor, Conflicting, Invalid, NotFound, ofBody } from "./RefusalSchemas.js"
import * as SaleQuery from "./SaleQuery.js"

const order = { order_id: id("The order's id") }

export const listSales = HttpApiEndpoint.get("list", "/sales", {
  query: SaleQuery.Sales,
  success: PageOf(SalePart),
  error: [...always, Invalid],
}).annotateMerge(
  beside(
    "listSales",
    "List sales",
    "By the time of their recording, the earliest first unless order says otherwise",
  ),
)

export const recordSale = HttpApiEndpoint.post("record", "/sales", {
  headers: IdempotencyKey,
  payload: NewSale,
  success: One(RecordedSale),
  error: [...always, ...ofBody, Conflicting],
}).annotateMerge(
  beside(
    "recordSale",
    "Record a sale",
    "Splits an order by the current rules, and adds the shares to the collaborators' active payouts. The same order again changes nothing; items that are added to it are a part of its own. An item with other figures than were recorded is refused with 409",
  ),
)

export const recordSales = HttpApiEndpoint.post("recordMany", "/sales/lines", {
  payload: HttpApiSchema.StreamNdjson({ schema: NewSale }),
  success: HttpApiSchema.StreamNdjson({ schema: SaleLine }),
  error: atTheDoor,
}).annotateMerge(
  beside(
    "recordSales",
    "Record sales, one a line",
    "Each line is recorded by itself, and has an answer of one line, in their order: one that is refused harms no other. The same lines again change nothing, so that a request that was cut off is sent again as it was. After a line that is answered with 500 or 503 no more are read",
  ),
)

export const previewSale = HttpApiEndpoint.post("preview", "/sales/preview", {
  payload: NewSale,
  success: One(PreviewedSale),
  error: [...always, ...ofBody, Conflicting],
}).annotateMerge(
  beside(
    "previewSale",
    "Preview a sale",
    "What recording an order would come to now, and why. Nothing is stored. Refused with 409 when the rules share out more than there is",
  ),
)

export const viewSale = HttpApiEndpoint.get("view", "/sales/:order_id", {
  params: order,
  success: One(ViewedSale),
  error: [...always, NotFound],
}).annotateMerge(
  beside("viewSale", "View a sale", "All parts of an order, with why each got what they got"),
)

export const refundSale = HttpApiEndpoint.post("refund", "/sales/:order_id/refunds", {
  params: order,
  headers: IdempotencyKey,
  payload: RefundRequest,
  success: created(One(RefundView)),
  error: [...always, ...ofBody, NotFound, Conflicting],
}).annotateMerge(
  beside(
    "refundSale",
    "Refund an item",
    "Takes back what was shared of it: in a payout that is not settled the item is reduced, else a negative item goes to the active payout. The same refund again changes nothing. Refused with 409 when it is more than is left, or another refund has the id",
  ),
)

export const previewRefund = HttpApiEndpoint.post(
  "previewRefund",
  "/sales/:order_id/refunds/preview",
  {
    params: order,
    payload: RefundRequest,
    success: One(PreviewedRefund),
    error: [...always, ...ofBody, NotFound, Conflicting],
  },
).annotateMerge(
  beside(
    "previewRefund",
    "Preview a refund",
    "What refunding an item would take back of whom now. Nothing is stored. Refused as the refund itself would be",
  ),
)

export class SaleEndpoints extends HttpApiGroup.make("sales")
  .add(listSales, recordSale, recordSales, previewSale, viewSale, refundSale, previewRefund)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Sales", description: "What was sold, and who got what of it" }),
  ) {}
