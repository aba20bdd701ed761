/** Agreements in the messages of the catalogue: what a line of one is called, and where one stands. */
import type { english } from "./english.js"
import type { Phrase, Say } from "./Messages.js"

type SayEnglish = Say<typeof english>

/** What a line is about that an agreement booked. */
interface NamedLine {
  readonly kind: "override" | "reserve" | "release" | "recoupment" | "shortfall"
  readonly event: string
  /** The agreement's id. */
  readonly agreement: string
}

/** What a line is called that an agreement booked. Of what is taken back, the amount has the other sign. */
export const linePhrase = (
  say: SayEnglish,
  { kind, event, agreement }: NamedLine,
  amount: number,
): Phrase => {
  switch (kind) {
    case "override": {
      const isReceived = amount > 0 !== (event === "refund")
      return say(isReceived ? "overrideReceived" : "overridePaid", { agreement })
    }
    case "reserve":
      return say("reserveWithheld", { agreement })
    case "release":
      return say("reserveReleased", { agreement })
    case "recoupment":
      return say("advanceRecouped", { agreement })
    case "shortfall":
      return say("guaranteeMadeUp", { agreement })
  }
}

/** An agreement with a balance, and where it stands. An override has none. */
export type Standing =
  | {
      readonly kind: "advance"
      readonly id: string
      readonly currency: string
      readonly amount: number
      readonly balance: { readonly recouped: number; readonly open: number }
    }
  | {
      readonly kind: "reserve"
      readonly id: string
      readonly balance: ReadonlyArray<{
        readonly currency: string
        readonly held: number
        readonly released: number
        readonly reversed: number
        /** In Unix seconds; `null`: nothing is held. */
        readonly nextReleaseAt?: number | null
      }>
    }
  | {
      readonly kind: "guarantee"
      readonly id: string
      readonly currency: string
      readonly amount: number
      /** Unix seconds; the first one after the period. */
      readonly until: number
      readonly balance: { readonly earned: number; readonly shortfall: number | null }
    }

/** How amounts and days are written. */
interface WrittenFigures {
  readonly money: (amount: number, currency: string) => string
  readonly day: (seconds: number) => string
}

/** The name of an agreement, and a phrase for each currency in which it has a balance. */
export const standingPhrases = (
  say: SayEnglish,
  standing: Standing,
  { money, day }: WrittenFigures,
): { readonly name: Phrase; readonly stands: ReadonlyArray<Phrase> } => {
  const name = say(standing.kind, { agreement: standing.id })
  if (standing.kind === "reserve") {
    const stands = standing.balance.map(({ currency, nextReleaseAt: next, ...balance }) => {
      const values = {
        held: money(balance.held, currency),
        released: money(balance.released, currency),
        reversed: money(balance.reversed, currency),
      }
      return next == null
        ? say("reserveStands", values)
        : say("reserveStandsUntil", { ...values, day: day(next) })
    })
    return { name, stands }
  }
  const text = (amount: number) => money(amount, standing.currency)
  if (standing.kind === "advance") {
    const { recouped, open } = standing.balance
    const values = { recouped: text(recouped), amount: text(standing.amount), open: text(open) }
    return { name, stands: [say("advanceStands", values)] }
  }
  const { earned, shortfall } = standing.balance
  const values = {
    ...{ earned: text(earned), amount: text(standing.amount), day: day(standing.until - 1) },
    shortfall: shortfall === null ? "?" : text(shortfall),
  }
  return { name, stands: [say("guaranteeStands", values)] }
}
