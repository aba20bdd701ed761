/** `apportion statement`: what each collaborator was and will be paid. */
import * as Collaborators from "./Collaborators.js"
import * as Days from "./Days.js"
import * as ExitCode from "./ExitCode.js"
import * as Input from "./Input.js"
import * as OrderFailure from "./OrderFailure.js"
import * as OrderReader from "./OrderReader.js"
import { Orders, type SplitOrder } from "./Orders.js"
import { Output } from "./Output.js"
import { printable } from "./Printable.js"
import * as Products from "./Products.js"
import { Progress } from "./Progress.js"
import * as Rates from "./Rates.js"
import * as Records from "./Records.js"
import * as Refunds from "./Refunds.js"
import * as Rules from "./Rules.js"
import type { Session } from "./Session.js"
import type { Source } from "./Sources.js"
import * as Statement from "./Statement.js"

/** What the command works on. */
export interface Options {
  readonly groups: Source
  readonly orders: Source
  readonly products: Source | undefined
  readonly policy: Source | undefined
  readonly collaborators: Source
  readonly refunds: Source | undefined
  readonly entries: Source | undefined
  readonly rates: Source | undefined
  readonly until: string
  readonly collaborator: string | undefined
  readonly format: "table" | "json" | "csv" | "html"
}

/** The sales of a period, and the orders that could not be part of it. */
class Sales {
  private sales: Array<Statement.Sale> = []
  orderCount = 0
  private failedRefunds = 0
  private readonly failed = new Set<SplitOrder | OrderFailure.OrderFailure>()
  private readonly session: Session
  private readonly orders: Orders
  private readonly refunds: Refunds.Refunds
  private readonly until: number

  constructor(
    session: Session,
    parts: {
      readonly orders: Orders
      readonly refunds: Refunds.Refunds
      readonly until: number
    },
  ) {
    this.session = session
    this.orders = parts.orders
    this.refunds = parts.refunds
    this.until = parts.until
  }

  get failureCount(): number {
    return this.failed.size
  }

  /** Takes an order, unless it is of a later time. */
  add(entry: Records.Entry): void {
    this.orderCount += 1
    const outcome = this.orders.split(entry)
    if (outcome._tag === "OrderFailure") this.fail(outcome)
    else if (outcome._tag === "NotSold") this.refunds.markUsed(outcome.orderId)
    else if (outcome.split.createdAt === null) this.failWithoutTime(outcome)
    else this.addSale(outcome, outcome.split.createdAt)
  }

  private failWithoutTime({ record, split }: SplitOrder): void {
    const message = `is missing: without a time, order ${split.orderId} has no place in the payouts`
    const error = new OrderFailure.OrderWithoutTime({ message })
    this.fail(
      this.orders.failure(record, error, [this.orders.lineOf(record, "created_at", message)]),
    )
  }

  private addSale(outcome: SplitOrder, at: number): void {
    const { reversals, failures, notes } = this.refunds.reversals(outcome, this.until)
    this.failedRefunds += failures.length
    this.tell(failures)
    for (const line of notes) this.session.note(line)
    const record = Records.withoutText(outcome.record, outcome.split.orderId)
    this.sales.push({ split: { ...outcome, record }, at, reversals })
  }

  /** The sales so far; they are kept here no longer. */
  takeSales(): ReadonlyArray<Statement.Sale> {
    const { sales } = this
    this.sales = []
    return sales
  }

  /** A sale that the payouts could not take. */
  refuse({ sale, error }: Statement.Refused): void {
    if (this.failed.has(sale)) return
    this.failed.add(sale)
    this.tell(this.orders.failure(sale.record, error).lines)
  }

  /** Tells how many failed, and answers the exit code. */
  conclude(): number {
    const left = this.refunds.leftOver()
    this.tell(left)
    this.failedRefunds += left.length
    for (const text of this.orders.remarks.texts()) this.session.note(text)
    if (this.failureCount > 0) {
      this.tell([`${this.failureCount} of ${this.orderCount} orders failed`])
    }
    if (this.failedRefunds > 0) this.tell([Refunds.failed(this.failedRefunds)])
    return this.failureCount + this.failedRefunds > 0 ? ExitCode.someFailed : ExitCode.success
  }

  private fail(failure: OrderFailure.OrderFailure): void {
    this.failed.add(failure)
    if (failure.orderId !== undefined) this.refunds.markUsed(failure.orderId)
    this.tell(failure.lines)
  }

  private tell(lines: ReadonlyArray<string>): void {
    for (const line of lines) this.session.note(`apportion: ${line}`)
  }
}

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

const readSales = async (session: Session, options: Options, sales: Sales): Promise<void> => {
  const progress = new Progress(session.io.stderr)
  const input = { kind: Input.orders, note: session.note }
  try {
    for await (const batch of Input.read(options.orders, input)) {
      for (const entry of batch) sales.add(entry)
      progress.update(sales.orderCount)
    }
  } finally {
    progress.clear()
  }
}

const textsOf = async (
  statement: Statement.Statement,
  format: Options["format"],
): Promise<Iterable<string>> => {
  switch (format) {
    case "table":
      return (await import("./StatementTable.js")).texts(statement)
    case "json":
      return (await import("./StatementJson.js")).texts(statement)
    case "csv":
      return (await import("./StatementCsv.js")).texts(statement)
    case "html":
      return (await import("./StatementPage.js")).texts(statement)
  }
}

const print = async (
  session: Session,
  statement: Statement.Statement,
  format: Options["format"],
): Promise<void> => {
  const balance = statement.balance.toText()
  const output = new Output(session.io.stdout)
  for (const text of await textsOf(statement, format)) {
    output.add(format === "table" ? printable(text) : text)
    await output.flushLarge()
  }
  if (format === "table") output.add(balance)
  await output.flush()
  if (format !== "table") session.note(balance.trimEnd())
  if (!statement.balance.holds) throw new ExitCode.Defect({ message: balance.trimEnd() })
}

const only = (
  statement: Statement.Statement,
  collaborator: string | undefined,
): Statement.Statement => ({
  ...statement,
  sections: statement.sections.filter(
    (section) => collaborator === undefined || section.collaborator.id === collaborator,
  ),
})

const noteForeignPayouts = (session: Session, statement: Statement.Statement): void => {
  const isForeign = statement.sections.some(({ collaborator, payouts }) =>
    payouts.some(({ currency }) => currency !== collaborator.currency),
  )
  if (!isForeign) return
  session.note(
    "note: without --rates, shares of orders in another currency stay in payouts of that currency",
  )
}

const untilOf = ({ until }: Options, timeZone: string): number =>
  Days.endOf(until, timeZone) ?? refuse(`--until: must be ${Days.expected}, got "${until}"`)

const readCollaborators = async (
  session: Session,
  options: Options,
  groups: Rules.Groups,
): Promise<Collaborators.Collaborators> => {
  const collaborators = await Collaborators.read(options.collaborators, session.note)
  const { collaborator } = options
  if (collaborator !== undefined && !collaborators.has(collaborator)) {
    refuse(`--collaborator: there is no collaborator "${collaborator}"`)
  }
  Collaborators.checkGroups(groups, collaborators)
  return collaborators
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: Options): Promise<number> => {
  const { note } = session
  const groups = await Rules.readGroups(options.groups, note)
  const policy = await Rules.readPolicy(options.policy, note)
  const { timeZone } = policy
  const until = untilOf(options, timeZone)
  const collaborators = await readCollaborators(session, options, groups)
  const readOrder = OrderReader.of(await Products.read(options.products, note))
  const refunds = await Refunds.read(options.refunds, note)
  const entries = await Collaborators.readEntries(options.entries, { collaborators, note })
  const rate = await Rates.read(options.rates, { timeZone, note })
  const { name } = options.orders
  const orders = new Orders({ name, rules: groups.rules, policy, readOrder, note: session.note })
  const work = new Sales(session, { orders, refunds, until })
  await readSales(session, options, work)
  const onRefused = (refused: Statement.Refused) => work.refuse(refused)
  const takeSales = () => work.takeSales()
  const facts = { collaborators, timeZone, rate, until, takeSales, entries, onRefused }
  const statement = only(Statement.make(facts), options.collaborator)
  if (rate === undefined) noteForeignPayouts(session, statement)
  await print(session, statement, options.format)
  return work.conclude()
}
