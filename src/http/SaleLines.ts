/** Sales that come one a line, of any number, with an answer of one line each. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import { idOf, isFields } from "../internal/reader.js"
import type { Recording, SalesService } from "../service/Sales.js"
import * as Order from "../wire/Order.js"
import type { SaleLine } from "../wire/SaleSchemas.js"
import type { CallerService } from "./Caller.js"
import { type Line, type LineWork, recordingLines, respondLines } from "./Lines.js"
import { writeNotes } from "./SaleViews.js"

type SaleLineAnswer = (typeof SaleLine)["Type"]

const orderIdOf = ({ content }: Line): string | null =>
  Result.isSuccess(content) && isFields(content.success) ? (idOf(content.success.id) ?? null) : null

const answerOf = (
  { number: line }: Line,
  orderId: string,
  { newItemIds, knownItemIds, notes }: Recording,
): SaleLineAnswer => ({
  ...{ line, order_id: orderId, new_items: newItemIds.length, known_items: knownItemIds.length },
  ...{ notes: writeNotes(notes), refusal: null },
})

const readOrder = ({ content }: Line) => Result.flatMap(content, (body) => Order.read(body))

const workOf =
  (sales: SalesService) =>
  ({ accountId }: CallerService): LineWork<SaleLineAnswer> =>
    recordingLines({
      read: readOrder,
      recordAll: (orders) => sales.recordAll(accountId, orders),
      answer: (line, { entry, outcome }) =>
        outcome.type === "refused"
          ? Effect.fail(outcome.error)
          : Effect.succeed(answerOf(line, entry.id, outcome.recording)),
      refuse: (line, refusal) => ({
        ...{ line: line.number, order_id: orderIdOf(line) },
        ...{ new_items: 0, known_items: 0, notes: [], refusal },
      }),
    })

/** Answers line by line. */
export const respond = (request: HttpServerRequest.HttpServerRequest, sales: SalesService) =>
  respondLines(request, workOf(sales))
