/**
 * How many requests each sender has left: a token, or an address. In any 60 seconds there are at most as many as the limit says;
 * what was refused does not count. Counts are kept in this process only.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

const windowMillis = 60_000

/** Requests that are nearer together than this count as one moment, so that few moments are kept. */
const momentMillis = 100

/** Senders that are kept; beyond, the one that was silent longest is forgotten. */
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

/** What a sender may do now. */
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

/** Counts requests by sender. */
export interface RateLimiter {
  readonly take: (sender: string) => Effect.Effect<Allowance>
  /** Takes back a request that was counted last: it is not to count after all. */
  readonly giveBack: (sender: string) => void
}

export const make = (limit: number): RateLimiter => {
  const usages = new Map<string, Usage>()
  const usageOf = (sender: string): Usage => {
    const usage = usages.get(sender) ?? { moments: [], total: 0 }
    // The map keeps its order of insertion: put in anew, the sender is the one heard of last.
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
