/**
 * Advances, reserves, guarantees and overrides as JSON, and their balances.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import {
  type Advance,
  type Agreed,
  type AgreementKind,
  type AgreementOf,
  type AgreementSet,
  type Guarantee,
  kinds,
  lastOf,
  lists,
  type Override,
  type Reserve,
  type ReserveStep,
} from "../agreements/Agreement.js"
import * as Agreements from "../agreements/Agreements.js"
import * as Balances from "../agreements/Balances.js"
import { camelCase, snakeCase } from "../internal/names.js"
import * as reader from "../internal/reader.js"
import type { Problem } from "../Problem.js"
import type { Unreadable } from "../Unreadable.js"

/**
 * An advance on the wire: money that a collaborator had before it was earned, or that was spent for them.
 *
 * @since 0.6.0
 * @category models
 */
export interface AdvanceJson {
  readonly id: string
  readonly collaborator_id: string
  readonly currency: string
  /** Cents of the currency. */
  readonly amount: number
  /** Unix seconds. */
  readonly granted_at: number
  readonly purpose: Advance["purpose"]
  /** How much of each credited amount it may take at most, as `"100.00"`. */
  readonly percent: string
  /** `null`: all groups. */
  readonly groups: ReadonlyArray<string> | null
  readonly also_from: ReadonlyArray<string>
}

/**
 * A reserve on the wire: a percentage of positive shares that is withheld for some days.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReserveJson {
  readonly id: string
  readonly collaborator_id: string
  readonly percent: string
  readonly groups: ReadonlyArray<string> | null
  readonly schedule: ReadonlyArray<ReserveStep>
}

/**
 * A guarantee on the wire: what a collaborator earns at least in a period.
 *
 * @since 0.6.0
 * @category models
 */
export interface GuaranteeJson {
  readonly id: string
  readonly collaborator_id: string
  readonly currency: string
  /** Cents of the currency. */
  readonly amount: number
  /** Unix seconds of the first moment of the period. */
  readonly from: number
  /** Unix seconds of the first moment after the period. */
  readonly until: number
  readonly groups: ReadonlyArray<string> | null
}

/**
 * An override on the wire: a percentage of another's share or of the sale.
 *
 * @since 0.6.0
 * @category models
 */
export interface OverrideJson {
  readonly id: string
  readonly collaborator_id: string
  readonly of: Override["of"]
  readonly from: string | null
  readonly paid_by: Override["paidBy"]
  readonly percent: string
  readonly groups: ReadonlyArray<string> | null
}

/**
 * The agreements of an account as {@link write} writes them.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementsJson {
  readonly advances: ReadonlyArray<AdvanceJson>
  readonly reserves: ReadonlyArray<ReserveJson>
  readonly guarantees: ReadonlyArray<GuaranteeJson>
  readonly overrides: ReadonlyArray<OverrideJson>
}

/**
 * What is recouped of an advance, in cents.
 *
 * @since 0.6.0
 * @category models
 */
export interface RecoupedJson {
  readonly advance_id: string
  readonly recouped: number
}

/**
 * A part of a reserve that is held, in cents.
 *
 * @since 0.6.0
 * @category models
 */
export interface HeldPartJson {
  readonly reserve_id: string
  readonly order_id: string
  readonly item_id: string
  readonly group_id: string | null
  readonly collaborator_id: string
  readonly currency: string
  /** Its index in the schedule. */
  readonly place: number
  /** Unix seconds. */
  readonly release_at: number
  readonly amount: number
}

/**
 * What a reserve has done in a currency, in cents.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReserveTotalsJson {
  readonly reserve_id: string
  readonly currency: string
  readonly reserved: number
  readonly released: number
  readonly reversed: number
}

/**
 * What is earned in the period of a guarantee, in cents.
 *
 * @since 0.6.0
 * @category models
 */
export interface GuaranteedEarningJson {
  readonly guarantee_id: string
  readonly earned: number
  readonly is_closed: boolean
}

/**
 * Balances as {@link writeBalances} writes them.
 *
 * @since 0.6.0
 * @category models
 */
export interface BalancesJson {
  readonly advances: ReadonlyArray<RecoupedJson>
  readonly held: ReadonlyArray<HeldPartJson>
  readonly reserves: ReadonlyArray<ReserveTotalsJson>
  readonly guarantees: ReadonlyArray<GuaranteedEarningJson>
}

const writeAdvance = (advance: Advance): AdvanceJson => ({
  id: advance.id,
  collaborator_id: advance.collaboratorId,
  currency: advance.currency,
  amount: advance.amount,
  granted_at: advance.grantedAt,
  purpose: advance.purpose,
  percent: advance.percent,
  groups: advance.groups,
  also_from: advance.alsoFrom,
})

const writeReserve = (reserve: Reserve): ReserveJson => ({
  id: reserve.id,
  collaborator_id: reserve.collaboratorId,
  percent: reserve.percent,
  groups: reserve.groups,
  schedule: reserve.schedule.map(({ days, percent }) => ({ days, percent })),
})

const writeGuarantee = (guarantee: Guarantee): GuaranteeJson => ({
  id: guarantee.id,
  collaborator_id: guarantee.collaboratorId,
  currency: guarantee.currency,
  amount: guarantee.amount,
  from: guarantee.from,
  until: guarantee.until,
  groups: guarantee.groups,
})

const writeOverride = (override: Override): OverrideJson => ({
  id: override.id,
  collaborator_id: override.collaboratorId,
  of: override.of,
  from: override.from,
  paid_by: override.paidBy,
  percent: override.percent,
  groups: override.groups,
})

/**
 * Writes the agreements of an account.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Agreements } from "apportion/agreements"
 * import { Agreement } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const override = { id: "o1", collaboratorId: "kim", of: "share", from: "ada", paidBy: "share", percent: 15 }
 * const agreements = Result.getOrThrow(Agreements.read({ overrides: [override] }))
 * Agreement.write(agreements).overrides[0]?.paid_by // => "share"
 * ```
 */
export const write = (agreements: AgreementSet): AgreementsJson => ({
  advances: agreements.advances.map(writeAdvance),
  reserves: agreements.reserves.map(writeReserve),
  guarantees: agreements.guarantees.map(writeGuarantee),
  overrides: agreements.overrides.map(writeOverride),
})

interface JsonByKind {
  readonly advance: AdvanceJson
  readonly reserve: ReserveJson
  readonly guarantee: GuaranteeJson
  readonly override: OverrideJson
}

const writers: {
  readonly [K in AgreementKind]: (agreement: AgreementOf<K>) => JsonByKind[K]
} = {
  advance: writeAdvance,
  reserve: writeReserve,
  guarantee: writeGuarantee,
  override: writeOverride,
}

/**
 * Writes one agreement with its kind.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Agreement } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const given = { id: "a1", collaborator_id: "ada", currency: "EUR", amount: 50_000, granted_at: 0 }
 * const advance = Result.getOrThrow(Agreement.readOne({ kind: "advance", agreement: given }))
 * Agreement.writeOne(advance).agreement.collaborator_id // => "ada"
 * ```
 */
export const writeOne = <K extends AgreementKind>({
  kind,
  agreement,
}: {
  readonly kind: K
  readonly agreement: AgreementOf<K>
}): { readonly kind: K; readonly agreement: JsonByKind[K] } => ({
  kind,
  agreement: writers[kind](agreement),
})

/** How a field is read where JSON is more tolerant than the core. */
type Tolerant = (node: reader.Node, key: string) => unknown

const group: Tolerant = (node, key) =>
  node.fields[key] === null ? null : reader.neededId(node, key)

/** The fields of an object, `null` for those that the core reads from JSON as they are. */
type FieldReaders = Readonly<Record<string, Tolerant | null>>

const ofAll: FieldReaders = {
  id: reader.neededId,
  collaborator_id: reader.neededId,
  groups: reader.ids,
}

const fieldsByList = {
  advances: {
    ...{ ...ofAll, currency: reader.readCurrency, granted_at: reader.neededTime },
    ...{ amount: null, purpose: null, percent: null, also_from: reader.ids },
  },
  reserves: { ...ofAll, percent: null, schedule: null },
  guarantees: {
    ...{ ...ofAll, currency: reader.readCurrency, amount: null },
    ...{ from: reader.neededTime, until: reader.neededTime },
  },
  overrides: { ...ofAll, of: null, from: reader.id, paid_by: null, percent: null },
} satisfies Readonly<Record<keyof AgreementSet, FieldReaders>>

const balancesByList = {
  advances: { advance_id: reader.neededId, recouped: null },
  held: {
    ...{ reserve_id: reader.neededId, order_id: reader.neededId, item_id: reader.neededId },
    ...{ collaborator_id: reader.neededId, currency: reader.readCurrency },
    // What is of no group has to say so: a misspelt field must not make it so.
    ...{ group_id: group, place: null, release_at: reader.neededTime, amount: null },
  },
  reserves: {
    ...{ reserve_id: reader.neededId, currency: reader.readCurrency },
    ...{ reserved: null, released: null, reversed: null },
  },
  guarantees: { guarantee_id: reader.neededId, earned: null, is_closed: null },
} satisfies Readonly<Record<keyof Balances.AgreementBalances, FieldReaders>>

/** An object in the names of the core, for the core to read. */
const inNames = (node: reader.Node, fields: FieldReaders): reader.Fields => {
  reader.refuseMisspelt(node, Object.keys(fields))
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, tolerant]) => {
      const value = tolerant === null ? reader.field(node, key) : tolerant(node, key)
      return value === undefined ? [] : [[camelCase(key), value]]
    }),
  )
}

type CoreResult<A> = Result.Result<A, { readonly problems: ReadonlyArray<Problem> }>

/** Notes what the core says of fields that had no problem before. */
const noted = (node: reader.Node, problems: ReadonlyArray<Problem>): void => {
  const known = new Set(node.problems.map(({ path }) => path))
  for (const { path, message, value } of problems) {
    const here = reader.pathOf(node, snakeCase(path))
    if (!known.has(here)) node.problems.push({ path: here, message, value })
  }
}

const readLists =
  <A>(
    lists: Readonly<Record<string, FieldReaders>>,
    read: (input: unknown) => CoreResult<A>,
    none: A,
  ) =>
  (node: reader.Node): A => {
    const named = Object.entries(lists).map(([list, fields]) => {
      const entries = reader.children(node, list) ?? []
      return [list, entries.map((entry) => inNames(entry, fields))] as const
    })
    const result = read(Object.fromEntries(named))
    if (Result.isSuccess(result)) return result.success
    noted(node, result.failure.problems)
    return none
  }

const noAgreements: AgreementSet = { advances: [], reserves: [], guarantees: [], overrides: [] }

/**
 * Reads the agreements of an account. A list that is absent is empty; an advance is recouped by 100 % and is no expense
 * unless it says so; groups that are absent or null are all groups. Misspelt fields are refused. Fails with
 * `Unreadable`, which lists every problem with its path.
 *
 * @param options - `path`: the agreements' path in a larger input, for the paths of problems; `keepsCircles`: as for
 *   `Agreements.read`
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Agreement } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const advance = { id: "a1", collaborator_id: "ada", currency: "USD", amount: 500_000, granted_at: "2026-01-01T00:00:00Z" }
 * const agreements = Result.getOrThrow(Agreement.read({ advances: [advance] }))
 * agreements.advances[0]?.grantedAt // => 1767225600
 *
 * const reserve = { id: "r1", collaborator_id: "ada", percent: 20, schedule: [{ days: 90, percent: 50 }] }
 * const result = Agreement.read({ reserves: [reserve] })
 * Result.isFailure(result) && result.failure.problems.map(({ path }) => path) // => ["reserves[0].schedule"]
 * ```
 */
export const read = (
  input: unknown,
  options: Agreements.AgreementReading & { readonly path?: string | undefined } = {},
): Result.Result<AgreementSet, Unreadable> =>
  reader.read(input, {
    what: "agreements",
    path: options.path,
    known: Object.keys(fieldsByList),
    read: readLists(fieldsByList, (set) => Agreements.read(set, options), noAgreements),
  })

const readAgreed = (node: reader.Node): Agreed | undefined => {
  const kind = reader.neededChoice(node, "kind", kinds, "advance")
  const child = reader.neededChild(node, "agreement")
  const list = lists[kind]
  if (child === undefined || node.problems.length > 0) return undefined
  const result = Agreements.read({ [list]: [inNames(child, fieldsByList[list])] })
  if (Result.isSuccess(result)) return lastOf(result.success, kind)
  const place = `${list}[0].`
  const ofFields = result.failure.problems.map(({ path, ...problem }) => ({
    ...problem,
    path: path.startsWith(place) ? path.slice(place.length) : "",
  }))
  noted(child, ofFields)
  return undefined
}

/**
 * Reads one agreement with its kind: an object with `kind` and the fields as `agreement`. Misspelt fields are refused.
 * Whether it can be beside others is not looked at. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Agreement } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const reserve = { id: "r1", collaborator_id: "ada", percent: 120, schedule: [{ days: 90, percent: 100 }] }
 * const result = Agreement.readOne({ kind: "reserve", agreement: reserve })
 * Result.isFailure(result) && result.failure.problems.map(({ path }) => path) // => ["agreement.percent"]
 * ```
 */
export const readOne = (input: unknown): Result.Result<Agreed, Unreadable> =>
  Result.flatMap(
    reader.read(input, { what: "agreement", known: ["kind", "agreement"], read: readAgreed }),
    (read) => Result.fromNullishOr(read, () => reader.unreadable("agreement", [])),
  )

/**
 * Reads balances that {@link writeBalances} wrote. A list that is absent is empty. Fails with `Unreadable`, which lists
 * every problem with its path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Agreement } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const balances = Agreement.readBalances({ advances: [{ advance_id: "a1", recouped: 30_000 }] })
 * Result.getOrThrow(balances).advances // => [{ advanceId: "a1", recouped: 30000 }]
 * ```
 */
export const readBalances = (
  input: unknown,
): Result.Result<Balances.AgreementBalances, Unreadable> =>
  reader.read(input, {
    what: "balances",
    known: Object.keys(balancesByList),
    read: readLists(balancesByList, Balances.parse, Balances.empty),
  })

/**
 * Writes the balances of agreements.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Balances } from "apportion/agreements"
 * import { Agreement } from "apportion/wire"
 *
 * Agreement.writeBalances({ ...Balances.empty, advances: [{ advanceId: "a1", recouped: 30_000 }] })
 * // => { advances: [{ advance_id: "a1", recouped: 30000 }], held: [], reserves: [], guarantees: [] }
 * ```
 */
export const writeBalances = (balances: Balances.AgreementBalances): BalancesJson => ({
  advances: balances.advances.map(({ advanceId, recouped }) => ({
    advance_id: advanceId,
    recouped,
  })),
  held: balances.held.map((part) => ({
    reserve_id: part.reserveId,
    order_id: part.orderId,
    item_id: part.itemId,
    group_id: part.groupId,
    collaborator_id: part.collaboratorId,
    currency: part.currency,
    place: part.place,
    release_at: part.releaseAt,
    amount: part.amount,
  })),
  reserves: balances.reserves.map(({ reserveId, currency, reserved, released, reversed }) => ({
    reserve_id: reserveId,
    currency,
    ...{ reserved, released, reversed },
  })),
  guarantees: balances.guarantees.map(({ guaranteeId, earned, isClosed }) => ({
    guarantee_id: guaranteeId,
    earned,
    is_closed: isClosed,
  })),
})
