/**
 * The file of payouts that is uploaded on PayPal's site.
 *
 * @since 0.6.0
 */
import type * as Result from "effect/Result"
import { addProblems } from "../../internal/problems.js"
import { fitAmount, paypal } from "../Fields.js"
import type { Transfer } from "../Instruction.js"
import { type Fitting, take, takeText } from "../internal/batchFields.js"
import { lines } from "../internal/csv.js"
import { decimal } from "../internal/units.js"
import { type Unwritable, written } from "../Unwritable.js"
import * as CustomerId from "./CustomerId.js"
import { noteBatch } from "./internal/batch.js"
import { type PayPalRecipient, type Receiver, receiverOf } from "./internal/receiver.js"

/** Notes different kinds of recipients: a file of PayPal has only e-mail addresses, only accounts or only phones. */
const noteReceivers = (fitting: Fitting, receivers: ReadonlyArray<Receiver>): void => {
  const [first] = receivers
  const others = receivers.flatMap(({ type, receiver }, index) => {
    if (first === undefined || type === first.type || receiver === "") return []
    const message = "must be named as in transfers[0]: a file has one kind of recipient"
    return [{ path: `transfers[${index}].recipient`, value: receiver, message }]
  })
  addProblems(fitting.problems, others)
}

const cellsOf = (
  fitting: Fitting,
  place: string,
  transfer: Transfer<PayPalRecipient>,
  { receiver }: Receiver,
): ReadonlyArray<string> => {
  const amount = take(fitting, place, fitAmount(transfer, paypal.amount), 0)
  const { currency } = transfer
  return [
    receiver,
    decimal({ amount, currency }, paypal.amount),
    currency,
    take(fitting, place, CustomerId.ofKey(transfer.key), ""),
    takeText(fitting, place, transfer.reference, paypal.fileReference),
  ]
}

/**
 * Writes the file of at most 5,000 payments, all in one currency and to one kind of recipient: a line for each, with
 * recipient, amount, currency, customer id and note, and no header. The key becomes the {@link CustomerId}. A value
 * that PayPal would refuse or a spreadsheet would run is refused, all at once and with their paths, and then no file is
 * written. PayPal does not recognise a file that is uploaded twice: it pays twice.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { MassPayment } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const transfer = {
 *   key: "at-1",
 *   amount: 1999,
 *   currency: "EUR",
 *   reference: 'Royalties, "Paper Heron"',
 *   collaboratorId: "ada",
 *   recipient: { email: "ada@example.com" },
 * }
 * const file = MassPayment.write({ transfers: [transfer] })
 * Result.getOrThrow(file) // => 'ada@example.com,19.99,EUR,at-1,"Royalties, ""Paper Heron"""\r\n'
 *
 * const refused = MassPayment.write({ transfers: [{ ...transfer, reference: "=1+1" }] })
 * Result.isFailure(refused) && refused.failure.problems[0]?.path // => "transfers[0].reference"
 * ```
 */
export const write = (batch: {
  readonly transfers: ReadonlyArray<Transfer<PayPalRecipient>>
}): Result.Result<string, Unwritable> =>
  written("PayPal mass payment file", batch, (problems) => {
    const fitting = { problems }
    const { transfers } = batch
    noteBatch(fitting, transfers, 5_000)
    const receivers: Array<Receiver> = []
    const rows = transfers.map((transfer, index) => {
      const place = `transfers[${index}]`
      const receiver = receiverOf(fitting, place, transfer.recipient)
      receivers.push(receiver)
      return cellsOf(fitting, place, transfer, receiver)
    })
    noteReceivers(fitting, receivers)
    return lines(rows)
  })
