import { readFileSync } from "node:fs"
import { type Transfer as AchTransfer, CreditFile } from "apportion/rails/nacha"
import {
  AccountStatement,
  CreditTransfers,
  EndToEndId,
  type Party,
  StatusReport,
  type Transfer,
} from "apportion/rails/sepa"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { collaborators } from "../sampleStore/SampleStore.js"
import { parsed } from "./nacha/NodeNacha.js"
import * as Ach from "./nacha/Samples.js"
import {
  details,
  entry,
  group,
  information,
  report,
  statement,
  transaction,
} from "./sepa/Answers.js"
import * as Sepa from "./sepa/Samples.js"
import { faultsOf } from "./sepa/Xmllint.js"
import { textsOf } from "./sepa/XmlTexts.js"

const Payout = Schema.Struct({
  id: Schema.String,
  currency: Schema.String,
  collaborator: Schema.String,
  total: Schema.Number,
})

const { payouts } = Schema.decodeUnknownSync(Schema.Struct({ payouts: Schema.Array(Payout) }))(
  JSON.parse(readFileSync("docs/sample-store/store.json", "utf8")),
)

const names = new Map(collaborators.map(({ id, account }) => [id, account?.name ?? id]))

const due = (currency: string) =>
  payouts.filter((payout) => payout.currency === currency && payout.total > 0)

const common = ({ id, total, currency, collaborator }: typeof Payout.Type) => ({
  ...{ key: id, amount: total, currency, collaboratorId: collaborator },
  reference: `Your share, payout ${id}`,
})

const nameOf = ({ collaborator }: typeof Payout.Type) => names.get(collaborator) ?? collaborator

const euros = due("EUR").map(
  (payout): Transfer<Party> => ({
    ...common(payout),
    recipient: { ...Sepa.ada, name: nameOf(payout) },
  }),
)

const dollars = due("USD").map(
  (payout): AchTransfer<CreditFile.BankAccount> => ({
    ...common(payout),
    recipient: { ...Ach.zoe, name: nameOf(payout) },
  }),
)

const sumOf = (amounts: ReadonlyArray<{ readonly amount: number }>) =>
  amounts.reduce((sum, { amount }) => sum + amount, 0)

const cents = (text: string | undefined) => Number(text?.replace(".", ""))

describe("the payouts of the sample store", () => {
  it("are in one SEPA file to the cent, which xmllint finds right, and come back from it by their ids", async () => {
    expect(euros.length).toBeGreaterThan(50)
    const file = Result.getOrThrow(CreditTransfers.write(Sepa.batch({ transfers: euros })))
    expect(await faultsOf([file])).toEqual([])
    expect(textsOf(file, "NbOfTxs")[0]).toBe(String(euros.length))
    expect(cents(textsOf(file, "CtrlSum")[0])).toBe(sumOf(euros))
    expect(textsOf(file, "EndToEndId").map(EndToEndId.toKey)).toEqual(euros.map(({ key }) => key))
    expect(textsOf(file, "InstdAmt").map(cents)).toEqual(euros.map(({ amount }) => amount))
  })

  it("are in one ACH file to the cent, as a public parser reads it", () => {
    expect(dollars.length).toBeGreaterThan(90)
    const { text, entries } = Result.getOrThrow(CreditFile.write(Ach.batch({ transfers: dollars })))
    const { file, batches } = parsed(text)
    expect(file.footer).toMatchObject({
      totalCredit: sumOf(dollars),
      entryAndAddendaCount: 2 * dollars.length,
    })
    const read = batches.flatMap((batch) => batch.entries)
    expect(read.map(({ amount }) => amount)).toEqual(dollars.map(({ amount }) => amount))
    expect(entries.map(({ key }) => key)).toEqual(dollars.map(({ key }) => key))
  })

  it("in yen are in neither: the currency is named", () => {
    const [yen] = due("JPY")
    if (yen === undefined) throw new RangeError("the store pays no yen")
    const sepa = CreditTransfers.write(Sepa.batch({ transfers: [Sepa.transfer(common(yen))] }))
    const ach = CreditFile.write(Ach.batch({ transfers: [Ach.transfer(common(yen))] }))
    const refusals = [Result.getOrThrow(Result.flip(sepa)), Result.getOrThrow(Result.flip(ach))]
    const paths = refusals.map(({ problems }) => problems[0]?.path)
    expect(paths).toEqual(["transfers[0].currency", "transfers[0].currency"])
  })

  it("go to the bank and come back as outcomes, each with its own amount", () => {
    const batch = Sepa.batch({ transfers: euros })
    const file = Result.getOrThrow(CreditTransfers.write(batch))
    const ids = textsOf(file, "EndToEndId")
    const amounts = textsOf(file, "InstdAmt")
    // The bank refuses each seventh, books the others, and gets each fifth of those back.
    const isRefused = (place: number) => place % 7 === 0
    const isBack = (place: number) => !isRefused(place) && place % 5 === 0
    const listed = ids.map((id, place) => transaction(id, isRefused(place) ? "RJCT" : "ACSP"))
    const answer = report(group("<GrpSts>PART</GrpSts>") + information(listed.join("")))
    const told = Result.getOrThrow(StatusReport.read(answer, { sent: [batch] }))
    expect(told.map(({ key }) => key)).toEqual(euros.map(({ key }) => key))
    expect(told.map(({ amount }) => amount)).toEqual(euros.map(({ amount }) => amount))
    expect(told.filter(({ type }) => type === "rejected")).toHaveLength(Math.ceil(ids.length / 7))
    const movement = (direction: "CRDT" | "DBIT") => (id: string, place: number) =>
      entry({ direction, amount: amounts[place] ?? "", details: details(id) })
    const booked = ids.flatMap((id, place) =>
      isRefused(place) ? [] : [movement("DBIT")(id, place)],
    )
    const back = ids.flatMap((id, place) => (isBack(place) ? [movement("CRDT")(id, place)] : []))
    const isOurs = (key: string) => euros.some((each) => each.key === key)
    const shown = Result.getOrThrow(
      AccountStatement.read(statement(...booked, ...back), { isOurs }),
    )
    const kept = euros.filter((_, place) => !isRefused(place) && !isBack(place))
    const paid = shown.filter(({ type }) => type === "confirmed")
    const returned = shown.filter(({ type }) => type === "returned")
    const sums = [paid, returned].map((outcomes) =>
      outcomes.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
    )
    expect((sums[0] ?? 0) - (sums[1] ?? 0)).toBe(sumOf(kept))
    expect(returned.map(({ key }) => key)).toEqual(
      euros.filter((_, place) => isBack(place)).map(({ key }) => key),
    )
  })
})
