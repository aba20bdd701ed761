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

/** The schema of the groups' list or of the order. */
export const schemaOf = (subject: "groups" | "order"): EditorSchema => {
  const root = documentOf(subject === "groups" ? NewGroup : NewSale)
  const at = (schema: unknown) => resolved(schema, root)
  if (subject === "order") return { root: at(root), at }
  const items = withFields(at(root), {
    id: { type: "string", description: "The group's id, unique in the file" },
    collaborator_id: { type: "string", description: "Who is paid" },
  })
  return { root: { type: "array", items }, at }
}
