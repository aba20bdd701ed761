/**
 * Files of payments. A payment is noted as sent before its file is there, and a file that was cut off is finished by the
 * same command: no payment is in two files, and none that is noted as sent in no file for long.
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

/** The id of a file is its own: no two runs have the same, so that no payment is noted for the files of both. */
const newId = (): string => randomBytes(16).toString("hex")

/** Problems of an input, each on its line. */
export const linesOf = (name: string, problems: ReadonlyArray<Problem>): string => {
  const lines = problems.map(({ path, message }) => {
    if (path.startsWith("--")) return `${path}: ${message}`
    return path === "" ? `${name}: ${message}` : `${name}: ${path}: ${message}`
  })
  return [...new Set(lines)].join("\n")
}

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

/** A name is there after a power cut once its folder is written; where a folder can't be, it comes there by itself. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(dirname(path), "r").catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** Writes all of a file beside its place, and gives it a name there. */
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

/** Gives a file a name that nothing has yet: of two that want it one gets it. */
const takeFree = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
  } catch (error) {
    const isTaken = error instanceof Error && Reflect.get(error, "code") === "EEXIST"
    if (isTaken || existsSync(to)) throw error
    // Some disks have no second names.
    return rename(from, to)
  }
  await unlink(from)
}

/** In one step: a second name that stayed behind would be taken for a file that was cut off. */
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

/** What lies where a file is made: the plan of it, or all of it; `undefined`: nothing. */
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

/** What is in a file by now. */
const inFile = (payments: PaymentsService, { accountId, rail }: FileOptions, id: string) =>
  Effect.map(paymentsOf(payments, { accountId, rail: rail.name }, "sent"), (sent) =>
    sent.filter(({ reference }) => reference === id),
  )

/** Notes payments as sent in a file. What somebody has taken in between is not in it. */
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
 * Notes what goes into a file beside what is in it, and gives all of it. What can't be written is known before anything
 * is noted, and what comes to be claimed meanwhile waits for the next file.
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
 * Writes a file of what is claimed for a rail; `undefined`: nothing is. Or writes a file once more, with what was in it
 * and is not answered.
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
      // Everything is in somebody else's file.
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
