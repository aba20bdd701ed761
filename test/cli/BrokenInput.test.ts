import { afterAll, describe, expect, it } from "vitest"
import { type Contents, collaborators, Folder, groups, ndjson, order, run } from "./world.js"

/** What a user did wrong, and what they are told. */
interface Broken {
  readonly title: string
  readonly command?: "split" | "explain" | "statement"
  /** Replaces the sound input of a flag; `undefined` leaves the flag out. */
  readonly inputs?: { readonly [flag: string]: readonly [name: string, contents: Contents] }
  /** Flags written as they are. */
  readonly flags?: ReadonlyArray<string>
  readonly stdin?: string
  readonly code: 1 | 2
  readonly says: ReadonlyArray<string | RegExp>
}

const [ada, sam] = groups
const group = (changes: object) => [{ ...ada, ...changes }]
const item = (changes: object) => ({
  external_id: "7",
  amount: 500,
  quantity: 1,
  product: { id: "p1", tags: ["art"] },
  ...changes,
})
const brokenItem = (changes: object) =>
  ndjson([order("1"), order("2", { items: [item(changes)] }), order("3")])
const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`

const broken: ReadonlyArray<Broken> = [
  {
    title: "groups that are not JSON",
    inputs: { groups: ["groups.json", "[\n  {id: 1}\n]"] },
    code: 2,
    says: ["groups.json:2:4", "not valid JSON", 'field name in double quotes, found "id"'],
  },
  {
    title: "a document that ends in the middle",
    inputs: { groups: ["groups.json", '[\n{"id": "g1"},\n{"id": "g2", "items": ["art"'] },
    code: 2,
    says: ["groups.json:3", "never ends"],
  },
  {
    title: "a missing comma between elements",
    inputs: { groups: ["groups.json", `[${JSON.stringify(ada)}\n${JSON.stringify(sam)}]`] },
    code: 2,
    says: ["groups.json:2:1", 'expected "," or "]", found "{"'],
  },
  {
    title: "a bracket that closes a brace",
    inputs: { groups: ["groups.json", '[\n {"a": 1,\n  {"b": 2}]'] },
    code: 2,
    says: ["groups.json:3:3: is not valid JSON", "expected a field name"],
  },
  {
    title: "prose where orders should be",
    inputs: { orders: ["orders.txt", "Dear all,\nhere are the orders.\n"] },
    code: 2,
    says: ["orders.txt:1", "neither JSON nor NDJSON", "order_id", "Dear all,"],
  },
  {
    title: "a percentage with three decimals",
    inputs: { groups: ["groups.json", JSON.stringify(group({ percentage: "12.345" }), null, 2)] },
    code: 2,
    says: ["groups.json:10: [0].percentage", "12.345"],
  },
  {
    title: "a percentage above 100 in CSV",
    inputs: {
      groups: [
        "groups.csv",
        "id,collaborator_id,itemType,items,type,percentage\ng1,ada,products.tag,art,percentage,25\ng2,sam,products.all,,percentage,120\n",
      ],
    },
    code: 2,
    says: ["groups.csv:3: percentage", "120"],
  },
  {
    title: "a group without its collaborator",
    inputs: { groups: ["groups.json", group({ collaborator_id: undefined })] },
    code: 2,
    says: ["groups.json:1: [0].collaborator_id", "is missing"],
  },
  {
    title: "a link type that does not exist",
    inputs: { groups: ["groups.json", group({ itemType: "products.color" })] },
    code: 2,
    says: ["[0].itemType", "products.color", "products.tag"],
  },
  {
    title: "two groups with one id",
    inputs: { groups: ["groups.ndjson", ndjson([ada, sam, { ...ada, percentage: "5" }])] },
    code: 2,
    says: ["groups.ndjson:3: id", "must be unique", "line 1", '"g1"'],
  },
  {
    title: "a tag that is a number",
    inputs: { groups: ["groups.json", group({ items: ["art", 7] })] },
    code: 2,
    says: ["[0].items[1]", "must be a text", "got 7"],
  },
  {
    title: "a group that is a text",
    inputs: { groups: ["groups.json", ["g1"]] },
    code: 2,
    says: ["groups.json:1: [0]: must be an object", "g1"],
  },
  {
    title: "an empty file of groups",
    inputs: { groups: ["groups.json", " \n"] },
    code: 2,
    says: ["groups.json: is empty"],
  },
  {
    title: "an empty file of orders",
    inputs: { orders: ["orders.ndjson", ""] },
    code: 2,
    says: ["orders.ndjson: is empty"],
  },
  {
    title: "a file that is not there",
    flags: ["--groups", "no-such-groups.json"],
    code: 2,
    says: ["no-such-groups.json: there is no such file"],
  },
  {
    title: "a folder instead of a file",
    flags: ["--groups", "."],
    code: 2,
    says: [".: is a directory, a file is needed"],
  },
  {
    title: "bytes that are no text",
    inputs: {
      groups: ["groups.json", Buffer.from([0x5b, 0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d, 0x5d])],
    },
    code: 2,
    says: ["groups.json:1", "not valid UTF-8"],
  },
  {
    title: "CSV bytes that are no text",
    inputs: {
      groups: [
        "groups.csv",
        Buffer.concat([Buffer.from("id,items\ng1,"), Buffer.from([0xff, 0x0a])]),
      ],
    },
    code: 2,
    says: ["groups.csv:", "not valid UTF-8"],
  },
  {
    title: "a CSV line with too few cells",
    inputs: { groups: ["groups.csv", "id,collaborator_id,itemType\ng1,ada\n"] },
    code: 2,
    says: ["groups.csv:2", "another number of cells than the header"],
  },
  {
    title: "a CSV quote that is never closed",
    inputs: { groups: ["groups.csv", 'id,collaborator_id\ng1,"ada\n'] },
    code: 2,
    says: ["groups.csv:", "quoted cell"],
  },
  {
    title: "an option that the policy does not have",
    inputs: { policy: ["policy.json", { discounts: "ignore" }] },
    code: 2,
    says: ["policy.json:1: discounts", "is no option", "over_allocation"],
  },
  {
    title: "a value that an option does not have",
    inputs: { policy: ["policy.json", '{\n  "tax": "keep",\n  "shipping": "free"\n}'] },
    code: 2,
    says: ["policy.json:3: shipping", "free"],
  },
  {
    title: "a time zone that does not exist",
    inputs: { policy: ["policy.json", { time_zone: "Europe/Atlantis" }] },
    code: 2,
    says: ["policy.json:1: time_zone", "Europe/Atlantis"],
  },
  {
    title: "a list of policies",
    inputs: { policy: ["policy.json", [{}, {}]] },
    code: 2,
    says: ["policy.json:1: must be one object", "got 2"],
  },
  {
    title: "an amount of one and a half cents",
    inputs: { orders: ["orders.ndjson", brokenItem({ amount: 1.5 })] },
    code: 1,
    says: ["orders.ndjson:2: items[0].amount", "whole number", "1.5", "1 of 3 orders failed"],
  },
  {
    title: "an amount of 1e400",
    inputs: {
      orders: [
        "orders.ndjson",
        '{"id":"1","currency":"USD","items":[{"id":"7","amount":1e400,"product":{"id":"p1"}}]}\n',
      ],
    },
    code: 1,
    says: ["orders.ndjson:1: items[0].amount", "Infinity"],
  },
  {
    title: "an amount that no number holds exactly",
    inputs: {
      orders: [
        "orders.ndjson",
        '{"id":"1","currency":"USD","items":[{"id":"7","amount":9007199254740993,"product":{"id":"p1"}}]}\n',
      ],
    },
    code: 1,
    says: ["orders.ndjson:1: items[0].amount", "9007199254740991"],
  },
  {
    title: "NaN in a line",
    inputs: {
      orders: [
        "orders.ndjson",
        `${ndjson([order("1")])}{"id":"2","amount":NaN}\n${ndjson([order("3")])}`,
      ],
    },
    code: 1,
    says: ["orders.ndjson:2", "not valid JSON", "column 20", '"NaN" is no JSON value'],
  },
  {
    title: "a currency that does not exist",
    inputs: { orders: ["orders.ndjson", ndjson([order("1", { currency: "USX" })])] },
    code: 1,
    says: ["orders.ndjson:1: currency", "ISO 4217", "USX"],
  },
  {
    title: "an order without its items",
    inputs: { orders: ["orders.ndjson", ndjson([order("1", { items: undefined })])] },
    code: 1,
    says: ["orders.ndjson:1: items", "is missing"],
  },
  {
    title: "an item of the wrong type",
    inputs: { orders: ["orders.ndjson", ndjson([order("1", { items: ["mug"] })])] },
    code: 1,
    says: ["orders.ndjson:1: items[0]", "must be an object", "mug"],
  },
  {
    title: "two items of an order with one id",
    inputs: { orders: ["orders.ndjson", ndjson([order("1", { items: [item({}), item({})] })])] },
    code: 1,
    says: ["orders.ndjson:1: items[1].external_id", "must be unique"],
  },
  {
    title: "two orders with one id",
    inputs: { orders: ["orders.ndjson", ndjson([order("1"), order("2"), order("1")])] },
    code: 1,
    says: ["orders.ndjson:3", 'an earlier order with the id "1"', "1 of 3 orders failed"],
  },
  {
    title: "a negative quantity",
    inputs: { orders: ["orders.ndjson", brokenItem({ quantity: -2 })] },
    code: 1,
    says: ["orders.ndjson:2: items[0].quantity", "-2"],
  },
  {
    title: "values nested a hundred thousand deep",
    inputs: {
      orders: [
        "orders.ndjson",
        `${ndjson([order("1")])}{"id":"2","currency":"USD","tags":[${deep(100_000)}],"items":[]}\n`,
      ],
    },
    code: 1,
    says: ["orders.ndjson:2", "1 of 2 orders failed"],
  },
  {
    title: "a line of seventeen megabytes",
    inputs: {
      orders: [
        "orders.ndjson",
        `${ndjson([order("1")])}{"id":"${"x".repeat(17 << 20)}"}\n${ndjson([order("3")])}`,
      ],
    },
    code: 1,
    says: ["orders.ndjson:2", "longer than 16 MiB", "1 of 3 orders failed"],
  },
  {
    title: "a line that is no text",
    inputs: {
      orders: [
        "orders.ndjson",
        Buffer.concat([
          Buffer.from(ndjson([order("1")])),
          Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a]),
          Buffer.from(ndjson([order("3")])),
        ]),
      ],
    },
    code: 1,
    says: ["orders.ndjson:2", "not valid UTF-8", "1 of 3 orders failed"],
  },
  {
    title: "groups that claim more than there is",
    inputs: {
      groups: [
        "groups.json",
        [
          { ...ada, percentage: "60" },
          { ...sam, percentage: "60" },
        ],
      ],
      orders: ["orders.ndjson", ndjson([order("1")])],
    },
    code: 1,
    says: ["orders.ndjson:1: order 1", "g1 6000, g2 6000", "1 of 1 orders failed"],
  },
  {
    title: "a refund of an order that is not there",
    inputs: {
      refunds: [
        "refunds.json",
        [{ order_id: "99", item_id: "1", amount: 5, refunded_at: 1_740_000_000 }],
      ],
    },
    code: 1,
    says: ["refunds.json:1: [0].order_id", 'there is no order "99"', "1 refund could not be made"],
  },
  {
    title: "a refund of an item that is not there",
    inputs: {
      refunds: [
        "refunds.json",
        [{ order_id: "1", item_id: "9", amount: 5, refunded_at: 1_740_000_000 }],
      ],
    },
    code: 1,
    says: ["refunds.json:1: [0].item_id", 'order "1" has no item "9"'],
  },
  {
    title: "a refund beyond what remains",
    inputs: {
      refunds: [
        "refunds.csv",
        "order_id,item_id,amount,refunded_at\n1,1-1,9000,1740000000\n1,1-1,2000,1740000001\n",
      ],
    },
    code: 1,
    says: ["refunds.csv:3", "a refund of 2000 cents is more than what remains", "1000 cents"],
  },
  {
    title: "a refund from before the sale",
    command: "statement",
    inputs: {
      refunds: ["refunds.json", [{ order_id: "1", item_id: "1-1", amount: 5, refunded_at: 1 }]],
    },
    code: 1,
    says: ["refunds.json:1: [0].refunded_at", "must not be before", "1 refund could not be made"],
  },
  {
    title: "a refund by amount and by quantity",
    inputs: {
      refunds: [
        "refunds.json",
        [{ order_id: "1", item_id: "1-1", amount: 5, quantity: 1, refunded_at: 1_740_000_000 }],
      ],
    },
    code: 1,
    says: ["refunds.json:1: [0].quantity", "1 refund could not be made"],
  },
  {
    title: "a catalogue that is no Shopify export",
    inputs: { products: ["products.csv", "name,price\nmug,9.50\n"] },
    code: 2,
    says: ["products.csv:1", "column Handle", "name,price"],
  },
  {
    title: "a price of a Shopify export that is no number",
    inputs: {
      products: ["products.csv", "Handle,Title,Variant Price\nmug,Mug,9.50\ncup,Cup,nine\n"],
    },
    code: 2,
    says: ["products.csv:3", "Variant Price", "nine"],
  },
  {
    title: "an unknown flag",
    flags: ["--grups", "x"],
    code: 2,
    says: ["--grups", "--help"],
  },
  {
    title: "a format that does not exist",
    flags: ["--format", "xml"],
    code: 2,
    says: ["xml", "ndjson"],
  },
  {
    title: "two inputs from standard input",
    flags: ["--groups", "-", "--orders", "-"],
    code: 2,
    says: ["only one input can be standard input", "--groups and --orders"],
  },
  {
    title: "an order to explain that is not there",
    command: "explain",
    flags: ["--order", "99"],
    code: 2,
    says: ['--order: there is no order "99"'],
  },
  {
    title: "an item to explain that is not there",
    command: "explain",
    flags: ["--order", "1", "--item", "9"],
    code: 2,
    says: ['--item: order 1 has no item "9"', "1-1"],
  },
  {
    title: "a group to explain that is not there",
    command: "explain",
    flags: ["--order", "1", "--group", "g9"],
    code: 2,
    says: ['--group: there is no group "g9"'],
  },
  {
    title: "an order to explain that is broken",
    command: "explain",
    inputs: { orders: ["orders.ndjson", brokenItem({ amount: "12" })] },
    flags: ["--order", "2"],
    code: 1,
    says: ["orders.ndjson:2: items[0].amount", '"12"'],
  },
  {
    title: "a day that does not exist",
    command: "statement",
    flags: ["--until", "2025-02-30"],
    code: 2,
    says: ["--until", "2025-12-31", '"2025-02-30"'],
  },
  {
    title: "a collaborator of a group who is not paid",
    command: "statement",
    inputs: { collaborators: ["collaborators.json", collaborators.slice(0, 1)] },
    code: 2,
    says: ["groups.json:1: [1].collaborator_id", '"sam" of group "g2"', "not among"],
  },
  {
    title: "a statement of a collaborator who is not there",
    command: "statement",
    flags: ["--collaborator", "bea"],
    code: 2,
    says: ['--collaborator: there is no collaborator "bea"'],
  },
  {
    title: "an expense of a collaborator who is not there",
    command: "statement",
    inputs: {
      entries: [
        "entries.csv",
        "collaborator_id,kind,amount,name,at\nada,expense,5,Tape,1740000000\nbea,income,5,Gift,1740000000\n",
      ],
    },
    code: 2,
    says: ["entries.csv:3: collaborator_id", '"bea" is not among the collaborators'],
  },
  {
    title: "an expense that is neither expense nor income",
    command: "statement",
    inputs: {
      entries: [
        "entries.json",
        [{ collaborator_id: "ada", kind: "tax", amount: 5, name: "x", at: 1 }],
      ],
    },
    code: 2,
    says: ["entries.json:1: [0].kind", "expense, income", "tax"],
  },
  {
    title: "two collaborators with one id",
    command: "statement",
    inputs: {
      collaborators: ["collaborators.ndjson", ndjson([...collaborators, collaborators[0]])],
    },
    code: 2,
    says: ["collaborators.ndjson:3: id", "must be unique", '"ada"'],
  },
  {
    title: "a payout day that not every month has",
    command: "statement",
    inputs: {
      collaborators: [
        "collaborators.csv",
        "id,currency,payout_measurement,payout_frequency\nada,USD,monthly_date,31\n",
      ],
    },
    code: 2,
    says: ["collaborators.csv:2: payout_frequency", "31"],
  },
  {
    title: "an order without a time in a statement",
    command: "statement",
    inputs: { orders: ["orders.ndjson", ndjson([order("1"), order("2", { created_at: null })])] },
    code: 1,
    says: ["orders.ndjson:2: created_at: is missing", "order 2", "1 of 2 orders failed"],
  },
  {
    title: "an exchange rate written as a number",
    command: "statement",
    inputs: {
      rates: ["rates.json", [{ from: "USD", to: "EUR", rate: 0.9, from_date: "2025-01-01" }]],
    },
    code: 2,
    says: ["rates.json:1: [0].rate", "0.9", "quotes"],
  },
  {
    title: "two exchange rates from one day",
    command: "statement",
    inputs: {
      rates: [
        "rates.csv",
        "from,to,rate,from_date\nUSD,EUR,0.9,2025-01-01\nUSD,EUR,0.8,2025-01-01\n",
      ],
    },
    code: 2,
    says: ["rates.csv:3: from_date", "another rate from USD to EUR"],
  },
  {
    title: "a sale from before the first exchange rate",
    command: "statement",
    inputs: { rates: ["rates.csv", "from,to,rate,from_date\nUSD,EUR,0.9,2025-06-01\n"] },
    code: 1,
    says: ["orders.ndjson:1", "USD", "EUR", "failed"],
  },
  {
    title: "lines of one order in CSV that contradict each other",
    inputs: {
      orders: [
        "orders.csv",
        "order_id,currency,item_id,amount,product_id\n1,USD,a,500,p1\n1,EUR,b,500,p1\n2,USD,a,500,p1\n",
      ],
    },
    code: 1,
    says: ["orders.csv:2", 'currency: line 3 says "EUR" of 1, and its first line "USD"'],
  },
  {
    title: "a column of CSV that only a later line of an order fills in",
    inputs: {
      orders: [
        "orders.csv",
        "order_id,currency,referer,item_id,amount,product_id\n1,USD,,a,500,p1\n1,,sam,b,500,p1\n",
      ],
    },
    code: 1,
    says: ['referer: line 3 says "sam" of 1, and its first line nothing'],
  },
  {
    title: "a column of CSV that stands there twice",
    inputs: {
      orders: [
        "orders.csv",
        "order_id,currency,item_id,amount,amount,product_id\n1,USD,a,5,6,p1\n",
      ],
    },
    code: 2,
    says: ["orders.csv:1", "columns that stand there twice: amount"],
  },
  {
    title: "an amount in CSV with a decimal point, as 60.00 for 60 dollars",
    inputs: {
      orders: ["orders.csv", "order_id,currency,item_id,amount,product_id\n1,USD,a,60.00,p1\n"],
    },
    code: 1,
    says: ["orders.csv:2", "amount", '"60.00"'],
  },
  {
    title: "an order in which nothing is right",
    inputs: {
      orders: [
        "orders.ndjson",
        ndjson([
          order("1", { items: Array.from({ length: 3_000 }, () => ({ amount: 1.5, product: 5 })) }),
        ]),
      ],
    },
    code: 1,
    says: [/more problems/],
  },
  {
    title: "a condition in the words of the other shape of groups, which nobody would read",
    inputs: {
      groups: ["groups.json", group({ condition: "referer", condition_values: ["sam"] })],
    },
    code: 2,
    says: [
      "groups.json:1: [0].condition: has no effect beside itemType",
      "itemType goes with items, splitConditionType and splitConditions",
    ],
  },
  {
    title: "a condition in the words of a request in a group of the other shape",
    inputs: {
      groups: [
        "groups.json",
        [
          {
            ...{ id: "g", collaborator_id: "ada", type: "products.all", percent: "10.00" },
            ...{ splitConditionType: "referer", splitConditions: ["sam"] },
          },
        ],
      ],
    },
    code: 2,
    says: ["[0].splitConditionType: has no effect beside type"],
  },
  {
    title: "fields of a group and of a collaborator that are misspelt",
    inputs: { groups: ["groups.json", group({ conditon: "x", max_ammount: 5 })] },
    code: 2,
    says: ["did you mean condition?", "did you mean max_amount?"],
  },
  {
    title: "a misspelt field of an item",
    inputs: {
      orders: ["orders.ndjson", ndjson([order("1", { items: [item({ discout: 5 })] })])],
    },
    code: 1,
    says: [
      "orders.ndjson:1: items[0].discout: is no field and would have no effect, did you mean discount?",
    ],
  },
  {
    title: "two lists in one object",
    inputs: { groups: ["groups.json", { data: groups, groups }] },
    code: 2,
    says: ['groups.json: has the lists "data" and "groups": keep one'],
  },
  {
    title: "a list twice under one name",
    inputs: { orders: ["orders.json", '{"orders": [], "orders": [{"id": "1"}]}'] },
    code: 2,
    says: ['orders.json: has two lists "orders": keep one'],
  },
  {
    title: "one page of several of a list",
    inputs: { groups: ["groups.json", { data: groups, meta: { current_page: 1, last_page: 3 } }] },
    code: 2,
    says: ["groups.json: is one page of 3 of a list"],
  },
  {
    title: "a list under a name that means nothing here",
    inputs: { groups: ["groups.json", { product_groups: groups }] },
    code: 2,
    says: ["groups.json:1", 'under "groups" or "data", got an object with "product_groups"'],
  },
  {
    title: "one object where a list of data is expected",
    inputs: { groups: ["groups.json", { data: ada ?? {} }] },
    code: 2,
    says: ['got an object with "data"'],
  },
  {
    title: "a file in UTF-16",
    inputs: { groups: ["groups.json", Buffer.from(`\ufeff${JSON.stringify(groups)}`, "utf16le")] },
    code: 2,
    says: ["groups.json: is in the encoding UTF-16: save it in UTF-8"],
  },
  {
    title: "payout dates so far apart that nobody means it",
    command: "statement",
    inputs: {
      collaborators: [
        "collaborators.json",
        [{ id: "ada", currency: "USD", payout_frequency: 1e9 }],
      ],
    },
    code: 2,
    says: ["collaborators.json:1", "[0].payout_frequency: must be from 1 to 1000"],
  },
  {
    title: "holding days without end, and a flag in words",
    command: "statement",
    inputs: {
      collaborators: [
        "collaborators.json",
        [
          {
            id: "ada",
            currency: "USD",
            payout_holding_days: 1e12,
            should_pay_automatically: "yes",
          },
        ],
      ],
    },
    code: 2,
    says: [
      "[0].payout_holding_days: must be a whole number from 0 to 3650",
      '[0].should_pay_automatically: must be true or false, got "yes"',
    ],
  },
]

const sound: { readonly [command: string]: ReadonlyArray<string> } = {
  split: ["groups", "orders"],
  explain: ["groups", "orders"],
  statement: ["groups", "orders", "collaborators"],
}

const soundInputs: { readonly [flag: string]: readonly [string, Contents] } = {
  groups: ["groups.json", groups],
  orders: ["orders.ndjson", ndjson([order("1"), order("2")])],
  collaborators: ["collaborators.json", collaborators],
}

const folder = new Folder()
afterAll(() => folder.remove())

const argumentsOf = ({ command = "split", inputs = {}, flags = [] }: Broken) => {
  const given = { ...soundInputs, ...inputs }
  const names = new Set([...(sound[command] ?? []), ...Object.keys(inputs)])
  const files = [...names]
    .filter((name) => !flags.includes(`--${name}`))
    .flatMap((name) => {
      const [file, contents] = given[name] ?? ["", ""]
      return [`--${name}`, folder.file(file, contents)]
    })
  const until =
    command === "statement" && !flags.includes("--until") ? ["--until", "2025-12-31"] : []
  return [command, ...files, ...until, ...flags]
}

describe("what is broken is told in a message that helps", () => {
  it.each(broken)("$title", async (one) => {
    const { code, err } = await run(argumentsOf(one), { stdin: one.stdin ?? "" })
    for (const said of one.says)
      expect(err).toMatch(typeof said === "string" ? contains(said) : said)
    expect(code).toBe(one.code)
    expect(err).not.toMatch(/\n\s+at /)
    expect(err.length).toBeLessThan(5_000)
  })

  it("covers at least twenty kinds", () => {
    expect(broken.length).toBeGreaterThan(20)
  })
})

const contains = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
