/** Sales and refunds of the past that come one a line, with an answer of one line each. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import { type PastEntry, PastSales, type PastSalesService } from "../service/PastSales.js"
import type { Unreadable } from "../Unreadable.js"
import * as Order from "../wire/Order.js"
import * as Refund from "../wire/Refund.js"
import type { PastLine } from "../wire/SaleSchemas.js"
import type { Failure } from "./Answer.js"
import { Api } from "./Api.js"
import { Caller, type CallerService } from "./Caller.js"
import { type Line, type LineWork, recordingLines, respondLines } from "./Lines.js"

type PastLineAnswer = (typeof PastLine)["Type"]

/** The refund of a line names its order, as the path of the endpoint for one refund does. */
const readRefund = (body: unknown): Result.Result<PastEntry, Unreadable> => {
  const { order_id: _, ...rest } = reader.isFields(body) ? body : {}
  const orderId = reader.read(body, {
    what: "refund",
    path: "refund",
    read: (node) => reader.neededId(node, "order_id"),
  })
  const request = Refund.readRequest(rest)
  const problems = [
    ...(Result.isFailure(orderId) ? orderId.failure.problems : []),
    ...(Result.isFailure(request)
      ? request.failure.problems.map((one) => ({ ...one, path: `refund.${one.path}` }))
      : []),
  ]
  return Result.isSuccess(orderId) && Result.isSuccess(request)
    ? Result.succeed({ refund: { ...request.success, orderId: orderId.success } })
    : Result.fail(reader.unreadable("refund of the past", problems))
}

const readEntry = (content: unknown): Result.Result<PastEntry, Unreadable> => {
  const known = reader.read(content, {
    what: "entry of the past",
    known: ["sale", "refund"],
    read: (node) => {
      const isSale = reader.field(node, "sale") !== undefined
      if (isSale === (reader.field(node, "refund") !== undefined)) {
        reader.note(node, "sale", "must be there, or refund, and not both")
      }
      return isSale
        ? { sale: reader.field(node, "sale") }
        : { refund: reader.field(node, "refund") }
    },
  })
  return Result.flatMap(known, (entry): Result.Result<PastEntry, Unreadable> => {
    if (!("sale" in entry)) return readRefund(entry.refund)
    return Result.map(Order.read(entry.sale, { path: "sale" }), (sale) => ({ sale }))
  })
}

/** The ids in a line, as far as it can be read. */
const subjectOf = ({ content }: Line) => {
  const fields =
    Result.isSuccess(content) && reader.isFields(content.success) ? content.success : {}
  const [sale, refund] = [fields.sale, fields.refund].map((one) =>
    reader.isFields(one) ? one : {},
  )
  return {
    order_id: reader.idOf(sale?.id ?? refund?.order_id) ?? null,
    refund_id: reader.idOf(refund?.id) ?? null,
  }
}

const workOf =
  (past: PastSalesService, paidUntil: number) =>
  ({ accountId }: CallerService): LineWork<PastLineAnswer> =>
    recordingLines({
      read: ({ content }) => Result.flatMap(content, readEntry),
      recordAll: (entries) => past.recordAll(accountId, entries, { paidUntil }),
      answer: (line, { outcome }): Effect.Effect<PastLineAnswer, Failure> => {
        if (outcome.type === "refused") return Effect.fail(outcome.error)
        const answer = { line: line.number, ...subjectOf(line), outcome: outcome.type }
        return Effect.succeed({ ...answer, refusal: null })
      },
      refuse: (line, refusal) => ({
        ...{ line: line.number, ...subjectOf(line), outcome: null },
        refusal,
      }),
    })

/** A time that is not in the past is a problem of the query, not of a line. */
const checkPaidUntil = (past: PastSalesService, accountId: string, paidUntil: number) =>
  Effect.catchTag(past.recordAll(accountId, [], { paidUntil }), "InvalidTime", ({ message }) => {
    const problem = { path: "paid_until", value: paidUntil, message: message.replace(/^\w+: /, "") }
    return Effect.fail(reader.unreadable("query", [problem]))
  })

export const layer = HttpApiBuilder.group(
  Api,
  "pastSales",
  Effect.fnUntraced(function* (handlers) {
    const past = yield* PastSales
    return handlers.handleRaw(
      "importMany",
      Effect.fnUntraced(function* ({ request, query }) {
        const { accountId, settle } = yield* Caller
        const { paid_until: paidUntil } = query
        const checked = Effect.andThen(
          checkPaidUntil(past, accountId, paidUntil),
          respondLines(request, workOf(past, paidUntil)),
        )
        return yield* settle(checked)
      }),
    )
  }),
)
