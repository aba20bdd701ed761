/** The fields of tiers and a cap. */
import type { JSX } from "preact"
import { useRef } from "preact/hooks"
import { Button } from "./Button.js"
import { CheckField, SelectField } from "./Field.js"
import { PercentField, WholeField } from "./Money.js"
import {
  type CapDraft,
  firstCap,
  firstTiers,
  type TermsDraft,
  type TiersDraft,
  withBand,
} from "./TermsDraft.js"
import { type AmountWords, termsInWords } from "./TermsWords.js"

/** A field for an amount, as each page has it: in a currency, or in the lowest unit of any. */
export type AmountInput = (given: {
  readonly label: string
  readonly value: number | null
  readonly problem: string | undefined
  readonly onValue: (value: number | null) => void
}) => JSX.Element

interface TermsProps {
  readonly terms: TermsDraft
  readonly change: (terms: TermsDraft) => void
  /** What is wrong, by the path of the field below `terms`. */
  readonly problems: Readonly<Record<string, string>>
  /** Whether the group pays a percentage, in whose place tiers can stand; and which. */
  readonly paysPercent: boolean
  readonly percent: string | null
  readonly amountInput: AmountInput
  readonly amountWords: AmountWords
}

const countedChoices = [
  ["units", "Units sold"],
  ["base", "Sales in money: what the percentage is of"],
  ["share", "What was paid, in money"],
] as const

const perChoices = [
  ["group", "By this group"],
  ["collaborator", "By all groups of the collaborator"],
] as const

const periodChoices = [
  ["lifetime", "Never"],
  ["year", "Each year"],
  ["month", "Each month"],
  ["payout", "With each payout"],
] as const

const Reach = <Draft extends TiersDraft | CapDraft>(given: {
  readonly draft: Draft
  readonly change: (draft: Draft) => void
}): JSX.Element => {
  const { draft, change } = given
  return (
    <>
      <SelectField
        label="Counted together"
        value={draft.per}
        choices={perChoices}
        onValue={(per) => change({ ...draft, per })}
      />
      <SelectField
        label="Begins anew"
        value={draft.period}
        choices={periodChoices}
        onValue={(period) => change({ ...draft, period })}
      />
    </>
  )
}

type TierProps = Pick<TermsProps, "problems" | "amountInput"> & {
  readonly tiers: TiersDraft
  readonly change: (tiers: TiersDraft) => void
}

const boundLabel = { units: "from units", base: "from sales of", share: "from paid" } as const

/** From where a band is; the first is from 0, unless a text of JSON says otherwise. */
const Bound = (given: TierProps & { readonly place: number }): JSX.Element | null => {
  const { tiers, change, problems, amountInput, place } = given
  const from = tiers.bands[place]?.from ?? null
  if (place === 0 && from === 0) return null
  const field = {
    label: `Band ${place + 1}: ${boundLabel[tiers.counted]}`,
    value: from,
    problem: problems[`tiers.bands[${place}].from`],
    onValue: (from: number | null) =>
      change({
        ...tiers,
        bands: tiers.bands.map((band, at) => (at === place ? { ...band, from } : band)),
      }),
  }
  return tiers.counted === "units" ? <WholeField {...field} /> : amountInput(field)
}

const Bands = (given: TierProps): JSX.Element => {
  const { tiers, change, problems } = given
  const box = useRef<HTMLDivElement>(null)
  const { bands } = tiers
  const remove = (place: number) => {
    change({ ...tiers, bands: bands.toSpliced(place, 1) })
    // The button that was pressed is gone.
    box.current?.querySelector<HTMLElement>(":scope > .row button")?.focus()
  }
  return (
    <div ref={box}>
      {bands.map(({ percent }, place) => (
        // Bands are told apart by their place: their bounds are being typed.
        <div key={`band ${place}`} class="band-fields">
          <Bound {...given} place={place} />
          <PercentField
            label={`Band ${place + 1}${place === 0 ? ", from the first" : ""}: percentage`}
            value={percent}
            problem={problems[`tiers.bands[${place}].percent`]}
            onValue={(percent) =>
              change({
                ...tiers,
                bands: bands.map((band, at) => (at === place ? { ...band, percent } : band)),
              })
            }
          />
          {place > 0 && (
            <Button kind="plain" name={`Remove band ${place + 1}`} onPress={() => remove(place)}>
              Remove
            </Button>
          )}
        </div>
      ))}
      {problems["tiers.bands"] !== undefined && (
        <p class="field-problem">{problems["tiers.bands"]}</p>
      )}
      <div class="row">
        <Button onPress={() => change(withBand(tiers))}>Add a band</Button>
      </div>
    </div>
  )
}

const Tiers = (given: TierProps): JSX.Element => {
  const { tiers, change, problems } = given
  return (
    <fieldset class="term">
      <legend>Tiers</legend>
      <div class="pair">
        <SelectField
          label="What is counted"
          value={tiers.counted}
          choices={countedChoices}
          problem={problems["tiers.counted"]}
          onValue={(counted) => change({ ...tiers, counted })}
        />
        <Reach draft={tiers} change={change} />
      </div>
      <Bands {...given} />
    </fieldset>
  )
}

const Cap = (given: {
  readonly cap: CapDraft
  readonly change: (cap: CapDraft) => void
  readonly problems: TermsProps["problems"]
  readonly amountInput: AmountInput
}): JSX.Element => {
  const { cap, change, problems, amountInput } = given
  return (
    <fieldset class="term">
      <legend>Cap</legend>
      {amountInput({
        label: "At most",
        value: cap.amount,
        problem: problems["cap.amount"],
        onValue: (amount) => change({ ...cap, amount }),
      })}
      <div class="pair">
        <Reach draft={cap} change={change} />
      </div>
    </fieldset>
  )
}

/** What depends on earlier sales, each part behind a box to tick, and all of it in words. */
export const TermsFields = (given: TermsProps): JSX.Element => {
  const { terms, change, problems, paysPercent, percent, amountInput, amountWords } = given
  const { tiers, cap } = terms
  const words = termsInWords(paysPercent ? terms : { tiers: null, cap }, amountWords)
  return (
    <fieldset class="terms" data-form="terms">
      <legend>Depending on earlier sales</legend>
      {paysPercent && (
        <CheckField
          label="The percentage changes with what was sold (tiers)"
          value={tiers !== null}
          onValue={(isTiered) => change({ ...terms, tiers: isTiered ? firstTiers(percent) : null })}
        />
      )}
      {paysPercent && tiers !== null && (
        <Tiers
          tiers={tiers}
          change={(tiers) => change({ ...terms, tiers })}
          problems={problems}
          amountInput={amountInput}
        />
      )}
      <CheckField
        label="At most so much in a period (cap)"
        value={cap !== null}
        onValue={(isCapped) => change({ ...terms, cap: isCapped ? firstCap : null })}
      />
      {cap !== null && (
        <Cap
          cap={cap}
          change={(cap) => change({ ...terms, cap })}
          problems={problems}
          amountInput={amountInput}
        />
      )}
      {words !== "" && (
        <p class="faint" aria-live="polite">
          In words: {words}
        </p>
      )}
    </fieldset>
  )
}
