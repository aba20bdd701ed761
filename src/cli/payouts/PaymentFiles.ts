/**
 * Files of payments. A payment is noted as sent before its file is there, and a file that was cut off is finished by the
 * same command: no payment is in two files, and none that is noted as sent in no file for long.
 */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { open, readFile, rename } from "node:fs/promises"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { objectOf, read, type Shape, seconds, text } from "../../internal/fields.js"
import { snakeCase } from "../../internal/names.js"
import type { Problem } from "../../Problem.js"
import type { StoredPayment } from "../../ports/PaymentStore.js"
import type { Instruction } from "../../rails/Instruction.js"
import { type PaymentFailure, Payments, type PaymentsService } from "../../service/Payments.js"
import * as ExitCode from "../ExitCode.js"
import type { FileRail, SentFile } from "./FileRail.js"

/** Where a file comes from and goes to. */
export interface FileOptions {
  readonly accountId: string
  readonly rail: FileRail
  /** What the rail needs to know, as the file of that name has it. */
  readonly settings: { readonly name: string; readonly value: unknown }
  /** What each receiver reads. */
  readonly reference: string
  /** Only payments in this currency; in all when absent. */
  readonly currency: string | undefined
  /** The day on which it is to be paid, as 2026-12-01. */
  readonly payOn: string
  /** The path of the file. */
  readonly to: string
  /** The id of a file that was made before and is to be written once more. */
  readonly again: string | undefined
}

/** A file that was made. */
export interface MadeFile {
  readonly id: string
  readonly payments: ReadonlyArray<StoredPayment>
}

/**
 * What is known of a file before it is there. It lies where the file is made; then the file takes its place, and then
 * gets its name, so that there is never a plan of a file that was given out.
 */
interface Plan {
  readonly id: string
  readonly rail: string
  readonly account: string
  /** Unix seconds. */
  readonly createdAt: number
  readonly payOn: string
}

const planShape: Shape<Plan> = {
  id: text,
  rail: text,
  account: text,
  createdAt: seconds,
  payOn: text,
}

const unfinishedPath = (to: string): string => `${to}.unfinished`

/** No payment file begins like that. */
const planMark = "plan of a payment file: "

const atATime = 1_000

/** Every payment of a rail with a status, as one list: a file has them all. */
export const paymentsOf = Effect.fnUntraced(function* (
  payments: PaymentsService,
  { accountId, rail }: { readonly accountId: string; readonly rail: string },
  status: StoredPayment["status"],
) {
  const found: Array<StoredPayment> = []
  for (let after: StoredPayment | undefined; ; ) {
    const part = yield* payments.list(accountId, { status, after, limit: atATime })
    found.push(...part.filter((payment) => payment.rail === rail))
    after = part.at(-1)
    if (after === undefined || part.length < atATime) return found
  }
})

/** What is paid, as a rail is told it; `{payout}` in the reference is the payout's id. */
const instructionOf =
  (reference: string) =>
  ({ id, payoutId, amount, currency, collaboratorId }: StoredPayment): Instruction => ({
    ...{ key: id, amount, currency, collaboratorId },
    reference: reference.replaceAll("{payout}", payoutId),
  })

/** Payments stand in a file by their keys. */
const byKey = (one: Instruction, other: Instruction): number => (one.key < other.key ? -1 : 1)

/** The id of a file is of what is in it, so that the same payments make the same file. */
const idOf = (payments: ReadonlyArray<StoredPayment>): string => {
  const keys = payments.map(({ id }) => id).sort()
  return createHash("sha256").update(JSON.stringify(keys)).digest("hex").slice(0, 32)
}

/** Problems of an input, each on its line. */
export const linesOf = (name: string, problems: ReadonlyArray<Problem>): string =>
  problems.map(({ path, message }) => `${name}: ${snakeCase(path)}: ${message}`).join("\n")

const unusable = (message: string) => new ExitCode.UnusableInput({ message })

/** The text of a file, or everything that is wrong with the settings for it. */
const textOf = (
  { rail, settings, reference }: FileOptions,
  { id, createdAt, payOn }: Plan,
  payments: ReadonlyArray<StoredPayment>,
): Effect.Effect<string, ExitCode.UnusableInput> => {
  const instructions = payments.map(instructionOf(reference)).sort(byKey)
  const file = { id, createdAt, payOn, instructions }
  return Effect.mapError(Effect.fromResult(rail.write(settings.value, file)), (problems) =>
    unusable(linesOf(settings.name, problems)),
  )
}

// Files on the disk. What is written is there after a power cut, whole or not at all.

const onDisk = <A>(
  path: string,
  work: () => Promise<A>,
): Effect.Effect<A, ExitCode.UnusableInput> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) =>
      unusable(`${path}: could not be written (${cause instanceof Error ? cause.message : cause})`),
  })

const writeWhole = async (path: string, content: string): Promise<void> => {
  const draft = `${path}.draft`
  const file = await open(draft, "w", 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

/** What lies where a file is made: the plan of it, or all of it; `undefined`: nothing. */
const unfinished = ({ to, rail, accountId }: FileOptions) =>
  Effect.gen(function* (): Effect.fn.Return<Plan | "whole" | undefined, ExitCode.UnusableInput> {
    const path = unfinishedPath(to)
    if (!existsSync(path)) return undefined
    const content = yield* onDisk(path, () => readFile(path, "utf8"))
    if (!content.startsWith(planMark)) return "whole"
    const plan = read(JSON.parse(content.slice(planMark.length)), objectOf(planShape))
    if (Result.isFailure(plan)) return yield* unusable(linesOf(path, plan.failure))
    const { success } = plan
    if (success.rail === rail.name && success.account === accountId) return success
    return yield* unusable(
      `${path}: is of rail ${success.rail} and account ${success.account}: finish it with these, or choose another --to`,
    )
  })

/** What is claimed, and goes into a file that has room for so many; what has none goes into the next one. */
const claimedFor = (
  payments: PaymentsService,
  { accountId, rail, currency }: FileOptions,
  room: number,
) =>
  Effect.map(paymentsOf(payments, { accountId, rail: rail.name }, "claimed"), (claimed) =>
    claimed
      .filter((payment) => currency === undefined || payment.currency === currency)
      .slice(0, room),
  )

/** Plans a file of all that is claimed; `undefined`: nothing is. */
const planned = Effect.fnUntraced(function* (payments: PaymentsService, options: FileOptions) {
  const { accountId, rail, payOn, to } = options
  const claimed = yield* claimedFor(payments, options, rail.most)
  if (claimed.length === 0) return undefined
  const createdAt = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const plan = { id: idOf(claimed), rail: rail.name, account: accountId, createdAt, payOn }
  // What can't be written is known before anything is noted as sent.
  yield* textOf(options, plan, claimed)
  const path = unfinishedPath(to)
  yield* onDisk(path, () => writeWhole(path, planMark + JSON.stringify(plan)))
  return plan
})

/** What is in a file by now. */
const inFile = (payments: PaymentsService, { accountId, rail }: FileOptions, id: string) =>
  Effect.map(paymentsOf(payments, { accountId, rail: rail.name }, "sent"), (sent) =>
    sent.filter(({ reference }) => reference === id),
  )

/** Notes as sent what is claimed and goes into a file. What somebody has taken in between is not in it. */
const noteSent = Effect.fnUntraced(function* (
  payments: PaymentsService,
  options: FileOptions,
  { id }: Plan,
) {
  const known = yield* inFile(payments, options, id)
  for (const payment of yield* claimedFor(payments, options, options.rail.most - known.length)) {
    yield* Effect.catchTag(
      payments.noteSent(options.accountId, payment.id, id),
      "InvalidPaymentTransition",
      () => Effect.void,
    )
  }
})

const failed = (error: PaymentFailure): ExitCode.Stopped =>
  error._tag === "StorageFailure" || error._tag === "Conflict"
    ? new ExitCode.Unavailable({ message: error.message })
    : unusable(error.message)

/** The plan of what is to be written: once more, what was cut off, or anew. */
const planOf = Effect.fnUntraced(function* (payments: PaymentsService, options: FileOptions) {
  const { again: id, rail, accountId: account, payOn } = options
  const known = yield* unfinished(options)
  if (id === undefined) return known ?? (yield* planned(payments, options))
  const path = unfinishedPath(options.to)
  if (known !== undefined)
    return yield* unusable(`${path}: is to be finished first, without --again`)
  const createdAt = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  return { id, rail: rail.name, account, createdAt, payOn } satisfies Plan
})

/**
 * Writes a file of what is claimed for a rail; `undefined`: nothing is. Or writes a file once more, with what was in it
 * and is not answered.
 */
export const write = Effect.fnUntraced(
  function* (options: FileOptions) {
    const payments = yield* Payments
    const { to, again } = options
    const path = unfinishedPath(to)
    if (existsSync(to)) return yield* unusable(`--to: ${to} is there already`)
    const plan = yield* planOf(payments, options)
    if (plan === undefined) return undefined
    if (plan === "whole") {
      yield* onDisk(to, () => rename(path, to))
      return "finished"
    }
    if (again === undefined) yield* noteSent(payments, options, plan)
    const sent = yield* inFile(payments, options, plan.id)
    if (sent.length === 0) return yield* unusable(`no payment is in file ${plan.id} any more`)
    const content = yield* textOf(options, plan, sent)
    yield* onDisk(path, () => writeWhole(path, content))
    yield* onDisk(to, () => rename(path, to))
    return { id: plan.id, payments: sent } satisfies MadeFile
  },
  Effect.mapError((error) => (ExitCode.isStopped(error) ? error : failed(error))),
)

/** What was sent over a rail, by the file in which it was, in the order in which it stands there. */
export const sentFiles = Effect.fnUntraced(function* (
  payments: PaymentsService,
  of: { readonly accountId: string; readonly rail: string },
  reference: string,
) {
  const files = new Map<string, Array<Instruction>>()
  const rejected = new Set<string>()
  for (const status of ["sent", "unknown", "confirmed", "rejected", "returned"] as const) {
    for (const payment of yield* paymentsOf(payments, of, status)) {
      const id = payment.reference ?? ""
      if (status === "rejected") rejected.add(payment.id)
      const file = files.get(id) ?? []
      file.push(instructionOf(reference)(payment))
      files.set(id, file)
    }
  }
  return [...files].map(
    ([id, transfers]): SentFile => ({
      ...{ id, transfers: transfers.sort(byKey) },
      rejected: transfers.map(({ key }) => key).filter((key) => rejected.has(key)),
    }),
  )
})
