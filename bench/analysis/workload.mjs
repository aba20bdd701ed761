// Rule sets about which much is to be found out, each of the kind that takes an analysis longest.

/** A generator of numbers from 0 up to a limit, the same for the same seed. */
const numbersFrom = (seed) => {
  let state = seed >>> 0 || 1
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const count = (length, make) => Array.from({ length }, (_, index) => make(index))

const all = { type: "products.all" }

/** Groups of one collaborator, each kept away by a tag of its own: the last one counts on orders with all tags. */
const notTags = (groups) => ({
  groups: count(groups, (index) => ({
    id: `g${index}`,
    collaboratorId: "ada",
    link: all,
    condition: { type: "order.tag", modifier: "NOT", values: [`t${index}`] },
    percent: 1 + (index % 3),
  })),
})

/** Groups of one collaborator, each kept away by any of three tags of a few: a question of covering sets. */
const notThreeTags = (groups, seed = 1) => {
  const random = numbersFrom(seed)
  return {
    groups: [
      ...count(groups - 1, (index) => ({
        id: `g${index}`,
        collaboratorId: "ada",
        link: {
          type: "products.tag",
          modifier: "NOT",
          values: count(3, () => `t${random(groups)}`),
        },
        percent: 5,
      })),
      { id: "all", collaboratorId: "ada", link: all, percent: 5 },
    ],
  }
}

/** Every group is linked to every product, of which each has its own price. */
const allOnAll = (groups, products) => ({
  groups: count(groups, (index) => ({
    id: `g${index}`,
    collaboratorId: `c${index}`,
    link: all,
    condition: { type: "order.tag", values: [`t${index}`] },
    percent: 3,
    ...(index % 10 === 0 ? { amount: 5 } : {}),
  })),
  products: count(products, (index) => ({ id: `p${index}`, price: 500 + index })),
})

/** Each product is linked to another choice of half of the groups. */
const halfOnEach = (groups, products, seed = 1) => {
  const random = numbersFrom(seed)
  return {
    groups: count(groups, (index) => ({
      id: `g${index}`,
      collaboratorId: `c${index % 50}`,
      link: { type: "products.tag", values: count(3, () => `t${random(40)}`) },
      percent: 1,
    })),
    products: count(products, (index) => ({
      id: `p${index}`,
      price: 500 + random(5_000),
      tags: count(8, () => `t${random(40)}`),
    })),
  }
}

/** A shop: groups by vendor, tag and product, and affiliates who are paid on everything where they refer. */
const shop = (groups, products, { affiliates = 200, seed = 1 } = {}) => {
  const random = numbersFrom(seed)
  const rest = groups - affiliates
  const vendors = Math.ceil(rest / 8)
  const tags = Math.ceil(rest / 4)
  const linkOf = (index) => {
    if (index % 8 === 0) return { type: "products.vendor", values: [`v${index / 8}`] }
    if (index % 8 < 5)
      return { type: "products.tag", values: [`t${random(tags)}`, `t${random(tags)}`] }
    return { type: "products", values: count(3, () => `p${random(products)}`) }
  }
  return {
    groups: [
      ...count(affiliates, (index) => ({
        id: `affiliate-${index}`,
        collaboratorId: `affiliate-${index}`,
        link: all,
        condition: { type: "referer", values: [`blog-${index}`] },
        percent: 3,
      })),
      ...count(rest, (index) => ({
        id: `g${index}`,
        collaboratorId: `maker-${index % 900}`,
        link: linkOf(index),
        percent: 1 + random(12),
        createdAt: index,
      })),
    ],
    products: count(products, (index) => ({
      id: `p${index}`,
      price: 100 + random(20_000),
      vendor: `v${random(vendors)}`,
      tags: count(random(4), () => `t${random(tags)}`),
    })),
  }
}

/** Groups of many collaborators without a catalogue. */
const many = (groups, seed = 1) => {
  const random = numbersFrom(seed)
  const linkOf = (index) => {
    if (index % 50 === 0) return all
    if (index % 3 === 0) return { type: "products.vendor", values: [`v${random(300)}`] }
    if (index % 3 === 1) return { type: "products", values: count(3, () => `p${random(20_000)}`) }
    return { type: "products.tag", values: [`t${random(500)}`, `t${random(500)}`] }
  }
  const conditionOf = (index) =>
    index % 4 === 0
      ? { condition: { type: "country.code", values: [["DE", "FR", "US", "IT"][random(4)]] } }
      : index % 7 === 0
        ? { condition: { type: "discount.code", modifier: "NOT", values: [`code${random(50)}`] } }
        : {}
  return {
    groups: count(groups, (index) => ({
      id: `g${index}`,
      collaboratorId: `c${random(groups / 25)}`,
      link: linkOf(index),
      ...conditionOf(index),
      percent: 1 + random(10),
      createdAt: index,
    })),
  }
}

/** Groups of one collaborator, each in force for a while; and the same with another percentage in one of them. */
const dated = (groups, seed = 1) => {
  const random = numbersFrom(seed)
  const made = count(groups, (index) => {
    const startsAt = random(10_000_000)
    return {
      id: `g${index}`,
      collaboratorId: "ada",
      link: { type: "products.tag", values: [`t${random(20)}`] },
      percent: 1 + random(3),
      createdAt: index,
      startsAt,
      endsAt: startsAt + 1 + random(2_000_000),
    }
  })
  const others = made.map((group, index) =>
    index === groups >> 1 ? { ...group, percent: 9 } : group,
  )
  return { groups: made, others }
}

export const workloads = { notTags, notThreeTags, allOnAll, halfOnEach, shop, many, dated }
