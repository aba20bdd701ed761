/** What can be written at a place of a text of JSON, by a schema. */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { syntaxTree } from "@codemirror/language"
import type { SyntaxNode } from "@lezer/common"
import type { EditorSchema } from "./EditorSchema.js"
import { nameOf, type PathStep } from "./Places.js"
import { isFields, type JsonObject } from "./Scenario.js"

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** A schema and all that it may be instead. */
const alternatives = (schema: JsonObject, at: EditorSchema["at"]): ReadonlyArray<JsonObject> => [
  schema,
  ...[...listOf(schema.anyOf), ...listOf(schema.oneOf), ...listOf(schema.allOf)].flatMap((one) =>
    alternatives(at(one), at),
  ),
]

const below = (
  schema: JsonObject,
  step: PathStep,
  at: EditorSchema["at"],
): ReadonlyArray<JsonObject> =>
  alternatives(schema, at).flatMap((one) => {
    if (typeof step === "number") return isFields(one.items) ? [at(one.items)] : []
    const properties = isFields(one.properties) ? one.properties : {}
    return step in properties ? [at(properties[step])] : []
  })

const schemasAt = (
  { root, at }: EditorSchema,
  path: ReadonlyArray<PathStep>,
): ReadonlyArray<JsonObject> =>
  path.reduce<ReadonlyArray<JsonObject>>(
    (schemas, step) => schemas.flatMap((schema) => below(schema, step, at)),
    [root],
  )

/** The steps from the root to a node; of a list only that it is one. */
const pathTo = (node: SyntaxNode, text: (from: number, to: number) => string) => {
  const path: Array<PathStep> = []
  for (let one: SyntaxNode | null = node; one !== null; one = one.parent) {
    if (one.name === "Property") path.unshift(nameOf(one, text))
    if (one.name === "Array") path.unshift(0)
  }
  return path
}

const describe = (schema: JsonObject): Pick<Completion, "info"> =>
  typeof schema.description === "string" ? { info: schema.description } : {}

const fieldsOf = (schemas: ReadonlyArray<JsonObject>, at: EditorSchema["at"]) =>
  schemas
    .flatMap((schema) => alternatives(schema, at))
    .flatMap(({ properties }) => (isFields(properties) ? Object.entries(properties) : []))
    .map(([name, schema]) => ({
      ...{ label: `"${name}"`, type: "property" },
      ...describe(at(schema)),
    }))

const valuesOf = (schemas: ReadonlyArray<JsonObject>, at: EditorSchema["at"]) =>
  schemas
    .flatMap((schema) => alternatives(schema, at))
    .flatMap((schema) => [
      ...listOf(schema.enum),
      ...("const" in schema ? [schema.const] : []),
      ...(schema.type === "boolean" ? [true, false] : []),
      ...(schema.type === "null" ? [null] : []),
    ])
    .map((value) => ({ label: JSON.stringify(value), type: "constant" }))

/** The part of the text that a completion replaces: the name or value that is being typed. */
const started = (node: SyntaxNode, position: number): number =>
  /^(?:PropertyName|String|Number|True|False|Null|⚠)$/.test(node.name) ? node.from : position

/** Completes names of fields and values that are one of few. */
export const completeBy =
  (schema: EditorSchema) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const text = (from: number, to: number) => state.sliceDoc(from, to)
    const node = syntaxTree(state).resolveInner(pos, -1)
    const property = node.name === "Property" ? node : node.parent
    const isName =
      node.name === "PropertyName" || node.name === "Object" || property?.name === "Object"
    if (!explicit && !/["\w]$/.test(text(Math.max(0, pos - 1), pos))) return null
    const path = pathTo(node.name === "PropertyName" ? (node.parent?.parent ?? node) : node, text)
    const schemas = schemasAt(schema, path)
    const options = isName ? fieldsOf(schemas, schema.at) : valuesOf(schemas, schema.at)
    const from = started(node, pos)
    return options.length === 0 ? null : { from, options, validFor: /^"?[\w.]*$/ }
  }
