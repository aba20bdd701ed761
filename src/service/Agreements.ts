/**
 * The agreements of an account: advances, reserves, guarantees and overrides.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { AgreementSet } from "../agreements/Agreement.js"
import { InvalidAgreements, read as readAgreements } from "../agreements/Agreements.js"
import type { AgreementBalances } from "../agreements/Balances.js"
import { refusal, show, summarize } from "../internal/problems.js"
import { sameData } from "../internal/sameData.js"
import type { Problem } from "../Problem.js"
import type {
  Agreed,
  AgreementKey,
  AgreementKind,
  StoredAgreement,
} from "../ports/AgreementStore.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { Actor } from "./Actor.js"
import { inForceOf } from "./internal/agreementTerms.js"
import { needCollaborator } from "./internal/lookups.js"
import { longIds } from "./internal/storedIds.js"
import { emit, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import { AgreementInUse, NotFound } from "./ServiceError.js"

/**
 * An agreement as hosts write it: as `Agreements.read` of `apportion/agreements` reads one of its kind.
 *
 * @since 0.6.0
 * @category models
 */
export interface GivenAgreement {
  readonly kind: AgreementKind
  readonly agreement: { readonly id: string; readonly [field: string]: unknown }
}

/**
 * Which agreements are listed.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementFilter {
  /** Those of the collaborator. */
  readonly collaboratorId?: string | undefined
  readonly kind?: AgreementKind | undefined
  /** Whether ended ones are listed too; they are not when absent. */
  readonly ended?: boolean | undefined
}

/**
 * Why an agreement was not stored.
 *
 * @since 0.6.0
 * @category errors
 */
export type AgreementError = InvalidAgreements | AgreementInUse | NotFound | StorageError

/**
 * The agreements of an account. What they book is booked with the sale, its refund or its re-split, in the same
 * transaction, as entries of payouts of their own beside the shares. Reserves are released and guarantees closed by
 * `payouts.closeDue`, before payouts are closed.
 *
 * @since 0.6.0
 * @category services
 */
export interface AgreementsService {
  /**
   * Makes an agreement, or replaces the one of its kind with its id, as long as nothing was booked for it. It is checked
   * together with all others in force: overrides without circles and in chains of at most 8, schedules of 100 %. The same
   * agreement again changes nothing.
   */
  readonly put: (
    accountId: string,
    given: GivenAgreement,
  ) => Effect.Effect<StoredAgreement, AgreementError>
  /**
   * Ends an agreement: from then on nothing more is booked for it, except that what a reserve holds is released as agreed,
   * and refunds take back what was booked. One that is ended stays as it is.
   */
  readonly end: (
    accountId: string,
    key: AgreementKey,
  ) => Effect.Effect<StoredAgreement, NotFound | StorageError>
  readonly get: (
    accountId: string,
    key: AgreementKey,
  ) => Effect.Effect<StoredAgreement, NotFound | StorageError>
  /** By kind, then by id. */
  readonly list: (
    accountId: string,
    filter?: AgreementFilter,
  ) => Effect.Effect<ReadonlyArray<StoredAgreement>, StorageError>
  /**
   * The balances of all agreements, or of those of a collaborator: what is recouped, held, released and earned. The
   * `orderId` of what is held ends with the currency in which it was booked, as `1001/USD`.
   */
  readonly balances: (
    accountId: string,
    filter?: Pick<AgreementFilter, "collaboratorId">,
  ) => Effect.Effect<AgreementBalances, StorageError>
}

const lists = {
  advance: "advances",
  reserve: "reserves",
  guarantee: "guarantees",
  override: "overrides",
} as const satisfies Readonly<Record<AgreementKind, keyof AgreementSet>>

const kinds = ["advance", "reserve", "guarantee", "override"] as const

/** The agreement of a kind in a set that was given last. */
const lastOf = (set: AgreementSet, kind: AgreementKind): Agreed | undefined => {
  const [advance, reserve] = [set.advances.at(-1), set.reserves.at(-1)]
  const [guarantee, override] = [set.guarantees.at(-1), set.overrides.at(-1)]
  if (kind === "advance") return advance && { kind, agreement: advance }
  if (kind === "reserve") return reserve && { kind, agreement: reserve }
  if (kind === "guarantee") return guarantee && { kind, agreement: guarantee }
  return override && { kind, agreement: override }
}

/** The problems of the given agreement by its own fields; those of others, if there are no more. */
const ownProblems = (problems: ReadonlyArray<Problem>, place: string): ReadonlyArray<Problem> => {
  const own = problems.flatMap((problem) => {
    if (problem.path === place) return [{ ...problem, path: "" }]
    return problem.path.startsWith(`${place}.`)
      ? [{ ...problem, path: problem.path.slice(place.length + 1) }]
      : []
  })
  return own.length > 0 ? own : problems
}

const invalid = refusal(InvalidAgreements)

const checkKind = (given: unknown): Result.Result<AgreementKind, InvalidAgreements> => {
  const found = kinds.find((kind) => kind === given)
  const message = `must be one of ${kinds.join(", ")}, got ${show(given)}`
  return found === undefined
    ? Result.fail(invalid([{ path: "kind", value: given, message }]))
    : Result.succeed(found)
}

/** The given agreement, valid beside the others. */
const check = (
  { kind: givenKind, agreement }: GivenAgreement,
  all: ReadonlyArray<StoredAgreement>,
): Result.Result<Agreed, InvalidAgreements> =>
  Result.gen(function* () {
    const kind = yield* checkKind(givenKind)
    const isSame = (one: StoredAgreement) => one.kind === kind && one.agreement.id === agreement?.id
    const others = inForceOf(all.filter((one) => !isSame(one)))
    const list = lists[kind]
    const result = readAgreements({ ...others, [list]: [...others[list], agreement] })
    if (Result.isFailure(result)) {
      const place = `${list}[${others[list].length}]`
      return yield* Result.fail(invalid(ownProblems(result.failure.problems, place)))
    }
    const long = longIds([["id", agreement.id]])
    if (long.length > 0) return yield* Result.fail(invalid(long))
    const made = lastOf(result.success, kind)
    const missing = { path: "", value: agreement, message: "is missing" }
    return made ?? (yield* Result.fail(invalid([missing])))
  })

/** Whom an agreement names. */
const peopleOf = (agreed: Agreed): ReadonlyArray<string> => {
  const { collaboratorId } = agreed.agreement
  if (agreed.kind === "advance") return [collaboratorId, ...agreed.agreement.alsoFrom]
  if (agreed.kind !== "override" || agreed.agreement.from === null) return [collaboratorId]
  return [collaboratorId, agreed.agreement.from]
}

const changedFields = (before: object, after: object): ReadonlyArray<Problem> =>
  Object.entries(after).flatMap(([path, value]) => {
    const known: unknown = Reflect.get(before, path)
    const message = `is ${show(known)} for good, got ${show(value)}`
    return sameData(known, value) ? [] : [{ path, value, message }]
  })

const inUse = (known: StoredAgreement, { agreement }: Agreed): AgreementInUse => {
  const { kind, endedAt } = known
  const { id } = known.agreement
  const problems = changedFields(known.agreement, agreement)
  const why = endedAt === null ? "something was booked for it" : "it is ended"
  const message = `${kind} ${show(id)} can't be changed, because ${why}${problems.length > 0 ? `: ${summarize(problems)}` : ""}`
  return new AgreementInUse({ kind, id, problems, message })
}

const tell = (type: "agreement.made" | "agreement.changed" | "agreement.ended", agreed: Agreed) => {
  const { id: agreementId, collaboratorId } = agreed.agreement
  return emit({ type, data: { kind: agreed.kind, agreementId, collaboratorId } })
}

const putOne = Effect.fnUntraced(function* (
  stores: Stores,
  given: GivenAgreement,
  madeBy: string,
): Effect.fn.Return<StoredAgreement, AgreementError> {
  const agreed = yield* Effect.fromResult(check(given, yield* stores.agreements.all))
  const { kind, agreement } = agreed
  const known = yield* stores.agreements.get({ kind, id: agreement.id })
  if (known !== undefined) {
    if (known.endedAt === null && sameData(known.agreement, agreement)) return known
    if (known.isUsed || known.endedAt !== null) return yield* inUse(known, agreed)
  }
  for (const id of peopleOf(agreed)) yield* needCollaborator(stores, id)
  if (known === undefined) {
    const stored = yield* stores.agreements.insert({
      ...{ ...agreed, madeAt: yield* now, madeBy },
      ...{ endedAt: null, endedBy: null, isUsed: false, version: 1 },
    })
    yield* tell("agreement.made", agreed)
    return stored
  }
  const { madeAt, isUsed, version, endedAt, endedBy } = known
  const stored = yield* stores.agreements.update({
    ...agreed,
    ...{ madeAt, madeBy, endedAt, endedBy, isUsed, version },
  })
  yield* tell("agreement.changed", agreed)
  return stored
})

const need = Effect.fnUntraced(function* (
  stores: Stores,
  { kind, id }: AgreementKey,
): Effect.fn.Return<StoredAgreement, NotFound | StorageError> {
  const found = yield* stores.agreements.get({ kind, id })
  return found ?? (yield* NotFound.of(kind, id))
})

const put = ({ write }: Transactor): AgreementsService["put"] =>
  Effect.fn("Agreements.put")(function* (accountId, given) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const actor = yield* Actor
    return yield* write(accountId, (stores) => putOne(stores, given, actor))
  })

const end = ({ write }: Transactor): AgreementsService["end"] =>
  Effect.fn("Agreements.end")(function* (accountId, key) {
    yield* Effect.annotateCurrentSpan({ accountId, kind: key.kind, agreementId: key.id })
    const endedBy = yield* Actor
    return yield* write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const known = yield* need(stores, key)
        if (known.endedAt !== null) return known
        const endedAt = yield* now
        const stored = yield* stores.agreements.update({ ...known, endedAt, endedBy })
        yield* tell("agreement.ended", known)
        return stored
      }),
    )
  })

const get = ({ read }: Transactor): AgreementsService["get"] =>
  Effect.fn("Agreements.get")(function* (accountId, key) {
    yield* Effect.annotateCurrentSpan({ accountId, kind: key.kind, agreementId: key.id })
    return yield* read(accountId, (stores) => need(stores, key))
  })

const order = (one: StoredAgreement): string => `${kinds.indexOf(one.kind)}/${one.agreement.id}`

const listed = (
  all: ReadonlyArray<StoredAgreement>,
  { collaboratorId, kind, ended = false }: AgreementFilter,
): ReadonlyArray<StoredAgreement> =>
  all
    .filter(
      (one) =>
        (collaboratorId === undefined || one.agreement.collaboratorId === collaboratorId) &&
        (kind === undefined || one.kind === kind) &&
        (ended || one.endedAt === null),
    )
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1))

const list = ({ read }: Transactor): AgreementsService["list"] =>
  Effect.fn("Agreements.list")(function* (accountId, filter = {}) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* read(accountId, ({ agreements }) =>
      Effect.map(agreements.all, (all) => listed(all, filter)),
    )
  })

const balances = ({ read }: Transactor): AgreementsService["balances"] =>
  Effect.fn("Agreements.balances")(function* (accountId, { collaboratorId } = {}) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* read(
      accountId,
      Effect.fnUntraced(function* ({ agreements }) {
        const all = listed(yield* agreements.all, { collaboratorId, ended: true })
        const keys = all.map(({ kind, agreement: { id } }) => ({ kind, id }))
        const totals = yield* agreements.totals(keys)
        return { ...totals, held: yield* agreements.held(collaboratorId) }
      }),
    )
  })

/**
 * The agreements of an account, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Agreements, Collaborators, ProductGroups, Sales, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const link = { type: "products.all" } as const
 *   yield* (yield* ProductGroups).create("shop", "ada", { id: "book", link, percent: 10 })
 *   const agreements = yield* Agreements
 *   const advance = { id: "a1", collaboratorId: "ada", currency: "EUR", amount: 50_000, grantedAt: 0 }
 *   yield* agreements.put("shop", { kind: "advance", agreement: advance })
 *   const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 12_000 }]
 *   yield* (yield* Sales).record("shop", { id: "1001", currency: "EUR", items })
 *   return yield* agreements.balances("shop")
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const { advances } = await Effect.runPromise(Effect.provide(program, layer))
 * advances // => [{ advanceId: "a1", recouped: 1200 }]
 * ```
 */
export class Agreements extends Context.Service<Agreements, AgreementsService>()(
  "apportion/service/Agreements",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Agreements, never, Storage> = Layer.effect(
    Agreements,
    Effect.map(makeTransactor, (transactor) => ({
      put: put(transactor),
      end: end(transactor),
      get: get(transactor),
      list: list(transactor),
      balances: balances(transactor),
    })),
  )
}
