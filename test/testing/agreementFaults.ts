import type { AgreementChanges, AgreementStore } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

/** A fault in the store of agreements. */
const inAgreements = (
  name: string,
  change: (store: AgreementStore) => Partial<AgreementStore>,
): Fault =>
  inStores(name, ({ stores: { agreements } }) => ({
    agreements: { ...agreements, ...change(agreements) },
  }))

/** A fault in what is booked for agreements. */
const inBooking = (
  name: string,
  change: (changes: AgreementChanges) => Partial<AgreementChanges>,
): Fault =>
  inAgreements(name, ({ book }) => ({ book: (given) => book({ ...given, ...change(given) }) }))

/** What an adapter can do wrong with agreements. */
export const agreementFaults: ReadonlyArray<Fault> = [
  inAgreements("an agreement is changed whatever its version", ({ get, update }) => ({
    update: (stored) =>
      Effect.flatMap(get({ kind: stored.kind, id: stored.agreement.id }), (known) =>
        update({ ...stored, version: known?.version ?? stored.version }),
      ),
  })),
  inAgreements("agreements of all kinds are one", ({ get }) => ({
    get: ({ id }) => get({ kind: "advance", id }),
  })),
  inAgreements("the end of an agreement is forgotten", ({ get }) => ({
    get: (key) =>
      Effect.map(get(key), (stored) => stored && { ...stored, endedAt: null, endedBy: null }),
  })),
  inAgreements("the revision of agreements never changes", () => ({
    revision: Effect.succeed(0),
  })),
  inBooking("that an agreement is used is forgotten", () => ({ used: [] })),
  inAgreements("what is held comes the last first", (store) => ({
    heldDue: (options) => Effect.map(store.heldDue(options), (all) => all.toReversed()),
  })),
  inAgreements("everybody has what is held of anybody", ({ held }) => ({ held: () => held() })),
  inBooking("what is not held any more stays", () => ({ gone: [] })),
  inAgreements("a reserve has one currency", ({ totals }) => ({
    totals: (keys) =>
      Effect.map(totals(keys), (all) => ({ ...all, reserves: all.reserves.slice(0, 1) })),
  })),
  inBooking("guarantees are never closed", ({ totals }) => ({
    totals: {
      ...totals,
      guarantees: totals.guarantees.map((one) => ({ ...one, isClosed: false })),
    },
  })),
  inAgreements("what was booked comes the last first", (store) => ({
    entriesOf: (subjects) => Effect.map(store.entriesOf(subjects), (all) => all.toReversed()),
  })),
  inAgreements("what was booked for an agreement comes the earliest first", ({ entriesFor }) => ({
    entriesFor: (options) =>
      Effect.map(entriesFor(options), ({ entries, total }) => ({
        ...{ entries: entries.toReversed(), total },
      })),
  })),
  inAgreements("what was booked for agreements of one id is one", ({ entriesFor }) => ({
    entriesFor: (options) =>
      entriesFor({ ...options, agreement: { ...options.agreement, kind: "advance" } }),
  })),
  inAgreements("a page of what was booked counts itself", ({ entriesFor }) => ({
    entriesFor: (options) =>
      Effect.map(entriesFor(options), ({ entries }) => ({ entries, total: entries.length })),
  })),
  inAgreements("items of an order are one", ({ entriesOf }) => ({
    entriesOf: (subjects) => entriesOf(subjects.map((one) => ({ ...one, itemId: "1" }))),
  })),
]
