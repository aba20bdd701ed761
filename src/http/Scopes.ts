/** Which scope of its access token each endpoint needs. */
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { StoredToken, TokenScope } from "../ports/Tokens.js"
import { Forbidden } from "./Answer.js"
import type { Api } from "./Api.js"

/** The scope that a change needs, by group. Reading needs `read`. */
const scopes: Readonly<Record<string, TokenScope>> = {
  productGroups: "manage",
  payouts: "payouts",
  products: "record",
  payments: "payouts",
  entries: "payouts",
  statements: "payouts",
  events: "manage",
  webhooks: "manage",
  collaborators: "manage",
  sales: "record",
  resplits: "manage",
  rules: "manage",
  overview: "manage",
  // Nothing changes these but sales and refunds.
  counters: "manage",
  agreements: "manage",
  // An import states that sales were paid.
  pastSales: "payouts",
  settings: "manage",
  // Who has a pass reads what a collaborator may see.
  passes: "manage",
  // Nothing but a pass opens these.
  seen: "manage",
  deliveries: "record",
  inbox: "record",
} satisfies Record<keyof (typeof Api)["groups"], TokenScope>

/** Requests that use POST because of their length; they change nothing. */
const previews: ReadonlySet<string> = new Set([
  ...["/sales/preview", "/sales/:order_id/refunds/preview", "/resplits/preview"],
  ...["/groups/preview", "/groups/backtest/preview", "/agreements/preview"],
])

/** The method and path of an endpoint, and its group. */
export interface EndpointOf {
  readonly endpoint: Pick<HttpApiEndpoint.Top, "method" | "path">
  readonly group: Pick<HttpApiGroup.Top, "identifier">
}

/** The scope that a token needs; a group that is not listed needs the highest one. */
export const scopeOf = ({ endpoint: { method, path }, group }: EndpointOf): TokenScope =>
  method === "GET" || previews.has(path) ? "read" : (scopes[group.identifier] ?? "manage")

/** Why a token may not be used; `undefined`: it may. */
export const forbidden = ({ scopes }: StoredToken, asked: EndpointOf): Forbidden | undefined => {
  const needed = scopeOf(asked)
  if (scopes === undefined || scopes.includes(needed)) return undefined
  return new Forbidden({ message: `the access token has no scope "${needed}", which this needs` })
}
