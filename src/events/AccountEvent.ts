/**
 * What happened in an account: each change that is kept, in the order in which one led to another.
 *
 * @since 0.6.0
 */
import { type EventData, type EventType, types } from "./EventType.js"

/**
 * A change as it is reported: its type, and the data of that type.
 *
 * @since 0.6.0
 * @category models
 */
export type Change = {
  readonly [Type in EventType]: { readonly type: Type; readonly data: EventData<Type> }
}[EventType]

/**
 * An event that has no number yet.
 *
 * @since 0.6.0
 * @category models
 */
export type NewEvent = Change & {
  /** When it happened, in Unix seconds. */
  readonly at: number
  /** Who made the change. */
  readonly actor: string
}

/**
 * An event of an account.
 *
 * @since 0.6.0
 * @category models
 */
export type AccountEvent = NewEvent & {
  /** 1 for the first event of the account, one more for each: no number is left out. */
  readonly number: number
  /** Unique to this event, and the same each time that it is sent. */
  readonly id: string
}

/**
 * An event as JSON, as webhooks and the HTTP API send it.
 *
 * @since 0.6.0
 * @category models
 */
export interface EventJson {
  readonly id: string
  readonly number: number
  readonly type: string
  /** When it happened, as ISO 8601 in UTC. */
  readonly timestamp: string
  readonly actor: string
  /** The same as in `AccountEvent`, with names in snake case. */
  readonly data: Readonly<Record<string, unknown>>
}

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The fields of the type that this version knows: fields of later versions are left out. */
const fieldsOf = ({ type, data }: Change): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(data).filter(([name]) => Object.hasOwn(types[type].data, name))

/**
 * An event as JSON.
 *
 * @since 0.6.0
 * @category conversions
 * @example
 * ```ts
 * import { AccountEvent } from "apportion"
 *
 * const data = { collaboratorId: "ada", currency: "EUR" }
 * const event = { number: 1, id: "e1", type: "collaborator.created", at: 0, actor: "system", data } as const
 * AccountEvent.toJson(event).data // => { collaborator_id: "ada", currency: "EUR" }
 * AccountEvent.toJson(event).timestamp // => "1970-01-01T00:00:00.000Z"
 * ```
 */
export const toJson = (event: AccountEvent): EventJson => ({
  id: event.id,
  number: event.number,
  type: event.type,
  timestamp: new Date(event.at * 1_000).toISOString(),
  actor: event.actor,
  data: Object.fromEntries(fieldsOf(event).map(([name, value]) => [snakeCase(name), value])),
})

/**
 * What the log shows of a change: no amounts, and nothing about people.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { AccountEvent } from "apportion"
 *
 * const data = { collaboratorId: "ada", currency: "EUR" }
 * AccountEvent.loggedOf({ type: "collaborator.created", data }) // => { collaboratorId: "ada" }
 * ```
 */
export const loggedOf = (change: Change): Readonly<Record<string, unknown>> => {
  const shown: Record<string, unknown> = {}
  for (const name of types[change.type].logs) shown[name] = Reflect.get(change.data, name)
  return shown
}
