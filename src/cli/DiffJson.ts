/** How two rule sets differ, for programs. */
import * as WireOrder from "../wire/Order.js"
import * as WireSplit from "../wire/Split.js"
import { amountsOf, type Differing, type Outcome, outcomeOf } from "./Differing.js"
import * as Json from "./Json.js"

const outcomeJson = (outcome: Outcome) =>
  outcome._tag === "Refused"
    ? { error: WireSplit.writeError(outcome.error).error }
    : { explanation: outcome.explanation }

const witnessJson = ({ one, other, policy, found }: Differing) => {
  if (found.witness === null) return null
  const { order, attributeCount, isSmallest } = found.witness
  const [before, after] = [outcomeOf(one, order, policy), outcomeOf(other, order, policy)]
  return {
    order: WireOrder.write(order),
    attributeCount,
    isSmallest,
    amounts: amountsOf(before, after).map(({ collaboratorId, ...amounts }) => ({
      collaboratorId,
      a: amounts.one,
      b: amounts.other,
    })),
    a: outcomeJson(before),
    b: outcomeJson(after),
  }
}

/** The document. */
export function* texts(differing: Differing): Generator<string> {
  const document = {
    a: differing.one.name,
    b: differing.other.name,
    verdict: differing.found.verdict,
    changes: differing.changes,
    witness: witnessJson(differing),
  }
  yield `${JSON.stringify(Json.inSnakeCase(document), undefined, 2)}\n`
}
