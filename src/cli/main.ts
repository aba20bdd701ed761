import * as Cli from "./Cli.js"
import * as ExitCode from "./ExitCode.js"
import * as Io from "./Session.js"

/** Any failure not handled elsewhere also ends the run with one line. */
const giveUp = (cause: unknown): void => {
  const stopped = ExitCode.stopped(cause)
  const [code, text] = ExitCode.told(stopped)
  process.stderr.write(text)
  process.exit(code)
}

/**
 * The oldest supported Node.js, as in package.json. On an older one, failures would look like bugs
 * of apportion.
 */
const oldest = [22, 19] as const

const requireNode = (): void => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return
  const message = `Node.js ${oldest.join(".")} or later is needed, this is ${process.versions.node}; in this project's folder "npx node" runs a later one`
  throw new ExitCode.UnusableInput({ message })
}

process.on("uncaughtException", giveUp)
process.on("unhandledRejection", giveUp)
requireNode()
process.exitCode = await Cli.run(process.argv.slice(2), Io.ofProcess())
