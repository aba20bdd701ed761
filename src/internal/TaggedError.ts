import * as Result from "effect/Result"

/** An error that is told from others by its `_tag`, with the fields that say what went wrong. */
type Tagged<Tag extends string, Fields> = Error &
  Readonly<Fields> & {
    readonly _tag: Tag
    /** All fields with the message, which is not enumerable. */
    toJSON(): object
  }

/**
 * The base of an error class, in the shape of Effect's `Data.TaggedError`: `Effect.catchTag` finds it by its tag. Effect's own
 * brings half of its core into a bundle and into the time of an import, so that errors can be yielded as effects;
 * nothing here runs effects.
 */
export function TaggedError<Tag extends string>(
  tag: Tag,
): new <Fields extends { readonly message: string }>(
  fields: { readonly [Name in keyof Fields as Exclude<Name, "_tag">]: Fields[Name] },
) => Tagged<Tag, Fields>
export function TaggedError(tag: string): unknown {
  class TaggedBase extends Error {
    readonly _tag = tag

    constructor(fields: { readonly message: string }) {
      super(fields.message)
      Object.assign(this, fields)
    }

    toJSON(): object {
      return { ...this, message: this.message }
    }
  }
  TaggedBase.prototype.name = tag
  return TaggedBase
}

/** The result of a function that throws; errors that are none of the expected ones are thrown on. */
export const attempt = <A, E extends Error>(
  expected: ReadonlyArray<abstract new (...fields: never) => E>,
  make: () => A,
): Result.Result<A, E> => {
  try {
    return Result.succeed(make())
  } catch (error) {
    for (const Expected of expected) if (error instanceof Expected) return Result.fail(error)
    throw error
  }
}
