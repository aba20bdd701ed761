/** The commands about rules themselves. A command's modules are loaded when it runs. */
import { Argument, Command } from "effect/cli"
import * as Option from "effect/Option"
import * as RuleOptions from "./check/RuleOptions.js"
import * as Flags from "./Flags.js"
import * as Sources from "./input/Sources.js"
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
        "List every collaborator whose amount changes, on the HTML page with a chart each; when absent only those with the biggest differences are listed",
      ),
      format: Flags.format(["table", "csv", "json", "html"]),
    },
    ({ explain, format, all: isAll, ...flags }) =>
      session.run(async () => {
        const inputs = {
          ...Sources.openOrders(session, flags),
          against: session.open("against", flags.against),
          againstPolicy: session.openOptional("against-policy", flags.againstPolicy),
          refunds: session.openOptional("refunds", flags.refunds),
          collaborators: session.openOptional("collaborators", flags.collaborators),
        }
        const { run } = await import("./backtest/BacktestCommand.js")
        return run(session, { ...inputs, explain, format, isAll })
      }),
  ).pipe(
    Command.withDescription(
      "Split each order by two rule sets, and print what each collaborator gets under either: in total, by month of the orders, and the orders with the biggest differences, explained. Orders that only one rule set refuses are listed and are in no total. Memory does not grow with the number of orders.",
    ),
    Command.withShortDescription("Print what each collaborator would have got under other rules"),
    Command.withExamples([
      {
        command:
          "apportion backtest --groups groups.json --against groups-next.json --orders orders.json",
        description: "What each collaborator would have got under next year's rules, as tables",
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
      agreements: Flags.checkedAgreements,
      ...Flags.asked,
      ...Flags.told,
      format: Flags.format(["text", "json", "sarif"]),
    },
    ({ groups, agreements, level, failOn, off, show, output, format, ...asked }) =>
      session.run(async () => {
        const inputs = {
          groups: session.open("groups", groups),
          agreements: session.openOptional("agreements", agreements),
          taken: RuleOptions.open(session, asked),
          output: Option.getOrUndefined(output),
        }
        const { run } = await import("./check/CheckCommand.js")
        return run(session, { ...inputs, level, failOn, off, show, format })
      }),
  ).pipe(
    Command.withDescription(
      "Look for mistakes in product groups before the first sale: claims of more than an item brings in, groups that never count or could be left out, misspelt values, and more. Each finding and each proof holds for every possible order; findings show the smallest such order. The exit code is 1 when something at least as grave as --fail-on is found.",
    ),
    Command.withShortDescription("Look for mistakes in product groups"),
    Command.withExamples([
      {
        command: "apportion check --groups groups.json --products products.json",
        description: "All findings, for the products of a catalogue",
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
        const { run } = await import("./diff/DiffCommand.js")
        return run(session, { ...inputs, format })
      }),
  ).pipe(
    Command.withDescription(
      "Prove that two files of product groups pay everybody the same, to the cent, on every possible order; or show the smallest order on which they differ, with both explanations. The groups that were added, removed or changed are listed. The exit code is 0 when they are proved to pay the same, 1 when they don't, 3 when the budget was too small to decide.",
    ),
    Command.withShortDescription(
      "Prove that two files of groups pay the same, or show an order where they differ",
    ),
    Command.withExamples([
      {
        command: "apportion diff groups.json groups-tidied.json",
        description: "Whether a tidied file changes what anybody is paid",
      },
      {
        command: "apportion diff groups.json groups-next.json --products products.json",
        description: "The same, considering only orders of these products",
      },
    ]),
  )
