/** What a view shows: it is asked for when the view comes, and again when what it depends on changes. */
import { type Signal, signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { type ApiAnswer, type ApiRequest, ask, type RequestFailure } from "./Connection.js"

/** What was asked for; while it is asked for again, or in another way at the same place, what was there before stays. */
export interface Loaded<T> {
  readonly value: T | undefined
  readonly failure: RequestFailure | undefined
  readonly isLoading: boolean
}

/** Counts the changes that were made: what is shown is asked for again after each. */
export const changes = signal(0)

/** Asks for all that is shown once more. */
export const loadAgain = (): void => {
  changes.value += 1
}

const waiting = { value: undefined, failure: undefined, isLoading: true } as const

/** What is known of a place of the API. */
interface Placed<T> extends Loaded<T> {
  readonly where: string | undefined
}

/** Asks for something; `where` `undefined`: for nothing yet. */
export const useLoad = <T>(
  where: string | undefined,
  request: Omit<ApiRequest, "signal"> = {},
): Loaded<T> => {
  const state = useSignal<Placed<T>>({ ...waiting, where: undefined })
  const isAsked = JSON.stringify([where, request, changes.value])
  useEffect(() => {
    if (where === undefined) return
    const abort = new AbortController()
    const known = state.value.where === where ? state.value : waiting
    state.value = { ...known, where, isLoading: true }
    load<T>(where, { ...request, signal: abort.signal }, state)
    return () => abort.abort()
  }, [isAsked])
  // Nothing is shown at a place of what was at another one.
  return where === undefined || state.value.where === where ? state.value : waiting
}

const load = async <T>(
  where: string,
  request: ApiRequest,
  state: Signal<Placed<T>>,
): Promise<void> => {
  let answer: ApiAnswer<T>
  try {
    answer = await ask<T>(where, request)
  } catch {
    return // Something else is asked for by now.
  }
  state.value =
    answer.type === "done"
      ? { where, value: answer.value, failure: undefined, isLoading: false }
      : { ...state.value, failure: answer.failure, isLoading: false }
}
