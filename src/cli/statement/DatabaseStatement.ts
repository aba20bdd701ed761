/** `apportion statement --data`: each collaborator's stored payouts, with the balances before and after. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { StatementForm } from "../../documents/StatementForm.js"
import type { Language } from "../../languages/Language.js"
import { printable } from "../../orders/Words.js"
import * as Schedule from "../../payouts/Schedule.js"
import { Storage } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import {
  type CollaboratorStatement,
  type LinePlace,
  Statements,
  type StatementsService,
} from "../../service/Statements.js"
import { UnitOfWork, type UnitOfWorkService } from "../../service/UnitOfWork.js"
import * as SqlStorage from "../../sql/SqlStorage.js"
import * as Database from "../data/Database.js"
import type { Kept } from "../data/DatabaseOptions.js"
import * as ExitCode from "../ExitCode.js"
import * as Days from "../input/Days.js"
import { Output, type Session } from "../Session.js"
import { StatementFolder } from "./DatabaseStatementFolder.js"
import { formOf } from "./DatabaseStatementForms.js"

/** What the command works on. */
export interface DatabaseStatementOptions {
  readonly place: Kept
  readonly account: string | undefined
  readonly collaborator: string | undefined
  readonly from: string | undefined
  readonly until: string | undefined
  /** The time zone of the days. */
  readonly timeZone: string
  /** The lines that name the issuer of the statement. */
  readonly issuer: ReadonlyArray<string>
  /** Of the pages of collaborators. */
  readonly language: Language
  readonly format: "table" | "json" | "csv" | "html"
  /** The folder for a file of each collaborator; `undefined`: all statements are printed. */
  readonly outputDir: string | undefined
}

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

const periodOf = ({
  from,
  until,
  timeZone,
}: DatabaseStatementOptions): CollaboratorStatement["period"] => {
  const zone = Schedule.checkTimeZone(timeZone)
  if (Result.isFailure(zone)) refuse(`--time-zone: ${zone.failure.message}`)
  return Days.periodOf({ from, until }, timeZone)
}

/** The output of the statements. */
interface Writing {
  readonly options: DatabaseStatementOptions
  readonly period: CollaboratorStatement["period"]
  readonly form: StatementForm
  readonly output: Output
  readonly folder: StatementFolder | undefined
}

/** Reads the parts of a statement, all in one transaction. */
interface StatementReaders {
  readonly statements: StatementsService
  readonly unit: UnitOfWorkService
}

const failed =
  ({ place }: DatabaseStatementOptions) =>
  ({ message }: { readonly message: string }) =>
    new ExitCode.Unavailable({ message: `${Database.nameOf(place)}: ${message}` })

/** Writes the collected text if it is large. A closed output ends the command. */
const flush = (output: Output): Effect.Effect<void, ExitCode.Stopped> =>
  Effect.tryPromise({ try: () => output.flushLarge(), catch: ExitCode.stopped })

const onDisk = <A>(work: () => Promise<A>): Effect.Effect<A, ExitCode.Stopped> =>
  Effect.tryPromise({ try: work, catch: ExitCode.stopped })

/** Fails if a statement does not add up: then the histories that it is made of contradict each other. */
const requireSum = (
  accountId: string,
  { collaborator, statements }: CollaboratorStatement,
): Effect.Effect<void, ExitCode.Defect> => {
  const wrong = statements.find(({ opening, sales, refunds, expenses, ...rest }) => {
    const items = [sales, rest.adjustments, refunds, expenses, rest.incomes, rest.removed]
    const sum = items.reduce((all, amount) => all + BigInt(amount), BigInt(opening))
    return sum - BigInt(rest.paid) !== BigInt(rest.closing)
  })
  if (wrong === undefined) return Effect.void
  const message = `the statement of collaborator ${collaborator.id} of account ${accountId} in ${wrong.currency} does not add up`
  return Effect.fail(new ExitCode.Defect({ message }))
}

const writeLines = Effect.fnUntraced(function* (
  { lines }: StatementsService,
  { options, period, form, output }: Writing,
  {
    accountId,
    statement,
  }: { readonly accountId: string; readonly statement: CollaboratorStatement },
) {
  const { collaborator } = statement
  for (let after: LinePlace | undefined; ; ) {
    const read = lines(accountId, collaborator.id, { period, after })
    const page = yield* Effect.mapError(read, failed(options))
    output.add(form.lines(accountId, statement, page.lines))
    yield* flush(output)
    if (page.next === null) return
    after = page.next
  }
})

const writeSheet = Effect.fnUntraced(function* (
  statements: StatementsService,
  writing: Writing,
  of: { readonly accountId: string; readonly statement: CollaboratorStatement },
) {
  const { form, output } = writing
  output.add(form.before(of.accountId, of.statement))
  if (form.hasLines) yield* writeLines(statements, writing, of)
  output.add(form.after(of.statement))
  yield* flush(output)
})

/** Writes a statement into its own file. */
const writeFile = (
  statements: StatementsService,
  writing: Writing,
  folder: StatementFolder,
  of: { readonly accountId: string; readonly statement: CollaboratorStatement },
) =>
  Effect.acquireUseRelease(
    onDisk(() => folder.open(of.accountId, of.statement)),
    ({ output }) =>
      Effect.gen(function* () {
        const { options, period } = writing
        const form = formOf(options.format, { ...options, period })
        output.add(form.head)
        yield* writeSheet(statements, { ...writing, form, output }, of)
        output.add(form.tail())
        yield* onDisk(() => output.flush())
      }),
    ({ handle }) => Effect.promise(() => handle.close()),
  )

/** Writes a statement in one transaction, so that its figures and lines are consistent. */
const writeOne = (
  { statements, unit }: StatementReaders,
  writing: Writing,
  { accountId, id }: { readonly accountId: string; readonly id: string },
) => {
  const { options, period, folder } = writing
  const told = Effect.gen(function* () {
    const read = statements.of(accountId, id, period)
    const statement = yield* Effect.mapError(read, failed(options))
    yield* requireSum(accountId, statement)
    const of = { accountId, statement }
    if (folder === undefined) yield* writeSheet(statements, writing, of)
    else if (statement.statements.length > 0) yield* writeFile(statements, writing, folder, of)
  })
  const fail = (error: StorageError) => Effect.fail(failed(options)(error))
  return Effect.catchTags(unit.read(accountId, told), { StorageFailure: fail, Conflict: fail })
}

/** How many collaborators one page has. */
const batchSize = 500

const idsFrom = Effect.fnUntraced(function* (
  { options }: Writing,
  accountId: string,
  offset: number,
) {
  const storage = yield* Storage
  const slice = { offset, limit: batchSize }
  const found = storage.transaction(accountId, ({ collaborators }) => collaborators.list(slice), {
    mode: "read",
  })
  const { entries } = yield* Effect.mapError(found, failed(options))
  return entries.map(({ collaborator }) => collaborator.id)
})

const writeAccount = Effect.fnUntraced(function* (
  reading: StatementReaders,
  writing: Writing,
  accountId: string,
) {
  const { collaborator } = writing.options
  let count = 0
  for (let offset = 0; ; offset += batchSize) {
    const ids = yield* idsFrom(writing, accountId, offset)
    for (const id of ids) {
      if (collaborator !== undefined && id !== collaborator) continue
      yield* writeOne(reading, writing, { accountId, id })
      count += 1
    }
    if (ids.length < batchSize) return count
  }
})

const accountsOf = Effect.fnUntraced(function* (options: DatabaseStatementOptions) {
  const { account, place } = options
  const storage = yield* Storage
  const all = yield* Effect.mapError(storage.accounts, failed(options))
  if (account === undefined) return all
  if (all.includes(account)) return [account]
  const message = `--account: ${Database.nameOf(place)} has nothing of an account "${account}"`
  return yield* new ExitCode.UnusableInput({ message })
})

const writeAll = Effect.fnUntraced(function* (writing: Writing) {
  const { options, form, output, folder } = writing
  const reading = { statements: yield* Statements, unit: yield* UnitOfWork }
  const accounts = yield* accountsOf(options)
  if (folder === undefined) output.add(form.head)
  let count = 0
  for (const accountId of accounts) count += yield* writeAccount(reading, writing, accountId)
  const { collaborator } = options
  if (count === 0 && collaborator !== undefined) {
    const message = `--collaborator: there is no collaborator "${collaborator}"`
    return yield* new ExitCode.UnusableInput({ message })
  }
  if (folder === undefined) output.add(form.tail())
  else {
    yield* onDisk(() => folder.finish(options.issuer))
    const counted = folder.count === 1 ? "1 statement" : `${folder.count} statements`
    output.add(`${folder.totals.tail()}${printable(`${counted} in ${folder.path}`)}\n`)
  }
  yield* Effect.tryPromise({ try: () => output.flush(), catch: ExitCode.stopped })
  return count
})

/** Runs the command, and answers the exit code. */
export const run = async (
  { io, note }: Session,
  options: DatabaseStatementOptions,
): Promise<number> => {
  const period = periodOf(options)
  const { outputDir, format } = options
  const totals = formOf("table", { ...options, period })
  const folder =
    outputDir === undefined ? undefined : new StatementFolder(outputDir, { format, totals })
  await folder?.prepare()
  const writing = {
    options,
    period,
    folder,
    form: formOf(options.format, { ...options, period }),
    output: new Output(io.stdout),
  }
  const storage = Layer.effect(
    Storage,
    Effect.mapError(SqlStorage.make(), Database.schemaFailure(options.place)),
  )
  const services = Layer.provideMerge(Layer.merge(Statements.layer, UnitOfWork.layer), storage)
  await Database.use(
    options.place,
    { create: false, note: (message) => note(`apportion: ${message}`) },
    Effect.provide(writeAll(writing), services),
  )
  return ExitCode.success
}
