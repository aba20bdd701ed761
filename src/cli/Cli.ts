import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import { CliConfig, type CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import manifest from "../../package.json" with { type: "json" }
import { printable } from "../orders/Words.js"
import * as DataCommands from "./DataCommands.js"
import * as ExitCode from "./ExitCode.js"
import * as Flags from "./Flags.js"
import * as Sources from "./input/Sources.js"
import * as PassCommands from "./PassCommands.js"
import * as PaymentCommands from "./PaymentCommands.js"
import * as RuleCommands from "./RuleCommands.js"
import * as ServeFlags from "./ServeFlags.js"
import type { Io } from "./Session.js"
import { Session } from "./Session.js"
import { configured } from "./serve/ServeEnvironment.js"

// The commands, their flags and their help. A command's modules are loaded when it runs.

/** What earlier runs have left. */
const openEarlier = (
  session: Session,
  flags: { readonly remainders: Option.Option<string>; readonly counters: Option.Option<string> },
) => ({
  remainders: session.openOptional("remainders", flags.remainders),
  counters: session.openOptional("counters", flags.counters),
})

const split = (session: Session) =>
  Command.make(
    "split",
    {
      ...Flags.common,
      refunds: Flags.refunds,
      ...Flags.earlier,
      ...Flags.after,
      format: Flags.format(["table", "ndjson", "csv"]),
      jobs: Flags.jobs,
    },
    (flags) =>
      session.run(async () => {
        const inputs = {
          ...Sources.openOrders(session, flags),
          refunds: session.openOptional("refunds", flags.refunds),
          ...openEarlier(session, flags),
          remaindersAfter: Option.getOrUndefined(flags.remaindersAfter),
          countersAfter: Option.getOrUndefined(flags.countersAfter),
        }
        const { run } = await import("./split/SplitCommand.js")
        return run(session, { ...inputs, format: flags.format, jobs: flags.jobs })
      }),
  ).pipe(
    Command.withDescription(
      "Split each order among the collaborators: one result for each order, in the order of the input. Memory does not grow with the number of orders. With --refunds, what was refunded is taken off.",
    ),
    Command.withShortDescription("Split each order among the collaborators"),
    Command.withExamples([
      {
        command: "apportion split --groups groups.json --orders orders.json",
        description: "Who gets what of each order, as tables",
      },
      {
        command:
          "gunzip -c orders.ndjson.gz | apportion split --groups groups.csv --orders - --format ndjson",
        description: "A million orders from standard input, a line of JSON for each",
      },
      {
        command:
          "apportion split --groups groups.csv --orders orders.ndjson --format ndjson --jobs 4",
        description: "The same output, worked out by four cores at once",
      },
    ]),
  )

const explain = (session: Session) =>
  Command.make(
    "explain",
    {
      ...Flags.common,
      collaborators: Flags.names,
      refunds: Flags.refunds,
      counters: Flags.counters,
      order: Flags.text(
        "order",
        "<id>",
        "Needed: the order to explain, by its id or by its name in the shop, as #1001",
      ),
      item: Flags.optionalText("item", "<id>", "Only this item of the order"),
      group: Flags.optionalText("group", "<id>", "Only this product group"),
      all: Flags.flag(
        "all",
        "List every group that gave nothing; when absent, of more than twenty those that nearly applied are listed and the others counted",
      ),
      format: Flags.format(["text", "json"]),
    },
    (flags) =>
      session.run(async () => {
        const inputs = Sources.openOrders(session, flags)
        const { run } = await import("./explain/ExplainCommand.js")
        return run(session, {
          ...inputs,
          collaborators: session.openOptional("collaborators", flags.collaborators),
          refunds: session.openOptional("refunds", flags.refunds),
          counters: session.openOptional("counters", flags.counters),
          order: flags.order,
          item: Option.getOrUndefined(flags.item),
          group: Option.getOrUndefined(flags.group),
          isAll: flags.all,
          format: flags.format,
        })
      }),
  ).pipe(
    Command.withDescription(
      "Explain how one order was split: the sum from the price to each share, and why other product groups did not apply. Of more than twenty such groups those that nearly applied are listed, and the others counted.",
    ),
    Command.withShortDescription("Explain how one order was split"),
    Command.withExamples([
      {
        command: "apportion explain --groups groups.json --orders orders.json --order 1001",
        description: "Every share of order 1001, in words",
      },
      {
        command:
          "apportion explain --groups groups.json --orders orders.json --order 1001 --item 7 --group g3",
        description: "Why group g3 did or did not get a share of item 7",
      },
    ]),
  )

const statement = (session: Session) =>
  Command.make(
    "statement",
    {
      ...Flags.common,
      collaborators: Flags.collaborators,
      refunds: Flags.refunds,
      ...Flags.earlier,
      entries: Flags.entries,
      agreements: Flags.agreements,
      rates: Flags.rates,
      ...Flags.statement,
    },
    (flags) =>
      session.run(async () => {
        const inputs = {
          ...Sources.openOrders(session, flags),
          collaborators: session.open("collaborators", flags.collaborators),
          refunds: session.openOptional("refunds", flags.refunds),
          ...openEarlier(session, flags),
          entries: session.openOptional("entries", flags.entries),
          agreements: session.openOptional("agreements", flags.agreements),
          rates: session.openOptional("rates", flags.rates),
        }
        const { run } = await import("./statement/StatementCommand.js")
        return run(session, {
          ...inputs,
          from: Option.getOrUndefined(flags.from),
          until: flags.until,
          collaborator: Option.getOrUndefined(flags.collaborator),
          maturityDays: flags.maturityDays,
          format: flags.format,
          outputDir: Option.getOrUndefined(flags.outputDir),
          issuer: flags.issuer,
          language: flags.language,
        })
      }),
  ).pipe(
    Command.withDescription(
      "Print what each collaborator was paid up to a date and what is still to come: each payout with its sales, refunds, expenses and incomes, and the totals. The last lines check that every cent is accounted for. With --data or --database-url in place of these files the statement is of what is stored there; add --help to see its flags.",
    ),
    Command.withShortDescription("Print each collaborator's payouts"),
    Command.withExamples([
      {
        command:
          "apportion statement --groups groups.json --orders orders.json --collaborators collaborators.json --until 2025-12-31",
        description: "All payouts of the year, as tables",
      },
      {
        command:
          "apportion statement --groups groups.json --orders orders.json --collaborators collaborators.json --until 2025-12-31 --collaborator ada --format html > ada.html",
        description: "A page for one collaborator, to print or send",
      },
      {
        command:
          'apportion statement --groups groups.json --orders orders.json --collaborators collaborators.json --from 2025-10-01 --until 2025-12-31 --format html --issuer "Paper Heron Ltd" --output-dir statements',
        description: "A page of the last quarter for each collaborator, in a folder",
      },
    ]),
  )

const serve = (session: Session) =>
  Command.make("serve", ServeFlags.serve, ({ token, seed, shops, policy, rates, ...rest }) =>
    session.run(async () => {
      const { data, databaseUrl, closeDueEvery, tokenFile, publicUrl, metricsPort, otlp } = rest
      const flags = {
        ...rest,
        tokens: token,
        tokenFile: Option.getOrUndefined(tokenFile),
        publicUrl: Option.getOrUndefined(publicUrl),
        data: Option.getOrUndefined(data),
        databaseUrl: Option.getOrUndefined(databaseUrl),
        closeDueEvery: Option.getOrUndefined(closeDueEvery),
        metricsPort: Option.getOrUndefined(metricsPort),
        otlp: Option.getOrUndefined(otlp),
      }
      const inputs = {
        seed: session.openOptional("seed", seed),
        shops: session.openOptional("shops", shops),
        policy: session.openOptional("policy", policy),
        rates: session.openOptional("rates", rates),
      }
      const { run } = await import("./serve/ServeCommand.js")
      return run(session, { flags, inputs })
    }),
  ).pipe(
    Command.withDescription(
      "Serve the HTTP API for one account under /api/v1 and /v1, its OpenAPI document under /openapi.json, a page to read and try it under /docs, and send its events to webhook endpoints. Data is kept in a folder (--data) or in the database of a PostgreSQL server (--database-url); with neither it is in memory and lost when the command ends. It prints one line when it is ready. SIGTERM and Ctrl-C end it once the requests under way are answered. The exit code is 1 when it can't listen on the port, the folder is in use or the database server does not answer.",
    ),
    Command.withShortDescription("Serve the HTTP API"),
    Command.withExamples([
      {
        command: "apportion serve --data ./shop --token-file tokens --seed store.json",
        description: "Data in the folder shop, filled from a file if it is empty",
      },
      {
        command: "APPORTION_TOKEN=$TOKEN apportion serve --port 0",
        description: "In memory, empty, on a free port; the token is in no list of processes",
      },
      {
        command:
          "APPORTION_DATABASE_URL=postgres://shop:secret@db.example/shop apportion serve --token-file tokens --migrate --close-due-every 3600",
        description: "Data on a server; due payouts are closed every hour",
      },
    ]),
  )

const worker = (session: Session) =>
  Command.make("worker", ServeFlags.worker, ({ shops, policy, rates, ...rest }) =>
    session.run(async () => {
      const flags = {
        ...rest,
        databaseUrl: Option.getOrUndefined(rest.databaseUrl),
        closeDueEvery: Option.getOrUndefined(rest.closeDueEvery),
        metricsPort: Option.getOrUndefined(rest.metricsPort),
        otlp: Option.getOrUndefined(rest.otlp),
      }
      const inputs = {
        shops: session.openOptional("shops", shops),
        policy: session.openOptional("policy", policy),
        rates: session.openOptional("rates", rates),
      }
      const { run } = await import("./serve/WorkerCommand.js")
      return run(session, { flags, inputs })
    }),
  ).pipe(
    Command.withDescription(
      "Carry out the jobs that are kept in the database of a PostgreSQL server: closing what is due, recording sales, booking re-splits, sweeping inboxes. Any number of workers may run; when one ends, the others go on with what it had. It prints one line when it is ready. SIGTERM and Ctrl-C end it.",
    ),
    Command.withShortDescription("Carry out jobs, beside other workers"),
    Command.withExamples([
      {
        command:
          "APPORTION_DATABASE_URL=postgres://shop:secret@db.example/shop apportion worker --host 10.0.0.7 --close-due-every 3600",
        description: "One of several workers, which other machines reach at 10.0.0.7",
      },
    ]),
  )

const token = (session: Session) =>
  Command.make("token", ServeFlags.token, ({ name, file, scope }) =>
    session.run(async () => {
      const options = {
        name: Option.getOrUndefined(name),
        scopes: scope,
        file: Option.getOrUndefined(file),
      }
      const { run } = await import("./serve/AccessTokens.js")
      return run(session, options)
    }),
  ).pipe(
    Command.withDescription(
      "Make an access token for apportion serve --token-file. The token is printed once and stored nowhere: give it to the person or program that will call the API. The token file has only its hash.",
    ),
    Command.withShortDescription("Make an access token"),
    Command.withExamples([
      {
        command: "apportion token --file tokens --name alice",
        description: "Adds a line to the file tokens, and prints the token",
      },
      {
        command: "apportion token --file tokens --name till --scope record",
        description: "A token that records sales and refunds, and pays nobody",
      },
    ]),
  )

/** The whole command line. */
export const root = (session: Session) =>
  Command.make("apportion").pipe(
    Command.withDescription(
      "Decides who gets what from a sale, to the cent, and says why. Exit codes: 0 everything went through; 1 some orders or refunds failed (the others are printed), stored data can't be reached or an audit found a difference in it, or check or diff found something; 2 an input or a flag can't be used; 3 diff could not decide; 70 a bug in apportion.",
    ),
    Command.withSubcommands([
      split(session),
      explain(session),
      DataCommands.isOfStored(session) ? DataCommands.statement(session) : statement(session),
      RuleCommands.check(session),
      RuleCommands.diff(session),
      RuleCommands.backtest(session),
      serve(session),
      worker(session),
      token(session),
      PaymentCommands.payouts(session),
      PassCommands.passes(session),
      DataCommands.importOrders(session),
      DataCommands.resplit(session),
      DataCommands.migrate(session),
      DataCommands.audit(session),
      DataCommands.purge(session),
      DataCommands.backup(session),
      DataCommands.restore(session),
    ]),
  )

// Runs the command line with the given arguments and environment.

/** Wrong use is reported briefly on the standard error; the whole help would bury it. */
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

/** Effect's own output (completion scripts) goes to the run's output. */
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

/** Runs the command line, and returns the exit code. It never fails and never throws. */
export const run = (given: ReadonlyArray<string>, io: Io): Promise<number> => {
  const args = configured(given, io.environment)
  const session = new Session(io, args, given)
  return Command.runWith(root(session), { version: manifest.version })(args).pipe(
    Effect.map(() => session.exitCode),
    Effect.catchDefect((cause) => Effect.fail(ExitCode.stopped(cause))),
    Effect.catch((error) => Effect.promise(() => conclude(io, error))),
    Effect.provide(layerOf(io)),
    Effect.runPromise,
  )
}
