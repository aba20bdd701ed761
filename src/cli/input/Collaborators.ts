/** The collaborators, and their expenses and incomes. */

import type { AgreementSet } from "../../agreements/Agreement.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import * as WireAgreement from "../../wire/Agreement.js"
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

/** Who an agreement is with or about, by the path of its field. */
const peopleIn = ({ advances, reserves, guarantees, overrides }: AgreementSet) => [
  ...Object.entries({ advances, reserves, guarantees, overrides }).flatMap(([list, agreements]) =>
    agreements.map(({ collaboratorId }, index) => ({
      path: `${list}[${index}].collaborator_id`,
      id: collaboratorId,
    })),
  ),
  ...overrides.flatMap(({ from }, index) =>
    from === null ? [] : [{ path: `overrides[${index}].from`, id: from }],
  ),
  ...advances.flatMap(({ alsoFrom }, index) =>
    alsoFrom.map((id, place) => ({ path: `advances[${index}].also_from[${place}]`, id })),
  ),
]

/** Reads agreements; `undefined` without a file. */
export const readAgreements = async (
  source: Source | undefined,
  options: { readonly collaborators: CollaboratorList; readonly note: Note },
): Promise<AgreementSet | undefined> => {
  if (source === undefined) return undefined
  const records = await Input.readAll(source, { kind: Input.agreements, note: options.note })
  const [set, ...others] = readEach(source.name, records, (value) => WireAgreement.read(value))
  const [record] = records
  if (set === undefined || record === undefined || others.length > 0) {
    throw Problems.unusable([
      `${source.name}:1: must be one object with lists of agreements, got ${records.length}`,
    ])
  }
  const problems = peopleIn(set).flatMap(({ path, id }) => {
    if (options.collaborators.has(id)) return []
    const message = `"${id}" is not among the collaborators`
    return [Problems.lineOf(source.name, record, { path, message })]
  })
  if (problems.length > 0) throw Problems.unusable(problems)
  return set
}
