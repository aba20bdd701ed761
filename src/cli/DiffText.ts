/** How two rule sets differ, for people. */
import type { Order } from "../matching/Order.js"
import * as Explanation from "../shares/Explanation.js"
import { amountsOf, type Differing, type Outcome, outcomeOf, type Side } from "./Differing.js"
import * as GroupChanges from "./GroupChanges.js"
import * as OrderWords from "./OrderWords.js"
import { oneLine } from "./Printable.js"
import * as Table from "./Table.js"

const mostChanges = 100

const changeText = ({
  groupId,
  collaboratorId,
  kind,
  fields,
}: GroupChanges.GroupChange): string => {
  const told = fields.map(
    ({ field, before, after }) =>
      `${field} ${GroupChanges.show(before)} → ${GroupChanges.show(after)}`,
  )
  const what = told.length === 0 ? kind : told.join("; ")
  return `  ${oneLine(`${groupId} (${collaboratorId}): ${what}`)}\n`
}

const changesText = ({ changes }: Differing): string => {
  if (changes.length === 0) return "Groups: no changes\n\n"
  const shown = changes.slice(0, mostChanges).map(changeText)
  const more = changes.length - shown.length
  return `Groups\n${shown.join("")}${more > 0 ? `  and ${more} more\n` : ""}\n`
}

const amountText = (amount: number | null, currency: string): string =>
  amount === null ? "refused" : Table.figure(amount, currency)

const differenceText = (one: number | null, other: number | null, currency: string): string => {
  if (one === null || other === null || one === other) return ""
  return `${other > one ? "+" : ""}${Table.figure(other - one, currency)}`
}

const amountsText = (one: Outcome, other: Outcome, { currency }: Order): string =>
  Table.table(
    [
      { title: "who" },
      { title: "A", isNumber: true },
      { title: "B", isNumber: true },
      { title: "difference", isNumber: true },
    ],
    amountsOf(one, other).map((each) => [
      each.collaboratorId ?? "the store",
      amountText(each.one, currency),
      amountText(each.other, currency),
      differenceText(each.one, each.other, currency),
    ]),
  )

const outcomeText = (letter: string, { name }: Side, outcome: Outcome): string => {
  const lines =
    outcome._tag === "Refused"
      ? [`The order is refused: ${oneLine(outcome.error.message)}.`]
      : Explanation.toText(outcome.explanation).split("\n")
  return [`${letter}: ${name}`, ...OrderWords.indented(lines, "  ")]
    .map((line) => `${line}\n`)
    .join("")
}

const witnessText = ({ one, other, policy, isKnown, found }: Differing): string => {
  if (found.witness === null) return ""
  const { order, isSmallest } = found.witness
  const [before, after] = [outcomeOf(one, order, policy), outcomeOf(other, order, policy)]
  const smallest = isSmallest ? "no order with fewer attributes is" : "a smaller one may be too"
  return [
    `different: this order is split differently (${smallest}):\n`,
    `  ${OrderWords.toLine(order, isKnown)}\n\n`,
    `${amountsText(before, after, order)}\n`,
    outcomeText("A", one, before),
    outcomeText("B", other, after),
  ].join("")
}

const verdictText = (differing: Differing): string => {
  const { found, budget } = differing
  switch (found.verdict) {
    case "equivalent":
      return "equivalent: proved for every order\n"
    case "different":
      return witnessText(differing)
    case "undecided":
      return `undecided: no order was found that is split differently, but not all were ruled out (a larger --budget than ${budget} may decide it, or not)\n`
  }
}

/** The text: what changed in the groups, and what comes of it. */
export function* texts(differing: Differing): Generator<string> {
  yield changesText(differing)
  yield verdictText(differing)
}
