/** `apportion statement`: what each collaborator has been and will be paid. */
import * as Result from "effect/Result"
import type { Language } from "../../languages/Language.js"
import { printable } from "../../orders/Words.js"
import * as ExitCode from "../ExitCode.js"
import * as Flags from "../Flags.js"
import * as Collaborators from "../input/Collaborators.js"
import * as Days from "../input/Days.js"
import * as Input from "../input/Input.js"
import * as OrderReader from "../input/Orders.js"
import { type OrderSplitter, Orders, type SplitOrder } from "../input/Orders.js"
import * as Products from "../input/Products.js"
import * as Rates from "../input/Rates.js"
import type * as Records from "../input/Records.js"
import * as Refunds from "../input/Refunds.js"
import * as Rules from "../input/Rules.js"
import { type Earlier, splitterOf } from "../input/RunSplitter.js"
import type { OrderInputs, Source } from "../input/Sources.js"
import type { Session } from "../Session.js"
import { Output, Progress } from "../Session.js"
import { type Statement, StatementLedger } from "./Statement.js"
import type { Balance, StatementPeriod } from "./StatementAccount.js"
import { StatementAgreements } from "./StatementAgreements.js"
import { texts as balanceTexts, type FinalBalances } from "./StatementBalances.js"
import * as StatementFiles from "./StatementFiles.js"
import * as StatementTable from "./StatementTable.js"

/** What the command works on. */
export interface StatementOptions extends OrderInputs, Earlier {
  readonly collaborators: Source
  readonly refunds: Source | undefined
  readonly entries: Source | undefined
  /** Advances, reserves, guarantees and overrides. */
  readonly agreements: Source | undefined
  readonly rates: Source | undefined
  readonly from: string | undefined
  readonly until: string
  readonly collaborator: string | undefined
  /** How many days after its sale a share can be closed. */
  readonly maturityDays: string
  readonly outputDir: string | undefined
  /** The lines that name the issuer of the statement. */
  readonly issuer: ReadonlyArray<string>
  /** Of the pages of collaborators. */
  readonly language: Language
  readonly format: "table" | "json" | "csv" | "html"
}

/** Adds orders to the payouts, and counts the ones that fail. */
class SalesRecorder {
  orderCount = 0
  private failureCount = 0
  private failedRefunds = 0
  private readonly session: Session
  private readonly orders: Orders
  private readonly splitter: OrderSplitter
  private readonly refunds: Refunds.Refunds
  private readonly ledger: StatementLedger
  private readonly agreements: StatementAgreements | undefined
  private readonly until: number

  constructor(
    session: Session,
    parts: {
      readonly orders: Orders
      readonly splitter: OrderSplitter
      readonly refunds: Refunds.Refunds
      readonly ledger: StatementLedger
      readonly agreements: StatementAgreements | undefined
      readonly until: number
    },
  ) {
    this.session = session
    this.orders = parts.orders
    this.splitter = parts.splitter
    this.refunds = parts.refunds
    this.ledger = parts.ledger
    this.agreements = parts.agreements
    this.until = parts.until
  }

  /** Adds an order, unless it is later than the statement. */
  add(entry: Records.InputEntry): void {
    this.orderCount += 1
    const outcome = this.orders.split(entry)
    if (outcome._tag === "OrderFailure") this.fail(outcome)
    else if (outcome._tag === "NotSold") this.refunds.markUsed(outcome.orderId)
    else if (outcome.split.createdAt === null) this.failWithoutTime(outcome)
    else this.addSale(outcome, outcome.split.createdAt)
  }

  /** Reports how many failed, and returns the exit code. */
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

  private failWithoutTime({ record, split }: SplitOrder): void {
    const message = `is missing: without a time, order ${split.orderId} has no place in the payouts`
    const error = new OrderReader.OrderWithoutTime({ message })
    this.fail(
      this.orders.failure(record, error, [this.orders.lineOf(record, "created_at", message)]),
    )
  }

  private addSale(outcome: SplitOrder, at: number): void {
    const { order, split, record } = outcome
    const { made, reversals, failures, notes, isUntold } = this.refunds.reversals(
      outcome,
      this.until,
    )
    this.splitter.takeBack(split, made)
    this.failedRefunds += failures.length
    this.tell(failures)
    for (const line of notes) this.session.note(line)
    if (at >= this.until) return
    if (isUntold) this.orders.remarks.addUntoldRefund(order.id)
    const added = this.ledger.addSale({ order, split, at, reversals })
    if (Result.isFailure(added)) this.fail(this.orders.failure(record, added.failure))
    else this.agreements?.addSale(split, at, reversals)
  }

  private fail(failure: OrderReader.OrderFailure): void {
    this.failureCount += 1
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

const readSales = async (
  session: Session,
  options: StatementOptions,
  sales: SalesRecorder,
): Promise<void> => {
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

type StatementTexts = (statement: Statement) => Iterable<string>

/** The writer of a format. */
const textsOf = async ({ format, issuer, language }: StatementOptions): Promise<StatementTexts> => {
  switch (format) {
    case "table":
      return (statement) => printables(StatementTable.texts(statement))
    case "json":
      return (await import("./StatementFiles.js")).jsonTexts
    case "csv":
      return (await import("./StatementFiles.js")).csvTexts
    case "html": {
      const { texts } = await import("./StatementPage.js")
      const { wordsIn } = await import("../../documents/DocumentWords.js")
      const words = wordsIn(language)
      return (statement) => texts(statement, { words, issuer })
    }
  }
}

function* printables(texts: Iterable<string>): Generator<string> {
  for (const text of texts) yield printable(text)
}

/** Writes each collaborator's file, and prints the totals. */
function* filesTexts(
  statement: Statement,
  { count, folder }: { readonly count: number; readonly folder: string },
): Generator<string> {
  if (statement.balances !== undefined) yield* printables(balanceTexts(statement.balances))
  yield* printables(StatementTable.totals(statement))
  yield printable(`${count} ${count === 1 ? "statement" : "statements"} in ${folder}\n\n`)
}

const print = async (
  session: Session,
  statement: Statement,
  options: StatementOptions,
): Promise<void> => {
  const { format, outputDir } = options
  const texts = await textsOf(options)
  const written =
    outputDir === undefined
      ? texts(statement)
      : filesTexts(statement, {
          folder: outputDir,
          count: await StatementFiles.write(outputDir, statement, {
            extension: StatementFiles.extensions[format],
            texts,
            issuer: options.issuer,
          }),
        })
  const output = new Output(session.io.stdout)
  for (const text of written) {
    output.add(text)
    await output.flushLarge()
  }
  await output.flush()
}

/** Prints the check that every cent is accounted for, below tables or on standard error. */
const tellBalance = async (
  session: Session,
  balance: Balance,
  { format, outputDir }: StatementOptions,
): Promise<void> => {
  const text = balance.toText()
  if (format === "table" || outputDir !== undefined) await session.io.stdout.write(text)
  else session.note(text.trimEnd())
  if (!balance.holds) throw new ExitCode.Defect({ message: text.trimEnd() })
}

const only = (statement: Statement, collaborator: string | undefined): Statement => ({
  ...statement,
  sections: statement.sections.filter(
    (section) => collaborator === undefined || section.collaborator.id === collaborator,
  ),
})

const noteForeignPayouts = (session: Session, { sections }: Statement): void => {
  const isForeign = sections.some(({ collaborator, payouts }) =>
    payouts.some(({ currency }) => currency !== collaborator.currency),
  )
  if (!isForeign) return
  session.note(
    "note: without --rates, shares of orders in another currency stay in payouts of that currency",
  )
}

const periodOf = ({ from, until }: StatementOptions, timeZone: string): StatementPeriod => {
  const end =
    Days.endOf(until, timeZone) ?? refuse(`--until: must be ${Days.expected}, got "${until}"`)
  if (from === undefined) return { timeZone, from, until: end }
  const begin =
    Days.startOf(from, timeZone) ?? refuse(`--from: must be ${Days.expected}, got "${from}"`)
  if (begin < end) return { timeZone, from: begin, until: end }
  return refuse(`--from: must be before --until, got "${from}" and "${until}"`)
}

const maturityOf = ({ maturityDays }: StatementOptions): number => {
  const problem = Flags.wholeProblem(maturityDays, Flags.maturityRange)
  return problem === undefined ? Number(maturityDays) : refuse(problem)
}

const readCollaborators = async (
  session: Session,
  options: StatementOptions,
  groups: Rules.RuleSetInput,
): Promise<Collaborators.CollaboratorList> => {
  const collaborators = await Collaborators.read(options.collaborators, session.note)
  const { collaborator } = options
  if (collaborator !== undefined && !collaborators.has(collaborator)) {
    refuse(`--collaborator: there is no collaborator "${collaborator}"`)
  }
  Collaborators.checkGroups(groups, collaborators)
  return collaborators
}

/** What agreements can't be used with: they book shares in the order's currency, at the time of the sale. */
const checkAgreements = (options: StatementOptions): void => {
  if (options.agreements === undefined) return
  if (options.rates !== undefined) refuse("--agreements: can't be used together with --rates")
  if (maturityOf(options) > 0) {
    refuse("--agreements: can't be used together with --maturity-days")
  }
}

/** Reads all inputs, and returns the ledger and the failures. */
const readAll = async (session: Session, options: StatementOptions) => {
  const { note } = session
  const groups = await Rules.readTermedGroups(options.groups, note)
  const file = await Rules.readPolicy(options.policy, note, { carries: true })
  const { policy, timeZone } = file
  const { remainders, counters } = options
  checkAgreements(options)
  const period = periodOf(options, timeZone)
  const { until } = period
  const earlier = { remainders, counters, note, until }
  const { splitter, ...run } = await splitterOf(groups, file, earlier)
  const maturityDays = maturityOf(options)
  const collaborators = await readCollaborators(session, options, groups)
  const readOrder = OrderReader.of({
    catalogues: await Products.read(options.products, options.sales, note),
    deductsCosts: policy.cost === "deduct",
    sales: options.sales,
  })
  const refunds = await Refunds.read(options.refunds, note)
  const entries = await Collaborators.readEntries(options.entries, { collaborators, note })
  const set = await Collaborators.readAgreements(options.agreements, { collaborators, note })
  const agreements = set && new StatementAgreements(set)
  const rate = await Rates.read(options.rates, { timeZone, note })
  const { name } = options.orders
  const orders = new Orders({ name, splitter, readOrder })
  const ledger = new StatementLedger({ collaborators, rate, period, maturityDays })
  const parts = { orders, splitter, refunds, ledger, agreements, until: period.until }
  const sales = new SalesRecorder(session, parts)
  const balancesOf = (): FinalBalances | undefined => {
    const counted = groups.counted && run.counters && { rules: groups.counted, of: run.counters }
    return agreements === undefined && counted === undefined
      ? undefined
      : {
          agreements,
          counted: counted && { rules: counted.rules, counters: counted.of.counters },
          timeZone,
          collaborator: options.collaborator,
        }
  }
  return { ledger, sales, entries, agreements, balancesOf, until: period.until }
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: StatementOptions): Promise<number> => {
  const { outputDir } = options
  session.io.saveMemory?.()
  if (outputDir !== undefined) await StatementFiles.prepare(outputDir)
  const { ledger, sales, entries, agreements, balancesOf, until } = await readAll(session, options)
  try {
    await readSales(session, options, sales)
    for (const entry of entries) ledger.addEntry(entry)
    for (const line of agreements?.book(until) ?? []) ledger.addBooked(line)
    const whole = { ...ledger.finish(), balances: balancesOf() }
    const statement = only(whole, options.collaborator)
    if (options.rates === undefined) noteForeignPayouts(session, statement)
    await print(session, statement, options)
    await tellBalance(session, ledger.balance, options)
    return sales.conclude()
  } finally {
    ledger.close()
  }
}
