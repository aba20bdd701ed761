import * as Schema from "effect/Schema"

/**
 * One requirement of an adapter. Any test runner can run it: it passes when the promise resolves.
 *
 * @since 0.2.0
 * @category models
 */
export interface ContractCase {
  /** A sentence about the adapter, unique within the suite. */
  readonly name: string
  /** Rejects with a {@link ContractBroken} when the adapter does something else. */
  readonly run: () => Promise<void>
}

/**
 * An adapter that does not conform to its port. The message names the first difference between the expected and the
 * actual value, such as `expected [3].id to be "a", got "b"`; the fields hold both values.
 *
 * @since 0.2.0
 * @category errors
 */
export class ContractBroken extends Schema.TaggedError<ContractBroken>()("ContractBroken", {
  /** What was checked. */
  what: Schema.String,
  expected: Schema.Unknown,
  actual: Schema.Unknown,
  message: Schema.String,
}) {}
