/** The exit codes, and the failures that decide them. */
import * as Schema from "effect/Schema"

/** Every order went through. */
export const success = 0
/** Some orders failed; the others are printed. */
export const someFailed = 1
/** The server can't listen at its address. */
export const cannotListen = 1
/** What is kept can't be reached now: the folder is in use, or the database does not answer. */
export const unavailable = 1
/** The audit found something that is not as it must be. */
export const different = 1
/** The check found something as grave as `--fail-on` says. */
export const found = 1
/** Two rule sets pay somebody otherwise. */
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

/** Something that seems to be there, but can't be used now. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  message: Schema.String,
}) {}

/** The reader of the output went away (`| head`): nothing is left to do, and nothing is wrong. */
export class OutputClosed extends Schema.TaggedError<OutputClosed>()("OutputClosed", {
  message: Schema.String,
}) {}

/** Lets a reader go away whose leaving changes nothing about the exit code: that is known before anything is printed. */
export const unlessClosed = (cause: unknown): void => {
  if (!(cause instanceof OutputClosed)) throw cause
}

/** A mistake in the program itself. */
export class Defect extends Schema.TaggedError<Defect>()("Defect", {
  message: Schema.String,
}) {}

/** Whoever started the run wants it to end. */
export class Interrupted extends Schema.TaggedError<Interrupted>()("Interrupted", {
  message: Schema.String,
}) {}

/** Why a run stopped before its end. */
export type Stopped = UnusableInput | Unavailable | OutputClosed | Interrupted | Defect

/** Whether something that was thrown says by itself why the run stopped. */
export const isStopped = (cause: unknown): cause is Stopped =>
  [UnusableInput, Unavailable, OutputClosed, Interrupted, Defect].some(
    (kind) => cause instanceof kind,
  )

/** Anything that was thrown, as the reason why the run stopped. */
export const stopped = (cause: unknown): Stopped => {
  if (isStopped(cause)) return cause
  const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return new Defect({ message: message.split("\n", 1)[0] ?? message })
}

/** Why a run stopped, as plain data that another thread can be given. */
export interface StoppedData {
  readonly _tag: Stopped["_tag"]
  readonly message: string
}

const kinds = { UnusableInput, Unavailable, OutputClosed, Interrupted, Defect }

/** The failure of plain data. */
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
