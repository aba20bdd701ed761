/** Why a line has its amount: asked for when somebody wants to know. */
import type { JSX } from "preact"
import { catalogue, moneyText, rateText } from "../../languages/Catalogue.js"
import { wordingFor } from "../../languages/Explanations.js"
import type { english } from "../../languages/english.js"
import { type Phrase, sayIn } from "../../languages/Messages.js"
import type { SeenExplanation } from "../../payouts/SeenExplanation.js"
import { seenItemWords } from "../../payouts/SeenWords.js"
import type { SeenLineView } from "../../wire/Seen.js"
import { Verbatim } from "../parts/Verbatim.js"
import { Said } from "./Said.js"
import type { Explained } from "./Source.js"
import * as State from "./State.js"

type Split = Explained[number]["adjustments"][number]

/** What is explained of one item of a split. */
const explanationOf = (split: Split, itemId: string): SeenExplanation => ({
  orderId: split.order_id,
  currency: split.currency,
  policy: { flatScope: split.flat_scope, shipping: split.shipping },
  items: split.items
    .filter(({ item_id }) => item_id === itemId)
    .map(({ item_id, shares, outranked }) => ({
      itemId: item_id,
      shares: shares.map(({ group_id, base, ...share }) => ({
        ...share,
        groupId: group_id,
        base: base ?? undefined,
      })),
      outranked: outranked.map(({ group_id, by_group_id }) => ({
        groupId: group_id,
        byGroupId: by_group_id,
      })),
    })),
})

const linesOf = (splits: ReadonlyArray<Split>, itemId: string): ReadonlyArray<Phrase> => {
  const wording = wordingFor(State.language.value)
  return splits.flatMap((split) =>
    seenItemWords(explanationOf(split, itemId), wording).flatMap(({ lines }) => lines),
  )
}

/** The share in the currency of the payout, where the order had another. */
const conversion = ({ amount, currency, item }: SeenLineView): ReadonlyArray<Phrase> => {
  if (item === null || item.currency_exchange_rate === null) return []
  const language = State.language.value
  return [
    sayIn<typeof english>(catalogue[language], language)("converted", {
      original: moneyText(item.original_amount, item.original_currency, language),
      rate: rateText(item.currency_exchange_rate, language),
      amount: moneyText(amount, currency, language),
    }),
  ]
}

const Sentences = ({ phrases }: { readonly phrases: ReadonlyArray<Phrase> }): JSX.Element => (
  <>
    {phrases.map((phrase) => (
      <p>
        <Said phrase={phrase} />
      </p>
    ))}
  </>
)

const Answer = ({
  line,
  orderId,
  itemId,
}: {
  readonly line: SeenLineView
  readonly orderId: string
  readonly itemId: string
}): JSX.Element => {
  const { loading, whyFailed, splitAgain } = catalogue[State.language.value]
  const found = State.explained.value.get(orderId) ?? "loading"
  if (typeof found === "string") {
    return <p role="status">{found === "failed" ? whyFailed : loading}</p>
  }
  if (line.kind === "adjustment") {
    return (
      <>
        <p>{splitAgain}</p>
        <Sentences
          phrases={linesOf(
            found.flatMap(({ adjustments }) => adjustments.slice(-1)),
            itemId,
          )}
        />
      </>
    )
  }
  return <Sentences phrases={[...linesOf(found, itemId), ...conversion(line)]} />
}

/** Sales and what later splits changed have an explanation; other lines say what they are. */
export const Why = ({ line }: { readonly line: SeenLineView }): JSX.Element | null => {
  const sold = line.item?.order_item ?? null
  if (sold === null || (line.kind !== "sale" && line.kind !== "adjustment")) return null
  const { order_id: orderId, item_id: itemId } = sold
  return (
    <details
      class="why"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void State.explain(orderId)
      }}
    >
      <summary>
        {catalogue[State.language.value].why}
        <span class="spoken">
          : <Verbatim text={sold.product.name || sold.item_id} />
        </span>
      </summary>
      <Answer line={line} orderId={orderId} itemId={itemId} />
    </details>
  )
}
