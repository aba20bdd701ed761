import { readFileSync } from "node:fs"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Storage, StorageFailure, type StorageService } from "apportion/ports"
import { Store } from "apportion/wire"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as ServeSeeding from "../../src/cli/serve/ServeStorage.js"
import { isWhole, runs } from "../generators/Runs.js"
import { accountSamples } from "./conformance/AccountSamples.js"
import { agreementSamples } from "./conformance/AgreementSamples.js"
import { deliverySamples } from "./conformance/DeliverySamples.js"
import { feedSamples } from "./conformance/FeedSamples.js"
import { originalSamples } from "./conformance/OriginalSamples.js"
import { passSamples, passTokenOf } from "./conformance/PassSamples.js"
import { paymentSamples } from "./conformance/PaymentSamples.js"
import { resplitSamples } from "./conformance/ResplitSamples.js"
import { rulesSamples } from "./conformance/RulesSamples.js"
import { saleSamples } from "./conformance/SaleSamples.js"
import {
  type Ids,
  idsOf,
  nowhere,
  type Refused,
  type Samples,
  type Stocked,
} from "./conformance/Sample.js"
import {
  addKnown,
  addPresent,
  answerProblems,
  bodyProblems,
  document,
  missingPlaces,
  type Operation,
  operations,
  requestFields,
  requestProblems,
  requestSchemaOf,
} from "./OpenApiConformance.js"
import { bringTo, putPayout, type State } from "./Payable.js"
import { type Answered, type Asked, open, openStocked, type Shop } from "./Shop.js"

/** One of each area; an operation without a sample takes no body, and can be done with the ids of the stock. */
const samples: Samples = {
  ...{ ...originalSamples, ...paymentSamples, ...feedSamples },
  ...{ ...accountSamples, ...saleSamples, ...resplitSamples, ...rulesSamples, ...deliverySamples },
  ...{ ...passSamples, ...agreementSamples },
}

/** The status of an operation that is done: the first there is. */
const successOf = ({ responses }: Operation): number =>
  Number(Object.keys(responses).find((status) => status.startsWith("2")))

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
const send = async (
  shop: Pick<Shop, "ask">,
  operationId: string,
  { ids = nowhere, query = "", ...asked }: Sent = {},
): Promise<Answered> => {
  const { path, method } = find(operationId)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? "none"))
  const { body, raw } = samples[operationId] ?? {}
  const token = path.startsWith("/seen") ? { token: await passTokenOf(shop) } : {}
  return shop.ask(method.toUpperCase(), `/api/v1${filled}${query}`, {
    ...token,
    ...(raw ?? (body === undefined ? {} : { body })),
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

/** The ids with which an operation can be done, once. */
const readyFor = async (shop: Stocked, operationId: string): Promise<Ids> =>
  (await samples[operationId]?.ready?.(shop)) ?? idsOf(shop)

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
    slow: await open({ ratePerMinute: 1, addressOf: () => "192.0.2.1" }),
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
const query = "?page=x&items_page=x&limit=x&language=x&from=x&after=x&after=y"
const unusable = { query, headers: { "Idempotency-Key": "\xe9" }, body: [] }

/** Something that can't be done as things are, where there is no key that was used before. */
const contradicted = async (
  operationId: string,
  contradict: (shop: Stocked) => Promise<void>,
): Promise<Answered> => {
  const shop = await openStocked(busy)
  await contradict(shop)
  const answer = await send(shop, operationId)
  await shop.close()
  return answer
}

const placesOfRefusal: Readonly<Record<number, keyof Shops>> = {
  429: "slow",
  500: "broken",
  503: "failing",
}

/** A refusal that comes about in the operation's own way. */
const refuseOwn = async (operationId: string, status: number, refused: Refused) => {
  const shop = shops[placesOfRefusal[status] ?? "whole"]
  const { times = 1, headers = {}, ...sent } = refused
  for (let time = 1; time < times; time++) await send(shop, operationId, { ...sent, headers })
  return send(shop, operationId, { ...sent, headers })
}

/** How each refusal comes about. */
const provocations: Readonly<Record<number, (operationId: string) => Promise<Answered>>> = {
  400: (operationId) => send(shops.whole, operationId, { body: "{" }),
  401: (operationId) => send(shops.whole, operationId, { token: "stolen" }),
  403: (operationId) => send(shops.whole, operationId, { token: "idle-token" }),
  404: (operationId) => send(shops.whole, operationId),
  409: async (operationId) => {
    const { contradict } = samples[operationId] ?? {}
    if (contradict !== undefined) return contradicted(operationId, contradict)
    await send(shops.whole, "addIncome", { ids: idsOf(stocked), ...key(operationId) })
    return send(shops.whole, operationId, key(operationId))
  },
  413: (operationId) => send(shops.whole, operationId, { body: " ".repeat(1_048_577) }),
  422: async (operationId) => {
    const body = samples[operationId]?.body === undefined ? {} : { body: unusable.body }
    const { query, headers } = unusable
    const ids = (await samples[operationId]?.unusable?.(stocked)) ?? idsOf(stocked)
    return send(shops.whole, operationId, { ids, query, headers, ...body })
  },
  429: (operationId) => send(shops.slow, operationId),
  500: (operationId) => send(shops.broken, operationId),
  503: (operationId) => send(shops.failing, operationId),
}

const refusals = Object.entries(provocations).flatMap(([name, usual]) => {
  const status = Number(name)
  return operationsWith(status).map((operationId) => {
    const own = samples[operationId]?.refusals?.[status]
    const provoke = own === undefined ? usual : () => refuseOwn(operationId, status, own)
    return { operationId, status, provoke }
  })
})

/** Every eighth of those for which a shop of their own is made, unless everything is tried. */
const some = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  isWhole ? all : all.filter((_, place) => place % 8 === 0)

/** What one place in front of all operations refuses: a third of them, another one for each status. */
const general = refusals.filter(({ status }) => ![404, 409, 422].includes(status))
const contradictions = refusals.filter(({ status }) => status === 409)
const triedRefusals = [
  ...refusals.filter(({ status }) => [404, 422].includes(status)),
  ...general.filter((_, place) => isWhole || place % 3 === 0),
  ...some(contradictions),
]

describe("each documented refusal comes about, and is as documented:", () => {
  it.each(triedRefusals)("$status of $operationId", async ({ operationId, status, provoke }) => {
    expectDocumented(operationId, await provoke(operationId), status)
  })

  it("there are no others", () => {
    const known = new Set(refusals.map(({ operationId, status }) => `${operationId} ${status}`))
    const rest = operations.flatMap(({ operation: { operationId, responses } }) =>
      Object.keys(responses)
        .filter((status) => !known.has(`${operationId} ${status}`))
        .map((status) => `${status} ${operationId}`),
    )
    expect(rest).toEqual(
      operations.map(({ operation }) => `${successOf(operation)} ${operation.operationId}`),
    )
    expect(new Set(rest.map((line) => line.slice(0, 3)))).toEqual(new Set(["200", "201", "204"]))
  })
})

const successes = operations.map(({ operation }) => ({
  operationId: operation.operationId,
  status: successOf(operation),
}))

it.each(some(successes))("$operationId answers $status as documented", async (success) => {
  const shop = await openStocked(busy)
  const ids = await readyFor(shop, success.operationId)
  const { query = "" } = samples[success.operationId] ?? {}
  const answer = await send(shop, success.operationId, { ids, query })
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
  await pages("listPayouts", nowhere, "&include_totals=true")
  for (const { id } of await pages("listPayouts", nowhere)) {
    await ask("viewPayout", { ids: { ...nowhere, payout_id: id } })
    await ask("viewPayout", { ids: { ...nowhere, payout_id: id }, query: "?items_page=1" })
    const sourced = "?items_page=1&items_per_page=1000&include_sources=true"
    await ask("viewPayout", { ids: { ...nowhere, payout_id: id }, query: sourced })
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
  for (const { operationId, answer } of answers) expectDocumented(operationId, answer, 200)
  const { known, missing } = missingPlaces(answers)
  // Nothing is agreed in this store, and nothing was split again.
  const isElsewhere = (place: string) =>
    /^(?:AgreementLine\.|PayoutItem\.source\.(?:adjustment|agreement)\b)/.test(place)
  expect(missing.filter((place) => !isElsewhere(place))).toEqual([])
  expect(known).toBeGreaterThan(150)
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
  for (const [operationId, answer] of answers) expectDocumented(operationId, answer, 200)
  const { missing } = missingPlaces(
    answers.map(([operationId, answer]) => ({ operationId, answer })),
  )
  // Not everything that can happen to a payment can contradict what is known of it.
  const isEvent = (place: string) => place.includes(".event = ")
  expect(missing.filter((place) => !isEvent(place))).toEqual([])
  await shop.close()
})

const withBody = operations.filter(
  ({ operation: { requestBody } }) => requestBody?.content["application/json"] !== undefined,
)

const fields = withBody.flatMap(({ operation }) =>
  requestFields(operation)
    .filter((field) => !samples[operation.operationId]?.ignored?.includes(field))
    .map((field) => ({ operationId: operation.operationId, field })),
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
    const { body: usual, besideField } = samples[operationId] ?? {}
    const body = { ...usual, ...counted, ...besideField?.(field), [field]: [[]] }
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

describe("requests as the document has them are taken:", () => {
  it.each(withBody)("$operation.operationId", async ({ operation }) => {
    const { operationId } = operation
    const schema = requestSchemaOf(operation)
    const [known, present] = [new Set<string>(), new Set<string>()]
    addKnown(known, schema, "body")
    for (const body of samples[operationId]?.bodies ?? []) {
      addPresent(present, schema, { name: "body", value: body })
      const sent: unknown = JSON.parse(JSON.stringify(body))
      expect(requestProblems(operation, sent), JSON.stringify(body)).toEqual([])
      const ids = await readyFor(stocked, operationId)
      const answer = await send(stocked, operationId, { ids, body })
      expectDocumented(operationId, answer, successOf(operation))
    }
    const unsent = [...known].filter((place) => !present.has(place))
    expect(unsent, `sent by no sample of ${operationId} in test/http/conformance`).toEqual([])
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

const idNames = [
  ...new Set(
    operations.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => String(id))),
  ),
]

const oddRequest = fc.record({
  operation: fc.constantFrom(...operations.map(({ operation }) => operation)),
  ids: fc.oneof(
    { weight: 3, arbitrary: fc.constant("known" as const) },
    {
      weight: 1,
      arbitrary: fc.record(Object.fromEntries(idNames.map((name) => [name, oddId]))),
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
  await fc.assert(property, runs(1_000))
  const all = [200, 201, 204, 400, 404, 409, 422]
  expect(all).toEqual(expect.arrayContaining([...met]))
  expect(met.size).toBeGreaterThanOrEqual(isWhole ? all.length : 4)
  await shop.close()
})
