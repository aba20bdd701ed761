/** A refund of an item of a sale: filled in, shown with what it takes back of whom, and recorded. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { SelectField, TextField } from "../parts/Field.js"
import { MoneyField } from "../parts/Money.js"
import { Table } from "../parts/Table.js"
import { counted, money, total } from "./Amount.js"
import type { ExplainedPart, PreviewedRefund, RefundRow, Single } from "./Answers.js"
import { ChangeDialog, type PlannedChange } from "./Change.js"
import { ask, newKey, path, type RequestFailure } from "./Connection.js"
import { useFormFocus } from "./FormFocus.js"
import { Id, Name } from "./Name.js"
import { FailureNotice } from "./Notice.js"

type RefundedItem = ExplainedPart["order"]["items"][number]

type Extent = "remaining" | "quantity" | "amount"

interface TypedRefund {
  readonly id: string
  readonly extent: Extent
  readonly quantity: string
  readonly amount: number | null
}

const extents = [
  ["remaining", "All that is left of the item"],
  ["quantity", "Some of its units"],
  ["amount", "An amount of its price"],
] as const

/** What the API takes; what is no number goes there as it was typed, and it says what is wrong with it. */
const requestOf = (item: RefundedItem, { id, extent, quantity, amount }: TypedRefund) => ({
  id: id.trim(),
  item_id: item.external_id,
  ...(extent === "remaining" ? { remaining: true } : {}),
  ...(extent === "quantity"
    ? { quantity: /^\d+$/.test(quantity.trim()) ? Number(quantity) : quantity }
    : {}),
  ...(extent === "amount" ? { amount } : {}),
})

type ItemRefund = ReturnType<typeof requestOf>

const refundsOf = (orderId: string) => path("sales", orderId, "refunds")

type TakenShare = PreviewedRefund["collaborators"][number]

const TakenBack = ({ of }: { of: PreviewedRefund }) => {
  const { currency, collaborators, store } = of
  return (
    <>
      <Table
        caption="What is taken back"
        empty="Nobody has a share of it."
        columns={[
          {
            heading: "Of whom",
            cell: ({ collaborator_id, collaborator_name }: TakenShare) => (
              <Name name={collaborator_name} id={collaborator_id} />
            ),
          },
          {
            heading: "Has of it",
            isFigure: true,
            cell: ({ keeps, amount }) => money(total([keeps, amount]), currency),
          },
          {
            heading: "Taken back",
            isFigure: true,
            cell: ({ amount }) => <strong>{money(amount, currency)}</strong>,
          },
          {
            heading: "Keeps",
            isFigure: true,
            cell: ({ keeps }) => money(keeps, currency),
          },
        ]}
        rows={collaborators}
        keyOf={({ collaborator_id }) => collaborator_id}
      />
      <p>
        The store gives back {money(store, currency)}.{" "}
        {of.fully_refunded ? "Nothing of the item is left then." : "A part of the item is left."}
      </p>
    </>
  )
}

const refundChange = (
  part: ExplainedPart,
  request: ItemRefund,
  previewed: PreviewedRefund,
): PlannedChange<Single<RefundRow>> => ({
  title: "Refund an item",
  verb: "Take it back",
  isGrave: true,
  preview: (
    <>
      {previewed.recorded && (
        <p class="notice notice-warn">
          The refund <Id of={previewed.id} /> is recorded already: it takes nothing back again.
        </p>
      )}
      <TakenBack of={previewed} />
      <p class="faint">
        It comes off the payouts that are open. No money is sent to the customer: that is done in
        your shop. A refund can’t be taken back here.
      </p>
    </>
  ),
  send: (key) => ask(refundsOf(part.order_id), { method: "POST", key, body: request }),
  result: () => (
    <p>
      Done: {money(total(previewed.collaborators.map(({ amount }) => amount)), previewed.currency)}{" "}
      of {counted(previewed.collaborators.length, "collaborator")} and{" "}
      {money(previewed.store, previewed.currency)} of the store are taken back.
    </p>
  ),
})

const RefundFields = (given: {
  currency: string
  item: RefundedItem
  typed: TypedRefund
  change: (fields: Partial<TypedRefund>) => void
  errors: RequestFailure["errors"]
}) => {
  const { currency, item, typed, change, errors } = given
  const problemOf = (name: string) => errors[name]?.join("; ")
  return (
    <div class="fields">
      <SelectField<Extent>
        label="How much"
        value={typed.extent}
        choices={extents}
        problem={problemOf("remaining")}
        onValue={(extent) => change({ extent })}
      />
      {typed.extent === "quantity" && (
        <TextField
          label="Units"
          inputMode="numeric"
          help={`${counted(item.quantity, "unit")} sold.`}
          value={typed.quantity}
          problem={problemOf("quantity")}
          onValue={(quantity) => change({ quantity })}
        />
      )}
      {typed.extent === "amount" && (
        <MoneyField
          label="Amount"
          currency={currency}
          help={`${money(item.amount, currency)} is its price.`}
          value={typed.amount}
          problem={problemOf("amount")}
          onValue={(amount) => change({ amount })}
        />
      )}
      <TextField
        label="The refund’s id"
        help="The one that your shop gave it, if it has one: the same refund is taken back once."
        value={typed.id}
        problem={problemOf("id")}
        onValue={(id) => change({ id })}
      />
    </div>
  )
}

const asked = ["id", "remaining", "quantity", "amount"]

/** What is wrong with none of the fields. */
const otherOf = (failure: RequestFailure): RequestFailure | undefined => {
  const names = Object.keys(failure.errors)
  return names.length > 0 && names.every((name) => asked.includes(name)) ? undefined : failure
}

const FormButtons = (given: { isHeld: boolean; close: () => void }) => (
  <div class="row">
    <Button submits kind="main" disabled={given.isHeld}>
      Show what it takes back
    </Button>
    <Button onPress={given.close}>Cancel</Button>
  </div>
)

const firstTyped = (): TypedRefund => ({
  ...{ id: newKey(), extent: "remaining", quantity: "1", amount: null },
})

export const RefundForm = (given: {
  part: ExplainedPart
  item: RefundedItem
  close: () => void
}) => {
  const { part, item, close } = given
  const [typed, setTyped] = useState(firstTyped)
  const [failure, setFailure] = useState<RequestFailure | undefined>(undefined)
  const [change, setChange] = useState<PlannedChange<Single<RefundRow>> | undefined>(undefined)
  const [isAsking, setAsking] = useState(false)
  const { form, refuse } = useFormFocus(true)
  const show = async () => {
    const request = requestOf(item, typed)
    setAsking(true)
    setFailure(undefined)
    const answer = await ask<Single<PreviewedRefund>>(`${refundsOf(part.order_id)}/preview`, {
      method: "POST",
      body: request,
    })
    setAsking(false)
    if (answer.type === "failed") {
      setFailure(answer.failure)
      refuse()
    } else setChange(refundChange(part, request, answer.value.data))
  }
  const other = failure === undefined ? undefined : otherOf(failure)
  return (
    <form
      ref={form}
      class="inner"
      aria-label="Refund"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isAsking) show()
      }}
    >
      <h3>
        Refund of <Name name={item.product.name} id={item.product.id} />
      </h3>
      <RefundFields
        currency={part.order.currency}
        item={item}
        typed={typed}
        change={(fields) => setTyped({ ...typed, ...fields })}
        errors={failure?.errors ?? {}}
      />
      {other !== undefined && <FailureNotice failure={other} />}
      <FormButtons isHeld={isAsking} close={close} />
      {change !== undefined && (
        <ChangeDialog
          change={change}
          refused={setFailure}
          close={(isDone) => (isDone ? close() : setChange(undefined))}
        />
      )}
    </form>
  )
}
