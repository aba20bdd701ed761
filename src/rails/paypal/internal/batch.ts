import { addProblems, show } from "../../../internal/problems.js"
import type { Transfer } from "../../Instruction.js"
import { type Fitting, noteTransfers } from "../../internal/batchFields.js"
import type { PayPalRecipient } from "./receiver.js"

/** Notes a batch that PayPal would refuse: no or too many transfers, a repeated key, a second currency. */
export const noteBatch = (
  fitting: Fitting,
  transfers: ReadonlyArray<Transfer<PayPalRecipient>>,
  most: number,
): void => {
  noteTransfers(fitting, transfers)
  if (transfers.length > most) {
    const message = `must have at most ${most} transfers, has ${transfers.length}`
    addProblems(fitting.problems, [{ path: "transfers", value: transfers, message }])
  }
  const [first] = transfers
  const others = transfers.flatMap(({ currency }, index) => {
    if (first === undefined || currency === first.currency) return []
    const message = `must be ${first.currency} as in transfers[0], for PayPal pays one currency at a time, got ${show(currency)}`
    return [{ path: `transfers[${index}].currency`, value: currency, message }]
  })
  addProblems(fitting.problems, others)
}
