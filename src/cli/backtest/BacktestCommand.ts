/** `apportion backtest`: what each collaborator would have got under other rules. */
import * as ExitCode from "../ExitCode.js"
import * as Collaborators from "../input/Collaborators.js"
import * as Input from "../input/Input.js"
import type { OrderInputs } from "../input/OrderInputs.js"
import * as OrderReader from "../input/OrderReader.js"
import { Orders, type Side } from "../input/Orders.js"
import * as Products from "../input/Products.js"
import * as Refunds from "../input/Refunds.js"
import * as Rules from "../input/Rules.js"
import type { Source } from "../input/Sources.js"
import { wholeProblem } from "../input/WholeNumber.js"
import { Output } from "../output/Output.js"
import { printable } from "../output/Printable.js"
import { Progress } from "../output/Progress.js"
import type { Session } from "../Session.js"
import { conclude } from "../split/SplitRun.js"
import type { Backtest } from "./Backtest.js"
import { BacktestRun } from "./BacktestRun.js"

/** What the command works on. */
export interface BacktestOptions extends OrderInputs {
  readonly against: Source
  /** The policy of the other rules; `undefined`: the same one. */
  readonly againstPolicy: Source | undefined
  readonly refunds: Source | undefined
  /** Who they are, for their names. */
  readonly collaborators: Source | undefined
  /** Whether everyone for whom something changes is listed. */
  readonly isAll: boolean
  /** How many of the biggest differences are explained, as it was written. */
  readonly explain: string
  readonly format: "table" | "csv" | "json" | "html"
}

const mostExplained = 1_000

const explainOf = ({ explain }: BacktestOptions): number => {
  const problem = wholeProblem(explain, { flag: "explain", least: 0, most: mostExplained })
  if (problem === undefined) return Number(explain)
  throw new ExitCode.UnusableInput({ message: problem })
}

interface Sides {
  readonly before: Side
  readonly after: Side
  /** Of the months: that of the policy before. */
  readonly timeZone: string
}

const readSides = async (options: BacktestOptions, note: Input.Note): Promise<Sides> => {
  const { rules } = await Rules.readGroups(options.groups, note)
  const { policy, timeZone } = await Rules.readPolicy(options.policy, note)
  const against = await Rules.readGroups(options.against, note)
  const { againstPolicy } = options
  const other =
    againstPolicy === undefined ? { policy, timeZone } : await Rules.readPolicy(againstPolicy, note)
  if (other.timeZone !== timeZone) {
    note(
      `note: months are in the time zone of --policy (${timeZone}), not of --against-policy (${other.timeZone})`,
    )
  }
  const after = { rules: against.rules, policy: other.policy }
  return { before: { rules, policy }, after, timeZone }
}

const readOrders = async (
  session: Session,
  options: BacktestOptions,
  run: BacktestRun,
): Promise<void> => {
  const progress = new Progress(session.io.stderr)
  try {
    const input = { kind: Input.orders, note: session.note }
    for await (const batch of Input.read(options.orders, input)) {
      for (const entry of batch) run.take(entry)
      progress.update(run.counts.orders)
    }
  } finally {
    progress.clear()
  }
}

const textsOf = async (
  backtest: Backtest,
  format: BacktestOptions["format"],
): Promise<Iterable<string>> => {
  switch (format) {
    case "table":
      return (await import("./BacktestTable.js")).texts(backtest)
    case "csv":
      return (await import("./BacktestData.js")).csvTexts(backtest)
    case "json":
      return (await import("./BacktestData.js")).jsonTexts(backtest)
    case "html":
      return (await import("./BacktestPage.js")).texts(backtest)
  }
}

const print = async (
  session: Session,
  backtest: Backtest,
  format: BacktestOptions["format"],
): Promise<void> => {
  const output = new Output(session.io.stdout)
  for (const text of await textsOf(backtest, format)) {
    output.add(format === "table" ? printable(text) : text)
    await output.flushLarge()
  }
  await output.flush()
}

/** How the inputs are called in what is printed. */
const inputNames = (options: BacktestOptions): Pick<Backtest, "before" | "after"> => {
  const policy = options.policy?.name ?? null
  return {
    before: { groups: options.groups.name, policy },
    after: { groups: options.against.name, policy: options.againstPolicy?.name ?? policy },
  }
}

const readNames = async ({ collaborators }: BacktestOptions, note: Input.Note) => {
  if (collaborators === undefined) return undefined
  const read = await Collaborators.read(collaborators, note)
  return new Map([...read].map(([id, { account }]) => [id, account.name]))
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: BacktestOptions): Promise<number> => {
  const explain = explainOf(options)
  const { before, after, timeZone } = await readSides(options, session.note)
  const readOrder = OrderReader.of({
    catalogues: await Products.read(options.products, session.note),
    deductsCosts: [before, after].some(({ policy }) => policy.cost === "deduct"),
    sales: options.sales,
  })
  const refunds = await Refunds.read(options.refunds, session.note)
  const names = await readNames(options, session.note)
  const { name } = options.orders
  const orders = new Orders({ name, ...before, readOrder })
  const tell = (line: string) => session.note(`apportion: ${line}`)
  const sides = { before, after, timeZone }
  const work = new BacktestRun({ orders, ...sides, refunds, explain, note: tell })
  await readOrders(session, options, work)
  const leftOver = refunds.leftOver()
  for (const line of leftOver) tell(line)
  const { isAll } = options
  const found = { ...inputNames(options), names, isAll, ...work.result }
  await print(session, found, options.format)
  const { counts } = work
  return conclude(session.note, {
    orders: counts.orders,
    failures: counts.orders - counts.compared,
    failedRefunds: work.failedRefunds + leftOver.length,
    remarks: orders.remarks.data,
  })
}
