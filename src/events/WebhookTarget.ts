/** Which addresses webhooks may be sent to, so that nobody can make this machine call what only it can reach. */

import * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"

/**
 * A URL to which no webhooks may be sent.
 *
 * @since 0.6.0
 * @category errors
 */
export class RefusedUrl extends TaggedError("RefusedUrl")<{
  readonly url: string
  readonly message: string
}> {}

const longestUrl = 2_000

// Addresses as numbers. A URL has them in their shortest form, however they were written.

const v4Of = (host: string): number | undefined => {
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host)
  if (parts === null) return undefined
  return parts.slice(1).reduce((sum, part) => sum * 256 + Number(part), 0)
}

/** The eight groups of an address in brackets. */
const v6Of = (host: string): ReadonlyArray<number> | undefined => {
  const inner = /^\[(.*)\]$/.exec(host)?.[1] ?? (host.includes(":") ? host : undefined)
  if (inner === undefined) return undefined
  const [head = "", tail] = inner.split("::")
  const groupsOf = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16))
  const [first, last] = [groupsOf(head), groupsOf(tail ?? "")]
  return tail === undefined
    ? first
    : [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}

/** First address and prefix length of each network that is not public. */
const closedV4: ReadonlyArray<readonly [string, number]> = [
  ...([
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
  ] as const),
  ...([
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
  ] as const),
  ...([
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
  ] as const),
  ...([
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ] as const),
]

const isClosedV4 = (address: number): boolean =>
  closedV4.some(([first, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor((v4Of(first) ?? 0) / size)
  })

const isClosedV6 = (groups: ReadonlyArray<number>): boolean => {
  const [first = 0, second = 0, third = 0] = groups
  const [high = 0, low = 0] = groups.slice(6)
  const isEmbedded = groups.slice(0, 5).every((group) => group === 0)
  // ::ffff:a.b.c.d and 64:ff9b::a.b.c.d are addresses of version 4, and 2002:a.b.c.d:: leads to one.
  if (isEmbedded && groups[5] === 0xffff) return isClosedV4(high * 65_536 + low)
  const isTranslated = groups.slice(2, 6).every((group) => group === 0)
  if (first === 0x64 && second === 0xff9b && isTranslated) return isClosedV4(high * 65_536 + low)
  if (first === 0x2002) return isClosedV4(second * 65_536 + third)
  // All public addresses begin with 001; of those, 2001:db8::/32 and 3fff::/20 are for examples, and 2001::/23 for
  // protocols, some of which lead elsewhere.
  const isSpecial = first === 0x2001 && (second < 0x200 || second === 0xdb8)
  return first >> 13 !== 1 || isSpecial || (first === 0x3fff && second < 0x1000)
}

const closedName =
  /(^|\.)(localhost|local|internal|intranet|private|lan|home|corp|svc|onion|test|invalid|arpa)$/

/**
 * Whether an address, or the name of a host, belongs to this machine or to a private network.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { WebhookTarget } from "apportion"
 *
 * WebhookTarget.isPrivate("169.254.169.254") // => true
 * WebhookTarget.isPrivate("[::ffff:10.0.0.1]") // => true
 * WebhookTarget.isPrivate("example.com") // => false
 * ```
 */
export const isPrivate = (host: string): boolean => {
  const normal = normalHost(host)
  if (normal === undefined) return true
  const v4 = v4Of(normal)
  if (v4 !== undefined) return isClosedV4(v4)
  const v6 = v6Of(normal)
  if (v6 !== undefined) return isClosedV6(v6)
  const name = normal.replace(/\.$/, "")
  return !name.includes(".") || closedName.test(name)
}

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)

const normalHost = (host: string): string | undefined => {
  const isBareV6 = host.includes(":") && !host.startsWith("[")
  return parsed(`https://${isBareV6 ? `[${host}]` : host}/`)?.hostname
}

const problemOf = (url: URL | undefined, targets: "public" | "any"): string | undefined => {
  if (url === undefined) return "must be a URL"
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must begin with https:"
  if (url.username !== "" || url.password !== "") return "must have no user and no password in it"
  if (url.hash !== "") return "must have no fragment"
  if (targets === "any") return undefined
  if (url.protocol !== "https:") return "must begin with https:"
  return isPrivate(url.hostname)
    ? "must not lead to this machine or a network of its own"
    : undefined
}

/**
 * Reads the URL of a webhook endpoint. `public`: only https, and no private host; `any`: http too, to any host.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { WebhookTarget } from "apportion"
 * import { Result } from "effect"
 *
 * const url = WebhookTarget.parse("https://example.com/hooks", "public")
 * Result.getOrThrow(url) // => "https://example.com/hooks"
 * Result.isFailure(WebhookTarget.parse("http://localhost:3000", "public")) // => true
 * Result.isSuccess(WebhookTarget.parse("http://localhost:3000", "any")) // => true
 * ```
 */
export const parse = (
  url: string,
  targets: "public" | "any",
): Result.Result<string, RefusedUrl> => {
  const isText = typeof url === "string"
  const read = isText && url.length <= longestUrl ? parsed(url) : undefined
  const problem = problemOf(read, targets)
  if (problem === undefined && read !== undefined) return Result.succeed(read.href)
  // The message does not repeat a password in it, nor a path.
  const shown = read === undefined ? url : `${read.protocol}//${read.host}`
  const message = `the URL of a webhook endpoint ${problem}, got ${show(shown)}`
  return Result.fail(new RefusedUrl({ url: read?.origin ?? "", message }))
}
