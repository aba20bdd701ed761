/** The services as plain async functions: they return values and errors without types of Effect. */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { show } from "../../internal/problems.js"
import { type PageRequest as Page, parse } from "../../pagination/PageRequest.js"
import type { AccountGroup } from "../../ports/ProductGroupStore.js"
import type { AccountCountersService } from "../../service/AccountCounters.js"
import type { AccountSettingsService } from "../../service/AccountSettings.js"
import type { AgreementsService } from "../../service/Agreements.js"
import type { AuditService } from "../../service/Audit.js"
import type { BalancesService } from "../../service/Balances.js"
import type { CollaboratorsService } from "../../service/Collaborators.js"
import type { DeliveriesService } from "../../service/Deliveries.js"
import type { EntriesService } from "../../service/Entries.js"
import type { EventsService } from "../../service/Events.js"
import type { IdempotencyService } from "../../service/Idempotency.js"
import type { PassesService } from "../../service/Passes.js"
import type { PastSalesService } from "../../service/PastSales.js"
import type { PaymentsService } from "../../service/Payments.js"
import type { OutsidePayment, PayoutQuery, PayoutsService } from "../../service/Payouts.js"
import type { ProductGroupsService } from "../../service/ProductGroups.js"
import type { ProductQuery, ProductsService } from "../../service/Products.js"
import type { ResplitsService } from "../../service/Resplits.js"
import type { RetentionService } from "../../service/Retention.js"
import type { SaleQuery, SalesService } from "../../service/Sales.js"
import type { StatementsService } from "../../service/Statements.js"
import type { UnitOfWorkService } from "../../service/UnitOfWork.js"
import type { WebhooksService } from "../../service/Webhooks.js"
import type { CountedGroupInput } from "../../terms/CountedRules.js"
import type { PageInput } from "../PromiseCall.js"
import { Defect, type InvalidArgument, UnitOfWorkEnded } from "../PromiseError.js"
import type * as Services from "../Services.js"
import { type ArgumentKinds, check, invalid, methods } from "./arguments.js"

// Running effects for plain callers.

/** The rejection of a promise: the error itself; a defect unchanged only if it has a tag. */
export const rejectionOf = (cause: Cause.Cause<unknown>): unknown => {
  const failure = Cause.findError(cause)
  if (Result.isSuccess(failure)) return failure.success
  const defect = Cause.squash(cause)
  return Predicate.isObject(defect) && "_tag" in defect ? defect : Defect.of(defect)
}

/** The value of an effect that has run, or its error. */
export const unwrap = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw rejectionOf(exit.cause)
}

/** The same services, with calls that are run in another way. */
export const runningWith = (
  running: Running,
  change: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>,
): Running => ({
  ...running,
  call: (make) => running.call(() => change(Effect.suspend(make))),
})

/** Runs calls until `end` is called. */
export interface Running {
  readonly call: <A, E>(make: () => Effect.Effect<A, E>) => Promise<A>
  /** Why no more calls are accepted; `undefined`: they are. */
  readonly refusal: () => unknown
  /** Accepts no more calls. */
  readonly end: () => void
  /** Waits until no call is under way, including those that begin meanwhile. */
  readonly idle: () => Promise<void>
}

/** Runs calls in a context; when it is ended, they reject with an error. */
export const makeRunning = (context: Context.Context<never>, refused: () => unknown): Running => {
  const run = Effect.runPromiseExitWith(context)
  const underWay = new Set<Promise<unknown>>()
  let isEnded = false
  const start = async <A, E>(make: () => Effect.Effect<A, E>): Promise<A> => {
    if (isEnded) throw refused()
    const exit = run(Effect.suspend(make))
    underWay.add(exit)
    try {
      return unwrap(await exit)
    } finally {
      underWay.delete(exit)
    }
  }
  return {
    call: start,
    refusal: () => (isEnded ? refused() : undefined),
    end: () => {
      isEnded = true
    },
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

// One wrapper for all methods: arguments are copied and checked, a page is read, a change is made once for each key.

/** The Effect services behind the plain ones. */
export interface Inner {
  readonly collaborators: CollaboratorsService
  readonly groups: ProductGroupsService
  readonly products: ProductsService
  readonly sales: SalesService
  readonly pastSales: PastSalesService
  readonly resplits: ResplitsService
  readonly settings: AccountSettingsService
  readonly counters: AccountCountersService
  readonly payouts: PayoutsService
  readonly payments: PaymentsService
  readonly audit: AuditService
  readonly entries: EntriesService
  readonly agreements: AgreementsService
  readonly balances: BalancesService
  readonly statements: StatementsService
  readonly events: EventsService
  readonly webhooks: WebhooksService
  readonly passes: PassesService
  readonly deliveries: DeliveriesService
  readonly retention: RetentionService
  readonly idempotency: IdempotencyService
  readonly unitOfWork: UnitOfWorkService
}

/** A call of a method with its arguments. */
interface Call {
  /** The method, as `payouts.addExpense`. */
  readonly name: string
  readonly kinds: ArgumentKinds
  readonly given: ReadonlyArray<unknown>
}

/**
 * A copy, so that later changes of an object by the caller have no effect. Values that can't be copied, such as
 * functions, are refused later, when they are checked.
 */
const copied = (given: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  if (!given.some(Predicate.isObject)) return given
  try {
    return structuredClone(given)
  } catch {
    return given
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) ? value[name] : undefined

const readPage = (page: unknown) =>
  Effect.fromResult(parse({ page: fieldOf(page, "page"), per_page: fieldOf(page, "perPage") }))

const sorted = (_name: string, value: unknown): unknown =>
  Predicate.isObject(value) && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value

/** The fields of the options that belong to the change, without those on how the call is made. */
const givenBeside = (options: unknown): ReadonlyArray<unknown> => {
  if (!Predicate.isObject(options)) return []
  const { idempotencyKey: _key, page: _page, ...given } = { ...options } as Record<string, unknown>
  return Object.keys(given).length === 0 ? [] : [given]
}

/** The request as text, independent of the order of fields. */
const requestText = ({ name, kinds, given: all }: Call): Effect.Effect<string, InvalidArgument> => {
  const names = Object.keys(kinds).slice(1, -1)
  const values = [...all.slice(1, names.length + 1), ...givenBeside(all[names.length + 1])]
  return Effect.try({
    try: () => JSON.stringify([name, ...values], sorted),
    catch: () => {
      const inputs = names.map((each, index) => [each, values[index]] as const)
      const given = inputs.filter(([, value]) => !Predicate.isString(value))
      const [path, value] = [given.map(([each]) => each).join(", "), Object.fromEntries(given)]
      const message = `can't be written as JSON, which an idempotency key needs, got ${show(value)}`
      return invalid([{ path, value, message }])
    },
  })
}

const longestKey = 255

/** Fails for an invalid idempotency key; an empty or missing one would treat two requests as one. */
const checkKey = (value: unknown): Effect.Effect<string, InvalidArgument> => {
  if (typeof value === "string" && value !== "" && value.length <= longestKey) {
    return Effect.succeed(value)
  }
  const message = `must be a text of 1 to ${longestKey} characters, got ${show(value)}`
  return Effect.fail(invalid([{ path: "options.idempotencyKey", value, message }]))
}

/** An answer as JSON holds it, without `undefined` fields; the answer itself may be `undefined`. */
export const asData = <A>(answer: A): { readonly answer: A } =>
  JSON.parse(JSON.stringify({ answer }))

/** Makes a change, once when there is a key. */
const change = <A, E>(
  { once }: IdempotencyService,
  call: Call,
  work: Effect.Effect<A, E>,
): Effect.Effect<A, unknown> => {
  const key = fieldOf(call.given[Object.keys(call.kinds).length - 1], "idempotencyKey")
  if (key === undefined) return work
  return Effect.gen(function* () {
    const request = { key: yield* checkKey(key), request: yield* requestText(call) }
    // The account's id is a text; otherwise the call would have been refused.
    const done = once(String(call.given[0]), request, Effect.map(work, asData))
    return (yield* done).answer
  })
}

/** How the methods of a service are run. */
interface Way {
  readonly running: Running
  readonly idempotency: IdempotencyService
  /** The service, as `payouts`. */
  readonly name: string
}

/** The wrapper of all methods: arguments are copied and checked, a page is read, a change is made once for each key. */
const plain = (
  name: string,
  { kinds, method }: { readonly kinds: ArgumentKinds; readonly method: unknown },
  { running, idempotency }: Pick<Way, "running" | "idempotency">,
) => {
  const pageAt = Object.keys(kinds).indexOf("page")
  const run = (given: ReadonlyArray<unknown>): Effect.Effect<unknown, unknown> =>
    Predicate.isFunction(method)
      ? Reflect.apply(method, undefined, given)
      : Effect.die(`${name} is no method`)
  const work = (given: ReadonlyArray<unknown>) => {
    if (pageAt === -1) return run(given)
    const before = Array.from({ length: pageAt }, (_, index) => given[index])
    return Effect.flatMap(readPage(given[pageAt]), (page) => run([...before, page]))
  }
  return (...args: ReadonlyArray<unknown>): Promise<unknown> => {
    const given = copied(args)
    return running.call(() => {
      const working = Effect.suspend(() => work(given))
      const making =
        "options" in kinds ? change(idempotency, { name, kinds, given }, working) : working
      return Effect.andThen(check(kinds, given), making)
    })
  }
}

/** A service as plain async functions. The type of the face says which arguments come, {@link plain} checks them. */
const face = <Face extends object>(
  service: { readonly [Name in keyof Face]: unknown },
  kindsOf: { readonly [Name in keyof Face]: ArgumentKinds },
  { name, ...way }: Way,
): Face => {
  const made: Face = Object.create(null)
  for (const [method, kinds] of Object.entries<ArgumentKinds>(kindsOf)) {
    const called = { kinds, method: Reflect.get(service, method) }
    Reflect.set(made, method, plain(`${name}.${method}`, called, way))
  }
  return made
}

/** A group with changes applied; `undefined` leaves a field unchanged. */
const merge = (group: AccountGroup, changes: Services.GroupChanges): CountedGroupInput => ({
  ...group,
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
})

/** The groups, with the changes as fields and the page of products as an option. */
const groupsOf = (groups: ProductGroupsService) => ({
  ...groups,
  update: (
    accountId: string,
    collaboratorId: string,
    groupId: string,
    changes: Services.GroupChanges,
    options?: { readonly page?: PageInput | undefined },
  ) =>
    Effect.flatMap(readPage(options?.page), (page) =>
      groups.update(
        accountId,
        collaboratorId,
        groupId,
        (group) => Result.succeed(merge(group, changes)),
        page,
      ),
    ),
})

/** Marks a payout as paid; the paid amount is one of the options. */
const payOf =
  ({ pay }: PayoutsService) =>
  (accountId: string, payoutId: string, options: Partial<OutsidePayment> = {}) => {
    const { total, reference, fee } = options
    if (total !== undefined) return pay(accountId, payoutId, { total, reference, fee })
    if (reference === undefined && fee === undefined) return pay(accountId, payoutId)
    const message = "is needed where a reference or a fee is given"
    return Effect.fail(invalid([{ path: "options.total", value: total, message }]))
  }

/** The services as plain functions, all run the same way. */
export const facesOf = (
  inner: Inner,
  running: Running,
): Services.UnitServices & Pick<Services.Services, "payments" | "deliveries" | "retention"> => {
  const { idempotency, groups, products, sales, payouts } = inner
  const way = (name: string): Way => ({ running, idempotency, name })
  const listProducts = (accountId: string, query: ProductQuery | undefined, page: Page) =>
    products.list(accountId, query ?? {}, page)
  const listPayouts = (accountId: string, query: PayoutQuery | undefined, page: Page) =>
    payouts.list(accountId, query ?? {}, page)
  const listSales = (accountId: string, query: SaleQuery | undefined, page: Page) =>
    sales.list(accountId, query ?? {}, page)
  return {
    collaborators: face<Services.Collaborators>(
      inner.collaborators,
      methods.collaborators,
      way("collaborators"),
    ),
    groups: face<Services.UnitServices["groups"]>(groupsOf(groups), methods.groups, way("groups")),
    products: face<Services.Products>(
      { ...products, list: listProducts },
      methods.products,
      way("products"),
    ),
    sales: face<Services.Sales>({ ...sales, list: listSales }, methods.sales, way("sales")),
    pastSales: face<Services.PastSales>(inner.pastSales, methods.pastSales, way("pastSales")),
    settings: face<Services.AccountSettings>(inner.settings, methods.settings, way("settings")),
    counters: face<Services.AccountCounters>(inner.counters, methods.counters, way("counters")),
    resplits: face<Services.Resplits>(inner.resplits, methods.resplits, way("resplits")),
    payouts: face<Services.Payouts>(
      { ...payouts, list: listPayouts, pay: payOf(payouts) },
      methods.payouts,
      way("payouts"),
    ),
    payments: face<Services.Payments>(inner.payments, methods.payments, way("payments")),
    events: face<Services.UnitServices["events"]>(inner.events, methods.events, way("events")),
    webhooks: face<Services.Webhooks>(inner.webhooks, methods.webhooks, way("webhooks")),
    passes: face<Services.Passes>(inner.passes, methods.passes, way("passes")),
    deliveries: face<Services.Deliveries>(inner.deliveries, methods.deliveries, way("deliveries")),
    retention: face<Services.Retention>(inner.retention, methods.retention, way("retention")),
    audit: face<Services.Audit>(inner.audit, methods.audit, way("audit")),
    agreements: face<Services.Agreements>(inner.agreements, methods.agreements, way("agreements")),
    entries: face<Services.Entries>(inner.entries, methods.entries, way("entries")),
    balances: face<Services.Balances>(inner.balances, methods.balances, way("balances")),
    statements: face<Services.Statements>(inner.statements, methods.statements, way("statements")),
  }
}

// Units of work whose work is a plain async function.

/**
 * A host's work as an effect, with services whose calls run where the effect runs: in its transaction. They can't be
 * used after it ends; calls that the work did not await are awaited, so that they are part of it.
 */
export const hostWork = <A>(
  inner: Inner,
  accountId: string,
  work: (services: Services.UnitServices) => Promise<A>,
): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.context<never>(), (context) => {
    const running = makeRunning(context, () => UnitOfWorkEnded.of(accountId))
    const run = async () => {
      try {
        return await work(facesOf(inner, running))
      } finally {
        await running.idle()
        running.end()
      }
    }
    const whole = Effect.tryPromise({ try: run, catch: (error) => error })
    return Effect.ensuring(whole, Effect.sync(running.end))
  })
