/** The collaborators, and their expenses and incomes. */

import type { Collaborator } from "../../payouts/Collaborator.js"
import * as WireCollaborator from "../../wire/Collaborator.js"
import * as WireEntry from "../../wire/Entry.js"
import * as Input from "./Input.js"
import type { Note } from "./Records.js"
import * as Problems from "./Records.js"
import { checkFields } from "./Records.js"
import { type RuleSetInput, readEach } from "./Rules.js"
import type { Source } from "./Sources.js"

/** Collaborators by their id. */
export type CollaboratorList = ReadonlyMap<string, Collaborator>

/** Reads collaborators. */
export const read = async (source: Source, note: Note): Promise<CollaboratorList> => {
  const records = await Input.readAll(source, { kind: Input.collaborators, note })
  const collaborators = readEach(source.name, records, WireCollaborator.read)
  checkFields(source.name, records, { known: WireCollaborator.fields, note })
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

/** Refuses groups whose collaborator is not in the collaborators' file. */
export const checkGroups = (groups: RuleSetInput, collaborators: CollaboratorList): void => {
  const problems = groups.rules.groups.flatMap(({ id, collaboratorId }, index) => {
    if (collaborators.has(collaboratorId)) return []
    const message = `"${collaboratorId}" of group "${id}" is not among the collaborators`
    return [groups.lineOf(index, { path: "collaborator_id", message })]
  })
  if (problems.length > 0) throw Problems.unusable(problems)
}

/** Reads expenses and incomes; the list is empty without a file. */
export const readEntries = async (
  source: Source | undefined,
  options: { readonly collaborators: CollaboratorList; readonly note: Note },
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
