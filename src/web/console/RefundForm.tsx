/** A refund of an item: how much, what it takes back of whom, and recording it. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { SelectField, TextField } from "../parts/Field.js"
import { MoneyField } from "../parts/Money.js"
import { money } from "./Amount.js"
import type { ExplainedPart, RefundRow, Single } from "./Answers.js"
import { BeforeAfter, type Change, ChangeDialog } from "./Change.js"
import { NameOf } from "./Collaborators.js"
import { ask, type Failure, newKey, path } from "./Connection.js"
import { useLoad } from "./Load.js"
import { plain } from "./Name.js"
import { FailureNotice } from "./Notice.js"

type RefundWay = "remaining" | "quantity" | "amount"

/** A refund as a request takes it. */
interface RefundBody {
  readonly id: string
  readonly item_id: string
  readonly remaining?: true
  readonly quantity?: number
  readonly amount?: number
}

/** What each has of an item by now: the share less what earlier refunds took back. */
const leftOf = (part: ExplainedPart, itemId: string) => {
  const refunds = part.refunds.filter(({ item_id }) => item_id === itemId)
  const taken = (groupId: string) =>
    refunds
      .flatMap(({ shares }) => shares)
      .filter(({ group_id }) => group_id === groupId)
      .reduce((sum, { amount }) => sum + amount, 0)
  const shares = part.shares
    .filter(({ item_id }) => item_id === itemId)
    .map((share) => ({ ...share, left: share.amount - taken(share.group_id) }))
  const store = part.store.find(({ item_id }) => item_id === itemId)?.amount ?? 0
  return { shares, store: store - refunds.reduce((sum, one) => sum + one.store, 0) }
}

const rowsOf = (part: ExplainedPart, refund: RefundRow) => {
  const { currency } = part.order
  const { shares, store } = leftOf(part, refund.item_id)
  const back = (groupId: string) =>
    refund.shares.find(({ group_id }) => group_id === groupId)?.amount ?? 0
  return [
    ...shares.map(({ group_id, collaborator_id, left }) => ({
      what: <NameOf id={collaborator_id} />,
      before: money(left, currency),
      after: money(left - back(group_id), currency),
    })),
    {
      what: <em>the store</em>,
      before: money(store, currency),
      after: money(store - refund.store, currency),
    },
  ]
}

const Preview = ({ part, body }: { part: ExplainedPart; body: RefundBody }) => {
  const preview = useLoad<Single<RefundRow>>(path("sales", part.order_id, "refunds", "preview"), {
    method: "POST",
    body,
  })
  if (preview.failure !== undefined) return <FailureNotice failure={preview.failure} />
  if (preview.value === undefined) {
    return (
      <p class="faint" role="status">
        Loading…
      </p>
    )
  }
  return (
    <>
      <p>What each has of the item:</p>
      <BeforeAfter of={rowsOf(part, preview.value.data)} />
      <p class="faint">
        In a payout that is not settled the item is reduced; of a paid one, the difference goes to
        the collaborator’s active payout.
      </p>
    </>
  )
}

const refundChange = (part: ExplainedPart, body: RefundBody): Change<Single<RefundRow>> => ({
  title: "Refund an item",
  verb: "Record the refund",
  isGrave: true,
  preview: <Preview part={part} body={body} />,
  send: (key) => ask(path("sales", part.order_id, "refunds"), { method: "POST", key, body }),
  result: ({ data }) => (
    <p>
      Recorded: the store gives back {money(data.store, part.order.currency)}
      {data.shares.length > 0 && ", and these shares are taken back: "}
      {data.shares.map(({ group_id, collaborator_id, amount }, index) => (
        <span key={group_id}>
          {index > 0 && ", "}
          <NameOf id={collaborator_id} /> {money(amount, part.order.currency)}
        </span>
      ))}
      .
    </p>
  ),
})

const ways = [
  ["remaining", "All that is left of it"],
  ["quantity", "Some units"],
  ["amount", "A part of its price"],
] as const

/** How much comes back; `undefined`: the form does not say. */
const howMuch = (way: RefundWay, quantity: string, amount: number | null) => {
  if (way === "remaining") return { remaining: true } as const
  if (way === "amount") return amount === null || amount <= 0 ? undefined : { amount }
  const units = Number(quantity)
  return Number.isSafeInteger(units) && units > 0 ? { quantity: units } : undefined
}

export const RefundForm = ({ part, close }: { part: ExplainedPart; close: () => void }) => {
  const { items, currency } = part.order
  const [id] = useState(newKey)
  const [item, setItem] = useState(items[0]?.external_id ?? "")
  const [way, setWay] = useState<RefundWay>("remaining")
  const [quantity, setQuantity] = useState("1")
  const [amount, setAmount] = useState<number | null>(null)
  const [isTried, setTried] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>(undefined)
  const [change, setChange] = useState<Change<Single<RefundRow>> | undefined>(undefined)
  const much = howMuch(way, quantity, amount)
  const problem = isTried && much === undefined ? "must be more than zero" : undefined
  const problemOf = (name: string) => problem ?? failure?.errors[name]?.join("; ")
  const show = () => {
    setTried(true)
    setFailure(undefined)
    if (much !== undefined) setChange(refundChange(part, { id, item_id: item, ...much }))
  }
  return (
    <form
      class="inner"
      aria-label="Refund an item"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        show()
      }}
    >
      <h3>Refund an item</h3>
      <div class="fields">
        <SelectField
          label="Item"
          value={item}
          choices={items.map(({ external_id, product }) => [
            external_id,
            plain(product.name ?? product.id),
          ])}
          onValue={setItem}
        />
        <SelectField label="How much" value={way} choices={ways} onValue={setWay} />
        {way === "quantity" && (
          <TextField
            label="Units"
            inputMode="numeric"
            value={quantity}
            onValue={setQuantity}
            problem={problemOf("quantity")}
          />
        )}
        {way === "amount" && (
          <MoneyField
            label="Amount"
            currency={currency}
            value={amount}
            onValue={setAmount}
            problem={problemOf("amount")}
          />
        )}
      </div>
      <div class="row">
        <Button submits kind="main">
          Show what changes
        </Button>
        <Button onPress={close}>Cancel</Button>
      </div>
      {change !== undefined && (
        <ChangeDialog
          change={change}
          refused={setFailure}
          close={(done) => (done === undefined ? setChange(undefined) : close())}
        />
      )}
    </form>
  )
}
