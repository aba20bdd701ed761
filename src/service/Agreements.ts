/**
 * The agreements of an account: advances, reserves, guarantees and overrides.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { kinds, lastOf, lists } from "../agreements/Agreement.js"
import { InvalidAgreements, read as readAgreements } from "../agreements/Agreements.js"
import type { AgreementBalances } from "../agreements/Balances.js"
import { guarded, isFields, refusal, show, summarize } from "../internal/problems.js"
import { sameData } from "../internal/sameData.js"
import type { Problem } from "../Problem.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import type {
  Agreed,
  AgreementKey,
  AgreementKind,
  StoredAgreement,
} from "../ports/AgreementStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import type { InvalidRuleSet } from "../rules/RuleSet.js"
import { Actor } from "./Actor.js"
import {
  type AgreementStanding,
  byKindAndId,
  standingOf,
} from "./internal/agreements/agreementBalances.js"
import { type AgreementBooking, bookingsOf } from "./internal/agreements/agreementBookings.js"
import { agreementTerms, inForceOf } from "./internal/agreements/agreementTerms.js"
import { inForce } from "./internal/chosenSettings.js"
import { longIds } from "./internal/longIds.js"
import { needCollaborator, sliceOf } from "./internal/lookups.js"
import {
  type DraftFindings,
  findingsWith,
  type StoredFindings,
} from "./internal/rules/draftCheck.js"
import { makeRulesCache, type RulesCache, rulesOf } from "./internal/rules/rules.js"
import { withoutCarry } from "./internal/rules/saleRules.js"
import { emit, makeTransactor, now, type Transactor } from "./internal/transactions.js"
import { AgreementInUse, NotFound } from "./ServiceError.js"
import { Settings, type SettingsService } from "./Settings.js"

export type {
  AdvanceBalance,
  AgreementStanding,
  GuaranteeBalance,
  ReserveBalance,
} from "./internal/agreements/agreementBalances.js"
export type {
  AgreementBooking,
  AgreementBookingLine,
} from "./internal/agreements/agreementBookings.js"

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
 * What putting an agreement would do.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementPreview extends DraftFindings {
  /** `nothing`: the account has the same agreement. */
  readonly change: "made" | "changed" | "nothing"
  /** The agreement as it would be. */
  readonly agreed: Agreed
  /** The one that it would replace; `null`: it is new. */
  readonly before: StoredAgreement | null
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
  /**
   * What putting an agreement would do, and the linter's findings with it, compared with those without it. Nothing is
   * stored. It takes some seconds at most: if there are too many rules for that, `checked` says which were looked at.
   */
  readonly preview: (
    accountId: string,
    given: GivenAgreement,
  ) => Effect.Effect<AgreementPreview, AgreementError | InvalidRuleSet>
  /** An agreement and where it stands. */
  readonly standing: (
    accountId: string,
    key: AgreementKey,
  ) => Effect.Effect<AgreementStanding, NotFound | StorageError>
  /** A page of agreements and where each stands, by kind, then by id. When a part is released next is not looked up. */
  readonly standings: (
    accountId: string,
    filter: AgreementFilter,
    page: PageRequest,
  ) => Effect.Effect<Sliced<AgreementStanding>, StorageError>
  /** A page of what was booked for an agreement, the latest first: its history, of which its balance is the sum. */
  readonly bookings: (
    accountId: string,
    key: AgreementKey,
    page: PageRequest,
  ) => Effect.Effect<Sliced<AgreementBooking>, NotFound | StorageError>
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

/** The id of an agreement that may be anything. */
const checkId = (agreement: unknown): Result.Result<unknown, InvalidAgreements> =>
  Result.mapError(
    guarded(agreement, () => Result.succeed(isFields(agreement) ? agreement["id"] : undefined)),
    invalid,
  )

/** The given agreement, valid beside the others. */
const check = (
  { kind: givenKind, agreement }: GivenAgreement,
  all: ReadonlyArray<StoredAgreement>,
): Result.Result<Agreed, InvalidAgreements> =>
  Result.gen(function* () {
    const kind = yield* checkKind(givenKind)
    const id = yield* checkId(agreement)
    const others = inForceOf(all.filter((one) => one.kind !== kind || one.agreement.id !== id))
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

const isSame = (one: Agreed, other: Agreed): boolean =>
  one.kind === other.kind && one.agreement.id === other.agreement.id

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

/** What putting an agreement changes; fails when it can't be put. */
const changeOf = Effect.fnUntraced(function* (
  stores: Stores,
  given: GivenAgreement,
): Effect.fn.Return<
  Pick<AgreementPreview, "change" | "agreed" | "before"> & {
    readonly all: ReadonlyArray<StoredAgreement>
  },
  AgreementError
> {
  const all = yield* stores.agreements.all
  const agreed = yield* Effect.fromResult(check(given, all))
  const before = all.find((one) => isSame(one, agreed)) ?? null
  if (before !== null) {
    if (before.endedAt === null && sameData(before.agreement, agreed.agreement)) {
      return { change: "nothing", agreed, before, all }
    }
    if (before.isUsed || before.endedAt !== null) return yield* inUse(before, agreed)
  }
  for (const id of peopleOf(agreed)) yield* needCollaborator(stores, id)
  return { change: before === null ? "made" : "changed", agreed, before, all }
})

const putOne = Effect.fnUntraced(function* (
  stores: Stores,
  given: GivenAgreement,
  madeBy: string,
): Effect.fn.Return<StoredAgreement, AgreementError> {
  const { change, agreed, before } = yield* changeOf(stores, given)
  if (before === null) {
    const stored = yield* stores.agreements.insert({
      ...{ ...agreed, madeAt: yield* now, madeBy },
      ...{ endedAt: null, endedBy: null, isUsed: false, version: 1 },
    })
    yield* tell("agreement.made", agreed)
    return stored
  }
  if (change === "nothing") return before
  const { madeAt, isUsed, version, endedAt, endedBy } = before
  const stored = yield* stores.agreements.update({
    ...agreed,
    ...{ madeAt, madeBy, endedAt, endedBy, isUsed, version },
  })
  yield* tell("agreement.changed", agreed)
  return stored
})

/** What previews are made with. */
interface PreviewTools {
  readonly transactor: Transactor
  readonly settings: SettingsService
  readonly cache: RulesCache
  readonly findings: StoredFindings
}

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

/** The rules and agreements as they are, and as they would be with an agreement. */
const preview = ({ transactor, settings, cache, findings }: PreviewTools) =>
  Effect.fn("Agreements.preview")(function* (accountId: string, given: GivenAgreement) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const host = yield* settings.of(accountId)
    const at = yield* now
    const { all, rules, stored, policy, ...change } = yield* transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const policy = withoutCarry((yield* inForce(stores, host)).policy)
        const rules = yield* rulesOf(cache, accountId, stores)
        const terms = yield* agreementTerms(stores, { kept: cache.agreements, accountId })
        return { ...(yield* changeOf(stores, given)), rules, stored: terms.inForce, policy }
      }),
    )
    const { agreed } = change
    const others = all.filter((one) => !isSame(one, agreed))
    const compared = {
      collaboratorId: agreed.agreement.collaboratorId,
      stored: { rules, agreements: stored },
      drafted: { rules, agreements: inForceOf([...others, { ...agreed, endedAt: null }]) },
    }
    return { ...change, ...(yield* findingsWith(findings, compared, { policy, at })) }
  }) satisfies AgreementsService["preview"]

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

const keyOf = ({ kind, agreement: { id } }: StoredAgreement): AgreementKey => ({ kind, id })

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
    .toSorted(byKindAndId)

const list = ({ read }: Transactor): AgreementsService["list"] =>
  Effect.fn("Agreements.list")(function* (accountId, filter = {}) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* read(accountId, ({ agreements }) =>
      Effect.map(agreements.all, (all) => listed(all, filter)),
    )
  })

const standing = ({ read }: Transactor): AgreementsService["standing"] =>
  Effect.fn("Agreements.standing")(function* (accountId, key) {
    yield* Effect.annotateCurrentSpan({ accountId, kind: key.kind, agreementId: key.id })
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const stored = yield* need(stores, key)
        const totals = yield* stores.agreements.totals([key])
        const { collaboratorId } = stored.agreement
        const held = stored.kind === "reserve" ? yield* stores.agreements.held(collaboratorId) : []
        return standingOf(stored, totals, held)
      }),
    )
  })

const standings = ({ read }: Transactor): AgreementsService["standings"] =>
  Effect.fn("Agreements.standings")(function* (accountId, filter, page) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* read(
      accountId,
      Effect.fnUntraced(function* ({ agreements }) {
        const all = listed(yield* agreements.all, filter)
        const { offset, limit } = sliceOf(page)
        const some = all.slice(offset, offset + limit)
        const totals = yield* agreements.totals(some.map(keyOf))
        return { entries: some.map((one) => standingOf(one, totals)), total: all.length }
      }),
    )
  })

const bookings = ({ read }: Transactor): AgreementsService["bookings"] =>
  Effect.fn("Agreements.bookings")(function* (accountId, key, page) {
    yield* Effect.annotateCurrentSpan({ accountId, kind: key.kind, agreementId: key.id })
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        yield* need(stores, key)
        const slice = { agreement: { kind: key.kind, id: key.id }, ...sliceOf(page) }
        const { entries, total } = yield* stores.agreements.entriesFor(slice)
        return { entries: yield* bookingsOf(stores, key, entries), total }
      }),
    )
  })

const balances = ({ read }: Transactor): AgreementsService["balances"] =>
  Effect.fn("Agreements.balances")(function* (accountId, { collaboratorId } = {}) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* read(
      accountId,
      Effect.fnUntraced(function* ({ agreements }) {
        const all = listed(yield* agreements.all, { collaboratorId, ended: true })
        const totals = yield* agreements.totals(all.map(keyOf))
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
    Effect.gen(function* () {
      const transactor = yield* makeTransactor
      const [settings, cache] = [yield* Settings, makeRulesCache()]
      return {
        put: put(transactor),
        preview: preview({ transactor, settings, cache, findings: new WeakMap() }),
        end: end(transactor),
        get: get(transactor),
        list: list(transactor),
        standing: standing(transactor),
        standings: standings(transactor),
        bookings: bookings(transactor),
        balances: balances(transactor),
      }
    }),
  )
}
