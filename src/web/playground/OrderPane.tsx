/** The order: a form, or JSON. */
import { useSignal } from "@preact/signals"
import type { JSX } from "preact"
import { SelectField } from "../parts/Field.js"
import { Tabs } from "../parts/Tabs.js"
import { CountedPane } from "./CountedPane.js"
import { JsonView } from "./JsonView.js"
import { OrderForm } from "./OrderForm.js"
import { isFields } from "./Scenario.js"
import * as State from "./State.js"

const views = [
  { name: "form", label: "Form" },
  { name: "json", label: "JSON" },
] as const

const nameOf = (order: unknown, place: number): string => {
  const id = isFields(order) ? String(order.id).slice(0, 60) : "unreadable"
  return `${place + 1}: ${id}`
}

const FileOrders = (): JSX.Element => {
  const chosen = useSignal("")
  const choices = State.orders.value.map(
    (order, place) => [String(place), nameOf(order, place)] as const,
  )
  return (
    <SelectField
      label={`Orders of the file (${choices.length})`}
      value={chosen.value}
      choices={[["", "Choose one"], ...choices]}
      onValue={(place) => {
        chosen.value = place
        const order = State.orders.value[Number(place)]
        if (place !== "" && order !== undefined) State.showOrder(order)
      }}
    />
  )
}

/** The pane. */
export const OrderPane = (): JSX.Element => {
  const view = useSignal<"form" | "json">("form")
  return (
    <section aria-labelledby="order">
      <h2 id="order">An order</h2>
      <div class="sheet">
        {State.orders.value.length > 1 && <FileOrders />}
        <Tabs
          label="Order as"
          tabs={views}
          chosen={view.value}
          onChoose={(name) => {
            view.value = name
          }}
        >
          {view.value === "form" ? <OrderForm /> : <JsonView subject="order" />}
        </Tabs>
      </div>
      <CountedPane />
    </section>
  )
}
