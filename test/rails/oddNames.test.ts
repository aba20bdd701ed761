import { CreditFile } from "apportion/rails/nacha"
import { CreditTransfers, Fields } from "apportion/rails/sepa"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parsed } from "./nacha/NodeNacha.js"
import * as Ach from "./nacha/Samples.js"
import { oddNames } from "./OddNames.js"
import * as Sepa from "./sepa/Samples.js"
import { faultsOf } from "./sepa/Xmllint.js"
import { textsOf } from "./sepa/XmlTexts.js"

/** The names that fit into a field, as they are written there; each of the others is refused by the field's path. */
const fitting = (
  field: Fields.TextField,
): ReadonlyArray<readonly [name: string, written: string]> =>
  oddNames.flatMap((name) => {
    const result = Fields.fit(name, field)
    if (Result.isSuccess(result)) return [[name, result.success] as const]
    expect(result.failure).toMatchObject({ path: field.path, value: name })
    return []
  })

const pathsOf = (
  result: Result.Result<unknown, { readonly problems: ReadonlyArray<{ readonly path: string }> }>,
) => (Result.isSuccess(result) ? [] : result.failure.problems.map(({ path }) => path))

describe("200 odd names", () => {
  it("are so many, and all different", () => {
    expect(new Set(oddNames).size).toBe(oddNames.length)
    expect(oddNames.length).toBeGreaterThanOrEqual(200)
  })

  it("stand in a SEPA file as they fit, which a validator and a parser read, or are refused with the field named", async () => {
    const names = fitting(Fields.sepa.name)
    const transfers = names.map(([name], index) =>
      Sepa.transfer({ key: `k${index}`, recipient: { ...Sepa.ada, name } }),
    )
    const file = Result.getOrThrow(CreditTransfers.write(Sepa.batch({ transfers })))
    expect(await faultsOf([file])).toEqual([])
    const payer = 2
    expect(textsOf(file, "Nm").slice(payer)).toEqual(names.map(([, written]) => written))
    const fitted = new Set(names.map(([name]) => name))
    for (const name of oddNames.filter((each) => !fitted.has(each))) {
      const refused = CreditTransfers.write(
        Sepa.batch({ transfers: [Sepa.transfer({ recipient: { ...Sepa.ada, name } })] }),
      )
      expect(pathsOf(refused)).toEqual(["transfers[0].recipient.name"])
    }
    expect(names.length).toBeGreaterThan(80)
    expect(names.length).toBeLessThan(oddNames.length - 80)
  })

  it("stand in an ACH file as they fit, which a public parser reads, or are refused with the field named", () => {
    const names = fitting(Fields.nacha.name)
    const transfers = names.map(([name], index) =>
      Ach.transfer({ key: `k${index}`, recipient: { ...Ach.zoe, name } }),
    )
    const { text } = Result.getOrThrow(CreditFile.write(Ach.batch({ transfers })))
    expect(text.split("\n").every((line) => line.length === 94 || line === "")).toBe(true)
    const entries = parsed(text).batches.flatMap((batch) => batch.entries)
    expect(entries.map(({ receivingCompanyName }) => receivingCompanyName)).toEqual(
      names.map(([, written]) => written),
    )
    const fitted = new Set(names.map(([name]) => name))
    for (const name of oddNames.filter((each) => !fitted.has(each))) {
      const refused = CreditFile.write(
        Ach.batch({ transfers: [Ach.transfer({ recipient: { ...Ach.zoe, name } })] }),
      )
      expect(pathsOf(refused)).toEqual(["transfers[0].recipient.name"])
    }
    expect(names.length).toBeGreaterThan(100)
    expect(names.length).toBeLessThan(oddNames.length - 60)
  })

  it("as references too: each file that is written is whole, and each refusal names the reference", async () => {
    const files: Array<string> = []
    let refused = 0
    for (const reference of oddNames) {
      const sepa = CreditTransfers.write(Sepa.batch({ transfers: [Sepa.transfer({ reference })] }))
      const ach = CreditFile.write(Ach.batch({ transfers: [Ach.transfer({ reference })] }))
      for (const paths of [pathsOf(sepa), pathsOf(ach)]) {
        refused += paths.length
        expect(["", "transfers[0].reference"]).toContain(paths.join())
      }
      if (Result.isSuccess(sepa)) files.push(sepa.success)
      if (Result.isSuccess(ach)) expect(parsed(ach.success.text).batches).toHaveLength(1)
    }
    expect(refused).toBeGreaterThan(150)
    expect(await faultsOf(files)).toEqual([])
  })
})
