/** A long list of the API, of which only the pages are asked for that are looked at. */
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { Paged } from "./Answers.js"
import { ask, type RequestFailure } from "./Connection.js"
import { changes } from "./Load.js"
import type { QueryValues } from "./Route.js"

const perPage = 100

/** How long a page is looked at before it is asked for, in milliseconds: who drags the scroll bar passes many. */
const patience = 60

/** What is known of a list by now. */
export interface List<T> {
  /** `undefined`: nothing is known yet. */
  readonly total: number | undefined
  readonly failure: RequestFailure | undefined
  /** The entry at a place; `undefined`: it is not here yet. */
  readonly at: (index: number) => T | undefined
  /** Says which entries are looked at. */
  readonly look: (first: number, last: number) => void
}

interface Pages<T> {
  readonly total: number | undefined
  readonly failure: RequestFailure | undefined
  readonly pages: ReadonlyMap<number, ReadonlyArray<T>>
}

const nothing = { total: undefined, failure: undefined, pages: new Map() } as const

interface PageSearch {
  readonly where: string
  readonly query: QueryValues
  readonly abort: AbortController
  readonly asked: Set<number>
}

const askPage = async <T>(
  search: PageSearch,
  page: number,
  state: Signal<Pages<T>>,
): Promise<void> => {
  if (search.asked.has(page)) return
  search.asked.add(page)
  const query = { ...search.query, page, per_page: perPage }
  try {
    const answer = await ask<Paged<T>>(search.where, { query, signal: search.abort.signal })
    if (search.abort.signal.aborted) return
    if (answer.type === "failed") {
      search.asked.delete(page)
      state.value = { ...state.value, failure: answer.failure }
      return
    }
    const { data, meta } = answer.value
    const pages = new Map(state.value.pages).set(page, data)
    state.value = { total: meta.total, failure: undefined, pages }
  } catch {
    search.asked.delete(page)
  }
}

/** The list at a place of the API, by pages. */
export const usePages = <T>(where: string, query: QueryValues): List<T> => {
  const state = useSignal<Pages<T>>(nothing)
  const search = useRef<PageSearch | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const isAsked = JSON.stringify([where, query, changes.value])
  useEffect(() => {
    const abort = new AbortController()
    const begun = { where, query, abort, asked: new Set<number>() }
    search.current = begun
    state.value = nothing
    askPage(begun, 1, state)
    return () => abort.abort()
  }, [isAsked])
  const look = (first: number, last: number): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const current = search.current
      if (current === undefined) return
      for (let page = pageOf(first); page <= pageOf(last); page += 1) askPage(current, page, state)
    }, patience)
  }
  const { total, failure, pages } = state.value
  const at = (index: number) => pages.get(pageOf(index))?.[index % perPage]
  return { total, failure, at, look }
}

const pageOf = (index: number): number => Math.floor(Math.max(0, index) / perPage) + 1
