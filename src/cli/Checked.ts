/** What a check found, with what is needed to tell it. */
import type { Analysis } from "../index.js"
import type { RuleSet } from "../matching/RuleSet.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"

/** What was found, and in what. */
export interface Checked {
  /** The input of the groups, as the user calls it. */
  readonly name: string
  /** Whether that is a file, which others can open too. */
  readonly isFile: boolean
  readonly rules: RuleSet
  readonly policy: SplitPolicy
  /** Whether there was a catalogue. */
  readonly isKnown: boolean
  /** The line on which a group begins. */
  readonly lines: ReadonlyMap<string, number>
  /** The findings that are to be told. */
  readonly findings: ReadonlyArray<Analysis.Finding>
  /** How many of each severity were found, told or not. */
  readonly counts: { readonly [Severity in Analysis.Severity]: number }
  /** How many findings of a kind a text tells. */
  readonly shown: number
  readonly proved: ReadonlyArray<Analysis.Proof>
}

/** The severities, the gravest first. */
export const severities: readonly ["error", "warning", "note"] = ["error", "warning", "note"]

/** Whether one severity is as grave as another, or graver. */
export const isAtLeast = (one: Analysis.Severity, other: Analysis.Severity): boolean =>
  severities.indexOf(one) <= severities.indexOf(other)
