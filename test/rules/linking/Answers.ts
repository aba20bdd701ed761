/** Everything that can be asked of a linking, and what the answers have to be. */
import { Product, ProductLinks, RuleSet } from "apportion"
import { isSelected } from "./Shop.js"

/** The products of each group in their order, the numbers, and the groups of each product. */
export const answersOf = (links: ProductLinks.ProductLinks) => {
  const { groups } = links.rules
  const products = groups.map(({ id }) => ProductLinks.productsOf(links, id))
  const keys = new Set(products.flat().map(Product.keyOf))
  return {
    productCount: links.productCount,
    count: ProductLinks.count(links),
    counts: groups.map(({ id }) => ProductLinks.countOf(links, id)),
    products,
    groups: [...keys].sort().map((key) => ProductLinks.groupsOf(links, key).map(({ id }) => id)),
  }
}

/** The same, by asking each link about each product; no two of the products have one key. */
export const expectedOf = (
  rules: RuleSet.RuleSet,
  products: ReadonlyArray<Product.Product>,
): ReturnType<typeof answersOf> => {
  const linked = rules.groups.map(({ link }) => products.filter((one) => isSelected(link, one)))
  const counts = linked.map(({ length }) => length)
  const byKey = new Map(linked.flat().map((one) => [Product.keyOf(one), one]))
  return {
    productCount: products.length,
    count: counts.reduce((sum, each) => sum + each, 0),
    counts,
    products: linked,
    groups: [...byKey]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, one]) => RuleSet.linkedGroups(rules, one).map(({ id }) => id)),
  }
}
