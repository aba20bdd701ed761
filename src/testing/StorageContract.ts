/**
 * The contract of storages: cases that a host runs against its own adapter.
 *
 * @since 0.2.0
 */
import type * as Effect from "effect/Effect"
import type { StorageService } from "../ports/Storage.js"
import type { ContractCase } from "./ContractCase.js"
import { agreementChecks } from "./contracts/agreementChecks.js"
import { casesOf } from "./contracts/check.js"
import { concurrencyChecks } from "./contracts/concurrencyChecks.js"
import { counterChecks } from "./contracts/counterChecks.js"
import { endpointChecks } from "./contracts/endpointChecks.js"
import { eventChecks } from "./contracts/eventChecks.js"
import { collaboratorChecks, groupChecks } from "./contracts/groupChecks.js"
import { inboxChecks } from "./contracts/inboxChecks.js"
import { linkChecks } from "./contracts/linkChecks.js"
import { manyChecks } from "./contracts/manyChecks.js"
import { passChecks } from "./contracts/passChecks.js"
import { paymentChecks } from "./contracts/paymentChecks.js"
import { payoutChecks } from "./contracts/payoutChecks.js"
import { payoutHistoryChecks } from "./contracts/payoutHistoryChecks.js"
import { payoutItemChecks, payoutListChecks } from "./contracts/payoutItemChecks.js"
import { productChecks } from "./contracts/productChecks.js"
import { resplitChecks } from "./contracts/resplitChecks.js"
import { retentionChecks } from "./contracts/retentionChecks.js"
import { saleChecks } from "./contracts/saleChecks.js"
import { selectedChecks } from "./contracts/selectedChecks.js"
import { settingsChecks } from "./contracts/settingsChecks.js"
import { soldChecks } from "./contracts/soldChecks.js"
import { keyChecks, storeChecks } from "./contracts/storeChecks.js"
import { transactionChecks } from "./contracts/transactionChecks.js"

/**
 * The cases for a storage: every method of every store, the order and the slices of lists, versions and conflicts, the
 * history of payouts, isolated accounts, transactions that leave nothing behind when they fail, and concurrency.
 *
 * Each case makes its own storage, which has to be empty, and rejects with a `ContractBroken` that says what was
 * expected and what was returned. The collaborators of groups and payouts are stored first, and payouts are consistent
 * with their status, so that a store may enforce that. Links, jobs and postings may name missing records, because
 * stores need not check that.
 *
 * @param make - an empty storage, a promise of one, or an effect that makes one
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { StorageContract } from "apportion/testing"
 *
 * const cases = StorageContract.cases(() => MemoryStorage.make)
 * // With vitest: for (const { name, run } of cases) test(name, run)
 * const [first] = cases
 * await first?.run() // => undefined
 * first?.name // => "what the work gives comes out of the transaction, whatever it reads or writes"
 * ```
 */
export const cases = (
  make: () => Effect.Effect<StorageService, unknown> | Promise<StorageService> | StorageService,
): ReadonlyArray<ContractCase> =>
  casesOf(
    [
      ...[...transactionChecks, ...storeChecks, ...concurrencyChecks],
      ...[...collaboratorChecks, ...groupChecks, ...productChecks, ...linkChecks],
      ...selectedChecks,
      ...[...payoutChecks, ...payoutItemChecks, ...payoutListChecks],
      ...paymentChecks,
      ...[
        ...payoutHistoryChecks,
        ...saleChecks,
        ...soldChecks,
        ...keyChecks,
        ...eventChecks,
        ...endpointChecks,
      ],
      ...[...inboxChecks, ...resplitChecks, ...settingsChecks, ...manyChecks],
      ...[...retentionChecks, ...passChecks, ...counterChecks, ...agreementChecks],
    ],
    make,
  )
