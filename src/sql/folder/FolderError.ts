/** Why a folder can't be used, or no longer. */
import * as Schema from "effect/Schema"

/**
 * Another process has the folder open; only one can at a time. Nothing was changed.
 *
 * @since 0.6.0
 * @category errors
 */
export class FolderInUse extends Schema.TaggedError<FolderInUse>()("FolderInUse", {
  /** The folder, as it was given. */
  path: Schema.String,
  /** The id of the process that has it open. */
  pid: Schema.Number,
  message: Schema.String,
}) {
  /**
   * The refusal in the usual words.
   *
   * @since 0.6.0
   */
  static of(
    path: string,
    {
      pid,
      isNear,
      note,
    }: { readonly pid: number; readonly isNear: boolean; readonly note: string },
  ): FolderInUse {
    const elsewhere = isNear ? "" : " of another system"
    const message = `${path}: is in use by process ${pid}${elsewhere}: a folder is for one process at a time; end that one first (its note is ${note})`
    return new FolderInUse({ path, pid, message })
  }
}

/**
 * The folder can't be used: it is not a folder, has other content, is damaged, not writable or full, or PGlite is not
 * installed. Its content is unchanged.
 *
 * @since 0.6.0
 * @category errors
 */
export class FolderUnusable extends Schema.TaggedError<FolderUnusable>()("FolderUnusable", {
  /** The folder, as it was given. */
  path: Schema.String,
  message: Schema.String,
}) {
  /**
   * The failure with its reason.
   *
   * @since 0.6.0
   */
  static of(path: string, reason: string): FolderUnusable {
    return new FolderUnusable({ path, message: `${path}: ${reason}` })
  }
}

/**
 * A folder that was open can no longer be used. Acknowledged changes are kept; all further calls fail.
 *
 * @since 0.6.0
 * @category errors
 */
export class FolderLost extends Schema.TaggedError<FolderLost>()("FolderLost", {
  /** The folder, as it was given. */
  path: Schema.String,
  /**
   * `taken`: another process took it over because this one gave no sign of life. `broken`: its files can't be written
   * or read.
   */
  why: Schema.Literals(["taken", "broken"]),
  message: Schema.String,
}) {
  /**
   * The loss in the usual words.
   *
   * @since 0.6.0
   */
  static of(path: string, why: "taken" | "broken", reason: string): FolderLost {
    const advice = "what was acknowledged is kept: start again when the disk is sound"
    const message = why === "taken" ? `${path}: ${reason}` : `${path}: ${reason}: ${advice}`
    return new FolderLost({ path, why, message })
  }
}
