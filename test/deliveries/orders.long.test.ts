import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import { isAll } from "../generators/Runs.js"
import { historyOf, randomOf } from "./History.js"
import { open, run, type Sent } from "./Shop.js"
import { books, settle, shopify, take } from "./Simulation.js"

const seed = Number(process.env.APPORTION_SEED ?? Math.floor(Math.random() * 1_000_000))

const fieldOf = ({ body }: Sent, name: string): unknown => Reflect.get(Object(body), name)

const orderOf = (sent: Sent): unknown => {
  if (sent.topic.startsWith("orders/")) return fieldOf(sent, "id")
  return sent.topic.startsWith("refunds/") ? fieldOf(sent, "order_id") : undefined
}

const productsOf = (sent: Sent): ReadonlyArray<unknown> => {
  const lines = fieldOf(sent, "line_items")
  return Array.isArray(lines) ? lines.map((line) => Reflect.get(Object(line), "product_id")) : []
}

/** The deliveries about one order and the products in it, in the order of events. */
const storyOf = (history: ReadonlyArray<Sent>, id: unknown): ReadonlyArray<Sent> => {
  const products = new Set(history.filter((sent) => orderOf(sent) === id).flatMap(productsOf))
  const isOfProduct = (sent: Sent) =>
    sent.topic.startsWith("products/") && products.has(fieldOf(sent, "id"))
  return history.filter((sent) => orderOf(sent) === id || isOfProduct(sent))
}

const endOf = (story: ReadonlyArray<Sent>) =>
  run(
    TestClock.setTime(Date.UTC(2024, 11)).pipe(
      Effect.andThen(open),
      Effect.andThen(Effect.forEach(story, (sent) => take(shopify, sent))),
      Effect.andThen(settle(shopify)),
      Effect.andThen(books),
    ),
  )

/** In another order, and some of them twice. */
const disordered = (random: () => number, story: ReadonlyArray<Sent>): ReadonlyArray<Sent> =>
  [...story, ...story.filter(() => random() < 0.2)]
    .map((sent) => ({ sent, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ sent }) => sent)

// Shuffled among those of a whole shop, few deliveries about one order overtake each other more than once.
test("the deliveries about one order end as the order of events does, in whatever order they come", async () => {
  const history = historyOf(seed, isAll ? 200 : 60)
  const random = randomOf(seed)
  let tried = 0
  for (const id of new Set(history.map(orderOf).filter((id) => id !== undefined))) {
    const story = storyOf(history, id)
    const tidy = await endOf(story)
    // What a platform would not tell, as a refund of more than there is, is for a person, who sees it as it is then.
    if (story.length < 4 || tidy.waiting.length > 0) continue
    for (let time = 0; time < 3; time += 1) {
      const sent = disordered(random, story)
      const topics = sent.map((one) => story.indexOf(one))
      tried += 1
      expect({ seed, id, topics, ...(await endOf(sent)) }).toEqual({ seed, id, topics, ...tidy })
    }
  }
  expect(tried).toBeGreaterThan(isAll ? 200 : 60)
})
