/** What the shop of the model sells, who earns on it, and the exchange rates. */
import type { Order } from "apportion"
import type { Line } from "./PayoutModel.js"

export const rates: Readonly<Record<string, string>> = {
  "USD/EUR": "0.9217",
  "EUR/USD": "1.0849",
  "USD/JPY": "150.255",
  "JPY/USD": "0.00666",
  "EUR/JPY": "163.02",
  "JPY/EUR": "0.0061",
  "KWD/USD": "3.25",
}

/** Whom a tag pays how many percent; nobody has two of them on one item. */
export const claims = {
  ada10: { collaboratorId: "ada", percent: 10 },
  ada33: { collaboratorId: "ada", percent: 33 },
  ada60: { collaboratorId: "ada", percent: 60 },
  ben25: { collaboratorId: "ben", percent: 25 },
  cam50: { collaboratorId: "cam", percent: 50 },
  cam60: { collaboratorId: "cam", percent: 60 },
} as const

type Tag = keyof typeof claims

interface Item {
  readonly amount: number
  readonly discount: number
  readonly quantity: number
  readonly tags: ReadonlyArray<Tag>
}

/** What can be in an order: sales, a return, one that claims too much, one that nobody earns on. */
const items: Readonly<Record<string, Item>> = {
  i1: { amount: 10_000, discount: 0, quantity: 3, tags: ["ada10", "ben25"] },
  i2: { amount: 2_700, discount: 200, quantity: 1, tags: ["ada33"] },
  i3: { amount: -5_100, discount: -100, quantity: 2, tags: ["ada10", "cam50"] },
  i4: { amount: 100, discount: 0, quantity: 7, tags: ["ben25", "cam50"] },
  i5: { amount: 1_000, discount: 0, quantity: 1, tags: ["ada60", "cam60"] },
  i6: { amount: 300, discount: 0, quantity: 1, tags: [] },
}

export const itemIds = Object.keys(items)

/** An order that names some of the items; a changed one has a unit more of each. */
export const orderOf = (
  id: string,
  currency: string,
  ids: ReadonlyArray<string>,
  options: { readonly isChanged: boolean },
): { readonly order: Order.Order; readonly lines: ReadonlyArray<Line> } => {
  const found = ids.flatMap((itemId) => {
    const item = items[itemId]
    return item === undefined ? [] : [{ id: itemId, ...item }]
  })
  const lines = found.map(({ tags, ...figures }) => ({
    ...figures,
    quantity: figures.quantity + (options.isChanged ? 1 : 0),
    claims: tags.map((tag) => ({ groupId: tag, ...claims[tag] })),
  }))
  const sold = lines.map(({ claims: own, ...figures }) => ({
    ...figures,
    product: { id: `p-${figures.id}`, tags: own.map(({ groupId }) => groupId) },
  }))
  return { order: { id, currency, items: sold }, lines }
}
