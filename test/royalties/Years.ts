/** The invented years of two houses: what was agreed, what was sold and what came back. */
import type { Contract, CopiesBack, Invoice } from "./Sheet.js"

/** A house with its files, as the command line takes them. */
export interface House {
  readonly folder: string
  readonly currency: string
  readonly contract: Contract
  readonly invoices: ReadonlyArray<Invoice>
  readonly returns: ReadonlyArray<CopiesBack>
  /** Names of titles by their id. */
  readonly titles: Readonly<Record<string, string>>
  readonly groups: ReadonlyArray<object>
  readonly collaborators: ReadonlyArray<object>
  readonly agreements: object
}

/** Numbers that look random and are always the same. */
const numbers = (seed: number) => {
  let state = seed
  return (least: number, most: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return least + (state % (most - least + 1))
  }
}

const start = Date.UTC(2026, 0, 1) / 1_000
export const yearEnd = Date.UTC(2027, 0, 1) / 1_000
const day = 86_400

const dayOf = (month: number, date: number): number => Date.UTC(2026, month, date, 12) / 1_000

interface Trade {
  readonly places: ReadonlyArray<string>
  /** Cents for each copy, and how many are sold at a place in a month. */
  readonly titles: Readonly<
    Record<string, { readonly price: number; readonly least: number; readonly most: number }>
  >
  /** Every so many invoices some copies come back. */
  readonly backEvery: number
}

const yearOf = ({ places, titles, backEvery }: Trade, seed: number) => {
  const number = numbers(seed)
  const invoices: Array<Invoice> = []
  const returns: Array<CopiesBack> = []
  for (let month = 0; month < 12; month += 1) {
    for (const [place, name] of places.entries()) {
      const at = dayOf(month, 4 + place * 8) + number(0, 3_600)
      const order = `${name}-2026-${String(month + 1).padStart(2, "0")}`
      for (const [title, { price, least, most }] of Object.entries(titles)) {
        const quantity = number(least, most)
        invoices.push({ order, title, at, quantity, amount: quantity * price })
        if (invoices.length % backEvery !== 0) continue
        const back = Math.max(1, Math.floor((quantity * number(5, 30)) / 100))
        returns.push({ order, title, at: at + number(30, 70) * day, quantity: back })
      }
    }
  }
  return { invoices, returns: returns.filter(({ at }) => at < yearEnd) }
}

const tiersOf = (bands: ReadonlyArray<{ readonly from: number; readonly percent: number }>) => ({
  tiers: { counted: "units", bands },
})

const group = (id: string, who: string, title: string, pay: object) => ({
  id,
  collaborator_id: who,
  itemType: "products",
  items: [title],
  ...pay,
})

const person = (id: string, name: string, currency: string) => ({
  id,
  currency,
  payout_measurement: "month",
  payout_frequency: 1,
  account: { name },
})

/** A small book publisher: escalating royalties, a cap, a reserve for returns, a guarantee. */
export const publisher: House = {
  folder: "docs/sample-publisher",
  currency: "USD",
  titles: { road: "The Salt Road", weathers: "Small Weathers", atlas: "The Fox Atlas" },
  ...yearOf(
    {
      places: ["north", "harbour", "online"],
      titles: {
        road: { price: 604, least: 90, most: 240 },
        weathers: { price: 549, least: 8, most: 31 },
        atlas: { price: 1_149, least: 20, most: 70 },
      },
      backEvery: 7,
    },
    2_026,
  ),
  contract: {
    royalties: [
      {
        ...{ title: "road", who: "ines" },
        steps: [
          { below: 2_000, points: 1_000 },
          { below: 5_000, points: 1_250 },
          { below: Number.POSITIVE_INFINITY, points: 1_500 },
        ],
      },
      {
        ...{ title: "weathers", who: "otto" },
        steps: [{ below: Number.POSITIVE_INFINITY, points: 800 }],
      },
      {
        ...{ title: "atlas", who: "wren" },
        ...{ steps: [{ below: Number.POSITIVE_INFINITY, points: 750 }], mostInMonth: 10_000 },
      },
    ],
    commissions: [],
    kept: [{ who: "ines", points: 2_000, days: [90, 180] }],
    prepaid: [],
    minimums: [{ who: "otto", amount: 60_000 }],
  },
  groups: [
    group("road-ines", "ines", "road", {
      terms: tiersOf([
        { from: 0, percent: 10 },
        { from: 2_000, percent: 12.5 },
        { from: 5_000, percent: 15 },
      ]),
    }),
    group("weathers-otto", "otto", "weathers", { percent: "8.00" }),
    group("atlas-wren", "wren", "atlas", {
      ...{ percent: "7.50", terms: { cap: { amount: 10_000, period: "month" } } },
    }),
  ],
  collaborators: [
    person("ines", "Ines Calder", "USD"),
    person("otto", "Otto Reyes", "USD"),
    person("wren", "Wren Abara", "USD"),
  ],
  agreements: {
    reserves: [
      {
        ...{ id: "returns", collaborator_id: "ines", percent: "20.00" },
        schedule: [
          { days: 90, percent: "50.00" },
          { days: 180, percent: "50.00" },
        ],
      },
    ],
    guarantees: [
      {
        ...{ id: "otto-2026", collaborator_id: "otto", currency: "USD", amount: 60_000 },
        ...{ from: start, until: yearEnd },
      },
    ],
  },
}

/** A small record label: costs and advances earned back, also from another album, and an agent. */
export const label: House = {
  folder: "docs/sample-label",
  currency: "EUR",
  titles: { "low-tide": "Low Tide", "night-ferry": "Night Ferry", "first-light": "First Light" },
  ...yearOf(
    {
      places: ["shops", "streams"],
      titles: {
        "low-tide": { price: 713, least: 12, most: 40 },
        "night-ferry": { price: 829, least: 30, most: 90 },
        "first-light": { price: 677, least: 10, most: 60 },
      },
      backEvery: 5,
    },
    77,
  ),
  contract: {
    royalties: [
      {
        ...{ title: "low-tide", who: "mara" },
        steps: [{ below: Number.POSITIVE_INFINITY, points: 5_000 }],
      },
      {
        ...{ title: "night-ferry", who: "mara" },
        steps: [{ below: Number.POSITIVE_INFINITY, points: 4_500 }],
      },
      {
        ...{ title: "first-light", who: "juno" },
        steps: [{ below: Number.POSITIVE_INFINITY, points: 5_000 }],
      },
    ],
    commissions: [{ who: "pell", of: "mara", points: 1_500 }],
    kept: [],
    prepaid: [
      {
        ...{ name: "night-ferry-studio", who: "mara", titles: ["night-ferry"] },
        ...{ amount: 80_000, points: 10_000 },
      },
      {
        ...{ name: "night-ferry-advance", who: "mara", titles: ["low-tide", "night-ferry"] },
        ...{ amount: 600_000, points: 10_000 },
      },
      {
        ...{ name: "first-light-advance", who: "juno", titles: ["first-light"] },
        ...{ amount: 150_000, points: 5_000 },
      },
    ],
    minimums: [],
  },
  groups: [
    group("low-tide-mara", "mara", "low-tide", { percent: "50.00" }),
    group("night-ferry-mara", "mara", "night-ferry", { percent: "45.00" }),
    group("first-light-juno", "juno", "first-light", { percent: "50.00" }),
  ],
  collaborators: [
    person("mara", "Mara Lindqvist", "EUR"),
    person("juno", "Juno Okafor", "EUR"),
    person("pell", "Pell & Daughters, agents", "EUR"),
  ],
  agreements: {
    advances: [
      {
        ...{ id: "night-ferry-studio", collaborator_id: "mara", currency: "EUR", amount: 80_000 },
        ...{ granted_at: start, purpose: "expense", groups: ["night-ferry-mara"] },
      },
      {
        ...{ id: "night-ferry-advance", collaborator_id: "mara", currency: "EUR", amount: 600_000 },
        ...{ granted_at: start, groups: ["low-tide-mara", "night-ferry-mara"] },
      },
      {
        ...{ id: "first-light-advance", collaborator_id: "juno", currency: "EUR", amount: 150_000 },
        ...{ granted_at: start, percent: "50.00", groups: ["first-light-juno"] },
      },
    ],
    overrides: [
      {
        ...{ id: "agent", collaborator_id: "pell", of: "share", from: "mara", paid_by: "share" },
        percent: "15.00",
      },
    ],
  },
}

const itemsOf = (house: House, order: string) =>
  house.invoices
    .filter((invoice) => invoice.order === order)
    .map(({ title, quantity, amount }) => ({
      ...{ external_id: title, quantity, amount },
      product: { id: title, name: house.titles[title] },
    }))

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** The files of a house by name. */
export const filesOf = (house: House): Readonly<Record<string, string>> => {
  const orders = [...new Map(house.invoices.map(({ order, at }) => [order, at]))]
    .sort(([, one], [, other]) => one - other)
    .map(([order, at]) => ({
      ...{ id: order, currency: house.currency, created_at: at, items: itemsOf(house, order) },
    }))
  const refunds = house.returns.map(({ order, title, at, quantity }) => ({
    ...{ order_id: order, item_id: title, quantity, refunded_at: at },
  }))
  return {
    "groups.json": json(house.groups),
    "collaborators.json": json(house.collaborators),
    "agreements.json": json(house.agreements),
    "refunds.json": json(refunds),
    "orders.ndjson": orders.map((order) => `${JSON.stringify(order)}\n`).join(""),
  }
}
