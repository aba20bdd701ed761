import * as Order from "effect/Order"
import type {
  GuaranteedEarning,
  HeldPart,
  RecoupedAdvance,
  ReserveTotals,
} from "../../agreements/Balances.js"
import {
  type AgreementChanges,
  type AgreementEntry,
  type AgreementKey,
  type AgreementStore,
  type AgreementSubject,
  type AgreementTotals,
  agreementsIn,
  type HeldPartKey,
  type StoredAgreement,
} from "../../ports/AgreementStore.js"
import { Conflict } from "../../ports/StorageError.js"
import { Revision } from "./Revision.js"
import { everything, Index, indexOfAll, type Journal, sealed, slicedList, Table } from "./Table.js"

const keyOf = ({ kind, id }: AgreementKey): string => `${kind}/${id}`

const storedKey = ({ kind, agreement: { id } }: StoredAgreement): string => keyOf({ kind, id })

const subjectKey = ({ orderId, itemId }: AgreementSubject): string =>
  JSON.stringify([orderId, itemId])

const partKey = ({
  reserveId,
  orderId,
  itemId,
  groupId,
  collaboratorId,
  place,
}: HeldPartKey): string =>
  JSON.stringify([reserveId, orderId, itemId, groupId, collaboratorId, place])

const byRelease: Order.Order<HeldPart> = Order.combineAll([
  Order.mapInput(Order.Number, ({ releaseAt }: HeldPart) => releaseAt),
  Order.mapInput(Order.String, partKey),
])

/** A balance of any kind, by its agreement. */
interface TotalOf {
  readonly agreement: string
  readonly key: string
  readonly advance?: RecoupedAdvance
  readonly reserve?: ReserveTotals
  readonly guarantee?: GuaranteedEarning
}

interface NumberedEntry {
  readonly number: number
  readonly entry: AgreementEntry
}

const byNumber: Order.Order<NumberedEntry> = Order.mapInput(
  Order.Number,
  ({ number }: NumberedEntry) => number,
)

/** An entry by an agreement that it is about. */
interface EntryFor extends NumberedEntry {
  readonly agreement: string
}

/** The agreements of an account with what was booked for them. */
export class AgreementTables {
  readonly revision = new Revision()
  readonly agreements = new Table<StoredAgreement>(storedKey, [])
  readonly totalsOf = new Index<TotalOf>(
    Order.mapInput(Order.String, ({ key }: TotalOf) => key),
    ({ agreement }) => agreement,
  )
  readonly totals = new Table<TotalOf>(({ key }) => key, [this.totalsOf])
  readonly heldInOrder = indexOfAll<HeldPart>(byRelease)
  readonly heldOf = new Index<HeldPart>(byRelease, subjectKey)
  readonly heldBy = new Index<HeldPart>(byRelease, ({ collaboratorId }) => collaboratorId)
  readonly held = new Table<HeldPart>(partKey, [this.heldInOrder, this.heldOf, this.heldBy])
  readonly entriesInOrder = indexOfAll<NumberedEntry>(byNumber)
  readonly entriesOf = new Index<NumberedEntry>(byNumber, ({ entry }) => subjectKey(entry))
  readonly entries = new Table<NumberedEntry>(
    ({ number }) => String(number),
    [this.entriesInOrder, this.entriesOf],
  )
  readonly entriesFor = new Index<EntryFor>(Order.flip(byNumber), ({ agreement }) => agreement)
  readonly bookings = new Table<EntryFor>(
    ({ agreement, number }) => `${number} ${agreement}`,
    [this.entriesFor],
  )

  get isEmpty(): boolean {
    return this.agreements.size + this.totals.size + this.held.size + this.entries.size === 0
  }
}

const rowsOf = ({ advances, reserves, guarantees }: AgreementTotals): ReadonlyArray<TotalOf> => [
  ...advances.map((advance) => {
    const agreement = keyOf({ kind: "advance", id: advance.advanceId })
    return { agreement, key: agreement, advance }
  }),
  ...reserves.map((reserve) => {
    const agreement = keyOf({ kind: "reserve", id: reserve.reserveId })
    return { agreement, key: JSON.stringify([agreement, reserve.currency]), reserve }
  }),
  ...guarantees.map((guarantee) => {
    const agreement = keyOf({ kind: "guarantee", id: guarantee.guaranteeId })
    return { agreement, key: agreement, guarantee }
  }),
]

const totalsIn = (rows: ReadonlyArray<TotalOf>): AgreementTotals => ({
  advances: rows.flatMap(({ advance }) => advance ?? []),
  reserves: rows.flatMap(({ reserve }) => reserve ?? []),
  guarantees: rows.flatMap(({ guarantee }) => guarantee ?? []),
})

const distinct = <A>(all: ReadonlyArray<A>, key: (one: A) => string): ReadonlyArray<string> => [
  ...new Set(all.map(key)),
]

const put = (
  tables: AgreementTables,
  journal: Journal,
  stored: StoredAgreement,
): StoredAgreement => {
  const row = sealed(stored)
  tables.agreements.put(journal, row)
  tables.revision.advance(journal)
  return row
}

/** Stores what was booked, and what changed with it. */
const book = (tables: AgreementTables, journal: Journal, changes: AgreementChanges): void => {
  const { agreements, totals, held, entries, bookings } = tables
  for (const key of changes.used) {
    const stored = agreements.get(keyOf(key))
    if (stored !== undefined && !stored.isUsed) put(tables, journal, { ...stored, isUsed: true })
  }
  for (const row of rowsOf(changes.totals)) totals.put(journal, sealed(row))
  for (const part of changes.held) held.put(journal, sealed(part))
  for (const part of changes.gone) held.remove(journal, partKey(part))
  for (const entry of changes.entries) {
    const row = { number: entries.size + 1, entry: sealed(entry) }
    entries.put(journal, row)
    for (const key of agreementsIn(entry)) {
      bookings.put(journal, { ...row, agreement: keyOf(key) })
    }
  }
}

/** The store of agreements within one transaction. */
export const makeAgreements = (tables: AgreementTables, journal: Journal): AgreementStore => {
  const { agreements, totalsOf, heldOf, heldBy, heldInOrder, entriesOf, entriesInOrder } = tables
  return {
    revision: journal.read("read the revision of agreements", () => tables.revision.current),
    all: journal.read("read all agreements", () => agreements.all()),
    get: (key) => journal.read("read an agreement", () => agreements.get(keyOf(key))),
    insert: (stored) =>
      journal.write("insert an agreement", () =>
        agreements.get(storedKey(stored)) === undefined
          ? put(tables, journal, { ...stored, version: 1 })
          : Conflict.of(stored.kind, stored.agreement.id),
      ),
    update: (stored) =>
      journal.write("update an agreement", () =>
        agreements.get(storedKey(stored))?.version === stored.version
          ? put(tables, journal, { ...stored, version: stored.version + 1 })
          : Conflict.of(stored.kind, stored.agreement.id),
      ),
    totals: (keys) =>
      journal.read("read balances of agreements", () =>
        totalsIn(distinct(keys, keyOf).flatMap((key) => totalsOf.list(key)?.all() ?? [])),
      ),
    heldOf: (subjects) =>
      journal.read("read what is held", () =>
        distinct(subjects, subjectKey).flatMap((key) => heldOf.list(key)?.all() ?? []),
      ),
    heldDue: ({ at, limit }) =>
      journal.read("find what can be released", () => {
        const all = heldInOrder.list(everything)
        return all?.firstWhile(({ releaseAt }) => releaseAt <= at, limit) ?? []
      }),
    held: (collaboratorId) =>
      journal.read("list what is held", () => {
        const all =
          collaboratorId === undefined ? heldInOrder.list(everything) : heldBy.list(collaboratorId)
        return all?.all() ?? []
      }),
    entriesOf: (subjects) =>
      journal.read("read what was booked", () =>
        distinct(subjects, subjectKey).flatMap((key) =>
          (entriesOf.list(key)?.all() ?? []).map(({ entry }) => entry),
        ),
      ),
    entries: ({ offset, limit }) =>
      journal.read("list what was booked", () =>
        (entriesInOrder.list(everything)?.slice(offset, limit) ?? []).map(({ entry }) => entry),
      ),
    entriesFor: ({ agreement, ...slice }) =>
      journal.read("list what was booked for an agreement", () => {
        const { entries, total } = slicedList(tables.entriesFor.list(keyOf(agreement)), slice)
        return { entries: entries.map(({ entry }) => entry), total }
      }),
    book: (changes) => journal.write("book for agreements", () => book(tables, journal, changes)),
  }
}
