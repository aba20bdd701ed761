/** By what a rail calls a payment, for answers of rails that do not repeat its id. */
export const paymentReferences: ReadonlyArray<string> = [
  `CREATE INDEX payments_of_reference ON apportion.payments
    (account_id, md5(reference), claimed_at, payment_id) WHERE reference IS NOT NULL`,
]
