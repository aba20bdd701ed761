/** What a holder of a pass tries in order to see more than the pass is for. */
import { Collaborators, Passes, ProductGroups, Sales } from "apportion/service"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answered, type Asked, open, type Shop, start } from "./Shop.js"

// Ada and Ben share order both; order bens is Ben's alone, and order eves is in the other account. Whatever is Ben's or
// Eve's or the store's has "hidden" in its name.

const product = (name: string) => ({ id: name, name, price: 7_777, cost: 1_234 })
const order = (id: string, tags: ReadonlyArray<string>) => ({
  ...{ id, currency: "EUR" },
  items: tags.map((tag) => ({
    ...{ id: `${tag} item`, quantity: 3, amount: 20_000 },
    product: { ...product(`${tag} product`), tags: [tag], inventoryQuantity: 55 },
  })),
  details: {
    ...{ customerEmail: "buyer@hidden.example", customerName: "hidden buyer" },
    ...{ status: "hidden status", paymentGateway: "hidden gateway" },
    ...{ shippingAddress: "hidden street 1", billingAddress: "hidden street 2" },
  },
})

const group = (id: string, tag: string, percent: string) =>
  ({ id, link: { type: "products.tag", values: [tag] }, percent }) as const

const fill = Effect.gen(function* () {
  const [collaborators, groups, sales] = [yield* Collaborators, yield* ProductGroups, yield* Sales]
  const create = (account: string, id: string, name: string) =>
    collaborators.create(account, {
      ...{ id, currency: "EUR", notes: "hidden notes" },
      account: { name, isManaged: true },
    })
  yield* create("store", "ada", "Ada")
  yield* create("store", "ben", "hidden Ben")
  yield* create("other", "ada", "hidden Eve")
  yield* groups.create("store", "ada", group("ada group", "shared", "10"))
  yield* groups.create("store", "ben", group("hidden group", "shared", "20"))
  yield* groups.create("store", "ben", group("hidden group 2", "hidden", "30"))
  yield* groups.create("other", "ada", group("hidden group 3", "hidden", "40"))
  yield* sales.record("store", order("both", ["shared", "hidden"]))
  yield* sales.record("store", order("bens", ["hidden"]))
  yield* sales.record("other", order("eves", ["hidden"]))
  const passes = yield* Passes
  return {
    ada: yield* passes.create("store", "ada"),
    ben: yield* passes.create("store", "ben"),
    eve: yield* passes.create("other", "ada"),
    revoked: yield* passes.create("store", "ada"),
    short: yield* passes.create("store", "ada", { expiresAt: start + 60 }),
  }
})

type World = Shop & {
  readonly passes: Effect.Success<typeof fill>
  readonly payouts: Readonly<Record<"ada" | "ben" | "eve", string>>
}

let world: World

const payoutsOf = async (shop: Shop, collaborator: string, token: string): Promise<string> => {
  const { json } = await shop.ask("GET", `/v1/payouts?collaborator=${collaborator}`, { token })
  return String(json.data[0].id)
}

beforeAll(async () => {
  const shop = await open()
  const passes = await shop.run(fill)
  await shop.ask("DELETE", `/v1/collaborators/ada/passes/${passes.revoked.id}`)
  const payouts = {
    ada: await payoutsOf(shop, "ada", "ada-token"),
    ben: await payoutsOf(shop, "ben", "ada-token"),
    eve: await payoutsOf(shop, "ada", "other-token"),
  }
  world = { ...shop, passes, payouts }
  await shop.pass(61)
})
afterAll(() => world.close())

/** Asks with Ada's pass, unless another token is named. */
const ask = (method: string, path: string, asked: Asked = {}): Promise<Answered> =>
  world.ask(method, path, { token: world.passes.ada.token, ...asked })

const base64 = (text: string) => Buffer.from(text).toString("base64url")

const parts = (token: string) => token.split(".") as [string, string, string]

/** A token put together of parts of Ada's and others. */
const forged = (change: (ada: [string, string, string], world: World) => ReadonlyArray<string>) =>
  change(parts(world.passes.ada.token), world).join(".")

interface Attempt {
  readonly name: string
  readonly method?: string
  readonly path: string | (() => string)
  readonly asked?: () => Asked
  /** The statuses that refuse it; of 200, that nothing hidden is in it is all that counts. */
  readonly status: number
}

const withToken = (make: () => string) => () => ({ token: make() })

const attempts: ReadonlyArray<Attempt> = [
  // Other collaborators and accounts, by ids in paths and queries.
  {
    name: "Ben's payout by its id",
    path: () => `/v1/seen/payouts/${world.payouts.ben}`,
    status: 404,
  },
  {
    name: "a payout of another account by its id",
    path: () => `/v1/seen/payouts/${world.payouts.eve}`,
    status: 404,
  },
  { name: "Ben's sale by its id", path: "/v1/seen/sales/bens/explanation", status: 404 },
  { name: "a sale of another account", path: "/v1/seen/sales/eves/explanation", status: 404 },
  {
    name: "a shared sale, of which Ben has a part",
    path: "/v1/seen/sales/both/explanation",
    status: 200,
  },
  {
    name: "a shared sale, explained in Arabic",
    path: "/v1/seen/sales/both/explanation?language=ar",
    status: 200,
  },
  {
    name: "a shared sale, explained to another collaborator",
    path: "/v1/seen/sales/both/explanation?language=de&collaborator=ben&collaborator_id=ben",
    status: 200,
  },
  {
    name: "Ben's sale, explained in German",
    path: "/v1/seen/sales/bens/explanation?language=de",
    status: 404,
  },
  {
    name: "an explanation in a language that is a path",
    path: "/v1/seen/sales/both/explanation?language=../../payouts",
    status: 422,
  },
  {
    name: "an explanation in a language that objects have",
    path: "/v1/seen/sales/both/explanation?language=__proto__",
    status: 422,
  },
  {
    name: "an explanation in two languages",
    path: "/v1/seen/sales/both/explanation?language=de&language=ar",
    status: 422,
  },
  {
    name: "a shared sale, as it is explained to Ben",
    path: "/v1/collaborators/ben/sales/both/explanation?language=de",
    status: 401,
  },
  {
    name: "payouts with the filter of the API",
    path: "/v1/seen/payouts?collaborator=ben",
    status: 200,
  },
  {
    name: "a statement for another collaborator",
    path: "/v1/seen/statement?collaborator_id=ben",
    status: 200,
  },
  {
    name: "lines for another collaborator",
    path: "/v1/seen/statement/lines?collaborator=ben",
    status: 200,
  },
  {
    name: "lines for another account",
    path: "/v1/seen/statement/lines?account=other",
    status: 200,
  },
  {
    name: "lines from a place in Ben's payout on",
    path: () => `/v1/seen/statement/lines?after=0.${world.payouts.ben}`,
    status: 200,
  },
  {
    name: "items of a payout by a page beyond the last",
    path: () =>
      `/v1/seen/payouts/${world.payouts.ada}?items_page=999999999999999&items_per_page=1000`,
    status: 200,
  },
  {
    name: "the payouts with items included",
    path: "/v1/seen/payouts?include=items&per_page=100",
    status: 200,
  },
  // Other endpoints, with the token of the pass.
  { name: "the payouts of the store", path: "/v1/payouts", status: 401 },
  {
    name: "her own payout by the store's endpoint",
    path: () => `/v1/payouts/${world.payouts.ada}`,
    status: 401,
  },
  { name: "the collaborators", path: "/v1/collaborators", status: 401 },
  { name: "herself, with the store's notes", path: "/v1/collaborators/ada", status: 401 },
  {
    name: "her statement as the store sees it",
    path: "/v1/collaborators/ada/statement?format=csv",
    status: 401,
  },
  { name: "Ben's statement", path: "/v1/collaborators/ben/statement", status: 401 },
  { name: "the passes", path: "/v1/collaborators/ada/passes", status: 401 },
  { name: "the events", path: "/v1/events", status: 401 },
  { name: "a sale as the store sees it", path: "/v1/sales/both", status: 401 },
  { name: "the product groups", path: "/v1/collaborators/ben/products", status: 401 },
  { name: "the settings", path: "/v1/settings", status: 401 },
  {
    name: "making a longer pass of her own",
    ...{ method: "POST", path: "/v1/collaborators/ada/passes", status: 401 },
    asked: () => ({ body: {} }),
  },
  {
    name: "setting her payout as paid",
    ...{ method: "POST", path: () => `/v1/payouts/${world.payouts.ada}/set-paid`, status: 401 },
  },
  // Writing where only reading is offered.
  {
    name: "posting to what is read",
    method: "POST",
    path: "/v1/seen/payouts",
    asked: () => ({ body: {} }),
    status: 405,
  },
  { name: "deleting what is read", method: "DELETE", path: "/v1/seen/statement", status: 405 },
  {
    name: "putting what is read",
    method: "PUT",
    path: "/v1/seen",
    asked: () => ({ body: {} }),
    status: 405,
  },
  { name: "asking for the options", method: "OPTIONS", path: "/v1/seen/payouts", status: 405 },
  {
    name: "asking for the head of Ben's payout",
    method: "HEAD",
    path: () => `/v1/seen/payouts/${world.payouts.ben}`,
    status: 404,
  },
  {
    name: "asking for the head without a token",
    method: "HEAD",
    path: "/v1/seen/payouts",
    asked: () => ({ token: null }),
    status: 401,
  },
  // Tokens.
  { name: "no token", path: "/v1/seen", asked: () => ({ token: null }), status: 401 },
  {
    name: "the store's own token",
    path: "/v1/seen",
    asked: () => ({ token: "ada-token" }),
    status: 401,
  },
  {
    name: "a revoked pass",
    path: "/v1/seen",
    asked: withToken(() => world.passes.revoked.token),
    status: 401,
  },
  {
    name: "an expired pass",
    path: "/v1/seen",
    asked: withToken(() => world.passes.short.token),
    status: 401,
  },
  {
    name: "Ben's pass with Ada's secret",
    ...{ path: "/v1/seen", status: 401 },
    asked: withToken(() =>
      forged(([account, , secret], { passes }) => [account, passes.ben.id, secret]),
    ),
  },
  {
    name: "Eve's account with Ada's pass",
    ...{ path: "/v1/seen", status: 401 },
    asked: withToken(() => forged(([, id, secret]) => [base64("other"), id, secret])),
  },
  {
    name: "Eve's pass in Ada's account",
    ...{ path: "/v1/seen", status: 401 },
    asked: withToken(() =>
      forged(([account, , secret], { passes }) => [account, passes.eve.id, secret]),
    ),
  },
  {
    name: "a secret with its last letter changed",
    ...{ path: "/v1/seen", status: 401 },
    asked: withToken(() =>
      forged(([account, id, secret]) => [
        account,
        id,
        `${secret.slice(0, -1)}${secret.endsWith("A") ? "E" : "A"}`,
      ]),
    ),
  },
  {
    name: "a secret of zeros",
    ...{ path: "/v1/seen", status: 401 },
    asked: withToken(() => forged(([account, id]) => [account, id, "A".repeat(43)])),
  },
  {
    name: "an expiry put behind the token",
    ...{ path: "/v1/seen", status: 401 },
    asked: withToken(() =>
      forged(([account, id, secret]) => [account, id, secret, String(start + 9_999_999)]),
    ),
  },
  {
    name: "the id of the pass as the token",
    path: "/v1/seen",
    asked: withToken(() => world.passes.ada.id),
    status: 401,
  },
  // Headers and addresses.
  {
    name: "the token in the query",
    path: () => `/v1/seen?token=${world.passes.ben.token}&access_token=${world.passes.ben.token}`,
    asked: () => ({ token: null }),
    status: 401,
  },
  {
    name: "the token in a cookie",
    path: "/v1/seen",
    asked: () => ({ token: null, headers: { cookie: `token=${world.passes.ada.token}` } }),
    status: 401,
  },
  {
    name: "two tokens in one header",
    ...{ path: "/v1/seen", status: 401 },
    asked: () => ({
      token: null,
      headers: { authorization: `Bearer ${world.passes.ada.token}, Bearer ada-token` },
    }),
  },
  {
    name: "headers that name another account and collaborator",
    ...{ path: "/v1/seen/payouts", status: 200 },
    asked: () => ({
      headers: { "x-account-id": "other", "x-collaborator-id": "ben", "x-forwarded-user": "ben" },
    }),
  },
  {
    name: "a method that a header asks for",
    ...{ path: "/v1/seen/payouts", status: 200 },
    asked: () => ({ headers: { "x-http-method-override": "DELETE" } }),
  },
  {
    name: "an address that a header names",
    ...{ path: "/v1/seen", status: 200 },
    asked: () => ({ headers: { "x-original-url": "/v1/payouts", "x-rewrite-url": "/v1/payouts" } }),
  },
  {
    name: "a way up in the path",
    path: () => `/v1/seen/%2e%2e/payouts/${world.payouts.ben}`,
    status: 401,
  },
  {
    name: "an escaped slash in an id",
    path: () => `/v1/seen/payouts/x%2f..%2f${world.payouts.ben}`,
    status: 404,
  },
  { name: "the path in capitals", path: "/v1/SEEN/payouts", status: 404 },
  { name: "a slash too many", path: "/v1/seen//payouts", status: 404 },
  { name: "an empty id", path: "/v1/seen/payouts/", status: 404 },
  {
    name: "a NUL behind an id",
    path: () => `/v1/seen/payouts/${world.payouts.ben}%00`,
    status: 404,
  },
  { name: "a pattern for an id", path: "/v1/seen/payouts/%25", status: 404 },
  { name: "a name that objects have", path: "/v1/seen/payouts/__proto__", status: 404 },
]

it("there are 50 attempts or more, each of its own", () => {
  expect(attempts.length).toBeGreaterThanOrEqual(50)
  expect(new Set(attempts.map(({ name }) => name)).size).toBe(attempts.length)
})

/** What nobody but the store, Ben or Eve may see of all this. */
const hidden = /hidden|bens|eves|7777|1234|\bben\b/

describe.each(["/v1", "/api/v1"])("with a pass, under %s", (prefix) => {
  it.each(attempts)("$name", async ({ method = "GET", path, asked, status }) => {
    const at = (typeof path === "string" ? path : path()).replace("/v1", prefix)
    const answer = await ask(method, at, asked?.())
    expect(answer.status, answer.text).toBe(status)
    // A refusal repeats the id that was asked for, and says nothing else.
    const said = answer.status === 404 ? answer.text.replace(/the id .*/, "") : answer.text
    expect(said).not.toMatch(hidden)
    for (const id of [world.payouts.ben, world.payouts.eve]) expect(said).not.toContain(id)
  })
})

it("every refused token gets the same answer, whatever is wrong with it", async () => {
  const { revoked, short, ben } = world.passes
  const tokens = [
    ...[revoked.token, short.token, "no token at all", ben.token.replace(/.$/, "!")],
    forged(([, id, secret]) => [base64("no account"), id, secret]),
    forged(([account, , secret]) => [account, "no-pass", secret]),
    forged(([account, id]) => [account, id, "A".repeat(43)]),
  ].filter((token) => !token.includes(" "))
  const answers = await Promise.all(tokens.map((token) => ask("GET", "/v1/seen", { token })))
  const said = answers.map(({ status, json, headers }) => [
    ...[status, json, headers.get("www-authenticate"), [...headers.keys()].sort().join()],
  ])
  for (const one of said) expect(one).toEqual(said[0])
  expect(said[0]?.slice(0, 2)).toEqual([401, { message: "the link is not valid, or not any more" }])
})

it("a token is in no line of the log, and in no answer but the one that made it", async () => {
  await ask("GET", `/v1/seen/payouts/${world.payouts.ada}`)
  const { json, text } = await world.ask("POST", "/v1/collaborators/ada/passes", {
    body: {},
    headers: { "Idempotency-Key": "once" },
  })
  const again = await world.ask("POST", "/v1/collaborators/ada/passes", {
    body: {},
    headers: { "Idempotency-Key": "once" },
  })
  expect(text).toContain(json.data.token)
  expect(again.json.data).toEqual({ ...json.data, token: null })
  const listed = await world.ask("GET", "/v1/collaborators/ada/passes")
  const told = await world.ask("GET", "/v1/events?limit=1000")
  const everything = JSON.stringify([world.log, listed.text, told.text])
  for (const token of [json.data.token, world.passes.ada.token, world.passes.revoked.token]) {
    expect(everything).not.toContain(parts(token)[2])
  }
})

describe("each permission shows its own fields, and no other", () => {
  const fields = {
    see_product_price: ["order_item.amount", "order_item.product.price"],
    see_product_quantity: ["order_item.quantity"],
    see_product_discount: ["order_item.discount"],
    see_product_tax: ["order_item.tax_name", "order_item.tax_percent", "order_item.tax_total"],
    see_customer_email: ["order_item.customer_email"],
    see_customer_name: ["order_item.customer_name"],
    see_order_status: ["order_item.order_status"],
    see_order_payment_gateway: ["order_item.payment_gateway"],
    see_order_shipping_address: ["order_item.shipping_address"],
    see_order_billing_address: ["order_item.billing_address"],
    see_product_cost: ["order_item.product.cost"],
    see_product_stock: ["order_item.product.inventory_quantity"],
  } as const

  const permit = (permissions: Readonly<Record<string, boolean>>) =>
    world.ask("PUT", "/v1/collaborators/ada", { body: { permissions } })

  const namesIn = (value: object, place = ""): ReadonlyArray<string> =>
    Object.entries(value).flatMap(([name, part]) =>
      typeof part === "object" && part !== null && !Array.isArray(part)
        ? namesIn(part, `${place}${name}.`)
        : [`${place}${name}`],
    )

  /** The fields of her one share, in her payout and in her statement. */
  const seen = async () => {
    const { json } = await ask("GET", `/v1/seen/payouts/${world.payouts.ada}`)
    const lines = await ask("GET", "/v1/seen/statement/lines")
    const [item] = json.data.items
    expect(lines.json.data[0].item).toEqual(item)
    return namesIn(item)
  }

  const none = Object.fromEntries(Object.keys(fields).map((name) => [name, false]))

  it.each(Object.entries(fields))("%s", async (permission, shown) => {
    await permit(none)
    const bare = await seen()
    await permit({ [permission]: true })
    const names = await seen()
    expect(names.filter((name) => !bare.includes(name)).toSorted()).toEqual([...shown])
    await permit(none)
    expect(await seen()).toEqual(bare)
  })

  it("all of them together show nothing of Ben, of the store's notes, or of what the store keeps", async () => {
    await permit(Object.fromEntries(Object.keys(fields).map((name) => [name, true])))
    const paths = ["", "/statement", "/statement/lines", "/payouts"].map(
      (path) => `/v1/seen${path}`,
    )
    const whole = [
      ...paths,
      `/v1/seen/payouts/${world.payouts.ada}`,
      "/v1/seen/sales/both/explanation",
      ...["de", "ar"].map((language) => `/v1/seen/sales/both/explanation?language=${language}`),
    ]
    const answers = await Promise.all(whole.map((path) => ask("GET", path)))
    const text = answers.map((answer) => answer.text).join("\n")
    await permit(none)
    expect(answers.map(({ status }) => status)).toEqual(whole.map(() => 200))
    for (const word of [
      "hidden Ben",
      "hidden notes",
      "hidden group",
      "hidden item",
      "hidden product",
    ]) {
      expect(text).not.toContain(word)
    }
    expect(text).toContain("hidden street 1")
  })
})
