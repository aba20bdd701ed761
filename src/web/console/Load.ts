/** What a view shows: it is asked for when the view comes, and again when what it depends on changes. */
import { type Signal, signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { type ApiAnswer, type ApiRequest, ask, type RequestFailure } from "./Connection.js"

/** What was asked for; while it is asked for again, what was there before stays. */
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

/** Asks for something; `where` `undefined`: for nothing yet. */
export const useLoad = <T>(
  where: string | undefined,
  request: Omit<ApiRequest, "signal"> = {},
): Loaded<T> => {
  const state = useSignal<Loaded<T>>(waiting)
  const isAsked = JSON.stringify([where, request, changes.value])
  useEffect(() => {
    if (where === undefined) return
    const abort = new AbortController()
    state.value = { ...state.value, isLoading: true }
    load<T>(where, { ...request, signal: abort.signal }, state)
    return () => abort.abort()
  }, [isAsked])
  return state.value
}

const load = async <T>(
  where: string,
  request: ApiRequest,
  state: Signal<Loaded<T>>,
): Promise<void> => {
  let answer: ApiAnswer<T>
  try {
    answer = await ask<T>(where, request)
  } catch {
    return // Something else is asked for by now.
  }
  state.value =
    answer.type === "done"
      ? { value: answer.value, failure: undefined, isLoading: false }
      : { value: state.value.value, failure: answer.failure, isLoading: false }
}
