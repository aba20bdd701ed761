/** Where agreements and terms stand at the end of a statement: as text for people, and as data. */
import type { AgreementSet } from "../../agreements/Agreement.js"
import * as Balances from "../../agreements/Balances.js"
import { calendarDay } from "../../documents/Figure.js"
import { numberText } from "../../languages/Catalogue.js"
import { english } from "../../languages/english.js"
import { plain, sayIn } from "../../languages/Messages.js"
import { type TermStanding, termPhrases } from "../../languages/TermWords.js"
import type { CountedGroup, CountedRules } from "../../terms/CountedRules.js"
import * as Counters from "../../terms/Counters.js"
import * as TermStand from "../../terms/TermStand.js"
import type { Cap, CountPeriod, Tiers } from "../../terms/Terms.js"
import * as WireAgreement from "../../wire/Agreement.js"
import * as WireCounters from "../../wire/Counters.js"
import * as Table from "../output/Table.js"
import type { StatementAgreements } from "./StatementAgreements.js"

/** What stands at the end; each part is present where the statement has it. */
export interface FinalBalances {
  readonly agreements: StatementAgreements | undefined
  readonly counted:
    | { readonly rules: CountedRules; readonly counters: Counters.Counters }
    | undefined
  readonly timeZone: string
  /** Only what is about this collaborator. */
  readonly collaborator: string | undefined
}

const isAbout = ({ collaborator }: FinalBalances, ...ids: ReadonlyArray<string | null>): boolean =>
  collaborator === undefined || ids.includes(collaborator)

function* titled(
  title: string,
  columns: ReadonlyArray<Table.TableColumn>,
  rows: ReadonlyArray<Table.Cells>,
): Generator<string> {
  if (rows.length === 0) return
  yield `${title}\n`
  for (const line of Table.lines(columns, rows)) yield `  ${line}`
  yield "\n"
}

const text = (title: string): Table.TableColumn => ({ title })
const number = (title: string): Table.TableColumn => ({ title, isNumber: true })

function* advanceTexts(
  final: FinalBalances,
  { advances }: AgreementSet,
  balances: Balances.AgreementBalances,
): Generator<string> {
  const rows = advances.flatMap((advance): ReadonlyArray<Table.Cells> => {
    const { id, collaboratorId, currency, amount, alsoFrom } = advance
    if (!isAbout(final, collaboratorId, ...alsoFrom)) return []
    const open = Balances.open(balances, advance)
    const figures = [amount, amount - open, open].map((one) => Table.figure(one, currency))
    return [[id, collaboratorId, currency, ...figures]]
  })
  const columns = [text("advance"), text("collaborator"), text("currency")]
  yield* titled(
    "Advances",
    [...columns, number("granted"), number("recouped"), number("open")],
    rows,
  )
}

function* reserveTexts(
  final: FinalBalances,
  { reserves }: AgreementSet,
  balances: Balances.AgreementBalances,
): Generator<string> {
  const rows = balances.reserves.flatMap((totals): ReadonlyArray<Table.Cells> => {
    const { reserveId, currency, reserved, released, reversed } = totals
    const owner = reserves.find(({ id }) => id === reserveId)?.collaboratorId ?? null
    if (!isAbout(final, owner)) return []
    const held = Balances.heldOf(balances, reserveId, currency)
    const next = balances.held.find(
      (part) => part.reserveId === reserveId && part.currency === currency,
    )
    return [
      [
        ...[reserveId, owner ?? "", currency],
        ...[reserved, released, reversed, held].map((one) => Table.figure(one, currency)),
        next === undefined ? "" : calendarDay(next.releaseAt, final.timeZone),
      ],
    ]
  })
  const figures = ["withheld", "released", "given back", "held"].map(number)
  const columns = [text("reserve"), text("collaborator"), text("currency"), ...figures]
  yield* titled("Reserves", [...columns, text("next release")], rows)
}

function* guaranteeTexts(
  final: FinalBalances,
  { guarantees }: AgreementSet,
  balances: Balances.AgreementBalances,
): Generator<string> {
  const rows = guarantees.flatMap((guarantee): ReadonlyArray<Table.Cells> => {
    const { id, collaboratorId, currency, amount, until } = guarantee
    if (!isAbout(final, collaboratorId)) return []
    const entry = balances.guarantees.find(({ guaranteeId }) => guaranteeId === id)
    const earned = entry?.earned ?? 0
    const lacking = Balances.shortfall(balances, guarantee)
    const state = entry?.isClosed === true ? "booked" : "open"
    const figures = [amount, earned].map((one) => Table.figure(one, currency))
    const lacks = lacking === null ? "?" : Table.figure(lacking, currency)
    const last = calendarDay(until - 1, final.timeZone)
    return [[id, collaboratorId, currency, ...figures, lacks, last, state]]
  })
  const figures = ["guaranteed", "earned", "lacking"].map(number)
  const columns = [text("guarantee"), text("collaborator"), text("currency"), ...figures]
  yield* titled("Guarantees", [...columns, text("last day"), text("shortfall")], rows)
}

/** A counter with its count. */
interface CounterStand {
  readonly counter: Counters.Counter
  readonly count: number
}

const ownerKey = ({ counted, per, id }: Pick<Counters.Counter, "counted" | "per" | "id">): string =>
  `${counted}/${per}/${id}`

const isOfPeriod: Record<CountPeriod, (name: string) => boolean> = {
  lifetime: (name) => name === "lifetime",
  year: (name) => /^-?\d+$/.test(name),
  month: (name) => /^-?\d+-\d\d$/.test(name),
  payout: (name) => name.startsWith("payout:"),
}

const say = sayIn<typeof english>(english, "en")

const inWords = (standing: TermStanding): string =>
  termPhrases(say, standing, {
    money: Table.money,
    number: (count) => numberText(count, "en"),
    percent: (percent) => `${percent}%`,
  })
    .map(plain)
    .join(", ")

/** What is counted for a group, and where its terms stand at that. */
const countRows = (
  { id, collaboratorId, terms }: CountedGroup,
  counts: ReadonlyMap<string, ReadonlyArray<CounterStand>>,
): ReadonlyArray<Table.Cells> => {
  const rows = (
    counted: Counters.Counter["counted"],
    { per, period }: Tiers | Cap,
    standing: (count: number, currency: string) => TermStanding,
  ): ReadonlyArray<Table.Cells> => {
    const own = counts.get(ownerKey({ counted, per, id: per === "group" ? id : collaboratorId }))
    return (own ?? []).flatMap(({ counter: { currency, period: name }, count }) => {
      if (!isOfPeriod[period](name)) return []
      const figure = counted === "units" ? numberText(count, "en") : Table.figure(count, currency)
      const stand = inWords(standing(count, currency))
      return [[id, collaboratorId, counted, currency, name, figure, stand]]
    })
  }
  const { tiers = null, cap = null } = terms ?? {}
  const ofTiers = (own: Tiers) =>
    rows(own.counted, own, (count, currency) => ({
      ...{ kind: "tiers", currency, counted: own.counted },
      ...TermStand.bandAt(own, count),
    }))
  const ofCap = (own: Cap) =>
    rows("share", own, (count, currency) => ({
      ...{ kind: "cap", currency, amount: own.amount, count },
      left: TermStand.leftUnder(own, count),
    }))
  return [...(tiers === null ? [] : ofTiers(tiers)), ...(cap === null ? [] : ofCap(cap))]
}

function* countTexts(final: FinalBalances): Generator<string> {
  const { counted } = final
  if (counted === undefined) return
  const known = Object.entries(counted.counters).flatMap(([key, count]) => {
    const counter = Counters.read(key)
    return counter === undefined ? [] : [{ counter, count }]
  })
  const counts = Map.groupBy(known, ({ counter }) => ownerKey(counter))
  const rows = counted.rules.counted.flatMap((group) =>
    isAbout(final, group.collaboratorId) ? countRows(group, counts) : [],
  )
  const columns = ["group", "collaborator", "counts", "currency", "period"].map(text)
  yield* titled("Terms", [...columns, number("count"), text("stands")], rows)
}

function* overrideTexts(final: FinalBalances, { paidByStore }: StatementAgreements) {
  if (final.collaborator !== undefined) return
  for (const [currency, amount] of paidByStore) {
    yield `The store paid ${Table.money(amount, currency)} for overrides.\n\n`
  }
}

/** The tables of what stands; nothing without agreements and terms. */
export function* texts(final: FinalBalances): Generator<string> {
  const { agreements: booked } = final
  if (booked !== undefined) {
    yield* advanceTexts(final, booked.agreements, booked.balances)
    yield* reserveTexts(final, booked.agreements, booked.balances)
    yield* guaranteeTexts(final, booked.agreements, booked.balances)
    yield* overrideTexts(final, booked)
  }
  yield* countTexts(final)
}

/** The same as data: the balances of all agreements, and all counters. */
export const json = ({ agreements, counted }: FinalBalances) => ({
  ...(agreements === undefined
    ? undefined
    : { balances: WireAgreement.writeBalances(agreements.balances) }),
  ...(counted === undefined ? undefined : { counters: WireCounters.write(counted.counters) }),
})
