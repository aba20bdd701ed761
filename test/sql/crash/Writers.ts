/**
 * Many writers at once on few payouts: each does one random thing after the other through the services, and
 * all that was asked and answered is noted.
 */
import type { StorageService } from "apportion/ports"
import { Actor, Payouts, type SettingsInput } from "apportion/service"
import { Cause, Clock, Effect, Exit, Logger, Option } from "effect"
import { Chance } from "../../generators/Chance.js"
import { acknowledgementProblems, agreementProblems } from "./Agreement.js"
import { bookProblems, readBooks } from "./Books.js"
import { type Board, chooseDeed, newBoard } from "./Choice.js"
import { type Deed, perform } from "./Deed.js"
import { type Run, replay } from "./Replay.js"
import { serialOrder } from "./SerialOrder.js"
import { openAccount, people, servicesOver, start, stillClock } from "./Shop.js"
import { CurrentRun, type Notes, watched } from "./WatchedStorage.js"

const day = 86_400
const millisOfDay = 100

/** With days that short a key would be over before it comes again; the model never forgets one. */
const keptForAYear: SettingsInput = { idempotencySeconds: 365 * day }

export interface WritersOptions {
  readonly storage: StorageService
  readonly accounts: ReadonlyArray<string>
  readonly writers: number
  /** How long at the least, in milliseconds, and how many deeds. */
  readonly millis: number
  readonly deeds: number
  readonly seed: number
  readonly settings?: SettingsInput
}

/** What came of it. */
export interface WritersReport {
  readonly problems: ReadonlyArray<string>
  readonly deeds: number
  readonly perSecond: number
  /** How often each kind of deed was done, and how each was refused. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly conflicts: number
  /** The most often that one deed met a conflict. */
  readonly mostConflicts: number
  readonly payouts: number
  readonly items: number
}

interface Play {
  readonly runs: Map<number, Run>
  readonly boards: ReadonlyArray<Board>
  readonly now: () => number
  readonly isOver: () => boolean
}

const lookAround = (board: Board) =>
  Effect.flatMap(Payouts, (payouts) =>
    Effect.map(payouts.list(board.accountId, {}, { page: 1, perPage: 9 }), ({ entries }) => {
      board.payouts = entries.map(({ payout }) => ({ id: payout.id, status: payout.status }))
    }),
  )

/** The tag of a failure; what nobody expected is a fault. */
const failureOf = (cause: Cause.Cause<{ readonly _tag: string }>): string =>
  Option.match(Cause.findErrorOption(cause), {
    onNone: () => `fault: ${Cause.pretty(cause)}`,
    onSome: ({ _tag }) => _tag,
  })

const doOne = (play: Play, board: Board, deed: Deed, live: Clock.Clock) =>
  Effect.gen(function* () {
    const number = play.runs.size + 1
    const { accountId } = board
    const at = play.now()
    const run: Run = { number, accountId, at, deed, outcome: undefined }
    play.runs.set(number, run)
    const exit = yield* perform(accountId, deed).pipe(
      Effect.exit,
      Effect.provideService(CurrentRun, number),
      // Each deed has a transaction of its own to be judged by: sales of one actor are recorded together.
      Effect.provideService(Actor, `run ${number}`),
      Effect.provideService(Clock.Clock, stillClock(at, live)),
    )
    run.outcome = Exit.isSuccess(exit)
      ? { answers: exit.value }
      : { failure: failureOf(exit.cause) }
  })

const write = (play: Play, chance: Chance, live: Clock.Clock) =>
  Effect.gen(function* () {
    for (let count = 0; !play.isOver(); count += 1) {
      const board = chance.pick(play.boards)
      if (board === undefined) return
      if (count % 8 === 0) yield* lookAround(board)
      yield* doOne(play, board, chooseDeed(chance, board), live)
    }
  })

const finalProblems = Effect.fnUntraced(function* (
  storage: StorageService,
  { kept, refused }: Notes,
  play: Play,
  accountId: string,
) {
  const runs = new Map([...play.runs].filter(([, run]) => run.accountId === accountId))
  const books = yield* readBooks(storage, accountId)
  const isOwn = (attempt: { readonly accountId: string; readonly run: number }) =>
    attempt.accountId === accountId && attempt.run > 0
  const { order, problems } = serialOrder(kept.filter(isOwn), refused.filter(isOwn))
  const broken = [...bookProblems(books), ...acknowledgementProblems(books, [...runs.values()])]
  if (problems.length + broken.length > 0) return { books, problems: [...problems, ...broken] }
  const { state, problems: wrong } = replay(runs, order, people)
  if (wrong.length > 0) return { books, problems: wrong }
  return { books, problems: agreementProblems(books, state) }
})

const isBad = (tag: string): boolean =>
  tag === "Conflict" || tag === "StorageFailure" || tag.startsWith("fault")

const runProblems = (runs: Iterable<Run>): ReadonlyArray<string> =>
  [...runs].flatMap(({ number, deed, outcome }) =>
    outcome === undefined || ("failure" in outcome && isBad(outcome.failure))
      ? [`run ${number} (${deed.kind}) ended with ${JSON.stringify(outcome)}`]
      : [],
  )

const tallyOf = (runs: Iterable<Run>): Record<string, number> => {
  const tally: Record<string, number> = {}
  for (const { deed, outcome } of runs) {
    const came = outcome !== undefined && "failure" in outcome ? outcome.failure : "done"
    const name = `${deed.kind}: ${came}`
    tally[name] = (tally[name] ?? 0) + 1
  }
  return tally
}

/** Opens the accounts, lets the writers write, and checks all that is left. */
export const runWriters = (options: WritersOptions): Effect.Effect<WritersReport, unknown> =>
  Effect.gen(function* () {
    const { accounts, writers, seed, millis, deeds } = options
    const { storage, notes } = watched(options.storage)
    const live = yield* Clock.Clock
    const boards = accounts.map(newBoard)
    const runs = new Map<number, Run>()
    const began = yield* Clock.currentTimeMillis
    const elapsed = () => live.currentTimeMillisUnsafe() - began
    // Days pass quickly, so that payouts come to an end all the time.
    const now = () => start + Math.floor((elapsed() * day) / millisOfDay)
    const isOver = () => elapsed() > millis && runs.size >= deeds
    const play: Play = { runs, boards, now, isOver }
    const work = Effect.gen(function* () {
      for (const { accountId } of boards) yield* openAccount(accountId)
      yield* Effect.forEach(
        Array.from({ length: writers }, (_, index) => new Chance(seed * 1_000 + index)),
        (chance) => write(play, chance, live),
        { concurrency: "unbounded", discard: true },
      )
    })
    yield* Effect.provide(work, servicesOver(storage, { ...keptForAYear, ...options.settings }))
    const seconds = elapsed() / 1_000
    const finals = yield* Effect.forEach(accounts, (accountId) =>
      finalProblems(options.storage, notes, play, accountId),
    )
    const conflicts = [...notes.conflicts.values()]
    return {
      problems: [...runProblems(runs.values()), ...finals.flatMap(({ problems }) => problems)],
      deeds: runs.size,
      perSecond: Math.round(runs.size / seconds),
      outcomes: tallyOf(runs.values()),
      conflicts: conflicts.reduce((sum, count) => sum + count, 0),
      mostConflicts: Math.max(0, ...conflicts),
      payouts: finals.reduce((sum, { books }) => sum + books.payouts.length, 0),
      items: finals.reduce(
        (sum, { books }) => sum + books.payouts.reduce((all, { items }) => all + items.length, 0),
        0,
      ),
    }
  }).pipe(Effect.provide(Logger.layer([])))
