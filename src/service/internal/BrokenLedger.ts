import * as Schema from "effect/Schema"

/** What is stored contradicts itself, or a split does not come out as it was recorded: a defect. */
export class BrokenLedger extends Schema.TaggedError<BrokenLedger>()("BrokenLedger", {
  message: Schema.String,
}) {
  static of(message: string): BrokenLedger {
    return new BrokenLedger({ message })
  }
}
