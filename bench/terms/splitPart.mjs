// A part: orders split without terms and with them, so many groups of a percentage each on every line.
import { isDeepStrictEqual } from "node:util"
import { CountedRules, CountedSplit, Counters, RuleSet, Split } from "../../dist/index.js"
import { compareAnswers, race } from "../measure.mjs"
import { answerPart, partArguments } from "../parts.mjs"

const { payees, items, before, rounds, seconds } = partArguments()

const percent = payees > 4 ? "1.25" : "5.25"
const groupsWith = (fields) =>
  Array.from({ length: payees }, (_, index) => ({
    id: `group-${index}`,
    collaboratorId: `collaborator-${index}`,
    link: { type: "products.all" },
    ...fields,
  }))

/** Both bands have the percentage that is paid without them, so that all answers are the same. */
const tiers = (counted, from, period = "lifetime") => ({
  terms: {
    tiers: {
      counted,
      period,
      bands: [
        { from: 0, percent },
        { from, percent },
      ],
    },
  },
})

const orders = Array.from({ length: 200 }, (_, order) => ({
  id: `${order}`,
  currency: "USD",
  createdAt: 1_767_225_600 + order * 3_600,
  items: Array.from({ length: items }, (_, item) => ({
    id: `${item}`,
    product: { id: `product-${(order * 7 + item) % 50}` },
    quantity: 1 + (order % 5),
    amount: 1_000 + ((order * 37 + item * 11) % 9_000),
  })),
}))

const amounts = (split) => split.shares.map(({ amount }) => amount)

const withoutTerms = (library) => {
  const rules = library.RuleSet.make(groupsWith({ percent }))
  return () => orders.map((order) => library.Split.order(rules, order))
}

const withTerms = (fields) => {
  const rules = CountedRules.make(groupsWith(fields))
  return () =>
    [...CountedSplit.orders(rules, orders, Counters.tally())].map(({ success }) => success)
}

const inTwoBands = 2 ** 40

/**
 * The limits: the least that counts and records it, by hand, for these rules and no others. They know that each group has a
 * counter of its own, in two bands of which an item never passes both, and that no cap is ever reached.
 *
 * @param record - notes in a share what was counted
 */
const byHand = (record) => {
  const rules = RuleSet.make(groupsWith({ percent }))
  return () => {
    const counts = new Map()
    return orders.map((order) => {
      const split = Split.order(rules, order)
      const units = new Map(order.items.map(({ id, quantity }) => [id, quantity]))
      for (const share of split.shares) record(share, units.get(share.itemId), counts, order)
      return split
    })
  }
}

const goesOn = (counts, counter, counted) => {
  const before = counts.get(counter) ?? 0
  const after = before + counted
  if (!Number.isSafeInteger(after)) throw new RangeError(counter)
  counts.set(counter, after)
  return { before, after }
}

const recordTiers = (share, { counted, bands }, counts, counter, length) => {
  const { before, after } = goesOn(counts, counter, length)
  const { from } = before < bands[1].from ? bands[0] : bands[1]
  share.percent = null
  share.terms = {
    tiers: { counted, counter, before, after, bands: [{ from, percent, counted: length }] },
    cap: null,
  }
}

const unitsByHand = () => {
  const terms = tiers("units", 1_000_000).terms.tiers
  const keys = new Map(groupsWith({}).map(({ id }) => [id, `units/USD/lifetime/group/${id}`]))
  return byHand((share, units, counts) => {
    recordTiers(share, terms, counts, keys.get(share.groupId), units)
  })
}

const sharesByHand = () => {
  const terms = tiers("share", inTwoBands).terms.tiers
  let month
  let keys = new Map()
  return byHand((share, _units, counts, { createdAt }) => {
    const date = new Date(createdAt * 1_000)
    const now = date.getUTCFullYear() * 12 + date.getUTCMonth()
    if (now !== month) {
      month = now
      const name = date.toISOString().slice(0, 7)
      keys = new Map(groupsWith({}).map(({ id }) => [id, `share/USD/${name}/group/${id}`]))
    }
    const goods = share.amount - share.shippingAmount
    recordTiers(share, terms, counts, keys.get(share.groupId), goods)
  })
}

const capByHand = () => {
  const keys = new Map(groupsWith({}).map(({ id }) => [id, `share/USD/lifetime/group/${id}`]))
  return byHand((share, _units, counts) => {
    const counter = keys.get(share.groupId)
    const { before, after } = goesOn(counts, counter, share.amount - share.shippingAmount)
    share.terms = {
      tiers: null,
      cap: { counter, amount: inTwoBands, before, after, left: inTwoBands - after, cut: 0 },
    }
  })
}

const library = { RuleSet, Split }
const contenders = Object.entries({
  "Split.order": withoutTerms(library),
  ...(before === undefined ? {} : { "Split.order, before": withoutTerms(await import(before)) }),
  "CountedSplit, no terms": withTerms({ percent }),
  "tiers by units, by hand": unitsByHand(),
  "tiers by units": withTerms(tiers("units", 1_000_000)),
  "tiers by money": withTerms(tiers("base", inTwoBands)),
  "tiers by share, of a month, by hand": sharesByHand(),
  "tiers by share, of a month": withTerms(tiers("share", inTwoBands, "month")),
  "a cap, by hand": capByHand(),
  "a cap": withTerms({ percent, terms: { cap: { amount: inTwoBands } } }),
  "tiers and a cap": withTerms({
    terms: { ...tiers("units", 1_000_000).terms, cap: { amount: inTwoBands } },
  }),
})

// By hand the record is the same, too.
const sharesOf = (title) => {
  const [, splits] = contenders.find(([name]) => name === title)
  return splits().map(({ shares }) => shares)
}
for (const title of ["tiers by units", "tiers by share, of a month", "a cap"]) {
  if (!isDeepStrictEqual(sharesOf(`${title}, by hand`), sharesOf(title))) {
    throw new Error(`${title}: counted by hand, the shares have another record`)
  }
}

await compareAnswers(
  contenders.map(([name, splits]) => ({ name, answers: () => splits().map(amounts) })),
)
// Long before the short rounds, the compiler knows all of them.
for (const [, run] of contenders) {
  const until = performance.now() + 1_500
  while (performance.now() < until) run()
}
const results = await race(
  contenders.map(([name, run]) => ({ name, lines: orders.length * items, run })),
  { rounds, seconds, collects: false },
)
answerPart({ results })
