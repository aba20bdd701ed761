/** A sale: what was sold, who got what and why, and what was refunded. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { counted, difference, money } from "./Amount.js"
import type { ExplainedPart, Single, ViewedSale } from "./Answers.js"
import { NameOf } from "./Collaborators.js"
import { path } from "./Connection.js"
import { useLoad } from "./Load.js"
import { WholeTable } from "./LongTable.js"
import { Id, Lines, Name, plain } from "./Name.js"
import { Shown } from "./Notice.js"
import { RefundForm } from "./RefundForm.js"
import { link } from "./Route.js"
import { sharesOf, storeOf } from "./Sales.js"
import { may, Needs } from "./Scopes.js"
import { date, moment } from "./Time.js"

type SoldItem = ExplainedPart["order"]["items"][number]
type Posted = ExplainedPart["shares"][number]

const ItemName = ({ part, id }: { part: ExplainedPart; id: string }) => {
  const item = part.order.items.find(({ external_id }) => external_id === id)
  return <Name name={item?.product.name} id={item?.product.id ?? id} />
}

const isRefunded = (part: ExplainedPart, { external_id }: SoldItem): boolean =>
  part.refunds.some((one) => one.item_id === external_id && one.fully_refunded)

const Items = (given: { part: ExplainedPart; refund: (item: SoldItem) => void }) => {
  const { part, refund } = given
  const { currency, items } = part.order
  return (
    <WholeTable
      caption="What was sold"
      columns={[
        { heading: "Item", cell: ({ product }) => <Name name={product.name} id={product.id} /> },
        { heading: "Units", isFigure: true, cell: ({ quantity }: SoldItem) => quantity },
        { heading: "Price", isFigure: true, cell: ({ amount }) => money(amount, currency) },
        {
          heading: "Discount",
          isFigure: true,
          cell: ({ discount }) => (discount === 0 ? "–" : money(discount, currency)),
        },
        {
          heading: "Tax",
          isFigure: true,
          cell: ({ tax_total }) => (tax_total === null ? "–" : money(tax_total, currency)),
        },
        {
          heading: "Refund",
          cell: (item) =>
            isRefunded(part, item) ? (
              <span class="faint">refunded</span>
            ) : !may("record") ? (
              "–"
            ) : (
              <Button
                kind="plain"
                name={`Refund ${plain(item.product.name ?? item.product.id)}…`}
                onPress={() => refund(item)}
              >
                Refund…
              </Button>
            ),
        },
      ]}
      rows={items}
      keyOf={({ external_id }) => external_id}
    />
  )
}

/** As `800 units at 10 %, 200 units at 15 %`. */
const bandsOf = ({ terms }: Posted, currency: string): ReadonlyArray<string> => {
  const { tiers } = terms ?? {}
  return (tiers?.bands ?? []).map(({ counted: count, percent }) => {
    const part = tiers?.counted === "units" ? counted(count, "unit") : money(count, currency)
    return `${part} at ${Number(percent)} %`
  })
}

/** What a group pays of an item; nothing where it pays of the shipping alone. */
const earnedOf = (share: Posted, currency: string): ReadonlyArray<string> => {
  const { percent, flat_amount: flat, base } = share
  return [
    ...bandsOf(share, currency),
    ...(Number(percent ?? 0) === 0 ? [] : [`${Number(percent)} % of ${money(base, currency)}`]),
    ...((flat ?? 0) === 0 ? [] : [`${money(flat ?? 0, currency)} a unit`]),
  ]
}

/** How a share came about: what its group pays, and what limits, shipping and too many shares change about that. */
const wayOf = (part: ExplainedPart, share: Posted): string => {
  const { currency } = part.order
  const steps = part.explanation
    .find(({ item_id }) => item_id === share.item_id)
    ?.shares.find(({ group_id }) => group_id === share.group_id)?.steps
  const others = (steps ?? [])
    .filter(({ what }) => what !== "percent" && what !== "flat")
    .map(({ what, amount }) => `${what} ${difference(amount, currency)}`)
  return [...earnedOf(share, currency), ...others].join(", ")
}

const Shares = ({ part }: { part: ExplainedPart }) => {
  const { currency } = part.order
  return (
    <WholeTable
      caption="Who got what"
      empty="Nobody has a share: all of it is the store’s."
      columns={[
        { heading: "Collaborator", cell: (one) => <NameOf id={one.collaborator_id} /> },
        { heading: "Of", cell: ({ item_id }) => <ItemName part={part} id={item_id} /> },
        { heading: "How", cell: (one: Posted) => wayOf(part, one) },
        { heading: "Share", isFigure: true, cell: ({ amount }) => money(amount, currency) },
        {
          heading: "By group",
          cell: ({ group_id }) => (
            <a href={link(["groups", group_id])}>
              <Id of={group_id} />
            </a>
          ),
        },
        {
          heading: "In payout",
          cell: ({ payout_id }) => (
            <a href={link(["payouts", payout_id])}>
              <Id of={payout_id} />
            </a>
          ),
        },
      ]}
      rows={part.shares}
      keyOf={({ item_id, group_id }) => `${item_id} ${group_id}`}
    />
  )
}

/** What re-splits changed, a row for each share that they changed. */
const Adjustments = ({ part }: { part: ExplainedPart }) => {
  const rows = (part.adjustments ?? []).flatMap(({ run_id, recorded_at, shares }) =>
    shares.map((share) => ({ ...share, run_id, recorded_at })),
  )
  if (rows.length === 0) return null
  return (
    <WholeTable
      caption="Split again"
      columns={[
        { heading: "Split again", cell: ({ recorded_at }) => date(recorded_at) },
        { heading: "Collaborator", cell: (one) => <NameOf id={one.collaborator_id} /> },
        { heading: "Of", cell: ({ item_id }) => <ItemName part={part} id={item_id} /> },
        {
          heading: "Change",
          isFigure: true,
          cell: ({ amount }) => difference(amount, part.order.currency),
        },
        { heading: "By re-split", cell: ({ run_id }) => <Id of={run_id} /> },
      ]}
      rows={rows}
      keyOf={({ run_id, item_id, group_id }) => `${run_id} ${item_id} ${group_id}`}
    />
  )
}

const Refunds = ({ part }: { part: ExplainedPart }) => {
  const { currency } = part.order
  return (
    <WholeTable
      caption="Refunds"
      columns={[
        { heading: "When", cell: ({ refunded_at }) => date(refunded_at) },
        { heading: "Item", cell: ({ item_id }) => <ItemName part={part} id={item_id} /> },
        {
          heading: "Taken back of",
          cell: ({ shares }) =>
            shares.map(({ collaborator_id, group_id, amount }) => (
              <div key={group_id}>
                <NameOf id={collaborator_id} />: {money(amount, currency)}
              </div>
            )),
        },
        { heading: "Store", isFigure: true, cell: ({ store }) => money(store, currency) },
        {
          heading: "Left of the item",
          cell: ({ fully_refunded }) => (fully_refunded ? "nothing" : "a part"),
        },
      ]}
      rows={part.refunds}
      keyOf={({ id }) => id}
    />
  )
}

const Part = ({ part, isOnly }: { part: ExplainedPart; isOnly: boolean }) => {
  const { currency } = part.order
  const [refunded, setRefunded] = useState<SoldItem | undefined>(undefined)
  return (
    <section class="sheet" aria-label={isOnly ? "The sale" : `Part ${part.part}`}>
      <h2>
        {isOnly ? "" : `Part ${part.part}, `}recorded {moment(part.recorded_at)}
      </h2>
      <dl class="tiles">
        <div class="tile">
          <dt>Came in</dt>
          <dd>{money(sharesOf(part) + storeOf(part), currency)}</dd>
        </div>
        <div class="tile">
          <dt>Collaborators’ shares</dt>
          <dd>{money(sharesOf(part), currency)}</dd>
        </div>
        <div class="tile">
          <dt>The store keeps</dt>
          <dd>{money(storeOf(part), currency)}</dd>
        </div>
      </dl>
      <Items part={part} refund={setRefunded} />
      <Needs scope="record" />
      {refunded !== undefined && (
        <RefundForm
          key={refunded.external_id}
          part={part}
          item={refunded}
          close={() => setRefunded(undefined)}
        />
      )}
      <Shares part={part} />
      <Adjustments part={part} />
      <details>
        <summary>Why, in words</summary>
        <Lines of={part.text} />
      </details>
      {part.refunds.length > 0 && <Refunds part={part} />}
    </section>
  )
}

export const Sale = ({ id }: { id: string }) => {
  const sale = useLoad<Single<ViewedSale>>(path("sales", id))
  return (
    <>
      <p class="trail">
        <a href={link(["sales"])}>Sales</a>
      </p>
      <h1 tabIndex={-1}>
        Sale <Name name={sale.value?.data.parts[0]?.order.name} id={id} />
      </h1>
      <Shown of={sale}>
        {({ data }) =>
          data.parts.map((part) => (
            <Part key={part.part} part={part} isOnly={data.parts.length === 1} />
          ))
        }
      </Shown>
    </>
  )
}
