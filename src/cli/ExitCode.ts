/** The exit codes, and the failures that decide them. */
import * as Schema from "effect/Schema"

/** Every order succeeded. */
export const success = 0
/** Some orders failed; the others are printed. */
export const someFailed = 1
/** The server can't listen at its address. */
export const cannotListen = 1
/** The stored data can't be reached at present: the folder is in use, or the database does not answer. */
export const unavailable = 1
/** The audit found a difference. */
export const different = 1
/** The check found something at least as severe as `--fail-on`. */
export const found = 1
/** Two rule sets pay somebody different amounts. */
export const paidOtherwise = 1
/** Whether two rule sets pay everyone the same could not be decided. */
export const undecided = 3
/** Nothing useful could be done: a wrong flag, or an input that can't be used. */
export const unusable = 2
/** A mistake in the program itself. */
export const defect = 70
/** The run was interrupted, as shells report a program that Ctrl-C ends. */
export const interrupted = 130

/** An input that can't be used. Each line of the message names the file, the line and the field. */
export class UnusableInput extends Schema.TaggedError<UnusableInput>()("UnusableInput", {
  message: Schema.String,
}) {}

/** A folder or database that seems to exist, but can't be used at present. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  message: Schema.String,
}) {}

/**
 * The reader of the output closed it (`| head`). No work is left, and this is not an error.
 */
export class OutputClosed extends Schema.TaggedError<OutputClosed>()("OutputClosed", {
  message: Schema.String,
}) {}

/**
 * Ignores a closed output where it doesn't affect the exit code, which is known before anything is
 * printed.
 */
export const unlessClosed = (cause: unknown): void => {
  if (!(cause instanceof OutputClosed)) throw cause
}

/** A mistake in the program itself. */
export class Defect extends Schema.TaggedError<Defect>()("Defect", {
  message: Schema.String,
}) {}

/** The user or a supervisor ended the run. */
export class Interrupted extends Schema.TaggedError<Interrupted>()("Interrupted", {
  message: Schema.String,
}) {}

/** Why a run stopped before its end. */
export type Stopped = UnusableInput | Unavailable | OutputClosed | Interrupted | Defect

/** Whether a thrown value is itself a reason why the run stopped. */
export const isStopped = (cause: unknown): cause is Stopped =>
  [UnusableInput, Unavailable, OutputClosed, Interrupted, Defect].some(
    (kind) => cause instanceof kind,
  )

/** Any thrown value, as the reason why the run stopped. */
export const stopped = (cause: unknown): Stopped => {
  if (isStopped(cause)) return cause
  const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return new Defect({ message: message.split("\n", 1)[0] ?? message })
}

/** Why a run stopped, as plain data that can be passed to another thread. */
export interface StoppedData {
  readonly _tag: Stopped["_tag"]
  readonly message: string
}

const kinds = { UnusableInput, Unavailable, OutputClosed, Interrupted, Defect }

/** The failure that the plain data describes. */
export const fromData = ({ _tag, message }: StoppedData): Stopped => new kinds[_tag]({ message })

/** The exit code for a run that stopped, and its message. */
export const told = ({ _tag, message }: Stopped): readonly [code: number, text: string] => {
  if (_tag === "OutputClosed") return [success, ""]
  if (_tag === "Interrupted") return [interrupted, ""]
  if (_tag === "UnusableInput" || _tag === "Unavailable") {
    const code = _tag === "UnusableInput" ? unusable : unavailable
    return [code, message.replace(/^/gm, "apportion: ").concat("\n")]
  }
  const text = `apportion: this is a bug in apportion, please report it: ${message}\n`
  return [defect, text]
}
