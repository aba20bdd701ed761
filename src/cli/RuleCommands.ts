/** The commands about rules themselves. What a command needs is loaded when it runs. */
import { Argument, Command } from "effect/cli"
import * as Option from "effect/Option"
import * as Flags from "./Flags.js"
import * as OrderInputs from "./OrderInputs.js"
import * as RuleOptions from "./RuleOptions.js"
import type { Session } from "./Session.js"

/** `apportion backtest`. */
export const backtest = (session: Session) =>
  Command.make(
    "backtest",
    {
      ...Flags.common,
      against: Flags.against,
      againstPolicy: Flags.againstPolicy,
      refunds: Flags.refunds,
      collaborators: Flags.names,
      explain: Flags.explained,
      all: Flags.flag(
        "all",
        "List everyone who gets more or less, on a page with a chart for each; without it those with the biggest differences are listed",
      ),
      format: Flags.format(["table", "csv", "json", "html"]),
    },
    ({ explain, format, all: isAll, ...flags }) =>
      session.run(async () => {
        const inputs = {
          ...OrderInputs.open(session, flags),
          against: session.open("against", flags.against),
          againstPolicy: session.openOptional("against-policy", flags.againstPolicy),
          refunds: session.openOptional("refunds", flags.refunds),
          collaborators: session.openOptional("collaborators", flags.collaborators),
        }
        const { run } = await import("./BacktestCommand.js")
        return run(session, { ...inputs, explain, format, isAll })
      }),
  ).pipe(
    Command.withDescription(
      "Split each order by two rule sets, and print what each collaborator gets under either: in all, by month of the orders, and the orders with the biggest differences, explained. Orders that only one side refuses are told and listed, and are in no sum. Memory does not grow with the number of orders.",
    ),
    Command.withShortDescription("Print what other rules would have given to whom"),
    Command.withExamples([
      {
        command:
          "apportion backtest --groups groups.json --against groups-next.json --orders orders.json",
        description: "What each one would have got with the rules of next year, as tables",
      },
      {
        command:
          "apportion backtest --groups groups.json --against groups.json --policy policy.json --against-policy policy-next.json --orders orders.json --format html > backtest.html",
        description: "The same rules with another policy, as a page with charts",
      },
    ]),
  )

/** `apportion check`. */
export const check = (session: Session) =>
  Command.make(
    "check",
    {
      groups: Flags.common.groups,
      ...Flags.asked,
      ...Flags.told,
      format: Flags.format(["text", "json", "sarif"]),
    },
    ({ groups, level, failOn, off, show, output, format, ...asked }) =>
      session.run(async () => {
        const inputs = {
          groups: session.open("groups", groups),
          taken: RuleOptions.open(session, asked),
          output: Option.getOrUndefined(output),
        }
        const { run } = await import("./CheckCommand.js")
        return run(session, { ...inputs, level, failOn, off, show, format })
      }),
  ).pipe(
    Command.withDescription(
      "Look for what is wrong, or hardly meant, in product groups, before they meet a sale: claims that come to more than an item brings in, groups that never count or could go, misspelt values, and more. What is said is proved for every order that is possible, and shown by the smallest one. The exit code is 1 when something as grave as --fail-on is found.",
    ),
    Command.withShortDescription("Look for mistakes in product groups"),
    Command.withExamples([
      {
        command: "apportion check --groups groups.json --products products.json",
        description: "Everything that is found, among the products there are",
      },
      {
        command:
          "apportion check --groups groups.json --fail-on warning --off overlap,unpaid-product --format sarif --output check.sarif",
        description: "For a build that fails on warnings and shows them at their lines",
      },
    ]),
  )

const groupsArgument = (name: string, description: string) =>
  Argument.Path(name).pipe(Argument.withDescription(description))

/** `apportion diff`. */
export const diff = (session: Session) =>
  Command.make(
    "diff",
    {
      one: groupsArgument("A", "Product groups (JSON, NDJSON or CSV; - is standard input)"),
      other: groupsArgument("B", "The product groups that they are compared with"),
      ...Flags.asked,
      format: Flags.format(["text", "json"]),
    },
    ({ one, other, format, ...asked }) =>
      session.run(async () => {
        const inputs = {
          one: session.openArgument("A", one),
          other: session.openArgument("B", other),
          taken: RuleOptions.open(session, asked),
        }
        const { run } = await import("./DiffCommand.js")
        return run(session, { ...inputs, format })
      }),
  ).pipe(
    Command.withDescription(
      "Tell whether two files of product groups give everybody the same, to the cent, on every order that is possible; if not, show the smallest order on which they don't, with both explanations. The groups that were added, removed or changed are listed. The exit code is 0 when they are proved to pay the same, 1 when they don't, 3 when that could not be decided.",
    ),
    Command.withShortDescription("Tell whether two files of groups pay the same"),
    Command.withExamples([
      {
        command: "apportion diff groups.json groups-tidied.json",
        description: "Whether tidying up changed what anybody is paid",
      },
      {
        command: "apportion diff groups.json groups-next.json --products products.json",
        description: "Only orders of these products count",
      },
    ]),
  )
