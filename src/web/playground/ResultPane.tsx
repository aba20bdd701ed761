/** What happens to the order: pictures, figures, words, and who gets nothing. */
import { useSignal } from "@preact/signals"
import type { JSX } from "preact"
import type { NearMisses } from "../../shares/Explanation.js"
import { Button } from "../parts/Button.js"
import { Money } from "../parts/Money.js"
import { Table } from "../parts/Table.js"
import { Tabs } from "../parts/Tabs.js"
import { Verbatim } from "../parts/Verbatim.js"
import type { Answer, PlacedProblem } from "./Answer.js"
import { CheckView } from "./CheckView.js"
import { CompareView } from "./CompareView.js"
import { CountedTable } from "./CountedPane.js"
import { coloursOf, isDrawable } from "./FlowLayout.js"
import { FlowPicture } from "./FlowPicture.js"
import * as State from "./State.js"

/** As many items have a picture at once; the others when they are asked for. */
const firstItems = 5

const mostProblems = 12

const places = {
  groups: "Groups",
  order: "Order",
  policy: "Policy",
  counters: "Counted before",
} as const

const Problems = ({
  problems,
}: {
  readonly problems: ReadonlyArray<PlacedProblem>
}): JSX.Element => (
  <div class="notice notice-bad" data-view="problems">
    <p>
      The order can't be split like this
      {State.latest.value === undefined ? "." : "; below is the last result."}
    </p>
    <ul>
      {problems.slice(0, mostProblems).map(({ place, path, message }) => (
        <li key={`${place} ${path} ${message}`}>
          {places[place]} <Verbatim text={path} />: <Verbatim text={message} most={400} />
        </li>
      ))}
    </ul>
    {problems.length > mostProblems && <p>And {problems.length - mostProblems} more.</p>}
  </div>
)

/** Who gets how much of the whole order. */
const Totals = ({ answer }: { readonly answer: Answer }): JSX.Element => {
  const { split, order } = answer
  const byCollaborator = Map.groupBy(split.shares, ({ collaboratorId }) => collaboratorId)
  const sum = (amounts: ReadonlyArray<{ readonly amount: number }>) =>
    amounts.reduce((total, { amount }) => total + BigInt(amount), 0n)
  const rows = [...byCollaborator].map(([id, shares]) => ({
    id,
    name: <Verbatim text={id} most={60} />,
    groups: [...new Set(shares.map(({ groupId }) => groupId))].slice(0, 5),
    amount: sum(shares),
  }))
  const store = { id: "\u0000store", name: <em>Store</em>, groups: [], amount: sum(split.store) }
  return (
    <Table
      caption="Who gets how much"
      rows={[...rows, store]}
      keyOf={({ id }) => id}
      columns={[
        { heading: "Who", cell: ({ name }) => name },
        {
          heading: "By group",
          cell: ({ groups }) =>
            groups.map((id, index) => (
              <span key={id}>
                {index > 0 && ", "}
                <Verbatim text={id} most={60} />
              </span>
            )),
        },
        {
          heading: "Amount",
          isFigure: true,
          cell: ({ amount }) => <Money cents={amount} currency={order.currency} />,
        },
      ]}
    />
  )
}

const Pictures = ({ answer }: { readonly answer: Answer }): JSX.Element => {
  const shown = useSignal(firstItems)
  const { items, currency } = answer.explanation
  const colours = coloursOf(items)
  return (
    <>
      {items.slice(0, shown.value).map((item) => (
        <section key={item.itemId} class="item-flow">
          <h3>
            Item <Verbatim text={item.itemId} most={40} />
          </h3>
          {isDrawable(item) ? (
            <FlowPicture item={item} currency={currency} colours={colours} />
          ) : (
            <p class="faint">
              It brings in <Money cents={item.distributable} currency={currency} />, with amounts
              below zero or none at all: there is nothing to draw. The figures are below.
            </p>
          )}
        </section>
      ))}
      {items.length > shown.value && (
        <Button
          onPress={() => {
            shown.value += 20
          }}
        >
          Show more of the {items.length} items
        </Button>
      )}
    </>
  )
}

/** Most letters of the explanation; the command line writes it whole. */
const mostText = 20_000

const Words = ({ answer: { text } }: { readonly answer: Answer }): JSX.Element => (
  <div class="words" data-view="words">
    {text
      .slice(0, mostText)
      .split("\n")
      .map((line, place) => ({ line, key: `line ${place}` }))
      .map(({ line, key }) => (
        <p key={key} class={line.startsWith("  ") ? "inner" : "outer"}>
          <Verbatim text={line.trim()} most={600} />
        </p>
      ))}
    {text.length > mostText && <p class="faint">The text goes on: this order has many items.</p>}
  </div>
)

const otherReasons = {
  link: "are for other products",
  condition: "are for other orders",
  "out of date": "are not in force",
  outranked: "are outranked",
  zero: "pay nothing",
} as const

const reasons: ReadonlyArray<keyof typeof otherReasons> = [
  ...(["link", "condition", "out of date", "outranked", "zero"] as const),
]

const Missed = ({ missed }: { readonly missed: NearMisses }): JSX.Element => (
  <section>
    <h3>
      Item <Verbatim text={missed.itemId} most={40} />
    </h3>
    <ul class="plain">
      {missed.nearest.map(({ groupId, collaboratorId, message }) => (
        <li key={groupId} class="notice">
          <strong>
            <Verbatim text={groupId} most={60} />
          </strong>{" "}
          of <Verbatim text={collaboratorId} most={60} />: <Verbatim text={message} most={400} />
        </li>
      ))}
      {reasons.map((reason) => {
        const count = missed.others[reason] ?? 0
        return (
          count > 0 && (
            <li key={reason}>
              {count} {missed.nearest.length > 0 ? "others " : "groups "}
              {otherReasons[reason]}.
            </li>
          )
        )
      })}
    </ul>
    {missed.nearest.length === 0 && Object.keys(missed.others).length === 0 && (
      <p>Every group pays a share of this item.</p>
    )}
  </section>
)

const views = [
  { name: "words", label: "In words" },
  { name: "missed", label: "Who gets nothing" },
  { name: "check", label: "Check" },
  { name: "compare", label: "Compare" },
] as const

/** The result. */
export const ResultPane = (): JSX.Element => {
  const chosen = useSignal<(typeof views)[number]["name"]>("words")
  const answer = State.latest.value
  const problems = State.problems.value
  return (
    <section class="result" aria-labelledby="result">
      <h2 id="result" tabIndex={-1}>
        The split
      </h2>
      {problems.length > 0 && <Problems problems={problems} />}
      {answer !== undefined && (
        <div class={problems.length > 0 ? "sheet stale" : "sheet"} data-view="split">
          <Totals answer={answer} />
          <CountedTable answer={answer} />
          <Pictures answer={answer} />
        </div>
      )}
      <div class="sheet">
        <Tabs
          label="More about the split"
          tabs={views}
          chosen={chosen.value}
          onChoose={(name) => {
            chosen.value = name
          }}
        >
          {answer !== undefined && chosen.value === "words" && <Words answer={answer} />}
          {answer !== undefined &&
            chosen.value === "missed" &&
            answer.nearMisses
              .slice(0, 20)
              .map((missed) => <Missed key={missed.itemId} missed={missed} />)}
          {chosen.value === "check" && <CheckView />}
          {chosen.value === "compare" && <CompareView />}
        </Tabs>
      </div>
    </section>
  )
}
