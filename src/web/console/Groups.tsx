/** The product groups of the account. */
import { useEffect, useState } from "preact/hooks"
import { TextField } from "../parts/Field.js"
import type { Column } from "../parts/Table.js"
import { counted } from "./Amount.js"
import type { GroupForm } from "./Answers.js"
import { CollaboratorChoice } from "./Collaborators.js"
import { GroupConditions, GroupLink, GroupPay } from "./GroupWords.js"
import { LongTable } from "./LongTable.js"
import { Name } from "./Name.js"
import { LoadFailure } from "./Notice.js"
import { usePages } from "./Pages.js"
import { link, route, select } from "./Route.js"
import { may } from "./Scopes.js"

/** A group in the list. */
interface ListedGroupRow {
  readonly id: string
  readonly collaborator: { readonly id: string; readonly name: string | null }
  readonly group: GroupForm
  readonly items_count: number
  readonly products_count: number
}

const columns: ReadonlyArray<Column<ListedGroupRow>> = [
  {
    heading: "Products",
    cell: ({ id, group, items_count }) => (
      <a href={link(["groups", id])}>
        <GroupLink of={group} count={items_count} />
      </a>
    ),
  },
  {
    heading: "Collaborator",
    cell: ({ collaborator }) => <Name name={collaborator.name} id={collaborator.id} />,
  },
  { heading: "Gets", isFigure: true, cell: ({ group }) => <GroupPay of={group} /> },
  { heading: "Of which orders", cell: ({ group }) => <GroupConditions of={group} /> },
  { heading: "Takes", isFigure: true, cell: (one) => counted(one.products_count, "product") },
]

/** How long after the last key stroke one searches, in milliseconds. */
const patience = 250

const Search = () => {
  const current = route.value.query.get("search") ?? ""
  const [text, setText] = useState(current)
  useEffect(() => {
    if (text === current) return
    const timer = setTimeout(() => select({ search: text }), patience)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextField
      label="Search"
      type="search"
      value={text}
      onValue={setText}
      placeholder="a tag, vendor, product or id"
    />
  )
}

export const Groups = () => {
  const { query } = route.value
  const list = usePages<ListedGroupRow>("groups", {
    search: query.get("search") ?? undefined,
    collaborator: query.get("collaborator") ?? undefined,
  })
  return (
    <>
      <div class="title">
        <h1 tabIndex={-1}>Product groups</h1>
        {may("manage") && (
          <a class="button button-main" href={link(["groups", "new"])}>
            New group
          </a>
        )}
      </div>
      <fieldset class="filters">
        <legend class="spoken">Filters</legend>
        <Search />
        <CollaboratorChoice
          value={query.get("collaborator") ?? ""}
          none="All"
          onValue={(collaborator) => select({ collaborator })}
        />
      </fieldset>
      {list.failure !== undefined && <LoadFailure failure={list.failure} />}
      <p class="faint" role="status">
        {list.total === undefined ? "" : counted(list.total, "group")}
      </p>
      <LongTable caption="Product groups" columns={columns} list={list} empty="No group matches." />
    </>
  )
}
