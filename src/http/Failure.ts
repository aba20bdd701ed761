/** Everything that a request can be refused for. */
import type { InvalidProductGroup } from "../groups/ProductGroup.js"
import type { AmountOutOfRange } from "../money/Cents.js"
import type { PayoutAlreadyPaid } from "../payouts/Payout.js"
import type { InvalidEntry } from "../payouts/PayoutItem.js"
import type { TransitionError } from "../payouts/PayoutStatus.js"
import type { StorageError } from "../ports/StorageError.js"
import type { InvalidPayoutFilter } from "../service/InvalidPayoutFilter.js"
import type {
  AlreadyExists,
  KeyReused,
  NotFound,
  TooManyKeys,
  UnitOfWorkBroken,
} from "../service/ServiceError.js"
import type { Unreadable } from "../Unreadable.js"
import type { RequestError } from "./RequestError.js"

/** What a service can fail with in a handler. */
export type ServiceFailure =
  | InvalidProductGroup
  | InvalidEntry
  | InvalidPayoutFilter
  | Unreadable
  | AmountOutOfRange
  | NotFound
  | AlreadyExists
  | PayoutAlreadyPaid
  | TransitionError
  | KeyReused
  | TooManyKeys
  | UnitOfWorkBroken
  | StorageError

export type Failure = ServiceFailure | RequestError
