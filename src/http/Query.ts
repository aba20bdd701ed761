/** The parameters of queries: how each is read, and what it selects. Unknown parameters are ignored. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as seconds from "../internal/seconds.js"
import type { Problem } from "../Problem.js"
import * as PageRequest from "../pagination/PageRequest.js"
import * as PaymentStatus from "../payouts/Payment.js"
import * as PayoutStatus from "../payouts/PayoutStatus.js"
import type { PaymentPlace } from "../ports/PaymentStore.js"
import type { TimeRange } from "../ports/PayoutStore.js"
import type { PayoutQuery } from "../service/Payouts.js"
import {
  aFlag,
  anId,
  anOrder,
  aStatus,
  aTime,
  aWhole,
  bounded,
  type Given,
  note,
  orders,
  pageFields,
  parsed,
  type QueryFields,
  queryOf,
  readPage,
  secondsOf,
  single,
} from "./QueryFields.js"

// How many items of a payout are shown.

/** How many are shown when no page is requested: an answer of about two megabytes. */
export const mostUnasked = 10_000

/** How many are on a page when the request does not say. */
export const usualItems = 100

/** The most on a page. */
export const mostItems = 1_000

// How many payments are shown at a time.

const usualPayments = 100
const mostPayments = 1_000

const aPaymentStatus = {
  parse: (text: string) => PaymentStatus.statuses.find((status) => status === text),
  expected: `one of ${PaymentStatus.statuses.join(", ")}`,
}

/** The place of a payment in a list: when it was claimed, and its id. */
const readPlace = (text: string): PaymentPlace | undefined => {
  const [, time, id] = /^(-?\d{1,12})\.(.+)$/s.exec(text) ?? []
  const claimedAt = Number(time)
  return id !== undefined && seconds.isSeconds(claimedAt) ? { claimedAt, id } : undefined
}

/** The place of a payment, as a text that clients send back. */
export const writePlace = ({ claimedAt, id }: PaymentPlace): string => `${claimedAt}.${id}`

const aPlace = {
  parse: (text: string) => (readPlace(text) === undefined ? undefined : text),
  expected: "the next of an answer before",
}

const longestName = 80

/** Notes unknown forms of a known filter: beside `paidDate[start_date]`, also `paidDate[from]` and `paidDate`. */
const noteUnknownParts = (fields: QueryFields, name: string): void => {
  const known = [`${name}[start_date]`, `${name}[end_date]`]
  for (const given of Object.keys(fields.given)) {
    const isPart = given === name || given.startsWith(`${name}[`)
    if (!isPart || known.includes(given)) continue
    const path = given.slice(0, longestName)
    note(fields, path, fields.given[given], `is no filter; there are ${known.join(" and ")}`)
  }
}

export const readRange = (fields: QueryFields, name: string): TimeRange => {
  noteUnknownParts(fields, name)
  const from = parsed(fields, `${name}[start_date]`, aTime)
  const to = parsed(fields, `${name}[end_date]`, aTime)
  if (from !== undefined && to !== undefined && from > to) {
    const message = `must not be after ${name}[end_date], which is ${to}, got ${from}`
    note(fields, `${name}[start_date]`, from, message)
  }
  return { from, to }
}

// The queries of the endpoints. The schema has the form that a client sends; reading finds all problems at once.

/** The OpenAPI document's description of each parameter: to a schema of queries they are all texts. */
export const parameterDocuments: Readonly<Record<string, object>> = {
  page: {
    schema: { type: "integer", default: 1 },
    description: "The page, counted from 1; below 1 it is the first",
  },
  per_page: {
    schema: { type: "integer", default: PageRequest.defaultPerPage },
    description: `Entries of a page, limited to 1 to ${PageRequest.maximumPerPage}`,
  },
  "paidDate[start_date]": secondsOf("only payouts paid then or later"),
  "paidDate[end_date]": secondsOf("only payouts paid then or before"),
  "expectedPaymentDate[start_date]": secondsOf("only payouts to be paid then or later"),
  "expectedPaymentDate[end_date]": secondsOf("only payouts to be paid then or before"),
  collaborator: {
    schema: { type: "string", minLength: 1 },
    description: "Only what belongs to the collaborator with this id",
  },
  max_values: {
    schema: { type: "integer", minimum: 0 },
    description:
      "At most how many of its type_values and condition_values each group shows, with their counts. Not in the original API",
  },
  search: {
    schema: { type: "string" },
    description: "Only products with this text in name, sku, vendor, a tag or an id",
  },
  include_collaborators: {
    schema: { type: "boolean", default: false },
    description: "Whether each product comes with its collaborators",
  },
  include_totals: {
    schema: { type: "boolean", default: false },
    description:
      "Whether each payout comes with its total and how many items it has. Not in the original API",
  },
  "listPayouts order": {
    schema: { type: "string", enum: orders, default: "desc" },
    description:
      "By their due dates: desc for the latest first, asc for the earliest. Not in the original API",
  },
  status: { schema: { type: "string", enum: PayoutStatus.statuses } },
  payout: {
    schema: { type: "string", minLength: 1 },
    description: "Only the payments of the payout with this id",
  },
  after: {
    schema: { type: "string" },
    description: "The next of the answer before; without it the list begins with the first",
  },
  limit: {
    schema: { type: "integer", default: usualPayments },
    description: `At most how many, limited to 1 to ${mostPayments}`,
  },
  "listPayments status": { schema: { type: "string", enum: PaymentStatus.statuses } },
}

const optional = Schema.optional

/** The page of a list. */
export const Page = queryOf(Schema.Struct(pageFields), readPage)

/** The page that a query selects. */
export const pageOf = ({ page, per_page }: typeof Page.Type): PageRequest.PageRequest => ({
  page: page ?? PageRequest.first.page,
  perPage: per_page ?? PageRequest.first.perPage,
})

/** How many values of each group are shown at most; without a number all of them. */
export const Groups = queryOf(
  Schema.Struct({ ...pageFields, max_values: optional(Schema.Int) }),
  (fields) => {
    const most = parsed(fields, "max_values", aWhole)
    return { ...readPage(fields), max_values: most === undefined ? undefined : Math.max(0, most) }
  },
)

/** A filter of payouts. */
export const Payouts = queryOf(
  Schema.Struct({
    "paidDate[start_date]": optional(Schema.Int),
    "paidDate[end_date]": optional(Schema.Int),
    "expectedPaymentDate[start_date]": optional(Schema.Int),
    "expectedPaymentDate[end_date]": optional(Schema.Int),
    collaborator: optional(Schema.String),
    status: optional(Schema.Literals(PayoutStatus.statuses)),
    include_totals: optional(Schema.Boolean),
    order: optional(Schema.Literals(orders)),
    ...pageFields,
  }),
  (fields) => {
    const paid = readRange(fields, "paidDate")
    const expected = readRange(fields, "expectedPaymentDate")
    return {
      "paidDate[start_date]": paid.from,
      "paidDate[end_date]": paid.to,
      "expectedPaymentDate[start_date]": expected.from,
      "expectedPaymentDate[end_date]": expected.to,
      collaborator: parsed(fields, "collaborator", anId),
      status: parsed(fields, "status", aStatus),
      include_totals: parsed(fields, "include_totals", aFlag),
      order: parsed(fields, "order", anOrder),
      ...readPage(fields),
    }
  },
)

/** A range that is open on both sides is left out: it would exclude payouts that were never paid. */
export const rangeOf = (from: number | undefined, to: number | undefined): TimeRange | undefined =>
  from === undefined && to === undefined ? undefined : { from, to }

/** The payouts that a query selects, and their order. */
export const payoutsOf = (query: typeof Payouts.Type): PayoutQuery => ({
  order: query.order === "asc" ? "earliest due first" : "latest due first",
  paid: rangeOf(query["paidDate[start_date]"], query["paidDate[end_date]"]),
  expected: rangeOf(
    query["expectedPaymentDate[start_date]"],
    query["expectedPaymentDate[end_date]"],
  ),
  collaboratorId: query.collaborator,
  status: query.status,
})

const placeFields = { after: optional(Schema.String), limit: optional(Schema.Int) }

const readPart = (fields: QueryFields) => {
  const limit = parsed(fields, "limit", aWhole)
  return {
    after: parsed(fields, "after", aPlace),
    limit: limit === undefined ? undefined : bounded(limit, 1, mostPayments),
  }
}

/** A part of a list of payments. */
export const PaymentPlaces = queryOf(Schema.Struct(placeFields), readPart)

/** A filter of payments. */
export const Payments = queryOf(
  Schema.Struct({
    status: optional(Schema.Literals(PaymentStatus.statuses)),
    payout: optional(Schema.String),
    ...placeFields,
  }),
  (fields) => ({
    status: parsed(fields, "status", aPaymentStatus),
    payout: parsed(fields, "payout", anId),
    ...readPart(fields),
  }),
)

/** The part of a list of payments that a query selects. */
export const partOf = ({ after, limit }: typeof PaymentPlaces.Type) => ({
  after: after === undefined ? undefined : readPlace(after),
  limit: limit ?? usualPayments,
})

/** A filter of products. */
export const Products = queryOf(
  Schema.Struct({
    search: optional(Schema.String),
    collaborator: optional(Schema.String),
    include_collaborators: optional(Schema.Boolean),
    ...pageFields,
  }),
  (fields) => ({
    search: single(fields, "search"),
    collaborator: parsed(fields, "collaborator", anId),
    include_collaborators: parsed(fields, "include_collaborators", aFlag),
    ...readPage(fields),
  }),
)

/** How the items of a payout are requested. */
interface AskedItems {
  /** `undefined`: all of them. */
  readonly page: PageRequest.PageRequest | undefined
  /** Whether each comes with what it is about. */
  readonly hasSources: boolean
}

/** How the items of a payout are requested. */
export const readItems = (given: Given): Result.Result<AskedItems, ReadonlyArray<Problem>> => {
  const fields: QueryFields = { given, problems: [] }
  const page = parsed(fields, "items_page", aWhole)
  const perPage = parsed(fields, "items_per_page", aWhole)
  const hasSources = parsed(fields, "include_sources", aFlag) === true
  if (fields.problems.length > 0) return Result.fail(fields.problems)
  if (page === undefined && perPage === undefined) {
    return Result.succeed({ page: undefined, hasSources })
  }
  const chosen = {
    page: Math.max(1, page ?? 1),
    perPage: bounded(perPage ?? usualItems, 1, mostItems),
  }
  return Result.succeed({ page: chosen, hasSources })
}
