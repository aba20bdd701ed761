/**
 * A program of a customer, who has the OpenAPI document and a generator, and nothing of this project. It
 * stands here as a text, because it is compiled beside the client that a test generates.
 */
export const program = `
import { client } from "./client/client.gen.js"
import * as api from "./client/index.js"

type Query = NonNullable<api.ListPayoutsData["query"]>
type Status = api.Payout["status"]

/** Data of an answer; whoever gets none is told what was said instead. */
const dataOf = <A>({ data, error }: { data?: A | undefined; error?: unknown }): A => {
  if (data === undefined) throw new TypeError(JSON.stringify(error))
  return data
}

const group = async (collaborator_id: string, expected: number) => {
  const path = { collaborator_id }
  const items = ["birds"]
  const body: api.NewProductGroup = { itemType: "products.tag", items, type: "percentage", percent: "2.50" }
  const headers = { "Idempotency-Key": "birds" }
  const made = await api.createProductGroup({ path, body, headers })
  const created = dataOf(made).data
  const again = dataOf(await api.createProductGroup({ path, body, headers })).data
  const one = { ...path, group_id: created.id }

  const counts: Array<number> = [created.products.meta.total]
  let listed: api.ListedProductGroup | undefined
  while (counts.at(-1) !== expected) {
    const { data } = dataOf(await api.listProductGroups({ path, query: { per_page: 100 } }))
    listed = data.find(({ id }) => id === created.id)
    const count = listed?.products_count ?? -1
    if (count !== counts.at(-1)) counts.push(count)
  }

  const viewed = dataOf(await api.viewProductGroup({ path: one, query: { per_page: 2, page: 2 } })).data
  const updated = dataOf(await api.updateProductGroup({ path: one, body: { percent: 3 } })).data
  const unusable = await api.updateProductGroup({ path: one, body: { percent: "3.001" } })
  const deleted = await api.deleteProductGroup({ path: one })
  const gone = await api.viewProductGroup({ path: one })

  // What the client's types say about each answer is what the compiler checks here.
  const createdPercent: number | null = created.percent
  const listedPercent: string | null | undefined = listed?.percent
  const viewedPercent: string | null = viewed.percent
  const names: Array<string | null> = viewed.products.data.map(({ name }) => name)
  const refusal: api.ErrorBody | api.ValidationErrorBody | undefined = unusable.error
  return {
    created: { status: made.response?.status, type: created.type, percent: createdPercent },
    isSame: again.id === created.id,
    counts,
    listed: { type: listed?.type, percent: listedPercent, owner: listed?.collaborator.account.name },
    viewed: { percent: viewedPercent, names, meta: viewed.products.meta },
    updated: { percent: updated.percent, values: updated.type_values },
    unusable: { status: unusable.response?.status, refusal },
    deleted: deleted.response?.status,
    gone: { status: gone.response?.status, refusal: gone.error },
  }
}

const payouts = async (from: number, to: number) => {
  const list = async (query: Query) => {
    const page = dataOf(await api.listPayouts({ query }))
    const first: api.ListedPayout | undefined = page.data[0]
    return { ids: page.data.map(({ id }) => id), meta: page.meta, first: first?.status }
  }
  const ids = async (query: Query) => (await list({ per_page: 100, ...query })).ids
  const statuses: ReadonlyArray<Status> = ["active", "pending", "paid", "failed", "manually paid"]
  const byStatus: Partial<Record<Status, ReadonlyArray<string>>> = {}
  for (const status of statuses) byStatus[status] = await ids({ status })
  const { last_page: last } = (await list({})).meta
  const wrong = await api.listPayouts({ query: { "paidDate[start_date]": to, "paidDate[end_date]": from } })
  return {
    byStatus,
    byCollaborator: await ids({ collaborator: "zoe" }),
    paidFrom: await ids({ "paidDate[start_date]": from }),
    paidTo: await ids({ "paidDate[end_date]": to }),
    paidWithin: await ids({ "paidDate[start_date]": from, "paidDate[end_date]": to }),
    expectedFrom: await ids({ "expectedPaymentDate[start_date]": to }),
    expectedTo: await ids({ "expectedPaymentDate[end_date]": from }),
    all: await ids({ collaborator: "zoe", status: "paid", "paidDate[end_date]": to }),
    wrong: { status: wrong.response?.status, refusal: wrong.error },
    pages: [await list({}), await list({ page: 2 }), await list({ page: last })],
    beyond: await list({ page: last + 1 }),
    many: await list({ per_page: 1000 }),
  }
}

const settle = async (payout_id: string) => {
  const path = { payout_id }
  const before: api.Payout = dataOf(await api.viewPayout({ path })).data
  const charged = dataOf(await api.addExpense({ path, body: { amount: 1250, name: "Posters" } })).data
  const gained = dataOf(await api.addIncome({ path, body: { amount: 300, name: "Tip" } })).data
  const paid = dataOf(await api.setPayoutPaid({ path })).data
  const refused = await api.addExpense({ path, body: { amount: 1, name: "Late" } })
  const known = new Set(before.items.map((item) => JSON.stringify(item)))
  const sold: Array<string> = before.items.flatMap(({ orderItem }) =>
    orderItem === null ? [] : [orderItem.product.name],
  )
  return {
    totals: [before.total, charged.total, gained.total, paid.total],
    added: paid.items.filter((item) => !known.has(JSON.stringify(item))),
    sold,
    paid: { status: paid.status, isDated: paid.paid_at !== null },
    refused: { status: refused.response?.status, refusal: refused.error },
  }
}

export const run = async (options: {
  baseUrl: string
  token: string
  birds: number
  from: number
  to: number
}) => {
  client.setConfig({ baseUrl: options.baseUrl })
  const stranger = await api.listPayouts()
  client.setConfig({ auth: () => options.token })
  const catalogue = dataOf(await api.listProducts({ query: { search: "ph-prt-002", include_collaborators: true } }))
  return {
    stranger: { status: stranger.response?.status, refusal: stranger.error },
    found: catalogue.data.map(({ id }) => id),
    group: await group("elif", options.birds),
    payouts: await payouts(options.from, options.to),
    settled: await settle("kofi-USD-5"),
  }
}
`

/** The beginning of a program in which each line of {@link misuses} is a mistake. */
export const misusesHead = `
import * as api from "./client/index.js"
declare const payout: api.Payout
declare const listed: api.ListedPayout
declare const viewed: api.ProductGroup
declare const changed: api.ChangedProductGroup
const path = { payout_id: "p" }
`

/** What the client's types must not let pass. */
export const misuses: ReadonlyArray<string> = [
  'api.listPayouts({ query: { status: "settled" } })',
  'api.listPayouts({ query: { "paidDate[from]": 5 } })',
  'api.listPayouts({ query: { page: "2" } })',
  "api.viewPayout({ path: {} })",
  "api.viewPayout()",
  "api.addExpense({ path, body: { amount: 5 } })",
  'api.addExpense({ path, body: { amount: "5", name: "Posters" } })',
  'api.setPayoutPaid({ path, body: { status: "paid" } })',
  'api.createProductGroup({ path: { collaborator_id: "c" }, body: { items: ["art"] } })',
  'api.createProductGroup({ path: { collaborator_id: "c" }, body: { itemType: "products.color" } })',
  "payout.paid_at.toFixed()",
  'payout.status === "settled"',
  "payout.items[0].orderItem.product",
  "listed.total.toFixed()",
  "viewed.percent?.toFixed()",
  "changed.percent?.trim()",
  "viewed.products_count",
]
