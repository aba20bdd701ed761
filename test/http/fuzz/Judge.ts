/** Holds answers against what was to be answered. */
import { bodyProblems, operationOf } from "../OpenApiConformance.js"
import { type EndpointName, endpointOf, type Ids, otherIn } from "./Endpoints.js"
import {
  type AccountModel,
  bigIntOf,
  listIn,
  openPayment,
  parseJson,
  recordIn,
  saidOf,
} from "./Model.js"
import { isUsableId } from "./RequestHeaders.js"
import type { Sent } from "./Sending.js"
import * as Shapes from "./Shapes.js"
import { answersOf } from "./Twist.js"
import { accounts, productCount } from "./World.js"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

export const readAnswer = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parseJson(text) }
}

/** What may be answered to a request; `loosely`: others are under way that change the same things. */
export interface Expected {
  readonly statuses: ReadonlyArray<number>
  /** The answer to the same request with the same key. */
  readonly replay: { readonly status: number; readonly text: string } | undefined
}

const amountIn = (json: unknown): bigint => (Shapes.isRecord(json) ? bigIntOf(json.amount) : 0n)

const largest = BigInt(Number.MAX_SAFE_INTEGER)

const forPayout = (sent: Sent, id: string, model: AccountModel, loosely: boolean) => {
  if (sent.routed.kind !== "endpoint") return []
  const payout = model.payouts.get(id)
  if (payout === undefined) return [404]
  const { name } = sent.routed
  const open = openPayment(model, id)
  const isUnderWay = open !== undefined && open.status !== "claimed"
  if (name === "viewPayout" || name === "listPaymentsOfPayout") return [200]
  if (name === "setPaid") return loosely ? [200, 409] : [isUnderWay ? 409 : 200]
  if (name === "retryPayout") return [payout.status === "failed" ? 200 : 409]
  if (name === "claimPayout" || name === "payPayout" || name === "failPayout") {
    const isPossible = payout.status === "pending" && !isUnderWay
    // Whether it is held, comes to nothing or to another total is for the service to say.
    return isPossible ? [name === "claimPayout" ? 201 : 200, 409] : [409]
  }
  const sign = name === "addExpense" ? -1n : 1n
  const total = payout.total + sign * amountIn(sent.json)
  const isFine = total >= -largest && total <= largest
  if (loosely) return [200, 409, 422]
  if (payout.settled !== undefined) return [409]
  // What is added goes to another payout, of which nothing is known here.
  if (open !== undefined) return [200, 422]
  // What is missing in a closed one is taken off the active one, which may have no room for so much.
  const isBelow = total < 0n && payout.status !== "active"
  if (isBelow) return [200, 422]
  return isFine ? [200] : [422]
}

const forGroup = (sent: Sent, model: AccountModel, loosely: boolean): ReadonlyArray<number> => {
  if (sent.routed.kind !== "endpoint") return []
  const { name, ids } = sent.routed
  const { success } = endpointOf(name)
  if (!model.account.collaborators.includes(ids.collaborator)) return [404]
  if (name === "listGroups" || name === "createGroup") return [success]
  const isThere = model.groups.get(ids.group)?.collaborator === ids.collaborator
  if (loosely && isThere) return [success, 404]
  return isThere ? [success] : [404]
}

/** From which status a payment can be moved so at all. */
const movable: Readonly<Record<string, ReadonlyArray<string>>> = {
  sendPayment: ["claimed"],
  confirmPayment: ["claimed", "sent", "unknown", "confirmed", "returned"],
  rejectPayment: ["claimed", "sent", "unknown", "rejected", "returned"],
  returnPayment: ["confirmed", "returned"],
  releasePayment: ["claimed", "released"],
}

const forPayment = (name: string, status: string | undefined): ReadonlyArray<number> => {
  if (status === undefined) return [404]
  if (name === "viewPayment" || name === "settlePayment") return [200]
  const from = movable[name]
  // Of those that can be moved, it depends on what was said before: never sent, or of another amount.
  return from === undefined || from.includes(status) ? [200, 409] : [409]
}

/** What the document has for requests that nothing is wrong with. */
const forDocumented = (
  name: EndpointName,
  { collaborator, payout, payment, other }: Ids,
  model: AccountModel,
): ReadonlyArray<number> => {
  const { account, payouts, payments, others } = model
  const isKnown =
    (collaborator === "" || account.collaborators.includes(collaborator)) &&
    (payout === "" || payouts.has(payout)) &&
    (payment === "" || payments.has(payment)) &&
    (other === "" || (others.get(otherIn(endpointOf(name)) ?? "")?.has(other) ?? false))
  // The id of a refund is known before its order is looked for.
  if (!isKnown) return name === "refundSale" || name === "previewRefund" ? [404, 409] : [404]
  const statuses = Object.keys(operationOf(name).responses).map(Number)
  return statuses.filter((status) => status < 300 || [404, 409, 422].includes(status))
}

const usual = (sent: Sent, model: AccountModel, loosely: boolean): ReadonlyArray<number> => {
  if (sent.routed.kind !== "endpoint") return []
  const { name, ids } = sent.routed
  if (endpointOf(name).documented !== undefined) return forDocumented(name, ids, model)
  if (name === "listPayouts" || name === "listProducts") return [200]
  if (name === "listPayments" || name === "listStuckPayments") return [200]
  if (name === "answerPayments") return [200]
  if (ids.payment !== "") return forPayment(name, model.payments.get(ids.payment)?.status)
  return ids.payout === ""
    ? forGroup(sent, model, loosely)
    : forPayout(sent, ids.payout, model, loosely)
}

const anything = [200, 201, 204, 400, 401, 404, 409, 413, 422]

export const expect = (sent: Sent, model: AccountModel, loosely: boolean): Expected => {
  const { routed, key } = sent
  const replay = undefined
  if (routed.kind === "nothing") return { statuses: [404], replay }
  if (routed.kind === "wrong method") return { statuses: [405], replay }
  if (routed.kind === "page") return { statuses: [200], replay }
  if (routed.kind === "elsewhere") return { statuses: anything, replay }
  const known = key === undefined ? undefined : model.keys.get(key.name)
  if (!sent.isAsMeant) {
    return { statuses: anything, replay: known?.print === key?.print ? known : replay }
  }
  const without = usual(sent, model, loosely)
  if (known === undefined) {
    const clash = loosely && key !== undefined ? [409] : []
    return { statuses: answersOf(sent.twists, [...without, ...clash]), replay }
  }
  if (known.print !== key?.print) return { statuses: answersOf(sent.twists, [409]), replay }
  if (known.isLive === true) {
    // What was made may be gone since then.
    return { statuses: answersOf(sent.twists, [known.status, 200, 404, 409]), replay }
  }
  const statuses = answersOf(sent.twists, [known.status])
  return { statuses, replay: { status: known.status, text: known.text } }
}

const security: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const byStatus: Readonly<Record<number, ReadonlyArray<string>>> = {
  401: ["www-authenticate"],
  405: ["allow"],
  429: ["retry-after"],
}

const allowedNames = (sent: Sent, status: number): ReadonlyArray<string> => [
  ...Object.keys(security),
  ...["x-request-id", "content-type", "content-length"],
  ...(sent.url.startsWith("https:") ? ["strict-transport-security"] : []),
  ...(byStatus[status] ?? []),
]

const limitNames = ["x-ratelimit-limit", "x-ratelimit-remaining"]

const trimmed = (header: string): string => header.replace(/^[\t ]+|[\t ]+$/g, "")

/** Documents in place of JSON, and what a browser may do with each. */
const documents: ReadonlyMap<string | null, string> = new Map([
  ["text/csv; charset=utf-8", "default-src 'none'; frame-ancestors 'none'"],
  [
    "text/html; charset=utf-8",
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  ],
])

/** The policy of a document that was asked for; `undefined`: the answer is none. */
const documentPolicy = ({ routed }: Sent, { status, headers }: Answer): string | undefined =>
  routed.kind === "endpoint" && routed.name === "viewStatement" && status === 200
    ? documents.get(headers.get("content-type"))
    : undefined

function* headerFaults(sent: Sent, answer: Answer, isLimited: boolean) {
  const { status, headers, text } = answer
  const policy = documentPolicy(sent, answer)
  const isPage = sent.routed.kind === "page"
  const isOther = isPage || sent.routed.kind === "elsewhere"
  const wanted = { ...security, ...(policy && { "content-security-policy": policy }) }
  for (const [name, value] of Object.entries(wanted)) {
    if (isPage && name === "content-security-policy") continue
    if (headers.get(name) !== value) yield `the header ${name} is ${headers.get(name)}`
  }
  const names = [...allowedNames(sent, status), ...(isLimited ? limitNames : [])]
  for (const name of headers.keys()) {
    if (!names.includes(name)) yield `there is a header ${name}: ${headers.get(name)}`
  }
  const given = trimmed(sent.intent.requestId ?? "")
  const id = headers.get("x-request-id") ?? ""
  if (isUsableId(given) ? id !== given : !uuid.test(id)) yield `the request id is ${id}`
  const type = headers.get("content-type")
  if (status === 204 ? type !== null : type !== "application/json" && !isOther && !policy) {
    yield `the content type is ${type}`
  }
  for (const name of byStatus[status] ?? []) {
    if (!headers.has(name)) yield `there is no header ${name}`
  }
  const hasHsts = headers.has("strict-transport-security")
  if (hasHsts !== sent.url.startsWith("https:")) yield `strict-transport-security is wrong`
  const length = headers.get("content-length")
  const bytes = Buffer.byteLength(text)
  if (length !== null && sent.method !== "HEAD" && Number(length) !== bytes) {
    yield `the content length is ${length}, there are ${bytes} bytes`
  }
  if (sent.routed.kind === "wrong method") {
    const allowed = (headers.get("allow") ?? "").split(", ").toSorted()
    const methods = sent.routed.allowed.toSorted()
    if (allowed.join() !== methods.join()) yield `it allows ${allowed}, not ${methods}`
  }
}

/** Text as only the inside of a program has it. */
const inside =
  /\n\s+at |\bat [\w.<>]+ \(|node_modules|\.[cm]?[jt]sx?:\d|\b[A-Z]\w*Error\b|file:\/\/|"_tag"|"stack"|"cause"|\[object |got (?:NaN|undefined)\b|\bEffect\b/

const everythingSent = (sent: Sent): string =>
  [sent.url, sent.text, sent.method, ...sent.headers.flat()].join("\n")

/** The only answers that show the key of a webhook endpoint. */
const showsKey = new Set(["createWebhook", "rotateWebhookKey"])

function* secretFaults(sent: Sent, { status, text, headers }: Answer) {
  const all = [text, ...[...headers].flat()].join("\n")
  for (const [index, { mark }] of accounts.entries()) {
    const mayShow = index === sent.who && status < 300
    const isOwnEcho = index === sent.who && everythingSent(sent).includes(mark)
    if (!mayShow && !isOwnEcho && all.includes(mark)) yield `it tells what account ${index} has`
  }
  const mayShowKey = sent.routed.kind === "endpoint" && showsKey.has(sent.routed.name)
  if (text.includes("whsec_") && !(mayShowKey && status < 300) && status !== 422) {
    yield "it tells the key of a webhook endpoint"
  }
  const found = inside.exec(text)?.[0]
  if (found !== undefined && sent.routed.kind !== "page" && !everythingSent(sent).includes(found)) {
    yield `it tells of the inside: ${JSON.stringify(found)}`
  }
}

const asDocumented =
  (name: string, status: number): Shapes.Check =>
  (value, path) => {
    const [problem] = bodyProblems(name, status, value)
    return problem === undefined ? undefined : `${path}: ${problem}`
  }

const shapeOf = (sent: Sent, status: number): Shapes.Check => {
  if (status === 422) return Shapes.invalid
  if (status >= 400 || sent.routed.kind !== "endpoint") return Shapes.refusal
  const { name } = sent.routed
  if (endpointOf(name).documented !== undefined) return asDocumented(name, status)
  const url = sent.url.replace(/[?#].*$/s, "")
  switch (sent.routed.name) {
    case "listGroups":
      return Shapes.listedGroups(url)
    case "createGroup":
      return Shapes.oneChangedGroup((id) => `${url}/${encodeURIComponent(id)}`)
    case "updateGroup":
      return Shapes.oneChangedGroup(() => url)
    case "viewGroup":
      return Shapes.oneViewedGroup(() => url)
    case "listPayouts":
      return Shapes.listedPayouts(url)
    case "listProducts":
      return Shapes.listedProducts(url, asksCollaborators(sent))
    case "listPayments":
    case "listStuckPayments":
      return Shapes.listedPayments
    case "listPaymentsOfPayout":
      return Shapes.paymentsOfPayout
    case "answerPayments":
      return Shapes.outcomeAnswers
    default:
      return ofPayment(sent) ? Shapes.onePayment : Shapes.onePayout
  }
}

const ofPayment = ({ routed }: Sent): boolean =>
  routed.kind === "endpoint" && (routed.ids.payment !== "" || routed.name === "claimPayout")

const asksCollaborators = (sent: Sent): boolean =>
  ["true", "1"].includes(new URL(sent.url).searchParams.get("include_collaborators") ?? "")

function* bodyFaults(sent: Sent, answer: Answer, { replay }: Expected) {
  const { status, text, json } = answer
  if (sent.method === "HEAD" || status === 204) {
    if (text !== "") yield "there is a body"
    return
  }
  if (replay !== undefined && status === replay.status) {
    if (text !== replay.text)
      yield `it is not what the key was answered: ${replay.text.slice(0, 300)}`
    return
  }
  if (sent.routed.kind === "page" && status === 200) return
  if (sent.routed.kind === "elsewhere" && status < 300) return
  if (documentPolicy(sent, answer) !== undefined) return
  if (json === undefined) yield "the body is no JSON"
  else {
    const problem = shapeOf(sent, status)(json, "body")
    if (problem !== undefined) yield problem
  }
}

const dueOf = (payout: unknown) =>
  Shapes.isRecord(payout)
    ? ([Number(payout.to_be_paid_at), String(payout.id)] as const)
    : ([0, ""] as const)

/** What a list must hold. */
function* listFaults(sent: Sent, { status, json }: Answer, model: AccountModel) {
  if (sent.routed.kind !== "endpoint" || status !== 200 || sent.method === "HEAD") return
  const { name, ids } = sent.routed
  const total = recordIn(json, "meta").total
  const wholeList = sent.intent.query.value === "" && sent.isAsMeant
  if (name === "listPayouts") {
    if (wholeList && total !== model.payouts.size) yield `${total} of ${model.payouts.size} payouts`
    const dues = listIn(json, "data").map(dueOf)
    const isSorted = dues.every(([due, id], index) => {
      const [before, idBefore] = dues[index - 1] ?? [Number.POSITIVE_INFINITY, ""]
      return before > due || (before === due && idBefore < id)
    })
    if (!isSorted) yield "the payouts are not sorted"
  }
  if (name === "listPayments" && wholeList) {
    const shown = listIn(json, "data").length
    const wanted = Math.min(100, model.payments.size)
    if (shown !== wanted) yield `${shown} of ${wanted} payments`
  }
  if (name === "listProducts" && wholeList && total !== productCount) yield `${total} products`
  if (name === "listGroups") {
    const own = [...model.groups.values()].filter(
      ({ collaborator }) => collaborator === ids.collaborator,
    )
    if (total !== own.length) yield `${total} of ${own.length} groups`
    for (const group of listIn(json, "data")) {
      const id = Shapes.isRecord(group) ? String(group.id) : ""
      if (model.groups.get(id)?.said !== saidOf(group))
        yield `the group ${id} is not as it was said`
    }
  }
}

/** Everything that is wrong with an answer. */
export function* faultsOf(
  sent: Sent,
  answer: Answer,
  expected: Expected,
  model: AccountModel,
  options: { readonly isLimited?: boolean; readonly isAlone?: boolean } = {},
): Generator<string> {
  const { isLimited = false, isAlone = true } = options
  const statuses = isLimited ? [...expected.statuses, 429] : expected.statuses
  if (!statuses.includes(answer.status))
    yield `status ${answer.status} instead of ${expected.statuses}`
  yield* headerFaults(sent, answer, isLimited)
  yield* secretFaults(sent, answer)
  yield* bodyFaults(sent, answer, expected)
  if (isAlone) yield* listFaults(sent, answer, model)
}
