/** Orders as platforms give them: refunds inside, orders that are no sales, ids of any size. */
import { afterEach, describe, expect, it } from "vitest"
import {
  creditLine,
  creditNote,
  event,
  invoice,
  invoiceLine,
  refund,
  session,
  sessionLine,
  withoutLines,
} from "../stripe/Documents.js"
import { threadsWithin } from "./JobThreads.js"
import { Folder, groups, ndjson, run } from "./world.js"

const folders: Array<Folder> = []
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove()
})

const line = { id: 11, product_id: 7, quantity: 2, price: "50.00" }

const refundOf = (id: number, changes: object = {}) => ({
  id,
  order_id: 450,
  created_at: "2025-01-10T00:00:00Z",
  refund_line_items: [{ line_item_id: 11, quantity: 1, subtotal: "50.00" }],
  transactions: [{ kind: "refund", status: "success", amount: "50.00", currency: "USD" }],
  ...changes,
})

const shopify = (id: number, changes: object = {}) => ({
  id,
  currency: "USD",
  created_at: "2025-01-01T00:00:00Z",
  financial_status: "paid",
  line_items: [line],
  ...changes,
})

const refunded = shopify(450, { refunds: [refundOf(1)] })

const world = (inputs: { readonly [flag: string]: string | object }) => {
  const folder = new Folder()
  folders.push(folder)
  const all = { groups, ...inputs }
  return Object.entries(all).flatMap(([flag, contents]) => [
    `--${flag}`,
    folder.file(`${flag}.json`, contents),
  ])
}

const split = async (
  inputs: { readonly [flag: string]: string | object },
  more = ["--format", "ndjson"],
) => {
  const { code, out, err } = await run(["split", ...world(inputs), ...more])
  const lines = out.split("\n").filter((text) => text !== "")
  return {
    code,
    err,
    out,
    lines: more.includes("ndjson") ? lines.map((text) => JSON.parse(text)) : [],
  }
}

describe("what products bring as ids and tags", () => {
  const sold = { ...line, variant_id: 71, sku: "P-A4" }
  const orders = [shopify(450, { line_items: [sold] })]
  const products = [
    {
      id: 7,
      title: "Print",
      product_type: "Poster",
      tags: "art",
      variants: [{ id: 71, price: "50.00" }],
    },
  ]
  const linked = (type: string, ...items: ReadonlyArray<string>) => [
    { id: "g1", collaborator_id: "ada", itemType: type, items, type: "percentage", percentage: 10 },
  ]
  const sharesOf = async (group: object, more: ReadonlyArray<string>, known = {}) => {
    const { code, err, lines } = await split({ groups: group, orders, ...known }, [
      ...["--format", "ndjson", ...more],
    ])
    return code === 0 ? lines[0]?.shares.length : err
  }

  it("names the variant and the SKU of a line without any products, if they are asked for", async () => {
    for (const id of ["variant:71", "sku:P-A4"]) {
      expect(await sharesOf(linked("products", id), [])).toBe(0)
      expect(await sharesOf(linked("products", id), ["--ids-from", "variant, sku"])).toBe(1)
    }
  })

  it("has the type of the products, as an id and as a tag", async () => {
    const [id, tag] = [linked("products", "type:Poster"), linked("products.tags", "type:poster")]
    expect(await sharesOf(id, ["--ids-from", "type"], { products })).toBe(1)
    expect(await sharesOf(id, ["--tags-from", "type"], { products })).toBe(0)
    expect(await sharesOf(tag, ["--tags-from", "type"], { products })).toBe(1)
    expect(await sharesOf(tag, ["--ids-from", "type"], { products })).toBe(0)
  })

  it("is refused where nobody knows it", async () => {
    const said = await sharesOf(groups, ["--ids-from", "colour"])
    expect(said).toContain("--ids-from: must be variant, sku, type, category, collection")
    expect(await sharesOf(groups, ["--ids-from", "category"], { products })).toContain(
      '--ids-from: of Shopify\'s products variant, sku, type, collection are known, got "category"',
    )
  })
})

const reversed = (value: {
  readonly refunds?: ReadonlyArray<{ readonly shares: ReadonlyArray<{ amount: number }> }>
}) => (value.refunds ?? []).map(({ shares }) => shares.map(({ amount }) => amount))

describe("refunds inside of Shopify's orders", () => {
  it("are taken back by split, without a file of refunds", async () => {
    const { code, lines } = await split({ orders: [refunded, shopify(451)] })
    expect(code).toBe(0)
    expect(lines.map(reversed)).toEqual([[[500]], []])
    expect(Object.hasOwn(lines[1], "refunds")).toBe(false)
  })

  it("count once when the same refund is in the file of refunds too", async () => {
    const { code, lines } = await split({
      orders: [refunded],
      refunds: { refunds: [refundOf(1), refundOf(2, { created_at: "2025-01-12T00:00:00Z" })] },
    })
    expect([code, lines.map(reversed)]).toEqual([0, [[[500], [500]]]])
    const own = { order_id: "450", item_id: "11", quantity: 1, refunded_at: 1_736_467_200 }
    const again = await split({ orders: [refunded], refunds: [own] })
    expect(again.lines.map(reversed)).toEqual([[[500]]])
  })

  it("are taken back by statement, and by both sides of backtest", async () => {
    const collaborators = [
      { id: "ada", currency: "USD", payout_measurement: "month" },
      { id: "sam", currency: "USD", payout_measurement: "month" },
    ]
    const args = world({ orders: [refunded], collaborators })
    const { out } = await run(["statement", ...args, "--until", "2025-01-31", "--format", "json"])
    const totals = JSON.parse(out).data.map(({ total }: { total: number }) => total)
    expect(totals).toEqual([500])
    const other = world({ orders: [refunded], against: groups })
    const tested = await run(["backtest", ...other, "--format", "json"])
    expect(tested.code).toBe(0)
    expect(JSON.stringify(JSON.parse(tested.out).totals)).toContain("500")
  })

  it("that can't be read are told with their place, and harm neither the sale nor the others", async () => {
    const broken = refundOf(2, { created_at: "soon" })
    const { code, lines, err } = await split({
      orders: [shopify(450, { refunds: [broken, refundOf(1)] })],
    })
    expect([code, lines.map(reversed)]).toEqual([1, [[[500]]]])
    expect(err).toMatch(/orders\.json:1: \[0\]\.refunds\[0\]\.created_at: must be a time/)
    expect(err).toMatch(/1 refund could not be made/)
  })

  it("of shipping take back the shipping that was shared", async () => {
    const shipping_lines = [{ id: 1, price: "10.00" }]
    const order_adjustments = [{ kind: "shipping_refund", amount: "-5.00" }]
    const shipping = refundOf(3, {
      order_adjustments,
      refund_line_items: [],
      transactions: [{ kind: "refund", amount: "5.00", currency: "USD" }],
    })
    const both = refundOf(4, { created_at: "2025-01-12T00:00:00Z", order_adjustments })
    const orders = [shopify(450, { shipping_lines, refunds: [shipping, both] })]
    const policy = { shipping: "share" }
    const { code, err, lines } = await split({ orders, policy })
    expect([code, err]).toEqual([0, ""])
    expect(lines[0].shares[0]).toMatchObject({ amount: 1_100, shipping_amount: 100 })
    expect(reversed(lines[0])).toEqual([[50], [500], [50]])
    const kept = await split({ orders })
    expect(reversed(kept.lines[0])).toEqual([[], [500], []])
    const people = [{ id: "sam", currency: "USD", payout_measurement: "month" }]
    const [, ada] = groups
    const statement = world({ groups: [ada ?? {}], orders, policy, collaborators: people })
    const args = [...statement, "--until", "2025-01-31", "--format", "json"]
    const { out } = await run(["statement", ...args])
    expect(JSON.parse(out).data.map(({ total }: { total: number }) => total)).toEqual([500])
  })

  it("of which money takes nothing back are told", async () => {
    const order_adjustments = [{ kind: "shipping_refund", amount: "-5.00" }]
    const shipping = refundOf(3, { order_adjustments, refund_line_items: [] })
    const { code, err } = await split({ orders: [shopify(450, { refunds: [shipping] })] })
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/order_adjustments\[0\]: .*\(left out\)/),
    ])
  })
})

describe("a file of refunds", () => {
  it("with one that can't be read does not stop the run", async () => {
    const { code, lines, err } = await split({
      orders: [shopify(450)],
      refunds: [refundOf(1, { order_id: null }), refundOf(2), refundOf(2)],
    })
    expect([code, lines.map(reversed)]).toEqual([1, [[[500]]]])
    expect(err).toMatch(/refunds\.json:1: \[0\]: names no order.*\n.*1 refund could not be made/)
  })

  it("of Shopify needs no currency where its orders are at hand", async () => {
    const bare = refundOf(1, { transactions: [] })
    const { code, lines } = await split({ orders: [shopify(450)], refunds: [bare] })
    expect([code, lines.map(reversed)]).toEqual([0, [[[500]]]])
  })
})

describe("orders that are no sales", () => {
  const orders = [
    shopify(1, { test: true }),
    shopify(2),
    shopify(3, { cancelled_at: "2025-01-02T00:00:00Z" }),
    shopify(4, { financial_status: "pending" }),
    shopify(5, { test: true, refunds: [refundOf(9, { order_id: 5 })] }),
    shopify(6, { line_items: [line, { id: 12, quantity: 1, price: "25.00", gift_card: true }] }),
  ]
  const told =
    /note: 4 orders are no sales and were left out: 2 test orders \(1, 5\), 1 cancelled \(3\), 1 not paid yet \(4\)\nnote: 1 line is a gift card, which is shared with nobody \(order 6: 25\.00 USD\)\n/

  it("are split by nobody, and told with their count and reason", async () => {
    const refunds = [refundOf(8, { order_id: 1 })]
    const { code, lines, err } = await split({ orders, refunds })
    expect([code, lines.map(({ order_id }) => order_id)]).toEqual([0, ["2", "6"]])
    expect(err).toMatch(told)
  })

  it("are told in the same words by several jobs", async () => {
    const args = ["split", ...world({ orders: ndjson(orders) }), "--format", "ndjson"]
    const alone = await run(args)
    const jobs = threadsWithin(300)
    const together = await run([...args, "--jobs", "2"], { jobs })
    expect(together).toEqual(alone)
    expect(alone.err).toMatch(told)
  })
})

describe("what counts as a sale", () => {
  const card = { id: 12, quantity: 1, price: "25.00", gift_card: true }
  const tip = { id: 13, quantity: 1, price: "5.00", title: "Tip", tip: { payment_gateway: "x" } }
  const orders = [
    shopify(1, { test: true }),
    shopify(2, { financial_status: "pending" }),
    shopify(3, { line_items: [line, card, tip] }),
  ]
  const people = [
    { id: "ada", currency: "USD", payout_measurement: "month" },
    { id: "sam", currency: "USD", payout_measurement: "month" },
  ]
  const all = ["--include", "test", "--include", "unpaid,draft"]
  const everything = [...all, "--gift-cards", "share", "--tips", "share"]
  const amounts = (lines: ReadonlyArray<{ store: ReadonlyArray<{ amount: number }> }>) =>
    lines.map(({ store }) => store.map(({ amount }) => amount))

  it("is chosen for split", async () => {
    const none = await split({ orders })
    expect([none.code, amounts(none.lines)]).toEqual([0, [[9_000]]])
    const unpaid = await split({ orders }, ["--format", "ndjson", "--include", "unpaid"])
    expect(unpaid.lines.map(({ order_id }) => order_id)).toEqual(["2", "3"])
    const tips = await split({ orders }, ["--format", "ndjson", "--tips", "share"])
    expect(amounts(tips.lines)).toEqual([[9_000, 450]])
    const { lines, err } = await split({ orders }, ["--format", "ndjson", ...everything])
    expect(amounts(lines)).toEqual([[9_000], [9_000], [9_000, 2_250, 450]])
    expect(err).toBe("")
  })

  it("is chosen for several jobs, too", async () => {
    const args = ["split", ...world({ orders: ndjson(orders) }), "--format", "ndjson"]
    const jobs = threadsWithin(300)
    const together = await run([...args, ...everything, "--jobs", "2"], { jobs })
    expect(together).toEqual(await run([...args, ...everything]))
    expect(together.out.split("\n")).toHaveLength(4)
  })

  it("is chosen for explain", async () => {
    const args = ["explain", ...world({ orders }), "--order", "2"]
    expect((await run(args)).code).toBe(1)
    const { code, out } = await run([...args, ...all])
    expect([code, out]).toEqual([0, expect.stringContaining("10.00 USD")])
  })

  it("is chosen for statement and backtest", async () => {
    const inputs = world({ orders, collaborators: people })
    const statement = ["statement", ...inputs, "--until", "2025-12-31", "--format", "json"]
    const totalOf = async (more: ReadonlyArray<string>) =>
      JSON.parse((await run([...statement, ...more])).out).data.map(
        ({ total }: { total: number }) => total,
      )
    expect([await totalOf([]), await totalOf(everything)]).toEqual([[1_000], [3_300]])
    const backtest = ["backtest", ...world({ orders, against: groups }), "--format", "json"]
    const ordersOf = async (more: ReadonlyArray<string>) =>
      JSON.parse((await run([...backtest, ...more])).out).counts.orders
    expect([await ordersOf([]), await ordersOf(everything)]).toEqual([1, 3])
  })

  it("is told where it can't be", async () => {
    const { code, err } = await split({ orders }, ["--include", "paid"])
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/--include: must be test, draft, .*, got "paid"/),
    ])
  })
})

describe("an order that is marked as refunded", () => {
  const orders = [
    shopify(1, { financial_status: "refunded" }),
    shopify(2, { financial_status: "partially_refunded" }),
    shopify(450, { financial_status: "partially_refunded" }),
    { ...shopify(4, { financial_status: "refunded" }), refunds: [refundOf(4, { order_id: 4 })] },
  ]
  const told =
    /note: 2 orders are marked as refunded, but their refunds are not in the input, so nothing was reversed \(1, 2\)\n$/

  it("is told where no refund of it is at hand, by split, statement and backtest", async () => {
    const refunds = [refundOf(1)]
    const inputs = world({ orders, refunds, against: groups })
    expect((await split({ orders, refunds })).err).toMatch(told)
    const backtest = await run(["backtest", ...inputs, "--format", "csv"])
    expect(backtest.err).toMatch(told)
    const people = ["ada", "sam"].map((id) => ({
      id,
      currency: "USD",
      payout_measurement: "month",
    }))
    const statement = world({ orders, refunds, collaborators: people })
    const until = ["--until", "2025-12-31"]
    expect((await run(["statement", ...statement, ...until])).err).toMatch(told)
  })
})

describe("products that the catalogue does not know", () => {
  it("are told with their count and names, and fail no order", async () => {
    const products = [{ id: "7", name: "Print", tags: ["art"] }]
    const strange = { id: 12, product_id: 8, name: "Mug\n- Red", quantity: 1, price: "5.00" }
    const orders = [
      shopify(1, { line_items: [line, strange] }),
      shopify(2, { line_items: [strange, { id: 13, quantity: 1, price: "1.00" }] }),
      shopify(3, { test: true, line_items: [{ ...line, product_id: 9 }] }),
    ]
    const { code, err, lines } = await split({ orders, products })
    expect([code, lines.length]).toEqual([0, 2])
    expect(err).toBe(
      'note: 1 order is no sale and was left out: 1 test orders (3)\nnote: 3 lines are of products that --products does not know: only what their orders say of them counts (8 "Mug - Red", 13)\n',
    )
    expect((await split({ orders: [shopify(1)], products })).err).toBe("")
    const many = Array.from({ length: 7 }, (_, index) => ({
      ...line,
      id: index,
      product_id: index,
    }))
    const known = await split({ orders: [shopify(1, { line_items: many })], products })
    expect(known.err).toMatch(/^note: 7 lines are of products .* \(0, 1, 2, 3, 4, …\)\n$/)
  })
})

describe("an id beyond 2^53", () => {
  it("is read as it stands in the JSON, of orders, items, refunds and groups", async () => {
    const text = (value: object) => JSON.stringify(value).replace(/"(\d{18,})"/g, "$1")
    const [order, item, product] = [
      "820982911946154508",
      "866550311766439020",
      "632910392000000001",
    ]
    const lines = [{ ...line, id: item, product_id: product }]
    const refund = { ...refundOf(1), order_id: order }
    const refund_line_items = [{ line_item_id: item, quantity: 1 }]
    const own = [{ ...groups[1], itemType: "products", items: [product] }]
    const { code, lines: split_ } = await split({
      groups: text(own),
      orders: text([{ ...shopify(1), id: order, line_items: lines }]),
      refunds: text([{ ...refund, refund_line_items }]),
    })
    expect(code).toBe(0)
    expect([split_[0].order_id, split_[0].store[0].item_id, reversed(split_[0])]).toEqual([
      order,
      item,
      [[500]],
    ])
  })

  it("differs from the id beside it, and an amount of that size is told with its own digits", async () => {
    const ids = ["9007199254740992", "9007199254740993"]
    const orders = `[${ids.map((id) => JSON.stringify(shopify(1)).replace('"id":1,', `"id":${id},`)).join(",")}]`
    const { lines } = await split({ orders })
    expect(lines.map(({ order_id }) => order_id)).toEqual(ids)
    const amount =
      '[{"id":1,"currency":"USD","items":[{"id":1,"amount":9007199254740993,"product":{"id":1}}]}]'
    expect((await split({ orders: amount })).lines[0].error.message).toContain("9007199254740993")
  })
})

describe("a sale of Stripe", () => {
  const sold = (id: string, changes: object = {}) =>
    session(id, [sessionLine("li_1", { amount_subtotal: 10_000, amount_total: 10_000 })], {
      ...changes,
    })
  const billed = invoice("in_1", [invoiceLine("il_1", { amount: 10_000 })], {
    payment_intent: "pi_9",
  })
  const all = [groups[1]]

  it("is read from sessions and invoices, in lists, one a line, and inside of events", async () => {
    const inEvent = event("checkout.session.completed", sold("cs_2"))
    const list = { object: "list", data: [sold("cs_1"), billed], has_more: false }
    const { code, lines } = await split({ groups: all, orders: list })
    expect([code, lines.map(({ order_id }) => order_id)]).toEqual([0, ["cs_1", "in_1"]])
    const each = await split({ groups: all, orders: ndjson([sold("cs_1"), inEvent, billed]) })
    expect(each.lines.map(({ order_id }) => order_id)).toEqual(["cs_1", "cs_2", "in_1"])
    const amounts = each.lines.map(({ shares }) =>
      shares.map((share: { amount: number }) => share.amount),
    )
    expect(new Set(amounts.map(String)).size).toBe(1)
    expect(amounts[0]?.length).toBeGreaterThan(0)
  })

  it("has its refunds by its payment, and its credit notes, each once, with one of its refunds in them", async () => {
    const back = refund("re_1", "pi_cs_1", 5_000)
    const note = creditNote("cn_1", "in_1", [creditLine("cnli_1", "il_1", 2_500)], {
      refund: "re_2",
    })
    const refunds = [back, event("refund.updated", back), refund("re_2", "pi_9", 2_500), note]
    const orders = [sold("cs_1"), billed]
    const { code, err, lines } = await split({ groups: all, orders, refunds })
    expect([code, err]).toEqual([0, expect.not.stringContaining("could not")])
    const [whole] = lines[0].shares.map((share: { amount: number }) => share.amount)
    expect(lines.map(reversed)).toEqual([[[whole / 2]], [[whole / 4]]])
  })

  it("without its lines, or what is no sale, is refused with what it looks like and what is read", async () => {
    const charge = { id: "ch_1", object: "charge", amount: 1 }
    const orders = ndjson([
      withoutLines(sold("cs_1")),
      charge,
      refund("re_1", "pi_1", 1),
      event("customer.created", { id: "cus_1", object: "customer" }),
    ])
    const { code, lines } = await split({ groups: all, orders })
    expect(code).toBe(1)
    expect(lines.map(({ error }) => error.message)).toEqual([
      expect.stringContaining("expand[]=line_items"),
      expect.stringContaining("looks like a charge of Stripe, which is no order"),
      expect.stringContaining("looks like a refund of Stripe: it goes with --refunds"),
      expect.stringContaining("checkout sessions with their line_items and invoices are read"),
    ])
    const page = { object: "list", data: [sold("cs_1")], has_more: true }
    const begun = await split({ groups: all, orders: page })
    expect([begun.code, begun.err]).toEqual([2, expect.stringContaining("put all pages into one")])
  })

  it("of the test mode is skipped, unless it is asked for", async () => {
    const orders = [sold("cs_1", { livemode: false })]
    expect((await split({ groups: all, orders })).lines).toEqual([])
    const { lines } = await split({ groups: all, orders }, [
      ...["--format", "ndjson", "--include", "test"],
    ])
    expect(lines.map(({ order_id }) => order_id)).toEqual(["cs_1"])
  })
})

describe("an order of WooCommerce", () => {
  const woo = {
    id: 723,
    order_key: "wc_order_1",
    status: "completed",
    currency: "USD",
    date_created_gmt: "2025-01-01T00:00:00",
    date_modified_gmt: "2025-01-10T00:00:00",
    prices_include_tax: false,
    total: "100.00",
    billing: { country: "DE" },
    coupon_lines: [{ code: "spring" }],
    line_items: [{ id: 1, product_id: 7, quantity: 2, subtotal: "110.00", total: "100.00" }],
    refunds: [{ id: 9, total: "-50.00" }],
  }
  const condition = (splitConditionType: string, value: string) => [
    { ...groups[1], splitConditionType, splitConditions: [value] },
  ]

  it("is read as WooCommerce means it, with its codes, its country and its refunds", async () => {
    for (const own of [condition("discount.code", "SPRING"), condition("country.code", "DE")]) {
      const { code, lines } = await split({ groups: own, orders: [woo] })
      expect([code, lines[0].shares[0].amount]).toEqual([0, 1_000])
      expect(lines.map(reversed)).toEqual([[[500]]])
    }
  })

  it("has the tags that its products have in a file of WooCommerce's, with their variations", async () => {
    const tags = [{ id: 1, name: "art" }]
    const product = { id: 7, type: "variable", regular_price: "", stock_status: "instock", tags }
    const variation = { id: 70, parent_id: 7, regular_price: "55.00", stock_status: "instock" }
    const [bought] = woo.line_items
    const orders = [{ ...woo, line_items: [{ ...bought, variation_id: 70 }] }]
    const products = [variation, { ...product, variations: [70] }]
    const { lines, err } = await split({ orders, products })
    const ada = lines[0].shares.find((share: object) => JSON.stringify(share).includes("ada"))
    expect([ada?.amount, err]).toEqual([2_500, expect.not.stringContaining("does not have")])
    const broken = await split({ orders, products: [{ ...product, price: "much" }] })
    expect(broken.err).toMatch(/price: must be .* \(read as a WooCommerce product list\)/)
  })

  it("takes the refund itself before what the order says of it", async () => {
    const refund = { id: 9, order_id: 723, amount: "50.00", refunded_by: 1 }
    const line_items = [
      {
        id: 2,
        quantity: -1,
        total: "-50.00",
        meta_data: [{ key: "_refunded_item_id", value: "1" }],
      },
    ]
    const refunds = [{ ...refund, date_created_gmt: "2025-01-05T00:00:00", line_items }]
    const { lines } = await split({ orders: [woo], refunds })
    expect(lines[0].refunds).toMatchObject([{ item_id: "1", refunded_at: 1_736_035_200 }])
    const { err, code } = await split({
      orders: [woo],
      refunds: [{ ...refunds[0], order_id: null }],
    })
    expect([code, err]).toEqual([1, expect.stringMatching(/names no order: add the id/)])
  })
})

describe("a catalogue with a cost that is no amount of an order's currency", () => {
  const variants = [{ id: 70, price: "9.95", cost: "4.50" }]
  const products = { products: [{ id: 7, tags: "art", vendor: "North", variants }] }
  const other = { ...line, id: 12, product_id: 8 }
  const yen = (id: number, line_items: ReadonlyArray<object>) =>
    shopify(id, {
      currency: "JPY",
      line_items: line_items.map((one) => ({ ...one, price: "700" })),
    })

  it("fails no order that does not need it", async () => {
    const { code, lines } = await split({ orders: [yen(1, [line]), shopify(2)], products })
    expect(code).toBe(0)
    expect(
      lines.map(({ shares }) => shares.map((share: { amount: number }) => share.amount)),
    ).toEqual([
      [350, 140],
      [2_500, 1_000],
    ])
  })

  it("fails the orders that need it, naming its file", async () => {
    const policy = { cost: "deduct" }
    const orders = [yen(1, [line]), yen(2, [other]), shopify(3)]
    const { code, lines } = await split({ orders, products, policy })
    expect([code, lines.map(({ error }) => error === undefined)]).toEqual([1, [false, true, true]])
    expect(lines[0].error.message).toMatch(
      /the cost of product 7 in .*products\.json is no amount of JPY, and the policy deducts costs/,
    )
  })
})

describe("what an order is taken for", () => {
  it("is told with every order that can't be read", async () => {
    const broken = [
      shopify(1, { currency: "?" }),
      { id: 2, currency: "?", order_key: "x", line_items: [] },
      { id: 3, currency: "?", items: [] },
    ]
    const { err } = await split({ orders: broken }, ["--format", "csv"])
    expect(err).toMatch(/:1: \[0\]\.currency: .*\(read as a Shopify order\)/)
    expect(err).toMatch(/:1: \[1\]\.currency: .*\(read as a WooCommerce order\)/)
    expect(err).toMatch(/:1: \[2\]\.currency: .*\(read as an order in apportion's own format\)/)
    const refunds = [{ order_id: 1 }]
    const told = await split({ orders: [shopify(1)], refunds })
    expect(told.err).toMatch(/\(read as a refund in apportion's own format\)/)
  })

  it("is told with products that can't be read", async () => {
    const orders = [shopify(1)]
    const variants = [{ id: 70, price: "much" }]
    const shop = await split({ orders, products: { products: [{ id: 7, variants }] } })
    expect(shop.err).toMatch(/price: must be .* \(read as a Shopify product list\)/)
    const own = await split({ orders, products: [{ id: "7", price: "much" }] })
    expect(own.err).toMatch(/price: must be .* \(read as a product in apportion's own format\)/)
    const csv = await split({ orders, products: "Handle,Variant Price\nmug,much\n" })
    expect(csv.err).toMatch(/"Variant Price": .* \(read as a Shopify product export\)/)
  })

  it("is told where it is an export of Shopify that does not say enough", async () => {
    const header = 'Name,Email,"Financial Status",Total,Lineitem quantity,Lineitem name,Vendor\n'
    const rows = `${header}#1001,a@example.com,paid,20.00,1,Print,North\n`
    const look = /:1: looks like the CSV export of Shopify's orders, .* take the orders from/
    const orders = await split({ orders: rows })
    expect([orders.code, orders.err]).toEqual([2, expect.stringMatching(look)])
    const products = await split({ orders: [shopify(1)], products: rows })
    expect([products.code, products.err]).toEqual([2, expect.stringMatching(look)])
    const mugs = await split({ orders: "Handle,Title,Variant Price\nmug,Mug,5\n" })
    expect([mugs.code, mugs.err]).toEqual([2, expect.stringMatching(/goes with --products/)])
  })

  it("is told where it is of no format that is read, with its fields and what is read", async () => {
    const receipt = { receipt_id: 1, grandtotal: { amount: 500 }, transactions: [], buyer: "Bo" }
    const { code, lines } = await split({ orders: ndjson([receipt]) })
    expect(code).toBe(1)
    expect(lines[0].error.message).toContain(
      'has the fields receipt_id, grandtotal, transactions, …, and is no order that is read: those have "items"',
    )
    expect(lines[0].error.message).toContain("Shopify, WooCommerce or Stripe")
  })

  it("is told where it is a refund or a product, with the flag that it goes with", async () => {
    const refund = { id: 509, order_id: 450789469, refund_line_items: [] }
    const product = { id: 632910392, title: "Print", variants: [{ id: 5, price: "199.00" }] }
    const { code, lines } = await split({ orders: ndjson([refund, product]) })
    expect(code).toBe(1)
    expect(lines.map(({ error }) => error.message)).toEqual([
      expect.stringContaining("looks like a refund of Shopify: it goes with --refunds"),
      expect.stringContaining("looks like a product of Shopify: it goes with --products"),
    ])
  })

  it("is read where it is a file of a bulk operation, and refused where that lacks what is needed", async () => {
    const node = { id: "gid://shopify/Order/1", name: "#1001" }
    const child = { id: "gid://shopify/LineItem/2", __parentId: "gid://shopify/Order/1" }
    const { code, lines } = await split({ orders: ndjson([node, child]) })
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0].error.message).toMatch(/refunds: is missing from the export: .*refunds/)
    expect(lines[0].error.message).toMatch(/lineItems\[0\].taxLines: is missing from the export/)
  })

  it("is not read where the lines of a bulk operation do not stand beneath their orders", async () => {
    const [one, other] = [1, 2].map((id) => ({ id: `gid://shopify/Order/${id}` }))
    const child = { id: "gid://shopify/LineItem/2", __parentId: "gid://shopify/Order/1" }
    const { code, err } = await split({ orders: ndjson([one ?? {}, other ?? {}, child]) })
    expect([code, err]).toEqual([2, expect.stringMatching(/:3: .*groupObjects: true/)])
  })

  it("is told where it is an answer of Shopify's GraphQL", async () => {
    const node = { id: "gid://shopify/Order/1", name: "#1001", lineItems: { nodes: [] } }
    const answer = await split({ orders: { data: { orders: { nodes: [node] } } } })
    expect([answer.code, answer.err]).toEqual([2, expect.stringMatching(/looks like an answer of/)])
  })
})

describe("amounts in decimals", () => {
  const header = "order_id,currency,amounts_in,item_id,amount,discount,product_id\n"
  const csv = async (rows: string, more: { readonly refunds?: string } = {}) => {
    const folder = new Folder()
    folders.push(folder)
    const refunds =
      more.refunds === undefined ? [] : ["--refunds", folder.file("refunds.csv", more.refunds)]
    const args = ["--groups", folder.file("groups.json", groups)]
    const orders = ["--orders", folder.file("orders.csv", header + rows)]
    const { code, out, err } = await run([
      "split",
      ...args,
      ...orders,
      ...refunds,
      "--format",
      "ndjson",
    ])
    return {
      code,
      err,
      lines: out
        .split("\n")
        .slice(0, -1)
        .map((text) => JSON.parse(text)),
    }
  }
  const storeOf = async (rows: string) =>
    (await csv(rows)).lines.map(({ store, shares, error }) =>
      error === undefined ? store[0].amount + shares[0].amount : error.message,
    )

  it("are read where a column says so, by the currency's own digits", async () => {
    const rows = [
      "1,USD,decimals,a,59.95,,p1",
      '2,EUR,decimals,a,"10,00",,p1',
      '3,EUR,decimals,a,"1.234,56","0,06",p1',
      "4,JPY,decimals,a,700,,p1",
      "5,USD,cents,a,700,,p1",
      "6,USD,,a,700,,p1",
    ]
    expect(await storeOf(`${rows.join("\n")}\n`)).toEqual([5_995, 1_000, 123_450, 700, 700, 700])
  })

  it("are said once for all lines of an order", async () => {
    const { lines } = await csv("1,USD,decimals,a,1.50,,p1\n1,,,b,2.50,,p1\n")
    expect(lines[0].store.map(({ amount }: { amount: number }) => amount)).toEqual([135, 225])
  })

  it("are never guessed", async () => {
    const rows =
      '1,USD,,a,59.95,,p1\n2,KWD,decimals,a,"1,234",,p1\n3,USD,euros,a,1,,p1\n4,,decimals,a,1,,p1\n'
    const [cents, comma, unit, currency] = await storeOf(rows)
    expect(cents).toMatch(/whole number .*got "59\.95"/)
    expect(comma).toMatch(/got "1,234"/)
    expect(unit).toMatch(/amounts_in: must be cents .* or decimals, got "euros"/)
    expect(currency).toMatch(/currency: is needed where amounts_in says decimals/)
  })

  it("are read of refunds, which name their currency then", async () => {
    const columns = "order_id,item_id,amount,currency,amounts_in,refunded_at\n"
    const refunds = `${columns}1,a,29.50,USD,decimals,1740000000\n`
    const { code, lines } = await csv("1,USD,decimals,a,59.00,,p1\n", { refunds })
    expect([code, lines.map(reversed)]).toEqual([0, [[[295]]]])
    const unnamed = await csv("1,USD,cents,a,59,,p1\n", {
      refunds: `${columns}1,a,29.50,,decimals,1740000000\n`,
    })
    expect([unnamed.code, unnamed.err]).toEqual([1, expect.stringMatching(/currency: is needed/)])
  })
})
