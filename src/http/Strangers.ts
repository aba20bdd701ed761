/**
 * Requests without a good token, counted by the address that they come from: so many wrong tokens are looked up,
 * and so many pages sent, as one token may make requests. Where a host gives no address, nothing is counted.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as RateLimit from "./RateLimit.js"
import { RateExceeded } from "./RequestError.js"

/** Who may still ask without a good token. */
export interface Strangers {
  /** Counts a request; fails when its address has none left. */
  readonly admit: (address: Option.Option<string>) => Effect.Effect<void, RateExceeded>
  /** Takes back what was counted: the request turned out to have a good token. */
  readonly excuse: (address: Option.Option<string>) => void
}

const mappedIpv4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i

/** The groups of half an IPv6 address, without the zeros in front. */
const groupsOf = (half: string | undefined): ReadonlyArray<string> =>
  half === undefined || half === ""
    ? []
    : half.split(":").map((group) => group.replace(/^0+(?=.)/, ""))

/**
 * What is counted as one sender: an IPv4 address, or the 64 bits of an IPv6 address that name a network, for
 * whoever has one has all the addresses in it.
 */
export const senderOf = (address: string): string => {
  const ipv4 = mappedIpv4.exec(address)?.[1]
  if (ipv4 !== undefined || !address.includes(":")) return ipv4 ?? address
  const [front, back] = address.toLowerCase().replace(/%.*$/, "").split("::", 2)
  const [first, last] = [groupsOf(front), groupsOf(back)]
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0")
  return [...first, ...zeros, ...last].slice(0, 4).join(":")
}

export const exceeded = ({ limit, retryAfterSeconds }: RateLimit.Allowance): RateExceeded =>
  new RateExceeded({
    limit,
    retryAfterSeconds,
    message: `more than ${limit} requests in a minute, try again in ${retryAfterSeconds} seconds`,
  })

export const make = (ratePerMinute: number | "unlimited"): Strangers => {
  if (ratePerMinute === "unlimited") return { admit: () => Effect.void, excuse: () => undefined }
  const limiter = RateLimit.make(ratePerMinute)
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
