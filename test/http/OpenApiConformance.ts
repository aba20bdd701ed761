/** What the OpenAPI document promises, in a form that answers can be held against. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { openApi } from "apportion/http"
import type { Answered } from "./Shop.js"

export interface Schema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<Schema>
  readonly enum?: ReadonlyArray<unknown>
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Media {
  readonly schema: Schema
}

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, Media>>
  readonly headers: Readonly<Record<string, unknown>>
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
}

export interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The document as it is served. */
export const document: Document = JSON.parse(JSON.stringify(openApi()))

const json = "application/json"

/** An object a line. */
const ndjson = "application/x-ndjson"

/** Values with the references of the document as those of the one schema that holds all that is referred to. */
const referring = (value: unknown): object =>
  JSON.parse(JSON.stringify(value).replaceAll('"#/components/schemas/', '"document#/$defs/'))

const ajv = new Ajv2020({ allErrors: true, strict: true })
// Each of them is compiled once, not again for each operation that answers it.
ajv.addSchema({ $id: "document", $defs: referring(document.components.schemas) })
const validators = new Map<Schema, ValidateFunction>()

const validatorOf = (schema: Schema): ValidateFunction => {
  const known = validators.get(schema) ?? ajv.compile(referring(schema))
  validators.set(schema, known)
  return known
}

const problems = (schema: Schema, value: unknown): ReadonlyArray<string> => {
  const validate = validatorOf(schema)
  return validate(value) === true ? [] : [ajv.errorsText(validate.errors ?? [])]
}

export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

/** The operation of this name. */
export const operationOf = (operationId: string): Operation => {
  const found = operations.find(({ operation }) => operation.operationId === operationId)
  if (found === undefined) throw new RangeError(`there is no operation ${operationId}`)
  return found.operation
}

/** The schema of an answer's body; `undefined`: it has none. */
export const schemaOf = (operation: Operation, status: number): Schema | undefined =>
  operation.responses[status]?.content?.[json]?.schema

/** The schema of each line of an answer; `undefined`: it is no answer of lines. */
const lineSchemaOf = (operationId: string, status: number): Schema | undefined =>
  operations.find(({ operation }) => operation.operationId === operationId)?.operation.responses[
    status
  ]?.content?.[ndjson]?.schema

/** Checks a body of an operation's answer, and says what is wrong with it. */
export const bodyProblems = (
  operationId: string,
  status: number,
  body: unknown,
): ReadonlyArray<string> => {
  const found = operations.find(({ operation }) => operation.operationId === operationId)
  if (found === undefined) return [`there is no operation ${operationId}`]
  const { operation } = found
  if (operation.responses[status] === undefined) return [`${operationId} has no status ${status}`]
  const schema = schemaOf(operation, status)
  if (schema === undefined) {
    return body === undefined ? [] : [`${operationId} has no body with ${status}`]
  }
  return problems(schema, body)
}

const namesOf = (operationId: string, status: number): ReadonlyArray<string> => {
  const found = operations.find(({ operation }) => operation.operationId === operationId)
  return Object.keys(found?.operation.responses[status]?.headers ?? {})
}

/** The schema of a document for people or spreadsheets; `undefined`: the answer is none. */
const documentSchemaOf = (operationId: string, { status, headers }: Answered) => {
  const [type = "", encoding] = (headers.get("content-type") ?? "").split("; ")
  const found = operations.find(({ operation }) => operation.operationId === operationId)
  const isDocument = type.startsWith("text/") && encoding === "charset=utf-8"
  return isDocument ? found?.operation.responses[status]?.content?.[type]?.schema : undefined
}

/** Checks an answer whole: status, body, kind of body, and the headers that are promised. */
export const answerProblems = (operationId: string, answer: Answered): ReadonlyArray<string> => {
  const { status, headers, text, json: body } = answer
  const missing = namesOf(operationId, status).filter((name) => !headers.has(name))
  const lineSchema = lineSchemaOf(operationId, status)
  if (lineSchema !== undefined) {
    const lines = text.split("\n").slice(0, -1)
    return [
      ...lines.flatMap((line) => problems(lineSchema, JSON.parse(line))),
      ...missing.map((name) => `the header ${name} is missing`),
      ...(headers.get("content-type") === ndjson ? [] : ["the answer is not of lines"]),
    ]
  }
  const documentSchema = documentSchemaOf(operationId, answer)
  if (documentSchema !== undefined) {
    const wrong = problems(documentSchema, text)
    return [...wrong, ...missing.map((name) => `the header ${name} is missing`)]
  }
  const isJson = headers.get("content-type") === json
  return [
    ...bodyProblems(operationId, status, body),
    ...missing.map((name) => `the header ${name} is missing`),
    ...(text === "" || isJson ? [] : [`the body is ${headers.get("content-type")}`]),
  ]
}

/** A schema behind its reference, and the name that its places have. */
const behind = (schema: Schema, at: string): { readonly target: Schema; readonly at: string } => {
  const name = schema.$ref?.replace("#/components/schemas/", "")
  const target = name === undefined ? undefined : document.components.schemas[name]
  return target === undefined ? { target: schema, at } : { target, at: name ?? at }
}

const valueAt = (at: string, value: unknown) => `${at} = ${JSON.stringify(value)}`

/** Adds the fields and listed values that a schema knows, as `Payout.total` and `Payout.status = "paid"`. */
export const addKnown = (places: Set<string>, schema: Schema, name: string): void => {
  const { target, at } = behind(schema, name)
  for (const value of target.enum ?? []) places.add(valueAt(at, value))
  for (const one of target.anyOf ?? []) addKnown(places, one, at)
  if (target.items !== undefined) addKnown(places, target.items, at)
  for (const [field, inner] of Object.entries(target.properties ?? {})) {
    const place = `${at}.${field}`
    if (places.has(place)) continue
    places.add(place)
    addKnown(places, inner, place)
  }
}

/** Adds those of them that a value has; a field that is null is not there. */
export const addPresent = (
  places: Set<string>,
  schema: Schema,
  { name, value }: { readonly name: string; readonly value: unknown },
): void => {
  const { target, at } = behind(schema, name)
  if (target.enum?.includes(value)) places.add(valueAt(at, value))
  for (const one of target.anyOf ?? []) addPresent(places, one, { name: at, value })
  const { items } = target
  if (items !== undefined && Array.isArray(value)) {
    for (const entry of value) addPresent(places, items, { name: at, value: entry })
  }
  for (const [field, inner] of Object.entries(target.properties ?? {})) {
    const part: unknown = Reflect.get(Object(value), field)
    if (part === undefined || part === null) continue
    places.add(`${at}.${field}`)
    addPresent(places, inner, { name: `${at}.${field}`, value: part })
  }
}

/** How many fields and listed values the answers can have, and those that none of them has. */
export const missingPlaces = (
  answers: ReadonlyArray<{ readonly operationId: string; readonly answer: Answered }>,
): { readonly known: number; readonly missing: ReadonlyArray<string> } => {
  const [known, present] = [new Set<string>(), new Set<string>()]
  for (const { operationId, answer } of answers) {
    const found = operations.find(({ operation }) => operation.operationId === operationId)
    const schema = found && schemaOf(found.operation, answer.status)
    if (schema === undefined) throw new RangeError(`${operationId} answers nothing`)
    addKnown(known, schema, operationId)
    addPresent(present, schema, { name: operationId, value: answer.json })
  }
  return { known: known.size, missing: [...known].filter((place) => !present.has(place)) }
}

/** The schema of a request's body. */
export const requestSchemaOf = ({ operationId, requestBody }: Operation): Schema => {
  const schema = requestBody?.content[json]?.schema
  if (schema === undefined) throw new RangeError(`${operationId} takes no body`)
  return schema
}

const fieldsOf = (schema: Schema): ReadonlyArray<string> => {
  const { properties = {}, anyOf = [] } = behind(schema, "").target
  return [...new Set([...Object.keys(properties), ...anyOf.flatMap(fieldsOf)])]
}

/** The fields that the body of a request can have. */
export const requestFields = (operation: Operation): ReadonlyArray<string> =>
  fieldsOf(requestSchemaOf(operation))

/** Checks the body of a request, and says what is wrong with it. */
export const requestProblems = (operation: Operation, body: unknown): ReadonlyArray<string> =>
  problems(requestSchemaOf(operation), body)
