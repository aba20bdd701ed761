/**
 * The rules of the linter for rule sets.
 *
 * @since 0.5.0
 */

/**
 * How severe a finding is. `error`: sales would fail, or somebody is never paid. `warning`: probably unintended.
 * `note`: worth knowing.
 *
 * @since 0.5.0
 * @category models
 */
export type Severity = "error" | "warning" | "note"

/**
 * The name of a rule.
 *
 * @since 0.5.0
 * @category models
 */
export type CheckRule =
  | "over-allocation"
  | "selects-nothing"
  | "override-circle"
  | "dates-empty"
  | "dates-over"
  | "no-product"
  | "unknown-value"
  | "always-outranked"
  | "redundant"
  | "pays-nothing"
  | "empty-cap"
  | "small-cap"
  | "unreachable-band"
  | "equal-bands"
  | "unfed-advance"
  | "undecided"
  | "same-orders"
  | "overlap"
  | "unpaid-product"
  | "two-ids"
  | "repeated-value"

/**
 * The description of a rule.
 *
 * @since 0.5.0
 * @category models
 */
export interface CheckRuleDescription {
  readonly id: CheckRule
  readonly severity: Severity
  /** The finding, in one sentence. */
  readonly title: string
  /** Why it matters. */
  readonly why: string
  /** What can be done about it. */
  readonly whatToDo: string
}

/**
 * Everything that {@link (check:function)} looks for, the most severe first. Over-allocation is a warning where the
 * policy does not reject it.
 *
 * @since 0.5.0
 * @category constants
 * @example
 * ```ts
 * import { Analysis } from "apportion"
 *
 * Analysis.checkRules[0]?.id // => "over-allocation"
 * Analysis.checkRules[0]?.severity // => "error"
 * ```
 */
export const checkRules: ReadonlyArray<CheckRuleDescription> = [
  {
    id: "over-allocation",
    severity: "error",
    title: "More can be claimed of an item than it brings in.",
    why: "Under the default policy the order that is shown would be refused; under the others collaborators get less than their groups say, or the store pays from its own pocket.",
    whatToDo:
      "Lower a percentage or an amount, or keep the groups from meeting by their links, conditions or dates. If it is meant, choose what the policy does about it. If no discount and no tax is as large as in the order that is shown, say how large they get.",
  },
  {
    id: "selects-nothing",
    severity: "error",
    title: "A link or a condition asks for something that nothing can have.",
    why: "The group pays nobody, whatever is sold.",
    whatToDo: "List the values that are meant, or remove the group.",
  },
  {
    id: "override-circle",
    severity: "error",
    title: "Overrides lead in a circle.",
    why: "Each would be a percentage of what the next one pays, so such agreements are refused.",
    whatToDo: "Remove one of them, or take it from the store.",
  },
  {
    id: "dates-empty",
    severity: "warning",
    title: "No time is within a group's dates.",
    why: "The group pays nobody, whatever is sold.",
    whatToDo: "Correct the dates, or remove the group.",
  },
  {
    id: "dates-over",
    severity: "warning",
    title: "A group ended before the time from which orders are asked about.",
    why: "It takes no part in any order from then on.",
    whatToDo: "Give it a later end if it should go on, or remove it.",
  },
  {
    id: "no-product",
    severity: "warning",
    title: "No product of the catalogue is linked to a group.",
    why: "The group pays nobody for anything that is sold now; often a tag or vendor was renamed or misspelt.",
    whatToDo: "Correct the link's values, or the products.",
  },
  {
    id: "unknown-value",
    severity: "warning",
    title: "A link names a tag, vendor or product that the catalogue doesn't have.",
    why: "The value selects nothing; after NOT it excludes nothing. Often it was renamed or misspelt.",
    whatToDo: "Correct the value, or remove it.",
  },
  {
    id: "always-outranked",
    severity: "warning",
    title: "Wherever a group applies, more specific groups of its collaborator count instead.",
    why: "The group pays nobody, whatever is sold.",
    whatToDo:
      "Remove it, make it more specific, or keep the others from applying everywhere it does.",
  },
  {
    id: "redundant",
    severity: "warning",
    title: "A group could go without a change to what anyone claims.",
    why: "A later change of only one of the two gives surprising payments.",
    whatToDo: "Remove it, or correct what it pays.",
  },
  {
    id: "pays-nothing",
    severity: "warning",
    title: "A group applies, but what it claims is always nothing.",
    why: "Where it counts, its collaborator gets nothing, even where another group would pay.",
    whatToDo: "Give it a percentage or an amount; keep it if it is there to exclude something.",
  },
  {
    id: "empty-cap",
    severity: "warning",
    title: "A group's cap is 0.",
    why: "It pays nothing, whatever is sold, but hides other groups of its collaborator.",
    whatToDo: "Correct the cap, or remove the group.",
  },
  {
    id: "small-cap",
    severity: "warning",
    title: "A cap is below the least that a group pays of an item.",
    why: "Not even the first share of a period is paid whole.",
    whatToDo: "Raise the cap, or lower the amount or the minimum.",
  },
  {
    id: "unreachable-band",
    severity: "warning",
    title: "No sales lead to a band of a group's tiers.",
    why: "Its percentage is never paid: a cap ends what is counted before, or a band below pays nothing, so that the counted share stays where it is.",
    whatToDo: "Correct the bounds or the cap, or count units or the base.",
  },
  {
    id: "equal-bands",
    severity: "warning",
    title: "The percentage is the same on both sides of a bound.",
    why: "The bound changes nothing; often one of the percentages was meant to be another.",
    whatToDo: "Correct the percentage, or remove the band.",
  },
  {
    id: "unfed-advance",
    severity: "warning",
    title: "Nothing is ever paid that an advance could be recouped from.",
    why: "It stays open for ever.",
    whatToDo: "Name groups that pay its collaborator, or settle it in another way.",
  },
  {
    id: "undecided",
    severity: "warning",
    title: "Something was not decided within the budget.",
    why: "What is not decided may be there or not.",
    whatToDo: "Allow more steps, or ask about fewer groups or products at once.",
  },
  {
    id: "same-orders",
    severity: "note",
    title: "Groups of one collaborator always apply together, and each of them is paid.",
    why: "The collaborator is paid twice for the same thing, which may be an entry made twice.",
    whatToDo: "Make one group of them, unless it is meant.",
  },
  {
    id: "overlap",
    severity: "note",
    title: "Where two groups of a collaborator meet, the one that counts is not the obvious one.",
    why: "Either they are equally specific and only their age or id decides, or the more specific one pays less.",
    whatToDo:
      "See whether the right one counts. If not, exclude its values from the other one with NOT, or make it more specific.",
  },
  {
    id: "unpaid-product",
    severity: "note",
    title: "Nobody is ever paid for a product of the catalogue.",
    why: "All of it stays with the store, whatever the order.",
    whatToDo: "Link the product to a group, unless it is the store's own.",
  },
  {
    id: "two-ids",
    severity: "note",
    title: "More can be claimed of a product whose id and external id are both named by rules.",
    why: "A group for products matches by either. Where all groups name products by the same kind of id, no product has two of them.",
    whatToDo: "Nothing, if the ids are of different products; check with the catalogue to be sure.",
  },
  {
    id: "repeated-value",
    severity: "note",
    title: "A group lists the same value twice.",
    why: "Spellings that differ only in case, spaces or Unicode form are one value; another one may have been meant.",
    whatToDo: "Remove one of them, or write what was meant.",
  },
]
