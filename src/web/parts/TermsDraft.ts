/** Tiers and a cap while they are filled in. */
import * as Result from "effect/Result"
import { type Counted, type CountPeriod, type Per, parse } from "../../terms/Terms.js"

/** What a counter is of, and after what time it begins anew. */
interface Reach {
  readonly per: Per
  readonly period: CountPeriod
}

interface BandDraft {
  /** Units, or cents. `null`: empty. */
  readonly from: number | null
  readonly percent: string | null
}

export interface TiersDraft extends Reach {
  readonly counted: Counted
  readonly bands: ReadonlyArray<BandDraft>
}

export interface CapDraft extends Reach {
  readonly amount: number | null
}

/** Terms of a group; with neither tiers nor a cap it has none. */
export interface TermsDraft {
  readonly tiers: TiersDraft | null
  readonly cap: CapDraft | null
}

export const noTerms: TermsDraft = { tiers: null, cap: null }

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const wholeOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : null

const percentOf = (value: unknown): string | null =>
  typeof value === "number" || typeof value === "string" ? String(value) : null

const oneOf = <Value extends string>(
  values: readonly [Value, ...ReadonlyArray<Value>],
  given: unknown,
): Value => values.find((one) => one === given) ?? values[0]

const reachOf = (value: unknown): Reach => ({
  per: oneOf(["group", "collaborator"], fieldOf(value, "per")),
  period: oneOf(["lifetime", "year", "month", "payout"], fieldOf(value, "period")),
})

const bandsOf = (bands: unknown): ReadonlyArray<BandDraft> =>
  Array.isArray(bands)
    ? Array.from(bands.slice(0, 200), (band: unknown) => ({
        from: wholeOf(fieldOf(band, "from")),
        percent: percentOf(fieldOf(band, "percent")),
      }))
    : []

/** The terms that a group's JSON has; what can't be read of them is empty. */
export const termsDraftOf = (terms: unknown): TermsDraft => {
  const [tiers, cap] = [fieldOf(terms, "tiers"), fieldOf(terms, "cap")]
  return {
    tiers:
      tiers == null
        ? null
        : {
            counted: oneOf(["units", "base", "share"], fieldOf(tiers, "counted")),
            ...reachOf(tiers),
            bands: bandsOf(fieldOf(tiers, "bands")),
          },
    cap: cap == null ? null : { amount: wholeOf(fieldOf(cap, "amount")), ...reachOf(cap) },
  }
}

/** The terms as they are written; `null`: there are none. */
export const termsOf = ({ tiers, cap }: TermsDraft): Partial<TermsDraft> | null =>
  tiers === null && cap === null
    ? null
    : { ...(tiers === null ? {} : { tiers }), ...(cap === null ? {} : { cap }) }

/** What is said of a field that is empty. */
export const needed = "is needed"

/** What is wrong with terms, by the path of the field: `tiers.bands[1].from`. */
export const problemsOfTerms = (terms: TermsDraft): Readonly<Record<string, string>> => {
  const given = termsOf(terms)
  const read = given === null ? undefined : parse(given)
  if (read === undefined || Result.isSuccess(read)) return {}
  return Object.fromEntries(
    read.failure.problems.map(({ path, value, message }) => [
      path,
      value == null ? needed : message,
    ]),
  )
}

/** Tiers to begin with: the percentage that there was, and a band above it to be filled in. */
export const firstTiers = (percent: string | null): TiersDraft => ({
  counted: "units",
  per: "group",
  period: "lifetime",
  bands: [
    { from: 0, percent: percent ?? "10.00" },
    { from: 1_000, percent: percent ?? "10.00" },
  ],
})

export const firstCap: CapDraft = { amount: null, per: "group", period: "month" }

/** With a band above the highest one. */
export const withBand = (tiers: TiersDraft): TiersDraft => {
  const last = tiers.bands.at(-1)
  const from = last === undefined ? 0 : (last.from ?? 0) * 2 || 1_000
  return { ...tiers, bands: [...tiers.bands, { from, percent: last?.percent ?? null }] }
}
