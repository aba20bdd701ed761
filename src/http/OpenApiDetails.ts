/**
 * The parts of the OpenAPI document that the schemas don't have: the types of query parameters, the headers of answers,
 * and that requests may have fields of their own.
 */
import * as Record from "effect/Record"
import { agreementParameters } from "./AgreementApi.js"
import { deliveryParameters } from "./DeliveryApi.js"
import { eventParameters } from "./EventApi.js"
import { overviewParameters } from "./OverviewApi.js"
import { passParameters } from "./PassApi.js"
import { pastParameters } from "./PastSaleApi.js"
import { mostItems, mostUnasked, parameterDocuments, usualItems } from "./Query.js"
import { rulesParameters } from "./RulesApi.js"
import * as SaleQuery from "./SaleQuery.js"
import { statementParameters } from "./StatementApi.js"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Changes each object within one; other values stay. */
const each = (value: unknown, change: (part: Json, name: string) => Json): Json =>
  isJson(value) ? Record.map(value, (part, name) => (isJson(part) ? change(part, name) : part)) : {}

/** To a schema, parameters and headers are texts; the document gives their types. */
const parameters: Readonly<Record<string, object>> = {
  ...parameterDocuments,
  ...eventParameters,
  ...deliveryParameters,
  ...pastParameters,
  ...overviewParameters,
  ...rulesParameters,
  ...agreementParameters,
  ...statementParameters,
  ...passParameters,
  ...SaleQuery.parameterDocuments,
  "idempotency-key": {
    name: "Idempotency-Key",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" },
    description:
      "The same key and body give the same answer and one effect; with another body it is refused",
  },
}

const inQuery = (name: string, schema: Json, description: string): Json => ({
  ...{ name, in: "query", schema, required: false },
  description: `${description}. Not in the original API`,
})

/** In the definition they would be required in each call of the client, even to say that there are none. */
const itemsPage = [
  inQuery("items_page", { type: "integer", default: 1 }, "The page of the items, counted from 1"),
  inQuery(
    "items_per_page",
    { type: "integer", default: usualItems },
    `Items of a page, limited to 1 to ${mostItems}. Without it and items_page all items are shown, up to ${mostUnasked}`,
  ),
  inQuery(
    "include_sources",
    { type: "boolean", default: false },
    "Whether each item comes with the sale or the agreement that it is about, and a failed payout with its reason",
  ),
]

/** The operations that answer with a payout, of whose items a page can be requested. */
const withItems = new Set([
  ...["viewPayout", "addExpense", "addIncome", "setPayoutPaid"],
  ...["payPayout", "failPayout", "retryPayout"],
])

/** The meaning of a key where a rail is asked: that can't be rolled back, so it is not repeated for a key. */
const askedOnce =
  "As long as the payment is as it was when the key came first, the rail is asked; later it is not, and the answer is the payment as it is then. The rail itself knows the payment by its id: it pays it once, whatever the key. With another request the key is refused"

const listedOnce =
  "The same key and body give the same answer; with another body it is refused. It stands for the whole list and is kept when all of it is done. Until then, and without a key, what is told again changes nothing"

const keysOf: Readonly<Record<string, string>> = {
  sendPayment: askedOnce,
  resolvePayment: askedOnce,
  answerPayments: listedOnce,
}

const header = (type: string, description: string): Json => ({ schema: { type }, description })

const headers = {
  "X-Request-Id": header("string", "Names the request in the log"),
  "X-RateLimit-Limit": header("integer", "Requests that a token has in a minute"),
  "X-RateLimit-Remaining": header("integer", "Requests that are left now"),
  "Retry-After": header("integer", "Seconds after which it is worth trying again"),
  "WWW-Authenticate": header("string", "Bearer, or Signature for what a platform signs"),
}

const reference = (names: ReadonlyArray<keyof typeof headers>): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Operations without a token, whose requests are not counted. */
const unmetered = new Set(["receiveDelivery"])

/** Operations whose tokens are in the storage: when that fails, nobody knows whose requests to count. */
const withStoredTokens = new Set([
  ...["viewOpenedPass", "viewSeenStatement", "listSeenLines"],
  ...["listSeenPayouts", "viewSeenPayout", "explainSeenSale"],
])

const headersOf = (status: string, operationId: string): Json => {
  if (status === "401") return reference(["X-Request-Id", "WWW-Authenticate"])
  if (unmetered.has(operationId)) return reference(["X-Request-Id"])
  if (withStoredTokens.has(operationId) && status.startsWith("5")) {
    return reference(status === "503" ? ["X-Request-Id", "Retry-After"] : ["X-Request-Id"])
  }
  const rate = ["X-RateLimit-Limit", "X-RateLimit-Remaining"] as const
  return status === "429" || status === "503"
    ? reference(["X-Request-Id", ...rate, "Retry-After"])
    : reference(["X-Request-Id", ...rate])
}

const completeParameter =
  (operationId: string) =>
  (parameter: unknown): unknown => {
    if (!isJson(parameter) || typeof parameter.name !== "string") return parameter
    const { name } = parameter
    const known = parameters[`${operationId} ${name}`] ?? parameters[name]
    const key = name === "idempotency-key" ? keysOf[operationId] : undefined
    return { ...parameter, ...known, ...(key === undefined ? {} : { description: key }) }
  }

const completeOperation = (operation: Json): Json => ({
  ...operation,
  parameters: [
    ...(Array.isArray(operation.parameters)
      ? operation.parameters.map(completeParameter(String(operation.operationId)))
      : []),
    ...(withItems.has(String(operation.operationId)) ? itemsPage : []),
  ],
  responses: each(operation.responses, (response, status) => ({
    ...response,
    headers: headersOf(status, String(operation.operationId)),
  })),
})

const namesIn = (value: unknown): ReadonlyArray<string> =>
  Array.from(
    JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g),
    ([, name = ""]) => name,
  )

/** The schemas of request bodies, and of what they contain. */
const requestsOf = ({ paths, components }: Json): ReadonlySet<string> => {
  const schemas = isJson(components) && isJson(components.schemas) ? components.schemas : {}
  const bodies = Object.values(isJson(paths) ? paths : {}).flatMap((path) =>
    Object.values(isJson(path) ? path : {}).map((operation) =>
      isJson(operation) ? operation.requestBody : undefined,
    ),
  )
  const found = new Set(namesIn(bodies))
  for (const name of found) for (const inner of namesIn(schemas[name])) found.add(inner)
  return found
}

/** Removes the ban on other fields: a request's unknown fields are ignored. */
const completeSchema = (schema: Json): Json => {
  // Left out rather than true, which means the same and would make generated types take any field.
  const { additionalProperties: _closed, ...open } = schema
  return open
}

const completeComponents = (components: Json, requests: ReadonlySet<string>): Json => ({
  ...components,
  schemas: each(components.schemas, (schema, name) =>
    requests.has(name) ? completeSchema(schema) : schema,
  ),
  headers,
})

/** The completed document. */
export const completeDocument = (document: object): Json => {
  const given: Json = { ...document }
  return {
    ...given,
    paths: each(given.paths, (path) => each(path, completeOperation)),
    components: isJson(given.components)
      ? completeComponents(given.components, requestsOf(given))
      : {},
  }
}
