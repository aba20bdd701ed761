/** Analyses as the command line goes through them: with a line that tells how far they are, until they are interrupted. */
import { setImmediate } from "node:timers/promises"
import { Analysis } from "../index.js"
import * as ExitCode from "./ExitCode.js"
import { inEnglish, Progress } from "./Progress.js"
import type { Session } from "./Session.js"

const told = ({ task, done, of, steps }: Analysis.Progress): string =>
  `${task}: ${inEnglish(done)} of ${inEnglish(of)}, ${inEnglish(Math.round(steps))} steps`

/** Goes through an analysis, and answers what it finds; fails with {@link ExitCode.Interrupted}. */
export const through = async <Answer>(
  analysis: Analysis.Steps<Answer>,
  { io }: Session,
): Promise<Answer> => {
  const progress = new Progress(io.stderr)
  const interrupted = new AbortController()
  const ended = new AbortController()
  void io.stopped(ended.signal).then(() => {
    interrupted.abort(new ExitCode.Interrupted({ message: "interrupted" }))
  })
  try {
    return await Analysis.inTurns(analysis, {
      pause: () => setImmediate(),
      signal: interrupted.signal,
      onProgress: (at) => progress.tell(() => told(at)),
    })
  } finally {
    progress.clear()
    ended.abort()
  }
}
