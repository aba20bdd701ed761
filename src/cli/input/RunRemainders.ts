/** The remainders of a run: read from a file, carried from order to order, and written into a file. */
import { rename, writeFile } from "node:fs/promises"
import * as Result from "effect/Result"
import { RunningRemainders } from "../../carry/CarriedSplit.js"
import * as Remainder from "../../carry/Remainder.js"
import type { Refund } from "../../shares/Refund.js"
import type { Split } from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import * as WireRemainder from "../../wire/Remainder.js"
import * as ExitCode from "../ExitCode.js"
import * as Input from "./Input.js"
import type { Note } from "./Records.js"
import { readEach } from "./Rules.js"
import type { Source } from "./Sources.js"

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

const readFile = async (source: Source | undefined, note: Note): Promise<Remainder.Remainders> => {
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

export class RunRemainders {
  readonly running: RunningRemainders
  /**
   * What refunds change. It counts for the next run only: in this one, how an order is split must not depend on which of
   * the refunds that came later are known by now.
   */
  private readonly returned = new RunningRemainders()

  constructor(remainders: Remainder.Remainders) {
    this.running = new RunningRemainders(remainders)
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

  /** Writes the remainders for the next run; a file that is there is replaced when the new one is complete. */
  async write(name: string): Promise<void> {
    const lines = this.remainders.map((each) => JSON.stringify(WireRemainder.write(each)))
    try {
      await writeFile(`${name}.new`, lines.length === 0 ? "[]\n" : `[\n${lines.join(",\n")}\n]\n`)
      await rename(`${name}.new`, name)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      refuse(`--remainders-after: can't be written: ${reason}`)
    }
  }
}

/** The remainders that a run begins with; none where the policy carries none. */
export const readRemainders = async (
  source: Source | undefined,
  policy: SplitPolicy,
  note: Note,
): Promise<RunRemainders | undefined> => {
  if (policy.rounding === "carry") return new RunRemainders(await readFile(source, note))
  return source === undefined
    ? undefined
    : refuse('--remainders: is only for a policy with "rounding": "carry"')
}
