/** The state of the page, and what changes it. */
import { batch, computed, signal } from "@preact/signals"
import * as Result from "effect/Result"
import * as Currency from "../../money/Currency.js"
import { type Answer, answer, type PlacedProblem } from "./Answer.js"
import { examples } from "./Examples.js"
import type { JsonObject, Scenario } from "./Scenario.js"

const [start] = examples

export const groups = signal<ReadonlyArray<unknown>>(start.inputs.groups)
export const order = signal<unknown>(start.inputs.order)
export const policy = signal<unknown>(start.inputs.policy)
export const counters = signal<ReadonlyArray<unknown>>(start.inputs.counters)
export const other = signal<ReadonlyArray<unknown> | null>(start.inputs.other)

/** Orders of an opened file, of which one is shown. */
export const orders = signal<ReadonlyArray<unknown>>([])

/** The place of the group whose form is open. */
export const chosenGroup = signal(0)

/** Counts what was loaded as a whole, so that the text of an editor follows. */
export const loads = signal(0)

/** Everything that a link holds. */
export const inputs = computed<Scenario>(() => ({
  groups: groups.value,
  order: order.value,
  policy: policy.value,
  counters: counters.value,
  other: other.value,
}))

export const outcome = computed(() => answer(inputs.value))

let last: Answer | undefined

/** The latest answer there was: it stays while something half typed stands against a new one. */
export const latest = computed<Answer | undefined>(() => {
  if (Result.isSuccess(outcome.value)) last = outcome.value.success
  return last
})

export const problems = computed<ReadonlyArray<PlacedProblem>>(() =>
  Result.isFailure(outcome.value) ? outcome.value.failure : [],
)

/** Replaces everything. */
export const load = (next: Scenario): void =>
  batch(() => {
    groups.value = next.groups
    order.value = next.order
    policy.value = next.policy
    counters.value = next.counters
    other.value = next.other
    orders.value = []
    chosenGroup.value = 0
    loads.value += 1
  })

/** Replaces the order, by one of a file or one that shows a finding. */
export const showOrder = (next: unknown): void =>
  batch(() => {
    order.value = next
    loads.value += 1
  })

/** Replaces all groups. */
export const showGroups = (next: ReadonlyArray<unknown>): void =>
  batch(() => {
    groups.value = next
    chosenGroup.value = 0
    loads.value += 1
  })

/** Replaces what was counted before. */
export const showCounters = (next: ReadonlyArray<unknown>): void =>
  batch(() => {
    counters.value = next
    loads.value += 1
  })

/** Replaces one group. */
export const changeGroup = (place: number, next: unknown): void => {
  groups.value = groups.value.with(place, next)
}

const ids = (): ReadonlySet<unknown> =>
  new Set(
    groups.value.map((group) =>
      typeof group === "object" && group !== null ? Reflect.get(group, "id") : undefined,
    ),
  )

const freeId = (): string => {
  const taken = ids()
  let number = groups.value.length + 1
  while (taken.has(`group-${number}`)) number += 1
  return `group-${number}`
}

/** Adds a group, or a copy of one under another id, and opens it. */
export const addGroup = (from?: JsonObject): void =>
  batch(() => {
    const plain: JsonObject = {
      ...{ collaborator_id: "new", itemType: "products.all", type: "percentage" },
      percent: "10.00",
    }
    groups.value = [...groups.value, { ...(from ?? plain), id: freeId() }]
    chosenGroup.value = groups.value.length - 1
  })

export const removeGroup = (place: number): void =>
  batch(() => {
    groups.value = groups.value.toSpliced(place, 1)
    chosenGroup.value = Math.max(0, Math.min(place, groups.value.length - 1))
  })

/** The order's currency, for the fields of amounts; what is not a currency yet counts as one of cents. */
export const currency = computed(() => {
  const value = order.value
  const given: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "currency") : undefined
  return Currency.isCurrency(given) ? given : "USD"
})
