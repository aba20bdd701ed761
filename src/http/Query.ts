import * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import * as seconds from "../internal/seconds.js"
import type { Problem } from "../Problem.js"
import * as PageRequest from "../pagination/PageRequest.js"
import * as PayoutStatus from "../payouts/PayoutStatus.js"
import type { PayoutFilter, TimeRange } from "../ports/PayoutStore.js"
import type { ProductQuery } from "../service/Products.js"
import { InvalidRequest } from "./ErrorBody.js"

// How many items of a payout are shown.

/** When no page of them is asked for: an answer of about two megabytes. */
export const mostUnasked = 10_000

/** When a page is asked for without saying how many. */
export const usualItems = 100

/** In a page. */
export const mostItems = 1_000

// Reading the parameters of a query. Those that nobody asks for are ignored.

/** The values of each parameter, in their order. */
export type Query = ReadonlyMap<string, ReadonlyArray<string>>

/** The parameters of a URL, with `%5B` and the like decoded. */
export const parse = (url: string): Query => {
  const [withoutFragment = ""] = url.split("#", 1)
  const start = withoutFragment.indexOf("?")
  const found = new Map<string, Array<string>>()
  if (start === -1) return found
  // With its question mark, which is dropped: a second one belongs to the first parameter's name.
  for (const [name, value] of new URLSearchParams(withoutFragment.slice(start))) {
    const values = found.get(name)
    if (values === undefined) found.set(name, [value])
    else values.push(value)
  }
  return found
}

/** A query, and where its problems are noted. */
interface QueryFields {
  readonly query: Query
  readonly problems: Array<Problem>
}

const note = (reading: QueryFields, path: string, value: unknown, message: string): undefined => {
  reading.problems.push({ path, value, message })
}

const single = (reading: QueryFields, name: string): string | undefined => {
  const values = reading.query.get(name) ?? []
  if (values.length < 2) return values[0]
  return note(reading, name, values, `is given ${values.length} times, it must be given once`)
}

const parsed = <A>(
  reading: QueryFields,
  name: string,
  options: { readonly parse: (text: string) => A | undefined; readonly expected: string },
): A | undefined => {
  const text = single(reading, name)
  if (text === undefined) return undefined
  const value = options.parse(text)
  if (value !== undefined) return value
  return note(reading, name, text, `must be ${options.expected}, got ${show(text)}`)
}

const anId = { parse: (text: string) => (text === "" ? undefined : text), expected: "an id" }

const aTime = {
  parse: (text: string) => {
    const value = /^[+-]?\d{1,20}$/.test(text) ? Number(text) : undefined
    return seconds.isSeconds(value) ? value : undefined
  },
  expected: seconds.expected,
}

const aStatus = {
  parse: (text: string) => PayoutStatus.statuses.find((status) => status === text),
  expected: `one of ${PayoutStatus.statuses.join(", ")}`,
}

const flags = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
])

const aFlag = { parse: (text: string) => flags.get(text), expected: "true or false" }

const longestName = 80

/** `paidDate[start_date]` is known; `paidDate[from]` and `paidDate` are meant to be something, too. */
const noteUnknownParts = (reading: QueryFields, name: string): void => {
  const known = [`${name}[start_date]`, `${name}[end_date]`]
  for (const given of reading.query.keys()) {
    const isPart = given === name || given.startsWith(`${name}[`)
    if (!isPart || known.includes(given)) continue
    const path = given.slice(0, longestName)
    note(reading, path, reading.query.get(given), `is no filter; there are ${known.join(" and ")}`)
  }
}

/** A range that is open on both sides is none: it would still leave out what was never paid. */
const readRange = (reading: QueryFields, name: string): TimeRange | undefined => {
  noteUnknownParts(reading, name)
  const from = parsed(reading, `${name}[start_date]`, aTime)
  const to = parsed(reading, `${name}[end_date]`, aTime)
  if (from !== undefined && to !== undefined && from > to) {
    const message = `must not be after ${name}[end_date], which is ${to}, got ${from}`
    note(reading, `${name}[start_date]`, from, message)
  }
  return from === undefined && to === undefined ? undefined : { from, to }
}

const readPageRequest = (reading: QueryFields): PageRequest.PageRequest => {
  const page = single(reading, "page")
  const result = PageRequest.parse({ page, per_page: single(reading, "per_page") })
  if (Result.isSuccess(result)) return result.success
  reading.problems.push(...result.failure.problems)
  return PageRequest.first
}

const read = <A>(
  query: Query,
  from: (reading: QueryFields) => A,
): Result.Result<A, InvalidRequest> => {
  const reading: QueryFields = { query, problems: [] }
  const value = from(reading)
  return reading.problems.length === 0
    ? Result.succeed(value)
    : Result.fail(InvalidRequest.of(reading.problems))
}

/** Which page is asked for. */
export const readPage = (query: Query): Result.Result<PageRequest.PageRequest, InvalidRequest> =>
  read(query, readPageRequest)

const aWhole = {
  parse: (text: string) => (/^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined),
  expected: "a whole number",
}

const brought = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most)

/** Which of a payout's items are asked for; `undefined`: all of them. */
export const readItemsPage = (
  query: Query,
): Result.Result<PageRequest.PageRequest | undefined, InvalidRequest> =>
  read(query, (reading) => {
    const page = parsed(reading, "items_page", aWhole)
    const perPage = parsed(reading, "items_per_page", aWhole)
    if (page === undefined && perPage === undefined) return undefined
    return {
      page: Math.max(1, page ?? 1),
      perPage: brought(perPage ?? usualItems, 1, mostItems),
    }
  })

/** Which groups are asked for, and how many of the values of each at most; `undefined`: all of them. */
export const readGroups = (
  query: Query,
): Result.Result<
  { readonly page: PageRequest.PageRequest; readonly mostValues: number | undefined },
  InvalidRequest
> =>
  read(query, (reading) => {
    const most = parsed(reading, "max_values", aWhole)
    return {
      page: readPageRequest(reading),
      mostValues: most === undefined ? undefined : Math.max(0, most),
    }
  })

/** Which payouts are asked for. */
export const readPayouts = (
  query: Query,
): Result.Result<
  { readonly filter: PayoutFilter; readonly page: PageRequest.PageRequest },
  InvalidRequest
> =>
  read(query, (reading) => ({
    filter: {
      paid: readRange(reading, "paidDate"),
      expected: readRange(reading, "expectedPaymentDate"),
      collaboratorId: parsed(reading, "collaborator", anId),
      status: parsed(reading, "status", aStatus),
    },
    page: readPageRequest(reading),
  }))

/** Which products are asked for. */
export const readProducts = (
  query: Query,
): Result.Result<
  { readonly filter: ProductQuery; readonly page: PageRequest.PageRequest },
  InvalidRequest
> =>
  read(query, (reading) => ({
    filter: {
      search: single(reading, "search"),
      collaboratorId: parsed(reading, "collaborator", anId),
      includeCollaborators: parsed(reading, "include_collaborators", aFlag),
    },
    page: readPageRequest(reading),
  }))
