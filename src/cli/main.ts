import * as Cli from "./Cli.js"
import * as ExitCode from "./ExitCode.js"
import * as Io from "./Io.js"

/** Whatever slips through everything else ends the run in one line too. */
const giveUp = (cause: unknown): void => {
  const stopped = ExitCode.stopped(cause)
  const [code, text] = ExitCode.told(stopped)
  process.stderr.write(text)
  process.exit(code)
}

process.on("uncaughtException", giveUp)
process.on("unhandledRejection", giveUp)
process.exitCode = await Cli.run(process.argv.slice(2), Io.ofProcess())
