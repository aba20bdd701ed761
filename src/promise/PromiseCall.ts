/**
 * The types of Effect services as plain async functions.
 *
 * @since 0.2.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { InvalidPageRequest, PageRequest } from "../pagination/PageRequest.js"
import type { KeyReused, TooManyKeys } from "../service/ServiceError.js"
import type { Closed, Defect, InvalidArgument, UnitOfWorkEnded } from "./PromiseError.js"

/**
 * The requested page of a list; by default the first page, with 15 entries per page. More than 100 entries are clamped
 * to 100; anything but a whole number rejects with `InvalidPageRequest`.
 *
 * @since 0.2.0
 * @category models
 */
export type PageInput = { readonly [Name in keyof PageRequest]?: PageRequest[Name] | undefined }

/**
 * Options of a change.
 *
 * @since 0.2.0
 * @category models
 */
export interface ChangeOptions {
  /**
   * The change is made once, however often it is requested with this key; each request returns the first answer. The
   * same key with a different change of the same account rejects with `KeyReused`; a new key beyond the setting
   * `idempotencyKeys` with `TooManyKeys`.
   */
  readonly idempotencyKey?: string | undefined
}

/**
 * The errors that every call can reject with, besides its own: an argument of the wrong kind, a defect, and a call
 * after `close`.
 *
 * @since 0.6.0
 * @category errors
 */
export type CallError = InvalidArgument | Defect | Closed | UnitOfWorkEnded

declare const rejection: unique symbol

/**
 * A promise whose rejections the compiler knows; at run time it is an ordinary promise. `RejectionOf` names the errors
 * of a method, `resultOf` returns them as a value.
 *
 * @since 0.6.0
 * @category models
 */
export interface PromiseCall<A, E> extends Promise<A> {
  readonly [rejection]?: E
}

/** A page as the last argument may be left out, and so may a filter before it without required fields. */
type Arguments<Given extends ReadonlyArray<unknown>> = Given extends readonly [
  ...infer Before,
  PageRequest,
]
  ? Before extends readonly [...infer First, infer Filter extends object]
    ? Partial<Filter> extends Filter
      ? [...First, filter?: Filter, page?: PageInput]
      : [...Before, page?: PageInput]
    : [...Before, page?: PageInput]
  : Given

type PromiseOf<Given, Beside = never> =
  Given extends Effect.Effect<infer A, infer E, infer _R>
    ? PromiseCall<A, E | CallError | Beside>
    : Given extends Stream.Stream<infer A, infer _E, infer _R>
      ? AsyncIterable<A>
      : never

/**
 * A method of a service as a plain function: an effect becomes a promise, a stream an async iterable for `for await`. A
 * page as the last argument may be left out, and a filter before it too: then nothing is filtered. The promise rejects
 * with the same errors that the effect fails with: objects with a `_tag` and a `message`.
 *
 * @since 0.2.0
 * @category models
 */
export type Promised<Method> = Method extends (...args: infer Given) => infer Answered
  ? (
      ...args: Arguments<Given>
    ) => PromiseOf<
      Answered,
      Given extends readonly [...unknown[], PageRequest] ? InvalidPageRequest : never
    >
  : never

/**
 * A service as plain async functions; the methods named in `Changes` accept an idempotency key.
 *
 * @since 0.2.0
 * @category models
 */
export type PromisedService<Service, Changes extends keyof Service = never> = {
  readonly [Name in keyof Service]: Name extends Changes
    ? Promised<Service[Name]> extends (...args: infer Given) => PromiseCall<infer A, infer E>
      ? (
          ...args: [...Given, options?: ChangeOptions]
        ) => PromiseCall<A, E | KeyReused | TooManyKeys>
      : never
    : Promised<Service[Name]>
}
