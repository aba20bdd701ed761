/** A shop with agreements, and what its collaborators have. */
import type { StorageService } from "apportion/ports"
import { type ApportionOptions, makeApportion } from "apportion/promise"

export const shop = "shop"
export const day = 86_400

/** A shop in which collaborators have half of what is sold with their tag, and agreements. */
export const opened = async (
  storage?: StorageService,
  options: Pick<ApportionOptions, "exchangeRates" | "settings"> = {},
) => {
  let now = 1_700_000_000
  const services = await makeApportion({
    ...{ ...options, now: () => now },
    ...(storage && { storage }),
  })
  const { collaborators, groups, agreements, sales, payouts } = services
  return {
    ...services,
    wait: (days: number) => {
      now += days * day
    },
    hire: async (id: string, currency = "EUR", percent = 50) => {
      await collaborators.create(shop, { id, currency, payoutMeasurement: "month" })
      const link = { type: "products.tag", values: [id] } as const
      await groups.create(shop, id, { id: `g-${id}`, link, percent })
    },
    agree: (
      kind: "advance" | "reserve" | "guarantee" | "override",
      agreement: { readonly id: string; readonly [field: string]: unknown },
    ) => agreements.put(shop, { kind, agreement }),
    sell: (id: string, tags: ReadonlyArray<string>, amount: number) => {
      const items = [{ id: "1", product: { id: `p-${id}`, tags }, quantity: 4, amount }]
      return sales.record(shop, { id, currency: "EUR", items })
    },
    refund: (id: string, orderId: string, quantity: number) =>
      sales.refund(shop, { id, orderId, itemId: "1", quantity }),
    /** What a collaborator has in each payout, the earliest first: signed amounts with what they are. */
    lines: async (collaboratorId: string) => {
      const { entries } = await payouts.list(shop, { collaboratorId }, { page: 1, perPage: 100 })
      const all = []
      for (const { payout } of entries.toReversed()) {
        const { payout: whole } = await payouts.get(shop, payout.id)
        all.push(
          whole.items.map((item) => {
            const isAgreed = "agreement" in item && item.agreement !== undefined
            return `${isAgreed ? item.agreement.kind : item.kind} ${item.amount}`
          }),
        )
      }
      return all
    },
  }
}
