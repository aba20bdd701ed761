/** Holding the balances of agreements against the lines that were booked for them. */
import * as Effect from "effect/Effect"
import type { AgreementItem } from "../../../agreements/AgreementItem.js"
import type { StoredAgreement } from "../../../ports/AgreementStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"

/**
 * A balance that is not what the recorded lines add up to.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementDifference {
  readonly kind: "advance" | "reserve" | "guarantee"
  readonly id: string
  /** ISO 4217 code; `null`: the agreement has one currency. */
  readonly currency: string | null
  /** Which balance; `open`: more is recouped of an advance than it is, or less than nothing. */
  readonly what: "recouped" | "open" | "reserved" | "released" | "reversed" | "held" | "earned"
  /** Cents. */
  readonly stored: number
  /** What the lines add up to, in cents. */
  readonly recorded: number
}

type AuditedBalance = Pick<AgreementDifference, "kind" | "id" | "currency" | "what">

/** Sums by what they are of. */
class Sums {
  readonly #all = new Map<string, { readonly balance: AuditedBalance; sum: bigint }>()

  add({ kind, id, currency, what }: AuditedBalance, amount: number): void {
    const key = JSON.stringify([kind, id, currency, what])
    const known = this.#all.get(key) ?? { balance: { kind, id, currency, what }, sum: 0n }
    this.#all.set(key, { ...known, sum: known.sum + BigInt(amount) })
  }

  get all(): ReadonlyMap<string, { readonly balance: AuditedBalance; readonly sum: bigint }> {
    return this.#all
  }
}

const addLine = (sums: Sums, line: AgreementItem): void => {
  if ("guarantees" in line) {
    for (const { guaranteeId: id } of line.guarantees) {
      sums.add({ kind: "guarantee", id, currency: null, what: "earned" }, line.amount)
    }
  }
  if (line.kind === "recoupment") {
    const balance = { kind: "advance", id: line.advanceId, currency: null } as const
    sums.add({ ...balance, what: "recouped" }, -line.amount)
  }
  if (line.kind !== "reserve" && line.kind !== "release") return
  const balance = { kind: "reserve", id: line.reserveId, currency: line.currency } as const
  const what =
    line.kind === "release" ? "released" : line.event === "sale" ? "reserved" : "reversed"
  sums.add({ ...balance, what }, what === "reserved" ? -line.amount : line.amount)
  sums.add({ ...balance, what: "held" }, -line.amount)
}

/** How many entries are read at a time. */
const entriesAtATime = 500

const storedOf = Effect.fnUntraced(function* (
  { agreements }: Stores,
  all: ReadonlyArray<StoredAgreement>,
): Effect.fn.Return<Sums, StorageError> {
  const sums = new Sums()
  const keys = all.map(({ kind, agreement: { id } }) => ({ kind, id }))
  const totals = yield* agreements.totals(keys)
  for (const { advanceId: id, recouped } of totals.advances) {
    sums.add({ kind: "advance", id, currency: null, what: "recouped" }, recouped)
  }
  for (const { guaranteeId: id, earned } of totals.guarantees) {
    sums.add({ kind: "guarantee", id, currency: null, what: "earned" }, earned)
  }
  for (const { reserveId: id, currency, ...total } of totals.reserves) {
    for (const what of ["reserved", "released", "reversed"] as const) {
      sums.add({ kind: "reserve", id, currency, what }, total[what])
    }
  }
  for (const { reserveId: id, currency, amount } of yield* agreements.held()) {
    sums.add({ kind: "reserve", id, currency, what: "held" }, amount)
  }
  return sums
})

/** Advances of which more is recouped than they are, or less than nothing. */
const overRecouped = (
  all: ReadonlyArray<StoredAgreement>,
  recorded: Sums,
): ReadonlyArray<AgreementDifference> =>
  all.flatMap((one) => {
    if (one.kind !== "advance") return []
    const { id, amount } = one.agreement
    const key = JSON.stringify(["advance", id, null, "recouped"])
    const recouped = Number(recorded.all.get(key)?.sum ?? 0n)
    if (recouped >= 0 && recouped <= amount) return []
    const balance = { kind: "advance", id, currency: null, what: "open" } as const
    return [{ ...balance, stored: amount, recorded: amount - recouped }]
  })

/** The differences of an account, and how many agreements it has, in one view of its data. */
export const auditAgreements = Effect.fnUntraced(function* (
  stores: Stores,
): Effect.fn.Return<
  { readonly checked: number; readonly differences: ReadonlyArray<AgreementDifference> },
  StorageError
> {
  const all = yield* stores.agreements.all
  const [stored, recorded] = [yield* storedOf(stores, all), new Sums()]
  for (let offset = 0, passed = entriesAtATime; passed === entriesAtATime; offset += passed) {
    const entries = yield* stores.agreements.entries({ offset, limit: entriesAtATime })
    for (const { lines } of entries) for (const { line } of lines) addLine(recorded, line)
    passed = entries.length
  }
  const keys = new Set([...stored.all.keys(), ...recorded.all.keys()])
  const differences = [...keys].flatMap((key) => {
    const [one, other] = [stored.all.get(key), recorded.all.get(key)]
    const balance = one?.balance ?? other?.balance
    const [has, should] = [one?.sum ?? 0n, other?.sum ?? 0n]
    if (balance === undefined || has === should) return []
    return [{ ...balance, stored: Number(has), recorded: Number(should) }]
  })
  return { checked: all.length, differences: [...differences, ...overRecouped(all, recorded)] }
})
