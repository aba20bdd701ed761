/**
 * Makes the sample store in docs/sample-store: the same files every time, from the tables below and a
 * seeded source of chance. Run it after a change: node test/sampleStore/generate.ts
 * What store.json holds is reckoned from these files by the library: generateStore.ts makes it, after this.
 *
 * It stands alone (Node only, and no other file of the project) so that Node can run it as it is.
 */
import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

// ---------------------------------------------------------------------------------------------
// Chance and time
// ---------------------------------------------------------------------------------------------

/** Mulberry32: small, seeded, the same on every machine. */
const chanceFrom = (seed: number) => {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  const happens = (probability: number): boolean => next() < probability
  const oneOf = <A>(list: ReadonlyArray<A>): A => {
    const picked = list[below(list.length)]
    assert.ok(picked !== undefined, "nothing to pick from")
    return picked
  }
  const weighted = <A extends { readonly weight: number }>(list: ReadonlyArray<A>): A => {
    let rest = next() * list.reduce((sum, entry) => sum + entry.weight, 0)
    const picked = list.find((entry) => {
      rest -= entry.weight
      return rest < 0
    })
    return picked ?? oneOf(list)
  }
  return { below, happens, oneOf, weighted }
}

type Chance = ReturnType<typeof chanceFrom>

const day = 86_400

/** An ISO date or time as Unix seconds; a date alone is midnight UTC. */
const seconds = (text: string): number => Date.parse(text) / 1_000

/** The rows of a table written as text, cells parted by "|". */
const rowsOf = (table: string): ReadonlyArray<ReadonlyArray<string>> =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))

const listOf = (cell: string): ReadonlyArray<string> =>
  cell.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]))

/** The rows of a table whose first cell names the row. */
const byFirstCell = <A>(
  table: string,
  read: (cells: ReadonlyArray<string>) => A,
): ReadonlyMap<string, A> =>
  new Map(rowsOf(table).map(([name = "", ...cells]) => [name, read(cells)]))

const lookUp = <A>(map: ReadonlyMap<string, A>, key: string): A => {
  const found = map.get(key)
  assert.ok(found !== undefined, `there is no "${key}"`)
  return found
}

// ---------------------------------------------------------------------------------------------
// Products
// ---------------------------------------------------------------------------------------------

/** Kind | vendor | tags | grams of one | how often it is bought, against the others | SKU letters */
const kindTable = `
print    | Paper Heron Press        | print, Zoë           | 140 | 17 | PRT
photo    | Inês Carvalho Fotografia | print, photograph    | 160 |  9 | PHO
picture  | Two Foxes Books          | book, picture-book   | 420 | 11 | PIC
poems    | Two Foxes Books          | book, poetry         | 210 |  8 | POE
book     | Two Foxes Books          | book                 | 380 |  6 | BOK
record   | Undertow & Daughters     | record               | 320 | 12 | LP
pot      | 山田窯                    | ceramics             | 610 | 11 | POT
letter   | Haddad Letterpress       | stationery           |  90 | 11 | LTR
small    | Paper Heron Press        | small, Zoë           |  30 |  8 | SML
original | Paper Heron Press        | original, Zoë        | 700 |  1 | -
gift     | Paper Heron              | gift-card            |   0 |  3 | GFT
home     | Marsh & Moth             | home                 | 300 |  6 | HOM
`

/** Id (its first word is the kind) | name | price and cost in US cents | in stock | more tags */
const productTable = `
print-blue-hour        | Blue Hour, Old Pier                      |  3200 |  640 | 84 | birds
print-heron-stairs     | The Heron on the Stairs                  |  3200 |  640 | 61 | birds
print-seven-gulls      | Seven Gulls and a Chip                   |  2800 |  560 | 47 | birds
print-night-ferry      | Night Ferry                              |  3600 |  720 | 52 |
print-moss-map         | A Map of the Moss                        |  4200 |  840 | 33 |
print-tea-weather      | Tea Weather                              |  2400 |  480 | 90 |
print-lighthouse-cat   | The Lighthouse Keeper’s Cat              |  2800 |  560 | 75 |
print-winter-laundry   | Winter Laundry                           |  3200 |  640 | 40 | winter
print-smaland-rain     | Småland, Rain                            |  4800 |  960 | 18 |
print-owl-post         | Owl Post, Slightly Delayed               |  2800 |  560 | 66 | birds, winter
photo-alfama-steps     | Alfama, 6 a.m.                           |  4500 |  900 | 25 |
photo-salt-pans        | Salt Pans at Aveiro                      |  5200 | 1040 | 22 |
photo-tram-28          | The Last 28                              |  3800 |  760 | 41 |
photo-azores-fog       | Fog Leaving São Jorge                    |  6800 | 1360 | 12 |
photo-cod-lines        | Cod Lines                                |  3800 |  760 | 35 |
photo-storm-petrel     | Storm Petrel, One Wing                   |  5200 | 1040 | 19 | birds
photo-kitchen-light    | My Grandmother’s Kitchen Light           |  4500 |  900 | 28 |
photo-small-square     | Small Square Portugal (6 × 6 cm)         |  2200 |  380 | 70 |
picture-snow-postman   | The Snow Postman                         |  1900 |  520 | 160 | winter
picture-bear-lends     | The Bear Who Lent Umbrellas              |  1900 |  520 | 131 |
picture-two-foxes      | Two Foxes, One Bicycle                   |  1700 |  480 | 118 |
picture-pan-listonosz  | Pan Listonosz (The Snow Postman, Polish) |  1900 |  540 | 58 | polish-edition, winter
picture-dwa-lisy       | Dwa lisy (Two Foxes, Polish)             |  1700 |  500 | 49 | polish-edition
poems-harmattan        | Harmattan Letters                        |  1600 |  390 | 88 |
poems-tin-roof         | Tin Roof Concerto                        |  1600 |  390 | 72 |
poems-ferryman         | What the Ferryman Kept                   |  1800 |  420 | 54 |
poems-low-bridge       | Low Bridge, High Water                   |  2000 |  450 | 140 | new
poems-tide-clocks      | Tide Clocks: an Anthology                |  2200 |  560 | 45 |
book-mending           | Mending Almost Anything                  |  2600 |  780 | 63 |
book-pier-cookery      | Old Pier Cookery                         |  3200 |  960 | 51 |
book-knots             | Forty Knots and Their Gossip             |  2100 |  620 | 77 |
book-slow-baking       | The Slow Sunday Baking Book              |  2900 |  870 | 59 |
record-undertow        | Undertow: Songs for Leaving Late         |  2800 | 1150 | 64 |
record-marimba-coast   | Marimba Coast                            |  2600 | 1080 | 38 |
record-field-gulls     | Field Recordings I: Gulls, Rope, Rain    |  2400 | 1020 | 44 | birds
record-field-frogs     | Field Recordings II: Frogs               |  2400 | 1020 | 31 |
record-nonna-synth     | Nonna’s Synthesizer                      |  2800 | 1150 | 52 |
record-quiet-brass     | The Quiet Brass Band                     |  2600 | 1080 | 29 |
record-postcards       | Kasia Żuraw: Postcards                   |  3000 | 1200 | 36 |
record-lagos-lullabies | Lagos Lullabies                          |  2800 | 1150 | 48 |
record-old-waltz       | Waltzes for an Empty Ballroom            |  1400 |  900 | 17 | clearance
record-tin-ear         | Tin Ear: Live at the Cannery             |  1400 |  900 | 21 | clearance
record-fjord-disco     | Fjord Disco                              |  3000 | 1200 | 55 |
pot-moon-jar           | Moon Jar 満月                             | 14000 | 4200 | 6 |
pot-tea-bowl           | Tea Bowl, Ash Glaze 灰釉                  |  6800 | 1900 | 23 |
pot-sencha-cup         | Sencha Cup 煎茶                           |  3400 |  950 | 58 |
pot-heron-plate        | Heron Plate                              |  5200 | 1500 | 19 | birds
pot-rain-vase          | Rain Vase                                |  7600 | 2200 | 11 |
pot-rice-bowl          | Rice Bowl                                |  3000 |  840 | 64 |
pot-incense-boat       | Incense Boat                             |  2600 |  720 | 37 |
pot-teapot             | Side-handle Teapot 急須                   | 11000 | 3300 | 8 |
pot-second-cup         | Sencha Cup, Second                       |  1800 |  950 | 42 | seconds
pot-second-bowl        | Rice Bowl, Second                        |  1600 |  840 | 39 | seconds
letter-thank-you       | Thank You, Really (6 cards)              |  1800 |  430 | 92 |
letter-sorry           | Sorry About Your Bicycle (6 cards)       |  1800 |  430 | 71 |
letter-tide-calendar   | Tide Calendar 2026                       |  2400 |  610 | 110 | winter
letter-notebook-grid   | Harbour Notebook, Grid                   |  1500 |  360 | 134 |
letter-notebook-plain  | Harbour Notebook, Plain                  |  1500 |  360 | 127 |
letter-wrapping        | Wrapping Paper, Herring Pattern          |  1200 |  250 | 150 | winter
letter-bookplates      | Ex Libris Plates (20)                    |  1600 |  370 | 66 |
letter-wish-cards      | Winter Wishes (6 cards)                  |  1800 |  430 | 140 | winter
letter-custom-stamp    | Your Name in Letterpress (rubber stamp)  |  5800 | 1700 | - | made-to-order
small-heron-sticker    | Heron Sticker                            |   400 |   60 | 420 |
small-fox-pin          | Fox Pin                                  |   900 |  260 | 180 |
small-postcards        | Five Postcards                           |   800 |  140 | 260 |
small-bear-patch       | Umbrella Bear Patch                      |   700 |  190 | 145 |
original-fox-study     | Fox Study, inked by hand (edition of 24) | 24000 | 1400 | 9 |
original-ferry-sketch  | Night Ferry, coloured by hand (of 24)    | 18000 | 1400 | 13 |
gift-card-25           | Gift Card, 25                            |  2500 |    0 | - |
gift-card-50           | Gift Card, 50                            |  5000 |    0 | - |
home-moth-candle       | Marsh Candle                             |  2400 |  700 | 83 | candle
home-heather-candle    | Heather & Smoke Candle                   |  2400 |  700 | 76 | candle
home-tea-tin           | Breakfast Tea, Small Tin                 |  1400 |  420 | 112 |
`

const kinds = byFirstCell(kindTable, ([vendor = "", tags = "", grams, weight, sku = ""]) => ({
  vendor,
  tags: listOf(tags),
  grams: Number(grams),
  weight: Number(weight),
  sku: sku === "-" ? null : sku,
}))

const kindOf = (productId: string): string => productId.split("-")[0] ?? ""

const products = rowsOf(productTable).map(
  ([id = "", name, price, cost, stock, tags = ""], index) => {
    const kind = lookUp(kinds, kindOf(id))
    return {
      id,
      external_id: String(8_140_000_000_011 + index * 32),
      external_variant_id: String(43_900_000_000_503 + index * 64),
      name: name ?? "",
      sku: kind.sku === null ? null : `PH-${kind.sku}-${String(index + 1).padStart(3, "0")}`,
      vendor: kind.vendor,
      price: Number(price),
      cost: Number(cost),
      tags: [...kind.tags, ...listOf(tags)],
      inventory_quantity: stock === "-" ? null : Number(stock),
    }
  },
)

type Product = (typeof products)[number]

const productsById = new Map(products.map((product) => [product.id, product]))

const externalId = (productId: string): string => lookUp(productsById, productId).external_id

/** Products that were not sold before a date. */
const onSaleFrom = new Map([
  ["poems-low-bridge", seconds("2025-09-15")],
  ["letter-tide-calendar", seconds("2025-08-20")],
  ["letter-wish-cards", seconds("2025-10-01")],
])

// ---------------------------------------------------------------------------------------------
// Collaborators
// ---------------------------------------------------------------------------------------------

/** What a collaborator may see, in sets that the store hands out. */
const sights: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["maker", ["see_product_price", "see_product_quantity", "see_product_discount"]],
  [
    "partner",
    [
      "see_product_price",
      "see_product_quantity",
      "see_product_discount",
      "see_product_tax",
      "see_order_status",
      "see_product_cost",
      "see_product_stock",
    ],
  ],
  ["referrer", ["see_product_quantity", "see_order_status"]],
  [
    "packer",
    [
      "see_product_quantity",
      "see_customer_name",
      "see_order_status",
      "see_order_shipping_address",
      "see_product_stock",
    ],
  ],
  [
    "agent",
    [
      "see_product_price",
      "see_product_quantity",
      "see_product_discount",
      "see_product_tax",
      "see_customer_email",
      "see_customer_name",
      "see_order_status",
      "see_order_payment_gateway",
      "see_order_shipping_address",
      "see_order_billing_address",
    ],
  ],
  ["nothing", []],
])

const permissionNames = [
  "see_product_price",
  "see_product_quantity",
  "see_product_discount",
  "see_product_tax",
  "see_customer_email",
  "see_customer_name",
  "see_order_status",
  "see_order_payment_gateway",
  "see_order_shipping_address",
  "see_order_billing_address",
  "see_product_cost",
  "see_product_stock",
]

/** Id | name | PayPal | currency | measurement | frequency | threshold | holding days | sees | managed, by hand | notes */
const collaboratorTable = `
zoe         | Zoë Lindqvist            | zoe@example.se          | EUR | month        |  1 |  5000 |  7 | maker    |         | Illustrator. Prints, small things, and half of the picture books.
lukasz      | Łukasz Wrona             | lukasz@example.pl       | EUR | month        |  1 |  5000 |  7 | maker    |         | Writes the picture books that Zoë draws.
yamada      | 山田 遥                   | haruka@example.jp       | JPY | monthly_date | -1 |  3000 |  - | partner  |         | 山田窯, the kiln at Mashiko. Invoice on the last day of the month.
undertow    | Undertow & Daughters     | royalties@example.com   | USD | month        |  3 | 10000 | 30 | partner  |         | Record label, licensed pressings. Quarterly.
ines        | Inês Carvalho            | ines@example.pt         | EUR | monthly_date | 15 |  4000 | 10 | maker    |         | Photographer.
theo        | Theo Marchetti           | theo@example.net        | USD | week         |  2 |  2500 | 14 | referrer |         | Writes the blog Theo’s Shelf. His part is a cost for everyone.
slow-sunday | Slow Sunday (Meera Nair) | meera@example.net       | USD | day          | 30 |  2000 | 14 | referrer |         |
long-margin | The Long Margin          | hello@example.fm        | USD | month        |  1 |  2500 | 14 | referrer |         | Podcast. Codes MARGIN10 and LONGMARGIN.
old-pier    | Old Pier Bird Rescue     | treasurer@example.org   | USD | month        |  2 |     0 |  - | nothing  |         | Charity, receipt wanted for each payment.
nordwind    | Nordwind Agentur         | abrechnung@example.de   | EUR | monthly_date |  5 |  7500 | 14 | agent    |         | Agent for Germany, Austria and Switzerland.
kofi        | Kofi Asante              | -                       | USD | month        |  1 |  3000 |  - | maker    | by hand | Poet. Prefers a bank transfer: pay by hand.
amira       | Amira Haddad             | amira@example.ca        | USD | month        |  1 |  5000 |  7 | maker    | managed | Letterpress. Her new press was paid in advance (February).
abeto       | Casa Abeto               | contas@example.pt       | EUR | week         |  4 |  5000 |  - | packer   |         | Print house, packs the tubes.
matsuri     | まつり画廊                 | gallery@example.jp      | JPY | monthly_date | 20 |  5000 |  7 | agent    |         | Gallery in Tokyo, shows the prints and pots.
marta       | Marta Nováková           | marta@example.cz        | EUR | day          | 14 |  1000 |  - | packer   | managed | Gift wrapping.
kestrel     | Kestrel Parcels          | accounts@example.co.uk  | USD | week         |  1 |     0 |  - | packer   |         | Carrier, takes part of the shipping.
elif        | Elif Demir               | elif@example.com        | USD | month        |  1 |  1000 |  - | partner  |         | Curator of the collection.
`

const collaborators = rowsOf(collaboratorTable).map(
  ([id, name, paypal, currency, measurement, frequency, threshold, hold, sees, flags, notes]) => ({
    id: id ?? "",
    currency: currency ?? "",
    payout_measurement: measurement,
    payout_frequency: Number(frequency),
    payout_threshold: Number(threshold),
    should_pay_automatically: flags !== "by hand",
    payout_holding_days: hold === "-" ? null : Number(hold),
    notes: notes === "" ? null : notes,
    permissions: Object.fromEntries(
      permissionNames.map((name) => [name, lookUp(sights, sees ?? "").includes(name)]),
    ),
    account: {
      name,
      paypal_email: paypal === "-" ? null : paypal,
      is_managed: flags === "managed",
    },
  }),
)

// ---------------------------------------------------------------------------------------------
// Product groups
// ---------------------------------------------------------------------------------------------

const pictureBooks = ["picture-snow-postman", "picture-bear-lends", "picture-two-foxes"]
const polishBooks = ["picture-pan-listonosz", "picture-dwa-lisy"]
const poemBooks = ["poems-harmattan", "poems-tin-roof", "poems-ferryman", "poems-tide-clocks"]
const marginCodes = ["MARGIN10", "LONGMARGIN"]
const slowSundayBook = "book-slow-baking"

type Modifier = "WITH" | "NOT"

const link = (
  itemType: string,
  items: ReadonlyArray<string> = [],
  modifier: Modifier = "WITH",
) => ({
  itemType,
  items,
  type_modifier: modifier,
})

const when = (type: string, values: ReadonlyArray<string>, modifier: Modifier = "WITH") => ({
  splitConditionType: type,
  splitConditions: values,
  condition_modifier: modifier,
})

const always = { splitConditionType: null, splitConditions: [], condition_modifier: null }

const percent = (percentage: string) => ({ type: "percentage", percentage })

const flat = (amount: number) => ({ type: "flat", amount })

/** Most makers earn nothing on shipping; without this they would earn their percent of it. */
const noShipping = { shipping_percent: "0.00" }

interface GroupParts {
  readonly link: ReturnType<typeof link>
  readonly when?: ReturnType<typeof when>
  readonly pay: ReturnType<typeof percent> | ReturnType<typeof flat>
  readonly more?: {
    readonly deduct_for_other_splits?: true
    readonly shipping_percent?: string
    readonly shipping_amount?: number
    readonly min_amount?: number
    readonly max_amount?: number
    readonly starts_at?: number
    readonly ends_at?: number
  }
}

const group = (collaboratorId: string, id: string, created: string, parts: GroupParts) => ({
  id,
  collaborator_id: collaboratorId,
  ...parts.link,
  ...(parts.when ?? always),
  ...parts.pay,
  ...parts.more,
  created_at: seconds(created),
})

/** Midnight at the start of July, of the launch and of the charity week, in the store's time zone. */
const july = seconds("2025-07-01T00:00:00-04:00")
const launch = seconds("2025-09-15T00:00:00-04:00")
const launchEnd = seconds("2025-10-15T00:00:00-04:00")
const charityWeek = {
  starts_at: seconds("2025-04-21T00:00:00-04:00"),
  ends_at: seconds("2025-04-28T00:00:00-04:00"),
}

const makersGroups = [
  group("zoe", "zoe-art-until-june", "2024-02-01", {
    link: link("products.tag", ["zoë"]),
    pay: percent("30.00"),
    more: { ...noShipping, ends_at: july },
  }),
  group("zoe", "zoe-art-from-july", "2025-06-12", {
    link: link("products.tag", ["zoë"]),
    pay: percent("33.33"),
    more: { ...noShipping, starts_at: july },
  }),
  group("zoe", "zoe-originals", "2024-02-01", {
    link: link("products", ["original-fox-study", externalId("original-ferry-sketch")]),
    pay: percent("70.00"),
    more: noShipping,
  }),
  group("zoe", "zoe-picture-books", "2024-03-10", {
    link: link("products", [...pictureBooks, ...polishBooks]),
    pay: percent("12.50"),
    more: noShipping,
  }),
  group("lukasz", "lukasz-picture-books", "2024-03-10", {
    link: link("products", pictureBooks),
    pay: percent("12.50"),
    more: noShipping,
  }),
  group("lukasz", "lukasz-polish-editions", "2024-03-10", {
    link: link("products.tag", ["polish-edition"]),
    when: when("country.code", ["PL"], "NOT"),
    pay: percent("15.00"),
    more: noShipping,
  }),
  group("yamada", "yamada-kiln", "2024-05-02", {
    link: link("products.vendor", ["山田窯"]),
    pay: percent("50.00"),
    more: { shipping_percent: "20.00" },
  }),
  group("yamada", "yamada-seconds", "2024-05-02", {
    link: link("products.tag", ["Seconds"]),
    pay: percent("25.00"),
    more: { shipping_percent: "20.00" },
  }),
  group("undertow", "undertow-records", "2024-01-15", {
    link: link("products.vendor", ["Undertow & Daughters"]),
    pay: percent("42.50"),
    more: noShipping,
  }),
  group("undertow", "undertow-wholesale", "2024-01-15", {
    link: link("products.vendor", ["Undertow & Daughters"]),
    when: when("order.tag", ["wholesale"]),
    pay: percent("35.00"),
    more: noShipping,
  }),
  group("undertow", "undertow-clearance", "2025-01-02", {
    link: link("products", ["record-old-waltz", externalId("record-tin-ear")]),
    pay: flat(350),
  }),
  group("ines", "ines-photographs", "2024-04-20", {
    link: link("products.vendor", ["INÊS CARVALHO FOTOGRAFIA"]),
    pay: percent("35.00"),
    more: noShipping,
  }),
  group("ines", "ines-retail", "2024-04-20", {
    link: link("products.vendor", ["INÊS CARVALHO FOTOGRAFIA"]),
    when: when("customer.tag", ["wholesale"], "NOT"),
    pay: percent("45.00"),
    more: { ...noShipping, min_amount: 900, max_amount: 6_000 },
  }),
  group("kofi", "kofi-poems", "2024-06-01", {
    link: link("products", poemBooks),
    pay: percent("15.00"),
    more: noShipping,
  }),
  group("kofi", "kofi-full-royalty", "2024-06-01", {
    link: link("products", poemBooks),
    when: when("discount.code", marginCodes, "NOT"),
    pay: percent("20.00"),
    more: noShipping,
  }),
  group("kofi", "kofi-new-book", "2025-08-30", {
    link: link("products", ["poems-low-bridge"]),
    pay: percent("20.00"),
    more: noShipping,
  }),
  group("kofi", "kofi-launch-month", "2025-09-01", {
    link: link("products", ["poems-low-bridge"]),
    pay: percent("25.00"),
    more: { ...noShipping, starts_at: launch, ends_at: launchEnd },
  }),
  group("amira", "amira-letterpress", "2024-02-20", {
    link: link("products.vendor", ["Haddad Letterpress"]),
    pay: percent("35.00"),
    more: noShipping,
  }),
  group("amira", "amira-stamps", "2024-11-05", {
    link: link("products", ["letter-custom-stamp"]),
    pay: flat(2_400),
    more: { shipping_amount: 150 },
  }),
]

const referrersGroups = [
  group("theo", "theo-readers", "2024-07-01", {
    link: link("products.tag", ["gift-card"], "NOT"),
    when: when("referer", ["theos-shelf", "theo-newsletter"]),
    pay: percent("8.00"),
    more: { ...noShipping, deduct_for_other_splits: true },
  }),
  group("slow-sunday", "slow-sunday-home", "2024-09-01", {
    link: link("products.tag", ["ceramics", "stationery", "home"]),
    when: when("referer", ["slow-sunday"]),
    pay: percent("6.00"),
    more: noShipping,
  }),
  group("slow-sunday", "slow-sunday-own-book", "2025-01-10", {
    link: link("products", [slowSundayBook]),
    when: when("referer", ["slow-sunday"]),
    pay: percent("18.00"),
    more: noShipping,
  }),
  group("slow-sunday", "slow-sunday-book-elsewhere", "2025-01-10", {
    link: link("products", [slowSundayBook]),
    when: when("referer", ["slow-sunday"], "NOT"),
    pay: percent("12.00"),
    more: noShipping,
  }),
  group("long-margin", "long-margin-books", "2024-10-01", {
    link: link("products.tag", ["book"]),
    when: when("discount.code", marginCodes),
    pay: percent("7.50"),
    more: { ...noShipping, max_amount: 250 },
  }),
  group("long-margin", "long-margin-records", "2024-10-01", {
    link: link("products.vendor", ["Undertow & Daughters"]),
    when: when("discount.code", marginCodes),
    pay: flat(150),
  }),
]

const friendsGroups = [
  group("old-pier", "old-pier-birds", "2024-01-10", {
    link: link("products.tag", ["birds"]),
    pay: flat(100),
  }),
  group("old-pier", "old-pier-charity-week", "2025-04-14", {
    link: link("products.all"),
    when: when("order.tag", ["charity-week"]),
    pay: percent("2.00"),
    more: { ...noShipping, ...charityWeek },
  }),
  group("nordwind", "nordwind-dach", "2024-08-15", {
    link: link("products.vendor", ["Undertow & Daughters"], "NOT"),
    when: when("country.code", ["DE", "AT", "CH"]),
    pay: percent("7.00"),
    more: { ...noShipping, min_amount: 60, max_amount: 2_000 },
  }),
  group("nordwind", "nordwind-no-gift-cards", "2024-08-15", {
    link: link("products", ["gift-card-25", "gift-card-50"]),
    pay: percent("0.00"),
  }),
  group("matsuri", "matsuri-japan", "2024-05-20", {
    link: link("products.tag", ["print", "ceramics"]),
    when: when("country.code", ["JP"]),
    pay: percent("10.00"),
    more: noShipping,
  }),
  group("matsuri", "matsuri-club", "2024-12-01", {
    link: link("products.all"),
    when: when("customer.tag", ["まつりクラブ"]),
    pay: percent("3.00"),
    more: noShipping,
  }),
  group("elif", "elif-collection", "2024-01-05", {
    link: link("products", ["gift-card-25", "gift-card-50"], "NOT"),
    pay: percent("1.50"),
    more: noShipping,
  }),
  group("elif", "elif-vip-evenings", "2024-11-20", {
    link: link("products", ["gift-card-25", "gift-card-50"], "NOT"),
    when: when("customer.tag", ["VIP"]),
    pay: percent("2.50"),
    more: noShipping,
  }),
]

const helpersGroups = [
  group("abeto", "abeto-prints", "2024-02-01", {
    link: link("products.tag", ["print"]),
    when: when("country.code", ["JP"], "NOT"),
    pay: percent("12.00"),
  }),
  group("marta", "marta-gift-wrap", "2024-11-01", {
    link: link("products.tag", ["gift-card", "small"], "NOT"),
    when: when("order.tag", ["gift"]),
    pay: flat(150),
    more: { shipping_amount: 30 },
  }),
  group("kestrel", "kestrel-parcels", "2024-01-02", {
    link: link("products.all"),
    when: when("order.tag", ["pickup"], "NOT"),
    pay: percent("0.00"),
    more: { shipping_percent: "55.00" },
  }),
]

const groups = [...makersGroups, ...referrersGroups, ...friendsGroups, ...helpersGroups]

const policy = {
  discount: "deduct",
  tax: "remove",
  cost: "ignore",
  gateway_fee: "deduct",
  flat_scope: "unit",
  shipping: "share",
  stacking: "most-specific",
  rounding: "largest-remainder",
  over_allocation: "reject",
  time_zone: "America/New_York",
}

// ---------------------------------------------------------------------------------------------
// Customers
// ---------------------------------------------------------------------------------------------

/** Country | customers | currency | shipping | tax name | tax | tax on books | streets | cities | first names | last names */
const countryTable = `
US | 52 | USD |  590 | Sales tax | 5.5 | 5.5 | Alder Street, Wharf Road | Portland, Asheville, Duluth, Tucson | June, Marcus, Priya, Owen, Dolores, Hank | Abbott, Okafor, Reyes, Lindgren, Castellano
CA | 11 | USD | 1290 | HST       | 13  | 5   | Rue Duluth, Dundas Street | Montréal, Halifax | Margaux, Devon, Aiyana | Tremblay, MacNeil, Singh
MX |  4 | USD | 1490 | -         | -   | -   | Calle Regina | Oaxaca, Mérida | Ximena, Julián | Ríos, Cárdenas
GB | 12 | USD | 1490 | -         | -   | -   | Quay Lane, Station Road | Whitby, Bristol | Imogen, Alistair, Bronwen | Thwaite, Pryce, Okonkwo
AU |  6 | USD | 1790 | -         | -   | -   | Swan Street | Hobart, Fremantle | Kirra, Angus | Boyle, Nguyen
DE | 21 | EUR |  990 | MwSt.     | 19  | 7   | Gartenstraße, Am Hafen | Leipzig, Bremen, Köln | Jörg, Annika, Matthias, Aylin | Größer, Weiß, Yılmaz, Petersen
AT |  5 | EUR | 1090 | USt.      | 20  | 10  | Neubaugasse | Wien, Graz | Leopold, Resi | Huber, Přibyl
CH |  6 | EUR | 1290 | MWST      | 8.1 | 2.6 | Rosenweg, Rue du Lac | Bern, Lausanne | Reto, Élodie | Zbinden, Favre
FR | 13 | EUR |  990 | TVA       | 20  | 5.5 | Rue des Carmes, Quai Vert | Nantes, Lyon | Chloé, Étienne, Maëlys | Lefèvre, Diallo, Gaudin
PT |  6 | EUR |  690 | IVA       | 23  | 6   | Rua da Rosa | Lisboa, Porto | João, Beatriz | Conceição, Magalhães
ES |  7 | EUR |  890 | IVA       | 21  | 4   | Calle del Pez | Gijón, Cádiz | Íñigo, Lucía | Muñoz, Echeverría
IT |  6 | EUR |  990 | IVA       | 22  | 4   | Via del Faro | Trieste, Genova | Niccolò, Ginevra | D’Angelo, Bianchi
NL |  7 | EUR |  890 | BTW       | 21  | 9   | Lange Haven | Schiedam, Groningen | Sjoerd, Fleur | de Vries, van ’t Hof
SE |  7 | EUR |  990 | moms      | 25  | 6   | Björkgatan | Umeå, Göteborg | Åsa, Henrik | Öberg, Nyström
PL |  8 | EUR |  890 | VAT       | 23  | 5   | ulica Lipowa | Gdańsk, Kraków | Małgorzata, Bartłomiej | Żak, Wiśniewska
JP | 27 | JPY |  800 | 消費税     | 10  | 10  | 本町, 桜通り | 東京都, 京都市, 札幌市 | 陽菜, 大輔, さくら, 健太 | 佐藤, 鈴木, 高橋, 渡辺
`

interface Country {
  readonly code: string
  readonly weight: number
  readonly currency: string
  readonly shipping: number
  readonly taxName: string | null
  readonly tax: number
  readonly bookTax: number
  readonly streets: ReadonlyArray<string>
  readonly cities: ReadonlyArray<string>
  readonly firstNames: ReadonlyArray<string>
  readonly lastNames: ReadonlyArray<string>
}

const countries: ReadonlyArray<Country> = rowsOf(countryTable).map(
  ([code, count, currency, shipping, taxName, tax, bookTax, streets, cities, first, last]) => ({
    code: code ?? "",
    weight: Number(count),
    currency: currency ?? "",
    shipping: Number(shipping),
    taxName: taxName === "-" ? null : (taxName ?? null),
    tax: Number(tax === "-" ? 0 : tax),
    bookTax: Number(bookTax === "-" ? 0 : bookTax),
    streets: listOf(streets ?? ""),
    cities: listOf(cities ?? ""),
    firstNames: listOf(first ?? ""),
    lastNames: listOf(last ?? ""),
  }),
)

const countryOf = (code: string): Country => {
  const found = countries.find((country) => country.code === code)
  assert.ok(found !== undefined, `there is no country ${code}`)
  return found
}

interface Customer {
  readonly country: Country
  readonly name: string
  readonly email: string
  readonly address: string
  readonly tags: ReadonlyArray<string>
}

/** The shops that buy to sell again. */
const wholesaleTable = `
US | Tidewater Books & Tea  | Front Street 8, Astoria, US
CA | Librairie du Phare     | Rue Notre-Dame 41, Québec, CA
DE | Buchladen Kastanie     | Kastanienallee 12, Berlin, DE
FR | Papeterie Mirabelle    | Rue du Four 5, Metz, FR
PL | Księgarnia Pod Bzem    | ulica Bzowa 3, Wrocław, PL
JP | 本屋いるか               | 元町 2-7, 神戸市, JP
`

const wholesalers: ReadonlyArray<Customer> = rowsOf(wholesaleTable).map(
  ([code = "", name = "", address = ""]) => ({
    country: countryOf(code),
    name,
    email: `orders@shop-${code.toLowerCase()}.example`,
    address,
    tags: ["wholesale"],
  }),
)

const addressIn = (country: Country, chance: Chance): string => {
  const number = chance.below(90) + 1
  return `${chance.oneOf(country.streets)} ${number}, ${chance.oneOf(country.cities)}, ${country.code}`
}

const makeCustomer = (country: Country, chance: Chance, number: number): Customer => {
  const [first, last] = [chance.oneOf(country.firstNames), chance.oneOf(country.lastNames)]
  const isMember = country.code === "JP" && chance.happens(0.4)
  return {
    country,
    name: country.code === "JP" ? `${last} ${first}` : `${first} ${last}`,
    email: `reader${String(number).padStart(3, "0")}@example.com`,
    address: addressIn(country, chance),
    tags: [...(chance.happens(0.12) ? ["vip"] : []), ...(isMember ? ["まつりクラブ"] : [])],
  }
}

const makeCustomers = (chance: Chance): ReadonlyArray<Customer> =>
  countries
    .flatMap((country) => Array.from({ length: country.weight }, () => country))
    .map((country, index) => makeCustomer(country, chance, index + 1))

// ---------------------------------------------------------------------------------------------
// Orders
// ---------------------------------------------------------------------------------------------

/** Orders of each month of 2025: quiet summers, a busy November and December, 500 in all. */
const ordersOfMonth = [30, 28, 32, 36, 36, 34, 30, 32, 40, 46, 72, 84]

const firstOrderNumber = 1_001

const itemCounts = [
  { count: 1, weight: 36 },
  { count: 2, weight: 30 },
  { count: 3, weight: 19 },
  { count: 4, weight: 10 },
  { count: 5, weight: 5 },
]

const quantities = [
  { quantity: 1, weight: 84 },
  { quantity: 2, weight: 11 },
  { quantity: 3, weight: 3 },
  { quantity: 4, weight: 2 },
]

const refererChances = [
  { referer: null, weight: 36 },
  { referer: "search", weight: 18 },
  { referer: "instagram", weight: 12 },
  { referer: "newsletter", weight: 10 },
  { referer: "theos-shelf", weight: 9 },
  { referer: "Theos-Shelf", weight: 2 },
  { referer: "theo-newsletter", weight: 2 },
  { referer: "slow-sunday", weight: 11 },
]

interface Gateway {
  readonly name: string
  readonly weight: number
  readonly perMille: number
  readonly fixed: number
}

const gateways: ReadonlyArray<Gateway> = [
  { name: "card", weight: 70, perMille: 29, fixed: 30 },
  { name: "paypal", weight: 30, perMille: 35, fixed: 49 },
]

const bankTransfer: Gateway = { name: "bank transfer", weight: 0, perMille: 0, fixed: 0 }

interface Deal {
  readonly code: string
  readonly percent: number
}

/** A whole number of thousandths, rounded half up. */
const perMilleOf = (amount: number, perMille: number): number =>
  Math.floor((amount * perMille + 500) / 1_000)

/** Price of one in the currency of the order, rounded to what a price tag would say. */
const priceIn = (currency: string, usCents: number): number => {
  if (currency === "EUR") return Math.round((usCents * 94) / 5_000) * 50
  if (currency === "JPY") return Math.round((usCents * 3) / 200) * 100
  return usCents
}

const costIn = (currency: string, usCents: number): number => {
  if (currency === "EUR") return Math.round((usCents * 94) / 100)
  if (currency === "JPY") return Math.round((usCents * 3) / 20) * 10
  return usCents
}

/** What the sale looks like before its items are chosen. */
interface Sale {
  readonly at: number
  readonly month: number
  readonly customer: Customer
  readonly isWholesale: boolean
  readonly isPickup: boolean
  readonly deal: Deal | null
}

const dealOf = (at: number, month: number, chance: Chance): Deal | null => {
  if (month === 7 && chance.happens(0.35)) return { code: "JULY15", percent: 15 }
  const isHeronWeek = at >= seconds("2025-11-24") && at < seconds("2025-12-01")
  if (isHeronWeek && chance.happens(0.6)) return { code: "HERONWEEK20", percent: 20 }
  if (chance.happens(0.09)) return { code: chance.oneOf(["MARGIN10", "margin10"]), percent: 10 }
  if (chance.happens(0.04)) return { code: "LONGMARGIN", percent: 15 }
  return chance.happens(0.07) ? { code: "WELCOME10", percent: 10 } : null
}

const makeSale = (at: number, customers: ReadonlyArray<Customer>, chance: Chance): Sale => {
  const month = new Date(at * 1_000).getUTCMonth() + 1
  const isWholesale = chance.happens(0.05)
  const customer = chance.oneOf(isWholesale ? wholesalers : customers)
  return {
    at,
    month,
    customer,
    isWholesale,
    isPickup: !isWholesale && customer.country.code === "US" && chance.happens(0.1),
    deal: isWholesale ? null : dealOf(at, month, chance),
  }
}

const wholesaleKinds = ["print", "photo", "picture", "poems", "record", "pot", "letter"]

const kindWeight = (kind: string, weight: number, sale: Sale): number => {
  if (sale.isWholesale) return wholesaleKinds.includes(kind) ? weight : 0
  return kind === "gift" && sale.month === 12 ? weight * 3 : weight
}

const isOnOffer = ({ id, tags }: Product, sale: Sale): boolean =>
  (onSaleFrom.get(id) ?? 0) <= sale.at && !(sale.isWholesale && tags.includes("made-to-order"))

const chooseProducts = (sale: Sale, chance: Chance): ReadonlyArray<Product> => {
  const weights = [...kinds].map(([kind, { weight }]) => ({
    kind,
    weight: kindWeight(kind, weight, sale),
  }))
  const chosen = new Set<Product>()
  const { count } = chance.weighted(itemCounts)
  while (chosen.size < count) {
    const { kind } = chance.weighted(weights)
    const ofKind = products.filter(({ id }) => kindOf(id) === kind)
    chosen.add(chance.oneOf(ofKind.filter((product) => isOnOffer(product, sale))))
  }
  return [...chosen]
}

const quantityOf = (product: Product, sale: Sale, chance: Chance): number => {
  if (product.tags.includes("original")) return 1
  if (sale.isWholesale) return chance.oneOf([5, 6, 8, 10, 12])
  return chance.weighted(quantities).quantity
}

const discountPercent = (product: Product, sale: Sale): number => {
  if (sale.isWholesale) return 40
  return product.tags.includes("gift-card") ? 0 : (sale.deal?.percent ?? 0)
}

/** The tax of a line; a tax that is part of the net is taken out of it, else it comes on top. */
const taxOf = (product: Product, net: number, { country }: Customer) => {
  const rate = product.tags.includes("book") ? country.bookTax : country.tax
  if (rate === 0 || country.taxName === null || product.tags.includes("gift-card")) {
    return { tax_percent: null, tax_name: null, tax_total: null }
  }
  const tenths = Math.round(rate * 10)
  const whole = country.currency === "USD" ? 1_000 : 1_000 + tenths
  const total = Math.floor((2 * net * tenths + whole) / (2 * whole))
  return { tax_percent: rate, tax_name: country.taxName, tax_total: total }
}

/** The catalogue's prices are in dollars: in another currency the item says the product's own price. */
const snapshotOf = (product: Product, currency: string) =>
  currency === "USD"
    ? { id: product.id }
    : {
        id: product.id,
        price: priceIn(currency, product.price),
        cost: costIn(currency, product.cost),
      }

const makeItem = (
  product: Product,
  { sale, id }: { readonly sale: Sale; readonly id: string },
  chance: Chance,
) => {
  const { currency } = sale.customer.country
  const quantity = quantityOf(product, sale, chance)
  const amount = priceIn(currency, product.price) * quantity
  const discount = perMilleOf(amount, discountPercent(product, sale) * 10)
  return {
    external_id: id,
    product: snapshotOf(product, currency),
    quantity,
    amount,
    discount,
    ...taxOf(product, amount - discount, sale.customer),
    grams: lookUp(kinds, kindOf(product.id)).grams,
    split_at: null,
    refunded_at: null,
  }
}

type Item = ReturnType<typeof makeItem>

const sumOf = (items: ReadonlyArray<Item>, figure: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + figure(item), 0)

const netOf = (item: Item): number => item.amount - item.discount

/** Free above 150.00 (20,000 yen), and where nothing is sent. */
const shippingOf = (items: ReadonlyArray<Item>, sale: Sale): number => {
  const { country } = sale.customer
  const isSent = items.some((item) => item.grams > 0) && !sale.isPickup
  if (!isSent) return 0
  if (sale.isWholesale) return country.shipping * 3
  const freeFrom = country.currency === "JPY" ? 20_000 : 15_000
  return sumOf(items, netOf) >= freeFrom ? 0 : country.shipping
}

const feeOf = (charged: number, gateway: Gateway, currency: string): number => {
  if (currency === "JPY") return gateway.perMille === 0 ? 0 : perMilleOf(charged, 36)
  return perMilleOf(charged, gateway.perMille) + gateway.fixed
}

/** The tag was forgotten on the site until the end of April, three days after the charity week. */
const wearsCharityTag = (at: number): boolean =>
  at >= charityWeek.starts_at && at < seconds("2025-05-01")

const tagsOf = (sale: Sale, items: ReadonlyArray<Item>, chance: Chance): ReadonlyArray<string> => {
  const isGift = !sale.isWholesale && chance.happens(sale.month >= 11 ? 0.24 : 0.09)
  const isMade = items.some((item) => item.product.id === "letter-custom-stamp")
  return [
    ...(sale.isWholesale ? ["wholesale"] : []),
    ...(isGift ? ["gift"] : []),
    ...(sale.isPickup ? ["pickup"] : []),
    ...(isMade ? ["made-to-order"] : []),
    ...(wearsCharityTag(sale.at) ? ["charity-week"] : []),
  ]
}

const statusOf = (sale: Sale): string => {
  if (sale.at > seconds("2025-12-28")) return "paid"
  return sale.isPickup ? "picked up" : "fulfilled"
}

const makeOrder = (number: number, sale: Sale, chance: Chance) => {
  const { country, name, email, address, tags } = sale.customer
  const id = `PH-${number}`
  const items = chooseProducts(sale, chance).map((product, index) => {
    return makeItem(product, { sale, id: `${id}-${index + 1}` }, chance)
  })
  const taxesIncluded = country.currency !== "USD"
  const shipping = shippingOf(items, sale)
  const taxOnTop = taxesIncluded ? 0 : sumOf(items, (item) => item.tax_total ?? 0)
  const gateway = sale.isWholesale ? bankTransfer : chance.weighted(gateways)
  const charged = sumOf(items, netOf) + taxOnTop + shipping
  return {
    id,
    currency: country.currency,
    created_at: sale.at,
    status: statusOf(sale),
    tags: tagsOf(sale, items, chance),
    customer: { name, email, tags },
    discount_codes: sale.deal === null ? [] : [sale.deal.code],
    billing_country: country.code,
    referer: sale.isWholesale ? null : chance.weighted(refererChances).referer,
    taxes_included: taxesIncluded,
    shipping_amount: shipping,
    gateway_fee: feeOf(charged, gateway, country.currency),
    payment_gateway: gateway.name,
    billing_address: address,
    shipping_address: chance.happens(0.06) ? addressIn(country, chance) : address,
    items,
  }
}

type Order = ReturnType<typeof makeOrder>

/** A time in the month, in daylight hours; late in November and early in December there are more. */
const timeIn = (month: number, chance: Chance): number => {
  const days = new Date(Date.UTC(2025, month, 0)).getUTCDate()
  const [one, other] = [chance.below(days), chance.below(days)]
  const chosen = month === 11 ? Math.max(one, other) : month === 12 ? Math.min(one, other) : one
  const secondOfDay = 13 * 3_600 + chance.below(10 * 3_600)
  return Date.UTC(2025, month - 1, 1) / 1_000 + chosen * day + secondOfDay
}

const makeOrders = (chance: Chance): ReadonlyArray<Order> => {
  const customers = makeCustomers(chance)
  return ordersOfMonth
    .flatMap((count, month) => Array.from({ length: count }, () => timeIn(month + 1, chance)))
    .sort((one, other) => one - other)
    .map((at, index) =>
      makeOrder(firstOrderNumber + index, makeSale(at, customers, chance), chance),
    )
}

// ---------------------------------------------------------------------------------------------
// Refunds, expenses and incomes, exchange rates
// ---------------------------------------------------------------------------------------------

type Refund = {
  readonly order_id: string
  readonly item_id: string
  readonly amount?: number
  readonly quantity?: number
  readonly refunded_at: number
}

/** Takes an item back: whole, some of its units, part of the price, or part of the price and then the rest. */
const refundItem = (order: Order, item: Item, chance: Chance): ReadonlyArray<Refund> => {
  const place = { order_id: order.id, item_id: item.external_id }
  const soon = order.created_at + (2 + chance.below(16)) * day + chance.below(3_600)
  const late = soon + (40 + chance.below(40)) * day
  const net = netOf(item)
  const part = perMilleOf(net, chance.oneOf([150, 200, 333, 500]))
  if (item.quantity > 1) return [{ ...place, quantity: 1, refunded_at: soon }]
  const ways: ReadonlyArray<ReadonlyArray<Refund>> = [
    [{ ...place, quantity: 1, refunded_at: soon }],
    [{ ...place, amount: net, refunded_at: late }],
    [{ ...place, amount: part, refunded_at: soon }],
    [
      { ...place, amount: part, refunded_at: soon },
      { ...place, amount: net - part, refunded_at: late },
    ],
  ]
  return chance.oneOf(ways)
}

const makeRefunds = (orders: ReadonlyArray<Order>, chance: Chance): ReadonlyArray<Refund> =>
  orders
    .filter(() => chance.happens(0.065))
    .flatMap((order) => refundItem(order, chance.oneOf(order.items), chance))
    .filter((refund) => refund.refunded_at < seconds("2026-01-01"))
    .sort((one, other) => one.refunded_at - other.refunded_at)

/** Date | collaborator | kind | amount in the lowest unit of the collaborator's currency | what for */
const entryTable = `
2025-01-20 | abeto       | expense |   3800 | Damaged tubes, shipment of 14 January
2025-02-03 | amira       | expense |  48000 | New treadle press, half paid by the store in advance
2025-02-14 | ines        | expense |   4200 | Framing for the winter show
2025-02-28 | yamada      | income  |  12000 | 展示用の器 (pieces for the shop window)
2025-03-12 | zoe         | income  |  25000 | Shop sign, drawing
2025-03-31 | undertow    | expense |   9000 | Test pressings
2025-04-10 | kofi        | income  |  15000 | Reading at the shop, 9 April
2025-04-28 | old-pier    | income  |  10000 | The store doubles the tin by the till
2025-05-06 | lukasz      | expense |   6500 | Train to the Leipzig fair
2025-05-06 | zoe         | expense |   6500 | Train to the Leipzig fair
2025-05-22 | matsuri     | income  |  20000 | 展覧会の手伝い (help with the spring show)
2025-06-02 | theo        | expense |   1200 | Review copies
2025-06-18 | nordwind    | expense |   5500 | Sample case
2025-07-09 | long-margin | income  |   7500 | Live episode in the shop
2025-07-30 | yamada      | expense |   4800 | 割れた急須 (teapot broken in the post)
2025-08-11 | marta       | income  |   3000 | Ribbon, bought for the store
2025-08-25 | slow-sunday | expense |    900 | Postage of samples
2025-09-15 | kofi        | expense |   8800 | Launch evening, half of the wine
2025-10-03 | elif        | income  |  30000 | Catalogue text
2025-10-20 | ines        | income  |   9000 | Licence for the tide calendar’s cover
2025-11-04 | kestrel     | expense |   2600 | Lost parcel PH-1328
2025-11-28 | marta       | income  |   6000 | Extra evening, Heron Week
2025-12-08 | amira       | income  |  12000 | Printing class
2025-12-19 | zoe         | income  |  10000 | Signing afternoon
`

const entries = rowsOf(entryTable).map(([date, collaboratorId, kind, amount, name]) => ({
  collaborator_id: collaboratorId,
  kind,
  amount: Number(amount),
  name,
  at: seconds(`${date}T16:00:00Z`),
}))

/** Invented month rates: US dollars for a euro, in ten-thousandths; yen for a dollar, in hundredths. */
const monthRates: ReadonlyArray<readonly [usdForEuro: number, yenForUsd: number]> = [
  [10_362, 15_641],
  [10_418, 15_187],
  [10_794, 14_925],
  [11_213, 14_438],
  [11_279, 14_472],
  [11_516, 14_450],
  [11_688, 14_683],
  [11_635, 14_768],
  [11_732, 14_791],
  [11_641, 15_126],
  [11_559, 15_508],
  [11_704, 15_593],
]

const decimal = (value: number, digits: number): string => {
  const text = String(value).padStart(digits + 1, "0")
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

const ratesOfMonth = ([usdForEuro, yenForUsd]: readonly [number, number], index: number) => {
  const yenForEuro = Math.round((usdForEuro * yenForUsd) / 10_000)
  const pairs: ReadonlyArray<readonly [from: string, to: string, rate: string]> = [
    ["EUR", "USD", decimal(usdForEuro, 4)],
    ["USD", "EUR", decimal(Math.round(1e10 / usdForEuro), 6)],
    ["USD", "JPY", decimal(yenForUsd, 2)],
    ["JPY", "USD", decimal(Math.round(1e10 / yenForUsd), 8)],
    ["EUR", "JPY", decimal(yenForEuro, 2)],
    ["JPY", "EUR", decimal(Math.round(1e10 / yenForEuro), 8)],
  ]
  const fromDate = `2025-${String(index + 1).padStart(2, "0")}-01`
  return pairs.map(([from, to, rate]) => ({ from, to, rate, from_date: fromDate }))
}

// ---------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------

const widestLine = 100

/** Columns a text takes; Chinese and Japanese characters take two. */
const widthOf = (text: string): number =>
  [...text].reduce((width, letter) => width + (letter >= "\u2e80" ? 2 : 1), 0)

const isFlat = (value: unknown): boolean => typeof value !== "object" || value === null

const onOneLine = (value: object): string => {
  if (Array.isArray(value)) return `[${value.map((each) => JSON.stringify(each)).join(", ")}]`
  const fields = Object.entries(value).map(([key, each]) => `"${key}": ${JSON.stringify(each)}`)
  return `{ ${fields.join(", ")} }`
}

/** JSON as the project's formatter writes it: lists of texts on one line where they fit. */
const pretty = (value: unknown, indent = "", before = 0): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((each) => `${inner}${pretty(each, inner, inner.length)}`)
    : Object.entries(value).map(([key, each]) => {
        const name = `${inner}"${key}": `
        return `${name}${pretty(each, inner, name.length)}`
      })
  const line = onOneLine(value)
  const fits = before + widthOf(line) < widestLine
  if (Array.isArray(value) && value.every(isFlat) && fits) return line
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`
}

const prettyFile = (value: unknown): string => `${pretty(value)}\n`

/** A record a line, for lists of short records. */
const linePerRecord = (records: ReadonlyArray<object>): string =>
  `[\n${records.map((record) => `  ${onOneLine(record)}`).join(",\n")}\n]\n`

const ndjson = (records: ReadonlyArray<unknown>): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("")

/**
 * The text of each file of the sample store, by its name.
 */
export const generate = (): ReadonlyMap<string, string> => {
  const orders = makeOrders(chanceFrom(20_250_101))
  return new Map([
    ["products.json", prettyFile(products)],
    ["collaborators.json", prettyFile(collaborators)],
    ["groups.json", prettyFile(groups)],
    ["policy.json", prettyFile(policy)],
    ["orders.ndjson", ndjson(orders)],
    ["refunds.json", linePerRecord(makeRefunds(orders, chanceFrom(77)))],
    ["entries.json", prettyFile(entries)],
    ["rates.json", linePerRecord(monthRates.flatMap(ratesOfMonth))],
  ])
}

if (import.meta.main) {
  const folder = new URL("../../docs/sample-store/", import.meta.url)
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of generate()) writeFileSync(new URL(name, folder), text)
  console.log(`wrote ${[...generate().keys()].join(", ")} to ${fileURLToPath(folder)}`)
}
