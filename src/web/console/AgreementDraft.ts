/** An agreement while it is filled in, and as a request takes it. */
import type { AgreementForm, AgreementRow } from "./Answers.js"
import { dayEnd, dayOf, dayStart, keptTime, now } from "./Time.js"
import { linesOf } from "./ValueLines.js"

export const agreementKinds = [
  ["advance", "An advance"],
  ["reserve", "A reserve"],
  ["guarantee", "A guarantee"],
  ["override", "An override"],
] as const

export type AgreementKind = (typeof agreementKinds)[number][0]

/** A part of a reserve, and after how many days it is released. */
export interface ReleaseDraft {
  readonly days: number | null
  readonly percent: string | null
}

/** The fields of every kind; those of other kinds stay as they are while another one is chosen. */
export interface AgreementDraft {
  readonly kind: AgreementKind
  readonly id: string
  readonly collaborator: string
  readonly currency: string
  readonly amount: number | null
  readonly percent: string | null
  readonly purpose: "advance" | "expense"
  /** Days, as `2026-03-01`. */
  readonly grantedOn: string
  readonly from: string
  readonly until: string
  /** The times that these days were filled in with, if it is stored. */
  readonly stored: { readonly [Name in "grantedOn" | "from" | "until"]?: number }
  /** A value a line. */
  readonly groups: string
  readonly alsoFrom: string
  readonly releases: ReadonlyArray<ReleaseDraft>
  readonly of: "share" | "sale"
  /** Whose share an override is of. */
  readonly other: string
  readonly paidBy: "share" | "store"
}

export const emptyAgreement = (): AgreementDraft => ({
  kind: "advance",
  ...{ id: "", collaborator: "", currency: "", amount: null, percent: null, purpose: "advance" },
  ...{ grantedOn: dayOf(now()), from: dayOf(now()), until: "", groups: "", alsoFrom: "" },
  stored: {},
  releases: [{ days: 90, percent: "100.00" }],
  ...{ of: "share", other: "", paidBy: "share" },
})

/** What a stored agreement is filled in with. */
export const agreementDraftOf = (row: AgreementRow): AgreementDraft => {
  const draft: AgreementDraft = {
    ...emptyAgreement(),
    kind: row.kind,
    id: row.agreement.id,
    collaborator: row.agreement.collaborator_id,
    groups: (row.agreement.groups ?? []).join("\n"),
  }
  switch (row.kind) {
    case "advance": {
      const { currency, amount, percent, purpose, granted_at, also_from } = row.agreement
      const grantedOn = dayOf(granted_at)
      return {
        ...draft,
        currency,
        amount,
        percent,
        purpose,
        grantedOn,
        stored: { grantedOn: granted_at },
        alsoFrom: also_from.join("\n"),
      }
    }
    case "reserve":
      return { ...draft, percent: row.agreement.percent, releases: row.agreement.schedule }
    case "guarantee": {
      const { currency, amount, from, until } = row.agreement
      const stored = { from, until: until - 1 }
      return { ...draft, currency, amount, from: dayOf(from), until: dayOf(until - 1), stored }
    }
    case "override": {
      const { of, from, paid_by: paidBy, percent } = row.agreement
      return { ...draft, of, other: from ?? "", paidBy, percent }
    }
  }
}

const common = ({ id, collaborator, groups }: AgreementDraft) => ({
  id: id.trim(),
  collaborator_id: collaborator,
  groups: linesOf(groups).length === 0 ? null : linesOf(groups),
})

const timeOfDay = (
  draft: AgreementDraft,
  name: keyof AgreementDraft["stored"],
  timeOf: (day: string) => number | undefined,
): number => keptTime(draft[name], draft.stored[name], { fieldOf: dayOf, timeOf }) ?? 0

/** What a request takes. What is missing is looked for by {@link missingInAgreement} first. */
export const agreementRequestOf = (draft: AgreementDraft): AgreementForm => {
  const { kind, currency, percent } = draft
  const amount = draft.amount ?? 0
  if (kind === "advance") {
    const { purpose, alsoFrom } = draft
    const agreement = { ...common(draft), currency, amount, purpose, also_from: linesOf(alsoFrom) }
    return {
      kind,
      agreement: { ...agreement, granted_at: timeOfDay(draft, "grantedOn", dayStart), percent },
    }
  }
  if (kind === "reserve") {
    const schedule = draft.releases.map(({ days, percent }) => ({
      days: days ?? 0,
      percent: percent ?? "",
    }))
    return { kind, agreement: { ...common(draft), percent: percent ?? "", schedule } }
  }
  if (kind === "guarantee") {
    const from = timeOfDay(draft, "from", dayStart)
    const until = timeOfDay(draft, "until", dayEnd) + 1
    return { kind, agreement: { ...common(draft), currency, amount, from, until } }
  }
  const { of, other, paidBy } = draft
  const from = of === "share" && other !== "" ? other : null
  const agreement = { ...common(draft), of, from, paid_by: paidBy, percent: percent ?? "" }
  return { kind, agreement }
}

export type AgreementProblems = Readonly<Record<string, string>>

const needed = "is needed"

/** What is still to be filled in, by field. */
export const missingInAgreement = (draft: AgreementDraft): AgreementProblems => {
  const { kind } = draft
  const hasAmount = kind === "advance" || kind === "guarantee"
  const isMissing: ReadonlyArray<readonly [name: string, is: boolean, text?: string]> = [
    ["id", draft.id.trim() === ""],
    ["collaborator", draft.collaborator === "", "choose with whom it is agreed"],
    ["amount", hasAmount && draft.amount === null],
    ["currency", hasAmount && !/^[A-Z]{3}$/.test(draft.currency), "needs three letters, as EUR"],
    ["percent", (kind === "reserve" || kind === "override") && draft.percent === null],
    ["grantedOn", kind === "advance" && dayStart(draft.grantedOn) === undefined],
    ["from", kind === "guarantee" && dayStart(draft.from) === undefined],
    ["until", kind === "guarantee" && dayEnd(draft.until) === undefined],
    ["other", kind === "override" && draft.of === "share" && draft.other === "", "choose whose"],
  ]
  const releases = kind === "reserve" ? draft.releases : []
  return {
    ...Object.fromEntries(
      isMissing.flatMap(([name, is, text = needed]) => (is ? [[name, text]] : [])),
    ),
    ...Object.fromEntries(
      releases.flatMap(({ days, percent }, place) => [
        ...(days === null ? [[`schedule[${place}].days`, needed]] : []),
        ...(percent === null ? [[`schedule[${place}].percent`, needed]] : []),
      ]),
    ),
  }
}

/** The field that a problem of the API is about, where it has another name there. */
const fields: Readonly<Record<string, string>> = {
  collaborator_id: "collaborator",
  granted_at: "grantedOn",
  also_from: "alsoFrom",
  paid_by: "paidBy",
}

/** The problems of each field; those of a list's entries have their place in it. */
export const problemsOfAgreement = (
  errors: Readonly<Record<string, ReadonlyArray<string>>>,
  kind: AgreementKind,
): AgreementProblems =>
  Object.fromEntries(
    Object.entries(errors).map(([name, texts]) => {
      const path = name.replace(/^agreement\./, "")
      const [top = ""] = path.split(/[.[]/)
      if (kind === "override" && top === "from") return ["other", texts.join("; ")]
      return [fields[top] ?? (top === "schedule" ? path : top), texts.join("; ")]
    }),
  )
