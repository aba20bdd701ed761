/** The commands about rules themselves. What a command needs is loaded when it runs. */
import { Command } from "effect/cli"
import * as Flags from "./Flags.js"
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
      explain: Flags.explained,
      format: Flags.format(["table", "csv", "json", "html"]),
    },
    ({ explain, format, ...flags }) =>
      session.run(async () => {
        const inputs = {
          groups: session.open("groups", flags.groups),
          against: session.open("against", flags.against),
          orders: session.open("orders", flags.orders),
          products: session.openOptional("products", flags.products),
          policy: session.openOptional("policy", flags.policy),
          againstPolicy: session.openOptional("against-policy", flags.againstPolicy),
          refunds: session.openOptional("refunds", flags.refunds),
        }
        const { run } = await import("./BacktestCommand.js")
        return run(session, { ...inputs, explain, format })
      }),
  ).pipe(
    Command.withDescription(
      "Split each order by two rule sets, and print what each collaborator gets under either: by month of the orders, in all, and the orders with the biggest differences, explained. Orders that only one side refuses are told and listed, and are in no sum. Any number of orders is read in constant memory.",
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
