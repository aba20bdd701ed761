/** Checks the arguments of plain callers before they are used: callers may not have a type checker. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { kinds as agreementKinds } from "../../agreements/Agreement.js"
import { unknownFields } from "../../internal/fieldNames.js"
import { reading, show, summarize } from "../../internal/problems.js"
import * as seconds from "../../internal/seconds.js"
import * as Language from "../../languages/Language.js"
import type { Problem } from "../../Problem.js"
import { InvalidArgument } from "../PromiseError.js"
import type { Services } from "../Services.js"

type Problems = ReadonlyArray<Problem>

/** Returns the problems of an argument, under its name. */
type ArgumentKind = (name: string, value: unknown) => Problems

/** The arguments of a method by name, in order. */
export type ArgumentKinds = Readonly<Record<string, ArgumentKind>>

const must =
  (expected: string, isFine: (value: unknown) => boolean): ArgumentKind =>
  (path, value) =>
    isFine(value) ? [] : [{ path, value, message: `must be ${expected}, got ${show(value)}` }]

export const text = must("a text that is not empty", (value) =>
  Predicate.isString(value) ? value !== "" : false,
)
export const time = must(seconds.expected, seconds.isSeconds)
export const callback = must("a function", Predicate.isFunction)

const object = must("an object", Predicate.isObject)
const list = must("a list", Array.isArray)

/** Each text by its place, as `keys[2]`. */
const texts: ArgumentKind = (name, value) =>
  Array.isArray(value)
    ? Array.from(value).flatMap((each: unknown, index) => text(`${name}[${index}]`, each))
    : list(name, value)

const isWhole = (value: unknown, least: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= least

const count = must("a whole number of 1 or more", (value) => isWhole(value, 1))

const optionalNumber = (least: number): ArgumentKind =>
  must(
    `a whole number of ${least} or more`,
    (value) => value === undefined || isWhole(value, least),
  )

const optionalTime = must(
  seconds.expected,
  (value) => value === undefined || seconds.isSeconds(value),
)

/** Checked by the service itself. */
const anything: ArgumentKind = () => []

/** The problems of an optional object: it is not an object, or has unknown fields. */
export const fieldProblems = (
  place: string,
  { value, names }: { readonly value: unknown; readonly names: ReadonlyArray<string> },
): Problems => {
  if (value === undefined) return []
  if (!Predicate.isObject(value) || Array.isArray(value)) {
    return [{ path: place, value, message: `must be an object, got ${show(value)}` }]
  }
  return unknownFields(value, names, { isNone: "is no field here; the fields are", place })
}

/** An optional object with known fields, so that a misspelt one is reported. */
const fields =
  (kinds: ArgumentKinds): ArgumentKind =>
  (place, value) => [
    ...fieldProblems(place, { value, names: Object.keys(kinds) }),
    ...Object.entries(kinds).flatMap(([name, kind]) =>
      kind(`${place}.${name}`, Predicate.isObject(value) ? value[name] : undefined),
    ),
  ]

/** All problems of arguments, as one error. */
export const invalid = (problems: Problems): InvalidArgument =>
  new InvalidArgument({ problems, message: summarize(problems) })

/** Fails with all arguments of the wrong kind. */
export const check = (
  kinds: ArgumentKinds,
  given: ReadonlyArray<unknown>,
): Effect.Effect<void, InvalidArgument> =>
  Effect.suspend(() => {
    const problems = Object.entries(kinds).flatMap(([name, kind], index) =>
      reading(given[index], (value) => kind(name, value)).map((problem) =>
        problem.path === "" ? { ...problem, path: name } : problem,
      ),
    )
    return problems.length === 0 ? Effect.void : Effect.fail(invalid(problems))
  })

// Each method's arguments. A `page` is read before the service gets it; a method with `options` changes something, once
// for each idempotency key.

const account = { accountId: text }
const collaborator = { ...account, collaboratorId: text }
const group = { ...collaborator, groupId: text }
const order = { ...account, orderId: text }
const one = { ...account, id: text }
const page = fields({ page: anything, perPage: anything })
const options = fields({ idempotencyKey: anything, page: anything })
const query = fields({ search: anything, collaboratorId: anything, includeCollaborators: anything })
const range = fields({ from: anything, to: anything })
const payoutQuery = fields({
  ...{ collaboratorId: anything, status: anything, paid: range, expected: range },
  order: must("latest due first or earliest due first", (value) =>
    [undefined, "latest due first", "earliest due first"].some((order) => order === value),
  ),
})
const period = fields({ from: optionalTime, until: optionalTime })
const optionalId = must("a text that is not empty", (value) =>
  Predicate.isString(value) ? value !== "" : value === undefined,
)
const saleFields = { collaboratorId: optionalId, productId: optionalId, recorded: range }
const saleFilter = fields(saleFields)
const saleQuery = fields({
  ...saleFields,
  order: must("earliest first or latest first", (value) =>
    [undefined, "earliest first", "latest first"].some((order) => order === value),
  ),
})
const request = fields({
  ...{ after: optionalNumber(0), limit: optionalNumber(1), last: optionalNumber(1) },
})

const language = must(
  `one of ${Language.all.join(", ")}`,
  (value) => value === undefined || Language.isLanguage(value),
)
const optionalText = must("a text", (value) => value === undefined || Predicate.isString(value))
const paid = { reference: optionalText, fee: optionalNumber(0) }
const paidOptions = fields({
  ...{ idempotencyKey: anything, page: anything },
  ...{ total: optionalNumber(0), ...paid },
})
const confirmation = fields({ at: optionalTime, ...paid, amount: optionalNumber(0) })
const place = fields({ claimedAt: anything, id: anything })
const paymentsRequest = fields({ status: anything, after: place, limit: optionalNumber(1) })
const runOptions = fields({
  ...{ rail: text, concurrency: optionalNumber(1), limit: optionalNumber(1) },
  onProgress: must("a function", (value) => value === undefined || Predicate.isFunction(value)),
})

const agreement = fields({ kind: anything, agreement: object })
const agreementFields = { collaboratorId: anything, kind: anything, ended: anything }

/** An object that must be there, with known fields. */
const needed =
  (kinds: ArgumentKinds): ArgumentKind =>
  (name, value) =>
    value === undefined ? object(name, value) : fields(kinds)(name, value)

const agreementKey = needed({
  kind: must(`one of ${agreementKinds.join(", ")}`, (value) =>
    agreementKinds.some((kind) => kind === value),
  ),
  id: text,
})

const resplit = {
  ...{ sales: saleFilter, sold: range, groups: anything, policy: anything },
  orderIds: (name: string, value: unknown): Problems =>
    value === undefined ? [] : texts(name, value),
  completes: must("true or false", (value) => value === undefined || Predicate.isBoolean(value)),
}

const isSaleOrRefund = must("either a sale or a refund", (value) => {
  if (!Predicate.isObject(value)) return false
  return (value.sale === undefined) !== (value.refund === undefined)
})

/** A list of past sales and refunds. */
const pastEntries: ArgumentKind = (name, value) =>
  Array.isArray(value)
    ? Array.from(value).flatMap((each: unknown, index) => {
        const place = `${name}[${index}]`
        const names = ["sale", "refund"]
        const unknown = Predicate.isObject(each) ? fieldProblems(place, { value: each, names }) : []
        return [...unknown, ...isSaleOrRefund(place, each)]
      })
    : list(name, value)

const paidUntil = needed({ paidUntil: anything })

/** The arguments of every method but `watch` and `follow`. */
export const methods: {
  readonly [Service in keyof Services]: {
    readonly [Method in Exclude<keyof Services[Service], "watch" | "follow">]: ArgumentKinds
  }
} = {
  collaborators: {
    create: { ...account, collaborator: object, options },
    update: { ...one, changes: object, options },
    get: one,
    names: { ...account, collaboratorIds: anything },
    list: { ...account, page },
  },
  groups: {
    list: { ...collaborator, page },
    create: { ...collaborator, group: object, options },
    update: { ...group, changes: object, options },
    get: { ...group, page },
    remove: { ...group, options },
  },
  products: {
    put: { ...account, products: list, options },
    remove: { ...account, keys: texts, options },
    get: { ...account, key: text },
    list: { ...account, query, page },
  },
  sales: {
    record: account,
    recordAll: { ...account, orders: list },
    preview: account,
    refund: account,
    previewRefund: account,
    get: order,
    list: { ...account, filter: saleQuery, page },
    explain: { ...order, collaboratorId: text, options: fields({ language }) },
    replay: order,
  },
  pastSales: {
    record: { ...account, order: anything, options: paidUntil },
    refund: { ...account, refund: anything, options: paidUntil },
    recordAll: { ...account, entries: pastEntries, options: paidUntil },
  },
  settings: {
    get: account,
    change: { ...account, changes: anything },
    list: { ...account, page },
  },
  resplits: {
    preview: {
      ...{ ...account, request: needed(resplit) },
      options: fields({ biggest: optionalNumber(0) }),
    },
    propose: { ...account, resplit: needed({ ...resplit, id: anything, reason: anything }) },
    approve: { ...one, approval: needed({ digest: text }) },
    book: one,
    get: one,
    list: { ...account, page },
  },
  payouts: {
    list: { ...account, filter: payoutQuery, page },
    get: one,
    getAsSeen: one,
    history: { ...one, request },
    listPayable: { ...account, limit: count },
    outlook: account,
    addExpense: { ...one, expense: object, options },
    addIncome: { ...one, income: object, options },
    removeEntry: { ...one, itemId: text, options },
    setPaid: { ...one, options },
    closeDue: { ...account, options },
    closeNextDue: { ...account, limit: count },
    pay: { ...one, options: paidOptions },
    fail: { ...one, reason: text, options },
    retry: { ...one, options },
    return: { ...one, reason: text, options },
  },
  payments: {
    claim: { ...one, rail: text, options },
    get: one,
    ofPayout: one,
    list: { ...account, request: paymentsRequest },
    stuck: { ...account, request: fields({ after: place, limit: optionalNumber(1) }) },
    send: one,
    noteSent: { ...one, reference: optionalText },
    resolve: one,
    confirm: { ...one, confirmation },
    reject: { ...one, reason: text },
    return: { ...one, reason: text },
    release: { ...one, reason: optionalText },
    answer: { ...account, outcome: object },
    settle: one,
    run: { ...account, options: runOptions },
  },
  audit: { payouts: account, payout: one, sales: account, agreements: account },
  events: {
    after: { ...account, number: optionalNumber(0), limit: optionalNumber(1) },
    last: account,
    purge: account,
  },
  webhooks: {
    create: { ...account, endpoint: object },
    get: one,
    list: account,
    update: { ...one, changes: object },
    remove: one,
    rotate: { ...one, options: fields({ overlapSeconds: anything, key: anything }) },
    replay: { ...one, after: anything },
    deadLetters: { ...one, after: optionalNumber(0) },
    replayDeadLetters: one,
  },
  counters: { list: { ...account, page } },
  agreements: {
    put: { ...account, given: agreement },
    preview: { ...account, given: agreement },
    end: { ...account, key: agreementKey },
    get: { ...account, key: agreementKey },
    standing: { ...account, key: agreementKey },
    standings: { ...account, filter: needed(agreementFields), page },
    bookings: { ...account, key: agreementKey, page },
    list: { ...account, filter: fields(agreementFields) },
    balances: { ...account, filter: fields({ collaboratorId: anything }) },
  },
  passes: {
    create: { ...collaborator, options: fields({ expiresAt: anything, language: anything }) },
    list: collaborator,
    get: { ...collaborator, passId: text },
    revoke: { ...collaborator, passId: text },
    open: { token: text },
  },
  deliveries: {
    receive: { ...account, platform: object, delivery: object },
    receiveFetched: { ...account, platform: object, fetched: object },
    list: { ...account, after: anything },
    retry: { ...account, platform: object, key: text, options: fields({ force: anything }) },
    drop: { ...account, key: text },
    sweep: { ...account, platform: object },
  },
  retention: {
    survey: { ...account, options: fields({ months: anything }) },
    purge: { ...account, options: fields({ months: anything }) },
  },
  entries: {
    addExpense: { ...collaborator, expense: object, options },
    addIncome: { ...collaborator, income: object, options },
    writeOff: { ...collaborator, debt: object, options },
    request: { ...collaborator, debt: object, options },
    repay: { ...collaborator, repayment: object, options },
  },
  balances: { list: { ...account, page }, of: collaborator, belowZero: { ...account, page } },
  statements: {
    of: { ...collaborator, period },
    lines: { ...collaborator, request: fields({ period, after: anything }) },
  },
}
