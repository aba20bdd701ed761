import { InvalidHttpOptions, openApi } from "apportion/http"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as Endpoints from "../../src/http/Api.js"
import { groups, openStocked } from "./Shop.js"

const document = openApi()

/** The value at a path of names. */
const at = (value: unknown, ...names: ReadonlyArray<string>): unknown =>
  names.reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value)

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method,
    operation: Object(operation),
  })),
)

const operationOf = (operationId: string) =>
  operations.find(({ operation }) => operation.operationId === operationId)?.operation

describe("the OpenAPI document", () => {
  it("lets every request that adds something or moves money have a key", () => {
    const posts = operations.filter(({ method }) => method === "post")
    expect(posts.length).toBeGreaterThan(2)
    for (const { path, operation } of posts) {
      const names = operation.parameters.map(({ name }: { readonly name: string }) => name)
      expect(names, path).toContain("Idempotency-Key")
    }
  })

  it("has each endpoint once, and both prefixes as servers", () => {
    expect(document.openapi).toBe("3.1.0")
    expect(document.servers).toEqual([{ url: "/api/v1" }, { url: "/v1" }])
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual([
      "addExpense",
      "addIncome",
      "createProductGroup",
      "deleteProductGroup",
      "listPayouts",
      "listProductGroups",
      "listProducts",
      "setPayoutPaid",
      "updateProductGroup",
      "viewPayout",
      "viewProductGroup",
    ])
  })

  it("asks every endpoint for a bearer token", () => {
    expect(document.components.securitySchemes).toMatchObject({
      accessToken: { type: "http", scheme: "Bearer" },
    })
    for (const { operation } of operations) {
      expect(operation.security).toEqual([{ accessToken: [] }])
    }
  })

  it.each([
    ["createProductGroup", ["201", "400", "401", "404", "409", "413", "422", "429", "500", "503"]],
    ["updateProductGroup", ["200", "400", "401", "404", "413", "422", "429", "500", "503"]],
    ["deleteProductGroup", ["204", "401", "404", "429", "500", "503"]],
    ["listPayouts", ["200", "401", "422", "429", "500", "503"]],
    ["addExpense", ["200", "400", "401", "404", "409", "413", "422", "429", "500", "503"]],
  ])("has every status of %s", (operationId, statuses) => {
    expect(Object.keys(operationOf(operationId).responses)).toEqual(statuses)
  })

  it("has parameters by their kinds", () => {
    const parameters = (operationId: string) =>
      operationOf(operationId).parameters.map((parameter: unknown) => [
        at(parameter, "name"),
        at(parameter, "in"),
        at(parameter, "schema", "type"),
        at(parameter, "required"),
      ])
    expect(parameters("listPayouts")).toEqual([
      ["paidDate[start_date]", "query", "integer", false],
      ["paidDate[end_date]", "query", "integer", false],
      ["expectedPaymentDate[start_date]", "query", "integer", false],
      ["expectedPaymentDate[end_date]", "query", "integer", false],
      ["collaborator", "query", "string", false],
      ["status", "query", "string", false],
      ["per_page", "query", "integer", false],
      ["page", "query", "integer", false],
    ])
    expect(parameters("addExpense")).toEqual([
      ["payout_id", "path", "string", true],
      ["Idempotency-Key", "header", "string", false],
      ["items_page", "query", "integer", false],
      ["items_per_page", "query", "integer", false],
    ])
    expect(parameters("listProducts")).toContainEqual([
      "include_collaborators",
      "query",
      "boolean",
      false,
    ])
  })

  it("has bodies of refusals, and what is wrong by field for 422", () => {
    const { schemas } = document.components
    expect(schemas.ErrorBody).toMatchObject({
      properties: { message: { type: "string" } },
      required: ["message"],
      additionalProperties: false,
    })
    expect(at(schemas.ValidationErrorBody, "required")).toEqual(["message", "errors"])
    const invalid = operationOf("listPayouts").responses[422].content["application/json"].schema
    expect(invalid).toEqual({ $ref: "#/components/schemas/ValidationErrorBody" })
  })

  it("lets requests carry fields of their own, and answers none", () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const isRequest = ["NewProductGroup", "ProductGroupChanges", "NewEntry"].includes(name)
      if (schema.type === "object") {
        expect([name, schema.additionalProperties]).toEqual([name, isRequest ? undefined : false])
      }
    }
  })

  it("refers to nothing that is not there", () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)
    const targets = new Set([...references].map(([, target = ""]) => target))
    expect(targets.size).toBeGreaterThan(10)
    for (const target of targets) expect(at(document, ...target.split("/"))).toBeDefined()
  })

  it("can have another title and description", () => {
    expect(openApi({ title: "Mine", description: "Yours" }).info).toMatchObject({
      title: "Mine",
      description: "Yours",
    })
    const wrong = Object({ title: 5 })
    expect(() => openApi(wrong)).toThrow(InvalidHttpOptions)
  })
})

/** Schemas of answers need nothing to be decoded. */
const isCodec = (schema: unknown): schema is Schema.Codec<unknown, unknown> =>
  Schema.isSchema(schema)

/** Nothing is missing and nothing is too much: the schema knows every field. */
const fits = (schema: unknown, value: unknown): boolean => {
  if (!isCodec(schema)) return false
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(value)
  return true
}

it("every answer is what the definition says", async () => {
  const shop = await openStocked()
  const body = { itemType: "products", items: ["p1"], type: "flat", amount: 1 }
  const made = await shop.ask("PUT", groups, { body })
  const own = `${groups}/${made.json.data.id}`
  const entry = { body: { amount: 5, name: "Frames" } }
  const payout = `/v1/payouts/${shop.payoutId}`
  const answers = [
    [Endpoints.createGroup, made],
    [
      Endpoints.updateGroup,
      await shop.ask("PUT", own, { body: { percent: 3, type: "percentage" } }),
    ],
    [Endpoints.viewGroup, await shop.ask("GET", own)],
    [Endpoints.listGroups, await shop.ask("GET", groups)],
    [Endpoints.addExpense, await shop.ask("POST", `${payout}/expense`, entry)],
    [Endpoints.addIncome, await shop.ask("POST", `${payout}/income`, entry)],
    [Endpoints.viewPayout, await shop.ask("GET", payout)],
    [Endpoints.setPaid, await shop.ask("POST", `${payout}/set-paid`)],
    [Endpoints.listPayouts, await shop.ask("GET", "/v1/payouts")],
    [Endpoints.listPayouts, await shop.ask("GET", "/v1/payouts?page=9")],
    [Endpoints.listProducts, await shop.ask("GET", "/v1/products")],
    [Endpoints.listProducts, await shop.ask("GET", "/v1/products?include_collaborators=1")],
  ] as const
  for (const [endpoint, { json }] of answers) {
    const [schema] = endpoint.success
    expect(fits(schema, json)).toBe(true)
  }
  await shop.close()
})
