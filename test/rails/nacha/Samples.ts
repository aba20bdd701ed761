import type { CreditFile, Transfer } from "apportion/rails/nacha"

export const zoe: CreditFile.BankAccount = {
  ...{ name: "Zoe Son", routing: "021000021", account: "123456789" },
  ...{ type: "checking", isCompany: false },
}

export const transfer = (
  changes: Partial<Transfer<CreditFile.BankAccount>> = {},
): Transfer<CreditFile.BankAccount> => ({
  key: "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f",
  amount: 12_345,
  currency: "USD",
  reference: "Your share of October",
  collaboratorId: "zoe",
  recipient: zoe,
  ...changes,
})

export const batch = (changes: Partial<CreditFile.AchBatch> = {}): CreditFile.AchBatch => ({
  bank: { name: "First Bank", routing: "091000019" },
  origin: { name: "Paper Heron", id: "1234567890" },
  company: { name: "Paper Heron", id: "1234567890", description: "ROYALTIES" },
  createdAt: Date.UTC(2026, 10, 19, 12, 34) / 1000,
  effectiveOn: "2026-11-20",
  transfers: [transfer()],
  ...changes,
})
