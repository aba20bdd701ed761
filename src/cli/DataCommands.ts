/** The commands for what is kept in a folder or on a server. What a command needs is loaded when it runs. */
import { Command } from "effect/cli"
import * as Option from "effect/Option"
import * as DatabaseOptions from "./DatabaseOptions.js"
import * as Flags from "./Flags.js"
import type { Session } from "./Session.js"

/** The place that the flags name. */
const placeOf = (
  session: Session,
  flags: {
    readonly data: Option.Option<string>
    readonly databaseUrl: Option.Option<string>
    readonly connections: string
  },
): DatabaseOptions.Kept =>
  DatabaseOptions.check(
    {
      data: Option.getOrUndefined(flags.data),
      databaseUrl: Option.getOrUndefined(flags.databaseUrl),
      connections: flags.connections,
    },
    session.io.environment,
  )

/** `apportion migrate`. */
export const migrate = (session: Session) =>
  Command.make("migrate", Flags.kept, (flags) =>
    session.run(async () => {
      const { run } = await import("./MigrateCommand.js")
      return run(session, placeOf(session, flags))
    }),
  ).pipe(
    Command.withDescription(
      "Bring the schema of a folder or of a server's database to the version that this apportion works with, and say from which version to which. A schema that is up to date stays as it is. All steps are one transaction; of several processes that do it at once one does, and the others wait for it. A schema of a later version is refused. There is no way back but a backup.",
    ),
    Command.withShortDescription("Bring the schema of a database up to date"),
    Command.withExamples([
      {
        command: "APPORTION_DATABASE_URL=postgres://shop:secret@db.example/shop apportion migrate",
        description: "The tables on a server, before the first start and after each new version",
      },
    ]),
  )

/** `apportion audit`. */
export const audit = (session: Session) =>
  Command.make(
    "audit",
    {
      ...Flags.kept,
      account: Flags.optionalText("account", "<id>", "Only this account; without it, all of them"),
      format: Flags.format(["table", "json"]),
    },
    (flags) =>
      session.run(async () => {
        const { run } = await import("./AuditCommand.js")
        return run(session, {
          place: placeOf(session, flags),
          account: Option.getOrUndefined(flags.account),
          format: flags.format,
        })
      }),
  ).pipe(
    Command.withDescription(
      "Work out each payout's items, total and status again from its history, and compare them with what is stored. Nothing is changed. It ends with 1 when something differs.",
    ),
    Command.withShortDescription("Compare all payouts with their history"),
    Command.withExamples([
      { command: "apportion audit --data ./shop", description: "Everything in the folder shop" },
    ]),
  )

/** `apportion backup`. */
export const backup = (session: Session) =>
  Command.make(
    "backup",
    {
      ...Flags.kept,
      to: Flags.text(
        "to",
        "<file>",
        "The file to write, which must not be there yet; - is standard output",
      ),
    },
    (flags) =>
      session.run(async () => {
        const { run } = await import("./BackupCommand.js")
        return run(session, { place: placeOf(session, flags), to: flags.to })
      }),
  ).pipe(
    Command.withDescription(
      "Write everything of all accounts into one file, as it is at one moment. A server goes on working meanwhile; a folder must not be in use. The file is text, a line of JSON for each row, and can be restored into a folder and into a server's database alike.",
    ),
    Command.withShortDescription("Write everything into a file"),
    Command.withExamples([
      {
        command: "apportion backup --data ./shop --to shop.ndjson",
        description: "The folder shop as a file",
      },
      {
        command:
          "APPORTION_DATABASE_URL=postgres://shop:secret@db.example/shop apportion backup --to - | gzip > shop.ndjson.gz",
        description: "A server's database, compressed",
      },
    ]),
  )

/** `apportion restore`. */
export const restore = (session: Session) =>
  Command.make(
    "restore",
    {
      ...Flags.kept,
      from: Flags.text("from", "<file>", "The file of a backup; - is standard input"),
    },
    (flags) =>
      session.run(async () => {
        const place = placeOf(session, flags)
        const { run } = await import("./RestoreCommand.js")
        return run(session, { place, from: session.open("from", flags.from) })
      }),
  ).pipe(
    Command.withDescription(
      "Put everything of a backup into a folder or a server's database that has nothing yet. All of it is one transaction: a file that is broken or not whole leaves nothing behind.",
    ),
    Command.withShortDescription("Put a backup into an empty database"),
    Command.withExamples([
      {
        command: "apportion restore --from shop.ndjson --data ./shop-again",
        description: "The backup in a new folder",
      },
    ]),
  )
