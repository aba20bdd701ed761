import { AccountStatement, StatusReport } from "apportion/rails/sepa"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  because,
  details,
  entry,
  group,
  information,
  report,
  statement,
  transaction,
} from "./Answers.js"

const answers = [
  statement(
    entry({ details: details("payout-1", '<Amt Ccy="EUR">100.00</Amt>') }),
    entry({
      direction: "CRDT",
      details: details("payout-2", "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>"),
    }),
    entry({ details: "<Btch><PmtInfId>payouts-2026-11</PmtInfId></Btch>" }),
  ),
  report(
    group("<GrpSts>PART</GrpSts>") + information(transaction("payout-1", "RJCT", because("AC04"))),
  ),
]

const piece = fc.oneof(
  fc.constantFrom(
    "<",
    ">",
    "&",
    "]]>",
    "<!DOCTYPE a>",
    "&a;",
    "\u0000",
    "<Ntry>",
    "</Ntry>",
    "-1",
    "1e9",
    "NaN",
  ),
  fc.constantFrom("7", "x", ""),
  fc.string({ maxLength: 6 }),
)

const onFailure = ({ problems }: { readonly problems: ReadonlyArray<unknown> }) => {
  expect(problems.length).toBeGreaterThan(0)
  return problems.length
}

describe("an answer of a bank with a part of it changed", () => {
  it("is read, or refused with its problems, and never fails otherwise", () => {
    let [read, refused] = [0, 0]
    fc.assert(
      fc.property(
        fc.constantFrom(...answers),
        fc.nat(),
        fc.constantFrom(0, 1, 1, 2, 8, 40),
        piece,
        (answer, at, length, instead) => {
          const from = at % answer.length
          const changed = answer.slice(0, from) + instead + answer.slice(from + length)
          const failed = [
            Result.match(AccountStatement.readAll(changed), { onSuccess: () => 0, onFailure }),
            Result.match(StatusReport.read(changed), { onSuccess: () => 0, onFailure }),
          ]
          read += failed.filter((problems) => problems === 0).length
          refused += failed.filter((problems) => problems > 0).length
        },
      ),
      { numRuns: 600 },
    )
    expect(read).toBeGreaterThan(15)
    expect(refused).toBeGreaterThan(100)
  })
})
