import type { Storage, StoredPayment } from "apportion/ports"
import { Audit, Payments, Payouts, type SettingsInput, type UnitOfWork } from "apportion/service"
import { FakeRail, type FakeRailOptions } from "apportion/testing"
import { Effect } from "effect"
import { expect } from "vitest"
import {
  addCollaborator,
  addPayout,
  type LogLine,
  runWith,
  setTime,
  shop,
  start,
  stored,
} from "./PayoutFixture.js"

/** The clock of the test, for the rail. */
class RailTime {
  at = start
}

export interface PaymentScene {
  readonly fake: FakeRail
  readonly payments: (typeof Payments)["Service"]
  readonly payouts: (typeof Payouts)["Service"]
  /** Lets time pass, in seconds. */
  readonly pass: (seconds: number) => Effect.Effect<void>
}

/** Runs a program on a shop with a pending payout `p1` of 50 dollars, that may be paid, and a rail. */
export const withRail = <A>(
  program: (
    scene: PaymentScene,
  ) => Effect.Effect<A, unknown, Audit | Payments | Payouts | Storage | UnitOfWork>,
  options: {
    readonly settings?: SettingsInput
    readonly rail?: Partial<FakeRailOptions>
    readonly total?: number
    /** Whether all has to be well at the end; yes when absent. */
    readonly isAudited?: boolean
    readonly log?: Array<LogLine>
  } = {},
): Promise<A> => {
  const time = new RailTime()
  const fake = new FakeRail({ now: () => time.at, ...options.rail })
  const pass = (seconds: number) =>
    Effect.suspend(() => {
      time.at += seconds
      return setTime(time.at)
    })
  return runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: options.total ?? 5_000, status: "pending" })
      const scene = { fake, pass, payments: yield* Payments, payouts: yield* Payouts }
      const result = yield* program(scene)
      if (options.isAudited === false) return result
      const { differences } = yield* (yield* Audit).payouts(shop)
      expect(differences).toEqual([])
      return result
    }),
    { rails: [fake.rail], settings: options.settings, log: options.log },
  )
}

/** Claims `p1` and gives the attempt. */
export const claimed = ({ payments }: PaymentScene) => payments.claim(shop, "p1", "fake")

/** Claims and sends `p1`. */
export const paid = (scene: PaymentScene): Effect.Effect<StoredPayment, unknown> =>
  Effect.flatMap(claimed(scene), ({ id }) => scene.payments.send(shop, id))

/** What is stored of a payout, in short. */
export const inShort = (payoutId: string) =>
  Effect.map(stored(payoutId), ({ status, total, paymentId, paidAt, failureReason }) => ({
    ...{ status, total, isFrozen: paymentId !== null, paidAt, failureReason },
  }))
