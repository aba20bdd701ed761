import type { CreditTransfers, Party, Transfer } from "apportion/rails/sepa"

export const ada: Party = { name: "Ada Lovelace", iban: "DE02120300000000202051" }

export const transfer = (changes: Partial<Transfer<Party>> = {}): Transfer<Party> => ({
  key: "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f",
  amount: 12_345,
  currency: "EUR",
  reference: "Your share of October",
  collaboratorId: "ada",
  recipient: ada,
  ...changes,
})

export const batch = (changes: Partial<CreditTransfers.Batch> = {}): CreditTransfers.Batch => ({
  id: "payouts-2026-11",
  createdAt: Date.UTC(2026, 10, 19, 12) / 1000,
  executeOn: "2026-11-20",
  payer: { name: "Paper Heron", iban: "NL91 ABNA 0417 1643 00" },
  transfers: [transfer()],
  ...changes,
})
