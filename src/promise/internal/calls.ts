import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { AuditService } from "../../service/Audit.js"
import type { CollaboratorsService } from "../../service/Collaborators.js"
import type { IdempotencyService } from "../../service/Idempotency.js"
import type { PayoutsService } from "../../service/Payouts.js"
import type { ProductGroupsService } from "../../service/ProductGroups.js"
import type { ProductsService } from "../../service/Products.js"
import type { SalesService } from "../../service/Sales.js"
import type { UnitOfWorkService } from "../../service/UnitOfWork.js"
import type { ChangeOptions } from "../Promised.js"
import { Defect, type InvalidArgument, UnitOfWorkEnded } from "../PromiseError.js"
import type { UnitServices } from "../Services.js"
import * as faces from "./faces.js"
import { type CallArguments, check, checkKey, type KnownFields, notJson } from "./options.js"

// Running effects for plain callers: what comes out are values and errors, nothing of Effect.

/** What a promise rejects with: the error itself; a defect only as it is when it has a tag to know it by. */
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

/** The same, with calls that are run in another way. */
export const runningWith = (
  running: Running,
  change: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>,
): Running => ({
  ...running,
  call: (make) => running.call(() => change(Effect.suspend(make))),
})

/** Runs calls until it is ended. */
export interface Running {
  readonly call: <A, E>(make: () => Effect.Effect<A, E>) => Promise<A>
  /** Why no more calls are taken; `undefined`: they are. */
  readonly refusal: () => unknown
  /** Takes no more calls. */
  readonly end: () => void
  /** Waits until no call is under way, those too that begin meanwhile. */
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

// Calls that change something, once for each idempotency key.

/** Which change is asked for. */
export interface KeyedChange extends CallArguments {
  readonly accountId: string
  /** The method, as `payouts.addExpense`. */
  readonly name: string
}

/** Makes a change, once when there is a key. */
export type Changing = <A, E>(
  change: KeyedChange,
  options: ChangeOptions | undefined,
  make: () => Effect.Effect<A, E>,
) => Promise<A>

const sorted = (_name: string, value: unknown): unknown =>
  Predicate.isObject(value) && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value

/** A request as text: the same whatever the order of the fields. */
const requestText = ({
  name,
  texts,
  input,
  lists,
}: KeyedChange): Effect.Effect<string, InvalidArgument> => {
  const given = { ...texts, ...input, ...lists }
  return Effect.try({
    try: () => JSON.stringify([name, ...Object.values(given)], sorted),
    catch: () => notJson(Object.keys({ ...input, ...lists }).join(", "), { ...input, ...lists }),
  })
}

/** An answer as JSON holds it, without what is `undefined`; nothing is an answer too. */
export const asData = <A>(answer: A): { readonly answer: A } =>
  JSON.parse(JSON.stringify({ answer }))

const given = (options: ChangeOptions | undefined): KnownFields => ({
  value: options,
  names: ["idempotencyKey", "page"],
})

/** The way changes are made through a face. */
export const makeChanging =
  ({ call }: Running, idempotency: IdempotencyService): Changing =>
  async (change, options, make) => {
    const { accountId } = change
    const checked = check({ ...change, options: { ...change.options, options: given(options) } })
    const key: unknown = options?.idempotencyKey
    if (key === undefined) return call(() => Effect.andThen(checked, Effect.suspend(make)))
    const keyed = Effect.gen(function* () {
      yield* checked
      const request = { key: yield* checkKey(key), request: yield* requestText(change) }
      const work = Effect.map(Effect.suspend(make), asData)
      return yield* idempotency.once(accountId, request, work)
    })
    const { answer } = await call(() => keyed)
    return answer
  }

// Units of work whose work is a plain async function.

/** The services of Effect that a face is made of. */
export interface Inner {
  readonly collaborators: CollaboratorsService
  readonly groups: ProductGroupsService
  readonly products: ProductsService
  readonly sales: SalesService
  readonly payouts: PayoutsService
  readonly audit: AuditService
  readonly idempotency: IdempotencyService
  readonly unitOfWork: UnitOfWorkService
}

/** The services as plain functions, run in one way. */
export const facesOf = (inner: Inner, running: Running): UnitServices => {
  const caller: faces.Caller = {
    call: (given, make) => running.call(() => Effect.andThen(check(given), Effect.suspend(make))),
    change: makeChanging(running, inner.idempotency),
  }
  return {
    collaborators: faces.collaboratorsFace(inner.collaborators, caller),
    groups: faces.groupsFace(inner.groups, caller),
    products: faces.productsFace(inner.products, caller),
    sales: faces.salesFace(inner.sales, caller),
    payouts: faces.payoutsFace(inner.payouts, caller),
    audit: faces.auditFace(inner.audit, caller),
  }
}

/**
 * A host's work as an effect, with services whose calls run where the effect runs: in its transaction. They
 * are of no use when it is over; calls that nobody waited for are waited for, so that they belong to it.
 */
export const hostWork = <A>(
  inner: Inner,
  accountId: string,
  work: (services: UnitServices) => Promise<A>,
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
