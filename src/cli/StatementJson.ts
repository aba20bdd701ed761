/** A statement as the service's own JSON: the payouts with their totals and items, in one list. */
import * as Result from "effect/Result"
import * as WirePayout from "../wire/Payout.js"
import type { Statement } from "./Statement.js"

/** `{ "data": [payout …] }`, with everything the store may see. */
export const toText = ({ sections }: Statement): string => {
  const data = sections.flatMap(({ collaborator, payouts }) =>
    payouts.map((payout) => Result.getOrThrow(WirePayout.writeView(payout, collaborator))),
  )
  return `${JSON.stringify({ data }, undefined, 2)}\n`
}
