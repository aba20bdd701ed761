/** What a draft of a product group takes, and what the linter says of the rules with it. */
import { Fragment } from "preact"
import { Verbatim } from "../parts/Verbatim.js"
import { counted, figure } from "./Amount.js"
import type { Single } from "./Answers.js"
import type { Loaded } from "./Load.js"
import { Id, Name } from "./Name.js"
import { Badge } from "./Notice.js"
import { link } from "./Route.js"

/** A finding of the linter. */
interface RuleFinding {
  readonly rule: string
  readonly severity: string
  readonly message: string
  readonly group_ids: ReadonlyArray<string>
  readonly is_new?: boolean
}

/** What the API says of a draft. */
export interface DraftCheck {
  /** How findings name the draft; `null`: it would be removed. */
  readonly group_id: string | null
  /** `null`: the group would be removed. */
  readonly products_count: number | null
  readonly products_are_whole: boolean
  readonly products_before: number | null
  readonly products: ReadonlyArray<{ readonly id: string; readonly name: string | null }>
  readonly findings: ReadonlyArray<RuleFinding>
  readonly gone: ReadonlyArray<RuleFinding>
  readonly checked: "all" | "collaborator" | "none"
}

const Taken = ({ of }: { of: DraftCheck }) => {
  const count = of.products_count ?? 0
  const isOther = of.products_before !== null && of.products_before !== count
  return (
    <>
      <p>
        It takes{" "}
        <strong>
          {of.products_are_whole ? "" : "at least "}
          {counted(count, "product")}
        </strong>
        {isOther && ` (now ${figure(of.products_before ?? 0)})`}.
      </p>
      {of.products.length > 0 && (
        <ul>
          {of.products.map(({ id, name }) => (
            <li key={id}>
              <Name name={name} id={id} />
            </li>
          ))}
          {count > of.products.length && <li>and {figure(count - of.products.length)} more</li>}
        </ul>
      )}
    </>
  )
}

export const FindingList = ({ of }: { of: ReadonlyArray<RuleFinding> }) => (
  <ul class="findings">
    {of.map(({ rule, severity, message, group_ids, is_new }, index) => (
      <li key={`${index}`}>
        <Badge of={severity} /> {is_new === true && <strong>new: </strong>}
        <Verbatim text={message} most={600} />{" "}
        <span class="faint">
          <Id of={rule} />
          {group_ids.slice(0, 3).map((id) => (
            <Fragment key={id}>
              {" "}
              <a href={link(["groups", id])}>
                <Id of={id} />
              </a>
            </Fragment>
          ))}
        </span>
      </li>
    ))}
  </ul>
)

const most = 20

const unchecked = {
  collaborator: "There are many rules: the linter has looked at this collaborator’s alone.",
  none: "There are too many rules for the linter to look at while one types.",
} as const

/** Whether a finding is about the draft, and not about other rules alone. */
const isOwn = (finding: RuleFinding, id: string | null): boolean =>
  finding.is_new === true || (id !== null && finding.group_ids.includes(id))

const Findings = ({ of: { group_id, findings, gone, checked } }: { of: DraftCheck }) => {
  const own = findings.filter((one) => isOwn(one, group_id))
  const others = findings.filter((one) => !isOwn(one, group_id))
  return (
    <>
      {own.length === 0 ? (
        <p>The linter has nothing to say of this group.</p>
      ) : (
        <FindingList of={own.slice(0, most)} />
      )}
      {own.length > most && <p class="faint">and {own.length - most} more</p>}
      {gone.length > 0 && (
        <>
          <h3>What it would mend</h3>
          <FindingList of={gone.slice(0, most)} />
        </>
      )}
      {others.length > 0 && (
        <details>
          <summary>{counted(others.length, "finding")} of other groups</summary>
          <FindingList of={others.slice(0, most)} />
        </details>
      )}
      {checked !== "all" && <p class="faint">{unchecked[checked]}</p>}
    </>
  )
}

export const GroupFindings = ({
  check: { value, isLoading },
  hasProblems,
}: {
  check: Loaded<Single<DraftCheck>>
  hasProblems: boolean
}) => (
  <section class="sheet" aria-label="What it takes" aria-busy={isLoading}>
    <h2>What it takes</h2>
    <div role="status">
      {value === undefined || hasProblems ? (
        <p class="faint">
          {hasProblems
            ? "Shown as soon as the form is right."
            : "Fill in the form: what the group takes, and what the linter says, is shown here."}
        </p>
      ) : (
        <>
          <Taken of={value.data} />
          <Findings of={value.data} />
        </>
      )}
    </div>
  </section>
)
