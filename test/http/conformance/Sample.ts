/** Requests that are all right, by operation: what the tests of the document send. */
import type { openStocked } from "../Shop.js"

/** What a path is filled with. */
export type Ids = Readonly<Record<string, string>>

export type Stocked = Awaited<ReturnType<typeof openStocked>>

/** A request that is refused. */
export interface Refused {
  readonly ids?: Ids
  readonly query?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** How often it is sent; once when absent. */
  readonly times?: number
}

export interface Sample {
  /** A body that is taken. */
  readonly body?: object
  /** Bodies that are taken, and together have each documented field and value. */
  readonly bodies?: ReadonlyArray<object>
  /** The ids with which it can be done, once; those of the stock when absent. */
  readonly ready?: (shop: Stocked) => Promise<Ids>
  /** Fields that count as absent when they are of another kind. */
  readonly ignored?: ReadonlyArray<string>
  /** What else the body says when it has a field. */
  readonly besideField?: (field: string) => object
  /** What it can't be asked without. */
  readonly query?: string
  /** Brings about that it is refused with 409, of an operation that takes no key. */
  readonly contradict?: (shop: Stocked) => Promise<void>
  /** What is sent in place of a body in JSON. */
  readonly raw?: { readonly body: string; readonly headers: Readonly<Record<string, string>> }
  /** How refusals come about that do so in a way of their own. */
  readonly refusals?: Readonly<Record<number, Refused>>
  /** The ids with which it is refused with 422, where nothing that a request says can be wrong. */
  readonly unusable?: (shop: Stocked) => Promise<Ids>
}

export type Samples = Readonly<Record<string, Sample>>

/** What nothing has; the same for those that are not named. */
export const nowhere: Ids = { collaborator_id: "nobody" }

/** Ids of the stock. */
export const idsOf = ({ groupId, payoutId }: Stocked): Ids => ({
  ...{ ...nowhere, collaborator_id: "ada", group_id: groupId, payout_id: payoutId },
})
