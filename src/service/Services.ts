/**
 * All services at once.
 *
 * @since 0.2.0
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import type { ExchangeRates } from "../ports/ExchangeRates.js"
import type { Storage } from "../ports/Storage.js"
import { AccountCounters } from "./AccountCounters.js"
import { AccountRules } from "./AccountRules.js"
import { AccountSettings } from "./AccountSettings.js"
import { Agreements } from "./Agreements.js"
import { Audit } from "./Audit.js"
import { Balances } from "./Balances.js"
import { Collaborators } from "./Collaborators.js"
import { Deliveries } from "./Deliveries.js"
import { Entries } from "./Entries.js"
import { Events } from "./Events.js"
import { Idempotency } from "./Idempotency.js"
import { Overviews } from "./Overviews.js"
import { Passes } from "./Passes.js"
import { PastSales } from "./PastSales.js"
import { Payments } from "./Payments.js"
import { Payouts } from "./Payouts.js"
import { ProductGroups } from "./ProductGroups.js"
import { Products } from "./Products.js"
import { Resplits } from "./Resplits.js"
import { Retention } from "./Retention.js"
import { Sales } from "./Sales.js"
import { Statements } from "./Statements.js"
import { UnitOfWork } from "./UnitOfWork.js"
import { Webhooks } from "./Webhooks.js"

/**
 * All services.
 *
 * @since 0.2.0
 * @category services
 */
export type Services =
  | Collaborators
  | ProductGroups
  | Products
  | Sales
  | Resplits
  | Retention
  | Payouts
  | Overviews
  | PastSales
  | Payments
  | Idempotency
  | UnitOfWork
  | Audit
  | Entries
  | Agreements
  | Balances
  | Statements
  | Events
  | Webhooks
  | Passes
  | Deliveries
  | AccountCounters
  | AccountRules
  | AccountSettings

/**
 * All services over the host's storage and exchange rates. Ids are random UUIDs; a host that wants other ids provides
 * `SecureRandom` to the layers of the single services.
 *
 * @since 0.2.0
 * @category layers
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Collaborators, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const collaborators = yield* Collaborators
 *   const ada = yield* collaborators.create("my-store", { id: "ada", currency: "EUR" })
 *   return ada.version
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(program, layer)) // => 1
 * ```
 */
export const servicesLayer: Layer.Layer<Services, never, Storage | ExchangeRates> = Layer.mergeAll(
  Collaborators.layer,
  ProductGroups.layer,
  Products.layer,
  Sales.layer,
  Resplits.layer,
  Retention.layer,
  Overviews.layer,
  Payouts.layer,
  Payments.layer,
  Idempotency.layer,
  UnitOfWork.layer,
  Audit.layer,
  Entries.layer,
  Agreements.layer,
  Balances.layer,
  Statements.layer,
  Events.layer,
  Webhooks.layer,
  AccountCounters.layer,
  AccountRules.layer,
  Passes.layer,
  AccountSettings.layer,
  Layer.provide(Deliveries.layer, [Sales.layer, Products.layer]),
  Layer.provide(PastSales.layer, Sales.layer),
).pipe(Layer.provide(SecureRandom.layerWebCrypto))
