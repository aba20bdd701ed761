/** The endpoints of events, webhooks, entries, balances and statements. */
import { fieldsOf, kindOf, notes, wrongCents, wrongNotes } from "./Bodies.js"
import type { Endpoint } from "./Endpoint.js"
import { structures } from "./Odd.js"
import { parameter, wrongPages, wrongTimes } from "./Queries.js"

const collaborator = ["collaborators", ":collaborator"]
const webhooks = ["webhooks"]
const webhook = [...webhooks, ":endpoint"]

const read = { method: "GET", success: 200, body: "none", keyed: false } as const
const posted = { method: "POST", success: 200, reads: "nothing", keyed: true } as const

const fineIds = ['"e1"', '"e1"', '"é 2"', "null"]
const wrongIds = ['""', "1.5", "true", ...structures]
const names = ['"Frames"', '"Frames"', '" x "', '"é"']
const wrongNames = ['""', '" "', "5", "null", ...structures]
const wrongCurrencies = ['"euros"', '""', "5", ...structures]

const common = { id: fineIds, name: names, currency: ['"EUR"', '"JPY"', "null"] }
const wrong = { id: wrongIds, name: wrongNames, currency: wrongCurrencies }

const entry = kindOf(fieldsOf({ ...common, amount: ["1", "500", "123456"] }, ["name", "amount"]), {
  ...wrong,
  amount: ["0", "-5", "null", ...wrongCents],
})

const debt = kindOf(fieldsOf({ ...common, amount: ["1", "500", "null"] }, ["name"]), {
  ...wrong,
  amount: ["0", "-5", ...wrongCents],
})

const booked = (path: string, body: Endpoint["body"], reaches: ReadonlyArray<number>) =>
  ({
    ...{ ...posted, path: [...collaborator, path], body },
    success: 201,
    documented: { weight: 2, reaches },
  }) as const

const urls = ['"https://example.com/hooks"', '"https://example.org/a?b=c"']
const wrongUrls = [
  ...['"http://example.com"', '"https://localhost"', '"https://10.0.0.1/x"', '"ftp://a.b"', '""'],
  ...["null", "5", '"https://[::1]/"', '"https://me:secret@example.com"', ...structures],
]
const types = ['["payout.paid"]', '["sale.recorded","expense.added"]', "null"]
const wrongTypes = ["[]", '["payout.made"]', "[5]", '"payout.paid"', "5"]
const aKey = '"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"'
const wrongKeys = ['"secret"', '"whsec_"', '"whsec_AAAA"', "5", "[]"]
const numbers = ["0", "3", "100000", "null"]
const wrongNumbers = ["-1", "1.5", '"5"', "true", ...structures]

const periods = [
  parameter("from", ["0", "1700000000", "-5"], wrongTimes),
  parameter("until", ["1700000001", "1800000000"], wrongTimes),
]

const formats = ["json", "csv", "html"]
const format = parameter("format", formats, ["pdf", "CSV", "", "text%2Fcsv"])

const after = parameter("after", ["0", "5", "-1", "100000"], wrongPages)
const limit = parameter("limit", ["1", "0", "5000", "20"], wrongPages)

export const feedEndpoints = {
  bookExpense: booked("expense", entry, [404, 400, 409, 422]),
  bookIncome: booked("income", entry, [404, 400, 422]),
  bookRepayment: booked("repayment", entry, [404, 400, 422]),
  writeOffBalance: booked("write-off", debt, [404, 400, 409, 422]),
  requestBalance: booked("request", debt, [404, 400, 409, 422]),
  listBalances: {
    ...{ ...read, path: [...collaborator, "balances"], reads: "nothing" },
    documented: { reaches: [404] },
  },
  listAllBalances: {
    ...{ ...read, path: ["balances"], reads: "page" },
    documented: { reaches: [422] },
  },
  listBalancesBelowZero: {
    ...{ ...read, path: ["balances", "below-zero"], reads: "page" },
    documented: { reaches: [422] },
  },
  viewStatement: {
    ...{ ...read, path: [...collaborator, "statement"], reads: [...periods, format] },
    documented: { reaches: [404, 422] },
  },
  listStatementLines: {
    ...{ ...read, path: [...collaborator, "statement", "lines"], reads: periods },
    documented: { reaches: [404, 422] },
  },
  listPayoutHistory: {
    ...{ ...read, path: ["payouts", ":payout", "history"], reads: [after, limit] },
    documented: { reaches: [404, 422] },
  },
  listEvents: {
    ...{ ...read, path: ["events"], reads: [after, limit] },
    documented: { weight: 2, reaches: [422] },
  },
  listWebhooks: { ...read, path: webhooks, reads: "nothing", documented: {} },
  createWebhook: {
    ...{ ...posted, path: webhooks, success: 201 },
    body: kindOf(fieldsOf({ url: urls, types, key: [aKey, "null"], after: numbers }, ["url"]), {
      ...{ url: wrongUrls, types: wrongTypes, key: wrongKeys, after: wrongNumbers },
    }),
    documented: { weight: 2, makes: "endpoint", isLive: true, reaches: [400, 409, 422] },
  },
  viewWebhook: {
    ...{ ...read, path: webhook, reads: "nothing" },
    documented: { reaches: [404] },
  },
  updateWebhook: {
    ...{ method: "PUT", path: webhook, success: 200, reads: "nothing", keyed: false },
    body: kindOf(fieldsOf({ url: urls, types, is_active: ["true", "false"] }), {
      ...{ url: wrongUrls, types: wrongTypes, is_active: ['"yes"', "5", "[]"] },
    }),
    documented: { reaches: [404, 422] },
  },
  deleteWebhook: {
    ...{ method: "DELETE", path: webhook, success: 204 },
    ...{ reads: "nothing", body: "none", keyed: false },
    documented: { reaches: [404] },
  },
  rotateWebhookKey: {
    ...{ ...posted, path: [...webhook, "rotate"] },
    body: kindOf(fieldsOf({ key: [aKey, "null"], overlap_seconds: numbers }), {
      ...{ key: wrongKeys, overlap_seconds: wrongNumbers },
    }),
    documented: { isLive: true, reaches: [404, 422] },
  },
  replayWebhook: {
    ...{ ...posted, path: [...webhook, "replay"] },
    body: kindOf(fieldsOf({ after: ["0", "3", "100000"] }, ["after"]), {
      after: ["null", ...wrongNumbers],
    }),
    documented: { reaches: [404, 422] },
  },
  listDeadLetters: {
    ...{ ...read, path: [...webhook, "dead-letters"], reads: [after] },
    documented: { reaches: [404] },
  },
  replayDeadLetters: {
    ...{ ...posted, path: [...webhook, "dead-letters", "replay"], body: "none" },
    documented: { reaches: [404] },
  },
  notePaymentSent: {
    ...{ ...posted, path: ["payments", ":payment", "note-sent"] },
    body: kindOf(fieldsOf({ reference: [...notes, "null"] }), { reference: wrongNotes }),
    documented: { reaches: [400, 404, 409, 422] },
  },
} as const satisfies Record<string, Endpoint>
