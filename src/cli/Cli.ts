/** Runs the command line with given arguments in given surroundings. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import { CliConfig, type CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import manifest from "../../package.json" with { type: "json" }
import * as Commands from "./Commands.js"
import * as ExitCode from "./ExitCode.js"
import type { Io } from "./Io.js"
import { printable } from "./output/Printable.js"
import { Session } from "./Session.js"

/** Wrong use is told in short, on standard error; the whole help would bury it. */
const presenter = (io: Io, formatter: CliOutput.Formatter): CliOutput.Presenter => ({
  present: (event) =>
    Effect.sync(() => {
      if (event._tag === "InvalidInvocation") {
        const told = event.errors.map((error) => `apportion: ${formatter.formatCliError(error)}\n`)
        const hint = `Run "${event.commandPath.join(" ")} --help" to see how it is used.\n`
        void io.stderr.write(printable([...told, hint].join("")))
      } else if (event._tag === "Help") {
        void io.stdout.write(`${formatter.formatHelpDoc(event.helpDoc)}\n`)
      } else void io.stdout.write(`${event.name} ${event.version}\n`)
    }),
})

/** Whatever Effect itself prints (completion scripts) goes to the run's own output. */
const consoleOf = (io: Io): Console.Console =>
  Object.assign(Object.create(globalThis.console), {
    log: (...texts: ReadonlyArray<unknown>) => void io.stdout.write(`${texts.join(" ")}\n`),
    error: (...texts: ReadonlyArray<unknown>) => void io.stderr.write(`${texts.join(" ")}\n`),
  })

const layerOf = (io: Io) => {
  const formatter = CliOutput.defaultFormatter({ colors: io.stdout.isTerminal })
  return Layer.mergeAll(
    NodeServices.layer,
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
    CliOutput.layer(formatter),
    CliOutput.layerPresenter(presenter(io, formatter)),
    Layer.succeed(Console.Console, consoleOf(io)),
  )
}

const conclude = async (io: Io, error: ExitCode.Stopped | CliError.CliError): Promise<number> => {
  if (error._tag === "ShowHelp") {
    return error.errors.length > 0 ? ExitCode.unusable : ExitCode.success
  }
  const stopped = ExitCode.isStopped(error)
    ? error
    : new ExitCode.UnusableInput({ message: error.message })
  const [code, text] = ExitCode.told(stopped)
  if (text !== "") await io.stderr.write(printable(text))
  return code
}

/** Runs the command line, and answers the exit code. It never fails and never throws. */
export const run = (args: ReadonlyArray<string>, io: Io): Promise<number> => {
  const session = new Session(io, args)
  return Command.runWith(Commands.root(session), { version: manifest.version })(args).pipe(
    Effect.map(() => session.exitCode),
    Effect.catchDefect((cause) => Effect.fail(ExitCode.stopped(cause))),
    Effect.catch((error) => Effect.promise(() => conclude(io, error))),
    Effect.provide(layerOf(io)),
    Effect.runPromise,
  )
}
