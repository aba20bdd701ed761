import fc from "fast-check"
import { maximumPerPage, type PageRequest } from "../../pagination/PageRequest.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import type { StoredCollaborator } from "../../ports/CollaboratorStore.js"
import type { RateRequest } from "../../ports/ExchangeRates.js"
import type { StoredAnswer } from "../../ports/KeyStore.js"
import type { LinkJob } from "../../ports/LinkStore.js"
import type { PayoutFilter, TimeRange } from "../../ports/PayoutStore.js"
import type { StoredGroup } from "../../ports/ProductGroupStore.js"
import type { ProductFilter } from "../../ports/ProductStore.js"
import type { Slice } from "../../ports/Slice.js"
import type { StoredToken } from "../../ports/Tokens.js"
import { type CollaboratorOptions, collaborator } from "./Collaborators.js"
import { most, ofLetters, orNull } from "./internal/Choice.js"
import { collaboratorId } from "./internal/pools.js"
import { currency } from "./Money.js"
import { type GroupOptions, productGroup } from "./ProductGroups.js"
import { id, text } from "./Texts.js"
import { time, usualTime } from "./Times.js"

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
 * Rates that are asked for, of two different currencies.
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
 * Parts of lists, at their beginning, in their middle and far beyond their end.
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
 * Pages that can be asked for, far beyond the last one too.
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
