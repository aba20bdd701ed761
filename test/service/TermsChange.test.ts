import { makeApportion } from "apportion/promise"
import { expect, test } from "vitest"

const seconds = (month: number, day: number) => Date.UTC(2026, month - 1, day) / 1000

test("what was due before a collaborator's terms changed is closed or rolled under the old terms", async () => {
  let at = seconds(1, 10)
  const apportion = await makeApportion({ now: () => at })
  const monthly = { payoutMeasurement: "monthly_date", payoutFrequency: -1 } as const
  for (const id of ["ada", "ben"]) {
    await apportion.collaborators.create("shop", { id, currency: "USD", ...monthly })
    await apportion.groups.create("shop", id, { link: { type: "products.all" }, percent: 10 })
  }
  await apportion.collaborators.update("shop", "ben", { payoutThreshold: 5_000 })
  const item = { id: "1", product: { id: "p" }, quantity: 1, amount: 10_000 }
  await apportion.sales.record("shop", { id: "o", currency: "USD", items: [item] })

  at = seconds(2, 3)
  await apportion.collaborators.update("shop", "ada", {
    payoutThreshold: 5_000,
    payoutHoldingDays: 30,
  })
  await apportion.collaborators.update("shop", "ben", { payoutThreshold: 0, payoutFrequency: 15 })

  const { entries } = await apportion.payouts.list("shop", {})
  const standing = entries.map(({ payout }) => ({
    collaboratorId: payout.collaboratorId,
    status: payout.status,
    toBePaidAt: payout.toBePaidAt,
    payableAt: payout.payableAt,
  }))
  // Ada had no threshold and no holding days on January 31; Ben's 1,000 were too little for his 5,000.
  expect(standing).toEqual([
    { collaboratorId: "ben", status: "active", toBePaidAt: seconds(2, 28), payableAt: null },
    {
      collaboratorId: "ada",
      status: "pending",
      toBePaidAt: seconds(1, 31),
      payableAt: seconds(1, 31),
    },
  ])
  await apportion.close()
})
