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
/** The period that was chosen last, and that of the figures and lines: until an answer comes these are two. */
export const period = signal<PeriodName>("everything")
export const shown = signal<PeriodName>("everything")
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
let openToken: string | undefined

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

const periodOf = (name: PeriodName): Period => secondsOf(name, new Date())

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
  const name = period.peek()
  try {
    const [found, part] = await Promise.all([
      source.statement(periodOf(name)),
      source.lines(periodOf(name), null),
    ])
    if (own !== turn) return
    shown.value = name
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

/** Asks for the lines that follow, once however often it is pressed; they follow no others that came meanwhile. */
export const loadMore = async (): Promise<void> => {
  if (source === undefined || next.value === null || following.value === "loading") return
  const before = lines.peek()
  following.value = "loading"
  try {
    const part = await source.lines(periodOf(shown.peek()), next.value)
    if (lines.peek() !== before) return
    lines.value = [...lines.value, ...part.data]
    next.value = part.meta.next
    following.value = "here"
  } catch (error) {
    if (lines.peek() !== before) return
    following.value = "failed"
    if (isRefusal(error)) fail(error)
  }
}

/** Asks why a sale brought what it brought, once. */
export const explain = async (orderId: string): Promise<void> => {
  const known = explained.peek().get(orderId)
  const asked = source
  if (asked === undefined || (known !== undefined && known !== "failed")) return
  const keep = (found: Explained | "loading" | "failed") => {
    explained.value = new Map(explained.peek()).set(orderId, found)
  }
  keep("loading")
  try {
    const found = await asked.explanation(orderId)
    if (source === asked) keep(found)
  } catch (error) {
    if (source !== asked) return
    keep("failed")
    if (isRefusal(error)) fail(error)
  }
}

/** Reads the token of the address, and asks for everything; of another link that is opened meanwhile nothing is mixed in. */
export const open = async (): Promise<void> => {
  turn += 1
  const own = turn
  const token = location.hash.slice(1)
  if (!/^[\w.-]+$/.test(token)) {
    progress.value = "refused"
    return
  }
  progress.value = "loading"
  const asked = sourceOf(token)
  source = asked
  explained.value = new Map()
  try {
    const [found, all] = [await asked.owner(), await asked.payouts()]
    if (own !== turn) return
    owner.value = found
    payouts.value = all
    // Who asks again after a failure reads on in the language that they chose.
    if (token !== openToken)
      language.value = Language.isLanguage(found.language) ? found.language : "en"
    openToken = token
  } catch (error) {
    if (own === turn) fail(error)
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
