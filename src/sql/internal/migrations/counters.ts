/** The statements that make the table of what terms of groups count, and of what rounding carries on. */
export const counters: ReadonlyArray<string> = [
  `CREATE TABLE apportion.counters (
    account_id apportion.key_text NOT NULL,
    counter_key apportion.key_text NOT NULL,
    count bigint NOT NULL CHECK (count BETWEEN -9007199254740991 AND 9007199254740991),
    PRIMARY KEY (account_id, counter_key)
  ) WITH (fillfactor = 80)`,
]
