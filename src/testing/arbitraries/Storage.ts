import * as Result from "effect/Result"
import fc from "fast-check"
import { maximumPerPage, type PageRequest } from "../../pagination/PageRequest.js"
import * as PayoutItem from "../../payouts/PayoutItem.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import type { StoredCollaborator } from "../../ports/CollaboratorStore.js"
import type { RateRequest } from "../../ports/ExchangeRates.js"
import type { StoredAnswer } from "../../ports/KeyStore.js"
import type { LinkJob } from "../../ports/LinkStore.js"
import type { PayoutFilter, TimeRange } from "../../ports/PayoutStore.js"
import type { StoredGroup } from "../../ports/ProductGroupStore.js"
import type { ProductFilter } from "../../ports/ProductStore.js"
import type { Posting, RecordedRefund, RecordedSale } from "../../ports/SaleStore.js"
import type { Slice } from "../../ports/Slice.js"
import type { StoredToken } from "../../ports/Tokens.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as Refund from "../../shares/Refund.js"
import type { Split } from "../../shares/Split.js"
import { most, ofLetters, orNull } from "./internal/Choice.js"
import { collaboratorId } from "./internal/pools.js"
import type { OrderOptions } from "./Orders.js"
import { type CollaboratorOptions, collaborator } from "./Payouts.js"
import { type GroupOptions, productGroup } from "./ProductGroups.js"
import { type DrawnSale, refundsOf, splitSale } from "./Sales.js"
import { currency, exchangeRate, id, text, time, usualTime } from "./Scalars.js"

const version = () => fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100 }))

/** Two times, the first not after the second. */
const inOrder = (): fc.Arbitrary<readonly [number, number]> =>
  fc.tuple(usualTime(), usualTime()).map(([one, other]) => {
    return [Math.min(one, other), Math.max(one, other)] as const
  })

/**
 * Collaborators as they are stored.
 *
 * @since 0.2.0
 * @category stored
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const stored = fc.sample(Arbitraries.storedCollaborator(), 50)
 * stored.every(({ createdAt, updatedAt }) => createdAt <= updatedAt) // => true
 * ```
 */
export const storedCollaborator = (
  options: CollaboratorOptions = {},
): fc.Arbitrary<StoredCollaborator> =>
  fc
    .tuple(collaborator(options), inOrder(), version())
    .map(([one, [createdAt, updatedAt], number]) => ({
      collaborator: one,
      createdAt,
      updatedAt,
      version: number,
    }))

/**
 * Product groups as they are stored.
 *
 * @since 0.2.0
 * @category stored
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.storedGroup(), 50).every(({ version }) => version >= 1) // => true
 * ```
 */
export const storedGroup = (options: GroupOptions = {}): fc.Arbitrary<StoredGroup> =>
  fc.record({ group: productGroup(options), updatedAt: usualTime(), version: version() })

/**
 * Jobs that link a group's products: just begun, under way and done.
 *
 * @since 0.2.0
 * @category stored
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const jobs = fc.sample(Arbitraries.linkJob(), 100)
 * new Set(jobs.map(({ status }) => status)).size // => 2
 * ```
 */
export const linkJob = (
  options: { readonly groupId?: fc.Arbitrary<string> | undefined } = {},
): fc.Arbitrary<LinkJob> =>
  fc
    .record({
      groupId: options.groupId ?? id(),
      groupVersion: version(),
      after: orNull(id()),
      scanned: fc.integer({ min: 1, max: 1_000_000 }),
      status: fc.constantFrom("running" as const, "done" as const),
      times: inOrder(),
    })
    .map(({ times: [startedAt, updatedAt], scanned, ...job }) => ({
      ...job,
      scanned: job.after === null ? 0 : scanned,
      startedAt,
      updatedAt,
    }))

/**
 * Answers under idempotency keys.
 *
 * @since 0.2.0
 * @category stored
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const answers = fc.sample(Arbitraries.storedAnswer(), 50)
 * answers.every(({ answer }) => JSON.parse(answer) !== undefined) // => true
 * ```
 */
export const storedAnswer = (
  options: { readonly key?: fc.Arbitrary<string> | undefined } = {},
): fc.Arbitrary<StoredAnswer> =>
  fc.record({
    key: options.key ?? id(),
    fingerprint: hash(),
    answer: fc.json(),
    createdAt: usualTime(),
  })

const hash = () => ofLetters("0123456789abcdef", { minLength: 64, maxLength: 64 })

/**
 * Access tokens as they are stored.
 *
 * @since 0.2.0
 * @category stored
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.storedToken(), 50).every(({ hash }) => hash.length === 64) // => true
 * ```
 */
export const storedToken = (): fc.Arbitrary<StoredToken> =>
  fc.record({ hash: hash(), accountId: id() })

/**
 * Requests for rates, of two different currencies.
 *
 * @since 0.2.0
 * @category money
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.rateRequest(), 50).every(({ from, to }) => from !== to) // => true
 * ```
 */
export const rateRequest = (): fc.Arbitrary<RateRequest> =>
  fc
    .record({ accountId: id(), from: currency(), to: currency(), at: usualTime() })
    .map((request) =>
      request.from === request.to
        ? { ...request, to: request.from === "EUR" ? "USD" : "EUR" }
        : request,
    )

/**
 * Ranges of time, open at either end, at both or at none; none ends before it starts.
 *
 * @since 0.2.0
 * @category lists
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const ranges = fc.sample(Arbitraries.timeRange(), 50)
 * ranges.every(({ from = -Infinity, to = Infinity }) => from <= to) // => true
 * ```
 */
export const timeRange = (): fc.Arbitrary<TimeRange> =>
  fc
    .tuple(time(), time())
    .chain(([one, other]) =>
      fc.record(
        { from: fc.constant(Math.min(one, other)), to: fc.constant(Math.max(one, other)) },
        { requiredKeys: [] },
      ),
    )

/**
 * Filters of payouts, of any combination.
 *
 * @since 0.2.0
 * @category lists
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const filters = fc.sample(Arbitraries.payoutFilter(), 200)
 * filters.some(({ status, paid }) => status !== undefined && paid !== undefined) // => true
 * ```
 */
export const payoutFilter = (): fc.Arbitrary<PayoutFilter> =>
  fc.record(
    {
      collaboratorId: collaboratorId(),
      status: fc.constantFrom(...PayoutStatus.statuses),
      paid: timeRange(),
      expected: timeRange(),
    },
    { requiredKeys: [] },
  )

/**
 * Filters of products.
 *
 * @since 0.2.0
 * @category lists
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const filters = fc.sample(Arbitraries.productFilter(), 200)
 * filters.some(({ search }) => search !== undefined) // => true
 * ```
 */
export const productFilter = (): fc.Arbitrary<ProductFilter> =>
  fc.record({ search: text(), collaboratorId: collaboratorId() }, { requiredKeys: [] })

/**
 * Slices of lists, at their beginning, in their middle and far beyond their end.
 *
 * @since 0.2.0
 * @category lists
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.slice(), 50).every(({ limit }) => limit >= 1) // => true
 * ```
 */
export const slice = (): fc.Arbitrary<Slice> =>
  fc.record({
    offset: fc.oneof(fc.constantFrom(0, 1, most), fc.integer({ min: 0, max: 30 })),
    limit: fc.oneof(fc.constantFrom(1, 15, 100), fc.integer({ min: 1, max: 20 })),
  })

/**
 * Page requests, including far beyond the last page.
 *
 * @since 0.2.0
 * @category lists
 * @example
 * ```ts
 * import { PageRequest } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const requests = fc.sample(Arbitraries.pageRequest(), 50)
 * requests.every(({ perPage }) => perPage <= PageRequest.maximumPerPage) // => true
 * ```
 */
export const pageRequest = (): fc.Arbitrary<PageRequest> =>
  fc.record({
    page: fc.oneof(fc.constantFrom(1, 2, most), fc.integer({ min: 1, max: 10 })),
    perPage: fc.oneof(fc.constantFrom(1, 15, maximumPerPage), fc.integer({ min: 1, max: 20 })),
  })

/** The groups that counted in a split or were outranked. */
const groupsOf = ({ rules }: DrawnSale, split: Split): ReadonlyArray<ProductGroup> => {
  // A group that wins and then earns nothing has no share, but the groups it outranked name it.
  const winners = split.outranked.map(({ byGroupId }) => byGroupId)
  const others = [...split.shares, ...split.outranked].map(({ groupId }) => groupId)
  const ids = new Set([...winners, ...others])
  return rules.groups.filter(({ id }) => ids.has(id))
}

/** Where the shares of one collaborator were booked. */
interface Destination {
  readonly currency: string
  readonly rate: string
  readonly payoutId: string
  /** Whether the payout was settled before the first refund. */
  readonly isSettled: boolean
}

const destinations = (
  split: Split,
  payoutCurrency: fc.Arbitrary<string>,
): fc.Arbitrary<ReadonlyMap<string, Destination>> => {
  const collaborators = [...new Set(split.shares.map(({ collaboratorId }) => collaboratorId))]
  const destination = (id: string) =>
    fc.record({
      currency: payoutCurrency,
      rate: exchangeRate({ extreme: false }),
      payoutId: fc.constant(`payout of ${id}`),
      isSettled: fc.boolean(),
    })
  return fc
    .tuple(...collaborators.map(destination))
    .map((each) => new Map(collaborators.map((id, index) => [id, each[index] ?? nowhere])))
}

const nowhere: Destination = { currency: "USD", rate: "1", payoutId: "payout", isSettled: false }

const reversalsOf = (
  split: Split,
  refunds: ReadonlyArray<Refund.Refund>,
): ReadonlyArray<RecordedRefund> =>
  refunds.map((refund, index) => ({
    id: `refund ${index + 1} of ${split.orderId}`,
    refund,
    reversal: Result.getOrThrow(
      Refund.reverse(split, refund, { earlier: refunds.slice(0, index) }),
    ),
    recordedAt: refund.refundedAt,
  }))

const postingsOf = (
  split: Split,
  where: ReadonlyMap<string, Destination>,
  refunds: ReadonlyArray<RecordedRefund>,
): ReadonlyArray<Posting> =>
  split.shares.map(({ itemId, groupId, collaboratorId }) => {
    const to = where.get(collaboratorId) ?? nowhere
    const taken = refunds
      .filter(({ reversal }) => to.isSettled && reversal.itemId === itemId)
      .flatMap(({ reversal }) => reversal.shares)
      .filter((share) => share.groupId === groupId && share.amount !== 0)
    return {
      itemId,
      groupId,
      collaboratorId,
      payoutId: to.payoutId,
      payoutItemId: PayoutItem.keyOf({ orderId: split.orderId, itemId, groupId }),
      currency: to.currency,
      rate: to.currency === split.currency ? null : to.rate,
      reversed: taken.reduce((sum, { amount }) => sum + amount, 0),
      refunds: taken.length,
    }
  })

/**
 * Recorded sales: an order with the groups and the policy that reproduce its split, the postings of its shares, and
 * later refunds, some before and some after a payout was settled.
 *
 * @since 0.2.0
 * @category sales
 * @example
 * ```ts
 * import { RuleSet, Split } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const sales = fc.sample(Arbitraries.recordedSale(), 50)
 * sales.every(({ groups, order, policy, split }) => {
 *   const again = Split.order(RuleSet.make(groups), order, policy)
 *   return JSON.stringify(again.shares) === JSON.stringify(split.shares)
 * }) // => true
 * ```
 */
export const recordedSale = (
  options: Omit<OrderOptions, "amounts"> = {},
): fc.Arbitrary<RecordedSale> =>
  splitSale(options).chain(({ split, ...sale }) =>
    fc
      .record({
        refunds: refundsOf(split).map((refunds) => reversalsOf(split, refunds)),
        where: destinations(split, fc.oneof(fc.constant(split.currency), currency())),
        recordedAt: usualTime(),
        part: fc.constantFrom(1, 1, 2, 3),
      })
      .map(({ refunds, where, recordedAt, part }) => ({
        orderId: sale.order.id,
        part,
        order: sale.order,
        groups: groupsOf(sale, split),
        policy: sale.policy,
        split,
        postings: postingsOf(split, where, refunds),
        refunds,
        recordedAt,
        version: 1 + refunds.length,
      })),
  )
