/** The result of carrying out a part of a delivery. */
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { ExchangeRatesService } from "../../../ports/ExchangeRates.js"
import type { InboxEntry, InboxNote } from "../../../ports/InboxStore.js"
import type { Occurrence, Platform } from "../../../ports/Platform.js"
import { productKeyOf } from "../../../ports/ProductStore.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import type { ProductsService } from "../../Products.js"
import type { SalesService } from "../../Sales.js"
import type { SettingsService } from "../../Settings.js"
import type { RulesCache } from "../rules/rules.js"
import type { Transactor } from "../transactions.js"

/** What is needed to carry out a delivery. */
export interface InboxTools {
  readonly transactor: Transactor
  readonly sales: SalesService
  readonly products: ProductsService
  readonly settings: SettingsService
  readonly rules: RulesCache
  readonly exchangeRates: ExchangeRatesService
  readonly newId: Effect.Effect<string>
}

/** For which account and platform, and whether to continue without what the delivery waits for. */
export interface InboxCall {
  readonly accountId: string
  readonly platform: Platform
  readonly isForced: boolean
}

/**
 * The stored data of an order that say something about its buyer.
 *
 * @since 0.6.0
 * @category models
 */
export interface StoredOfOrder {
  readonly orderId: string
  /** The names and values of the fields that say something about the buyer. */
  readonly fields: Readonly<Record<string, string | ReadonlyArray<string>>>
}

/** A delivery that is being carried out, whether it arrived now or waited. */
export interface InboxDelivery {
  readonly platform: Platform
  readonly topic: string
  readonly deliveryId: string
  readonly occurrences: ReadonlyArray<Occurrence>
  /** Unix seconds. */
  readonly receivedAt: number
  /** The entry in which it waited. */
  readonly entry: InboxEntry | undefined
}

/** The result of a step. */
export interface InboxStep {
  /** Whether anything changed. */
  readonly isDone: boolean
  /** Why nothing changed, or what a person should know. */
  readonly told: ReadonlyArray<string>
  /** The keys of the notes that others may wait for. */
  readonly frees: ReadonlyArray<string>
  readonly stored: ReadonlyArray<StoredOfOrder>
}

/** An occurrence that can't be carried out yet; nothing of its delivery may be kept. */
export class NotYet extends Data.TaggedError("NotYet")<{
  readonly waitsFor: string
  readonly message: string
}> {}

/** An occurrence that can't be carried out; a person has to look at it. */
export class NotLikeThis extends Data.TaggedError("NotLikeThis")<{ readonly message: string }> {}

export const nothing = (reason: string, ...frees: ReadonlyArray<string>): InboxStep => ({
  ...{ isDone: false, told: [reason], frees, stored: [] },
})

export const done = (
  frees: ReadonlyArray<string> = [],
  told: ReadonlyArray<string> = [],
): InboxStep => ({ isDone: true, told, frees, stored: [] })

type InboxSubject = "order" | "refund" | "product" | "delivery" | "question"

/** The key of a note, or of an entry. */
export const keyOf = ({ name }: Pick<Platform, "name">, kind: InboxSubject, id: string): string =>
  `${name}/${kind}/${id}`

/** The beginning of the ids of runs that correct an order whose deliveries overtook each other. */
export const correctionsOf = (noteKey: string): string => `${noteKey}/late/`

/** Whether a run that booked something of an order was a correction of it. */
export const isCorrection = (runId: string, orderId: string): boolean =>
  runId.includes(correctionsOf(`/order/${orderId}`))

/** The key of the entry for a refund of which only the sum is known. */
export const listedKey = (platform: Pick<Platform, "name">, refundId: string): string =>
  `${keyOf(platform, "refund", refundId)}/listed`

/** The key of what an occurrence is about; `null`: it never waits. */
export const entryKeyOf = (platform: Platform, occurrence: Occurrence): string | null => {
  switch (occurrence.kind) {
    case "order recorded":
      return `${keyOf(platform, "order", occurrence.order.id)}/first`
    case "order changed":
      return `${keyOf(platform, "order", occurrence.order.id)}/changed`
    case "order cancelled":
    case "order passed over":
      return `${keyOf(platform, "order", occurrence.orderId)}/changed`
    case "order deleted":
      return `${keyOf(platform, "order", occurrence.orderId)}/deleted`
    case "order incomplete":
      return `${keyOf(platform, "order", occurrence.orderId)}/lines`
    case "refund":
      return keyOf(platform, "refund", occurrence.refundId)
    case "refund withdrawn":
      return `${keyOf(platform, "refund", occurrence.refundId)}/withdrawn`
    case "question":
      return keyOf(platform, "question", occurrence.subject)
    case "product put":
    case "product removed":
      return keyOf(platform, "product", occurrence.productId)
    case "variant put":
      return keyOf(platform, "product", productKeyOf(occurrence.product))
    default:
      return null
  }
}

type NoteOf<Name extends InboxNote["kind"]> = Extract<InboxNote, { readonly kind: Name }>

export type OrderNote = NoteOf<"order">

/** What is known of an order. */
export interface KnownOrder {
  readonly note: OrderNote
  readonly parts: ReadonlyArray<RecordedSale>
}

export type ProductNote = NoteOf<"product">

/** The note of an order of which nothing is known. */
export const newOrderNote = (key: string, at: number): OrderNote => ({
  ...{ key, at, kind: "order", isBegun: false, state: "open", updatedAt: null },
  ...{ leftOut: [], status: null },
})

/** Whether a newer state is known. A state without a time counts as new. */
export const isOlder = (updatedAt: number | null, known: number | null): boolean =>
  updatedAt !== null && known !== null && updatedAt < known

/** The newer of two times. */
export const newest = (updatedAt: number | null, known: number | null): number | null =>
  updatedAt === null || isOlder(updatedAt, known) ? known : updatedAt
