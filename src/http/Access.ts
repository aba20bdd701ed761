/** Access control: the access token of a request, and the rate limit. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StorageFailure } from "../ports/StorageError.js"
import { findHash, hashToken, type StoredToken, type TokensService } from "../ports/Tokens.js"
import { RateExceeded, Unauthorized } from "./Answer.js"

// The rate limit of each sender, which is a token or an address: at most so many requests in any 60 seconds. Refused
// requests don't count. Counts are kept in this process only.

const windowMillis = 60_000

/** Requests closer together than this share one time stamp, which keeps the list short. */
const momentMillis = 100

/** The number of senders that are kept; beyond it, the one that was silent longest is removed. */
const mostSenders = 10_000

interface Moment {
  readonly first: number
  last: number
  count: number
}

interface Usage {
  /** The oldest first; at most `windowMillis / momentMillis` of them. */
  moments: Array<Moment>
  total: number
}

/** What a sender has left now. */
export interface Allowance {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the next request is allowed; 0 if it is allowed now. */
  readonly retryAfterSeconds: number
}

/** Removes stamps that are a minute old. A clock that was set back removes none too early. */
const forgetOld = (usage: Usage, now: number): void => {
  const kept = usage.moments.findIndex(({ last }) => last + windowMillis > now)
  const gone = kept === -1 ? usage.moments : usage.moments.slice(0, kept)
  if (gone.length === 0) return
  usage.total -= gone.reduce((sum, { count }) => sum + count, 0)
  usage.moments = kept === -1 ? [] : usage.moments.slice(kept)
}

const count = (usage: Usage, now: number): void => {
  const newest = usage.moments.at(-1)
  usage.total += 1
  if (newest !== undefined && now - newest.first < momentMillis) {
    newest.last = Math.max(newest.last, now)
    newest.count += 1
  } else {
    usage.moments.push({ first: now, last: now, count: 1 })
  }
}

const secondsUntilFree = (usage: Usage, now: number): number => {
  const oldest = usage.moments[0]
  return oldest === undefined
    ? 1
    : Math.max(1, Math.ceil((oldest.last + windowMillis - now) / 1_000))
}

/** Counts requests by sender. */
export interface RateLimiter {
  readonly take: (sender: string) => Effect.Effect<Allowance>
  /** Uncounts the request that was counted last. */
  readonly giveBack: (sender: string) => void
}

export const makeLimiter = (limit: number): RateLimiter => {
  const usages = new Map<string, Usage>()
  const usageOf = (sender: string): Usage => {
    const usage = usages.get(sender) ?? { moments: [], total: 0 }
    // A map keeps the order of insertion: inserted anew, the sender is the most recent one.
    usages.delete(sender)
    usages.set(sender, usage)
    if (usages.size > mostSenders) {
      const [silent] = usages.keys()
      if (silent !== undefined) usages.delete(silent)
    }
    return usage
  }
  const takeAt = (sender: string, now: number): Allowance => {
    const usage = usageOf(sender)
    forgetOld(usage, now)
    if (usage.total >= limit) {
      const retryAfterSeconds = secondsUntilFree(usage, now)
      return { isAllowed: false, limit, remaining: 0, retryAfterSeconds }
    }
    count(usage, now)
    return { isAllowed: true, limit, remaining: limit - usage.total, retryAfterSeconds: 0 }
  }
  const giveBack = (sender: string): void => {
    const usage = usages.get(sender)
    const newest = usage?.moments.at(-1)
    if (usage === undefined || newest === undefined) return
    usage.total -= 1
    newest.count -= 1
    if (newest.count === 0) usage.moments.pop()
  }
  return {
    take: (sender) => Effect.map(Clock.currentTimeMillis, (now) => takeAt(sender, now)),
    giveBack,
  }
}

// Requests without a valid token are counted by their address, with the limit of a token. Where a host gives no address,
// they are not counted.

/** The rate limit of requests without a valid token. */
export interface Strangers {
  /** Counts a request; fails when its address has none left. */
  readonly admit: (address: Option.Option<string>) => Effect.Effect<void, RateExceeded>
  /** Uncounts a request, whose token turned out to be valid. */
  readonly excuse: (address: Option.Option<string>) => void
}

const mappedIpv4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i

/** The groups of half an IPv6 address, without the zeros in front. */
const groupsOf = (half: string | undefined): ReadonlyArray<string> =>
  half === undefined || half === ""
    ? []
    : half.split(":").map((group) => group.replace(/^0+(?=.)/, ""))

/**
 * What counts as one sender: an IPv4 address, or the first 64 bits of an IPv6 address, because a network of that size
 * usually has one owner.
 */
export const senderOf = (address: string): string => {
  const ipv4 = mappedIpv4.exec(address)?.[1]
  if (ipv4 !== undefined || !address.includes(":")) return ipv4 ?? address
  const [front, back] = address.toLowerCase().replace(/%.*$/, "").split("::", 2)
  const [first, last] = [groupsOf(front), groupsOf(back)]
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0")
  return [...first, ...zeros, ...last].slice(0, 4).join(":")
}

export const exceeded = ({ limit, retryAfterSeconds }: Allowance): RateExceeded =>
  new RateExceeded({
    limit,
    retryAfterSeconds,
    message: `more than ${limit} requests in a minute, try again in ${retryAfterSeconds} seconds`,
  })

export const makeStrangers = (ratePerMinute: number | "unlimited"): Strangers => {
  if (ratePerMinute === "unlimited") return { admit: () => Effect.void, excuse: () => undefined }
  const limiter = makeLimiter(ratePerMinute)
  return {
    admit: Option.match({
      onNone: () => Effect.void,
      onSome: (address) =>
        Effect.flatMap(limiter.take(senderOf(address)), (allowance) =>
          allowance.isAllowed ? Effect.void : Effect.fail(exceeded(allowance)),
        ),
    }),
    excuse: Option.match({
      onNone: () => undefined,
      onSome: (address) => limiter.giveBack(senderOf(address)),
    }),
  }
}

// The owner of a request, by its access token.

const longestToken = 4_096

/**
 * One bearer token. Two headers arrive as one with a comma, and it is unknown which of the two should count, so a token
 * can't contain a comma.
 */
const bearer = /^bearer +([^\s,]+) *$/i

const hasControlCharacter = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

/** The token of an `Authorization` header; `undefined` without one, or with an invalid one. */
export const tokenOf = (header: string | undefined): string | undefined => {
  if (header === undefined || header.length > longestToken + 64) return undefined
  const token = bearer.exec(header)?.[1]
  if (token === undefined || token.length > longestToken || hasControlCharacter(token)) {
    return undefined
  }
  return token
}

/** The number of recently valid tokens that are kept; beyond it, the least recently used one is removed. */
const mostGood = 10_000

/** What access control needs of a request: its `Authorization` header and its address. */
export interface Credentials {
  readonly header: string | undefined
  readonly address: Option.Option<string>
}

/** What is known by a token, and how requests without one or with an unknown one are refused. */
export interface TokenKind<A, E> {
  /** `undefined`: the token is not valid. */
  readonly find: (token: {
    readonly text: string
    readonly hash: string
  }) => Effect.Effect<A | undefined, E>
  readonly missing: string
  readonly unknown: string
}

/** The access tokens of a host. */
export const accessTokens = (tokens: TokensService): TokenKind<StoredToken, StorageFailure> => ({
  find: ({ hash }) => findHash(tokens, hash),
  missing: "an access token is needed, as Authorization: Bearer <token>",
  unknown: "the access token is not known",
})

/**
 * Finds what is known by the token of a request. An address that sent too many wrong tokens is refused without a lookup, which makes
 * guessing useless. A token that was valid before is always looked up, so that a sender can't lock out others at the
 * same address.
 */
export const make = <A, E>(
  kind: TokenKind<A, E>,
  strangers: Strangers,
): ((credentials: Credentials) => Effect.Effect<A, Unauthorized | RateExceeded | E>) => {
  const good = new Set<string>()
  const remember = (hash: string): void => {
    good.delete(hash)
    good.add(hash)
    if (good.size <= mostGood) return
    const [silent] = good
    if (silent !== undefined) good.delete(silent)
  }
  return Effect.fnUntraced(function* ({ header, address }) {
    const token = tokenOf(header)
    if (token === undefined) {
      yield* strangers.admit(address)
      return yield* new Unauthorized({ message: kind.missing })
    }
    const hash = yield* hashToken(token)
    const wasGood = good.has(hash)
    if (!wasGood) yield* strangers.admit(address)
    const excuse = Effect.sync(() => wasGood || strangers.excuse(address))
    const found = yield* Effect.tapError(kind.find({ text: token, hash }), () => excuse)
    if (found === undefined) {
      good.delete(hash)
      return yield* new Unauthorized({ message: kind.unknown })
    }
    yield* excuse
    remember(hash)
    return found
  })
}
