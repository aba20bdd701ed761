import { type AgreementItem, Agreements, Balances } from "apportion/agreements"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { advances } from "./golden/advances.js"
import type { Case, Occasion } from "./golden/Case.js"
import { guarantees } from "./golden/guarantees.js"
import { overrides } from "./golden/overrides.js"
import { published } from "./golden/published.js"
import { reserves } from "./golden/reserves.js"
import { linesOf } from "./Histories.js"
import { Oracle, type OracleLine, type OracleReversal, type OracleSale } from "./Oracle.js"

const day = 86_400

/** `ada/g1 1000, ben/g2 500` as pairs. */
const pairs = (text: string): ReadonlyArray<readonly [string, number]> =>
  text === ""
    ? []
    : text.split(", ").map((one) => {
        const [name = "", amount = ""] = one.split(" ")
        return [name, Number(amount)]
      })

const saleOf = (occasion: Extract<Occasion, { readonly sale: string }>): OracleSale => ({
  orderId: occasion.order ?? "1",
  currency: occasion.currency ?? "USD",
  at: (occasion.day ?? 0) * day,
  shares: pairs(occasion.sale).map(([name, amount]) => {
    const [collaboratorId = "", groupId = ""] = name.split("/")
    return { itemId: "1", groupId, collaboratorId, amount }
  }),
  store: [{ itemId: "1", amount: occasion.store ?? 0 }],
})

const reversalOf = (occasion: Extract<Occasion, { readonly refund: string }>): OracleReversal => ({
  orderId: occasion.order ?? "1",
  itemId: "1",
  refundedAt: (occasion.day ?? 0) * day,
  shares: pairs(occasion.refund).map(([groupId, amount]) => ({ groupId, amount })),
  store: occasion.store ?? 0,
})

/** What came of the last occasion, and of all. */
interface Outcome {
  readonly last: ReadonlyArray<OracleLine>
  readonly all: ReadonlyArray<OracleLine>
  readonly balance: (id: string, what: string) => string
}

const byLibrary = ({ agreed, happens }: Case): Outcome => {
  const agreements = Result.getOrThrow(Agreements.read(agreed))
  let balances = Balances.empty
  let last: ReadonlyArray<AgreementItem> = []
  const all: Array<AgreementItem> = []
  for (const one of happens) {
    const posted = Result.getOrThrow(
      "sale" in one
        ? Agreements.post(agreements, balances, saleOf(one))
        : "refund" in one
          ? Agreements.refund(balances, all, reversalOf(one))
          : "release" in one
            ? Agreements.release(agreements, balances, { at: one.release * day })
            : Agreements.close(agreements, balances, { at: one.close * day }),
    )
    last = posted.items
    all.push(...last)
    balances = posted.balances
  }
  const balance = (id: string, what: string) => {
    const advance = agreements.advances.find((one) => one.id === id)
    if (advance !== undefined && what === "open") return String(Balances.open(balances, advance))
    if (what === "held") return String(Balances.heldOf(balances, id, "USD"))
    return String(balances.guarantees.find((one) => one.guaranteeId === id)?.earned ?? 0)
  }
  return { last: last.flatMap(linesOf), all: all.flatMap(linesOf), balance }
}

const byOracle = ({ agreed, happens }: Case): Outcome => {
  const terms = Result.getOrThrow(Agreements.read(agreed))
  const oracle = new Oracle()
  let last: ReadonlyArray<OracleLine> = []
  for (const one of happens) {
    if ("sale" in one) last = oracle.sale(terms, saleOf(one))
    else if ("refund" in one) last = oracle.refund(reversalOf(one))
    else if ("release" in one) last = oracle.release(terms, one.release * day)
    else last = oracle.close(terms, one.close * day)
  }
  const balance = (id: string, what: string) => {
    const advance = terms.advances.find((one) => one.id === id)
    if (advance !== undefined && what === "open") {
      return String(BigInt(advance.amount) - oracle.recouped(id))
    }
    return String(what === "held" ? oracle.heldOf(id, "USD") : oracle.earned(id))
  }
  return { last, all: oracle.lines, balance }
}

const plain = new Set(["share", "store"])

/** Lines as texts; parts of what one reserve withholds of a share together. */
const texts = (lines: ReadonlyArray<OracleLine>): ReadonlyArray<string> => {
  const withheld = new Map<string, OracleLine>()
  for (const line of lines.filter(({ kind }) => kind === "reserve")) {
    const key = JSON.stringify([line.term, line.orderId, line.itemId, line.groupId, line.who])
    const amount = (withheld.get(key)?.amount ?? 0n) + line.amount
    withheld.set(key, { ...line, amount })
  }
  return [...lines.filter(({ kind }) => kind !== "reserve"), ...withheld.values()]
    .filter(({ kind }) => !plain.has(kind))
    .map(({ who, kind, amount }) => `${who ?? "store"} ${kind} ${amount}`)
    .sort()
}

const totalsOf = (lines: ReadonlyArray<OracleLine>): string => {
  const totals = new Map<string, bigint>()
  for (const { who, amount } of lines) {
    totals.set(who ?? "store", (totals.get(who ?? "store") ?? 0n) + amount)
  }
  return [...totals]
    .filter(([, amount]) => amount !== 0n)
    .map(([who, amount]) => `${who} ${amount}`)
    .sort()
    .join(", ")
}

const isAsExpected = (expected: Case, outcome: Outcome): void => {
  expect(texts(outcome.last)).toEqual([...expected.lines].sort())
  expect(totalsOf(outcome.all)).toBe(expected.totals)
  for (const wanted of expected.balances ?? []) {
    const [id = "", what = ""] = wanted.split(" ")
    expect(`${id} ${what} ${outcome.balance(id, what)}`).toBe(wanted)
  }
}

const files = { advances, reserves, guarantees, overrides, "published examples": published }

for (const [name, cases] of Object.entries(files)) {
  describe(`agreements: ${name}`, () => {
    for (const golden of cases) {
      test(`${name}: ${golden.shows}`, () => {
        isAsExpected(golden, byLibrary(golden))
        isAsExpected(golden, byOracle(golden))
      })
    }
  })
}

describe("the golden cases of agreements", () => {
  const all = Object.values(files).flat()

  test("are at least 60, and each says something else", () => {
    expect(all.length).toBeGreaterThanOrEqual(60)
    expect(new Set(all.map(({ shows }) => shows)).size).toBe(all.length)
  })

  test("that others have published say where", () => {
    expect(published.filter(({ source }) => source === undefined)).toEqual([])
  })
})
