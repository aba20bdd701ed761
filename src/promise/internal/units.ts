/** Units of work whose work is a plain async function. */
import * as Effect from "effect/Effect"
import type { AuditService } from "../../service/Audit.js"
import type { CollaboratorsService } from "../../service/Collaborators.js"
import type { IdempotencyService } from "../../service/Idempotency.js"
import type { PayoutsService } from "../../service/Payouts.js"
import type { ProductGroupsService } from "../../service/ProductGroups.js"
import type { ProductsService } from "../../service/Products.js"
import type { SalesService } from "../../service/Sales.js"
import type { UnitOfWorkService } from "../../service/UnitOfWork.js"
import { UnitOfWorkEnded } from "../PromiseError.js"
import type { UnitServices } from "../Services.js"
import { makeChanging } from "./changing.js"
import * as faces from "./faces.js"
import { check } from "./given.js"
import { makeRunning, type Running } from "./running.js"

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
