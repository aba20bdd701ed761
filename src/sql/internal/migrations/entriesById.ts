/** Expenses and incomes are found by their ids: few beside the shares of sales, which stay out of the index. */
export const entriesById: ReadonlyArray<string> = [
  `CREATE INDEX payout_entries ON apportion.payout_items (account_id, item_id, payout_id)
    WHERE kind IN ('expense', 'income')`,
]
