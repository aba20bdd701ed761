/** Where the page gets what it shows: from the server that it is on, with the token of its address. */
import type { Standing } from "../../languages/AgreementWords.js"
import type { Language } from "../../languages/Language.js"
import type { AccountStatement } from "../../payouts/Statement.js"
import type { StatementAgreement } from "../../wire/AgreementSchemas.js"
import type { StatementTermView } from "../../wire/CounterSchemas.js"
import type { ExplanationView } from "../../wire/LedgerSchemas.js"
import type { SeenLineView, SeenPayoutEntry } from "../../wire/Seen.js"

/** Whose statement it is. */
export interface PassOwner {
  readonly collaborator: { readonly id: string; readonly name: string }
  readonly language: Language
  readonly expires_at: number
}

/** The figures of a currency. */
export interface CurrencyFigures extends AccountStatement {
  readonly currency: string
}

/** A page of lines, and where the next one begins. */
export interface LinesPart {
  readonly data: ReadonlyArray<SeenLineView>
  readonly meta: { readonly next: string | null }
}

/** The server does not take the token, or can't answer now. */
export class Unanswered extends Error {
  readonly isRefused: boolean

  constructor(status: number) {
    super(`status ${status}`)
    this.isRefused = status === 401
  }
}

/** A period; an absent end is open. */
export interface Period {
  readonly from?: number
  readonly until?: number
}

/** Why a sale brought what it brought, a part of the order each. */
export type Explained = ReadonlyArray<(typeof ExplanationView)["Type"]>

/** Where the terms of a product group stand. */
export type SeenTerm = (typeof StatementTermView)["Type"]

/** The figures of a period, and where agreements and terms stand now. */
export interface SeenStatement {
  readonly statements: ReadonlyArray<CurrencyFigures>
  readonly agreements: ReadonlyArray<Standing>
  readonly terms: ReadonlyArray<SeenTerm>
}

type WrittenAgreement = (typeof StatementAgreement)["Type"]

const standingOf = (one: WrittenAgreement): Standing => {
  if (one.kind !== "reserve") return one
  const balance = one.balance.map(({ next_release_at: next, ...figures }) => ({
    ...figures,
    nextReleaseAt: next ?? null,
  }))
  return { ...one, balance }
}

/** What the page asks for. */
export interface Source {
  readonly owner: () => Promise<PassOwner>
  readonly statement: (period: Period) => Promise<SeenStatement>
  readonly lines: (period: Period, after: string | null) => Promise<LinesPart>
  readonly payouts: () => Promise<ReadonlyArray<SeenPayoutEntry>>
  readonly explanation: (orderId: string) => Promise<Explained>
}

const queryOf = (values: Readonly<Record<string, string | number | null | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size === 0 ? "" : `?${query}`
}

/** The token is sent as a header and nowhere else: addresses are written into logs. */
export const sourceOf = (token: string): Source => {
  const ask = async (path: string) => {
    const response = await fetch(new URL(`../v1/seen${path}`, document.baseURI), {
      headers: { authorization: `Bearer ${token}` },
      cache: "no-store",
      credentials: "omit",
    })
    if (!response.ok) throw new Unanswered(response.status)
    return response.json()
  }
  return {
    owner: async () => (await ask("")).data,
    statement: async ({ from, until }) => {
      const { data } = await ask(`/statement${queryOf({ from, until })}`)
      return { ...data, agreements: data.agreements.map(standingOf) }
    },
    lines: ({ from, until }, after) => ask(`/statement/lines${queryOf({ from, until, after })}`),
    explanation: async (orderId) =>
      (await ask(`/sales/${encodeURIComponent(orderId)}/explanation`)).data,
    payouts: async () => {
      const found: Array<SeenPayoutEntry> = []
      for (let page = 1; ; page += 1) {
        const { data, meta } = await ask(`/payouts${queryOf({ page, per_page: 100 })}`)
        found.push(...data)
        if (page >= meta.last_page) return found
      }
    },
  }
}
