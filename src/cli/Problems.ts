/** Problems of an input as lines that name the file, the line and the field. */
import type { Problem } from "../Problem.js"
import * as ExitCode from "./ExitCode.js"
import type { Record } from "./Records.js"

/** One problem of one entry: `groups.json:12: [3].percent: must be …`. */
export const lineOf = (
  name: string,
  record: Record,
  problem: Pick<Problem, "path" | "message">,
): string => {
  const { line, field } = record.locate(problem.path)
  return `${name}:${line}: ${field === "" ? "" : `${field}: `}${problem.message}`
}

const mostShown = 20

/** Several lines as one failure; when there are very many, the first of them. */
export const unusable = (lines: ReadonlyArray<string>): ExitCode.UnusableInput => {
  const more = lines.length - mostShown
  const shown = lines.slice(0, mostShown)
  return new ExitCode.UnusableInput({
    message: (more > 0 ? [...shown, `and ${more} more problems`] : shown).join("\n"),
  })
}
