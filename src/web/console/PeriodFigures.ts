/** What a period came to. */

export interface SalesFigures {
  readonly sales: number
  readonly refunds: number
  readonly came_in: number
  readonly shares: number
  readonly store: number
}

export interface MonthRow extends SalesFigures {
  readonly month: string
}

export interface EarnerRow {
  readonly collaborator_id: string
  readonly collaborator_name: string | null
  readonly amount: number
  /** For each month of the currency, in their order. */
  readonly months: ReadonlyArray<number>
}

export interface CurrencyFigures extends SalesFigures {
  readonly currency: string
  readonly months: ReadonlyArray<MonthRow>
  readonly collaborators: ReadonlyArray<EarnerRow>
  /** Whoever is not listed, together. */
  readonly others: { readonly collaborators: number; readonly amount: number } | null
}

export interface PeriodFigures {
  readonly first_sale_at: number | null
  readonly last_sale_at: number | null
  readonly currencies: ReadonlyArray<CurrencyFigures>
}
