/** Handling requests about sales and refunds. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Order as CoreOrder } from "../orders/Order.js"
import * as Page from "../pagination/Page.js"
import { Collaborators, type CollaboratorsService } from "../service/Collaborators.js"
import { Sales, type SalesService } from "../service/Sales.js"
import * as Order from "../wire/Order.js"
import { write as writePage } from "../wire/Page.js"
import * as Refund from "../wire/Refund.js"
import { Api } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import { respondOnce } from "./Once.js"
import { pageOf } from "./Query.js"
import * as SaleLines from "./SaleLines.js"
import * as SaleQuery from "./SaleQuery.js"
import {
  namedIn,
  writePart,
  writePreview,
  writePreviewedRefund,
  writeRecording,
  writeRefund,
  writeViewed,
} from "./SaleViews.js"

const list = (sales: SalesService) =>
  HttpApiBuilder.handler(Api, "sales", "list", (call) =>
    respond(
      call,
      Effect.fnUntraced(function* ({ accountId, url }) {
        const page = pageOf(call.query)
        const asked = SaleQuery.askedOf(call.query)
        const { entries, total } = yield* sales.list(accountId, asked, page)
        const meta = Page.meta(total, page, { path: url })
        return writePage({ data: entries, meta }, writePart)
      }),
    ),
  )

const record = (sales: SalesService) =>
  Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
    const order = yield* Effect.fromResult(Order.read(body))
    return { data: writeRecording(order.id, yield* sales.record(accountId, order)) }
  })

const itemIdsOf = (parts: ReadonlyArray<{ readonly order: CoreOrder }>): ReadonlyArray<string> =>
  parts.flatMap(({ order }) => order.items.map(({ id }) => id))

/** The answer to recording an order that is recorded by now. */
const recall =
  (sales: SalesService) =>
  ({ accountId }: CallerService, orderId: string) =>
    Effect.map(sales.get(accountId, orderId), (parts) => ({
      data: writeRecording(orderId, {
        parts,
        newItemIds: [],
        knownItemIds: itemIdsOf(parts),
        notes: [],
      }),
    }))

const preview = (sales: SalesService, collaborators: CollaboratorsService) =>
  Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
    const order = yield* Effect.fromResult(Order.read(body))
    const found = yield* sales.preview(accountId, order)
    const people = yield* collaborators.names(accountId, namedIn(found.split))
    return { data: writePreview(found, people) }
  })

const view = (sales: SalesService, collaborators: CollaboratorsService, orderId: string) =>
  Effect.fnUntraced(function* ({ accountId }: CallerService) {
    const parts = yield* sales.get(accountId, orderId)
    const ids = parts.flatMap(({ split }) => namedIn(split))
    return { data: writeViewed(orderId, parts, yield* collaborators.names(accountId, ids)) }
  })

const refund = (sales: SalesService, orderId: string) =>
  Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
    const request = yield* Effect.fromResult(Refund.readRequest(body))
    return { data: writeRefund(yield* sales.refund(accountId, { ...request, orderId })) }
  })

const previewRefund = (sales: SalesService, orderId: string) =>
  Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
    const request = yield* Effect.fromResult(Refund.readRequest(body))
    const previewed = yield* sales.previewRefund(accountId, { ...request, orderId })
    return { data: writePreviewedRefund(previewed) }
  })

export const layer = HttpApiBuilder.group(
  Api,
  "sales",
  Effect.fnUntraced(function* (handlers) {
    const [sales, collaborators] = [yield* Sales, yield* Collaborators]
    return handlers
      .handle("list", list(sales))
      .handle("view", (call) => respond(call, view(sales, collaborators, call.params.order_id)))
      .handleRaw("record", (call) => respondOnce(call, record(sales), { recall: recall(sales) }))
      .handleRaw("recordMany", (call) => SaleLines.respond(call.request, sales))
      .handleRaw("preview", (call) => respond(call, preview(sales, collaborators)))
      .handleRaw("previewRefund", (call) =>
        respond(call, previewRefund(sales, call.params.order_id)),
      )
      .handleRaw("refund", (call) => respondOnce(call, refund(sales, call.params.order_id)))
  }),
)
