/** Random histories of an account with agreements, carried out by services, by the pure functions and by the oracle. */
import { type AgreementSet, Agreements, Balances } from "apportion/agreements"
import type { StorageService } from "apportion/ports"
import { makeApportion } from "apportion/promise"
import * as Result from "effect/Result"
import { agreementsOf, balancesOf, oracleBalances } from "../agreements/Histories.js"
import { Oracle } from "../agreements/Oracle.js"
import { Chance } from "../generators/Chance.js"

const shop = "shop"
const day = 86_400
const people = ["ada", "ben", "čar", "__proto__", "𝔻", "eve", "fay", "gil", "hal"]
const groupIds = ["g1", "g2", "constructor", "ü"]
const kinds = {
  advances: "advance",
  reserves: "reserve",
  guarantees: "guarantee",
  overrides: "override",
} as const

const lists = ["advances", "reserves", "guarantees", "overrides"] as const

/** How a history goes. */
export interface HistoryOptions {
  /** The currency of a collaborator's payouts. */
  readonly currencyOf: (collaboratorId: string) => string
  readonly storage?: StorageService
  /** Whether orders are recorded many at a time. */
  readonly isTogether: boolean
  readonly maturityDays: number
}

const open = async (chance: Chance, agreed: AgreementSet, options: HistoryOptions) => {
  let now = day
  const rates = { "USD/JPY": "150.37", "USD/KWD": "0.3071" }
  const { storage, maturityDays } = options
  const services = await makeApportion({
    ...{ now: () => now, exchangeRates: rates, settings: { maturityDays } },
    ...(storage === undefined ? {} : { storage }),
  })
  for (const id of people) {
    const given = { id, currency: options.currencyOf(id), payoutMeasurement: "day" } as const
    await services.collaborators.create(shop, given)
  }
  for (const [index, id] of groupIds.entries()) {
    const link = { type: "products.tag", values: [id] } as const
    const percent = [33.33, 10, 25, 7.5][index] ?? 1
    await services.groups.create(shop, people[index] ?? "ada", { id, link, percent })
  }
  for (const list of lists) {
    for (const agreement of agreed[list]) {
      await services.agreements.put(shop, { kind: kinds[list], agreement: { ...agreement } })
    }
  }
  const pass = () => {
    now += chance.below(2) * day
  }
  return { ...services, pass, at: () => now }
}

/** What became of a history: of the services, of the pure functions, and of the oracle. */
export interface HistoryOutcome {
  readonly services: ReadonlyArray<string>
  readonly pure: ReadonlyArray<string>
  readonly oracle: ReadonlyArray<string>
  /** What each collaborator has in all payouts, and has by the pure functions. */
  readonly totals: ReadonlyArray<readonly [string, number, number]>
  /** Who has a guarantee, and so perhaps more than their shares. */
  readonly guaranteed: ReadonlyArray<string>
  readonly audit: ReadonlyArray<unknown>
}

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((all, one) => all + one, 0)

/** A history of so many steps; everything is refunded at the end if it is said so. */
export const play = async (
  seed: number,
  options: HistoryOptions & { readonly steps: number; readonly isUndone?: boolean },
): Promise<HistoryOutcome> => {
  const chance = new Chance(seed)
  const agreed = agreementsOf(chance, "usual")
  const account = await open(chance, agreed, options)
  const oracle = new Oracle()
  let balances = Balances.empty
  const items: Array<Parameters<typeof Agreements.refund>[1][number]> = []
  const note = (result: ReturnType<typeof Agreements.post>) => {
    const outcome = Result.getOrThrow(result)
    balances = outcome.balances
    items.push(...outcome.items)
  }
  const left = new Map<string, number>()
  let waiting: Array<Parameters<typeof account.sales.record>[1]> = []
  const record = async () => {
    const together = waiting
    waiting = []
    if (options.isTogether) await account.sales.recordAll(shop, together)
    else for (const order of together) await account.sales.record(shop, order)
    for (const { id } of together) {
      const parts = await account.sales.get(shop, id)
      const { split } = parts[0] ?? {}
      if (split === undefined) throw new RangeError("an order was not recorded")
      const sale = { ...split, orderId: `${id}/USD`, at: account.at() }
      note(Agreements.post(agreed, balances, sale))
      oracle.sale(agreed, {
        ...{ orderId: sale.orderId, currency: split.currency, at: sale.at },
        ...{ shares: split.shares, store: split.store },
      })
    }
  }
  const refund = async (id: string, key: string, quantity: number) => {
    const [orderId = "", itemId = ""] = key.split(" ")
    const { reversal } = await account.sales.refund(shop, { id, orderId, itemId, quantity })
    // Asked again, it has no further effect.
    await account.sales.refund(shop, { id, orderId, itemId, quantity })
    left.set(key, (left.get(key) ?? 0) - quantity)
    const given = { ...reversal, orderId: `${orderId}/USD` }
    note(Agreements.refund(balances, items, given))
    oracle.refund(given)
  }
  const close = async () => {
    await Promise.all([account.payouts.closeDue(shop), account.payouts.closeDue(shop)])
    const at = account.at()
    note(Agreements.release(agreed, balances, { at }))
    note(Agreements.close(agreed, balances, { at }))
    oracle.release(agreed, at)
    oracle.close(agreed, at)
  }
  for (let step = 0; step < options.steps; step += 1) {
    const what = chance.weighted({ sell: 5, refund: 3, close: 2, pay: 1 })
    if (what === "sell") {
      const count = 1 + chance.below(options.isTogether ? 4 : 1)
      for (let index = 0; index < count; index += 1) {
        const id = `${step}-${index}`
        const lines = ["1", "2"].slice(0, 1 + chance.below(2)).map((itemId) => {
          const quantity = 1 + chance.below(4)
          left.set(`${id} ${itemId}`, quantity)
          const tags = groupIds.filter(() => chance.isLucky(0.5))
          const amount = quantity * chance.below(chance.onceIn(4) ? 200 : 30_000)
          return {
            id: itemId,
            product: { id: `p${step}${index}${itemId}`, tags },
            quantity,
            amount,
          }
        })
        waiting.push({ id, currency: "USD", createdAt: account.at(), items: lines })
      }
      await record()
    }
    if (what === "refund") {
      const open = [...left].filter(([, quantity]) => quantity > 0)
      const found = chance.pick(open)
      if (found !== undefined) await refund(`r${step}`, found[0], 1 + chance.below(found[1]))
    }
    if (what === "close") {
      account.pass()
      await close()
    }
    if (what === "pay") {
      const page = { page: 1, perPage: 100 }
      const { entries } = await account.payouts.list(shop, { status: "pending" }, page)
      for (const { payout } of entries.filter(() => chance.isLucky(0.5))) {
        await account.payouts.setPaid(shop, payout.id)
      }
    }
  }
  if (options.isUndone === true) {
    for (const [key, quantity] of left) if (quantity > 0) await refund(`all ${key}`, key, quantity)
  }
  const page = { page: 1, perPage: 100 }
  const totals: Array<readonly [string, number, number]> = []
  for (const id of people) {
    const { entries } = await account.payouts.list(shop, { collaboratorId: id }, page)
    const whole = entries.map(({ payout }) => account.payouts.get(shop, payout.id))
    const has = sum((await Promise.all(whole)).map(({ total }) => total))
    const due = sum(items.filter((one) => one.collaboratorId === id).map(({ amount }) => amount))
    totals.push([id, has, due])
  }
  const differences = [
    ...(await account.audit.payouts(shop)).differences,
    ...(await account.audit.sales(shop)).differences,
    ...(await account.audit.agreements(shop)).differences,
  ]
  const services = balancesOf(cleaned(await account.agreements.balances(shop)))
  await account.close()
  const guaranteed = agreed.guarantees.map(({ collaboratorId }) => collaboratorId)
  const known = { pure: balancesOf(balances), oracle: oracleBalances(oracle) }
  return { services, ...known, totals, guaranteed, audit: differences }
}

/** Balances of nothing are not listed by the pure functions. */
const cleaned = (balances: Balances.AgreementBalances): Balances.AgreementBalances => ({
  ...balances,
  advances: balances.advances.filter(({ recouped }) => recouped !== 0),
  guarantees: balances.guarantees.filter(({ earned, isClosed }) => earned !== 0 || isClosed),
})
