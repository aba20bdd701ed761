/**
 * How the API is served.
 *
 * @since 0.2.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { show, summarize } from "../internal/problems.js"
import { Problem } from "../schema/Problem.js"

/**
 * The options; absent ones have their defaults.
 *
 * @since 0.2.0
 * @category models
 */
export interface HttpOptions {
  /**
   * How many requests a token may send in any 60 seconds, 1 to 1000000, or `"unlimited"`; 60 by default. An address may
   * send as many without a valid token, if the handler knows the address.
   */
  readonly ratePerMinute?: number | "unlimited" | undefined
  /** The longest body that is read, in bytes, 1 to 1073741824; 1 MiB (1048576) by default. */
  readonly bodyLimit?: number | undefined
  /** Title of the OpenAPI document and its page; `Apportion` by default. */
  readonly title?: string | undefined
  /** Description of the OpenAPI document. */
  readonly description?: string | undefined
  /**
   * The public address of the API, such as `https://api.example.com`, for the links in answers; by default it is taken
   * from each request. Needed behind a proxy that uses another name for the API.
   */
  readonly publicUrl?: string | undefined
  /**
   * Returns the IP address of a request, by which requests without a valid token are counted; `undefined`:
   * unknown, and not counted. By default it is unknown to `toWebHandler`, and `layer` takes it from the server's
   * request. Trust a header only if your own proxy sets it.
   *
   * @since 0.6.0
   */
  readonly addressOf?: ((request: Request) => string | undefined) | undefined
  /** Whether each request is logged at level Info; `true` by default. Errors of the service are always logged. */
  readonly logRequests?: boolean | undefined
  /**
   * Returns whether the host is ready, for `/ready`; always ready by default. A promise may take two seconds. If a
   * `Storage` is among the services, `/ready` checks that too.
   */
  readonly isReady?: (() => boolean | Promise<boolean>) | undefined
}

/** Options with their defaults filled in. */
export interface CompleteOptions {
  readonly ratePerMinute: number | "unlimited"
  readonly bodyLimit: number
  readonly title: string
  readonly description: string
  /** Without a slash at its end; `undefined`: taken from each request. */
  readonly publicUrl: string | undefined
  readonly addressOf: (request: Request) => string | undefined
  readonly logRequests: boolean
  readonly isReady: () => boolean | Promise<boolean>
}

const defaults: CompleteOptions = {
  ratePerMinute: 60,
  bodyLimit: 1_048_576,
  title: "Apportion",
  description:
    "Product groups link collaborators to products; payouts say what collaborators are owed.",
  publicUrl: undefined,
  addressOf: () => undefined,
  logRequests: true,
  isReady: () => true,
}

/**
 * Invalid options, with all their problems.
 *
 * @since 0.2.0
 * @category errors
 */
export class InvalidHttpOptions extends Schema.TaggedError<InvalidHttpOptions>()(
  "InvalidHttpOptions",
  { problems: Schema.Array(Problem), message: Schema.String },
) {}

const isWholeWithin = (value: unknown, most: number): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most

const mostPerMinute = 1_000_000
const longestBody = 1_073_741_824

/** Whether links can begin with a value. */
export const isPublicUrl = (value: unknown): boolean => {
  if (typeof value !== "string" || !URL.canParse(value)) return false
  const url = new URL(value)
  return /^https?:$/.test(url.protocol) && url.search === "" && url.hash === ""
}

interface OptionCheck {
  readonly isFine: (value: unknown) => boolean
  readonly expected: string
}

const aText: OptionCheck = { isFine: (value) => typeof value === "string", expected: "a text" }

const checks: { readonly [Name in keyof CompleteOptions]: OptionCheck } = {
  ratePerMinute: {
    isFine: (value) => value === "unlimited" || isWholeWithin(value, mostPerMinute),
    expected: `a whole number from 1 to ${mostPerMinute}, or "unlimited"`,
  },
  bodyLimit: {
    isFine: (value) => isWholeWithin(value, longestBody),
    expected: `a whole number from 1 to ${longestBody}`,
  },
  title: aText,
  description: aText,
  publicUrl: { isFine: isPublicUrl, expected: "an http or https URL without a query" },
  logRequests: { isFine: (value) => typeof value === "boolean", expected: "true or false" },
  addressOf: { isFine: (value) => typeof value === "function", expected: "a function" },
  isReady: { isFine: (value) => typeof value === "function", expected: "a function" },
}

const checkOf = (name: string): OptionCheck | undefined =>
  Object.entries(checks).find(([known]) => known === name)?.[1]

const problemOf = (path: string, value: unknown): Problem | undefined => {
  const check = checkOf(path)
  if (check === undefined) {
    const known = Object.keys(checks).join(", ")
    return { path, value, message: `is no option; the options are ${known}` }
  }
  if (check.isFine(value)) return undefined
  return { path, value, message: `must be ${check.expected}, got ${show(value)}` }
}

/** Checks options and fills in what is absent; all problems are reported at once. */
export const completeOptions = (
  options: HttpOptions = {},
): Result.Result<CompleteOptions, InvalidHttpOptions> => {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const problems = given
    .map(([name, value]) => problemOf(name, value))
    .filter((problem) => problem !== undefined)
  if (problems.length > 0) {
    return Result.fail(new InvalidHttpOptions({ problems, message: summarize(problems) }))
  }
  return Result.succeed({
    ratePerMinute: options.ratePerMinute ?? defaults.ratePerMinute,
    bodyLimit: options.bodyLimit ?? defaults.bodyLimit,
    title: options.title ?? defaults.title,
    description: options.description ?? defaults.description,
    publicUrl: options.publicUrl?.replace(/\/+$/, ""),
    addressOf: options.addressOf ?? defaults.addressOf,
    logRequests: options.logRequests ?? defaults.logRequests,
    isReady: options.isReady ?? defaults.isReady,
  })
}
