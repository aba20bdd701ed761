/** Reads the store that `apportion serve` begins with. */
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import * as WireCollaborator from "../wire/Collaborator.js"
import * as WireGroup from "../wire/Group.js"
import * as WirePayout from "../wire/Payout.js"
import * as WireStore from "../wire/Store.js"
import * as Format from "./Format.js"
import * as Input from "./Input.js"
import * as Problems from "./Problems.js"
import type { Record } from "./Records.js"
import type { Source } from "./Sources.js"
import * as UnknownFields from "./UnknownFields.js"

/** The whole document as one record. */
const readDocument = async (source: Source): Promise<Record> => {
  const input = await Format.open(source)
  const chunks: Array<Uint8Array> = []
  for await (const chunk of input.chunks()) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  return Input.parseElement(source.name, { bytes, line: 1, column: 1, path: "" })
}

/** The object at a path of the document as a record of its own; where it stands is found when asked for. */
const recordAt = (document: Record, path: string, value: unknown): Record => ({
  _tag: "Record",
  path,
  value,
  get line() {
    return document.locate(path).line
  },
  locate: (field) => document.locate(`${path}.${field}`),
})

/** The objects of the lists under a name in some records. */
const within = (
  document: Record,
  records: ReadonlyArray<Record>,
  name: string,
): ReadonlyArray<Record> =>
  records.flatMap((record) => {
    const list = reader.isFields(record.value) ? record.value[name] : undefined
    const path = record.path === "" ? name : `${record.path}.${name}`
    return Array.isArray(list)
      ? list.map((value, index) => recordAt(document, `${path}[${index}]`, value))
      : []
  })

/** Refuses misspelt fields of collaborators, groups and payouts, and tells of unknown ones. */
const checkFields = (name: string, document: Record, note: Input.Note): void => {
  const list = (key: string) => within(document, [document], key)
  const payouts = list("payouts")
  const kinds = [
    [list("collaborators"), WireCollaborator.fields],
    [list("groups"), WireGroup.fields],
    [payouts, WirePayout.fields],
    [within(document, payouts, "items"), WirePayout.itemFields],
  ] as const
  for (const [records, known] of kinds) UnknownFields.check(name, records, { known, note })
}

/** Reads a store. */
export const read = async (source: Source, note: Input.Note): Promise<WireStore.Store> => {
  const document = await readDocument(source)
  const store = WireStore.read(document.value)
  if (Result.isFailure(store)) {
    throw Problems.unusable(Problems.linesOf(source.name, document, store.failure.problems))
  }
  checkFields(source.name, document, note)
  return store.success
}
