/** Requests to the API that the page is served by, with the token that was given. */
import { computed, signal } from "@preact/signals"
import { type QueryValues, queryOf } from "./Route.js"

const place = "apportion.token"

const stored = signal<string | undefined>(sessionStorage.getItem(place) ?? undefined)

/** Whether a token was given. It is kept until the tab is closed, and nowhere else. */
export const isSignedIn = computed(() => stored.value !== undefined)

/** Why one was sent back to sign in; empty: one was not. */
export const farewell = signal("")

export const signIn = (token: string): void => {
  sessionStorage.setItem(place, token)
  farewell.value = ""
  stored.value = token
}

export const signOut = (reason = ""): void => {
  sessionStorage.removeItem(place)
  farewell.value = reason
  stored.value = undefined
}

/** What went wrong with a request. */
export interface RequestFailure {
  /** `0`: there was no answer. */
  readonly status: number
  readonly message: string
  /** What is wrong with each field of the request. */
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>
}

export type ApiAnswer<T> =
  | { readonly type: "done"; readonly value: T }
  | { readonly type: "failed"; readonly failure: RequestFailure }

export interface ApiRequest {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE"
  readonly query?: QueryValues
  readonly body?: unknown
  /** The same for the same change, however often it is sent. */
  readonly key?: string
  readonly signal?: AbortSignal
  /** Whether the answer is a text and no JSON. */
  readonly isText?: boolean
  /** In place of the one that was given. */
  readonly token?: string
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : []

const scopeOf = (message: string): string | undefined => /scope "([^"]*)"/.exec(message)?.[1]

const inWords = (status: number, message: string): string => {
  if (status === 403) {
    const scope = scopeOf(message)
    return scope === undefined
      ? message
      : `Your access token does not allow this: it has no scope “${scope}”. Ask whoever gave it to you for one that has.`
  }
  if (status === 429) return "Too many requests in a minute. Wait a little, then try again."
  if (status === 401) return "The access token was refused. Sign in again."
  return message
}

const failureOf = (status: number, body: unknown): RequestFailure => {
  const { message, errors } = isRecord(body) ? body : {}
  const said = typeof message === "string" ? message : `The server answered with ${status}.`
  return {
    status,
    message: inWords(status, said),
    errors: isRecord(errors)
      ? Object.fromEntries(Object.entries(errors).map(([name, texts]) => [name, textsOf(texts)]))
      : {},
  }
}

const failed = (failure: RequestFailure): ApiAnswer<never> => ({ type: "failed", failure })

/** What only looks is safe to ask for at any time; of a change it matters whether it was made. */
const unreachable = ({ key, method = "GET" }: ApiRequest): RequestFailure => ({
  status: 0,
  message:
    method === "GET" || (method === "POST" && key === undefined)
      ? "The server did not answer. Check the connection, then try again."
      : "The server did not answer, so it is not known whether this was done. Trying again is safe: it is done once.",
  errors: {},
})

const apiOf = (path: string, query: QueryValues = {}): URL =>
  new URL(`api/v1/${path}${queryOf(query)}`, document.baseURI)

const optionsOf = ({
  method = "GET",
  body,
  key,
  signal: abort,
  token,
}: ApiRequest): RequestInit => ({
  method,
  headers: {
    accept: "application/json",
    authorization: `Bearer ${token ?? stored.value ?? ""}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  ...(abort === undefined ? {} : { signal: abort }),
  cache: "no-store",
  credentials: "omit",
})

const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  return text === "" ? undefined : JSON.parse(text)
}

/** The names of a path, escaped. */
export const path = (...names: ReadonlyArray<string>): string =>
  names.map(encodeURIComponent).join("/")

/** So often at most a request is sent again that came too early, after as many seconds at most. */
const [mostWaits, longestWait] = [3, 60]

/** How many requests wait because the server has had too many in a minute. */
const waiting = signal(0)

/** Whether the server has asked to wait. */
export const isHeldUp = computed(() => waiting.value > 0)

/** Waits as long as an answer says; `false`: it does not say so. */
const waitFor = async ({ headers }: Response, abort: AbortSignal | undefined): Promise<boolean> => {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  if (!(seconds >= 0 && seconds <= longestWait)) return false
  waiting.value += 1
  try {
    // Those that wait don't all come back at once.
    const millis = seconds * 1000 + Math.random() * 500
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, millis)
      abort?.addEventListener("abort", () => {
        clearTimeout(timer)
        reject(abort.reason)
      })
    })
    return true
  } finally {
    waiting.value -= 1
  }
}

/** Sends a request. One that the server has refused to look at yet, it gets again when it said it would take it. */
const send = async (where: string, request: ApiRequest): Promise<Response> => {
  for (let sent = 1; ; sent += 1) {
    const response = await fetch(apiOf(where, request.query), optionsOf(request))
    if (response.status !== 429 || sent > mostWaits) return response
    if (!(await waitFor(response, request.signal))) return response
  }
}

/**
 * Sends a request. The form of the answer is what the API's own schemas say: it comes from the server that the page
 * came from, so it is not checked again.
 */
export const ask = async <T>(where: string, request: ApiRequest = {}): Promise<ApiAnswer<T>> => {
  try {
    const response = await send(where, request)
    const isText = request.isText === true && response.ok
    const body = isText ? await response.text() : await bodyOf(response)
    if (response.ok) return { type: "done", value: body as T }
    const failure = failureOf(response.status, body)
    if (response.status === 401 && request.token === undefined) {
      signOut("You are not signed in any more: the access token was refused.")
    }
    return failed(failure)
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause
    return failed(unreachable(request))
  }
}

/** A new key for a change. */
export const newKey = (): string =>
  `console-${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`
