/** A statement as the service's own JSON: the payouts with their totals and items, in one list. */
import * as Result from "effect/Result"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { PayoutItem } from "../payouts/PayoutItem.js"
import * as WirePayout from "../wire/Payout.js"
import type { Statement } from "./Statement.js"
import type { StatementPayout } from "./StatementPayout.js"

const indented = (value: unknown, by: string): string =>
  JSON.stringify(value, undefined, 2).replace(/^/gm, by)

/** The end of a payout that has no items yet. */
const noItems = "[]\n    }"

function* payoutTexts(payout: StatementPayout, collaborator: Collaborator): Generator<string> {
  const viewOf = (items: ReadonlyArray<PayoutItem>) =>
    Result.getOrThrow(WirePayout.writeView({ ...payout, items }, collaborator, payout))
  const whole = indented(viewOf([]), "    ")
  yield whole.slice(0, -noItems.length)
  let separator = "["
  for (const items of payout.all()) {
    for (const item of viewOf(items).items) {
      yield `${separator}\n${indented(item, "        ")}`
      separator = ","
    }
  }
  yield separator === "," ? "\n      ]\n    }" : noItems
}

/**
 * `{ "data": [payout …] }`, with everything the store may see. A payout has all its items, those of before
 * the period too: they come to its total.
 */
export function* texts({ sections }: Statement): Generator<string> {
  let separator = '{\n  "data": ['
  for (const { collaborator, payouts } of sections) {
    for (const payout of payouts) {
      yield `${separator}\n`
      yield* payoutTexts(payout, collaborator)
      separator = ","
    }
  }
  yield separator === "," ? "\n  ]\n}\n" : `${separator}]\n}\n`
}
