/** Who the collaborators are, for choices and for names beside ids. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { SelectField, TextField } from "../parts/Field.js"
import type { Collaborator, Paged } from "./Answers.js"
import { ask } from "./Connection.js"
import { Name, plain } from "./Name.js"

const known = signal<ReadonlyMap<string, Collaborator> | undefined>(undefined)

/** So many at most are offered in a list; of more, one is named by their id. */
const mostPages = 5

let isAsking = false

const askAll = async (): Promise<void> => {
  if (isAsking) return
  isAsking = true
  const found = new Map<string, Collaborator>()
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await ask<Paged<Collaborator>>("collaborators", {
      query: { page, per_page: 100 },
    })
    if (answer.type === "failed") break
    for (const one of answer.value.data) found.set(one.id, one)
    if (page >= answer.value.meta.last_page) break
  }
  known.value = found
  isAsking = false
}

/** The collaborators by id; empty until they are here. */
export const useCollaborators = (): ReadonlyMap<string, Collaborator> => {
  useEffect(() => {
    if (known.value === undefined) askAll()
  }, [])
  return known.value ?? new Map()
}

/** Forgets them: the next token may be another account's. */
export const forgetCollaborators = (): void => {
  known.value = undefined
}

const nameOf = ({ id, account }: Collaborator): string =>
  account.name.trim() === "" ? plain(id) : `${plain(account.name)} (${plain(id)})`

/** The name of a collaborator of whom there is an id. */
export const NameOf = ({ id }: { id: string }) => (
  <Name name={useCollaborators().get(id)?.account.name} id={id} />
)

/** A choice of one collaborator. */
export const CollaboratorChoice = (given: {
  value: string
  onValue: (id: string) => void
  /** What stands for none of them. */
  none: string
  problem?: string | undefined
}) => {
  const collaborators = useCollaborators()
  if (collaborators.size >= mostPages * 100) {
    return <TextField label="Collaborator’s id" {...given} />
  }
  const options = [...collaborators.values()]
    .map((one) => [one.id, nameOf(one)] as const)
    .sort((one, other) => one[1].localeCompare(other[1]))
  const isUnknown = given.value !== "" && !collaborators.has(given.value)
  const unknown = isUnknown ? [[given.value, plain(given.value)] as const] : []
  return (
    <SelectField<string>
      label="Collaborator"
      value={given.value}
      onValue={given.onValue}
      problem={given.problem}
      choices={[["", given.none], ...unknown, ...options]}
    />
  )
}
