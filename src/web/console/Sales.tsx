/** The recorded sales, the latest first. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { TextField } from "../parts/Field.js"
import type { Column } from "../parts/Table.js"
import { counted, money, total } from "./Amount.js"
import type { SoldPart } from "./Answers.js"
import { CollaboratorChoice } from "./Collaborators.js"
import { type ApiAnswer, ask, path } from "./Connection.js"
import { useFormFocus } from "./FormFocus.js"
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

/** The ids that may be meant by what is typed: shops write “#” before numbers, and people leave out capitals. */
const idsMeant = (typed: string): ReadonlyArray<string> => {
  const id = typed.trim()
  const plain = id.replace(/^#/, "")
  return [...new Set([id, plain, plain.toUpperCase(), plain.toLowerCase()])].filter(
    (one) => one !== "",
  )
}

/** The first of these sales that is there; `undefined`: none of them is. */
const findSale = async (
  ids: ReadonlyArray<string>,
): Promise<ApiAnswer<{ readonly id: string | undefined }>> => {
  for (const id of ids) {
    const answer = await ask(path("sales", id))
    if (answer.type === "done") return { type: "done", value: { id } }
    if (answer.failure.status !== 404) return answer
  }
  return { type: "done", value: { id: undefined } }
}

/** The way to one sale: who asks about a sale has its number. */
const OrderSearch = () => {
  const [typed, setTyped] = useState("")
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isAsking, setAsking] = useState(false)
  const { form, refuse } = useFormFocus(false)
  const open = async () => {
    const ids = idsMeant(typed)
    if (ids.length === 0 || isAsking) return
    setAsking(true)
    const found = await findSale(ids)
    setAsking(false)
    if (found.type === "done" && found.value.id !== undefined) {
      return go(["sales", found.value.id])
    }
    setProblem(found.type === "failed" ? found.failure.message : "no sale has this id")
    refuse()
  }
  return (
    <form
      ref={form}
      class="filters"
      aria-label="One sale"
      onSubmit={(event) => {
        event.preventDefault()
        open()
      }}
    >
      <TextField
        label="Order’s id"
        help="The id that your shop sends, which may be another than the order’s name."
        value={typed}
        problem={problem}
        onValue={(text) => {
          setTyped(text)
          setProblem(undefined)
        }}
      />
      <Button submits disabled={isAsking}>
        Open
      </Button>
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
