// What one writes by hand without much thought: a scan over all groups, and an index of lists of objects.
import { attributes, bySpecificity, conditionOf, fold, foldOf, linkOf } from "./text.mjs"

const compile = (group, rank) => {
  const link = linkOf(group)
  const condition = conditionOf(group)
  return {
    id: group.id,
    rank,
    type: link.type,
    not: link.not,
    values: new Set(link.values),
    condition: condition && { ...condition, values: new Set(condition.values) },
    startsAt: group.startsAt ?? null,
    endsAt: group.endsAt ?? null,
  }
}

const compileAll = (groups) => [...groups].sort(bySpecificity).map(compile)

const productOf = ({ product }) => ({
  id: product.id,
  externalId: product.externalId,
  tags: (product.tags ?? []).map(fold),
  vendor: product.vendor === undefined ? undefined : fold(product.vendor),
})

const orderOf = (order) => {
  const said = {}
  for (const [type, read] of Object.entries(attributes)) said[type] = read(order).map(foldOf(type))
  return { said, at: order.createdAt ?? null }
}

const selects = (group, product) => {
  switch (group.type) {
    case "products.all":
      return !group.not
    case "products":
      return (group.values.has(product.id) || group.values.has(product.externalId)) !== group.not
    case "products.tag":
      return product.tags.some((tag) => group.values.has(tag)) !== group.not
    case "products.vendor":
      return group.values.has(product.vendor) !== group.not
  }
}

const takes = (group, { said, at }) => {
  if (group.startsAt !== null && !(at !== null && group.startsAt <= at)) return false
  if (group.endsAt !== null && !(at !== null && at < group.endsAt)) return false
  const { condition } = group
  if (condition === null) return true
  return said[condition.type].some((value) => condition.values.has(value)) !== condition.not
}

/** Asks every group about every line. */
export const makeScan = (groups) => {
  const compiled = compileAll(groups)
  return {
    matchOrder: (order, answer) => {
      const asked = orderOf(order)
      for (const item of order.items) {
        const product = productOf(item)
        answer(compiled.filter((group) => selects(group, product) && takes(group, asked)))
      }
    },
  }
}

const addTo = (index, group) => {
  for (const value of group.values) {
    const groups = index.get(value)
    if (groups === undefined) index.set(value, [group])
    else groups.push(group)
  }
}

/** Looks up a line's values in maps of lists of groups. */
export const makeIndex = (groups) => {
  const indexes = { products: new Map(), "products.tag": new Map(), "products.vendor": new Map() }
  const always = []
  for (const group of compileAll(groups)) {
    if (group.not || group.type === "products.all") always.push(group)
    else addTo(indexes[group.type], group)
  }
  const candidates = (product) => {
    const found = new Set()
    const take = (list) => {
      if (list !== undefined) for (const group of list) found.add(group)
    }
    take(indexes.products.get(product.id))
    take(indexes.products.get(product.externalId))
    for (const tag of product.tags) take(indexes["products.tag"].get(tag))
    take(indexes["products.vendor"].get(product.vendor))
    for (const group of always) if (selects(group, product)) found.add(group)
    return [...found]
  }
  return {
    matchOrder: (order, answer) => {
      const asked = orderOf(order)
      for (const item of order.items) {
        const found = candidates(productOf(item)).filter((group) => takes(group, asked))
        answer(found.sort((left, right) => left.rank - right.rank))
      }
    },
  }
}
