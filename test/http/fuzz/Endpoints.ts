/** The endpoints as the specification has them, and which of them a URL leads to: written anew, to compare with. */
import { agreementEndpoints } from "./AgreementEndpoints.js"
import type { Endpoint } from "./Endpoint.js"
import { feedEndpoints } from "./FeedEndpoints.js"
import { passEndpoints } from "./PassEndpoints.js"
import { saleEndpoints } from "./SaleEndpoints.js"

const groups = ["collaborators", ":collaborator", "products"]
const group = [...groups, ":group"]
const payout = ["payouts", ":payout"]
const payment = ["payments", ":payment"]

const posted = { method: "POST", success: 200, reads: "nothing", keyed: true } as const

const read = { method: "GET", success: 200, body: "none", keyed: false } as const

export const endpoints = {
  listGroups: { ...read, path: groups, reads: "page" },
  createGroup: {
    ...{ method: "PUT", path: groups, success: 201 },
    ...{ reads: "nothing", body: "group", keyed: true },
  },
  viewGroup: { ...read, path: group, reads: "page" },
  updateGroup: {
    ...{ method: "PUT", path: group, success: 200 },
    ...{ reads: "page", body: "changes", keyed: false },
  },
  deleteGroup: {
    ...{ method: "DELETE", path: group, success: 204 },
    ...{ reads: "nothing", body: "none", keyed: false },
  },
  listPayouts: { ...read, path: ["payouts"], reads: "payouts" },
  viewPayout: { ...read, path: payout, reads: "nothing" },
  addExpense: {
    ...{ method: "POST", path: [...payout, "expense"], success: 200 },
    ...{ reads: "nothing", body: "entry", keyed: true },
  },
  addIncome: {
    ...{ method: "POST", path: [...payout, "income"], success: 200 },
    ...{ reads: "nothing", body: "entry", keyed: true },
  },
  setPaid: {
    ...{ method: "POST", path: [...payout, "set-paid"], success: 200 },
    ...{ reads: "nothing", body: "none", keyed: true },
  },
  listProducts: { ...read, path: ["products"], reads: "products" },
  payPayout: { ...posted, path: [...payout, "pay"], body: "paid" },
  failPayout: { ...posted, path: [...payout, "fail"], body: "reason" },
  retryPayout: { ...posted, path: [...payout, "retry"], body: "none" },
  claimPayout: { ...posted, path: [...payout, "claim"], success: 201, body: "claim" },
  listPaymentsOfPayout: { ...read, path: [...payout, "payments"], reads: "nothing" },
  listPayments: { ...read, path: ["payments"], reads: "payments" },
  listStuckPayments: { ...read, path: ["payments", "stuck"], reads: "places" },
  viewPayment: { ...read, path: payment, reads: "nothing" },
  sendPayment: { ...posted, path: [...payment, "send"], body: "none" },
  resolvePayment: { ...posted, path: [...payment, "resolve"], body: "none" },
  confirmPayment: { ...posted, path: [...payment, "confirm"], body: "confirmation" },
  rejectPayment: { ...posted, path: [...payment, "reject"], body: "reason" },
  returnPayment: { ...posted, path: [...payment, "return"], body: "reason" },
  releasePayment: { ...posted, path: [...payment, "release"], body: "release" },
  settlePayment: { ...posted, path: [...payment, "settle"], body: "none" },
  answerPayments: { ...posted, path: ["payments", "answers"], body: "outcomes" },
  ...feedEndpoints,
  ...saleEndpoints,
  ...passEndpoints,
  ...agreementEndpoints,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints

const isName = (name: string): name is EndpointName => Object.hasOwn(endpoints, name)

export const endpointNames: ReadonlyArray<EndpointName> = Object.keys(endpoints).filter(isName)

export const endpointOf = (name: EndpointName): Endpoint => endpoints[name]

/**
 * Endpoints that have their tests elsewhere: what they answer is not looked at here, only that it gives nothing away. Those
 * of collaborators and products would change what the others are compared with, so they are not asked on purpose.
 */
const elsewhere: ReadonlyArray<readonly [method: string, path: ReadonlyArray<string>]> = [
  ["PUT", ["products"]],
  ["POST", ["products", "lines"]],
  ["GET", ["products", ":product"]],
  ["DELETE", ["products", ":product"]],
  ["GET", ["collaborators"]],
  ["POST", ["collaborators"]],
  ["GET", ["collaborators", ":collaborator"]],
  ["PUT", ["collaborators", ":collaborator"]],
  ["POST", ["sales", "lines"]],
  ["GET", ["settings"]],
  ["PUT", ["settings"]],
  ["GET", ["settings", "changes"]],
  ["POST", ["sales", "past", "lines"]],
  ["POST", ["deliveries", ":shop"]],
  ["POST", ["deliveries", ":shop", "fetched"]],
  ["GET", ["inbox"]],
  ["POST", ["inbox", ":entry", "retry"]],
  ["DELETE", ["inbox", ":entry"]],
  ["GET", ["resplits"]],
  ["POST", ["resplits"]],
  ["POST", ["resplits", "preview"]],
  ["GET", ["resplits", ":run"]],
  ["POST", ["resplits", ":run", "approve"]],
  ["POST", ["resplits", ":run", "book"]],
  ["GET", ["session"]],
  ["GET", ["overview"]],
  ["GET", ["counters"]],
  ["GET", ["agreements", ":kind", ":agreement"]],
  ["POST", ["agreements", ":kind", ":agreement", "end"]],
  ["GET", ["groups"]],
  ["GET", ["groups", ":group"]],
  ["POST", ["groups", "preview"]],
  ["POST", ["groups", "backtest", "preview"]],
  ["GET", ["seen"]],
  ["GET", ["seen", "statement"]],
  ["GET", ["seen", "statement", "lines"]],
  ["GET", ["seen", "payouts"]],
  ["GET", ["seen", "payouts", ":payout"]],
  ["GET", ["seen", "sales", ":order", "explanation"]],
]

/** The pages beside the endpoints, which need no token. */
export const pages = ["/health", "/ready", "/openapi.json", "/docs"] as const

export interface Ids {
  readonly collaborator: string
  readonly group: string
  readonly payout: string
  readonly payment: string
  /** Of anything else; a path has one at most. */
  readonly other: string
}

const ownNames = ["collaborator", "group", "payout", "payment"]

/** Under which name an id in a path is kept. */
export const idName = (segment: string): string => {
  const name = segment.slice(1)
  return ownNames.includes(name) ? name : "other"
}

export const noIds: Ids = { collaborator: "", group: "", payout: "", payment: "", other: "" }

/** What the other id in the path of an endpoint names; `undefined`: there is none. */
export const otherIn = ({ path }: Endpoint): string | undefined =>
  path.find((segment) => segment.startsWith(":") && idName(segment) === "other")?.slice(1)

export type Routed =
  | { readonly kind: "nothing" }
  | { readonly kind: "wrong method"; readonly allowed: ReadonlyArray<string> }
  | { readonly kind: "page"; readonly path: string }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "endpoint"; readonly name: EndpointName; readonly ids: Ids }

const withoutPrefix = (path: string): ReadonlyArray<string> | undefined => {
  for (const prefix of ["/api/v1/", "/v1/"]) {
    if (path.startsWith(prefix)) return path.slice(prefix.length).split("/")
  }
  return undefined
}

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const idsIn = (
  path: ReadonlyArray<string>,
  segments: ReadonlyArray<string>,
): Record<string, string> | undefined => {
  if (path.length !== segments.length) return undefined
  const ids: Record<string, string> = {}
  for (const [index, wanted] of path.entries()) {
    const given = segments[index] ?? ""
    if (!wanted.startsWith(":")) {
      if (given !== wanted) return undefined
      continue
    }
    const id = decoded(given)
    if (id === undefined || id === "") return undefined
    ids[idName(wanted)] = id
  }
  return ids
}

const withHead = (methods: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(methods)].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))

/** Where a request leads. */
export const route = (method: string, url: string): Routed => {
  const { pathname } = new URL(url)
  const wanted = method === "HEAD" ? "GET" : method
  if (pages.some((page) => page === pathname)) {
    return wanted === "GET"
      ? { kind: "page", path: pathname }
      : { kind: "wrong method", allowed: ["GET", "HEAD"] }
  }
  const segments = withoutPrefix(pathname)
  if (segments === undefined) return { kind: "nothing" }
  const methods: Array<string> = []
  for (const name of endpointNames) {
    const endpoint = endpointOf(name)
    const ids = idsIn(endpoint.path, segments)
    if (ids === undefined) continue
    if (endpoint.method === wanted) return { kind: "endpoint", name, ids: { ...noIds, ...ids } }
    methods.push(endpoint.method)
  }
  for (const [other, path] of elsewhere) {
    if (idsIn(path, segments) === undefined) continue
    if (other === wanted) return { kind: "elsewhere" }
    methods.push(other)
  }
  return methods.length === 0
    ? { kind: "nothing" }
    : { kind: "wrong method", allowed: withHead(methods) }
}
