/** The store of agreements of a plain storage. */
import * as Effect from "effect/Effect"
import type { AgreementStore } from "../AgreementStore.js"
import { noAgreements } from "./leftOut.js"
import type { Plain } from "./Plain.js"
import { lift, liftOptional } from "./plainCall.js"

/** The store of agreements of a plain storage, as a store of Effect. */
export const agreementsOf = (plain: Plain<AgreementStore> | undefined): AgreementStore =>
  plain === undefined
    ? noAgreements
    : {
        revision: Effect.suspend(lift("read the revision of agreements", () => plain.revision())),
        all: Effect.suspend(lift("read all agreements", () => plain.all())),
        get: liftOptional("read an agreement", (key) => plain.get(key)),
        insert: lift("insert an agreement", (stored) => plain.insert(stored)),
        update: lift("update an agreement", (stored) => plain.update(stored)),
        totals: lift("read balances of agreements", (keys) => plain.totals(keys)),
        heldOf: lift("read what is held", (subjects) => plain.heldOf(subjects)),
        heldDue: lift("find what can be released", (options) => plain.heldDue(options)),
        held: lift("list what is held", (collaboratorId) => plain.held(collaboratorId)),
        entriesOf: lift("read what was booked", (subjects) => plain.entriesOf(subjects)),
        entries: lift("list what was booked", (options) => plain.entries(options)),
        entriesFor: lift("list what was booked for an agreement", (options) =>
          plain.entriesFor(options),
        ),
        book: lift("book for agreements", (changes) => plain.book(changes)),
      }
