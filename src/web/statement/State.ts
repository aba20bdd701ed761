/** What the page shows, and how that changes. */
import { effect, signal } from "@preact/signals"
import type { Standing } from "../../languages/AgreementWords.js"
import { catalogue } from "../../languages/Catalogue.js"
import * as Language from "../../languages/Language.js"
import type { SeenLineView, SeenPayoutEntry } from "../../wire/Seen.js"
import {
  type CurrencyFigures,
  type Explained,
  type PassOwner,
  type Period,
  type SeenTerm,
  type Source,
  sourceOf,
  Unanswered,
} from "./Source.js"

/** The periods that can be chosen. */
export const periods = ["everything", "thisMonth", "lastMonth", "thisYear", "lastYear"] as const

export type PeriodName = (typeof periods)[number]

/** How far the page is. */
export const progress = signal<"loading" | "refused" | "failed" | "ready">("loading")

export const owner = signal<PassOwner | undefined>(undefined)
export const language = signal<Language.Language>("en")
export const period = signal<PeriodName>("everything")
export const figures = signal<ReadonlyArray<CurrencyFigures>>([])
export const agreements = signal<ReadonlyArray<Standing>>([])
export const terms = signal<ReadonlyArray<SeenTerm>>([])
export const lines = signal<ReadonlyArray<SeenLineView>>([])
export const next = signal<string | null>(null)
/** How far the lines that follow are, once they were asked for. */
export const following = signal<"here" | "loading" | "failed">("here")

export const payouts = signal<ReadonlyArray<SeenPayoutEntry>>([])

/** The explanations that were asked for, by the sale's id. */
export const explained = signal<ReadonlyMap<string, Explained | "loading" | "failed">>(new Map())

let source: Source | undefined

const secondsAt = (year: number, month: number): number => Date.UTC(year, month) / 1_000

/** The seconds of a period, at a time. */
export const secondsOf = (name: PeriodName, at: Date): Period => {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  switch (name) {
    case "everything":
      return {}
    case "thisMonth":
      return { from: secondsAt(year, month), until: secondsAt(year, month + 1) }
    case "lastMonth":
      return { from: secondsAt(year, month - 1), until: secondsAt(year, month) }
    case "thisYear":
      return { from: secondsAt(year, 0), until: secondsAt(year + 1, 0) }
    case "lastYear":
      return { from: secondsAt(year - 1, 0), until: secondsAt(year, 0) }
  }
}

const chosen = (): Period => secondsOf(period.peek(), new Date())

/** The link opens nothing any more: what is here of it goes, too. */
const isRefusal = (error: unknown): boolean => error instanceof Unanswered && error.isRefused

const fail = (error: unknown): void => {
  progress.value = isRefusal(error) ? "refused" : "failed"
}

let turn = 0

/** Asks for the chosen period; an answer that is overtaken by another choice is left. */
export const load = async (): Promise<void> => {
  if (source === undefined) return
  turn += 1
  const own = turn
  try {
    const [found, part] = await Promise.all([
      source.statement(chosen()),
      source.lines(chosen(), null),
    ])
    if (own !== turn) return
    figures.value = found.statements
    agreements.value = found.agreements
    terms.value = found.terms
    lines.value = part.data
    next.value = part.meta.next
    following.value = "here"
    progress.value = "ready"
  } catch (error) {
    if (own === turn) fail(error)
  }
}

/** Asks for the lines that follow, once however often it is pressed. */
export const loadMore = async (): Promise<void> => {
  if (source === undefined || next.value === null || following.value === "loading") return
  const own = turn
  following.value = "loading"
  try {
    const part = await source.lines(chosen(), next.value)
    if (own !== turn) return
    lines.value = [...lines.value, ...part.data]
    next.value = part.meta.next
    following.value = "here"
  } catch (error) {
    if (own !== turn) return
    following.value = "failed"
    if (isRefusal(error)) fail(error)
  }
}

/** Asks why a sale brought what it brought, once. */
export const explain = async (orderId: string): Promise<void> => {
  const known = explained.peek().get(orderId)
  if (source === undefined || (known !== undefined && known !== "failed")) return
  const keep = (found: Explained | "loading" | "failed") => {
    explained.value = new Map(explained.peek()).set(orderId, found)
  }
  keep("loading")
  try {
    keep(await source.explanation(orderId))
  } catch (error) {
    keep("failed")
    if (isRefusal(error)) fail(error)
  }
}

/** Reads the token of the address, and asks for everything. */
export const open = async (): Promise<void> => {
  const token = location.hash.slice(1)
  if (!/^[\w.-]+$/.test(token)) {
    progress.value = "refused"
    return
  }
  progress.value = "loading"
  source = sourceOf(token)
  explained.value = new Map()
  try {
    const found = await source.owner()
    owner.value = found
    language.value = Language.isLanguage(found.language) ? found.language : "en"
    payouts.value = await source.payouts()
  } catch (error) {
    fail(error)
    return
  }
  await load()
}

/** The document follows the language: its direction, its language and its title. */
export const follow = (): void => {
  effect(() => {
    const { documentElement: root } = document
    root.lang = language.value
    root.dir = Language.directionOf(language.value)
    document.title = catalogue[language.value].title
  })
}
