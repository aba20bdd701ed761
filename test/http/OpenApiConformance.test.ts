import { readFileSync } from "node:fs"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Storage, StorageFailure, type StorageService } from "apportion/ports"
import { Store } from "apportion/wire"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as ServeSeeding from "../../src/cli/serve/ServeStorage.js"
import { isWhole, runs } from "../generators/Runs.js"
import {
  addKnown,
  addPresent,
  answerProblems,
  bodyProblems,
  document,
  operations,
  requestFields,
  requestProblems,
  requestSchemaOf,
  schemaOf,
} from "./OpenApiConformance.js"
import { bringTo, putPayout, type State } from "./Payable.js"
import { type Answered, type Asked, open, openStocked, type Shop, start } from "./Shop.js"

const entry = { amount: 5, name: "Frames" }
const newGroup = { itemType: "products.tag", items: ["art"], type: "percentage", percent: "5.00" }

/** The ids that a path is filled with. */
interface Ids {
  readonly collaborator_id: string
  readonly group_id: string
  readonly payout_id: string
  readonly payment_id: string
}

const nowhere: Ids = {
  ...{ collaborator_id: "nobody", group_id: "none", payout_id: "none", payment_id: "none" },
}

const bodies: Readonly<Record<string, object>> = {
  createProductGroup: newGroup,
  updateProductGroup: { percent: 7 },
  addExpense: entry,
  addIncome: entry,
  claimPayout: { rail: "bank" },
  payPayout: { total: 5_000 },
  failPayout: { reason: "timeout" },
  confirmPayment: {},
  rejectPayment: { reason: "no account" },
  returnPayment: { reason: "account closed" },
  releasePayment: {},
  answerPayments: { outcomes: [{ key: "none", type: "accepted" }] },
}

const operationsWith = (status: number) =>
  operations
    .filter(({ operation }) => operation.responses[status] !== undefined)
    .map(({ operation }) => operation.operationId)

const find = (operationId: string) => {
  const found = operations.find(({ operation }) => operation.operationId === operationId)
  if (found === undefined) throw new RangeError(`there is no operation ${operationId}`)
  return found
}

interface Sent extends Asked {
  readonly ids?: Ids
  readonly query?: string
}

/** Sends a request of an operation: one that is all right, but for what is said. */
const send = (
  shop: Pick<Shop, "ask">,
  operationId: string,
  { ids = nowhere, query = "", ...asked }: Sent = {},
): Promise<Answered> => {
  const { path, method } = find(operationId)
  const filled = Object.entries(ids).reduce(
    (text, [name, id]) => text.replace(`{${name}}`, encodeURIComponent(id)),
    path,
  )
  const body = bodies[operationId]
  return shop.ask(method.toUpperCase(), `/api/v1${filled}${query}`, {
    ...(body === undefined ? {} : { body }),
    ...asked,
  })
}

const expectDocumented = (operationId: string, answer: Answered, status: number): void => {
  expect(answer.status, `${operationId}: ${answer.text}`).toBe(status)
  expect(answerProblems(operationId, answer), answer.text).toEqual([])
}

const refusing =
  (work: StorageService["transaction"]) =>
  (storage: StorageService): StorageService => ({ ...storage, transaction: work })

type Stocked = Awaited<ReturnType<typeof openStocked>>

const idsOf = ({ groupId, payoutId }: Stocked): Ids => ({
  ...{ collaborator_id: "ada", group_id: groupId, payout_id: payoutId, payment_id: "none" },
})

/** How far a payment must be for what is done with it. */
const states: Readonly<Record<string, State>> = {
  ...{ viewPayment: "claimed", sendPayment: "claimed", resolvePayment: "sent" },
  ...{ confirmPayment: "sent", rejectPayment: "sent", returnPayment: "confirmed" },
  ...{ releasePayment: "claimed", settlePayment: "unknown" },
}

const ofClosed = ["claimPayout", "payPayout", "failPayout", "retryPayout"]

let made = 0

/** The ids with which an operation can be done, once. */
const readyFor = async (shop: Stocked, operationId: string): Promise<Ids> => {
  const state = states[operationId]
  if (state === undefined && !ofClosed.includes(operationId)) return idsOf(shop)
  const status = operationId === "retryPayout" ? "failed" : "pending"
  const payout_id = await putPayout(shop, `made ${++made}`, { status })
  const payment_id = state === undefined ? "none" : await bringTo(shop, payout_id, state)
  return { ...idsOf(shop), payout_id, payment_id }
}

it("a public validator finds the document valid, and a broken one not", async () => {
  expect(await new Validator().validate(structuredClone({ ...document }))).toEqual({ valid: true })
  const broken = structuredClone({ ...document, paths: { payouts: {} } })
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false })
})

it("a field too many, a field too few and a field of another kind are not as documented", () => {
  const refused = (body: unknown) => bodyProblems("viewPayout", 404, body).length > 0
  expect(refused({ message: "no such payout" })).toBe(false)
  expect(refused({ message: "no such payout", stack: "at" })).toBe(true)
  expect(refused({})).toBe(true)
  expect(refused({ message: null })).toBe(true)
  expect(bodyProblems("viewPayout", 418, {})).not.toEqual([])
  expect(bodyProblems("deleteProductGroup", 204, undefined)).toEqual([])
  expect(bodyProblems("deleteProductGroup", 204, {})).not.toEqual([])
})

type Shops = Readonly<Record<"whole" | "slow" | "failing" | "broken", Shop>>

let shops: Shops
let stocked: Stocked
const busy = { ratePerMinute: 1_000_000 }
beforeAll(async () => {
  const failure = StorageFailure.of("read", "the disk is full")
  stocked = await openStocked(busy)
  shops = {
    whole: stocked,
    slow: await open({ ratePerMinute: 1 }),
    failing: await open(
      busy,
      refusing(() => Effect.fail(failure)),
    ),
    broken: await open(
      busy,
      refusing(() => Effect.die("a bug")),
    ),
  }
  await shops.slow.ask("GET", "/v1/payouts")
})
afterAll(() => Promise.all(Object.values(shops).map((shop) => shop.close())))

const key = (value: string) => ({ headers: { "Idempotency-Key": value } })

/** What can't be used, wherever a request has it. */
const query = "?page=x&items_page=x&limit=x"
const unusable = { query, headers: { "Idempotency-Key": "\xe9" }, body: [] }

/** How each refusal comes about. */
const provocations: Readonly<Record<number, (operationId: string) => Promise<Answered>>> = {
  400: (operationId) => send(shops.whole, operationId, { body: "{" }),
  401: (operationId) => send(shops.whole, operationId, { token: "stolen" }),
  404: (operationId) => send(shops.whole, operationId),
  409: async (operationId) => {
    await send(shops.whole, "addIncome", { ids: idsOf(stocked), ...key(operationId) })
    return send(shops.whole, operationId, key(operationId))
  },
  413: (operationId) => send(shops.whole, operationId, { body: " ".repeat(1_048_577) }),
  422: (operationId) => {
    const body = bodies[operationId] === undefined ? {} : { body: unusable.body }
    const { query, headers } = unusable
    return send(shops.whole, operationId, { ids: idsOf(stocked), query, headers, ...body })
  },
  429: (operationId) => send(shops.slow, operationId),
  500: (operationId) => send(shops.broken, operationId),
  503: (operationId) => send(shops.failing, operationId),
}

const refusals = Object.entries(provocations).flatMap(([status, provoke]) =>
  operationsWith(Number(status)).map((operationId) => ({
    operationId,
    status: Number(status),
    provoke,
  })),
)

describe("each documented refusal comes about, and is as documented:", () => {
  it.each(refusals)("$status of $operationId", async ({ operationId, status, provoke }) => {
    expectDocumented(operationId, await provoke(operationId), status)
  })

  it("there are no others", () => {
    const known = new Set(refusals.map(({ operationId, status }) => `${operationId} ${status}`))
    const rest = operations.flatMap(({ operation: { operationId, responses } }) =>
      Object.keys(responses)
        .filter((status) => !known.has(`${operationId} ${status}`))
        .map((status) => `${status} ${operationId}`),
    )
    const success = (operationId: string) =>
      ({ createProductGroup: 201, deleteProductGroup: 204, claimPayout: 201 })[operationId] ?? 200
    expect(rest).toEqual(
      operations.map(({ operation: { operationId: id } }) => `${success(id)} ${id}`),
    )
  })
})

const successes = operations.map(({ operation: { operationId, responses } }) => ({
  operationId,
  status: Number(Object.keys(responses).find((status) => status.startsWith("2"))),
}))

it.each(successes)("$operationId answers $status as documented", async (success) => {
  const shop = await openStocked(busy)
  const ids = await readyFor(shop, success.operationId)
  const answer = await send(shop, success.operationId, { ids })
  expectDocumented(success.operationId, answer, success.status)
  await shop.close()
})

const sampleStore = Result.getOrThrow(
  Store.read(JSON.parse(readFileSync("docs/sample-store/store.json", "utf8"))),
)

/** Every answer about every thing of a large store. */
const readEverything = async (shop: Shop) => {
  const answers: Array<{ operationId: string; answer: Answered }> = []
  const ask = async (operationId: string, sent: Sent = {}) => {
    const answer = await send(shop, operationId, sent)
    answers.push({ operationId, answer })
    return answer.json
  }
  const pages = async (operationId: string, ids: Ids, query = "") => {
    const all = `?per_page=100${query}`
    const { data, meta } = await ask(operationId, { ids, query: all })
    const found: Array<{ readonly id: string }> = [...data]
    for (let page = 2; page <= meta.last_page; page++) {
      const more = await ask(operationId, { ids, query: `${all}&page=${page}` })
      found.push(...more.data)
    }
    return found
  }
  await pages("listProducts", nowhere, "&include_collaborators=true")
  for (const { id } of await pages("listPayouts", nowhere)) {
    await ask("viewPayout", { ids: { ...nowhere, payout_id: id } })
    await ask("viewPayout", { ids: { ...nowhere, payout_id: id }, query: "?items_page=1" })
  }
  for (const { id: collaborator_id } of [{ id: "ada" }, ...sampleStore.collaborators]) {
    const ids = { ...nowhere, collaborator_id }
    await pages("listProductGroups", ids, "&max_values=1")
    for (const { id: group_id } of await pages("listProductGroups", ids)) {
      await ask("viewProductGroup", { ids: { ...ids, group_id } })
      await ask("updateProductGroup", { ids: { ...ids, group_id }, body: {} })
    }
  }
  return answers
}

it("a whole store is as documented, and has every documented field and value", async () => {
  const shop = await openStocked(
    busy,
    Effect.flatMap(Storage, (storage) => ServeSeeding.seed(storage, "store", sampleStore)),
  )
  const answers = await readEverything(shop)
  expect(answers.length).toBeGreaterThan(150)
  const [known, present] = [new Set<string>(), new Set<string>()]
  for (const { operationId, answer } of answers) {
    expectDocumented(operationId, answer, 200)
    const schema = schemaOf(find(operationId).operation, 200)
    if (schema === undefined) throw new RangeError(`${operationId} answers nothing`)
    addKnown(known, schema, operationId)
    addPresent(present, schema, { name: operationId, value: answer.json })
  }
  expect([...known].filter((place) => !present.has(place))).toEqual([])
  expect(known.size).toBeGreaterThan(150)
  await shop.close()
})

it("payments are as documented however far they are, and have every documented field and value", async () => {
  const shop = await openStocked(busy)
  const all: ReadonlyArray<State> = [
    ...(["claimed", "sent", "unknown", "confirmed", "rejected", "released"] as const),
  ]
  for (const state of all) await bringTo(shop, await putPayout(shop, `in ${state}`), state)
  const payment_id = await bringTo(shop, await putPayout(shop, "back"), "confirmed")
  const ids = { ...nowhere, payment_id }
  await send(shop, "confirmPayment", { ids, body: { fee: 5, reference: "T-1" } })
  await send(shop, "returnPayment", { ids })
  const fees = await bringTo(shop, await putPayout(shop, "with a fee"), "sent")
  const paid = { ...nowhere, payment_id: fees }
  await send(shop, "confirmPayment", { ids: paid, body: { fee: 5, reference: "T-2" } })
  const contrary = await send(shop, "rejectPayment", { ids: paid })
  expectDocumented("rejectPayment", contrary, 409)
  const told = [
    { key: fees, type: "confirmed" },
    { key: "none", type: "accepted" },
    { key: fees, type: "rejected" },
    { key: fees, type: "lost" },
  ]
  const body = { outcomes: told }
  const answers = [
    ["listPayments", await send(shop, "listPayments", { query: "?limit=8" })],
    ["listStuckPayments", await send(shop, "listStuckPayments", { query: "?limit=1" })],
    ["listPaymentsOfPayout", await send(shop, "listPaymentsOfPayout", { ids: idsOf(shop) })],
    ["answerPayments", await send(shop, "answerPayments", { body })],
  ] as const
  const [known, present] = [new Set<string>(), new Set<string>()]
  for (const [operationId, answer] of answers) {
    expectDocumented(operationId, answer, 200)
    const schema = schemaOf(find(operationId).operation, 200)
    if (schema === undefined) throw new RangeError(`${operationId} answers nothing`)
    addKnown(known, schema, operationId)
    addPresent(present, schema, { name: operationId, value: answer.json })
  }
  const missing = [...known].filter((place) => !present.has(place))
  // Not everything that can happen to a payment can contradict what is known of it.
  const isEvent = (place: string) => place.includes(".event = ")
  expect(missing.filter((place) => !isEvent(place))).toEqual([])
  await shop.close()
})

const withBody = operations.filter(({ operation }) => operation.requestBody !== undefined)

const fields = withBody.flatMap(({ operation }) =>
  requestFields(operation).map((field) => ({ operationId: operation.operationId, field })),
)

const parameters = operations.flatMap(({ operation }) =>
  operation.parameters
    .filter(({ name, in: place }) => place === "query" && name !== "search")
    .map(({ name }) => ({ operationId: operation.operationId, name })),
)

/** A condition has a modifier only when there is a condition. */
const conditioned = { splitConditionType: "country.code", splitConditions: ["DE"] }

/** The names under which an answer tells what is wrong, without what stands within them. */
const wrongFields = ({ json }: Answered) =>
  Object.keys(json.errors).map((name) => name.replace(/\[\d+\]$/, ""))

describe("what a request can say:", () => {
  it("all fields are found in the document", () => {
    expect(fields.length).toBeGreaterThan(30)
    expect(parameters.length).toBeGreaterThan(14)
  })

  it.each(fields)("$operationId reads the field $field", async ({ operationId, field }) => {
    const counted = { ...conditioned, ...(field === "amount" ? { type: "flat" } : {}) }
    const body = { ...bodies[operationId], ...counted, [field]: [[]] }
    const answer = await send(shops.whole, operationId, { ids: idsOf(stocked), body })
    expectDocumented(operationId, answer, 422)
    expect(wrongFields(answer)).toEqual([field])
  })

  it.each(parameters)("$operationId reads the parameter $name", async ({ operationId, name }) => {
    const query = `?${encodeURIComponent(name)}=`
    const answer = await send(shops.whole, operationId, { ids: idsOf(stocked), query })
    expectDocumented(operationId, answer, 422)
    expect(wrongFields(answer)).toEqual([name])
  })

  it("products can be searched", async () => {
    const { json } = await send(shops.whole, "listProducts", { query: "?search=WALL" })
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(["p2"])
  })
})

const tag = { itemType: "products.tag", items: ["art"], type: "percentage", percent: 5 }
const flat = { itemType: "products.all", type: "flat", amount: 250 }
const ofCondition = (splitConditionType: string, ...splitConditions: ReadonlyArray<string>) => ({
  ...{ ...tag, splitConditionType, splitConditions },
})

/** Product groups with each documented field and value. */
const groupBodies: ReadonlyArray<object> = [
  ...["products.all", "product.all", "products.tag", "product.tag"],
  ...["products.vendor", "product.vendor", "products", "product"],
]
  .map((itemType): object => ({ ...tag, itemType }))
  .concat([
    { ...tag, itemType: "products", items: [5, "p1"] },
    { ...tag, type_modifier: "WITH" },
    { ...tag, type_modifier: ["NOT"] },
    { ...tag, type_modifier: [] },
    { ...tag, splitConditionType: null, splitConditions: [], condition_modifier: null },
    ofCondition("order.tag", "gift"),
    ofCondition("customer.tag", "vip"),
    { ...ofCondition("discount.code", "HERON"), condition_modifier: "WITH" },
    { ...ofCondition("country.code", "DE", "PT"), condition_modifier: "NOT" },
    { ...ofCondition("referer", "theo"), deduct_for_other_splits: true },
    { ...tag, percent: "7.5", amount: 9, deduct_for_other_splits: false },
    { ...tag, percent: undefined, percentage: "7.50" },
    { ...tag, percent: null, percentage: 7.25, amount: null },
    { ...tag, shipping_percent: "3", min_amount: 1, max_amount: 900 },
    { ...tag, shipping_percent: 3, min_amount: null, max_amount: null },
    { ...tag, starts_at: 1_700_000_000, ends_at: "2030-01-01T00:00:00Z" },
    { ...tag, starts_at: "2020-01-01T00:00:00+01:00", ends_at: null },
    { ...flat, shipping_amount: 0, percent: 4, note: "of no meaning here" },
  ])

const outcomes = (["accepted", "confirmed", "rejected", "returned", "unknown"] as const).map(
  (type) => ({
    ...{ type, key: "none", rail_reference: "T-1", at: start, amount: 5_000, currency: "EUR" },
    ...{ fee: 5, reason: "in its own words" },
  }),
)

describe("requests as the document has them are taken:", () => {
  const samples: Readonly<Record<string, ReadonlyArray<object>>> = {
    createProductGroup: groupBodies,
    updateProductGroup: [{}, ...groupBodies],
    addExpense: [entry, { amount: 1, name: " é ", note: "of no meaning here" }],
    addIncome: [entry],
    claimPayout: [{ rail: "bank" }, { rail: "bank", note: "of no meaning here" }],
    payPayout: [
      { total: 5_000, reference: " T-1 ", fee: 0 },
      { total: 5_000, fee: null },
    ],
    failPayout: [{ reason: "timeout" }],
    confirmPayment: [
      { at: start, reference: "T-1", fee: 5, amount: 5_000 },
      { at: "2024-03-01T12:00:00Z", reference: null, fee: null, amount: null },
    ],
    rejectPayment: [{ reason: " no account " }],
    returnPayment: [{ reason: "account closed" }],
    releasePayment: [{}, { reason: null }, { reason: "not today" }],
    answerPayments: [
      { outcomes },
      { outcomes: [{ type: "unknown", at: null, note: "of no meaning here" }] },
    ],
  }

  it.each(withBody)("$operation.operationId", async ({ operation }) => {
    const { operationId } = operation
    const schema = requestSchemaOf(operation)
    const [known, present] = [new Set<string>(), new Set<string>()]
    addKnown(known, schema, "body")
    for (const body of samples[operationId] ?? []) {
      addPresent(present, schema, { name: "body", value: body })
      const sent: unknown = JSON.parse(JSON.stringify(body))
      expect(requestProblems(operation, sent), JSON.stringify(body)).toEqual([])
      const ids = await readyFor(stocked, operationId)
      const answer = await send(stocked, operationId, { ids, body })
      const isMade = operationId === "createProductGroup" || operationId === "claimPayout"
      expectDocumented(operationId, answer, isMade ? 201 : 200)
    }
    expect([...known].filter((place) => !present.has(place))).toEqual([])
  })
})

const oddValue = fc.oneof(
  fc.constantFrom(null, "", "5.00", 5, -1, 0, 1.5, 1e300, "NOT", ["NOT"], true, [], {}, "flat"),
  fc.constantFrom(
    Number.MAX_SAFE_INTEGER,
    2 ** 53,
    "products.all",
    "referer",
    ["a", "a"],
    "\ud800",
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

const oddBody = fc.oneof(
  fc.dictionary(fc.constantFrom(...new Set(fields.map(({ field }) => field))), oddValue),
  oddValue,
)

const oddQuery = fc
  .array(
    fc.tuple(
      fc.constantFrom(...new Set(parameters.map(({ name }) => name)), "search", "paidDate[x]"),
      fc.constantFrom(
        "",
        "1",
        "0",
        "-5",
        "2000",
        "9007199254740993",
        "1e3",
        "x",
        "paid",
        "ada",
        "é",
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => `?${new URLSearchParams(pairs)}`)

const oddId = fc.oneof(fc.constantFrom("ada", "sam", "__proto__", "a/b", "%", "é", " "), fc.uuid())

const oddRequest = fc.record({
  operation: fc.constantFrom(...operations.map(({ operation }) => operation)),
  ids: fc.oneof(
    { weight: 3, arbitrary: fc.constant("known" as const) },
    {
      weight: 1,
      arbitrary: fc.record({
        ...{ collaborator_id: oddId, group_id: oddId, payout_id: oddId, payment_id: oddId },
      }),
    },
  ),
  query: oddQuery,
  body: fc.option(fc.oneof(oddBody, fc.string()), { nil: undefined }),
  key: fc.constantFrom(undefined, undefined, "k1", "k2", ""),
})

it("whatever is asked, the answer is one of those that are documented", async () => {
  const shop = await openStocked(busy)
  const met = new Set<number>()
  const property = fc.asyncProperty(oddRequest, async ({ operation, ids, query, body, key }) => {
    const { operationId, requestBody } = operation
    const answer = await send(shop, operationId, {
      ids: ids === "known" ? idsOf(shop) : ids,
      query,
      ...(body === undefined || requestBody === undefined ? {} : { body }),
      headers: key === undefined ? {} : { "Idempotency-Key": key },
    })
    met.add(answer.status)
    expect(answerProblems(operationId, answer), answer.text).toEqual([])
    expect(answer.status).toBeLessThan(500)
  })
  await fc.assert(property, runs(1_500))
  const all = [200, 201, 204, 400, 404, 409, 422]
  expect(all).toEqual(expect.arrayContaining([...met]))
  expect(met.size).toBeGreaterThanOrEqual(isWhole ? all.length : 4)
  await shop.close()
})
