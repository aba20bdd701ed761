import { Flag } from "effect/cli"
import { all as languages } from "../languages/Language.js"
import { unboundedAttributes } from "../orders/Attribute.js"

// The flags that commands share.

/** A flag that names a file. */
export const file = (name: string, description: string) =>
  Flag.Path(name).pipe(Flag.withMetavar("<file>"), Flag.withDescription(description))

/** A flag without a value. */
export const flag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** An optional text. */
export const optionalText = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional,
  )

/** A required text. */
export const text = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

/** A flag whose value is one of the given words. */
export const choice = <const Choices extends readonly [string, ...ReadonlyArray<string>]>(
  name: string,
  choices: Choices,
  options: { readonly description: string; readonly otherwise: Choices[number] },
) =>
  Flag.Literals(name, choices).pipe(
    Flag.withMetavar(`<${choices.join("|")}>`),
    Flag.withDescription(`${options.description}; ${options.otherwise} when absent`),
    Flag.withDefault<Choices[number]>(options.otherwise),
  )

const left = ["leave-out", "share"] as const

const facts =
  "variant, sku, type and collection of Shopify; variant, sku and category of WooCommerce"

/** Which data of a platform's products groups can match. The words are checked when the command runs. */
export const brought = {
  idsFrom: text(
    "ids-from",
    "<fact,...>",
    `What groups of type products can name besides ids, as sku:PRINT-A4: ${facts}; may be given more than once`,
  ).pipe(Flag.atLeast(0)),
  tagsFrom: text(
    "tags-from",
    "<fact,...>",
    "The same as tags of products, for groups of type products.tag; tags of the shop that begin with such a prefix get tag: in front",
  ).pipe(Flag.atLeast(0)),
}

/** Which orders and lines count as sales. Reasons are checked when the command runs. */
const sales = {
  giftCards: choice("gift-cards", left, {
    description:
      "Whether gift cards that were sold are left out, since a gift card is a debt of the store, or shared like goods",
    otherwise: "leave-out",
  }),
  tips: choice("tips", left, {
    description: "Whether tips are left out, or shared like goods",
    otherwise: "leave-out",
  }),
  include: text(
    "include",
    "<reason,...>",
    "Orders that are left out by default and are split with this flag: test, draft, cancelled, voided, unpaid or nothing-to-share; may be given more than once",
  ).pipe(Flag.atLeast(0)),
  idsFrom: brought.idsFrom,
}

/** The flags of every command that reads orders. */
export const common = {
  groups: file(
    "groups",
    "Needed: the product groups, which say who is paid for which products (JSON, NDJSON or CSV; - is standard input)",
  ),
  orders: file(
    "orders",
    "Needed: the orders (JSON, NDJSON, CSV, or JSON from the API of Shopify, WooCommerce or Stripe; - is standard input)",
  ),
  products: file(
    "products",
    "Products, to look up tags, vendor and cost where an order leaves them out (JSON, or a Shopify product CSV export)",
  ).pipe(Flag.optional),
  policy: file(
    "policy",
    "The store's choices: who bears discounts, tax and shipping, what happens when more is claimed than there is, the time zone … (JSON; the defaults when absent)",
  ).pipe(Flag.optional),
  ...sales,
  tagsFrom: brought.tagsFrom,
}

/** The other rule set that orders are split by. */
export const against = file(
  "against",
  "Needed: the product groups that those of --groups are compared with (JSON, NDJSON or CSV)",
)

/** The policy of the other rules. */
export const againstPolicy = file(
  "against-policy",
  "The policy that goes with --against (JSON; the one of --policy when absent)",
).pipe(Flag.optional)

/** Refunds of the orders. */
export const refunds = file(
  "refunds",
  "Refunds of items of the orders (JSON, NDJSON, CSV, or JSON from the API of Shopify, WooCommerce or Stripe)",
).pipe(Flag.optional)

/** What rounding left of earlier sales. */
const remainders = file(
  "remainders",
  'What rounding left of earlier sales, for a policy with "rounding": "carry" (JSON, as --remainders-after of split writes it); none when absent',
).pipe(Flag.optional)

/** Where the remainders go for the sales that follow. */
const remaindersAfter = optionalText(
  "remainders-after",
  "<file>",
  'The file for what rounding left after these orders, for a policy with "rounding": "carry"; it is replaced when all orders are split, and can be the one of --remainders',
)

/** How far earlier sales were counted. */
export const counters = file(
  "counters",
  "How far earlier sales were counted, for groups with terms (JSON, as --counters-after of split writes it); all counters at 0 when absent",
).pipe(Flag.optional)

/** Where the counters go for the sales that follow. */
const countersAfter = optionalText(
  "counters-after",
  "<file>",
  "The file for how far these orders were counted, for groups with terms; it is replaced when all orders are split, and can be the one of --counters",
)

/** What earlier runs have left. */
export const earlier = { remainders, counters }

/** Where a run writes what it leaves. */
export const after = { remaindersAfter, countersAfter }

/** What is agreed with collaborators beside their groups. */
export const agreements = file(
  "agreements",
  "Advances, reserves, guarantees and overrides (JSON); what they book of the shares is in the payouts, and their balances are below them",
).pipe(Flag.optional)

/** The same, where mistakes in them are looked for. */
export const checkedAgreements = file(
  "agreements",
  "Advances, reserves, guarantees and overrides (JSON), to look for advances that no group feeds and for circles of overrides",
).pipe(Flag.optional)

/** Expenses and extra incomes. */
export const entries = file(
  "entries",
  "Expenses and extra incomes of collaborators (JSON, NDJSON or CSV)",
).pipe(Flag.optional)

/** The collaborators, who are paid. */
export const collaborators = file(
  "collaborators",
  "Needed: the collaborators with their currency, payout dates and threshold (JSON, NDJSON or CSV)",
)

/** The names of collaborators. */
export const names = file(
  "collaborators",
  "Collaborators, to show their names in place of their ids (JSON, NDJSON or CSV)",
).pipe(Flag.optional)

/** Exchange rates. */
export const rates = file(
  "rates",
  "Exchange rates from the orders' currencies to the collaborators' (JSON, NDJSON or CSV with from, to, rate, from_date); when absent, shares stay in the order's currency",
).pipe(Flag.optional)

/** The form of the output, the first one when none is named. */
export const format = <const Formats extends readonly [string, ...ReadonlyArray<string>]>(
  formats: Formats,
) =>
  Flag.Literals("format", formats).pipe(
    Flag.withMetavar(`<${formats.join("|")}>`),
    Flag.withDescription(`Form of the output; ${formats[0]} when absent`),
    Flag.withDefault<Formats[number]>(formats[0]),
  )

/** How many days shares take to mature. The number is checked when the command runs. */
export const maturityDays = text(
  "maturity-days",
  "<number>",
  "How many days after its sale a share can be closed, 0 to 3650: what is younger when a payout is closed moves to the next one; 0 when absent",
).pipe(Flag.withDefault("0"))

/** Which numbers of days {@link maturityDays} takes. */
export const maturityRange = { flag: "maturity-days", least: 0, most: 3_650 } as const

/** A language that collaborators read. */
export const language = (description: string) =>
  Flag.Literals("language", languages).pipe(
    Flag.withMetavar(`<${languages.join("|")}>`),
    Flag.withDescription(description),
    Flag.withDefault("en" as const),
  )

const pageLanguage = language("The language of the pages of --format html")

const outputDir = optionalText(
  "output-dir",
  "<folder>",
  "Write a file for each collaborator into this folder, which must be empty or not there yet, and a page index.html with a link to each; the totals are printed",
)

/**
 * The period and the collaborator of a statement, and its output. Dates are checked when the
 * command runs.
 */
export const statement = {
  from: optionalText(
    "from",
    "<date>",
    "The first day of the statement, such as 2025-01-01, or a time. What was unpaid at that time is brought forward, and payouts paid before it are left out; everything from the beginning when absent",
  ),
  until: text(
    "until",
    "<date>",
    "Needed: the last day of the statement, such as 2025-12-31 (to its end, in the policy's time zone), or a time such as 2025-12-31T18:00:00Z (everything before that second)",
  ),
  collaborator: optionalText("collaborator", "<id>", "Only this collaborator's payouts"),
  maturityDays,
  format: format(["table", "json", "csv", "html"]),
  outputDir,
  issuer: text(
    "issuer",
    "<text>",
    "Who issues the statement, printed on the pages of --format html and --output-dir; given more than once, each is a line, as for an address",
  ).pipe(Flag.atLeast(0)),
  language: pageLanguage,
}

/** How many changed orders are explained. The number is checked when the command runs. */
export const explained = text(
  "explain",
  "<number>",
  "How many of the orders with the biggest differences are explained for each currency, 0 to 1000; 5 when absent",
).pipe(Flag.withDefault("5"))

/** The assumptions of questions about rules. Values are checked when the command runs. */
export const asked = {
  products: file(
    "products",
    "All products that are sold, with prices: then only orders of these products are considered, and flat amounts count as well as percentages (JSON, or a Shopify product CSV export)",
  ).pipe(Flag.optional),
  ...brought,
  policy: common.policy,
  currency: text(
    "currency",
    "<code>",
    "The currency of the prices in --products; USD when absent",
  ).pipe(Flag.withDefault("USD")),
  from: optionalText(
    "from",
    "<date>",
    "Only orders from this time on are considered: a day such as 2026-01-01 (in the policy's time zone), or a time such as 2026-01-01T18:00:00Z",
  ),
  mostDiscount: optionalText(
    "most-discount",
    "<percent>",
    'The largest discount that an item can have. When absent: any discount for percentages where the policy has "discount": "ignore", and no discount for flat amounts and minimums',
  ),
  mostTax: optionalText(
    "most-tax",
    "<percent>",
    "The largest tax rate that prices can include. When absent: any rate for percentages where the policy ignores discounts, and no tax for flat amounts and minimums",
  ),
  atMost: text(
    "at-most",
    "<place=number>",
    `How many of the values that groups name one order can have at once, as referer=1. The places are ${unboundedAttributes.join(", ")}; may be given more than once`,
  ).pipe(Flag.atLeast(0)),
  budget: text(
    "budget",
    "<number>",
    "How many steps each search may take before it is given up as undecided; five to ten million steps take about a second; 20000000 when absent",
  ).pipe(Flag.withDefault("20000000")),
}

/** Which findings the check reports, and where. */
export const told = {
  level: choice("level", ["note", "warning", "error"], {
    description: "The lowest severity that is shown",
    otherwise: "note",
  }),
  failOn: choice("fail-on", ["error", "warning", "note", "never"], {
    description: "The lowest severity that makes the exit code 1, whether it is shown or not",
    otherwise: "error",
  }),
  show: text(
    "show",
    "<number>",
    "How many findings of each rule the text shows, the gravest first; 0 shows all; 5 when absent. JSON and SARIF always have all",
  ).pipe(Flag.withDefault("5")),
  off: text("off", "<rule,...>", "Rules that are switched off; may be given more than once").pipe(
    Flag.atLeast(0),
  ),
  output: Flag.Path("output").pipe(
    Flag.withMetavar("<file>"),
    Flag.withDescription("The file to write, in place of the standard output"),
    Flag.optional,
  ),
}

/** How many threads share the work. The number is checked when the command runs. */
export const jobs = text(
  "jobs",
  "<number>",
  "How many of the computer's cores share the work, 1 to 64; the output is the same. 1 when absent",
).pipe(Flag.withDefault("1"))

/** Where data is kept. */
export const kept = {
  data: optionalText(
    "data",
    "<folder>",
    "The folder in which everything is kept, by PGlite inside this process; serve, migrate and restore create it when it does not exist",
  ),
  databaseUrl: optionalText(
    "database-url",
    "<url>",
    "The database of a PostgreSQL server in which everything is kept, as postgres://user@host/database; without either flag the environment variable APPORTION_DATABASE_URL is used, which keeps the password out of the list of processes",
  ),
  connections: text(
    "connections",
    "<number>",
    "The most connections to the database server; 10 when absent",
  ).pipe(Flag.withDefault("10")),
}

/** The period and the collaborators of a statement of stored data. Dates are checked when the command runs. */
export const storedStatement = {
  ...kept,
  account: optionalText("account", "<id>", "Only this account; all accounts when absent"),
  collaborator: optionalText("collaborator", "<id>", "Only this collaborator"),
  from: optionalText(
    "from",
    "<date>",
    "The first day of the statement, such as 2025-01-01, or a time; everything from the beginning when absent",
  ),
  until: optionalText(
    "until",
    "<date>",
    "The last day of the statement, such as 2025-12-31 (to its end), or a time such as 2025-12-31T18:00:00Z (everything before that second); everything up to now when absent",
  ),
  timeZone: text(
    "time-zone",
    "<name>",
    "The time zone of the days, such as Europe/Paris; UTC when absent",
  ).pipe(Flag.withDefault("UTC")),
  issuer: text(
    "issuer",
    "<text>",
    "Who issues the statement, printed on the pages of --format html; given more than once, each is a line, as for an address",
  ).pipe(Flag.atLeast(0)),
  language: pageLanguage,
  outputDir,
  format: format(["table", "json", "csv", "html"]),
}

/** The imported orders, and the date up to which they were paid. The date is checked when the command runs. */
export const pastSales = {
  ...kept,
  orders: common.orders,
  refunds,
  paidUntil: text(
    "paid-until",
    "<date>",
    "Needed: what was sold or refunded before this day, such as 2025-01-01 (in the policy's time zone), or this time, was paid; what is later is recorded as usual",
  ),
  account: text(
    "account",
    "<id>",
    'The account whose orders they are; "default", that of apportion serve, when absent',
  ).pipe(Flag.withDefault("default")),
  policy: common.policy,
  rates: rates,
  ...sales,
  refused: optionalText(
    "refused",
    "<file>",
    "The file for the orders that are refused, a line of JSON each, to be mended and imported again; refunds of --refunds go into one beside it",
  ),
  format: format(["table", "json"]),
}

// Whole numbers of flags.

/** The range of a flag's number. */
export interface Range {
  readonly flag: string
  readonly least: number
  readonly most: number
}

/** The problem of a flag's number. */
export const wholeProblem = (text: string, { flag, least, most }: Range): string | undefined => {
  const value = Number(text)
  const isWithin = /^\d+$/.test(text) && value >= least && value <= most
  return isWithin
    ? undefined
    : `--${flag}: must be a whole number from ${least} to ${most}, got "${text}"`
}
