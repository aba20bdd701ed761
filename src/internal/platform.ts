import * as Result from "effect/Result"
import type { Order } from "../orders/Order.js"
import type { Product } from "../orders/Product.js"
import { type Unreadable, unreadable } from "../Unreadable.js"
import { reading, show } from "./problems.js"
import type { LeftOut, RefundReading } from "./sales.js"
import { TaggedError } from "./TaggedError.js"

/**
 * The headers of a delivery by name. Case makes no difference.
 *
 * @since 0.6.0
 * @category models
 */
export type DeliveryHeaders = Readonly<
  Record<string, string | ReadonlyArray<string> | null | undefined>
>

/**
 * What a platform says of a delivery: what it is about, and how to recognise it when it is sent again.
 *
 * @since 0.6.0
 * @category models
 */
export interface Announcement {
  readonly topic: string
  /** The platform's id of the delivery, the same each time it is sent; `null`: it has none. A long one is shortened to its digest. */
  readonly deliveryId: string | null
  /** When it happened, in Unix seconds; `null`: the platform does not say. */
  readonly happenedAt: number | null
  /** Whether the platform only tries whether deliveries arrive: nothing happened. */
  readonly isTest: boolean
}

/**
 * What is signed in a delivery, and the signatures that it comes with. One that fits one of the secrets is enough.
 *
 * @since 0.6.0
 * @category models
 */
export interface SignatureClaim {
  readonly algorithm: "HMAC-SHA256"
  readonly encoding: "base64" | "hex"
  readonly signatures: ReadonlyArray<string>
  /** What is signed, mostly the body as it came. */
  readonly content: string
  /** When it was signed, in Unix seconds, where the platform signs the time too; old ones are refused. */
  readonly signedAt: number | null
}

/**
 * An order as a platform has it at a time: what is shared of it, and what is not.
 *
 * @since 0.6.0
 * @category models
 */
export interface SoldOrder {
  readonly order: Order
  /** Its gift cards, tips and fees. */
  readonly leftOut: ReadonlyArray<LeftOut>
}

/**
 * What happened at a platform, in the terms of this library. It holds nothing about the buyer that no rule looks at.
 *
 * `order recorded` and `order changed` are a sale as a whole, each time; with the first, nothing more is to come before
 * it, while a change waits for the first. `order passed over` is no sale: for good (a test, nothing but gift cards), or
 * as yet (not paid). `order deleted` says nothing of money: a person has to look if it was a sale. A refund is told as
 * the platform's document, because only with its order can it be read; `refunds listed` are all refunds of an order by
 * a platform that does not say which lines they are of; `refund withdrawn` says that there is none after all.
 * `order incomplete` is one of which the delivery leaves lines out: it waits until the order is recorded from something
 * that has them. A `question` is only for a person to decide.
 *
 * @since 0.6.0
 * @category models
 */
export type Occurrence =
  | (SoldOrder & {
      readonly kind: "order recorded" | "order changed"
      /** When the platform changed it last, in Unix seconds; `null`: it does not say, and it counts as the newest. */
      readonly updatedAt: number | null
      /** The ids of products that the platform no longer has, so that nobody waits for them. */
      readonly goneProducts: ReadonlyArray<string>
      /** Other ids by which refunds name the order, such as that of its payment; none when absent. */
      readonly otherIds?: ReadonlyArray<string> | undefined
    })
  | {
      readonly kind: "order incomplete"
      readonly orderId: string
      /** What is missing, and how to get it. */
      readonly reason: string
    }
  | {
      readonly kind: "order named"
      readonly orderId: string
      /** Another id by which refunds name it. */
      readonly otherId: string
    }
  | {
      readonly kind: "order cancelled"
      readonly orderId: string
      /** Unix seconds. */
      readonly updatedAt: number | null
      /** Whether the platform may sell it again: then an older state has no effect, and one never paid stays open. */
      readonly mayReturn?: boolean | undefined
    }
  | { readonly kind: "order deleted"; readonly orderId: string }
  | {
      readonly kind: "order passed over"
      readonly orderId: string
      /** Unix seconds. */
      readonly updatedAt: number | null
      /** Whether it never becomes a sale. */
      readonly isFinal: boolean
      /** Whether it is the first that the platform tells of the order. */
      readonly isFirst: boolean
      /** Whether a person has to look at it if it was recorded as a sale before; what is final always is doubtful. */
      readonly isDoubtful?: boolean | undefined
      readonly reason: string
    }
  | {
      readonly kind: "refund"
      readonly orderId: string
      readonly refundId: string
      /** The platform's JSON, without what is not needed to read it. */
      readonly document: unknown
    }
  | {
      readonly kind: "refunds listed"
      readonly orderId: string
      /** All refunds of the order, each with what can be read if nothing else comes. */
      readonly refunds: ReadonlyArray<{ readonly refundId: string; readonly document: unknown }>
      /** When the order was so, in Unix seconds: refunds before it that are not listed are gone; `null`: it does not say. */
      readonly updatedAt: number | null
    }
  | {
      readonly kind: "refund withdrawn"
      readonly refundId: string
      readonly reason: string
    }
  | {
      readonly kind: "product put"
      readonly productId: string
      /** All variants of it. */
      readonly products: ReadonlyArray<Product>
      /** Unix seconds. */
      readonly updatedAt: number | null
      /** Whether it is there again after it was removed. */
      readonly isRestored?: boolean | undefined
      /** Whether `products` only names the variants, so that what each told of itself stays. */
      readonly namesVariants?: boolean | undefined
    }
  | {
      readonly kind: "variant put"
      readonly productId: string
      /** The variant, without what it has from its product. */
      readonly product: Product
      /** Unix seconds. */
      readonly updatedAt: number | null
    }
  | {
      readonly kind: "product removed"
      readonly productId: string
      /** Unix seconds. */
      readonly updatedAt: number | null
    }
  | { readonly kind: "app uninstalled" }
  | {
      readonly kind: "privacy request"
      readonly request: "customer data" | "customer redaction" | "shop redaction"
      /** The platform's id of the request; `null`: it has none. */
      readonly requestId: string | null
      /** The orders that it is about. */
      readonly orderIds: ReadonlyArray<string>
    }
  | { readonly kind: "question"; readonly subject: string; readonly reason: string }
  | { readonly kind: "nothing"; readonly reason: string }

/**
 * A topic that a platform does not have, or that means nothing to this library. No delivery of it should be asked for.
 *
 * @since 0.6.0
 * @category errors
 */
export class UnknownTopic extends TaggedError("UnknownTopic")<{
  readonly platform: string
  readonly topic: string
  readonly message: string
}> {}

/**
 * A refund as it was read with its order.
 *
 * @since 0.6.0
 * @category models
 */
export interface PlatformRefund extends RefundReading {
  /** Of what it takes back, the money that was not of any line, in the lowest unit of the order's currency. */
  readonly moneyBack?: number | undefined
  /** Why to wait for a while: something that says more of the same money may be on its way. */
  readonly vague?: string | undefined
  /** The ids of refunds that are told here, and may be told by themselves too. */
  readonly includes?: ReadonlyArray<string> | undefined
  /**
   * How many units of a line were sold when it was refunded, where the platform says so. If more are sold than are known,
   * a change of the order is still to come; if fewer, the others came later, and nothing of them went back.
   */
  readonly sold?: ReadonlyArray<{ readonly itemId: string; readonly quantity: number }> | undefined
  /**
   * Whether it takes back something of lines that it does not name, such as shipping, so that all lines which the order
   * had then have to be known.
   */
  readonly isOfAllLines?: boolean | undefined
  /** Whether it was never paid back: if it was taken back before, a person has to know. */
  readonly hasFailed?: boolean | undefined
}

/**
 * How the deliveries of one shop on a platform are read. Everything in it is pure: the signature is worked out, and the
 * time compared, by who receives them. A host can add a platform by making one.
 *
 * @since 0.6.0
 * @category models
 */
export interface Platform {
  /** Such as `shopify`. */
  readonly name: string
  /** What deliveries are signed with; more than one while one is being replaced. */
  readonly secrets: ReadonlyArray<string>
  /** Whether it only tries, without a signature, whether somebody listens: it is answered, and nothing else. */
  readonly isPing?: ((headers: DeliveryHeaders, body: string) => boolean) | undefined
  /** What lines of its orders say of their products, which the catalogue then does not change; nothing when absent. */
  readonly linesSay?: ReadonlyArray<"vendor"> | undefined
  /** What is signed, and the signatures; `undefined`: it is not signed. */
  readonly claimOf: (headers: DeliveryHeaders, body: string) => SignatureClaim | undefined
  /** What the delivery is about, from its headers or its body. */
  readonly announce: (
    headers: DeliveryHeaders,
    body: unknown,
  ) => Result.Result<Announcement, Unreadable>
  /** What happened, in the order in which it is to be carried out. */
  readonly read: (
    announcement: Announcement,
    body: unknown,
  ) => Result.Result<ReadonlyArray<Occurrence>, Unreadable | UnknownTopic>
  /**
   * Reads the document of a refund with the order that it is of, and the sum of the `moneyBack` of its earlier refunds.
   */
  readonly readRefund: (
    document: unknown,
    sold: SoldOrder,
    moneyBack: number,
  ) => Result.Result<PlatformRefund, Unreadable>
}

/** What is known of the buyer stays outside: no rule looks at it. */
export const withoutBuyer = ({ details, ...order }: Order): Order => ({
  ...order,
  details: {
    status: details?.status ?? null,
    paymentGateway: details?.paymentGateway ?? null,
    ...(details?.orderName == null ? {} : { orderName: details.orderName }),
  },
})

/** A body that throws when it is read, such as a proxy, has that problem. */
export const readGuarded = <A, E>(
  what: string,
  body: unknown,
  make: () => Result.Result<A, E>,
): Result.Result<A, E | Unreadable> => {
  let made: Result.Result<A, E> | undefined
  const problems = reading(body, () => {
    made = make()
    return []
  })
  return made ?? Result.fail(unreadable(what, problems))
}

/** What a topic says happened, by the reader of that topic; the error of another one names all that are read. */
export const readTopic = <Options>(
  platform: {
    readonly name: string
    readonly delivery: string
    readonly readers: ReadonlyMap<
      string,
      (body: unknown, options: Options) => Result.Result<ReadonlyArray<Occurrence>, Unreadable>
    >
  },
  { topic, body, options }: { topic: string; body: unknown; options: Options },
): Result.Result<ReadonlyArray<Occurrence>, Unreadable | UnknownTopic> => {
  const { name, delivery, readers } = platform
  const reader = readers.get(topic)
  if (reader !== undefined) return readGuarded(delivery, body, () => reader(body, options))
  const message = `${show(topic)} is no topic that is read; these are: ${[...readers.keys()].join(", ")}`
  return Result.fail(new UnknownTopic({ platform: name, topic, message }))
}

/** The value of a header, whatever its case; of several values the first. */
export const headerOf = (headers: DeliveryHeaders, name: string): string | undefined => {
  const wanted = name.toLowerCase()
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== wanted || value === null || value === undefined) continue
    const [first] = typeof value === "string" ? [value] : value
    if (first !== undefined && first.trim() !== "") return first.trim()
  }
  return undefined
}
