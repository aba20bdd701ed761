/** The remainders of a run: read from a file, carried from order to order, and written into a file. */
import * as Result from "effect/Result"
import { RunningRemainders } from "../../carry/CarriedSplit.js"
import * as Remainder from "../../carry/Remainder.js"
import type { Order } from "../../orders/Order.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import type { Refund } from "../../shares/Refund.js"
import type { Split, SplitError } from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import * as WireRemainder from "../../wire/Remainder.js"
import * as ExitCode from "../ExitCode.js"
import * as Input from "./Input.js"
import type { OrderSplitter } from "./Orders.js"
import type { Note } from "./Records.js"
import { readEach } from "./Rules.js"
import type { Source } from "./Sources.js"

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

/** The remainders of a file; none without one. */
export const readRemainders = async (
  source: Source | undefined,
  note: Note,
): Promise<Remainder.Remainders> => {
  if (source === undefined) return []
  const records = await Input.readAll(source, { kind: Input.remainders, note })
  const parsed = Remainder.parse(readEach(source.name, records, WireRemainder.read))
  return Result.isSuccess(parsed)
    ? parsed.success
    : refuse(`${source.name}: ${parsed.failure.message}`)
}

const keyOf = ({ currency, groupId }: Remainder.Remainder): string =>
  JSON.stringify([currency, groupId])

/** The sums of the remainders of each party. */
const added = (one: Remainder.Remainders, other: Remainder.Remainders): Remainder.Remainders => {
  const sums = new Map(one.map((each) => [keyOf(each), each]))
  for (const each of other) {
    const known = sums.get(keyOf(each))
    const remainder = (known?.remainder ?? 0) + each.remainder
    sums.set(keyOf(each), { ...each, remainder })
  }
  return Remainder.make([...sums.values()])
}

/** Splits orders, and carries what rounding leaves from each to the next. */
export class RunRemainders implements OrderSplitter {
  private readonly rules: RuleSet
  private readonly policy: SplitPolicy
  private readonly running: RunningRemainders
  /**
   * What refunds change. It counts for the next run only: in this one, how an order is split must not depend on which of
   * the refunds that came later are known by now.
   */
  private readonly returned = new RunningRemainders()

  constructor(
    { rules, policy }: { readonly rules: RuleSet; readonly policy: SplitPolicy },
    remainders: Remainder.Remainders,
  ) {
    this.rules = rules
    this.policy = policy
    this.running = new RunningRemainders(remainders)
  }

  split(order: Order): Result.Result<Split, SplitError> {
    return this.running.split(this.rules, order, this.policy)
  }

  /** Takes back the remainders of what was refunded of a split. */
  takeBack(split: Split, refunds: ReadonlyArray<Refund>): void {
    for (const [place, refund] of refunds.entries()) {
      Result.getOrThrow(this.returned.refund(split, refund, { earlier: refunds.slice(0, place) }))
    }
  }

  get remainders(): Remainder.Remainders {
    return added(this.running.remainders, this.returned.remainders)
  }

  /** The remainders as the lines of a file. */
  lines(): ReadonlyArray<string> {
    return this.remainders.map((each) => JSON.stringify(WireRemainder.write(each)))
  }
}
