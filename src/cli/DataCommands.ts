/**
 * The commands for data in a folder or on a server. A command's modules are loaded when it runs.
 */
import { Command } from "effect/cli"
import * as Option from "effect/Option"
import * as DatabaseOptions from "./data/DatabaseOptions.js"
import * as Flags from "./Flags.js"
import { salesOf } from "./input/Sources.js"
import * as ResplitFlags from "./resplit/ResplitFlags.js"
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
      const { migrate: run } = await import("./data/Database.js")
      return run(session, placeOf(session, flags))
    }),
  ).pipe(
    Command.withDescription(
      "Update the tables of a folder or of a server's database to the version that this apportion uses, and print both versions. Tables that are up to date are not changed. All steps are one transaction; processes that do it at the same time wait for each other. Tables of a later version are refused. The only way back is a backup.",
    ),
    Command.withShortDescription("Bring the tables of a database up to date"),
    Command.withExamples([
      {
        command: "APPORTION_DATABASE_URL=postgres://shop:secret@db.example/shop apportion migrate",
        description: "The tables on a server, before the first start and after each update",
      },
    ]),
  )

/** `apportion audit`. */
export const audit = (session: Session) =>
  Command.make(
    "audit",
    {
      ...Flags.kept,
      account: Flags.optionalText("account", "<id>", "Only this account; all accounts when absent"),
      format: Flags.format(["table", "json"]),
    },
    (flags) =>
      session.run(async () => {
        const { run } = await import("./data/AuditCommand.js")
        return run(session, {
          place: placeOf(session, flags),
          account: Option.getOrUndefined(flags.account),
          format: flags.format,
        })
      }),
  ).pipe(
    Command.withDescription(
      "Compute each payout's items, total and status again from its history, and compare them with the stored ones. Nothing is changed. The exit code is 1 when something differs.",
    ),
    Command.withShortDescription("Compare all payouts with their history"),
    Command.withExamples([
      { command: "apportion audit --data ./shop", description: "Everything in the folder shop" },
    ]),
  )

/** `apportion purge`. */
export const purge = (session: Session) =>
  Command.make(
    "purge",
    {
      ...Flags.kept,
      olderThan: Flags.text(
        "older-than",
        "<months>",
        "Needed: how many months old what goes has to be, 1 to 1200; a month goes as a whole",
      ),
      dryRun: Flags.flag("dry-run", "Print what would go, and remove nothing"),
      account: Flags.optionalText("account", "<id>", "Only this account; all accounts when absent"),
      format: Flags.format(["table", "json"]),
    },
    (flags) =>
      session.run(async () => {
        const { run } = await import("./data/PurgeCommand.js")
        return run(session, {
          place: placeOf(session, flags),
          account: Option.getOrUndefined(flags.account),
          olderThan: flags.olderThan,
          isRehearsal: flags.dryRun,
          format: flags.format,
        })
      }),
  ).pipe(
    Command.withDescription(
      "Remove what is old and needed by nobody: events that all webhook endpoints have, idempotency keys after a year, notes of deliveries, documents by which refunds were read, batches of booked re-splits. Sales, refunds, payouts, their histories and payments stay, so no statement, balance or audit says anything else afterwards. It can be ended at any time and started again, and others may write meanwhile.",
    ),
    Command.withShortDescription("Remove old history that nobody needs"),
    Command.withExamples([
      {
        command: "apportion purge --data ./shop --older-than 24 --dry-run",
        description: "How much is older than two years in the folder shop",
      },
    ]),
  )

/** Whether the statement is of stored data, and not of files. */
export const isOfStored = (session: Session): boolean => {
  if (session.has("--data", "--database-url")) return true
  const isSet = (session.io.environment[DatabaseOptions.urlVariable] ?? "") !== ""
  return isSet && !session.has("--groups", "--orders", "--collaborators")
}

/** `apportion statement` of stored data. */
export const statement = (session: Session) =>
  Command.make("statement", Flags.storedStatement, (flags) =>
    session.run(async () => {
      const { run } = await import("./statement/DatabaseStatement.js")
      return run(session, {
        place: placeOf(session, flags),
        account: Option.getOrUndefined(flags.account),
        collaborator: Option.getOrUndefined(flags.collaborator),
        from: Option.getOrUndefined(flags.from),
        until: Option.getOrUndefined(flags.until),
        timeZone: flags.timeZone,
        issuer: flags.issuer,
        language: flags.language,
        format: flags.format,
        outputDir: Option.getOrUndefined(flags.outputDir),
      })
    }),
  ).pipe(
    Command.withDescription(
      "Print what is stored of each collaborator: the balance at the beginning of a period, what was earned, refunded, charged and paid in it, and the balance at its end. What was noted counts when it was noted, so a statement of the past never changes. Nothing is changed.",
    ),
    Command.withShortDescription("Print each collaborator's statement"),
    Command.withExamples([
      {
        command: "apportion statement --data ./shop --from 2025-10-01 --until 2025-12-31",
        description: "The last quarter of everybody, as a table",
      },
      {
        command: "apportion statement --data ./shop --collaborator ada --format csv > ada.csv",
        description: "All that was ever noted for ada, a line each",
      },
    ]),
  )

/** `apportion import`. */
export const importOrders = (session: Session) =>
  Command.make("import", Flags.pastSales, (flags) =>
    session.run(async () => {
      const { account, paidUntil, format } = flags
      const options = {
        ...{ account, paidUntil, format, sales: salesOf({ ...flags, tagsFrom: [] }) },
        place: placeOf(session, flags),
        orders: session.open("orders", flags.orders),
        refunds: session.openOptional("refunds", flags.refunds),
        policy: session.openOptional("policy", flags.policy),
        rates: session.openOptional("rates", flags.rates),
        refused: Option.getOrUndefined(flags.refused),
      }
      const { run } = await import("./import/ImportCommand.js")
      return run(session, options)
    }),
  ).pipe(
    Command.withDescription(
      "Put orders of the past into a folder or a server's database, as paid up to a date: they count for statements and refunds, and nobody is paid for them again. They are split by the groups that are stored. Orders and refunds that are there already stay as they are, so an import that was cut off is started again as it was. The exit code is 1 when something was refused.",
    ),
    Command.withShortDescription("Import past orders as already paid"),
    Command.withExamples([
      {
        command:
          "apportion import --data ./shop --orders orders.json --paid-until 2025-01-01 --refused refused.ndjson",
        description: "All orders before 2025, paid; what can't be imported is in refused.ndjson",
      },
    ]),
  )

/** `apportion resplit`. */
export const resplit = (session: Session) =>
  Command.make("resplit", ResplitFlags.resplit, (flags) =>
    session.run(async () => {
      const { account, biggest, format } = flags
      const options = {
        ...{ account, biggest, format, orders: flags.order, completes: flags.complete },
        place: placeOf(session, flags),
        groups: session.openOptional("groups", flags.groups),
        policy: session.openOptional("policy", flags.policy),
        rates: session.openOptional("rates", flags.rates),
        from: Option.getOrUndefined(flags.from),
        until: Option.getOrUndefined(flags.until),
        collaborator: Option.getOrUndefined(flags.collaborator),
        product: Option.getOrUndefined(flags.product),
        book: Option.getOrUndefined(flags.book),
        run: Option.getOrUndefined(flags.run),
        reason: Option.getOrUndefined(flags.reason),
      }
      const { run } = await import("./resplit/ResplitCommand.js")
      return run(session, options)
    }),
  ).pipe(
    Command.withDescription(
      "Split stored sales again, by the groups as they are now or by those of a file, and print what that would change for each collaborator and month, with the biggest differences explained. Nothing is written. The last line has a digest: given as --book, it approves what was shown, and the differences are booked as adjustments in the active payouts. What is recorded never changes. The exit code is 1 when what would change is not what was approved.",
    ),
    Command.withShortDescription("Split past sales again by other rules"),
    Command.withExamples([
      {
        command: "apportion resplit --data ./shop --from 2025-01-01 --until 2025-12-31",
        description: "What today's groups would change of the sales of a year",
      },
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
        "The file to write, which must not exist yet; - is standard output",
      ),
    },
    (flags) =>
      session.run(async () => {
        const { run } = await import("./data/BackupCommand.js")
        return run(session, { place: placeOf(session, flags), to: flags.to })
      }),
  ).pipe(
    Command.withDescription(
      "Write the data of all accounts into one file, as it is at one moment. A server keeps working meanwhile; a folder must not be in use. The file is text, a line of JSON for each row, and can be restored into a folder and into a server's database alike.",
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
        const { run } = await import("./data/RestoreCommand.js")
        return run(session, { place, from: session.open("from", flags.from) })
      }),
  ).pipe(
    Command.withDescription(
      "Put a backup into a folder or a server's database that is still empty. All of it is one transaction: a file that is damaged or incomplete leaves nothing behind.",
    ),
    Command.withShortDescription("Put a backup into an empty database"),
    Command.withExamples([
      {
        command: "apportion restore --from shop.ndjson --data ./shop-again",
        description: "The backup in a new folder",
      },
    ]),
  )
