/** Splits the orders of one input, one after another: what a run with one job does, and each job of several. */
import type { RuleSet } from "../../rules/RuleSet.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import * as ExitCode from "../ExitCode.js"
import type { Note } from "../input/Input.js"
import type { OrderInputs } from "../input/OrderInputs.js"
import * as OrderReader from "../input/OrderReader.js"
import { Orders } from "../input/Orders.js"
import * as Products from "../input/Products.js"
import type { InputEntry } from "../input/Records.js"
import * as Refunds from "../input/Refunds.js"
import { Remarks, type RemarksData } from "../input/Remarks.js"
import * as Rules from "../input/Rules.js"
import type { Source } from "../input/Sources.js"
import type { OrderFailure } from "../output/OrderFailure.js"
import type { SplitWriter } from "./SplitWriter.js"

/** The inputs that decide how the orders are split. */
export interface Inputs extends Omit<OrderInputs, "orders"> {
  readonly refunds: Source | undefined
}

/** The same inputs, read and checked. */
export interface Prepared {
  readonly rules: RuleSet
  readonly policy: SplitPolicy
  readonly readOrder: OrderReader.OrderReader
  readonly refunds: Refunds.Refunds
}

/** Reads the inputs, one after another. */
export const prepare = async (inputs: Inputs, note: Note): Promise<Prepared> => {
  const { rules } = await Rules.readGroups(inputs.groups, note)
  const { policy } = await Rules.readPolicy(inputs.policy, note)
  const catalogues = await Products.read(inputs.products, note)
  const refunds = await Refunds.read(inputs.refunds, note)
  const readOrder = OrderReader.of({
    catalogues,
    deductsCosts: policy.cost === "deduct",
    sales: inputs.sales,
  })
  return { rules, policy, readOrder, refunds }
}

/** How many orders there were, and how many of them, and of their refunds, failed. */
export interface Counts {
  readonly orders: number
  readonly failures: number
  readonly failedRefunds: number
  /** What was left out. */
  readonly remarks: RemarksData
}

/** Orders on their way from the input to the output. */
export class SplitRun {
  private orderCount = 0
  private failureCount = 0
  private failedRefunds = 0
  private readonly orders: Orders
  private readonly refunds: Refunds.Refunds
  private readonly writer: SplitWriter
  private readonly note: Note

  constructor(
    { rules, policy, readOrder, refunds }: Prepared,
    options: {
      /** How the orders' input is called in messages. */
      readonly name: string
      readonly writer: SplitWriter
      readonly note: Note
      /** Whether an earlier order had this id; found by remembering all ids when it is left out. */
      readonly isRepeated?: (id: string) => boolean
    },
  ) {
    const { name, note, isRepeated } = options
    this.orders = new Orders({ name, rules, policy, readOrder, isRepeated })
    this.refunds = refunds
    this.writer = options.writer
    this.note = note
  }

  get counts(): Counts {
    const { orderCount: orders, failureCount: failures, failedRefunds } = this
    return { orders, failures, failedRefunds, remarks: this.orders.remarks.data }
  }

  /** The text of one order's result. */
  result(entry: InputEntry): string {
    this.orderCount += 1
    const outcome = this.orders.split(entry)
    if (outcome._tag === "OrderFailure") return this.failure(outcome)
    if (outcome._tag === "NotSold") {
      this.refunds.markUsed(outcome.orderId)
      return ""
    }
    const { reversals, failures, notes, isUntold } = this.refunds.reversals(outcome)
    if (isUntold) this.orders.remarks.addUntoldRefund(outcome.order.id)
    this.failedRefunds += failures.length
    for (const line of failures) this.note(`apportion: ${line}`)
    for (const line of notes) this.note(line)
    return this.writer.split(outcome.split, reversals)
  }

  private failure(failure: OrderFailure): string {
    this.failureCount += 1
    if (failure.orderId !== undefined) this.refunds.markUsed(failure.orderId)
    if (!this.writer.writesFailures) {
      for (const line of failure.lines) this.note(`apportion: ${line}`)
    }
    return this.writer.failure(failure)
  }
}

/** Tells how many failed, and answers the exit code. */
export const conclude = (note: Note, counts: Counts): number => {
  const { orders, failures, failedRefunds } = counts
  const remarks = new Remarks()
  remarks.addAll(counts.remarks)
  for (const text of remarks.texts()) note(text)
  if (failures > 0) note(`apportion: ${failures} of ${orders} orders failed`)
  if (failedRefunds > 0) note(`apportion: ${Refunds.failed(failedRefunds)}`)
  return failures + failedRefunds > 0 ? ExitCode.someFailed : ExitCode.success
}
