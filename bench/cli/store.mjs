// A store with many collaborators, made up from a seed and written to a folder: groups, orders of a year in the order
// of their times, collaborators, refunds, expenses and rates.
import { once } from "node:events"
import { createWriteStream, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeDice } from "../workload.mjs"

const newYear = 1_735_689_600
const year = 365 * 86_400
const currencies = ["USD", "USD", "USD", "EUR", "JPY"]

const percentage = (percent) => ({ type: "percentage", percentage: percent.toFixed(2) })

/** A collaborator's vendor; of every third one a tag as well, with a blog that sends buyers. */
const groupsOf = (index, id) => [
  {
    ...{ id: `${id}-vendor`, collaborator_id: id, itemType: "products.vendor" },
    ...{ items: [`vendor ${index}`], ...percentage(10 + (index % 15)) },
  },
  ...(index % 3 === 0
    ? [
        {
          ...{ id: `${id}-tag`, collaborator_id: id, itemType: "products.tag" },
          ...{ items: [`theme ${index % 200}`], ...percentage(2 + (index % 2)) },
          ...{ splitConditionType: "referer", splitConditions: [`blog-${index % 50}`] },
        },
      ]
    : []),
]

const measurements = ["month", "week", "monthly_date", "day"]

const collaboratorOf = (index, id) => ({
  ...{ id, currency: index % 5 === 0 ? "EUR" : "USD" },
  ...{ payout_measurement: measurements[index % 4], payout_frequency: (index % 20) + 1 },
  ...{ payout_threshold: (index % 3) * 2_500, payout_holding_days: (index % 4) * 5 },
  ...{ email: `${id}@example.com`, account: { name: `Studio ${index} & Co` } },
})

const itemOf = (dice, { id, collaborators }) => {
  const product = dice.below(collaborators * 12)
  return {
    ...{ external_id: id, amount: 500 + dice.below(20_000), quantity: 1 + dice.below(3) },
    ...{ discount: dice.chance(0.2) ? dice.below(100) : 0 },
    product: {
      ...{ id: `p${product}`, name: `Print ${product}, signed`, sku: `SKU-${product}`, price: 900 },
      vendor: `vendor ${product % collaborators}`,
      tags: [`theme ${product % 200}`, `size ${product % 7}`],
    },
  }
}

const orderOf = (dice, index, { orders, items, collaborators }) => ({
  ...{ id: `${7_000_000 + index}`, currency: dice.among(currencies) },
  created_at: newYear + Math.floor((index * year) / orders),
  ...{ referer: dice.chance(0.3) ? `blog-${dice.below(50)}` : null, billing_country: "US" },
  shipping_amount: dice.below(900),
  items: Array.from({ length: items }, (_, at) => itemOf(dice, { id: `${at + 1}`, collaborators })),
})

const refundOf = (dice, order) => {
  const { external_id, quantity } = dice.among(order.items)
  const refunded_at = order.created_at + dice.below(60 * 86_400)
  return {
    order_id: order.id,
    item_id: external_id,
    quantity: 1 + dice.below(quantity),
    refunded_at,
  }
}

const entryOf = (dice, id) => ({
  ...{ collaborator_id: id, kind: dice.chance(0.5) ? "expense" : "income" },
  ...{ amount: 100 + dice.below(5_000), name: `Entry of ${id}`, at: newYear + dice.below(year) },
})

const rates = [
  ["EUR", "USD", "1.0837"],
  ["USD", "EUR", "0.9228"],
  ["JPY", "USD", "0.0067"],
  ["JPY", "EUR", "0.0061"],
].map(([from, to, rate]) => ({ from, to, rate, from_date: "2024-01-01" }))

/**
 * Everybody's percentages, the store's partners for everything among them: a group of theirs pays on each item, so that
 * an item has as many shares as there are partners, and those of its vendor and tags.
 */
const partnersOf = (count) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `partner${index}-all`, collaborator_id: `partner${index}`, itemType: "products.all" },
    ...{ items: [], ...percentage(1 + index / 4) },
  }))

/** The same groups with other percentages, for a backtest. */
const changed = (groups) =>
  groups.map((group, index) =>
    index % 4 === 0 ? { ...group, percentage: (Number(group.percentage) * 0.9).toFixed(2) } : group,
  )

/** Writes the store's files into a folder. */
export const writeStore = async (folder, { orders, collaborators, partners, items, seed }) => {
  const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value))
  const dice = makeDice(seed)
  const ids = Array.from({ length: collaborators }, (_, index) => `studio${index}`)
  const partnerGroups = partnersOf(partners)
  const groups = [...ids.flatMap((id, index) => groupsOf(index, id)), ...partnerGroups]
  const people = [...ids, ...partnerGroups.map(({ collaborator_id }) => collaborator_id)]
  write("groups.json", groups)
  write("groups-next.json", changed(groups))
  write(
    "collaborators.json",
    people.map((id, index) => collaboratorOf(index, id)),
  )
  write("rates.json", rates)
  write("policy.json", { over_allocation: "scale", time_zone: "Europe/Berlin" })
  write(
    "entries.json",
    people.flatMap((id) => [entryOf(dice, id), entryOf(dice, id)]),
  )
  const refunds = []
  const stream = createWriteStream(join(folder, "orders.ndjson"))
  let pieces = ""
  for (let index = 0; index < orders; index += 1) {
    const order = orderOf(dice, index, { orders, items, collaborators })
    if (dice.chance(0.03)) refunds.push(refundOf(dice, order))
    pieces += `${JSON.stringify(order)}\n`
    if (pieces.length < 1 << 20) continue
    if (!stream.write(pieces)) await once(stream, "drain")
    pieces = ""
  }
  stream.end(pieces)
  await once(stream, "close")
  write("refunds.json", refunds)
}
