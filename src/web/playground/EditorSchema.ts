/** The schemas by which the editor completes: those of the HTTP API, with what files have besides. */
import * as Schema from "effect/Schema"
import { NewSale } from "../../wire/SaleSchemas.js"
import { NewGroup } from "../../wire/Schemas.js"
import { isFields, type JsonObject } from "./Scenario.js"

const documentOf = (schema: Schema.Top): JsonObject => {
  const { schema: root, definitions } = Schema.toJsonSchemaDocument(schema)
  return { ...root, $defs: definitions }
}

const withFields = (schema: JsonObject, fields: JsonObject): JsonObject => ({
  ...schema,
  properties: { ...fields, ...(isFields(schema.properties) ? schema.properties : {}) },
})

const resolved = (schema: unknown, root: JsonObject): JsonObject => {
  if (!isFields(schema)) return {}
  const reference = schema.$ref
  if (typeof reference !== "string") return schema
  const name = reference.split("/").at(-1) ?? ""
  const definitions = isFields(root.$defs) ? root.$defs : {}
  return isFields(definitions[name]) ? definitions[name] : {}
}

/** A schema, and the document in which its references are found. */
export interface EditorSchema {
  readonly root: JsonObject
  readonly at: (schema: unknown) => JsonObject
}

const choice = (...values: ReadonlyArray<string>): JsonObject => ({ type: "string", enum: values })

/** As `Counters.read` reads it, which alone says what is valid. */
const counter: JsonObject = {
  type: "object",
  properties: {
    counted: choice("units", "base", "share"),
    currency: { type: "string", description: "ISO 4217 code" },
    period: { type: "string", description: "lifetime, a year as 2026, or a month as 2026-03" },
    per: choice("group", "collaborator"),
    id: { type: "string", description: "Of the group or the collaborator" },
    count: { type: "integer", description: "Units, or the currency's lowest unit" },
  },
}

/** The schema of the groups' list, of the order, or of the counters' list. */
export const schemaOf = (subject: "groups" | "order" | "counters"): EditorSchema => {
  if (subject === "counters") {
    return { root: { type: "array", items: counter }, at: (schema) => resolved(schema, {}) }
  }
  const root = documentOf(subject === "groups" ? NewGroup : NewSale)
  const at = (schema: unknown) => resolved(schema, root)
  if (subject === "order") return { root: at(root), at }
  const items = withFields(at(root), {
    id: { type: "string", description: "The group's id, unique in the file" },
    collaborator_id: { type: "string", description: "Who is paid" },
  })
  return { root: { type: "array", items }, at }
}
