/** The people who are paid, and what was spent on or given to them. */
import type { RuleSet } from "../matching/RuleSet.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import * as WireCollaborator from "../wire/Collaborator.js"
import * as WireEntry from "../wire/Entry.js"
import * as Input from "./Input.js"
import * as Problems from "./Problems.js"
import { readEach } from "./Rules.js"
import type { Source } from "./Sources.js"

/** Collaborators by their id. */
export type Collaborators = ReadonlyMap<string, Collaborator>

/** Reads collaborators. */
export const read = async (source: Source, note: Input.Note): Promise<Collaborators> => {
  const records = await Input.readAll(source, { kind: Input.collaborators, note })
  const collaborators = readEach(source.name, records, WireCollaborator.read)
  const byId = new Map<string, Collaborator>()
  const repeated = collaborators.flatMap((collaborator, index) => {
    const record = records[index]
    const { id } = collaborator
    if (record === undefined || !byId.has(id)) {
      byId.set(id, collaborator)
      return []
    }
    const message = `must be unique, there is another collaborator with the id "${id}"`
    return [Problems.lineOf(source.name, record, { path: "id", message })]
  })
  if (repeated.length > 0) throw Problems.unusable(repeated)
  return byId
}

/** Refuses groups of collaborators who are not among those that are paid. */
export const checkGroups = (source: Source, rules: RuleSet, collaborators: Collaborators): void => {
  const problems = rules.groups
    .filter(({ collaboratorId }) => !collaborators.has(collaboratorId))
    .map(
      ({ id, collaboratorId }) =>
        `${source.name}: group "${id}" is of collaborator "${collaboratorId}", who is not among the collaborators`,
    )
  if (problems.length > 0) throw Problems.unusable(problems)
}

/** Reads expenses and incomes; without a file there are none. */
export const readEntries = async (
  source: Source | undefined,
  options: { readonly collaborators: Collaborators; readonly note: Input.Note },
): Promise<ReadonlyArray<WireEntry.Entry>> => {
  if (source === undefined) return []
  const records = await Input.readAll(source, { kind: Input.entries, note: options.note })
  const entries = readEach(source.name, records, WireEntry.read)
  const problems = entries.flatMap(({ collaboratorId }, index) => {
    const record = records[index]
    if (record === undefined || options.collaborators.has(collaboratorId)) return []
    const message = `"${collaboratorId}" is not among the collaborators`
    return [Problems.lineOf(source.name, record, { path: "collaborator_id", message })]
  })
  if (problems.length > 0) throw Problems.unusable(problems)
  return entries
}
