/**
 * What was sold, added up by currency, owner and span of time with the transaction that records it: a sum of many sales is
 * read in place of all of them. The sums of sales that were recorded before are made with the table (`../soldSums.ts`).
 */
export const soldSums: ReadonlyArray<string> = [
  `CREATE TABLE apportion.sold_sums (
    account_id apportion.key_text NOT NULL,
    -- When the span begins.
    since bigint NOT NULL,
    currency apportion.key_text NOT NULL,
    -- Blank: the store.
    collaborator_id apportion.key_text NOT NULL,
    -- No number of sales is too large for it.
    amount numeric NOT NULL,
    sales bigint NOT NULL,
    refunds bigint NOT NULL,
    PRIMARY KEY (account_id, since, currency, collaborator_id)
  ) WITH (fillfactor = 90)`,
]
