// Catalogues and groups to be linked, made by seed.
//
// selective: links name few products each: about 22 groups take a product. dense: links name broad tags and
// vendors, some with NOT: about a quarter of all pairs of a product and a group are links.
import { sequence } from "../workload.mjs"

const dice = (seed) => {
  const next = sequence(seed)
  const below = (bound) => Math.floor(next() * bound)
  /** So many different numbers below a bound. */
  const some = (count, bound) => {
    const found = new Set()
    while (found.size < count) found.add(below(bound))
    return [...found]
  }
  return { next, below, some }
}

/** How people write one tag: as it is, in another case, or with a space too many. */
const spelled = (text, { next }) => {
  const draw = next()
  if (draw < 0.8) return text
  if (draw < 0.9) return text.toUpperCase()
  return draw < 0.97 ? text.toLowerCase() : `${text} `
}

const kinds = {
  selective: { tags: 6_000, vendors: 1_000, tagsOfAProduct: [3, 7] },
  dense: { tags: 60, vendors: 20, tagsOfAProduct: [3, 8] },
}

const tagName = (number) => (number % 10 === 0 ? `Café ${number}` : `Tag ${number}`)
const vendorName = (number) => `Vendor ${number}`

const productOf = (index, kind, lots) => {
  const { tags, vendors, tagsOfAProduct } = kinds[kind]
  const [least, most] = tagsOfAProduct
  const count = least + lots.below(most - least + 1)
  return {
    id: `p${index}`,
    externalId: String(7_000_000_000 + index),
    name: `Product ${index}`,
    vendor: spelled(vendorName(lots.below(vendors)), lots),
    price: 100 + lots.below(20_000),
    tags: lots.some(count, tags).map((tag) => spelled(tagName(tag), lots)),
  }
}

/** Products with texts of their own, as they come from JSON. */
const fresh = (products) => JSON.parse(JSON.stringify(products))

const idsOf = (count, products, lots) =>
  lots
    .some(count, products)
    .map((index) => (index % 2 === 0 ? `p${index}` : String(7_000_000_000 + index)))

const selectiveLink = (index, products, lots) => {
  const draw = lots.next()
  const { tags, vendors } = kinds.selective
  if (index < 3) return { type: "products.all" }
  if (index < 6) {
    return { type: "products.tag", modifier: "NOT", values: [tagName(lots.below(tags))] }
  }
  if (draw < 0.25) {
    const count = Math.min(products, 1 + lots.below(60))
    return { type: "products", values: idsOf(count, products, lots) }
  }
  if (draw < 0.9) {
    return { type: "products.tag", values: lots.some(1 + lots.below(4), tags).map(tagName) }
  }
  return {
    type: "products.vendor",
    values: lots.some(1 + lots.below(4), vendors).map(vendorName),
  }
}

const denseLink = (_index, products, lots) => {
  const draw = lots.next()
  const { tags, vendors } = kinds.dense
  if (draw < 0.01) return { type: "products.all" }
  if (draw < 0.1) {
    return { type: "products", values: idsOf(Math.min(products, 50), products, lots) }
  }
  if (draw < 0.2) {
    const values = lots.some(1 + lots.below(5), vendors).map(vendorName)
    return { type: "products.vendor", values }
  }
  const modifier = draw < 0.22 ? "NOT" : "WITH"
  const values = lots.some(1 + lots.below(5), tags).map(tagName)
  return { type: "products.tag", modifier, values }
}

/** Groups as hosts write them, and products; `products` and `groups` say how many. */
export const makeWorkload = ({ kind, products, groups, seed }) => {
  const lots = dice(seed)
  const linkOf = kind === "dense" ? denseLink : selectiveLink
  return {
    groups: Array.from({ length: groups }, (_, index) => ({
      id: `g${index}`,
      collaboratorId: `c${index % 1_000}`,
      link: linkOf(index, products, lots),
      percent: 1,
    })),
    products: fresh(Array.from({ length: products }, (_, index) => productOf(index, kind, lots))),
  }
}

/** Some products of a workload with other tags and vendors. */
export const changedProducts = ({ kind, products, count, seed }) => {
  const lots = dice(seed)
  return fresh(lots.some(count, products).map((index) => productOf(index, kind, lots)))
}
