/**
 * Files of payments. A payment is noted as sent before its file exists, and repeating the command finishes a file after
 * an interruption. So no payment is in two files, and each payment that is noted as sent gets into a file.
 */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { link, open, readFile, rename, unlink } from "node:fs/promises"
import { dirname } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { objectOf, read, type Shape, seconds, text } from "../../internal/fields.js"
import type { Problem } from "../../Problem.js"
import type { StoredPayment } from "../../ports/PaymentStore.js"
import type { Instruction } from "../../rails/Instruction.js"
import { type PaymentFailure, Payments, type PaymentsService } from "../../service/Payments.js"
import * as ExitCode from "../ExitCode.js"
import type { FileRail, SentFile } from "./FileRail.js"

/** The content and the path of a file. */
export interface FileOptions {
  readonly accountId: string
  readonly rail: FileRail
  /** The rail's settings, with the name of their file. */
  readonly settings: { readonly name: string; readonly value: unknown }
  /** The text that each receiver reads. */
  readonly reference: string
  /** Only payments in this currency; in all currencies when absent. */
  readonly currency: string | undefined
  /** The day on which it is to be paid, as 2026-12-01. */
  readonly payOn: string
  /** The path of the file. */
  readonly to: string
  /** The id of an earlier file that is written again. */
  readonly again: string | undefined
}

/** A written file. */
export interface MadeFile {
  readonly id: string
  readonly payments: ReadonlyArray<StoredPayment>
}

/**
 * The properties of a file before it is written. The plan is stored at the temporary path of the file; the file
 * replaces the plan there, and then gets its final name. So no plan remains once the file can be given to a bank.
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

/** All payments of a rail with a status, from all pages. */
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

/** The instruction for a payment; `{payout}` in the reference is replaced by the payout's id. */
const instructionOf =
  (reference: string) =>
  ({ id, payoutId, amount, currency, collaboratorId }: StoredPayment): Instruction => ({
    ...{ key: id, amount, currency, collaboratorId },
    reference: reference.replaceAll("{payout}", payoutId),
  })

/** Sorts the payments of a file by their keys. */
const byKey = (one: Instruction, other: Instruction): number => (one.key < other.key ? -1 : 1)

/** A random id of a file, so that two runs can't note payments for the same file. */
const newId = (): string => randomBytes(16).toString("hex")

/** Problems of an input, one per line. */
export const linesOf = (name: string, problems: ReadonlyArray<Problem>): string => {
  const lines = problems.map(({ path, message }) => {
    if (path.startsWith("--")) return `${path}: ${message}`
    return path === "" ? `${name}: ${message}` : `${name}: ${path}: ${message}`
  })
  return [...new Set(lines)].join("\n")
}

const unusable = (message: string) => new ExitCode.UnusableInput({ message })

/** The text of a file, or all problems of its settings. */
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

// Files on the disk. After a power cut, a file exists completely or not at all.

const onDisk = <A>(
  path: string,
  work: () => Promise<A>,
): Effect.Effect<A, ExitCode.UnusableInput> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) =>
      unusable(`${path}: could not be written (${cause instanceof Error ? cause.message : cause})`),
  })

/** Syncs a folder, so that names in it survive a power cut; some systems can't sync folders and don't need it. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(dirname(path), "r").catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** Writes a whole file under a temporary name, and then gives it a name. */
const writeWhole = async (
  path: string,
  content: string,
  take: (draft: string, path: string) => Promise<void>,
): Promise<void> => {
  const draft = `${path}.${newId()}.draft`
  try {
    const file = await open(draft, "wx", 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await take(draft, path)
  } catch (error) {
    await unlink(draft).catch(() => undefined)
    throw error
  }
  await syncFolder(path)
}

/** Gives a file a name that must be free: of two processes that want it, only one gets it. */
const takeFree = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
  } catch (error) {
    const isTaken = error instanceof Error && Reflect.get(error, "code") === "EEXIST"
    if (isTaken || existsSync(to)) throw error
    // Some file systems have no hard links.
    return rename(from, to)
  }
  await unlink(from)
}

/** Renames in one step: a second name that stayed behind would look like an unfinished file. */
const giveName = (from: string, to: string) =>
  existsSync(to)
    ? unusable(
        `--to: ${to} is there already: ${from} has the payments, repeat the command with it moved away`,
      )
    : onDisk(to, async () => {
        await rename(from, to)
        await syncFolder(to)
      })

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The content of the temporary path: the plan or the whole file; `undefined` when it does not exist. */
const unfinished = ({ to, rail, accountId }: FileOptions) =>
  Effect.gen(function* (): Effect.fn.Return<Plan | "whole" | undefined, ExitCode.UnusableInput> {
    const path = unfinishedPath(to)
    if (!existsSync(path)) return undefined
    const content = yield* onDisk(path, () => readFile(path, "utf8"))
    if (content === "")
      return yield* unusable(`${path}: is empty: remove it, and repeat the command`)
    if (!content.startsWith(planMark)) return "whole"
    const plan = read(jsonOf(content.slice(planMark.length)), objectOf(planShape))
    if (Result.isFailure(plan)) return yield* unusable(linesOf(path, plan.failure))
    const { success } = plan
    if (success.rail === rail.name && success.account === accountId) return success
    return yield* unusable(
      `${path}: is of rail ${success.rail} and account ${success.account}: finish it with these, or choose another --to`,
    )
  })

/** The claimed payments for a file with room for some more; the others go into the next file. */
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

/** The payments that are noted as sent in a file. */
const inFile = (payments: PaymentsService, { accountId, rail }: FileOptions, id: string) =>
  Effect.map(paymentsOf(payments, { accountId, rail: rail.name }, "sent"), (sent) =>
    sent.filter(({ reference }) => reference === id),
  )

/** Notes payments as sent in a file. A payment that another process has taken meanwhile is left out. */
const noteSent = (
  payments: PaymentsService,
  { accountId }: FileOptions,
  { id }: Plan,
  claimed: ReadonlyArray<StoredPayment>,
) =>
  Effect.forEach(
    claimed,
    (payment) =>
      Effect.catchTag(
        payments.noteSent(accountId, payment.id, id),
        "InvalidPaymentTransition",
        () => Effect.void,
      ),
    { discard: true },
  )

const failed = (error: PaymentFailure): ExitCode.Stopped =>
  error._tag === "StorageFailure" || error._tag === "Conflict"
    ? new ExitCode.Unavailable({ message: error.message })
    : unusable(error.message)

const newPlan = ({ again, rail, accountId: account, payOn }: FileOptions) =>
  Effect.map(Clock.currentTimeMillis, (millis): Plan => {
    const createdAt = Math.floor(millis / 1_000)
    return { id: again ?? newId(), rail: rail.name, account, createdAt, payOn }
  })

/**
 * Notes further payments for a file, and returns all of its payments. Payments that can't be written are found before
 * any payment is noted. Payments that are claimed meanwhile wait for the next file.
 */
const fill = Effect.fnUntraced(function* (
  payments: PaymentsService,
  options: FileOptions,
  { plan, isNew }: { readonly plan: Plan; readonly isNew: boolean },
) {
  const path = unfinishedPath(options.to)
  const inside = yield* inFile(payments, options, plan.id)
  const room = options.rail.most - inside.length
  const more = options.again === undefined ? yield* claimedFor(payments, options, room) : []
  const wanted = [...inside, ...more]
  if (wanted.length === 0) return wanted
  yield* textOf(options, plan, wanted)
  if (isNew) {
    yield* onDisk(path, () => writeWhole(path, planMark + JSON.stringify(plan), takeFree))
  }
  yield* noteSent(payments, options, plan, more)
  return yield* inFile(payments, options, plan.id)
})

/**
 * Writes a file of the payments that are claimed for a rail; `undefined`: none is. Or writes an earlier file again,
 * with those of its payments that have no answer yet.
 */
export const write = Effect.fnUntraced(
  function* (options: FileOptions) {
    const payments = yield* Payments
    const { to, again } = options
    const path = unfinishedPath(to)
    if (existsSync(to)) return yield* unusable(`--to: ${to} is there already`)
    const known = yield* unfinished(options)
    if (known !== undefined && again !== undefined) {
      return yield* unusable(`${path}: is to be finished first, without --again`)
    }
    if (known === "whole") {
      yield* giveName(path, to)
      return "finished"
    }
    const plan = known ?? (yield* newPlan(options))
    const isNew = known === undefined && again === undefined
    const sent = yield* fill(payments, options, { plan, isNew })
    if (sent.length === 0) {
      if (again !== undefined) return yield* unusable(`no payment is in file ${again} any more`)
      // Other processes have taken all payments into their files.
      yield* onDisk(path, () => unlink(path).catch(() => undefined))
      return undefined
    }
    const content = yield* textOf(options, plan, sent)
    yield* onDisk(path, () => writeWhole(path, content, rename))
    yield* giveName(path, to)
    return { id: plan.id, payments: sent } satisfies MadeFile
  },
  Effect.mapError((error) => (ExitCode.isStopped(error) ? error : failed(error))),
)

/** The payments that were sent over a rail, by file, in the order of the file. */
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
