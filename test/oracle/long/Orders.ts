/**
 * Orders of the long comparison. The same few products come again and again, as they were or changed.
 */
import type { Order, Product } from "apportion"
import { idsOf, momentOf } from "./Groups.js"
import { centsOf, orderSumOf, partOf, settingOf } from "./Money.js"
import { type Scene, textOf, textsOf } from "./Scene.js"

type Writable<A> = { -readonly [K in keyof A]: A[K] }

export const productOf = (scene: Scene): Product.Product => {
  const { random } = scene
  const product: Writable<Product.Product> = { id: random.pick(scene.productIds) }
  if (random.percent(60)) product.externalId = random.pick([...scene.productIds, ""])
  if (random.percent(10)) product.otherIds = [random.pick(scene.productIds)]
  if (random.percent(80)) product.vendor = textOf(random, scene.texts)
  if (random.percent(85)) product.tags = textsOf(random, scene.texts)
  if (random.percent(40)) product.cost = settingOf(scene)
  const variant = random.pick(scene.variants)
  if (variant !== undefined) product.externalVariantId = variant
  return product
}

/** A product with one thing changed, often in a way that a careless key would not see. */
export const changedProduct = (scene: Scene, product: Product.Product): Product.Product => {
  const { random } = scene
  const { tags = [], vendor, ...rest } = product
  const text = textOf(random, scene.texts)
  const place = random.below(11)
  if (place === 10) return { ...product, otherIds: [random.pick(scene.productIds)] }
  if (place === 0) return { ...product, tags: [...tags, text] }
  if (place === 1) return { ...product, tags: tags.slice(1) }
  if (place === 2) return { ...product, tags: [text, ...tags.slice(1)] }
  if (place === 3) return { ...product, tags: [tags.join(",")] }
  if (place === 4) return { ...product, vendor: text }
  if (place === 5) return { ...rest, tags: vendor === undefined ? tags : [...tags, vendor] }
  if (place === 6) return { ...rest, vendor: tags[0] ?? text }
  if (place === 7) return { ...product, externalId: random.pick(scene.productIds) }
  if (place === 8) return { ...product, id: random.pick(scene.productIds) }
  return { ...product, tags: [...tags].reverse() }
}

const itemOf = (
  scene: Scene,
  id: string,
  product: Product.Product,
  isNegative: boolean,
): Order.OrderItem => {
  const { random } = scene
  const size = centsOf(scene)
  const amount = isNegative ? 0 - size : size
  const item: Writable<Order.OrderItem> = {
    id,
    product,
    quantity: random.percent(90) ? random.pick([0, 1, 1, 2, 3, 7, 100]) : settingOf(scene),
    amount,
  }
  const discount = partOf(scene, amount)
  if (discount !== undefined) item.discount = discount
  const tax = partOf(scene, amount)
  if (tax !== undefined) item.taxTotal = tax
  return item
}

const sizes = [0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6]

/** Something in an order that can't be reckoned with. */
const spoilt = (scene: Scene, order: Order.Order): Order.Order => {
  const [first, ...rest] = order.items
  if (first === undefined) return { ...order, currency: "ZZZ" }
  const changed = scene.random.pick<Partial<Order.OrderItem>>([
    { amount: 0.5 },
    { amount: 2 ** 53 },
    { quantity: -1 },
    { discount: Number.NaN },
    { taxTotal: -(2 ** 53) },
  ])
  if (scene.random.percent(30)) return { ...order, items: [...order.items, first] }
  return { ...order, items: [{ ...first, ...changed }, ...rest] }
}

/** Any order with items of the products given; one in eighty can't be read. */
export const orderOf = (
  scene: Scene,
  id: string,
  nextProduct: () => Product.Product,
): Order.Order => {
  const { random } = scene
  const sign = random.below(10)
  const isNegative = () => (sign < 6 ? false : sign < 8 ? true : random.percent(50))
  const ids = idsOf(random, random.pick(sizes))
  const order: Writable<Order.Order> = {
    id,
    currency: random.pick(["USD", "JPY", "KWD"]),
    items: ids.map((itemId) => itemOf(scene, itemId, nextProduct(), isNegative())),
  }
  if (random.percent(75)) order.createdAt = random.percent(95) ? momentOf(random) : null
  const texts = scene.conditionTexts
  if (random.percent(85)) order.tags = textsOf(random, texts)
  if (random.percent(85)) order.customerTags = textsOf(random, texts)
  if (random.percent(70)) order.discountCodes = textsOf(random, texts, 2)
  if (random.percent(85)) order.referers = textsOf(random, texts, 3)
  if (random.percent(85)) {
    order.billingCountry = random.percent(95) ? textOf(random, scene.countries) : null
  }
  if (random.percent(60)) order.taxesIncluded = random.percent(60)
  const shipping = orderSumOf(scene)
  if (shipping !== undefined) order.shippingAmount = shipping
  const shippingTax = orderSumOf(scene)
  if (shippingTax !== undefined) order.shippingTax = shippingTax
  const fee = orderSumOf(scene)
  if (fee !== undefined) order.gatewayFee = fee
  return random.below(80) === 0 ? spoilt(scene, order) : order
}
