/** Agreements in words: what is agreed, and where each stands. */
import { Fragment } from "preact"
import { Verbatim } from "../parts/Verbatim.js"
import { money } from "./Amount.js"
import type { AgreedTerms, AgreementRow } from "./Answers.js"
import { NameOf } from "./Collaborators.js"
import { date } from "./Time.js"

export const kindWords = {
  advance: "Advance",
  reserve: "Reserve",
  guarantee: "Guarantee",
  override: "Override",
} as const

const percentTold = (percent: string): string => `${Number(percent)} %`

const Groups = ({ of }: { of: ReadonlyArray<string> | null }) =>
  of === null ? null : (
    <>
      {of.length === 1 ? ", of group " : ", of groups "}
      <Verbatim text={of.slice(0, 5).join(", ")} most={200} />
      {of.length > 5 && ` and ${of.length - 5} more`}
    </>
  )

const AdvanceTold = ({ of }: { of: Extract<AgreementRow, { kind: "advance" }>["agreement"] }) => (
  <>
    {money(of.amount, of.currency)} {of.purpose === "advance" ? "granted" : "spent for them"} on{" "}
    {date(of.granted_at)}, earned back from {percentTold(of.percent)} of their shares
    {of.also_from.length > 0 && (
      <>
        {" "}
        and those of{" "}
        {of.also_from.slice(0, 5).map((id, place) => (
          <Fragment key={id}>
            {place > 0 && ", "}
            <NameOf id={id} />
          </Fragment>
        ))}
        {of.also_from.length > 5 && ` and ${of.also_from.length - 5} more`}
      </>
    )}
    <Groups of={of.groups} />
  </>
)

const ReserveTold = ({ of }: { of: Extract<AgreementRow, { kind: "reserve" }>["agreement"] }) => (
  <>
    {percentTold(of.percent)} of their shares are held back:{" "}
    {of.schedule
      .slice(0, 12)
      .map(({ days, percent }) => `${percentTold(percent)} of it for ${days} days`)
      .join(", ")}
    <Groups of={of.groups} />
  </>
)

const GuaranteeTold = ({
  of,
}: {
  of: Extract<AgreementRow, { kind: "guarantee" }>["agreement"]
}) => (
  <>
    At least {money(of.amount, of.currency)} from {date(of.from)} to {date(of.until - 1)}
    <Groups of={of.groups} />
  </>
)

const OverrideTold = ({ of }: { of: Extract<AgreementRow, { kind: "override" }>["agreement"] }) => (
  <>
    {percentTold(of.percent)} of{" "}
    {of.from === null ? (
      "each sale"
    ) : (
      <>
        {of.of === "share" ? "the share" : "the sales"} of <NameOf id={of.from} />
      </>
    )}
    , {of.paid_by === "share" ? "out of that share" : "paid by the store"}
    <Groups of={of.groups} />
  </>
)

/** What is agreed. */
export const AgreementTold = ({ of }: { of: AgreedTerms }) => {
  if (of.kind === "advance") return <AdvanceTold of={of.agreement} />
  if (of.kind === "reserve") return <ReserveTold of={of.agreement} />
  if (of.kind === "guarantee") return <GuaranteeTold of={of.agreement} />
  return <OverrideTold of={of.agreement} />
}

/** Where it stands, a figure a line. */
export const standingOf = (row: AgreementRow): ReadonlyArray<readonly [string, string]> => {
  if (row.kind === "advance") {
    const { currency } = row.agreement
    return [
      ["Earned back", money(row.balance.recouped, currency)],
      ["Open", money(row.balance.open, currency)],
    ]
  }
  if (row.kind === "guarantee") {
    const { currency } = row.agreement
    const { earned, shortfall, is_closed: isClosed } = row.balance
    const lacking = shortfall === null ? "?" : money(shortfall, currency)
    return [
      ["Earned so far", money(earned, currency)],
      [isClosed ? "Paid on top" : "Lacking", lacking],
    ]
  }
  if (row.kind === "reserve") {
    return row.balance.flatMap(({ currency, held, released, next_release_at: next }) => [
      ["Held", money(held, currency)] as const,
      ["Released", money(released, currency)] as const,
      ...(next == null ? [] : [["Next release", date(next)] as const]),
    ])
  }
  return []
}
