import * as Effect from "effect/Effect"
import type { Advance, AgreementKind } from "../../agreements/Agreement.js"
import type { AgreementItem } from "../../agreements/AgreementItem.js"
import * as Balances from "../../agreements/Balances.js"
import type {
  AgreementChanges,
  AgreementEntry,
  StoredAgreement,
} from "../../ports/AgreementStore.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, contextOf, inContextWith } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame, expectTrue } from "./check.js"
import { earliest, latest } from "./samples.js"

const advance = (id: string, changes: Partial<Advance> = {}): Advance => ({
  ...{ id, collaboratorId: "ada", currency: "USD", amount: 500, grantedAt: 0 },
  ...{ purpose: "advance", percent: "100.00", groups: null, alsoFrom: [], ...changes },
})

const stored = (agreement: Advance, changes: Partial<StoredAgreement> = {}): StoredAgreement => ({
  ...{ kind: "advance", agreement, madeAt: 1, madeBy: "someone", endedAt: null, endedBy: null },
  ...{ isUsed: false, version: 1 },
  ...(changes as object),
})

const insert = ({ write }: ContractContext, ...all: ReadonlyArray<StoredAgreement>) =>
  write(({ agreements }) => Effect.forEach(all, (one) => agreements.insert(one), { discard: true }))

const nothing: AgreementChanges = {
  ...{ used: [], totals: Balances.empty, held: [], gone: [], entries: [] },
}

/** A check that holds for nothing when a host leaves agreements out: then not even one can be stored. */
const withAgreements = (
  name: string,
  check: (context: ContractContext) => Effect.Effect<void, unknown>,
): ContractCheck<StorageService> =>
  inContextWith(["ada", "ben"])(name, (context) => {
    const other = contextOf(context.storage, "has agreements")
    const isLeftOut = Effect.match(insert(other, stored(advance("one"))), {
      onFailure: (error) => error._tag === "StorageFailure",
      onSuccess: () => false,
    })
    return Effect.flatMap(isLeftOut, (left) => (left ? Effect.void : check(context)))
  })

const byId = (all: ReadonlyArray<StoredAgreement>) =>
  all.map(({ agreement }) => agreement.id).toSorted()

const isStored = Effect.fnUntraced(function* (context: ContractContext) {
  const full = stored(
    advance("f/ull \u0000🎨", {
      ...{ collaboratorId: "ben", amount: Number.MAX_SAFE_INTEGER, grantedAt: earliest },
      ...{ purpose: "expense", percent: "0.01", groups: ["g \u0000"], alsoFrom: ["ada"] },
    }),
    { madeAt: latest, madeBy: "“no” \u0000", endedAt: latest, endedBy: "🎨" },
  )
  yield* insert(context, full, stored(advance("a")))
  const { read } = context
  const get = (id: string) => read(({ agreements }) => agreements.get({ kind: "advance", id }))
  yield* expectSame("the agreement", yield* get(full.agreement.id), full)
  yield* expectSame("another", yield* get("A"), undefined)
  const foreign = read(({ agreements }) => agreements.get({ kind: "reserve", id: "a" }))
  yield* expectSame("one of another kind", yield* foreign, undefined)
  const all = byId(yield* read(({ agreements }) => agreements.all))
  yield* expectSame("all", all, ["a", full.agreement.id])
  const other = contextOf(context.storage, "another account")
  yield* expectSame("of another account", yield* other.read(({ agreements }) => agreements.all), [])
})

const isChanged = Effect.fnUntraced(function* (context: ContractContext) {
  const { read, write } = context
  const revision = read(({ agreements }) => agreements.revision)
  yield* expectSame("the first revision", yield* revision, 0)
  yield* insert(context, stored(advance("a")))
  const inserted = yield* revision
  yield* expectTrue("the revision after an insert", inserted > 0, inserted)
  yield* expectConflict("the same id again", insert(context, stored(advance("a"))))
  const next = stored(advance("a", { amount: 7 }), { endedAt: 5, endedBy: "ben" })
  const updated = yield* write(({ agreements }) => agreements.update(next))
  yield* expectSame("the next version", updated, { ...next, version: 2 })
  yield* expectConflict(
    "an old version",
    write(({ agreements }) => agreements.update(next)),
  )
  yield* expectConflict(
    "an unknown id",
    write(({ agreements }) => agreements.update(stored(advance("b")))),
  )
  const changed = yield* revision
  yield* expectTrue("the revision after an update", changed > inserted, changed)
  const used = { ...nothing, used: [{ kind: "advance", id: "a" }] } as const
  yield* write(({ agreements }) => agreements.book(used))
  const atUse = yield* revision
  yield* expectTrue("the revision after use", atUse > changed, atUse)
  const found = yield* read(({ agreements }) => agreements.get({ kind: "advance", id: "a" }))
  yield* expectSame("what is used", found, { ...next, isUsed: true, version: 2 })
  const again = yield* revision
  yield* write(({ agreements }) => agreements.book(used))
  yield* expectSame("the revision when it was used before", yield* revision, again)
})

const part = (itemId: string, releaseAt: number, changes: Partial<Balances.HeldPart> = {}) => ({
  ...{ reserveId: "r1", orderId: "1/USD", itemId, groupId: "g1", collaboratorId: "ada" },
  ...{ currency: "USD", place: 0, releaseAt, amount: 5, ...changes },
})

const isHeld = Effect.fnUntraced(function* ({ read, write }: ContractContext) {
  const [early, late] = [part("1", 10), part("1", 30, { place: 1, groupId: null })]
  const bens = part("2 \u0000", 20, { collaboratorId: "ben", reserveId: "r2" })
  const held = [late, early, bens]
  yield* write(({ agreements }) => agreements.book({ ...nothing, held }))
  const due = (at: number, limit: number) =>
    read(({ agreements }) => agreements.heldDue({ at, limit }))
  yield* expectSame("due, the earliest first", yield* due(20, 5), [early, bens])
  yield* expectSame("at most so many", yield* due(30, 1), [early])
  yield* expectSame("not yet due", yield* due(9, 5), [])
  const of = (orderId: string, itemId: string) =>
    read(({ agreements }) => agreements.heldOf([{ orderId, itemId }]))
  yield* expectSame("of an item", (yield* of("1/USD", "1")).length, 2)
  yield* expectSame("of another order", yield* of("2/USD", "1"), [])
  const by = (id?: string) => read(({ agreements }) => agreements.held(id))
  yield* expectSame("of ada", yield* by("ada"), [early, late])
  yield* expectSame("of all", yield* by(), [early, bens, late])
  const changed = { ...nothing, held: [{ ...late, amount: 1 }], gone: [early, part("9", 0)] }
  yield* write(({ agreements }) => agreements.book(changed))
  yield* expectSame("what is left", yield* by("ada"), [{ ...late, amount: 1 }])
})

const hasTotals = Effect.fnUntraced(function* ({ read, write }: ContractContext) {
  const reserve = { reserveId: "a", currency: "USD", reserved: 9, released: 1, reversed: 2 }
  const totals = {
    advances: [{ advanceId: "a", recouped: Number.MAX_SAFE_INTEGER }],
    reserves: [reserve, { ...reserve, currency: "JPY" }],
    guarantees: [{ guaranteeId: "a", earned: -5, isClosed: false }],
  }
  yield* write(({ agreements }) => agreements.book({ ...nothing, totals }))
  const of = (...keys: ReadonlyArray<"advance" | "reserve" | "guarantee" | "override">) =>
    read(({ agreements }) => agreements.totals(keys.map((kind) => ({ kind, id: "a" }))))
  const none = { advances: [], reserves: [], guarantees: [] }
  const { advances, guarantees } = totals
  yield* expectSame("of two", yield* of("advance", "guarantee", "override"), {
    ...{ ...none, advances, guarantees },
  })
  const { reserves } = yield* of("reserve")
  yield* expectSame("each currency", reserves.map(({ currency }) => currency).toSorted(), [
    ...["JPY", "USD"],
  ])
  const closed = { guaranteeId: "a", earned: 7, isClosed: true }
  const later = { ...none, guarantees: [closed], reserves: [{ ...reserve, released: 3 }] }
  yield* write(({ agreements }) => agreements.book({ ...nothing, totals: later }))
  yield* expectSame("as they are now", yield* of("guarantee"), { ...none, guarantees: [closed] })
  const now = (yield* of("reserve")).reserves.find(({ currency }) => currency === "USD")
  yield* expectSame("of a currency now", now, { ...reserve, released: 3 })
})

const line = (amount: number) => ({
  ...{ orderId: "1/USD", itemId: "1", groupId: null, currency: "USD", at: 0, amount },
  ...({ kind: "store", event: "sale", collaboratorId: null, broughtIn: 9 } as const),
})

const isBooked = Effect.fnUntraced(function* ({ read, write }: ContractContext) {
  const entry = (itemId: string, amount: number) => ({
    ...{ orderId: "1/USD \u0000", itemId },
    lines: [{ line: line(amount), payoutItemId: amount === 1 ? null : "🎨" }],
  })
  const [first, second, third] = [entry("1", 1), entry("2", 2), entry("1", 3)]
  yield* write(({ agreements }) => agreements.book({ ...nothing, entries: [first, second] }))
  yield* write(({ agreements }) => agreements.book({ ...nothing, entries: [third] }))
  const of = (...ids: ReadonlyArray<string>) =>
    read(({ agreements }) =>
      agreements.entriesOf(ids.map((itemId) => ({ orderId: "1/USD \u0000", itemId }))),
    )
  yield* expectSame("of an item, in order", yield* of("1"), [first, third])
  yield* expectSame("of two, each once", (yield* of("2", "1", "2")).length, 3)
  yield* expectSame("of none", yield* of("3"), [])
  const some = (offset: number, limit: number) =>
    read(({ agreements }) => agreements.entries({ offset, limit }))
  yield* expectSame("all", yield* some(0, 9), [first, second, third])
  yield* expectSame("some", yield* some(1, 1), [second])
  const failing = write(({ agreements }) =>
    Effect.andThen(
      agreements.book({ ...nothing, entries: [first], held: [part("1", 0)] }),
      Effect.fail("given up" as const),
    ),
  )
  yield* Effect.ignore(failing)
  yield* expectSame("after a rollback", yield* some(0, 9), [first, second, third])
  yield* expectSame("held after a rollback", yield* read(({ agreements }) => agreements.held()), [])
})

const recoupment = (advanceId: string, itemId: string) => ({
  ...{ orderId: "1/USD", itemId, groupId: "g1", collaboratorId: "ada", currency: "USD", at: 0 },
  ...({ kind: "recoupment", event: "sale", advanceId, purpose: "advance", part: null } as const),
  ...{ percent: "100.00", base: 9, granted: 99, recoupedBefore: 0, recoupedAfter: 9, amount: -9 },
})

const share = (guaranteeId: string, itemId: string) => ({
  ...{ orderId: "1/USD", itemId, groupId: "g1", collaboratorId: "ada", currency: "USD", at: 0 },
  ...({ kind: "share", event: "sale", amount: 9 } as const),
  guarantees: [{ guaranteeId, before: 0, after: 9 }],
})

const isFoundByAgreement = Effect.fnUntraced(function* (context: ContractContext) {
  const { read, write } = context
  const entry = (itemId: string, ...lines: ReadonlyArray<AgreementItem>): AgreementEntry => ({
    ...{ orderId: "1/USD", itemId },
    lines: lines.map((one) => ({ line: one, payoutItemId: null })),
  })
  const odd = "a/1 \u0000🎨"
  // Twice of one agreement, of two, and of a guarantee with the id of an advance.
  const first = entry("1", recoupment("a", "1"), recoupment("a", "1"), line(1))
  const second = entry("2", recoupment(odd, "2"), recoupment("a", "2"))
  const third = entry("3", share("a", "3"))
  yield* write(({ agreements }) => agreements.book({ ...nothing, entries: [first, second] }))
  yield* write(({ agreements }) => agreements.book({ ...nothing, entries: [third] }))
  const of = (kind: AgreementKind, id: string, offset = 0, limit = 9) =>
    read(({ agreements }) => agreements.entriesFor({ agreement: { kind, id }, offset, limit }))
  yield* expectSame("the latest first, each once", yield* of("advance", "a"), {
    ...{ entries: [second, first], total: 2 },
  })
  yield* expectSame("of another id", yield* of("advance", odd), { entries: [second], total: 1 })
  yield* expectSame("of another kind", yield* of("guarantee", "a"), { entries: [third], total: 1 })
  yield* expectSame("of none", yield* of("reserve", "a"), { entries: [], total: 0 })
  yield* expectSame("a slice", yield* of("advance", "a", 1, 1), { entries: [first], total: 2 })
  yield* expectSame("beyond the end", yield* of("advance", "a", 5, 1), { entries: [], total: 2 })
  const other = contextOf(context.storage, "another account")
  const foreign = other.read(({ agreements }) =>
    agreements.entriesFor({ agreement: { kind: "advance", id: "a" }, offset: 0, limit: 9 }),
  )
  yield* expectSame("of another account", yield* foreign, { entries: [], total: 0 })
  const failing = write(({ agreements }) =>
    Effect.andThen(
      agreements.book({ ...nothing, entries: [first] }),
      Effect.fail("given up" as const),
    ),
  )
  yield* Effect.ignore(failing)
  yield* expectSame("after a rollback", (yield* of("advance", "a")).total, 2)
})

/** The contract of the store of agreements. */
export const agreementChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  withAgreements("an agreement comes back as it was stored, of its kind and account", isStored),
  withAgreements("an agreement is changed by version, and each change has a revision", isChanged),
  withAgreements(
    "what a reserve holds is found by item, by collaborator and when it is due",
    isHeld,
  ),
  withAgreements("balances of agreements are those of the last booking", hasTotals),
  withAgreements("what was booked is found by item, in the order of booking", isBooked),
  withAgreements("what was booked is found by agreement, the latest first", isFoundByAgreement),
]
