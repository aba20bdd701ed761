/** What the API answers with, by its own schemas; and the answers that only the console asks for. */
import type * as AgreementSchemas from "../../wire/AgreementSchemas.js"
import type * as EventSchemas from "../../wire/EventSchemas.js"
import type * as LedgerSchemas from "../../wire/LedgerSchemas.js"
import type * as PassSchemas from "../../wire/PassSchemas.js"
import type * as PaymentSchemas from "../../wire/PaymentSchemas.js"
import type * as SaleSchemas from "../../wire/SaleSchemas.js"
import type * as Schemas from "../../wire/Schemas.js"

/** The envelope of a single record. */
export interface Single<T> {
  readonly data: T
}

/** A page of a list. */
export interface Paged<T> {
  readonly data: ReadonlyArray<T>
  readonly meta: typeof Schemas.MetaView.Type
}

export type Collaborator = typeof Schemas.CollaboratorView.Type
export type ListedPayout = typeof Schemas.PayoutEntry.Type & {
  readonly total?: number
  readonly items_count?: number
}
export type ViewedItem = (typeof Schemas.PayoutItem)["Type"] & {
  readonly source?: typeof LedgerSchemas.LineItem.Type
}
export type ViewedPayout = Omit<typeof Schemas.WholePayout.Type, "items"> & {
  readonly items: ReadonlyArray<ViewedItem>
  /** Why it failed; asked for with the sources of its items. */
  readonly failure_reason?: string | null
  readonly items_meta?: typeof Schemas.MetaView.Type
}
export type HistoryEntry = typeof LedgerSchemas.HistoryEntryView.Type
export type BalanceRow = typeof LedgerSchemas.BalanceView.Type
export type OwnerRow = typeof LedgerSchemas.CollaboratorBalancesView.Type
export type DebtRow = typeof LedgerSchemas.DebtView.Type
export type PassRow = typeof PassSchemas.PassView.Type
export type MadePass = typeof PassSchemas.PassWithToken.Type
export type PaymentRow = typeof PaymentSchemas.PaymentView.Type
export type EventRow = typeof EventSchemas.EventView.Type
export type SoldPart = typeof SaleSchemas.SalePart.Type
export type ViewedSale = typeof SaleSchemas.ViewedSale.Type
export type RefundRow = typeof SaleSchemas.RefundView.Type
export type PreviewedRefund = typeof SaleSchemas.PreviewedRefund.Type
export type ExplainedPart = ViewedSale["parts"][number]

/** An agreement and where it stands. */
export type AgreementRow = typeof AgreementSchemas.AgreementView.Type

/** What was booked for an agreement at one time. */
export type AgreementBooking = typeof AgreementSchemas.AgreementBookingView.Type

/** An agreement as a request takes it. */
export type AgreementForm = typeof AgreementSchemas.AgreementRequest.Type

type TermsOf<Row> = Row extends AgreementRow ? Pick<Row, "kind" | "agreement"> : never

/** What is agreed, with its kind. */
export type AgreedTerms = TermsOf<AgreementRow>

export type AgreementPreview = Omit<
  typeof AgreementSchemas.AgreementPreviewView.Type,
  "agreed" | "before"
> & { readonly agreed: AgreedTerms; readonly before: AgreedTerms | null }

/** A product group as a request takes it. */
export type GroupForm = typeof Schemas.NewGroup.Type

/** A group as it is stored. */
export interface StoredGroup {
  readonly id: string
  readonly collaborator: { readonly id: string; readonly name: string | null }
  readonly group: GroupForm
  readonly products_count: number
}

/** A group that may be stored: whose, which one if it is there already, and its fields. */
export interface ProposedGroup {
  readonly collaborator_id: string
  readonly group_id: string | null
  /** `null`: it would be removed. */
  readonly group: GroupForm | null
}
