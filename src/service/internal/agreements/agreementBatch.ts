/** Balances of agreements while many sales are recorded in one transaction, and what is booked for them at once. */
import * as Effect from "effect/Effect"
import type {
  AgreementChanges,
  AgreementKey,
  AgreementStore,
  AgreementTotals,
  HeldPartKey,
} from "../../../ports/AgreementStore.js"
import type { StorageError } from "../../../ports/StorageError.js"

const lastOf = <A>(all: ReadonlyArray<A>, key: (one: A) => string): ReadonlyArray<A> => [
  ...new Map(all.map((one) => [key(one), one])).values(),
]

/** The last of all totals of each agreement. */
const lastTotals = (all: ReadonlyArray<AgreementTotals>): AgreementTotals => ({
  advances: lastOf(
    all.flatMap(({ advances }) => advances),
    ({ advanceId }) => advanceId,
  ),
  reserves: lastOf(
    all.flatMap(({ reserves }) => reserves),
    ({ reserveId, currency }) => JSON.stringify([reserveId, currency]),
  ),
  guarantees: lastOf(
    all.flatMap(({ guarantees }) => guarantees),
    ({ guaranteeId }) => guaranteeId,
  ),
})

const partKey = ({ reserveId, orderId, itemId, groupId, collaboratorId, place }: HeldPartKey) =>
  JSON.stringify([reserveId, orderId, itemId, groupId, collaboratorId, place])

/** What was booked one after the other, as if it were booked at once. */
export const bookedAtOnce = (all: ReadonlyArray<AgreementChanges>): AgreementChanges => {
  const held = new Map<string, AgreementChanges["held"][number]>()
  const gone = new Map<string, HeldPartKey>()
  for (const one of all) {
    for (const part of one.held) {
      held.set(partKey(part), part)
      gone.delete(partKey(part))
    }
    for (const part of one.gone) {
      gone.set(partKey(part), part)
      held.delete(partKey(part))
    }
  }
  return {
    used: lastOf(
      all.flatMap(({ used }) => used),
      ({ kind, id }) => `${kind}/${id}`,
    ),
    totals: lastTotals(all.map(({ totals }) => totals)),
    ...{ held: [...held.values()], gone: [...gone.values()] },
    entries: all.flatMap(({ entries }) => entries),
  }
}

const totalsKey = ({ kind, id }: AgreementKey): string => `${kind} ${id}`

/** The balances of one agreement. */
const totalsOf = (
  { advances, reserves, guarantees }: AgreementTotals,
  { kind, id }: AgreementKey,
): AgreementTotals => ({
  advances: kind === "advance" ? advances.filter((one) => one.advanceId === id) : [],
  reserves: kind === "reserve" ? reserves.filter((one) => one.reserveId === id) : [],
  guarantees: kind === "guarantee" ? guarantees.filter((one) => one.guaranteeId === id) : [],
})

/** What the batch does for its store of agreements. */
interface BatchTools {
  /** Asks the storage what it knows with all that waits. */
  readonly askAfter: <A>(asked: Effect.Effect<A, StorageError>) => Effect.Effect<A, StorageError>
  readonly wait: (changes: AgreementChanges) => void
  /** Notes something, so that it can be taken back. */
  readonly note: <A>(all: Map<string, A>, key: string, value: A) => void
}

/** The agreements whose balances change. */
const keysOf = ({
  advances,
  reserves,
  guarantees,
}: AgreementTotals): ReadonlyArray<AgreementKey> => [
  ...advances.map(({ advanceId: id }) => ({ kind: "advance", id }) as const),
  ...reserves.map(({ reserveId: id }) => ({ kind: "reserve", id }) as const),
  ...guarantees.map(({ guaranteeId: id }) => ({ kind: "guarantee", id }) as const),
]

/** A store of agreements whose balances are as they will be when all is written, and whose changes wait for that. */
export const batchedAgreements = (inner: AgreementStore, tools: BatchTools): AgreementStore => {
  const { askAfter, wait, note } = tools
  const all = new Map<string, AgreementTotals>()
  return {
    revision: askAfter(inner.revision),
    all: askAfter(inner.all),
    get: (key) => askAfter(inner.get(key)),
    insert: (stored) => askAfter(inner.insert(stored)),
    update: (stored) => askAfter(inner.update(stored)),
    heldOf: (subjects) => askAfter(inner.heldOf(subjects)),
    heldDue: (options) => askAfter(inner.heldDue(options)),
    held: (collaboratorId) => askAfter(inner.held(collaboratorId)),
    entriesOf: (subjects) => askAfter(inner.entriesOf(subjects)),
    entries: (options) => askAfter(inner.entries(options)),
    entriesFor: (options) => askAfter(inner.entriesFor(options)),
    totals: (keys) => {
      const unknown = keys.filter((key) => !all.has(totalsKey(key)))
      const known = () => lastTotals(keys.flatMap((key) => all.get(totalsKey(key)) ?? []))
      if (unknown.length === 0) return Effect.succeed(known())
      return Effect.map(inner.totals(unknown), (found) => {
        for (const key of unknown) all.set(totalsKey(key), totalsOf(found, key))
        return known()
      })
    },
    book: (changes) =>
      Effect.sync(() => {
        wait(changes)
        for (const key of keysOf(changes.totals)) {
          const before = all.get(totalsKey(key))
          if (before === undefined) continue
          const after = lastTotals([before, totalsOf(changes.totals, key)])
          note(all, totalsKey(key), after)
        }
      }),
  }
}
