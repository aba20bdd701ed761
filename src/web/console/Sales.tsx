/** The recorded sales, the latest first. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { TextField } from "../parts/Field.js"
import type { Column } from "../parts/Table.js"
import { counted, money, total } from "./Amount.js"
import type { SoldPart } from "./Answers.js"
import { CollaboratorChoice } from "./Collaborators.js"
import { LongTable } from "./LongTable.js"
import { Name } from "./Name.js"
import { LoadFailure } from "./Notice.js"
import { usePages } from "./Pages.js"
import { go, link, route, select } from "./Route.js"
import { date, dayEnd, dayStart } from "./Time.js"

export const sharesOf = ({ shares }: SoldPart): bigint => total(shares.map(({ amount }) => amount))
export const storeOf = ({ store }: SoldPart): bigint => total(store.map(({ amount }) => amount))

const columns: ReadonlyArray<Column<SoldPart>> = [
  {
    heading: "Order",
    cell: ({ order_id, order, part }) => (
      <>
        <a href={link(["sales", order_id])}>
          <Name name={order.name} id={order_id} />
        </a>
        {part > 1 && <span class="faint"> part {part}</span>}
      </>
    ),
  },
  {
    heading: "Sold",
    cell: ({ order, recorded_at }) => date(order.created_at ?? recorded_at),
  },
  { heading: "Recorded", cell: ({ recorded_at }) => date(recorded_at) },
  { heading: "Items", isFigure: true, cell: ({ order }) => order.items.length },
  {
    heading: "Came in",
    isFigure: true,
    cell: (one) => money(sharesOf(one) + storeOf(one), one.order.currency),
  },
  {
    heading: "Collaborators",
    isFigure: true,
    cell: (one) => money(sharesOf(one), one.order.currency),
  },
  { heading: "Store", isFigure: true, cell: (one) => money(storeOf(one), one.order.currency) },
  { heading: "Refunds", isFigure: true, cell: ({ refunds }) => refunds.length || "–" },
]

const RecordedDay = ({ name, label }: { name: string; label: string }) => (
  <TextField
    label={label}
    type="date"
    value={route.value.query.get(name) ?? ""}
    onValue={(day) => select({ [name]: day })}
  />
)

/** The way to one sale: who asks about a sale has its number. */
const OrderSearch = () => {
  const [id, setId] = useState("")
  return (
    <form
      class="filters"
      aria-label="One sale"
      onSubmit={(event) => {
        event.preventDefault()
        if (id.trim() !== "") go(["sales", id.trim()])
      }}
    >
      <TextField
        label="Order’s id"
        help="As your shop writes it, with its capitals."
        value={id}
        onValue={setId}
      />
      <Button submits>Open</Button>
    </form>
  )
}

export const Sales = () => {
  const { query } = route.value
  const list = usePages<SoldPart>("sales", {
    order: "desc",
    collaborator: query.get("collaborator") ?? undefined,
    product: query.get("product") ?? undefined,
    "recordedDate[start_date]": dayStart(query.get("from") ?? ""),
    "recordedDate[end_date]": dayEnd(query.get("to") ?? ""),
  })
  return (
    <>
      <h1 tabIndex={-1}>Sales</h1>
      <OrderSearch />
      <fieldset class="filters">
        <legend class="spoken">Filters</legend>
        <CollaboratorChoice
          value={query.get("collaborator") ?? ""}
          none="All"
          onValue={(collaborator) => select({ collaborator })}
        />
        <TextField
          label="Product’s id"
          value={query.get("product") ?? ""}
          onValue={(product) => select({ product })}
        />
        <RecordedDay name="from" label="Recorded from" />
        <RecordedDay name="to" label="Recorded until" />
      </fieldset>
      {list.failure !== undefined && <LoadFailure failure={list.failure} />}
      <p class="faint" role="status">
        {list.total === undefined ? "" : counted(list.total, "sale")}
      </p>
      <LongTable caption="Sales" columns={columns} list={list} empty="No sale matches." />
    </>
  )
}
