/**
 * How many requests each token has left. In any 60 seconds there are at most as many as the limit says;
 * what was refused does not count. Counts are kept in this process only.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

const windowMillis = 60_000

/** Requests that are nearer together than this count as one moment, so that few moments are kept. */
const momentMillis = 100

/** Tokens that are kept; beyond, the one that was silent longest is forgotten. */
const mostTokens = 10_000

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

/** What a token may do now. */
export interface Allowance {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds after which there is something left again; 0 when there is now. */
  readonly retryAfterSeconds: number
}

/** Forgets what lies a whole minute back. A clock that was set back forgets nothing too early. */
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

/** Counts requests by token. */
export interface RateLimiter {
  readonly take: (token: string) => Effect.Effect<Allowance>
}

export const make = (limit: number): RateLimiter => {
  const usages = new Map<string, Usage>()
  const usageOf = (token: string): Usage => {
    const usage = usages.get(token) ?? { moments: [], total: 0 }
    // The map keeps its order of insertion: put in anew, the token is the one heard of last.
    usages.delete(token)
    usages.set(token, usage)
    if (usages.size > mostTokens) {
      const [silent] = usages.keys()
      if (silent !== undefined) usages.delete(silent)
    }
    return usage
  }
  const takeAt = (token: string, now: number): Allowance => {
    const usage = usageOf(token)
    forgetOld(usage, now)
    if (usage.total >= limit) {
      const retryAfterSeconds = secondsUntilFree(usage, now)
      return { isAllowed: false, limit, remaining: 0, retryAfterSeconds }
    }
    count(usage, now)
    return { isAllowed: true, limit, remaining: limit - usage.total, retryAfterSeconds: 0 }
  }
  return { take: (token) => Effect.map(Clock.currentTimeMillis, (now) => takeAt(token, now)) }
}
