/** Shared ways of choosing between values. */
import fc from "fast-check"

/** The largest safe integer: the largest amount of money there is. */
export const most = Number.MAX_SAFE_INTEGER

/** A value, or `undefined` about as often. */
export const orUndefined = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 })

/** A value, or `null` about as often. */
export const orNull = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null> =>
  fc.option(arbitrary, { freq: 2 })

/** Occasionally a value, else `null`. */
export const seldom = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

/** A value, `null`, or `undefined`, each often. */
export const orNothing = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null | undefined> =>
  fc.oneof({ weight: 1, arbitrary: fc.constantFrom(null, undefined) }, { weight: 2, arbitrary })

/** Texts of certain characters. */
export const ofLetters = (
  letters: string,
  options: { readonly minLength: number; readonly maxLength: number },
): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom(...letters), ...options })

/** The range of a number; an absent end is the extreme. */
export interface Range {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/**
 * Whole numbers of a range: often the notable ones in it and its ends, mostly those of the usual part, and any others.
 */
export const integers = (
  range: { readonly min: number; readonly max: number },
  { notable, usual }: { readonly notable: ReadonlyArray<number>; readonly usual: Required<Range> },
): fc.Arbitrary<number> => {
  const { min, max } = range
  const within = [...new Set([...notable, min, max])].filter((n) => n >= min && n <= max)
  const middle = {
    min: Math.max(min, Math.min(usual.min ?? min, max)),
    max: Math.min(max, Math.max(usual.max ?? max, min)),
  }
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...within) },
    { weight: 6, arbitrary: fc.integer(middle) },
    { weight: 1, arbitrary: fc.integer(range) },
  )
}

/** How large amounts may be. */
export interface AmountRange {
  /** `usual`: at most a few hundred units of money; `any`, the default: up to the exact range. */
  readonly amounts?: "usual" | "any" | undefined
}
