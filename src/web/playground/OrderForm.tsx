/** An order as a form. */
import type { JSX } from "preact"
import type { Problem } from "../../Problem.js"
import { Button } from "../parts/Button.js"
import { CheckField, TextField } from "../parts/Field.js"
import { MoneyField } from "../parts/Money.js"
import { centsOf, textOf } from "./FieldValues.js"
import { ListField, textsOf } from "./ListField.js"
import { isFields, type JsonObject, orderFields, readOrder } from "./Scenario.js"
import * as State from "./State.js"

/** As many items have a form; an order of more can be changed as JSON. */
const mostItems = 20

const withoutAbsent = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null && value !== ""))

interface PartProps {
  readonly fields: JsonObject
  readonly currency: string
  readonly change: (changes: JsonObject) => void
  readonly problem: (path: string) => string | undefined
}

const itemsOf = (order: JsonObject): ReadonlyArray<unknown> =>
  Array.isArray(order.items) ? order.items : []

const amounts = [
  ["amount", "Price of the line"],
  ["discount", "Discount"],
  ["tax_total", "Tax"],
] as const

const Product = ({ fields, change, problem }: PartProps): JSX.Element => {
  const product = isFields(fields.product) ? fields.product : {}
  const put = (changes: JsonObject) =>
    change({ product: { id: "", ...withoutAbsent({ ...product, ...changes }) } })
  return (
    <div class="pair">
      <TextField
        label="Product"
        value={textOf(product.id)}
        problem={problem("product.id")}
        onValue={(id) => put({ id })}
      />
      <ListField
        label="Its tags"
        values={textsOf(product.tags)}
        problem={problem("product.tags")}
        onValues={(tags) => put({ tags })}
      />
      <TextField
        label="Its vendor"
        value={textOf(product.vendor)}
        problem={problem("product.vendor")}
        onValue={(vendor) => put({ vendor })}
      />
      <MoneyField
        label="Its cost, each"
        currency={State.currency.value}
        value={centsOf(product.cost)}
        problem={problem("product.cost")}
        onValue={(cost) => put({ cost })}
      />
    </div>
  )
}

const Item = ({
  onRemove,
  number,
  ...props
}: PartProps & {
  readonly number: number
  readonly onRemove: (() => void) | undefined
}): JSX.Element => {
  const { fields, currency, change, problem } = props
  return (
    <fieldset class="form item">
      <legend>Item {number}</legend>
      <Product {...props} />
      <div class="pair">
        <TextField
          label="Quantity"
          inputMode="numeric"
          value={textOf(fields.quantity ?? 1)}
          problem={problem("quantity")}
          onValue={(text) => change({ quantity: /^\d+$/.test(text) ? Number(text) : text })}
        />
        {amounts.map(([name, label]) => (
          <MoneyField
            key={name}
            label={label}
            currency={currency}
            value={centsOf(fields[name])}
            problem={problem(name)}
            onValue={(value) => change({ [name]: value })}
          />
        ))}
      </div>
      {onRemove !== undefined && (
        <Button kind="plain" onPress={onRemove}>
          Remove item {number}
        </Button>
      )}
    </fieldset>
  )
}

const Head = ({ fields, change, problem }: PartProps): JSX.Element => (
  <div class="pair">
    <TextField
      label="Order"
      value={textOf(fields.id)}
      problem={problem("id")}
      onValue={(id) => change({ id })}
    />
    <TextField
      label="Currency"
      value={textOf(fields.currency)}
      problem={problem("currency")}
      onValue={(currency) => change({ currency: currency.toUpperCase() })}
    />
    <ListField
      label="Came from"
      help="Blogs, campaigns"
      values={textsOf(fields.referer)}
      problem={problem("referer")}
      onValues={(referer) => change({ referer })}
    />
    <TextField
      label="Billing country"
      help="Two letters"
      value={textOf(fields.billing_country)}
      problem={problem("billing_country")}
      onValue={(billing_country) => change({ billing_country })}
    />
  </div>
)

const MoreLists = ({ fields, change, problem }: PartProps): JSX.Element => {
  const customer = isFields(fields.customer) ? fields.customer : {}
  return (
    <>
      <ListField
        label="Tags of the order"
        values={textsOf(fields.tags)}
        problem={problem("tags")}
        onValues={(tags) => change({ tags })}
      />
      <ListField
        label="Tags of the customer"
        values={textsOf(customer.tags)}
        problem={problem("customer.tags")}
        onValues={(tags) => change({ customer: { ...customer, tags } })}
      />
      <ListField
        label="Discount codes"
        values={textsOf(fields.discount_codes)}
        problem={problem("discount_codes")}
        onValues={(discount_codes) => change({ discount_codes })}
      />
      <TextField
        label="Placed at"
        help="As 2026-03-01T12:00:00Z, or Unix seconds"
        value={textOf(fields.created_at)}
        problem={problem("created_at")}
        onValue={(text) => change({ created_at: /^\d+$/.test(text) ? Number(text) : text })}
      />
    </>
  )
}

const More = (props: PartProps): JSX.Element => {
  const { fields, currency, change, problem } = props
  return (
    <details>
      <summary>Tags, codes, shipping and fees</summary>
      <div class="pair">
        <MoreLists {...props} />
        <MoneyField
          label="Shipping"
          currency={currency}
          value={centsOf(fields.shipping_amount)}
          problem={problem("shipping_amount")}
          onValue={(shipping_amount) => change({ shipping_amount })}
        />
        <MoneyField
          label="Payment fee"
          currency={currency}
          value={centsOf(fields.gateway_fee)}
          problem={problem("gateway_fee")}
          onValue={(gateway_fee) => change({ gateway_fee })}
        />
      </div>
      <CheckField
        label="Prices include tax"
        value={fields.taxes_included === true}
        onValue={(taxes_included) => change({ taxes_included })}
      />
    </details>
  )
}

const newItem = (items: ReadonlyArray<unknown>): JsonObject => {
  const ids = new Set(items.map((item) => (isFields(item) ? textOf(item.external_id) : "")))
  let number = items.length + 1
  while (ids.has(String(number))) number += 1
  return {
    ...{ external_id: String(number), quantity: 1, amount: 1_000 },
    product: { id: `product-${number}` },
  }
}

const messageIn =
  (problems: ReadonlyArray<Problem>, before = ""): PartProps["problem"] =>
  (path) =>
    problems.find((one) => one.path === before + path || one.path.startsWith(`${before}${path}[`))
      ?.message

/** The form of the order. */
export const OrderForm = (): JSX.Element => {
  const fields = orderFields(State.order.value)
  const { problems } = readOrder(State.order.value)
  const currency = State.currency.value
  const items = itemsOf(fields)
  const change = (changes: JsonObject) => {
    State.order.value = withoutAbsent({ ...fields, ...changes })
  }
  const props: PartProps = { fields, currency, change, problem: messageIn(problems) }
  return (
    <div data-form="order">
      <Head {...props} />
      <More {...props} />
      {items.slice(0, mostItems).map((item, place) => (
        <Item
          // Items are told apart by their place: their ids are being typed.
          key={`item ${place}`}
          number={place + 1}
          fields={isFields(item) ? item : {}}
          currency={currency}
          problem={messageIn(problems, `items[${place}].`)}
          change={(changes) =>
            change({
              items: items.with(
                place,
                withoutAbsent({ ...(isFields(item) ? item : {}), ...changes }),
              ),
            })
          }
          onRemove={
            items.length > 1 ? () => change({ items: items.toSpliced(place, 1) }) : undefined
          }
        />
      ))}
      {items.length > mostItems && (
        <p>The other {items.length - mostItems} items can be changed as JSON.</p>
      )}
      <Button onPress={() => change({ items: [...items, newItem(items)] })}>Add an item</Button>
    </div>
  )
}
