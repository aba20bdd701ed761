/** From what is meant to a request with ids, tokens and marks in it. */
import { type Filling, type Rendered, render } from "./Bodies.js"
import type { Endpoint } from "./Endpoint.js"
import { endpointOf, type Ids, idName, otherIn, type Routed, route } from "./Endpoints.js"
import { type AccountModel, canonical, parseJson } from "./Model.js"
import { pathPlace, type Reference, spell } from "./Paths.js"
import { type Pair, tokenPlace } from "./RequestHeaders.js"
import type { Intent } from "./Steps.js"
import type { Twist } from "./Twist.js"

export const origins = ["http://shop.test", "https://shop.test"] as const

export interface Sent {
  readonly intent: Intent
  readonly who: 0 | 1
  readonly method: string
  /** As a URL parser has it. */
  readonly url: string
  readonly headers: ReadonlyArray<Pair>
  readonly routed: Routed
  /** Whether it leads to the endpoint that was meant, with the query that was meant. */
  readonly isAsMeant: boolean
  readonly twists: ReadonlyArray<Twist<unknown>>
  /** The body as text where it could be read, and as JSON. */
  readonly text: string | undefined
  readonly json: unknown
  /** Of requests with an idempotency key that is looked at: what tells them apart. */
  readonly key: { readonly name: string; readonly print: string } | undefined
  /** The ids it names that only the other account has. */
  readonly foreign: ReadonlyArray<string>
  readonly make: () => Request
}

const pickFrom = (ids: ReadonlyArray<string>, pick: number): string =>
  ids[pick % Math.max(1, ids.length)] ?? "none"

const onlyIn = (ids: Iterable<string>, others: { readonly has: (id: string) => boolean }) =>
  [...ids].filter((id) => !others.has(id))

const choose = (
  reference: Reference,
  own: ReadonlyArray<string>,
  foreign: ReadonlyArray<string>,
): string => {
  if (reference.from === "own") return pickFrom(own, reference.pick)
  return reference.from === "other" ? pickFrom(foreign, reference.pick) : reference.text
}

const chooseIds = (intent: Intent, own: AccountModel, other: AccountModel): Ids => {
  const payout = choose(
    intent.payout,
    [...own.payouts.keys()],
    onlyIn(other.payouts.keys(), own.payouts),
  )
  const collaborators = own.account.collaborators
  const foreign = other.account.collaborators.filter((id) => !collaborators.includes(id))
  const collaborator = choose(intent.collaborator, collaborators, foreign)
  const group = choose(
    intent.group,
    [...own.groups.keys()],
    onlyIn(other.groups.keys(), own.groups),
  )
  // A group of the account goes with its own collaborator, but for those that were to be others.
  const owner = own.groups.get(group)?.collaborator
  const isPair = intent.group.from === "own" && intent.collaborator.from === "own"
  const isMeant = endpointOf(intent.endpoint).path.includes(":group")
  const pair = isMeant && isPair && owner !== undefined && intent.collaborator.pick % 20 !== 0
  const payment = choose(
    intent.payment,
    [...own.payments.keys()],
    onlyIn(other.payments.keys(), own.payments),
  )
  const others = otherIn(endpointOf(intent.endpoint)) ?? ""
  const ownOthers = own.others.get(others) ?? new Set()
  const found = choose(
    intent.other,
    [...ownOthers],
    onlyIn(other.others.get(others) ?? [], ownOthers),
  )
  return { collaborator: pair ? owner : collaborator, group, payout, payment, other: found }
}

const isIdName = (name: string, ids: Ids): name is keyof Ids => Object.hasOwn(ids, name)

const pathOf = (intent: Intent, { path }: Endpoint, ids: Ids): string => {
  const segments = path.map((segment) => {
    const name = idName(segment)
    return segment.startsWith(":") && isIdName(name, ids)
      ? spell(ids[name], intent.spelling)
      : segment
  })
  return `${intent.prefix}/${segments.join("/")}`
}

const headersOf = (intent: Intent, token: string): ReadonlyArray<Pair> => {
  const { authorization, key, length, requestId } = intent
  const pairs: Array<Pair> = []
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined) pairs.push([name, value])
  }
  add("authorization", authorization.value?.replaceAll(tokenPlace, token))
  add("idempotency-key", key.value)
  add("content-length", length.value)
  add("x-request-id", requestId)
  const said = new Set(pairs.map(([name]) => name))
  return [...pairs, ...intent.headers.filter(([name]) => !said.has(name))]
}

const withoutBody = new Set(["GET", "HEAD"])

const makeRequest = (
  url: string,
  method: string,
  headers: ReadonlyArray<Pair>,
  body: Rendered["sent"],
): Request => {
  const sent = new Headers()
  for (const [name, value] of headers) sent.append(name, value)
  const hasBody = body !== undefined && !withoutBody.has(method.toUpperCase())
  const isStream = body instanceof ReadableStream
  return new Request(url, {
    method,
    headers: sent,
    ...(hasBody ? { body } : {}),
    ...(hasBody && isStream ? { duplex: "half" as const } : {}),
  })
}

/** Which twists count for an endpoint: it may not look at the body, the key or the length. */
const twistsOf = (intent: Intent, { body, keyed }: Endpoint): ReadonlyArray<Twist<unknown>> => [
  intent.authorization,
  intent.query,
  ...(keyed ? [intent.key] : []),
  ...(body === "none" ? [] : [intent.length, intent.body]),
]

const keyOf = (intent: Intent, routed: Routed, json: unknown): Sent["key"] => {
  const name = intent.key.value
  if (routed.kind !== "endpoint" || name === undefined || intent.key.isSure) return undefined
  const { keyed, body } = endpointOf(routed.name)
  if (!keyed) return undefined
  const asked = body === "none" ? "" : JSON.stringify(canonical(json))
  return { name, print: JSON.stringify([routed.name, routed.ids, asked]) }
}

const has = ({ account, payouts, groups, payments, others }: AccountModel, id: string): boolean =>
  payouts.has(id) ||
  groups.has(id) ||
  payments.has(id) ||
  account.collaborators.includes(id) ||
  [...others.values()].some((ids) => ids.has(id))

/** The request for an intent; `undefined`: `Request` itself does not allow it. */
export const prepare = (
  intent: Intent,
  models: readonly [AccountModel, AccountModel],
): Sent | undefined => {
  const { who, endpoint: name } = intent
  const [own, other] = who === 0 ? models : [models[1], models[0]]
  const endpoint = endpointOf(name)
  const ids = chooseIds(intent, own, other)
  const path = intent.trick.replaceAll(pathPlace, pathOf(intent, endpoint, ids))
  const query = intent.query.value === "" ? "" : `?${intent.query.value}`
  const address = `${origins[intent.isSecure ? 1 : 0]}${path}${query}`
  const headers = headersOf(intent, own.account.tokens[intent.token])
  const wanted = intent.method ?? endpoint.method
  const { mark } = own.account
  const filling: Filling = { mark, payment: ids.payment }
  const make = () => makeRequest(address, wanted, headers, render(intent.body.value, filling).sent)
  let request: Request
  try {
    request = make()
  } catch {
    return undefined
  }
  const { method, url } = request
  const routed = route(method, url)
  const isUsual = intent.trick === pathPlace
  const isAsMeant = isUsual && routed.kind === "endpoint" && routed.name === name
  const { text } = render(intent.body.value, filling)
  const json = text === undefined ? undefined : parseJson(text.replace(/^\ufeff/, ""))
  const named = routed.kind === "endpoint" ? Object.values(routed.ids) : []
  return {
    ...{ intent, who, method, url, headers, routed, isAsMeant, text, json, make },
    twists: twistsOf(intent, endpoint),
    key: keyOf(intent, routed, json),
    foreign: named.filter((id) => has(other, id) && !has(own, id)),
  }
}

/** How a request reads in a report. */
export const describe = (sent: Sent): string => {
  const cut = (text: string) =>
    text.length > 400 ? `${text.slice(0, 400)}…(${text.length})` : text
  const lines = sent.headers.map(([name, value]) => `${name}: ${cut(JSON.stringify(value))}`)
  const body = sent.text === undefined ? JSON.stringify(sent.intent.body.value) : sent.text
  const kind = sent.intent.body.value.kind
  return [`${cut(sent.method)} ${cut(sent.url)}`, ...lines, "", `(${kind}) ${cut(body)}`].join("\n")
}
