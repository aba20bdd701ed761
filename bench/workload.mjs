// Shops made up from a seed: product groups, and orders with lines that they match.
//
// selective: about 19 groups match a line, whether there are 100 groups or 100,000 (of 10 groups there are as
// many as there can be). A rule set that grows has more tags, vendors and product ids, as a market has that
// takes in more shops. dense: tags and vendors are broad, and a good part of all groups matches a line.

/** A random sequence of numbers from 0 up to 1, the same for the same seed (mulberry32). */
export const sequence = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What is drawn from a random sequence: numbers, entries of lists. */
export const makeDice = (seed) => {
  const next = sequence(seed)
  const below = (bound) => Math.floor(next() * bound)
  const chance = (share) => next() < share
  const among = (list) => list[below(list.length)]
  /** `count` different entries, as far as there are as many. */
  const some = (list, count) => {
    const found = new Set()
    while (found.size < Math.min(count, list.length)) found.add(among(list))
    return [...found]
  }
  return { next, below, chance, among, some }
}

/** How a kind of workload is made; shares are of the groups that grow in number. */
const kinds = {
  selective: {
    everyLine: { all: 4, not: 3 },
    shares: { ids: 0.25, tags: 0.5 },
    matchesBy: { ids: 3.5, tags: 2.5, vendor: 4 },
    shown: 2_000,
  },
  dense: {
    shares: { ids: 0.1, tags: 0.6, all: 0.05, not: 0.1 },
    tags: 20,
    vendors: 10,
    shown: 2_000,
  },
}

const first = Date.UTC(2025, 0, 1) / 1000
const year = 365 * 24 * 3600

const words = [
  "Summer",
  "Print",
  "Café",
  "Limited",
  "Oak",
  "Blue",
  "Gift",
  "Studio",
  "Paper",
  "North",
]
const names = (kind, count) =>
  Array.from({ length: count }, (_, index) => `${words[index % words.length]} ${kind} ${index}`)

const attributes = {
  "order.tag": names("order", 12),
  "customer.tag": names("customer", 12),
  "discount.code": Array.from({ length: 12 }, (_, index) => `SAVE${index}-NOW`),
  "country.code": ["DE", "FR", "US", "GB", "NL", "AT", "CH", "SE", "JP", "CA"],
  referer: Array.from({ length: 12 }, (_, index) => `blog-${index}.example.com/reviews`),
}
const conditionTypes = Object.keys(attributes)

/** How people write the same thing: as it is, in another case, with a space too many. */
const spelled = (text, { next }) => {
  const way = next()
  if (way < 0.8) return text
  if (way < 0.9) return text.toLowerCase()
  return way < 0.97 ? text.toUpperCase() : `${text} `
}

/** How many groups of each kind of link there are, and among how many values they choose. */
const plan = (kind, groups) => {
  const { shares, everyLine, matchesBy, shown } = kinds[kind]
  const all = everyLine === undefined ? shares.all * groups : Math.min(everyLine.all, groups * 0.2)
  const not = everyLine === undefined ? shares.not * groups : Math.min(everyLine.not, groups * 0.2)
  const rest = groups - Math.floor(all) - Math.floor(not)
  const ids = Math.floor(rest * shares.ids)
  const tags = Math.floor(rest * shares.tags)
  const counts = {
    all: Math.floor(all),
    not: Math.floor(not),
    ids,
    tags,
    vendors: rest - ids - tags,
  }
  if (matchesBy === undefined) return { counts, ...kinds[kind], idsOfGroup: () => 200 }
  return {
    counts,
    shown,
    // Each group names two tags or one vendor, so these leave each value with as many groups at every size.
    tags: Math.max(4, Math.round((counts.tags * 2) / matchesBy.tags)),
    vendors: Math.max(2, Math.round(counts.vendors / matchesBy.vendor)),
    idsOfGroup: (catalogue) =>
      Math.max(1, Math.round((catalogue * matchesBy.ids) / Math.max(1, ids))),
  }
}

const makeProducts = (count, { tags, vendors }, dealt) =>
  Array.from({ length: count }, (_, index) => ({
    id: `product-${index}`,
    externalId: String(7_000_000_000 + index),
    name: `${dealt.among(words)} ${index}`,
    sku: `SKU-${index}`,
    vendor: dealt.among(vendors),
    price: 1_000 + dealt.below(20_000),
    cost: 300 + dealt.below(500),
    // A shop has one spelling for one product's tag, but not for one tag.
    tags: dealt.some(tags, 4).map((tag) => spelled(tag, dealt)),
  }))

const makeCondition = (dealt) => {
  const type = dealt.among(conditionTypes)
  const modifier = dealt.chance(0.5) ? "WITH" : "NOT"
  return { type, modifier, values: dealt.some(attributes[type], 1 + dealt.below(3)) }
}

const makeDates = (dealt) => {
  const startsAt = first + dealt.below(year)
  if (dealt.chance(0.3)) return { startsAt }
  if (dealt.chance(0.3)) return { endsAt: startsAt }
  return { startsAt, endsAt: startsAt + 30 * 24 * 3600 + dealt.below(year) }
}

const makeLink = (kind, { products, tags, vendors, idsOfGroup }, dealt) => {
  switch (kind) {
    case "all":
      return { type: "products.all" }
    case "not": {
      const modifier = "NOT"
      const way = dealt.below(3)
      if (way === 0) return { type: "products.tag", modifier, values: dealt.some(tags, 1) }
      if (way === 1) return { type: "products.vendor", modifier, values: dealt.some(vendors, 1) }
      return { type: "products", modifier, values: dealt.some(products, 3).map(({ id }) => id) }
    }
    case "ids": {
      const chosen = dealt.some(products, idsOfGroup)
      return {
        type: "products",
        values: chosen.map((product) => (dealt.chance(0.5) ? product.id : product.externalId)),
      }
    }
    case "tags":
      return { type: "products.tag", values: dealt.some(tags, 2).map((tag) => spelled(tag, dealt)) }
    case "vendors":
      return { type: "products.vendor", values: [spelled(dealt.among(vendors), dealt)] }
  }
}

/** What the few groups that nearly every line meets ask of an order: fixed, so that no seed shifts the count. */
const wideConditions = [
  {},
  {
    condition: { type: "order.tag", modifier: "NOT", values: attributes["order.tag"].slice(0, 1) },
  },
  {},
  { condition: { type: "country.code", values: attributes["country.code"].slice(0, 5) } },
]

const makeDemands = (dealt) => ({
  ...(dealt.chance(0.35) ? { condition: makeCondition(dealt) } : {}),
  ...(dealt.chance(0.1) ? makeDates(dealt) : {}),
})

const makeGroup = (id, { link, demands }, collaborators, dealt) => ({
  id,
  collaboratorId: `collaborator-${dealt.below(collaborators)}`,
  link,
  ...demands,
  ...(dealt.chance(0.1)
    ? { amount: 5 + dealt.below(30) }
    : { percent: `${dealt.below(3)}.${10 + dealt.below(90)}` }),
  createdAt: first - dealt.below(year),
})

const shuffled = (list, { below }) => {
  const mixed = [...list]
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = below(index + 1)
    ;[mixed[index], mixed[other]] = [mixed[other], mixed[index]]
  }
  return mixed
}

const makeGroups = (groups, counts, shop, dealt) => {
  const collaborators = shop.collaborators ?? Math.max(5, Math.floor(groups / 4))
  const chosen = Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => {
      const isWide = shop.fewAreWide && (kind === "all" || kind === "not")
      return {
        link: makeLink(kind, shop, dealt),
        demands: isWide ? wideConditions[index % wideConditions.length] : makeDemands(dealt),
      }
    }),
  )
  return shuffled(chosen, dealt).map((group, index) =>
    makeGroup(`group-${index}`, group, collaborators, dealt),
  )
}

const makeItem = (id, product, dealt) => {
  const quantity = 1 + dealt.below(3)
  const amount = product.price * quantity
  const discount = dealt.chance(0.2) ? Math.floor(amount / 10) : 0
  return { id, product, quantity, amount, discount }
}

const maybe = (share, type, dealt) =>
  dealt.chance(share)
    ? dealt.some(attributes[type], 1 + dealt.below(2)).map((text) => spelled(text, dealt))
    : []

const makeOrder = (number, items, dealt) => ({
  id: `order-${number}`,
  currency: "USD",
  createdAt: first + dealt.below(year),
  tags: maybe(0.5, "order.tag", dealt),
  customerTags: maybe(0.5, "customer.tag", dealt),
  discountCodes: maybe(0.2, "discount.code", dealt),
  billingCountry: dealt.among(attributes["country.code"]),
  referers: maybe(0.3, "referer", dealt),
  shippingAmount: dealt.chance(0.5) ? 490 : 0,
  items,
})

/** Which product is bought: the popular few sell most, or each one once. */
const shopper = (products, { freshProducts, sold, popularity }, dealt) => {
  let next = 0
  if (freshProducts) return () => products[next++ % products.length]
  return () => products[Math.floor(sold * dealt.next() ** popularity)]
}

const makeOrders = ({ lines, itemsOfOrder }, pick, dealt) => {
  const orders = []
  for (let made = 0; made < lines; ) {
    const wished = itemsOfOrder ?? 1 + dealt.below(3)
    const count = Math.min(wished, lines - made)
    const items = Array.from({ length: count }, (_, index) =>
      makeItem(String(index + 1), pick(), dealt),
    )
    orders.push(makeOrder(orders.length + 1, items, dealt))
    made += count
  }
  return orders
}

/**
 * Makes groups and orders, the same for the same arguments.
 *
 * - `kind`: "selective" or "dense"; `groups`: how many product groups; `lines`: how many lines the orders have
 *   in all; `seed`: a whole number
 * - `freshProducts`: no line's product was in a line before (as far as `lines` goes)
 * - `sold`: how many products are sold otherwise, 2,000 when absent; `popularity`: how uneven that is, 1 where each
 *   sells as often as the others; 3 when absent: the first hundredth of the products is a fifth of the lines
 * - `itemsOfOrder`: lines of each order; one to three when absent
 * - `collaborators`: among how many the groups are divided; a quarter of the groups when absent
 *
 * Returns `groups` (inputs of `ProductGroup.make`), `products` (the catalogue), `orders` (as the core has them),
 * and `orderTexts`, the orders in JSON: parse these to have orders that nobody has seen before, which share no
 * object and no text with others. `orders` are made so too.
 */
export const makeWorkload = (options) => {
  const { kind, groups, lines, seed, freshProducts = false, popularity = 3 } = options
  const dealt = makeDice(seed)
  const planned = plan(kind, groups)
  const { sold = planned.shown } = options
  const catalogue = Math.max(sold + Math.floor(groups / 4), freshProducts ? lines : 0)
  const [tags, vendors] = [names("tag", planned.tags), names("vendor", planned.vendors)]
  const products = makeProducts(catalogue, { tags, vendors }, dealt)
  const idsOfGroup = Math.min(planned.idsOfGroup(catalogue), catalogue)
  const fewAreWide = kind === "selective"
  const { collaborators } = options
  const shop = { products, tags, vendors, idsOfGroup, fewAreWide, collaborators }
  const made = makeGroups(groups, planned.counts, shop, dealt)
  const pick = shopper(products, { freshProducts, sold, popularity }, dealt)
  const orders = makeOrders(options, pick, dealt)
  const orderTexts = orders.map((order) => JSON.stringify(order))
  // As if they came from a storage: texts that share nothing and are not put together from pieces.
  const copied = (value) => JSON.parse(JSON.stringify(value))
  return {
    groups: copied(made),
    products: copied(products),
    orders: orderTexts.map((text) => JSON.parse(text)),
    orderTexts,
  }
}

/** How many lines orders have in all. */
export const countLines = (orders) => orders.reduce((sum, { items }) => sum + items.length, 0)

/**
 * Orders a batch at a time, each batch parsed anew when it is asked for, so that it is as fresh as one that
 * has just come in: `next()` (not to be timed) makes the following batch the `orders`, with its `lines`.
 */
export const freshBatches = (orderTexts, size) => {
  let from = 0
  const batch = {
    orders: [],
    lines: 0,
    next: () => {
      if (from >= orderTexts.length) from = 0
      batch.orders = orderTexts.slice(from, from + size).map((text) => JSON.parse(text))
      batch.lines = countLines(batch.orders)
      from += size
    },
  }
  return batch
}
