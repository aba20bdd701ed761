/**
 * Asks what a period came to. An answer of the API ends after some seconds with the sales it has read by then; the next
 * one goes on from there, and the figures of a period are all of them added up.
 */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { Single } from "./Answers.js"
import { type ApiAnswer, ask, type RequestFailure } from "./Connection.js"
import { changes } from "./Load.js"
import { add, type PeriodFigures } from "./PeriodFigures.js"

/** So many collaborators are asked for, the most that the API lists, so that answers can be added up by collaborator. */
const mostAsked = 1000

const failed = (message: string): ApiAnswer<never> => {
  const failure: RequestFailure = { status: 0, message, errors: {} }
  return { type: "failed", failure }
}

/** A period, from the first second to the first one after it. */
export interface AskedPeriod {
  readonly from: number
  readonly until: number
}

/** Asks until the period is whole, and says after each answer until when sales are added up. */
export const askPeriod = async (
  { from, until }: AskedPeriod,
  signal: AbortSignal,
  reached: (until: number) => void,
): Promise<ApiAnswer<PeriodFigures>> => {
  let sum: PeriodFigures | undefined
  for (let place = from; ; ) {
    const query = { from: place, until, collaborators: mostAsked }
    const answer = await ask<Single<PeriodFigures>>("overview", { query, signal })
    if (answer.type === "failed") return answer
    const { data } = answer.value
    sum = sum === undefined ? data : add(sum, data)
    if (sum === undefined)
      return failed("The sums of this period are too large: choose a shorter one.")
    if (data.next === null) return { type: "done", value: sum }
    if (data.next <= place)
      return failed("The server did not get on with the sales of this period.")
    place = data.next
    reached(place)
  }
}

/** The figures of a period, once they are whole. */
export interface AddedUp {
  readonly value?: PeriodFigures
  readonly failure?: RequestFailure
  /** Until when sales are added up, as long as that is not all. */
  readonly reached?: number
}

/** Nothing is shown of another period than the one that is chosen, and no part of it. */
export const usePeriod = (from: number, until: number): AddedUp => {
  const state = useSignal<AddedUp>({})
  const shown = useSignal("")
  const period = `${from} ${until}`
  useEffect(() => {
    if (from >= until) return
    const abort = new AbortController()
    if (shown.value !== period) state.value = {}
    shown.value = period
    const reached = (time: number) => {
      state.value = { ...state.value, reached: time }
    }
    askPeriod({ from, until }, abort.signal, reached).then(
      (answer) => {
        if (abort.signal.aborted) return
        state.value = answer.type === "done" ? { value: answer.value } : { failure: answer.failure }
      },
      () => {}, // Another period is asked for by now.
    )
    return () => abort.abort()
  }, [period, changes.value])
  return shown.value === period ? state.value : {}
}
