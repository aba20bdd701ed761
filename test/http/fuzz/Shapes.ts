/** The shapes of answers, as the specification has them: every field, no other, and its type. */

/** Says what is wrong with a value; `undefined`: nothing is. */
export type Check = (value: unknown, path: string) => string | undefined

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const shown = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 100)

const when =
  (expected: string, is: (value: unknown) => boolean): Check =>
  (value, path) =>
    is(value) ? undefined : `${path} must be ${expected}, is ${shown(value)}`

export const text = when("a text", (value) => typeof value === "string")
const filled = when("a text", (value) => typeof value === "string" && value !== "")
export const flag = when("true or false", (value) => typeof value === "boolean")
export const whole = when("a safe integer", Number.isSafeInteger)
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
export const count = when("0 or more", isCount)
const position = when("1 or more", (value) => isCount(value) && value !== 0)
const finite = when("a number", Number.isFinite)
const time = when("Unix seconds", (value) => {
  return Number.isSafeInteger(value) && Math.abs(Number(value)) <= 253_402_300_799
})

export const oneOf = (...values: ReadonlyArray<unknown>): Check =>
  when(`one of ${values.join(", ")}`, (value) => values.includes(value))

export const nullOr =
  (check: Check): Check =>
  (value, path) =>
    value === null ? undefined : check(value, path)

export const listOf =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path} must be a list, is ${shown(value)}`
    for (const [index, entry] of value.entries()) {
      const problem = check(entry, `${path}[${index}]`)
      if (problem !== undefined) return problem
    }
    return undefined
  }

/** An object with exactly these fields. */
export const exactly =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (!isRecord(value)) return `${path} must be an object, is ${shown(value)}`
    const names = Object.keys(fields)
    const other = Object.keys(value).find((name) => !names.includes(name))
    if (other !== undefined) return `${path} has the field ${other}`
    for (const [name, check] of Object.entries(fields)) {
      if (!Object.hasOwn(value, name)) return `${path} has no ${name}`
      const problem = check(value[name], `${path}.${name}`)
      if (problem !== undefined) return problem
    }
    return undefined
  }

const recordOf =
  (check: Check): Check =>
  (value, path) => {
    if (!isRecord(value)) return `${path} must be an object, is ${shown(value)}`
    if (Object.keys(value).length === 0) return `${path} is empty`
    return Object.entries(value)
      .map(([name, entry]) => check(entry, `${path}.${name.slice(0, 50)}`))
      .find((problem) => problem !== undefined)
  }

export const both =
  (...checks: ReadonlyArray<Check>): Check =>
  (value, path) =>
    checks.map((check) => check(value, path)).find((problem) => problem !== undefined)

const numberOf = (value: unknown): number => (typeof value === "number" ? value : Number.NaN)

/** The arithmetic of pages: what the figures say of each other, and of the entries. */
const pageAddsUp: Check = (value, path) => {
  if (!isRecord(value) || !isRecord(value.meta) || !Array.isArray(value.data)) return undefined
  const { current_page, per_page, total, from, to, last_page } = value.meta
  const [page, size, all] = [numberOf(current_page), numberOf(per_page), numberOf(total)]
  const before = (page - 1) * size
  const here = Math.max(0, Math.min(size, all - before))
  const expected = {
    entries: here,
    from: here === 0 ? null : before + 1,
    to: here === 0 ? null : before + here,
    last: Math.max(1, Math.ceil(all / size)),
  }
  const found = { entries: value.data.length, from, to, last: last_page }
  const [want, have] = [JSON.stringify(expected), JSON.stringify(found)]
  return want === have ? undefined : `${path}.meta does not add up: ${have} instead of ${want}`
}

const meta = (url: string) =>
  exactly({
    current_page: position,
    from: nullOr(position),
    last_page: position,
    path: oneOf(url),
    per_page: when("1 to 100", (value) => isCount(value) && value !== 0 && Number(value) <= 100),
    to: nullOr(position),
    total: count,
  })

const page = (entry: Check, url: string) =>
  both(exactly({ data: listOf(entry), meta: meta(url) }), pageAddsUp)

const permissions = exactly(
  Object.fromEntries(
    [
      ...["product_price", "product_quantity", "product_discount", "product_tax"],
      ...["customer_email", "customer_name", "order_status", "order_payment_gateway"],
      ...["order_shipping_address", "order_billing_address", "product_cost", "product_stock"],
    ].map((name) => [`see_${name}`, flag]),
  ),
)

const collaboratorFields = {
  id: filled,
  currency: when("a currency", (value) => /^[A-Z]{3}$/.test(String(value))),
  payout_measurement: oneOf("month", "monthly_date", "week", "day"),
  payout_frequency: whole,
  payout_threshold: count,
  permissions,
}

const payoutCollaborator = exactly({
  ...collaboratorFields,
  account: exactly({ name: text, paypal_email: nullOr(text) }),
})

const collaborator = exactly({
  ...collaboratorFields,
  should_pay_automatically: flag,
  payout_holding_days: nullOr(count),
  notes: nullOr(text),
  account: exactly({ name: text, paypal_email: nullOr(text), is_managed: flag }),
})

const productFields = {
  id: filled,
  external_id: nullOr(text),
  external_variant_id: nullOr(text),
  name: nullOr(text),
  sku: nullOr(text),
  vendor: nullOr(text),
  price: nullOr(whole),
  cost: nullOr(whole),
  tags: listOf(text),
  inventory_quantity: nullOr(whole),
}

const product = exactly(productFields)

const percentText = when("a percentage with two decimals", (value) => {
  return typeof value === "string" && /^(?:\d{1,2}\.\d\d|100\.00)$/.test(value)
})

const percentNumber = when("a percentage as a number", (value) => {
  const isNumber = typeof value === "number" && value >= 0 && value <= 100
  return isNumber && Math.abs(value * 100 - Math.round(value * 100)) < 1e-9
})

const groupFields = (percent: Check) => ({
  id: filled,
  type: oneOf("products.all", "product.tag", "products.vendor", "products"),
  type_values: listOf(text),
  condition: nullOr(oneOf("order.tag", "customer.tag", "discount.code", "country.code", "referer")),
  condition_values: nullOr(listOf(text)),
  amount: nullOr(count),
  shipping_amount: nullOr(count),
  percent: nullOr(percent),
  shipping_percent: nullOr(percent),
  created_at: time,
  updated_at: time,
  collaborator,
})

const payoutFields = {
  id: filled,
  currency: collaboratorFields.currency,
  collaborator: payoutCollaborator,
  status: oneOf("active", "pending", "paid", "failed", "manually paid"),
  to_be_paid_at: time,
  paid_at: nullOr(time),
}

const orderItem = exactly({
  amount: whole,
  discount: whole,
  quantity: whole,
  tax_percent: nullOr(finite),
  tax_name: nullOr(text),
  tax_total: nullOr(whole),
  grams: whole,
  product: exactly({
    ...productFields,
    ...{ external_id: text, external_variant_id: text, name: text, vendor: text },
    ...{ price: whole, cost: whole },
  }),
  external_id: text,
  split_at: time,
  refunded_at: nullOr(time),
})

const itemFields = exactly({
  amount: whole,
  original_amount: whole,
  original_currency: collaboratorFields.currency,
  currency_exchange_rate: nullOr(filled),
  is_expenses: flag,
  expense_name: nullOr(filled),
  orderItem: nullOr(orderItem),
})

/** Expenses take off, what has a name was not sold. */
const itemAgrees: Check = (value, path) => {
  if (!isRecord(value)) return undefined
  const isExpense = value.is_expenses === true
  const isSold = value.orderItem !== null
  // A request for money takes nothing off.
  if (isExpense && (isSold || numberOf(value.amount) > 0)) return `${path} is no expense`
  return isSold === (value.expense_name === null) ? undefined : `${path} has a name, or has none`
}

const totalAddsUp: Check = (value, path) => {
  if (!isRecord(value) || !Array.isArray(value.items)) return undefined
  const amounts = value.items.map((item: unknown) =>
    isRecord(item) ? BigInt(numberOf(item.amount)) : 0n,
  )
  const sum = amounts.reduce((left, right) => left + right, 0n)
  return sum === BigInt(numberOf(value.total)) ? undefined : `${path}.total is not ${sum}`
}

const payoutView = both(
  exactly({ ...payoutFields, total: whole, items: listOf(both(itemFields, itemAgrees)) }),
  totalAddsUp,
)

/** Answers with one thing. */
export const oneChangedGroup = (productsUrl: (id: string) => string): Check =>
  oneGroup(percentNumber, productsUrl)
export const oneViewedGroup = (productsUrl: (id: string) => string): Check =>
  oneGroup(percentText, productsUrl)

const oneGroup =
  (percent: Check, productsUrl: (id: string) => string): Check =>
  (value, path) => {
    const id = isRecord(value) && isRecord(value.data) ? String(value.data.id) : ""
    const data = exactly({ ...groupFields(percent), products: page(product, productsUrl(id)) })
    return exactly({ data })(value, path)
  }

export const onePayout: Check = exactly({ data: payoutView })

const note = when("1 to 500 characters", (value) => {
  return typeof value === "string" && value !== "" && [...value].length <= 500
})

/** What has come to pass at a time, and only then is told of. */
const timesAgree: Check = (value, path) => {
  if (!isRecord(value)) return undefined
  const { status, sent_at, ended_at, returned_at } = value
  const isEnded = !["claimed", "sent", "unknown"].includes(String(status))
  if (isEnded !== (ended_at !== null)) return `${path}.ended_at does not fit ${status}`
  if ((status === "returned") !== (returned_at !== null)) return `${path}.returned_at is wrong`
  const wasSent = status !== "claimed" && status !== "released"
  return wasSent && sent_at === null ? `${path}.sent_at does not fit ${status}` : undefined
}

const payment = both(
  exactly({
    ...{ id: filled, payout_id: filled, collaborator_id: filled },
    currency: collaboratorFields.currency,
    amount: position,
    payout_version: count,
    rail: oneOf("bank", "outside"),
    status: oneOf(
      ...["claimed", "sent", "unknown", "confirmed", "rejected", "released", "returned"],
    ),
    claimed_at: time,
    ...{ sent_at: nullOr(time), accepted_at: nullOr(time), ended_at: nullOr(time) },
    ...{ returned_at: nullOr(time), reference: nullOr(note), fee: nullOr(count) },
    reason: nullOr(note),
    contradiction: nullOr(
      exactly({
        at: time,
        event: oneOf("accept", "confirm", "reject", "absent", "return", "lose"),
        message: filled,
      }),
    ),
  }),
  timesAgree,
)

export const onePayment: Check = exactly({ data: payment })
export const paymentsOfPayout: Check = exactly({ data: listOf(payment) })
export const listedPayments: Check = exactly({
  data: listOf(payment),
  meta: exactly({
    limit: when("1 to 1000", (value) => isCount(value) && value !== 0 && Number(value) <= 1_000),
    next: nullOr(filled),
  }),
})

const outcomeRefusal: Check = (value, path) => {
  const isInvalid = isRecord(value) && value.status === 422
  const errors = { errors: recordOf(listOf(filled)) }
  const fields = { status: oneOf(404, 409, 422), message: filled }
  return exactly(isInvalid ? { ...fields, ...errors } : fields)(value, path)
}

/** Either there is the payment, or why the outcome is refused. */
const isOneOfBoth: Check = (value, path) =>
  isRecord(value) && (value.payment === null) === (value.refusal === null)
    ? `${path} must have a payment or a refusal`
    : undefined

export const outcomeAnswers: Check = exactly({
  data: listOf(
    both(
      exactly({ key: nullOr(text), payment: nullOr(payment), refusal: nullOr(outcomeRefusal) }),
      isOneOfBoth,
    ),
  ),
})

/** Answers with a list. */
export const listedGroups = (url: string): Check =>
  page(exactly({ ...groupFields(percentText), products_count: count }), url)

export const listedPayouts = (url: string): Check => page(exactly(payoutFields), url)

export const listedProducts = (url: string, withCollaborators: boolean): Check =>
  page(
    withCollaborators
      ? exactly({ ...productFields, collaborators: listOf(collaborator) })
      : product,
    url,
  )

/** Answers to refused requests. */
export const refusal: Check = exactly({ message: filled })
export const invalid: Check = exactly({
  message: filled,
  errors: recordOf(both(listOf(filled), nonEmpty)),
})

function nonEmpty(value: unknown, path: string): string | undefined {
  return Array.isArray(value) && value.length === 0 ? `${path} is empty` : undefined
}
