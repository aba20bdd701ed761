/** Changes that are asked for over HTTP with keys of their own, and what must have come of them. */
import { randomInt, randomUUID } from "node:crypto"
import { type Answered, ask } from "./Served.js"
import type { Folder } from "./world.js"

/** One change. Asked for again with its key, it is done once. */
export interface Deed {
  readonly key: string
  readonly method: "POST" | "PUT"
  readonly path: string
  readonly body: object
  /** Where it must be seen. */
  readonly target: string
  /** By what it is told from the others there. */
  readonly mark: string
  /** What it adds to the payout's total. */
  readonly amount: number
}

/** The store that is there at the beginning. */
export const payoutIds = ["ada-1", "ada-2", "sam-1"]
const collaboratorIds = ["ada", "sam"]
/** What each payout begins with: so much that none falls below zero, which would be set off against another. */
const beginning = 1_000_000

/** Writes the store as a file. */
export const seedFile = (folder: Folder): string =>
  folder.file("seed.json", {
    collaborators: collaboratorIds.map((id) => ({ id, currency: "EUR" })),
    products: [{ id: "p1", tags: ["art"] }],
    payouts: payoutIds.map((id, index) => ({
      ...{ id, currency: "EUR", collaborator: id.split("-")[0], to_be_paid_at: 4_102_444_800 },
      ...{ status: index === 1 ? "pending" : "active", paid_at: null },
      items: [{ amount: beginning, expense_name: "Beginning" }],
    })),
  })

const pick = <A>(values: ReadonlyArray<A>): A => {
  const value = values[randomInt(values.length)]
  if (value === undefined) throw new RangeError("nothing to choose from")
  return value
}

const entry = (kind: "expense" | "income"): Deed => {
  const [target, key, amount] = [pick(payoutIds), randomUUID(), randomInt(1, 1_000)]
  const path = `/v1/payouts/${target}/${kind}`
  const body = { amount, name: key }
  return {
    key,
    method: "POST",
    path,
    body,
    target,
    mark: key,
    amount: kind === "income" ? amount : -amount,
  }
}

const group = (): Deed => {
  const [target, key] = [pick(collaboratorIds), randomUUID()]
  const body = { itemType: "products.tag", items: [key], type: "percentage", percent: "1.50" }
  const path = `/api/v1/collaborators/${target}/products`
  return { key, method: "PUT", path, body, target, mark: key, amount: 0 }
}

/** A change of some kind. */
export const anyDeed = (): Deed => pick([() => entry("expense"), () => entry("income"), group])()

/** Asks for it. */
export const doDeed = (base: string, deed: Deed): Promise<Answered> => ask(base, deed)

/** What a server must answer to be believed that something was done. */
export const isDone = ({ status }: Answered): boolean => status === 200 || status === 201

interface Json {
  readonly [name: string]: unknown
}

const dataOf = async (base: string, path: string): Promise<Json> => {
  const { status, text } = await ask(base, { method: "GET", path })
  if (status !== 200) throw new RangeError(`${path}: ${status} ${text}`)
  return JSON.parse(text)
}

const marksOfPayout = async (base: string, id: string) => {
  const { data } = await dataOf(base, `/v1/payouts/${id}`)
  const { items, total } = data as {
    items: ReadonlyArray<{ amount: number; expense_name: string }>
    total: number
  }
  const sum = items.reduce((before, { amount }) => before + amount, 0)
  if (sum !== total) throw new RangeError(`${id}: its items are ${sum}, its total is ${total}`)
  return { total, marks: items.map(({ expense_name }) => expense_name).slice(1) }
}

const marksOfGroups = async (base: string, id: string) => {
  const path = `/api/v1/collaborators/${id}/products`
  const marks: Array<string> = []
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { data, meta } = (await dataOf(base, `${path}?per_page=100&page=${page}`)) as {
      data: ReadonlyArray<{ type_values: ReadonlyArray<string> }>
      meta: { last_page: number }
    }
    last = meta.last_page
    marks.push(...data.flatMap(({ type_values }) => type_values))
  }
  return { total: 0, marks }
}

/** Everything that can be seen of the deeds: by target, the total and the marks. */
export const seen = async (base: string) => {
  const ids = [...payoutIds, ...collaboratorIds]
  const found = await Promise.all(
    ids.map((id) => (payoutIds.includes(id) ? marksOfPayout(base, id) : marksOfGroups(base, id))),
  )
  return Object.fromEntries(
    found.map(({ total, marks }, at) => [ids[at] ?? "", { total, marks: marks.toSorted() }]),
  )
}

/** What must be seen when exactly these deeds were done, each once. */
export const expected = (deeds: ReadonlyArray<Deed>) => {
  const ids = [...payoutIds, ...collaboratorIds]
  return Object.fromEntries(
    ids.map((id) => {
      const own = deeds.filter(({ target }) => target === id)
      const first = payoutIds.includes(id) ? beginning : 0
      const total = own.reduce((sum, { amount }) => sum + amount, first)
      return [id, { total, marks: own.map(({ mark }) => mark).toSorted() }]
    }),
  )
}
