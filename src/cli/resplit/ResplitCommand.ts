/** `apportion resplit`: previews how other rules would change stored sales, and books the change. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { ExchangeRates } from "../../ports/ExchangeRates.js"
import type { ResplitRequest, ResplitRun } from "../../ports/ResplitStore.js"
import { Storage } from "../../ports/Storage.js"
import { Actor } from "../../service/Actor.js"
import { type ResplitPreview, Resplits, type ResplitsService } from "../../service/Resplits.js"
import { settingsLayer } from "../../service/Settings.js"
import * as SqlStorage from "../../sql/SqlStorage.js"
import type { PolicyFile } from "../../wire/Policy.js"
import * as Database from "../data/Database.js"
import type { Kept } from "../data/DatabaseOptions.js"
import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../Flags.js"
import * as Days from "../input/Days.js"
import * as Rates from "../input/Rates.js"
import * as Rules from "../input/Rules.js"
import type { Source } from "../input/Sources.js"
import type { Session } from "../Session.js"
import { bookingOf, previewOf } from "./ResplitView.js"

/** What the command works on. */
export interface ResplitOptions {
  readonly place: Kept
  readonly account: string
  readonly groups: Source | undefined
  readonly policy: Source | undefined
  readonly rates: Source | undefined
  readonly from: string | undefined
  readonly until: string | undefined
  readonly collaborator: string | undefined
  readonly product: string | undefined
  readonly orders: ReadonlyArray<string>
  readonly completes: boolean
  readonly biggest: string
  /** The digest of the preview that is approved. */
  readonly book: string | undefined
  readonly run: string | undefined
  readonly reason: string | undefined
  readonly format: "table" | "json"
}

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

const largestBiggest = 1_000

const biggestOf = ({ biggest }: ResplitOptions): number => {
  const problem = wholeProblem(biggest, { flag: "biggest", least: 0, most: largestBiggest })
  return problem === undefined ? Number(biggest) : refuse(problem)
}

/** The selection of sales that the flags describe. */
const salesOf = (options: ResplitOptions, { timeZone }: PolicyFile): ResplitRequest => {
  const { from, until, collaborator, product, orders, completes } = options
  const { from: first, until: end } = Days.periodOf({ from, until }, timeZone)
  return {
    sales: { collaboratorId: collaborator, productId: product },
    sold: { from: first, to: end === undefined ? undefined : end - 1 },
    ...(orders.length === 0 ? {} : { orderIds: orders }),
    completes,
  }
}

/** The services over a place. */
const services = (place: Kept, policy: PolicyFile, rateAt: Rates.RateAt | undefined) => {
  const storage = Layer.effect(
    Storage,
    Effect.mapError(SqlStorage.make(), Database.schemaFailure(place)),
  )
  const rates =
    rateAt === undefined
      ? ExchangeRates.none
      : Layer.succeed(ExchangeRates)({
          rate: ({ from, to, at }) => Effect.succeed(rateAt(from, to, at)),
        })
  const settings = Layer.orDie(settingsLayer(policy))
  return Resplits.layer.pipe(
    Layer.provide([rates, SecureRandom.layerWebCrypto, settings]),
    Layer.provideMerge(storage),
    // The command prints its result, so sales are not logged one by one.
    Layer.provideMerge(Logger.layer([])),
  )
}

/** The names of collaborators. */
const namesOf = Effect.fnUntraced(function* (
  account: string,
  { totals }: Pick<ResplitPreview, "totals">,
) {
  const storage = yield* Storage
  const ids = new Set(totals.flatMap(({ collaboratorId }) => collaboratorId ?? []))
  const found = yield* storage.transaction(
    account,
    ({ collaborators }) => collaborators.find([...ids]),
    { mode: "read" },
  )
  return new Map(found.map(({ collaborator: { id, account: known } }) => [id, known.name || id]))
})

/** Books the approved change; a run that was booked before returns its recorded result. */
const bookRun = Effect.fnUntraced(function* (
  resplits: ResplitsService,
  options: ResplitOptions,
  request: ResplitRequest,
  digest: string,
): Effect.fn.Return<ResplitRun, { readonly message: string }> {
  const { account, run = `resplit-${digest.slice(0, 16)}`, reason } = options
  const known = yield* Effect.catchTag(resplits.get(account, run), "NotFound", () =>
    Effect.succeed(undefined),
  )
  if (known === undefined) {
    const now = yield* resplits.preview(account, request, { biggest: 0 })
    if (now.digest !== digest) {
      const message = `--book: nothing was booked, as what would change now has the digest ${now.digest} and not ${digest}: look at it again without --book`
      return yield* new ExitCode.Unavailable({ message })
    }
    yield* resplits.propose(account, { ...request, id: run, reason })
  }
  yield* resplits.approve(account, run, { digest })
  return yield* resplits.book(account, run)
})

const readInputs = async (options: ResplitOptions, { note }: Session) => {
  const policy = await Rules.readPolicy(options.policy, note, { carries: true })
  const rates = await Rates.read(options.rates, { timeZone: policy.timeZone, note })
  const groups = options.groups && (await Rules.readGroups(options.groups, note))
  // Without the flag, the account's policy counts.
  const given = options.policy === undefined ? {} : { policy: policy.policy }
  const request = { ...salesOf(options, policy), ...given }
  return {
    ...{ policy, rates },
    request: groups === undefined ? request : { ...request, groups: groups.rules.groups },
  }
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: ResplitOptions): Promise<number> => {
  const { note, io } = session
  const biggest = biggestOf(options)
  const { policy, rates, request } = await readInputs(options, session)
  const { account, place, book } = options
  const work = Effect.gen(function* () {
    const resplits = yield* Resplits
    if (book !== undefined) {
      return bookingOf(yield* bookRun(resplits, options, request, book), options)
    }
    const preview = yield* resplits.preview(account, request, { biggest })
    return previewOf(preview, yield* namesOf(account, preview), options)
  }).pipe(
    Effect.mapError(Database.failed(place)),
    Effect.provideService(Actor, "command line"),
    Effect.provide(services(place, policy, rates)),
  )
  const opening = { create: false, note: (message: string) => note(`apportion: ${message}`) }
  await io.stdout.write(await Database.use(place, opening, work))
  return ExitCode.success
}
