/** A statement as the service's own JSON: the payouts with their totals and items, in one list. */
import * as Result from "effect/Result"
import * as WirePayout from "../wire/Payout.js"
import type { Statement } from "./Statement.js"

const indented = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(/^/gm, "    ")

/** `{ "data": [payout …] }`, with everything the store may see; a payout at a time. */
export function* texts({ sections }: Statement): Generator<string> {
  let separator = '{\n  "data": ['
  for (const { collaborator, payouts } of sections) {
    for (const payout of payouts) {
      const view = Result.getOrThrow(WirePayout.writeView(payout, collaborator))
      yield `${separator}\n${indented(view)}`
      separator = ","
    }
  }
  yield separator === "," ? "\n  ]\n}\n" : `${separator}]\n}\n`
}
