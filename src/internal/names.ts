/** `payoutHoldingDays` as the wire has it: `payout_holding_days`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/** `payout_holding_days` as the core has it: `payoutHoldingDays`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
