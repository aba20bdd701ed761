/** Which entries are about an agreement: the history of an agreement, by the numbers of its entries. */
export const agreementBookings: ReadonlyArray<string> = [
  `CREATE TABLE apportion.agreement_bookings (
    account_id apportion.key_text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('advance', 'reserve', 'guarantee', 'override')),
    agreement_id apportion.key_text NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (account_id, kind, agreement_id, number)
  )`,
]
