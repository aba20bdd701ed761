/** Problems of an input as lines that name the file, the line and the field. */
import type { Problem } from "../../Problem.js"
import * as ExitCode from "../ExitCode.js"
import type { Record } from "../input/Records.js"

/** One problem of one entry: `groups.json:12: [3].percent: must be …`. */
export const lineOf = (
  name: string,
  record: Record,
  problem: Pick<Problem, "path" | "message">,
): string => {
  const { line, field } = record.locate(problem.path)
  return `${name}:${line}: ${field === "" ? "" : `${field}: `}${problem.message}`
}

/** Which format something that can't be read was taken for, as a `what` of `Unreadable` says. */
export const readAs = (what: string): string => {
  const isOfPlatform = /^[A-Z]/.test(what)
  const one = `${/^[aeiou]/i.test(what) ? "an" : "a"} ${what}`
  return `(read as ${one}${isOfPlatform ? "" : " in apportion's own format"})`
}

const mostShown = 20

/** The problems of one entry; of very many the first ones, for finding the line of each takes its time. */
export const linesOf = (
  name: string,
  record: Record,
  problems: ReadonlyArray<Pick<Problem, "path" | "message">>,
): ReadonlyArray<string> => {
  const lines = problems.slice(0, mostShown).map((problem) => lineOf(name, record, problem))
  const more = problems.length - lines.length
  return more > 0 ? [...lines, `${name}:${record.line}: and ${more} more problems`] : lines
}

/** Several lines as one failure; when there are very many, the first of them. */
export const unusable = (lines: ReadonlyArray<string>): ExitCode.UnusableInput => {
  const more = lines.length - mostShown
  const shown = lines.slice(0, mostShown)
  return new ExitCode.UnusableInput({
    message: (more > 0 ? [...shown, `and ${more} more problems`] : shown).join("\n"),
  })
}
