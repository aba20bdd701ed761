import * as Schema from "effect/Schema"

/**
 * One thing that an adapter has to do. Any runner can run it: it passes when the promise resolves.
 *
 * @since 0.2.0
 * @category models
 */
export interface ContractCase {
  /** A sentence about the adapter; no two cases of a suite have the same. */
  readonly name: string
  /** Rejects with a {@link ContractBroken} when the adapter does something else. */
  readonly run: () => Promise<void>
}

/**
 * An adapter that does not do what its port says. The message names the first place where what came is not
 * what was expected, as `expected [3].id to be "a", got "b"`; the fields hold both as a whole.
 *
 * @since 0.2.0
 * @category errors
 */
export class ContractBroken extends Schema.TaggedError<ContractBroken>()("ContractBroken", {
  /** What was looked at. */
  what: Schema.String,
  expected: Schema.Unknown,
  actual: Schema.Unknown,
  message: Schema.String,
}) {}
