/** A shop in which few people earn, and whose payouts come to an end every day or two. */
import type { Collaborator } from "apportion"
import { ExchangeRates, Storage, type StorageService } from "apportion/ports"
import {
  Collaborators,
  ProductGroups,
  type Services,
  type SettingsInput,
  servicesLayer,
  settingsLayer,
} from "apportion/service"
import { type Clock, Effect, Layer } from "effect"
import type { Terms } from "../../service/model/DueDate.js"
import { claims, rates } from "../../service/model/Goods.js"

/** 2024-01-15, noon, in UTC. */
export const start = Date.UTC(2024, 0, 15, 12) / 1_000

const daily = { payoutMeasurement: "day", shouldPayAutomatically: true } as const

export const people: Readonly<Record<string, Terms>> = {
  ada: {
    currency: "USD",
    payoutFrequency: 1,
    payoutThreshold: 0,
    payoutHoldingDays: null,
    ...daily,
  },
  ben: {
    currency: "EUR",
    payoutFrequency: 2,
    payoutThreshold: 3_000,
    payoutHoldingDays: 1,
    ...daily,
  },
  cam: { currency: "USD", payoutFrequency: 1, payoutThreshold: 50, payoutHoldingDays: 0, ...daily },
}

/** Makes the people and their groups. */
export const openAccount = (accountId: string) =>
  Effect.gen(function* () {
    const collaborators = yield* Collaborators
    const groups = yield* ProductGroups
    for (const [id, terms] of Object.entries(people)) {
      const input: Collaborator.CollaboratorInput = { id, ...terms }
      yield* collaborators.create(accountId, input)
    }
    for (const [tag, { collaboratorId, percent }] of Object.entries(claims)) {
      const group = { id: tag, link: { type: "products.tag", values: [tag] }, percent } as const
      yield* groups.create(accountId, collaboratorId, group)
    }
  })

/** Whoever waits comes to it, however busy the computer is: waiting goes by the real time. */
const patient: SettingsInput = { waitSeconds: 600 }

/** The services over a storage, with ids by chance. */
export const servicesOver = (
  storage: StorageService,
  settings: SettingsInput = {},
): Layer.Layer<Services> =>
  servicesLayer.pipe(
    Layer.provide(settingsLayer({ ...patient, ...settings })),
    Layer.provide(Layer.succeed(Storage)(storage)),
    Layer.provide(ExchangeRates.fixed(rates)),
    Layer.orDie,
  )

/** A clock that stands still, on which whoever waits does wait. */
export const stillClock = (at: number, live: Clock.Clock): Clock.Clock => {
  const nanos = () => BigInt(at) * 1_000_000_000n
  return {
    currentTimeMillisUnsafe: () => at * 1_000,
    currentTimeMillis: Effect.sync(() => at * 1_000),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: live.monotonicTimeNanos,
    sleep: (duration) => live.sleep(duration),
  }
}
