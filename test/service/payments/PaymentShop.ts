/**
 * A shop whose payouts are paid over a fake rail. Every transaction and every question to the rail waits until it is let
 * go on, so that a test decides how they come in between each other; and the process can die at any of these places.
 */
import { MemoryStorage } from "apportion/memory"
import {
  ExchangeRates,
  type PaymentRail,
  paymentRails,
  Storage,
  type StorageService,
} from "apportion/ports"
import {
  Audit,
  Collaborators,
  Payments,
  Payouts,
  ProductGroups,
  Sales,
  settingsLayer,
} from "apportion/service"
import { FakeRail } from "apportion/testing"
import { Clock, Effect, Exit, Layer, Logger, ManagedRuntime } from "effect"
import { SecureRandom } from "effect/crypto"
import { secureRandom } from "../../generators/Chance.js"

export const shop = "shop"

/** Waits before a step. */
export type Gate = (label: string) => Effect.Effect<void>

type Services = Audit | Collaborators | Payments | Payouts | ProductGroups | Sales

/** What can be done wrong, to see that it is noticed. */
export interface Flaws {
  readonly storage?: (storage: StorageService) => StorageService
  readonly rail?: (rail: PaymentRail) => PaymentRail
}

const day = 86_400

export const start: number = Date.UTC(2024, 0, 15, 12) / 1_000

/** Time in the test's hands; whoever sleeps never wakes. */
class HandClock implements Clock.Clock {
  now = start

  currentTimeMillisUnsafe(): number {
    return this.now * 1_000
  }
  readonly currentTimeMillis = Effect.sync(() => this.now * 1_000)
  currentTimeNanosUnsafe(): bigint {
    return BigInt(this.now) * 1_000_000_000n
  }
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  monotonicTimeNanosUnsafe(): bigint {
    return this.currentTimeNanosUnsafe()
  }
  readonly monotonicTimeNanos = this.currentTimeNanos
  sleep(): Effect.Effect<void> {
    return Effect.never
  }
}

/** A process that works on the storage, until it dies: from then on nothing in it goes on. */
class Process {
  isDead = false
  readonly runtime: ManagedRuntime.ManagedRuntime<Services, never>
  readonly #gate: Gate

  constructor(parts: {
    readonly storage: StorageService
    readonly rail: PaymentRail
    readonly clock: Clock.Clock
    readonly number: number
    readonly gate: Gate
  }) {
    this.#gate = parts.gate
    const { storage, rail, clock, number } = parts
    const gated: StorageService = {
      ...storage,
      transaction: (accountId, work, options) =>
        Effect.gen({ self: this }, function* () {
          yield* this.#wait("begin")
          const result = yield* storage.transaction(accountId, work, options)
          yield* this.#wait("kept")
          return result
        }),
    }
    const asking = <A, E>(question: Effect.Effect<A, E>) =>
      Effect.gen({ self: this }, function* () {
        yield* this.#wait("ask")
        const exit = yield* Effect.exit(question)
        yield* this.#wait("answer")
        return yield* exit
      })
    const watched: PaymentRail = {
      ...rail,
      send: (instruction) => asking(rail.send(instruction)),
      find: (key) => asking(rail.find(key)),
    }
    const layer = Layer.mergeAll(
      ...[Audit.layer, Collaborators.layer, Payments.layer, Payouts.layer],
      ...[ProductGroups.layer, Sales.layer],
    ).pipe(
      Layer.provide(settingsLayer({ linkSweepSeconds: day })),
      Layer.provide([paymentRails([watched]), ExchangeRates.none]),
      Layer.provide(Layer.succeed(Storage)(gated)),
      Layer.provide(Layer.sync(SecureRandom.SecureRandom)(() => secureRandom(number))),
      Layer.provideMerge(Layer.succeed(Clock.Clock)(clock)),
      Layer.provideMerge(Logger.layer([])),
      Layer.orDie,
    )
    this.runtime = ManagedRuntime.make(layer)
  }

  #wait(label: string): Effect.Effect<void> {
    return Effect.suspend(() =>
      this.isDead
        ? Effect.never
        : Effect.andThen(
            this.#gate(label),
            Effect.suspend(() => (this.isDead ? Effect.never : Effect.void)),
          ),
    )
  }
}

export class PaymentShop {
  readonly fake: FakeRail
  readonly storage: StorageService
  readonly #clock = new HandClock()
  readonly #gate: Gate
  readonly #flaws: Flaws
  #process: Process
  #processes = 1

  constructor(gate: Gate, flaws: Flaws = {}, terms: Partial<PaymentRail["terms"]> = {}) {
    this.#gate = gate
    this.#flaws = flaws
    this.fake = new FakeRail({ now: () => this.now, terms })
    this.storage = Effect.runSync(MemoryStorage.make)
    this.#process = this.#begin()
  }

  get now(): number {
    return this.#clock.now
  }

  pass(seconds: number): void {
    this.#clock.now += seconds
    // Longer than a question is under way at the most.
    if (seconds > 60) this.fake.dropLate()
  }

  #begin(): Process {
    const { storage = (one) => one, rail = (one) => one } = this.#flaws
    return new Process({
      ...{ storage: storage(this.storage), rail: rail(this.fake.rail), clock: this.#clock },
      ...{ number: this.#processes, gate: this.#gate },
    })
  }

  /** The process dies, and another one begins where it was left. */
  crash(): void {
    this.#process.isDead = true
    this.#processes += 1
    this.#process = this.#begin()
  }

  /** Does something; when the process dies it never ends, so nobody waits for more than it can give. */
  run<A, E>(effect: Effect.Effect<A, E, Services>, signal?: AbortSignal): Promise<Exit.Exit<A, E>> {
    const process = this.#process
    const running = process.runtime.runPromiseExit(effect, { signal })
    return running
  }

  /** Does what must go well. */
  async right<A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> {
    const exit = await this.run(effect)
    if (Exit.isFailure(exit)) throw new Error(`should have gone well: ${exit.cause}`)
    return exit.value
  }

  async stop(): Promise<void> {
    await this.#process.runtime.dispose()
  }
}
