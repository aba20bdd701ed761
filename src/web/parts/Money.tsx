/** Amounts, percentages and whole numbers: shown, and typed in. What is typed is read by the library, exactly. */
import * as Result from "effect/Result"
import type { ComponentChildren, JSX } from "preact"
import { useState } from "preact/hooks"
import * as Currency from "../../money/Currency.js"
import * as Percent from "../../money/Percent.js"
import { figure } from "../../orders/Words.js"
import { Field, type FieldProps } from "./Field.js"
import { Verbatim } from "./Verbatim.js"

/** An amount with its currency: `19.99 USD`. */
export const Money = ({
  cents,
  currency,
}: {
  /** In the currency's lowest unit. */
  readonly cents: number | bigint
  readonly currency: string
}): JSX.Element => (
  <span class="figure">
    {figure(cents, currency)}
    {currency === "" ? "" : " "}
    <Verbatim text={currency} most={8} />
  </span>
)

/** What a field holds whose value is typed as text: its value, or nothing where the text is none. */
interface TypedProps<Value> extends FieldProps {
  readonly value: Value | null
  readonly onValue: (value: Value | null) => void
}

/**
 * The text of a typed field. It stays as it was typed as long as it means the value of the field, so that `12.` can
 * become `12.5`.
 */
const useTyped = <Value,>(
  { value, onValue, problem }: TypedProps<Value>,
  write: (value: Value) => string,
  read: (text: string) => Result.Result<Value, { readonly message: string }>,
) => {
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const written = value === null ? "" : write(value)
  const meaning = typed === undefined || typed.trim() === "" ? undefined : read(typed.trim())
  const isSame =
    meaning === undefined
      ? value === null
      : Result.isFailure(meaning)
        ? value === null
        : value !== null && write(meaning.success) === written
  const text = typed !== undefined && isSame ? typed : written
  const own =
    meaning !== undefined && isSame && Result.isFailure(meaning) ? meaning.failure : undefined
  const onText = (next: string) => {
    setTyped(next)
    const meant = next.trim() === "" ? null : Result.getOrElse(read(next.trim()), () => null)
    onValue(meant)
  }
  return { text, onText, problem: own?.message ?? problem }
}

/** A line of a typed field, with its unit after it. */
const TypedField = ({
  field,
  typed,
  inputMode,
  unit,
}: {
  readonly field: FieldProps
  readonly typed: ReturnType<typeof useTyped>
  readonly inputMode: "decimal" | "numeric"
  readonly unit?: ComponentChildren
}): JSX.Element => (
  <Field
    {...field}
    problem={typed.problem}
    input={(attributes) => (
      <span class="input-with-unit">
        <input
          {...attributes}
          class="input"
          inputMode={inputMode}
          autocomplete="off"
          value={typed.text}
          onInput={({ currentTarget }) => typed.onText(currentTarget.value)}
        />
        {unit}
      </span>
    )}
  />
)

/** Whether a text is an amount of the currency in form, so that nothing but its size is wrong. */
const isWellFormed = (text: string, currency: string): boolean => {
  const digits = Result.getOrElse(Currency.minorDigits(currency), () => 0)
  const [, decimals = ""] = /^-?\d+(?:\.(\d+))?$/.exec(text) ?? [text, "none of them at all"]
  return decimals.length <= digits
}

/** What is typed as people type amounts; what is wrong with it in their words. */
const readAmount = (
  text: string,
  currency: string,
): Result.Result<number, { readonly message: string }> =>
  Result.mapError(Currency.parseAmount(text, currency), () => ({
    message: isWellFormed(text, currency)
      ? `is too large: at most ${figure(Number.MAX_SAFE_INTEGER, currency)}`
      : `must be digits, as ${figure(1_250, currency)}, without a sign for the currency`,
  }))

/** A field for an amount in decimals of a currency; its value is in the lowest unit, `null` when empty or unreadable. */
export const MoneyField = (
  props: TypedProps<number> & { readonly currency: string },
): JSX.Element => {
  const { currency } = props
  const typed = useTyped(
    props,
    (cents) => figure(cents, currency),
    (text) => readAmount(text, currency),
  )
  const unit = <Verbatim text={currency} most={8} />
  return <TypedField field={props} typed={typed} inputMode="decimal" unit={unit} />
}

const readPercent = (text: string): Result.Result<string, Percent.InvalidPercent> =>
  Result.map(Percent.parse(text.replace(/\s*%$/, "")), Percent.format)

/** A field for a percentage; its value is a text such as `12.50`, `null` when empty or unreadable. */
export const PercentField = (props: TypedProps<string>): JSX.Element => {
  const typed = useTyped(props, (percent) => percent, readPercent)
  return <TypedField field={props} typed={typed} inputMode="decimal" unit="%" />
}

const readWhole = (text: string): Result.Result<number, { readonly message: string }> => {
  const number = Number(text)
  return /^-?\d+$/.test(text) && Number.isSafeInteger(number)
    ? Result.succeed(number)
    : Result.fail({ message: "must be a whole number, without points or commas" })
}

/** A field for a whole number; `null` when empty or unreadable. */
export const WholeField = (props: TypedProps<number>): JSX.Element => {
  const typed = useTyped(props, String, readWhole)
  return <TypedField field={props} typed={typed} inputMode="numeric" />
}
