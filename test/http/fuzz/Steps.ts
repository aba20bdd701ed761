/** What a run is made of: requests, several at once, and what hosts do meanwhile. */
import fc from "fast-check"
import * as Bodies from "./Bodies.js"
import type { BodyKind, Endpoint } from "./Endpoint.js"
import { type EndpointName, endpointNames, endpointOf, pages } from "./Endpoints.js"
import * as Paths from "./Paths.js"
import { queries } from "./Queries.js"
import * as RequestHeaders from "./RequestHeaders.js"
import { plain, type Twist } from "./Twist.js"

/** A request as it is meant; its ids and marks are put in when it is sent. */
export interface Intent {
  readonly who: 0 | 1
  readonly token: 0 | 1
  readonly endpoint: EndpointName
  readonly prefix: "/api/v1" | "/v1"
  readonly isSecure: boolean
  readonly collaborator: Paths.Reference
  readonly group: Paths.Reference
  readonly payout: Paths.Reference
  readonly payment: Paths.Reference
  readonly other: Paths.Reference
  readonly spelling: Paths.Spelling
  readonly trick: string
  readonly method: string | undefined
  readonly query: Twist<string>
  readonly authorization: Twist<string | undefined>
  readonly key: Twist<string | undefined>
  readonly length: Twist<string | undefined>
  readonly requestId: string | undefined
  readonly headers: ReadonlyArray<RequestHeaders.Pair>
  readonly body: Twist<Bodies.Body>
}

export type HostEvent =
  | "close due"
  | "pay"
  | "fail"
  | "retry"
  | "sell"
  | "pass a month"
  | "pass a day"

/** How long a sender waits before they go away: turns of the queue of promises, then of the event loop. */
export interface Ticks {
  readonly small: number
  readonly large: number
}

export type Step =
  | { readonly kind: "request"; readonly intent: Intent }
  | { readonly kind: "burst"; readonly intents: ReadonlyArray<Intent> }
  | { readonly kind: "again"; readonly intent: Intent; readonly times: number }
  | { readonly kind: "broken off"; readonly intent: Intent; readonly ticks: Ticks }
  | { readonly kind: "page"; readonly path: string; readonly method: string | undefined }
  | { readonly kind: "host"; readonly who: 0 | 1; readonly event: HostEvent }

const kinds: Readonly<Record<BodyKind, fc.Arbitrary<Twist<Bodies.Body>>>> = {
  none: Bodies.idleBodies,
  group: Bodies.groupBodies,
  changes: Bodies.changeBodies,
  entry: Bodies.entryBodies,
  claim: Bodies.claimBodies,
  paid: Bodies.paidBodies,
  reason: Bodies.reasonBodies,
  release: Bodies.releaseBodies,
  confirmation: Bodies.confirmationBodies,
  outcomes: Bodies.outcomesBodies,
}

const bodiesOf = ({ body }: Endpoint): fc.Arbitrary<Twist<Bodies.Body>> =>
  typeof body === "string" ? kinds[body] : body

const who = fc.constantFrom<0 | 1>(0, 1)

const intentOf = (name: EndpointName): fc.Arbitrary<Intent> => {
  const endpoint = endpointOf(name)
  return fc.record({
    who,
    token: who,
    endpoint: fc.constant(name),
    prefix: fc.constantFrom<Intent["prefix"]>("/api/v1", "/v1"),
    isSecure: fc.nat({ max: 9 }).map((chance) => chance === 0),
    collaborator: Paths.reference,
    group: Paths.reference,
    payout: Paths.reference,
    payment: Paths.reference,
    other: Paths.reference,
    spelling: Paths.spelling,
    trick: Paths.trick,
    method: Paths.method,
    query: queries(endpoint.reads),
    authorization: RequestHeaders.authorization,
    key: RequestHeaders.idempotencyKey,
    length: RequestHeaders.declaredLength,
    requestId: RequestHeaders.requestId,
    headers: RequestHeaders.others,
    body: bodiesOf(endpoint),
  })
}

const weights: Readonly<Partial<Record<EndpointName, number>>> = {
  listGroups: 2,
  createGroup: 3,
  viewGroup: 2,
  updateGroup: 3,
  deleteGroup: 2,
  listPayouts: 4,
  viewPayout: 2,
  addExpense: 4,
  addIncome: 4,
  setPaid: 1,
  listProducts: 3,
  payPayout: 2,
  failPayout: 1,
  retryPayout: 2,
  claimPayout: 4,
  listPaymentsOfPayout: 1,
  listPayments: 2,
  listStuckPayments: 1,
  viewPayment: 1,
  sendPayment: 3,
  resolvePayment: 2,
  confirmPayment: 2,
  rejectPayment: 1,
  returnPayment: 1,
  releasePayment: 1,
  settlePayment: 1,
  answerPayments: 2,
}

/** Any request to any endpoint. */
export const intent: fc.Arbitrary<Intent> = fc.oneof(
  ...endpointNames.map((name) => ({
    weight: weights[name] ?? endpointOf(name).documented?.weight ?? 1,
    arbitrary: intentOf(name),
  })),
)

const changing = fc.oneof(
  { weight: 1, arbitrary: intentOf("setPaid") },
  ...(["createGroup", "updateGroup", "deleteGroup", "viewGroup", "viewPayout"] as const).map(
    (name) => ({ weight: 3, arbitrary: intentOf(name) }),
  ),
  { weight: 6, arbitrary: intentOf("addExpense") },
  { weight: 6, arbitrary: intentOf("addIncome") },
)

/** Requests of one account to one payout and one group, at once. */
const burst: fc.Arbitrary<Step> = fc
  .tuple(who, fc.nat({ max: 1_000 }), fc.array(changing, { minLength: 2, maxLength: 8 }))
  .map(([account, pick, intents]) => {
    const target = { from: "own", pick, text: "" } as const
    const focused = { who: account, collaborator: target, group: target, payout: target }
    return { kind: "burst", intents: intents.map((one) => ({ ...one, ...focused })) }
  })

/** Sales and refunds of one account at once, of few orders, so that some are of the same one. */
const market: fc.Arbitrary<Step> = fc
  .tuple(
    who,
    fc.array(fc.oneof(intentOf("recordSale"), intentOf("refundSale")), {
      ...{ minLength: 2, maxLength: 6 },
    }),
    fc.nat({ max: 3 }),
  )
  .map(([account, intents, alike]) => {
    // Some are the same as the first, to the byte.
    const all = intents.map((one, index) => (index <= alike ? (intents[0] ?? one) : one))
    return { kind: "burst", intents: all.map((one) => ({ ...one, who: account })) }
  })

/** A request with a key of its own, whose sender goes away and asks again. */
const brokenOff: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(...(["createGroup", "addExpense", "addIncome", "setPaid"] as const).map(intentOf)),
    fc.uuid(),
    fc.record({ small: fc.nat({ max: 60 }), large: fc.nat({ max: 4 }) }),
  )
  .map(([one, key, ticks]) => ({
    kind: "broken off",
    intent: { ...one, key: plain(key) },
    ticks,
  }))

const host: fc.Arbitrary<Step> = fc
  .tuple(
    who,
    fc.constantFrom<HostEvent>(
      "close due",
      "pay",
      "fail",
      "retry",
      "sell",
      "pass a month",
      "pass a day",
    ),
  )
  .map(([account, event]) => ({ kind: "host", who: account, event }))

const page: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom(...pages), Paths.method)
  .map(([path, method]) => ({ kind: "page", path, method }))

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 120, arbitrary: intent.map((one): Step => ({ kind: "request", intent: one })) },
  { weight: 8, arbitrary: burst },
  { weight: 4, arbitrary: market },
  {
    weight: 4,
    arbitrary: fc
      .tuple(changing, fc.integer({ min: 2, max: 4 }))
      .map(([one, times]): Step => ({ kind: "again", intent: one, times })),
  },
  { weight: 3, arbitrary: brokenOff },
  { weight: 1, arbitrary: page },
  { weight: 2, arbitrary: host },
)
