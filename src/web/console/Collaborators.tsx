/** Who the collaborators are, for choices and for names beside ids. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { SelectField, TextField } from "../parts/Field.js"
import type { Collaborator, Paged, Single } from "./Answers.js"
import { ask, path } from "./Connection.js"
import { changes } from "./Load.js"
import { Name, plain } from "./Name.js"

const known = signal<ReadonlyMap<string, Collaborator> | undefined>(undefined)

/** Those that are not among the first ones, as they were asked for by their ids. */
const named = signal<ReadonlyMap<string, Collaborator>>(new Map())

/** So many at most are offered in a list; of more, one is named by their id. */
const mostPages = 5

/** Ids that were asked for; another set when the token is another, so that answers to the last one are dropped. */
let asked = new Set<string>()

/** Whether all of them are here. */
let isWhole = false

/** What stands among the ids for all of them. */
const all = "\u0000all"

const isFirst = (id: string): boolean => {
  if (asked.has(id)) return false
  asked.add(id)
  return true
}

const askAll = async (): Promise<void> => {
  if (!isFirst(all)) return
  const asking = asked
  const found = new Map<string, Collaborator>()
  let isLast = false
  for (let page = 1; page <= mostPages && !isLast; page += 1) {
    const answer = await ask<Paged<Collaborator>>("collaborators", {
      query: { page, per_page: 100 },
    })
    if (asking !== asked) return
    if (answer.type === "failed") {
      // Whoever needs them next asks again.
      asked.delete(all)
      return
    }
    for (const one of answer.value.data) found.set(one.id, one)
    isLast = page >= answer.value.meta.last_page
  }
  isWhole = isLast
  known.value = found
}

const askOne = async (id: string): Promise<void> => {
  if (!isFirst(id)) return
  const asking = asked
  const answer = await ask<Single<Collaborator>>(path("collaborators", id))
  if (asking !== asked || answer.type === "failed") return
  named.value = new Map(named.value).set(id, answer.value.data)
}

/** The first collaborators by id, of few all of them; empty until they are here. */
const useCollaborators = (): ReadonlyMap<string, Collaborator> => {
  const tries = changes.value
  useEffect(() => {
    if (known.value === undefined) askAll()
  }, [known.value, tries])
  return known.value ?? new Map()
}

/** Forgets them: they have changed, or the next token may be another account's. */
export const forgetCollaborators = (): void => {
  asked = new Set()
  isWhole = false
  known.value = undefined
  named.value = new Map()
}

const nameOf = ({ id, account }: Collaborator): string =>
  account.name.trim() === "" ? plain(id) : `${plain(account.name)} (${plain(id)})`

/** The name of a collaborator of whom there is an id. */
export const NameOf = ({ id }: { id: string }) => {
  const collaborators = useCollaborators()
  const one = collaborators.get(id) ?? named.value.get(id)
  const isThere = known.value !== undefined
  useEffect(() => {
    if (isThere && !isWhole && one === undefined) askOne(id)
  }, [isThere, id])
  return <Name name={one?.account.name} id={id} />
}

/** A choice of one collaborator. */
export const CollaboratorChoice = (given: {
  value: string
  onValue: (id: string) => void
  /** What stands for none of them. */
  none: string
  problem?: string | undefined
  label?: string
}) => {
  const collaborators = useCollaborators()
  if (collaborators.size >= mostPages * 100) {
    return <TextField {...given} label={`${given.label ?? "Collaborator"}: id`} />
  }
  const options = [...collaborators.values()]
    .map((one) => [one.id, nameOf(one)] as const)
    .sort((one, other) => one[1].localeCompare(other[1]))
  const isUnknown = given.value !== "" && !collaborators.has(given.value)
  const unknown = isUnknown ? [[given.value, plain(given.value)] as const] : []
  return (
    <SelectField<string>
      label={given.label ?? "Collaborator"}
      value={given.value}
      onValue={given.onValue}
      problem={given.problem}
      choices={[["", given.none], ...unknown, ...options]}
    />
  )
}
