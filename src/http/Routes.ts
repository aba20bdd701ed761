/** Which endpoint a path leads to. Paths are taken as they are: nothing is folded, added or cut off. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as Result from "effect/Result"
import { Api } from "./Api.js"
import { MethodNotAllowed, UnknownPath } from "./ErrorBody.js"

/** An endpoint, and what its definition says about it. */
export interface Route {
  readonly group: string
  readonly endpoint: string
  readonly method: string
  /** As `/payouts/:payout_id`. */
  readonly template: string
  readonly segments: ReadonlyArray<string>
  /** Of its answer. */
  readonly status: number
  readonly takesBody: boolean
  /** Whether it can be asked twice for one effect. */
  readonly takesKey: boolean
}

/** An endpoint that was asked. */
export interface Match {
  readonly route: Route
  readonly params: ReadonlyMap<string, string>
}

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").slice(1)

const readRoutes = (): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, successes }) => {
      const [status = 200] = successes.keys()
      routes.push({
        group: group.identifier,
        endpoint: endpoint.identifier,
        method: endpoint.method,
        template: endpoint.path,
        segments: segmentsOf(endpoint.path),
        status,
        takesBody: endpoint.payload.size > 0,
        takesKey: endpoint.headers !== undefined,
      })
    },
  })
  return routes
}

/** Every endpoint of the API. */
export const routes: ReadonlyArray<Route> = readRoutes()

const prefixes: ReadonlyArray<ReadonlyArray<string>> = [["api", "v1"], ["v1"]]

const withoutPrefix = (segments: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const prefix = prefixes.find((parts) => parts.every((part, index) => segments[index] === part))
  return prefix === undefined ? undefined : segments.slice(prefix.length)
}

const isParameter = (segment: string): boolean => segment.startsWith(":")

const decode = (segment: string): string | undefined =>
  Result.getOrUndefined(Result.try(() => decodeURIComponent(segment)))

/** The parameters of a path that has the form of a route. */
const paramsOf = (
  route: Route,
  segments: ReadonlyArray<string>,
): ReadonlyMap<string, string> | undefined => {
  if (route.segments.length !== segments.length) return undefined
  const params = new Map<string, string>()
  for (const [index, wanted] of route.segments.entries()) {
    const given = segments[index] ?? ""
    if (!isParameter(wanted)) {
      if (given !== wanted) return undefined
      continue
    }
    const value = decode(given)
    if (value === undefined || value === "") return undefined
    params.set(wanted.slice(1), value)
  }
  return params
}

/** The path of a URL that begins with it. */
export const pathOf = (url: string): string => url.replace(/[?#].*$/s, "")

const unknown = new UnknownPath({ message: "there is nothing at this path" })

/** What a path allows when it does not allow a method. */
export const notAllowed = (method: string, methods: ReadonlyArray<string>): MethodNotAllowed => {
  const allowed = methods.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one]))
  const message = `the method ${method.slice(0, 20)} is not allowed here, only ${allowed.join(", ")}`
  return new MethodNotAllowed({ message, allowed })
}

/** `HEAD` is answered as `GET` is, without the body. */
export const effectiveMethod = (method: string): string => (method === "HEAD" ? "GET" : method)

/** The endpoint that a method and a path lead to. */
export const find = (
  method: string,
  path: string,
): Result.Result<Match, UnknownPath | MethodNotAllowed> => {
  const segments = withoutPrefix(segmentsOf(path))
  if (segments === undefined) return Result.fail(unknown)
  const wanted = effectiveMethod(method)
  const methods: Array<string> = []
  for (const route of routes) {
    const params = paramsOf(route, segments)
    if (params === undefined) continue
    if (route.method === wanted) return Result.succeed({ route, params })
    methods.push(route.method)
  }
  return Result.fail(methods.length === 0 ? unknown : notAllowed(method, methods))
}
