/** The commands that pay collaborators. A command's modules are loaded when it runs. */
import { Argument, Command, Flag } from "effect/cli"
import * as Option from "effect/Option"
import * as instant from "../internal/instant.js"
import * as DatabaseOptions from "./data/DatabaseOptions.js"
import * as ExitCode from "./ExitCode.js"
import * as Flags from "./Flags.js"
import * as Input from "./input/Input.js"
import type { Session } from "./Session.js"

const place = {
  ...Flags.kept,
  account: Flags.text(
    "account",
    "<id>",
    'The account whose payouts they are; "default", that of apportion serve, when absent',
  ).pipe(Flag.withDefault("default")),
  format: Flags.format(["table", "json"]),
}

interface PlaceFlags {
  readonly data: Option.Option<string>
  readonly databaseUrl: Option.Option<string>
  readonly connections: string
  readonly account: string
  readonly format: "table" | "json"
}

const placeOf = (session: Session, { account, format, ...flags }: PlaceFlags) => ({
  account,
  format,
  place: DatabaseOptions.check(
    {
      data: Option.getOrUndefined(flags.data),
      databaseUrl: Option.getOrUndefined(flags.databaseUrl),
      connections: flags.connections,
    },
    session.io.environment,
  ),
})

const railNames = ["sepa", "paypal", "wise", "nacha"] as const

const rail = Flag.Literals("rail", railNames).pipe(
  Flag.withMetavar(`<${railNames.join("|")}>`),
  Flag.withDescription("Needed: the rail, which says in which form the files are"),
)

/** The rail of a name; every name that the flag takes has one. */
const railOf = async (name: string) => {
  const { fileRails } = await import("./payouts/FileRail.js")
  const found = fileRails.find((each) => each.name === name)
  if (found !== undefined) return found
  throw new ExitCode.UnusableInput({ message: `--rail: there is no rail "${name}"` })
}

const timeOf = (flag: string, given: string | undefined): number | undefined => {
  if (given === undefined) return undefined
  const at = instant.parse(/^\d+$/.test(given) ? Number(given) : given)
  if (at !== undefined) return at
  throw new ExitCode.UnusableInput({
    message: `--${flag}: must be ${instant.expected}, got "${given}"`,
  })
}

const feeOf = (given: string | undefined): number | undefined => {
  if (given === undefined) return undefined
  const most = Number.MAX_SAFE_INTEGER
  const problem = Flags.wholeProblem(given, { flag: "fee", least: 0, most })
  if (problem === undefined) return Number(given)
  throw new ExitCode.UnusableInput({ message: problem })
}

const due = (session: Session) =>
  Command.make("due", place, (flags) =>
    session.run(async () => {
      const { due: run } = await import("./payouts/PayoutsCommand.js")
      return run(session, placeOf(session, flags))
    }),
  ).pipe(
    Command.withDescription(
      "List the payouts that can be paid now: closed, past their holding days, above 0, and no payment of them under way.",
    ),
    Command.withShortDescription("List what can be paid now"),
  )

const close = (session: Session) =>
  Command.make(
    "close",
    {
      ...place,
      timeZone: Flags.text(
        "time-zone",
        "<name>",
        "The time zone of due dates, such as Europe/Paris, as the program that records the sales has it; UTC when absent",
      ).pipe(Flag.withDefault("UTC")),
      maturityDays: Flags.maturityDays,
    },
    ({ timeZone, maturityDays, ...flags }) =>
      session.run(async () => {
        const problem = Flags.wholeProblem(maturityDays, Flags.maturityRange)
        if (problem !== undefined) throw new ExitCode.UnusableInput({ message: problem })
        const { close: run } = await import("./payouts/PayoutsCommand.js")
        const options = placeOf(session, flags)
        return run(session, { ...options, timeZone, maturityDays: Number(maturityDays) })
      }),
  ).pipe(
    Command.withDescription(
      "Close every payout whose date has come; what is too small goes on collecting until its next date. apportion serve --close-due-every does the same by the clock.",
    ),
    Command.withShortDescription("Close the payouts that are due"),
  )

const retry = (session: Session) =>
  Command.make(
    "retry",
    {
      ...place,
      payout: Argument.String("payout").pipe(Argument.withDescription("The payout's id")),
    },
    ({ payout, ...flags }) =>
      session.run(async () => {
        const { retry: run } = await import("./payouts/PayoutsCommand.js")
        return run(session, { ...placeOf(session, flags), payout })
      }),
  ).pipe(
    Command.withDescription(
      "Make a payout that failed payable again, when what was wrong is put right; the next claim takes it as a new payment.",
    ),
    Command.withShortDescription("Make a failed payout payable again"),
  )

const claim = (session: Session) =>
  Command.make("claim", { ...place, rail }, ({ rail: name, ...flags }) =>
    session.run(async () => {
      const { claim: run } = await import("./payouts/PayoutsCommand.js")
      return run(session, { ...placeOf(session, flags), rail: await railOf(name) })
    }),
  ).pipe(
    Command.withDescription(
      "Claim every payout that the rail can pay. A claimed payout is frozen: refunds, expenses and incomes go to the collaborator's next payout, so that what is paid is what was claimed. Nothing is sent yet.",
    ),
    Command.withShortDescription("Freeze what is to be paid over a rail"),
  )

const reference = Flags.text(
  "reference",
  "<text>",
  'What receivers read beside the money; {payout} is the payout\'s id. "Payout {payout}" when absent',
).pipe(Flag.withDefault("Payout {payout}"))

/** The flags that describe a file of payments. */
const exported = {
  ...place,
  rail,
  settings: Flag.Path("settings").pipe(
    Flag.withMetavar("<file>"),
    Flag.withDescription(
      'Needed: who pays, and where each collaborator\'s money goes: {"payer": {…}, "recipients": {"<collaborator>": {…}}} (JSON; - is standard input)',
    ),
  ),
  to: Flags.text("to", "<file>", "Needed: the file to write, which must not exist yet"),
  payOn: Flags.text(
    "pay-on",
    "<date>",
    "Needed: the day on which the bank is to pay, as 2026-12-01",
  ),
  reference,
  currency: Flags.optionalText(
    "currency",
    "<code>",
    "Only payments in this currency; a file of PayPal has one",
  ),
  again: Flags.optionalText(
    "again",
    "<id>",
    "Write the file of this id once more, with the payments in it that are not answered, in place of a new one",
  ),
}

const exportFile = (session: Session) =>
  Command.make(
    "export",
    exported,
    ({ rail: name, settings, to, payOn, reference, currency, again, ...flags }) =>
      session.run(async () => {
        const options = placeOf(session, flags)
        const source = session.open("settings", settings)
        const value = await Input.readSettings(source)
        const { exportFile: run } = await import("./payouts/PayoutsCommand.js")
        const limits = {
          currency: Option.getOrUndefined(currency),
          again: Option.getOrUndefined(again),
        }
        return run(session, {
          ...options,
          file: {
            ...{ ...limits, to, payOn, reference },
            rail: await railOf(name),
            settings: { name: source.name, value },
          },
        })
      }),
  ).pipe(
    Command.withDescription(
      "Write a file of all payments that are claimed for a rail, to give to a bank. A payment is noted as sent before the file is there, and is in one file only. Whatever can't be written is named before anything is noted. A run that is cut off is finished by running it again with the same --to.",
    ),
    Command.withShortDescription("Write a file of payments for a bank"),
    Command.withExamples([
      {
        command:
          "apportion payouts export --data ./shop --rail sepa --settings bank.json --pay-on 2026-12-01 --to december.xml",
        description: "All claimed payments as a SEPA credit transfer file",
      },
    ]),
  )

const importAnswer = (session: Session) =>
  Command.make(
    "import",
    {
      ...place,
      rail,
      answer: Argument.Path("answer").pipe(
        Argument.withDescription(
          "The rail's answer: for sepa a status report (pain.002) or a statement of the account (camt.053), for paypal its activity report, for wise its list of transfers (CSV), for nacha the bank's file of returns; - is standard input",
        ),
      ),
      settings: Flag.Path("settings").pipe(
        Flag.withMetavar("<file>"),
        Flag.withDescription(
          "The settings of the export, which wise and nacha need to tell payments apart",
        ),
        Flag.optional,
      ),
      reference,
    },
    ({ rail: name, answer, settings, reference, ...flags }) =>
      session.run(async () => {
        const options = placeOf(session, flags)
        const source = session.openArgument("answer", answer)
        const content = await Input.readText(source)
        const { importAnswer: run } = await import("./payouts/PayoutsCommand.js")
        const known = session.openOptional("settings", settings)
        return run(session, {
          ...{ ...options, rail: await railOf(name), reference },
          answer: { name: source.name, content },
          settings: known === undefined ? undefined : await Input.readSettings(known),
        })
      }),
  ).pipe(
    Command.withDescription(
      "Read what a bank answers, and note of each payment whether it was made, refused or came back. The same answer twice changes nothing. The exit code is 1 when something of it could not be noted; the rest is.",
    ),
    Command.withShortDescription("Read a bank's answer"),
  )

const stuck = (session: Session) =>
  Command.make("stuck", place, (flags) =>
    session.run(async () => {
      const { stuck: run } = await import("./payouts/PayoutsCommand.js")
      return run(session, placeOf(session, flags))
    }),
  ).pipe(
    Command.withDescription(
      "List the payments that a person has to look at: nobody knows for a day or longer what became of them, or the rail has said two things. The exit code is 1 when there are any.",
    ),
    Command.withShortDescription("List payments that need a person"),
  )

const payment = Argument.String("payment").pipe(
  Argument.withDescription("The payment's id, as claim, export and stuck show it"),
)

const reason = Flags.text("reason", "<text>", "Needed: why, for the history of the payout")

const confirm = (session: Session) =>
  Command.make(
    "confirm",
    {
      ...place,
      payment,
      at: Flags.optionalText(
        "at",
        "<time>",
        "When the money moved, as 2026-12-01T18:00:00Z; now when absent",
      ),
      reference: Flags.optionalText("reference", "<text>", "What the bank calls the payment"),
      fee: Flags.optionalText("fee", "<cents>", "What the bank took for it, in the lowest unit"),
    },
    ({ payment: id, at, reference, fee, ...flags }) =>
      session.run(async () => {
        const options = placeOf(session, flags)
        const said = {
          type: "confirm" as const,
          at: timeOf("at", Option.getOrUndefined(at)),
          reference: Option.getOrUndefined(reference),
          fee: feeOf(Option.getOrUndefined(fee)),
        }
        const { say } = await import("./payouts/PayoutsCommand.js")
        return say(session, { ...options, payment: id, said })
      }),
  ).pipe(Command.withDescription("Note that a payment was made: its payout is paid."))

const withReason = (session: Session, type: "reject" | "return", description: string) =>
  Command.make(type, { ...place, payment, reason }, ({ payment: id, reason: why, ...flags }) =>
    session.run(async () => {
      const options = placeOf(session, flags)
      const { say } = await import("./payouts/PayoutsCommand.js")
      return say(session, { ...options, payment: id, said: { type, reason: why } })
    }),
  ).pipe(Command.withDescription(description))

const withoutReason = (session: Session, type: "release" | "settle", description: string) =>
  Command.make(type, { ...place, payment }, ({ payment: id, ...flags }) =>
    session.run(async () => {
      const options = placeOf(session, flags)
      const { say } = await import("./payouts/PayoutsCommand.js")
      return say(session, { ...options, payment: id, said: { type } })
    }),
  ).pipe(Command.withDescription(description))

/** `apportion payouts`. */
export const payouts = (session: Session) =>
  Command.make("payouts").pipe(
    Command.withDescription(
      "Pay what is due, by files that a bank takes: claim freezes it, export writes the file, import reads the bank's answers. What nobody knows for a day is listed by stuck, and a person says what became of it.",
    ),
    Command.withShortDescription("Pay what is due by files for a bank"),
    Command.withSubcommands([
      due(session),
      close(session),
      claim(session),
      exportFile(session),
      importAnswer(session),
      stuck(session),
      retry(session),
      confirm(session),
      withReason(
        session,
        "reject",
        "Note that a payment was not made and will not be: its payout fails, with the reason.",
      ),
      withReason(
        session,
        "return",
        "Note that a payment came back after it was made: its payout fails, and is paid again only by a new payment.",
      ),
      withoutReason(
        session,
        "release",
        "Give up a payment that is claimed and in no file: its payout is as it was before.",
      ),
      withoutReason(
        session,
        "settle",
        "Note that a person has looked at a payment of which a rail said two things: it is not listed by stuck any more.",
      ),
    ]),
  )
