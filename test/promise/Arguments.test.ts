import { makeApportion } from "apportion/promise"
import { afterAll, describe, expect, it } from "vitest"

const apportion = await makeApportion()
afterAll(() => apportion.close())

/** Calls a method as plain JavaScript can: with anything. */
const callWith = async (path: string, args: ReadonlyArray<unknown>): Promise<unknown> => {
  const [service = "", method = ""] = path.includes(".") ? path.split(".") : ["", path]
  const owner: unknown = service === "" ? apportion : Reflect.get(apportion, service)
  const called: unknown = Reflect.get(Object(owner), method)
  if (typeof called !== "function") throw new TypeError(`there is no method ${path}`)
  try {
    return await Reflect.apply(called, owner, args)
  } catch (error) {
    return error
  }
}

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic

const garbage: ReadonlyArray<unknown> = [
  ...[undefined, null, 1, Number.NaN, true, 5n, Symbol("s"), [], {}, cyclic],
  ...[new Date(0), () => 1, new Map(), Object.create(null)],
]

/** Each method, and the names of its arguments that must be texts. */
const methods: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["collaborators.create", ["accountId"]],
  ["collaborators.update", ["accountId", "id"]],
  ["collaborators.get", ["accountId", "id"]],
  ["collaborators.list", ["accountId"]],
  ["groups.create", ["accountId", "collaboratorId"]],
  ["groups.update", ["accountId", "collaboratorId", "groupId"]],
  ["groups.get", ["accountId", "collaboratorId", "groupId"]],
  ["groups.list", ["accountId", "collaboratorId"]],
  ["groups.remove", ["accountId", "collaboratorId", "groupId"]],
  ["products.put", ["accountId"]],
  ["products.remove", ["accountId"]],
  ["products.list", ["accountId"]],
  ["sales.record", ["accountId"]],
  ["sales.preview", ["accountId"]],
  ["sales.refund", ["accountId"]],
  ["sales.previewRefund", ["accountId"]],
  ["sales.get", ["accountId", "orderId"]],
  ["sales.list", ["accountId"]],
  ["sales.replay", ["accountId", "orderId"]],
  ["sales.explain", ["accountId", "orderId", "collaboratorId"]],
  ["pastSales.record", ["accountId"]],
  ["pastSales.refund", ["accountId"]],
  ["pastSales.recordAll", ["accountId"]],
  ["resplits.preview", ["accountId"]],
  ["resplits.propose", ["accountId"]],
  ["resplits.approve", ["accountId", "id"]],
  ["resplits.book", ["accountId", "id"]],
  ["resplits.get", ["accountId", "id"]],
  ["resplits.list", ["accountId"]],
  ["statements.of", ["accountId", "collaboratorId"]],
  ["balances.list", ["accountId"]],
  ["balances.of", ["accountId", "collaboratorId"]],
  ["entries.addIncome", ["accountId", "collaboratorId"]],
  ["payouts.list", ["accountId"]],
  ["payouts.get", ["accountId", "id"]],
  ["payouts.getAsSeen", ["accountId", "id"]],
  ["payouts.history", ["accountId", "id"]],
  ["payouts.listPayable", ["accountId"]],
  ["payouts.addExpense", ["accountId", "id"]],
  ["payouts.addIncome", ["accountId", "id"]],
  ["payouts.removeEntry", ["accountId", "id", "itemId"]],
  ["payouts.setPaid", ["accountId", "id"]],
  ["payouts.closeDue", ["accountId"]],
  ["payouts.pay", ["accountId", "id"]],
  ["payouts.fail", ["accountId", "id", "reason"]],
  ["payouts.retry", ["accountId", "id"]],
  ["audit.payouts", ["accountId"]],
  ["audit.payout", ["accountId", "id"]],
  ["as", ["actor"]],
  ["unitOfWork", ["accountId"]],
  ["once", ["accountId"]],
  ["forgetKeysBefore", ["accountId"]],
]

const pathsOf = (error: unknown): ReadonlyArray<unknown> => {
  const problems: unknown = Reflect.get(Object(error), "problems")
  return Array.isArray(problems) ? problems.map(({ path }) => path) : []
}

describe("what is no text where a text belongs", () => {
  for (const [path, texts] of methods) {
    it(`is refused by ${path}, with the argument's name and value`, async () => {
      for (const value of garbage) {
        const error = await callWith(
          path,
          texts.map(() => value),
        )
        expect(error).toMatchObject({ _tag: "InvalidArgument" })
        expect(pathsOf(error)).toEqual(expect.arrayContaining([...texts]))
        expect(String(Reflect.get(Object(error), "message")).length).toBeLessThan(2_000)
      }
    })
  }
})

describe("anything where something else belongs", () => {
  for (const [path, texts] of methods) {
    it(`is refused by ${path} with a tagged error, or has a meaning`, async () => {
      for (const value of garbage) {
        const ids = texts.map(() => "no-such-id")
        const result = await callWith(path, [...ids, value, value])
        if (!(result instanceof Error)) continue
        expect([path, value, Reflect.get(result, "_tag")]).not.toEqual([path, value, undefined])
        expect([path, value, Reflect.get(result, "_tag")]).not.toEqual([path, value, "Defect"])
      }
    })

    it(`is refused by ${path} with a tagged error when it is keyed`, async () => {
      for (const value of garbage) {
        const ids = texts.map(() => "no-such-id")
        const options = { idempotencyKey: "key" }
        const result = await callWith(path, [...ids, value, options])
        if (!(result instanceof Error)) continue
        expect([path, value, Reflect.get(result, "_tag")]).not.toEqual([path, value, undefined])
        expect([path, value, Reflect.get(result, "_tag")]).not.toEqual([path, value, "Defect"])
      }
    })
  }
})

const refusalOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const withCollaborator = async (accountId: string) => {
  await apportion.collaborators.create(accountId, { id: "ada", currency: "USD" })
  await apportion.groups.create(accountId, "ada", { link: { type: "products.all" }, percent: 10 })
  const item = { id: "1", product: { id: "p" }, quantity: 1, amount: 10_000 }
  await apportion.sales.record(accountId, { id: "o", currency: "USD", items: [item] })
  const { entries } = await apportion.payouts.list(accountId, {})
  return entries[0]?.payout.id ?? ""
}

describe("an object that the caller changes after the call", () => {
  it("was taken as it stood in the call", async () => {
    const payoutId = await withCollaborator("copies")
    const bonus = { amount: 50, name: "Bonus" }
    const keyed = apportion.payouts.addIncome("copies", payoutId, bonus, { idempotencyKey: "b" })
    bonus.amount = 100
    expect((await keyed).total).toBe(1_050)

    const changes = { currency: "EUR" }
    const update = apportion.collaborators.update("copies", "ada", changes)
    changes.currency = "JPY"
    expect((await update).collaborator.currency).toBe("EUR")
  })
})

describe("an idempotency key", () => {
  it("is a text of 1 to 255 characters; anything else is refused, and nothing is done", async () => {
    const payoutId = await withCollaborator("keys")
    for (const key of [null, "", 5, {}, [], "k".repeat(256)]) {
      const args = ["keys", payoutId, { amount: 5, name: "Twice" }, { idempotencyKey: key }]
      const error = await callWith("payouts.addIncome", args)
      expect(pathsOf(error)).toEqual(["options.idempotencyKey"])
    }
    expect((await apportion.payouts.get("keys", payoutId)).total).toBe(1_000)
  })

  it("under a misspelt name is refused, and nothing is done", async () => {
    const payoutId = await withCollaborator("misspelt")
    const args = ["misspelt", payoutId, { amount: 5, name: "Twice" }, { idempotencykey: "k" }]
    const error = await callWith("payouts.addIncome", args)
    expect(pathsOf(error)).toEqual(["options.idempotencykey"])
    expect((await apportion.payouts.get("misspelt", payoutId)).total).toBe(1_000)
  })

  it("is forgotten by Unix seconds alone: milliseconds would forget every key", async () => {
    for (const at of [new Date(), Date.UTC(2026, 0, 1), 1.5, Number.POSITIVE_INFINITY]) {
      expect(pathsOf(await callWith("forgetKeysBefore", ["keys", at]))).toEqual(["at"])
    }
  })
})

describe("lists and filters", () => {
  it("with a misspelt field are refused, so that they do not list everything", async () => {
    const misspelt = await callWith("payouts.list", ["shop", { colaboratorId: "ada" }])
    expect(pathsOf(misspelt)).toEqual(["filter.colaboratorId"])
    for (const name of ["paid", "expected"]) {
      const filter = { status: "paid", [name]: { start: 1 } }
      const inRange = await callWith("payouts.list", ["shop", filter])
      expect(pathsOf(inRange)).toEqual([`filter.${name}.start`])
    }
    const ranges = { paid: { from: 1, to: undefined }, expected: { to: 2 } }
    expect(await callWith("payouts.list", ["shop", ranges])).toEqual({ entries: [], total: 0 })
    const pages = await callWith("sales.list", ["shop", {}, { per_page: 5 }])
    expect(pathsOf(pages)).toEqual(["page.per_page"])
  })

  it("of keys hold texts: a text alone is no list of its letters", async () => {
    expect(pathsOf(await callWith("products.remove", ["shop", "abc"]))).toEqual(["keys"])
    expect(pathsOf(await callWith("products.remove", ["shop", ["a", 5]]))).toEqual(["keys[1]"])
  })
})

describe("sales of the past and re-splits", () => {
  const entriesOf = async (entries: unknown) =>
    pathsOf(await callWith("pastSales.recordAll", ["shop", entries, { paidUntil: 1 }]))

  it("are told of each entry that is neither a sale nor a refund, or both", async () => {
    const [sale, refund] = [{ id: "1001" }, { id: "r1" }]
    expect(await entriesOf([{ sale, refund }, null, {}, { order: sale }, [], "1001"])).toEqual([
      ...["entries[0]", "entries[1]", "entries[2]", "entries[3].order", "entries[3]"],
      ...["entries[4]", "entries[5]"],
    ])
    expect(await entriesOf([{ sale }, { refund, sale: undefined }])).toEqual([])
  })

  it("are imported as paid up to a date: it has its one name", async () => {
    const args = ["shop", [], { paid_until: 5 }]
    expect(pathsOf(await callWith("pastSales.recordAll", args))).toEqual(["options.paid_until"])
  })

  it("are split again when it is said which: nothing does not mean all", async () => {
    const of = async (request: unknown) =>
      pathsOf(await callWith("resplits.preview", ["shop", request]))
    expect(await of(undefined)).toEqual(["request"])
    expect(await of({ orderIds: "1001" })).toEqual(["request.orderIds"])
    expect(await of({ orderIds: ["1001", 5] })).toEqual(["request.orderIds[1]"])
    expect(await of({ sales: { collaboratorId: 5 } })).toEqual(["request.sales.collaboratorId"])
    expect(await of({ sales: { productId: "" } })).toEqual(["request.sales.productId"])
    expect(await of({ sale: {} })).toEqual(["request.sale"])
    expect(await callWith("resplits.preview", ["shop", {}])).toMatchObject({ sales: 0 })
  })
})

describe("options", () => {
  const made = (options: object) => refusalOf(Reflect.apply(makeApportion, undefined, [options]))

  it("that are misspelt or of the wrong kind are refused: nothing is kept in memory by accident", async () => {
    expect(pathsOf(await made({ storge: {} }))).toEqual(["storge"])
    expect(pathsOf(await made({ storage: {} }))).toEqual(["storage"])
    expect(pathsOf(await made({ tokens: 5, now: 5, log: {} }))).toEqual(["tokens", "log", "now"])
    expect(await made({ settings: { timezone: "UTC" } })).toMatchObject({ _tag: "InvalidSettings" })
    expect(await refusalOf(Reflect.apply(makeApportion, undefined, [null]))).toMatchObject({
      _tag: "InvalidArgument",
    })
  })

  it("of the time give whole Unix seconds: milliseconds are told at the start", async () => {
    const january = 1_767_225_600
    const wrong = [
      ...[january * 1_000, Number.NaN, Number.POSITIVE_INFINITY, -62_135_596_801, 253_402_300_800],
      ...[undefined, "1767225600", BigInt(january), new Date(0), Promise.resolve(january)],
    ]
    for (const value of wrong) {
      const error = await made({ now: () => value })
      expect(error).toMatchObject({ _tag: "InvalidArgument", problems: [{ path: "now", value }] })
    }
    expect(await made({ now: () => january * 1_000 })).toMatchObject({
      message: "now: must give whole Unix seconds within the years 1 to 9999, gave 1767225600000",
    })
    const thrown = await made({
      now: () => {
        throw new Error("no clock")
      },
    })
    expect(pathsOf(thrown)).toEqual(["now"])
  })

  it("of the time may give fractions of a second, of which the whole seconds count", async () => {
    const fine = await makeApportion({ now: () => 1_767_225_600.123_4 })
    await fine.collaborators.create("shop", { id: "ada", currency: "USD" })
    await fine.groups.create("shop", "ada", { link: { type: "products.all" }, percent: 10 })
    const item = { id: "1", product: { id: "p" }, quantity: 1, amount: 10_000 }
    const order = { id: "o", currency: "USD", items: [item] }
    const { parts } = await fine.sales.record("shop", order)
    expect(parts[0]?.recordedAt).toBe(1_767_225_600)
    await fine.close()
  })

  it("of rates that never change name two currencies and a decimal text", async () => {
    const error = await made({
      exchangeRates: {
        ...{ "EUR/USD": "1.08", "USD/JPY": "150,25", "GBP/USD": 1.3, "CHF/USD": undefined },
        ...{ EURUSD: "1.08", "eur/usd": "1.08", "EUR/XYZ": "1", "EUR/USD/JPY": "1", "": "1" },
      },
    })
    expect(pathsOf(error)).toEqual([
      ...["exchangeRates.USD/JPY", "exchangeRates.GBP/USD", "exchangeRates.CHF/USD"],
      ...["exchangeRates.EURUSD", "exchangeRates.eur/usd", "exchangeRates.EUR/XYZ"],
      ...["exchangeRates.EUR/USD/JPY", "exchangeRates."],
    ])
    expect(await made({ exchangeRates: { EURUSD: "1.08" } })).toMatchObject({
      message: "exchangeRates.EURUSD: must be named by two currency codes, as EUR/USD",
    })
    expect(await made({ exchangeRates: { "EUR/USD": "0" } })).toMatchObject({
      problems: [{ path: "exchangeRates.EUR/USD", value: "0" }],
    })
    for (const exchangeRates of [new Map([["EUR/USD", "1.08"]]), ["1.08"]]) {
      expect(pathsOf(await made({ exchangeRates }))).toEqual(["exchangeRates"])
    }
  })

  it("of tokens name each token and its account", async () => {
    const tokens = [
      { token: "t1", accountId: "shop" },
      { token: "t2", account: "shop" },
      { token: "", accountId: 5 },
      "t3",
      undefined,
    ]
    const error = await made({ tokens })
    expect(pathsOf(error)).toEqual([
      ...["tokens[1].account", "tokens[1].accountId"],
      ...["tokens[2].token", "tokens[2].accountId", "tokens[3]", "tokens[4]"],
    ])
    expect(pathsOf(await made({ tokens: { token: "t1", accountId: "shop" } }))).toEqual(["tokens"])
  })

  it("of tokens are refused without telling what may be a secret", async () => {
    const secret = "paper-heron"
    const wrong = [
      ...[secret, [secret], [{ tokn: secret, accountId: "shop" }], { token: secret }],
      ...[[{ token: [secret], accountId: "shop" }], [{ accountId: [secret], token: "t1" }]],
    ]
    for (const tokens of wrong) {
      const error = await made({ tokens })
      expect(error).toMatchObject({ _tag: "InvalidArgument" })
      expect(JSON.stringify([error, String(error)])).not.toContain(secret)
    }
  })
})
