import { Payment, PayoutStatus } from "apportion"
import { InvalidHttpOptions, openApi } from "apportion/http"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as Endpoints from "../../src/http/Api.js"
import * as Catalogue from "../../src/http/CatalogueApi.js"
import * as Collaborators from "../../src/http/CollaboratorApi.js"
import * as Payments from "../../src/http/PaymentApi.js"
import * as Sales from "../../src/http/SaleApi.js"
import * as SettingsEndpoints from "../../src/http/SettingsApi.js"
import { bringTo, putPayout } from "./Payable.js"
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

/** The names that a value refers to, and those that they do. */
const namesFrom = (value: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  const look = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return
    const name = String(at(part, "$ref") ?? "").replace("#/components/schemas/", "")
    if (name !== "" && !found.has(name)) {
      found.add(name)
      look(document.components.schemas[name])
    }
    for (const inner of Object.values(part)) look(inner)
  }
  look(value)
  return found
}

/** What comes line by line or from platforms is known by its own ids, and a preview changes nothing. */
const withoutKey = [
  ...["/sales/lines", "/products/lines", "/sales/past/lines", "/deliveries/{shop_key}"],
  ...["/sales/preview", "/sales/{order_id}/refunds/preview", "/resplits/preview"],
  ...["/groups/preview", "/groups/backtest/preview", "/agreements/preview"],
]

describe("the OpenAPI document", () => {
  it("lets every request that adds something or moves money have a key", () => {
    const posts = operations.filter(({ method }) => method === "post")
    expect(posts.length).toBeGreaterThan(2)
    for (const { path, operation } of posts) {
      if (withoutKey.includes(path)) continue
      const names = operation.parameters.map(({ name }: { readonly name: string }) => name)
      expect(names, path).toContain("Idempotency-Key")
    }
  })

  it("has each endpoint once, and both prefixes as servers", () => {
    expect(document.openapi).toBe("3.1.0")
    expect(document.servers).toEqual([{ url: "/api/v1" }, { url: "/v1" }])
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("marks every endpoint that the original API does not have", () => {
    const isOriginal = ({ operation }: (typeof operations)[number]) =>
      !String(operation.description).includes("Not in the original API")
    const originals = operations.filter(isOriginal).map(({ operation }) => operation.operationId)
    expect(originals.toSorted()).toEqual([
      ...["addExpense", "addIncome", "createProductGroup", "deleteProductGroup", "listPayouts"],
      ...["listProductGroups", "listProducts", "setPayoutPaid", "updateProductGroup"],
      ...["viewPayout", "viewProductGroup"],
    ])
  })

  it("says what a key means where a rail is asked", () => {
    const keyOf = (operationId: string) =>
      operationOf(operationId).parameters.find(
        (parameter: unknown) => at(parameter, "name") === "Idempotency-Key",
      ).description
    expect(keyOf("sendPayment")).toContain("later it is not")
    expect(keyOf("resolvePayment")).toBe(keyOf("sendPayment"))
    expect(keyOf("answerPayments")).toContain("whole list")
    expect(keyOf("confirmPayment")).toBe(keyOf("addExpense"))
  })

  it("asks every endpoint for a bearer token, of a pass or of a host, but for signed deliveries", () => {
    expect(document.components.securitySchemes).toMatchObject({
      accessToken: { type: "http", scheme: "Bearer" },
      passToken: { type: "http", scheme: "Bearer" },
    })
    for (const { path, operation } of operations) {
      const isSigned = operation.operationId === "receiveDelivery"
      const kind = path.startsWith("/seen") ? "passToken" : "accessToken"
      expect(operation.security).toEqual(isSigned ? [] : [{ [kind]: [] }])
    }
  })

  it.each([
    [
      "createProductGroup",
      ["201", "400", "401", "403", "404", "409", "413", "422", "429", "500", "503"],
    ],
    ["updateProductGroup", ["200", "400", "401", "403", "404", "413", "422", "429", "500", "503"]],
    ["deleteProductGroup", ["204", "401", "403", "404", "429", "500", "503"]],
    ["listPayouts", ["200", "401", "403", "422", "429", "500", "503"]],
    ["addExpense", ["200", "400", "401", "403", "404", "409", "413", "422", "429", "500", "503"]],
    ["claimPayout", ["201", "400", "401", "403", "404", "409", "413", "422", "429", "500", "503"]],
    ["sendPayment", ["200", "401", "403", "404", "409", "422", "429", "500", "503"]],
    ["viewPayment", ["200", "401", "403", "404", "429", "500", "503"]],
    ["listPayments", ["200", "401", "403", "422", "429", "500", "503"]],
    ["recordSale", ["200", "400", "401", "403", "409", "413", "422", "429", "500", "503"]],
    ["recordSales", ["200", "401", "403", "429"]],
    ["refundSale", ["201", "400", "401", "403", "404", "409", "413", "422", "429", "500", "503"]],
    ["putProducts", ["200", "400", "401", "403", "413", "422", "429", "500", "503"]],
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
      ["include_totals", "query", "boolean", false],
      ["order", "query", "string", false],
      ["per_page", "query", "integer", false],
      ["page", "query", "integer", false],
    ])
    expect(parameters("addExpense")).toEqual([
      ["payout_id", "path", "string", true],
      ["Idempotency-Key", "header", "string", false],
      ["items_page", "query", "integer", false],
      ["items_per_page", "query", "integer", false],
      ["include_sources", "query", "boolean", false],
    ])
    expect(parameters("listPayments")).toEqual([
      ["status", "query", "string", false],
      ["payout", "query", "string", false],
      ["after", "query", "string", false],
      ["limit", "query", "integer", false],
    ])
    const values = (operationId: string) =>
      operationOf(operationId).parameters.flatMap((parameter: unknown) =>
        at(parameter, "name") === "status" ? [at(parameter, "schema", "enum")] : [],
      )
    expect(values("listPayments")).toEqual([Payment.statuses])
    expect(values("listPayouts")).toEqual([PayoutStatus.statuses])
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
    const requests = namesFrom(operations.map(({ operation }) => operation.requestBody))
    expect(requests.size).toBeGreaterThan(9)
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const isRequest = requests.has(name)
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
  for (const id of ["p1", "p2", "p3"]) await putPayout(shop, id)
  const payment = `/v1/payments/${await bringTo(shop, "p1", "claimed")}`
  const outcomes = { body: { outcomes: [{ type: "confirmed", key: "none" }] } }
  const reason = { body: { reason: "timeout" } }
  const order = {
    id: "1001",
    currency: "EUR",
    items: [{ id: "1", amount: 9, product: { id: "p1" } }],
  }
  const refund = { body: { id: "r1", item_id: "1", quantity: 1 } }
  const theo = { body: { id: "theo", currency: "EUR" } }
  const product = { body: { products: [{ id: "p9" }] } }
  const answers = [
    [Sales.previewSale, await shop.ask("POST", "/v1/sales/preview", { body: order })],
    [Sales.recordSale, await shop.ask("POST", "/v1/sales", { body: order })],
    [Sales.previewRefund, await shop.ask("POST", "/v1/sales/1001/refunds/preview", refund)],
    [Sales.refundSale, await shop.ask("POST", "/v1/sales/1001/refunds", refund)],
    [Sales.viewSale, await shop.ask("GET", "/v1/sales/1001")],
    [Sales.listSales, await shop.ask("GET", "/v1/sales")],
    [Collaborators.createCollaborator, await shop.ask("POST", "/v1/collaborators", theo)],
    [
      Collaborators.updateCollaborator,
      await shop.ask("PUT", "/v1/collaborators/theo", { body: { notes: "x" } }),
    ],
    [Collaborators.viewCollaborator, await shop.ask("GET", "/v1/collaborators/theo")],
    [Collaborators.listCollaborators, await shop.ask("GET", "/v1/collaborators")],
    [
      SettingsEndpoints.changeSettings,
      await shop.ask("PUT", "/v1/settings", { body: { maturity_days: 3 } }),
    ],
    [SettingsEndpoints.viewSettings, await shop.ask("GET", "/v1/settings")],
    [SettingsEndpoints.listSettingsChanges, await shop.ask("GET", "/v1/settings/changes")],
    [Catalogue.putProducts, await shop.ask("PUT", "/v1/products", product)],
    [Payments.claim, await shop.ask("POST", "/v1/payouts/p3/claim", { body: { rail: "bank" } })],
    [Payments.send, await shop.ask("POST", `${payment}/send`)],
    [Payments.resolve, await shop.ask("POST", `${payment}/resolve`)],
    [Payments.confirm, await shop.ask("POST", `${payment}/confirm`, { body: {} })],
    [Payments.returned, await shop.ask("POST", `${payment}/return`, reason)],
    [Payments.settle, await shop.ask("POST", `${payment}/settle`)],
    [Payments.viewPayment, await shop.ask("GET", payment)],
    [Payments.listPayments, await shop.ask("GET", "/v1/payments?limit=1")],
    [Payments.stuckPayments, await shop.ask("GET", "/v1/payments/stuck")],
    [Payments.paymentsOfPayout, await shop.ask("GET", "/v1/payouts/p1/payments")],
    [Payments.answers, await shop.ask("POST", "/v1/payments/answers", outcomes)],
    [Endpoints.fail, await shop.ask("POST", "/v1/payouts/p2/fail", reason)],
    [Endpoints.retry, await shop.ask("POST", "/v1/payouts/p2/retry")],
    [Endpoints.pay, await shop.ask("POST", "/v1/payouts/p2/pay", { body: { total: 5_000 } })],
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
    [Endpoints.listPayouts, await shop.ask("GET", "/v1/payouts?include_totals=1")],
    [Endpoints.listProducts, await shop.ask("GET", "/v1/products")],
    [Endpoints.listProducts, await shop.ask("GET", "/v1/products?include_collaborators=1")],
  ] as const
  for (const [endpoint, { json }] of answers) {
    const [schema] = endpoint.success
    expect(fits(schema, json)).toBe(true)
  }
  await shop.close()
})
