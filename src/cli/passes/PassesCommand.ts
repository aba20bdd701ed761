/** `apportion passes`: links with which collaborators read what they may see. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { inSnakeCase } from "../../internal/names.js"
import type { Language } from "../../languages/Language.js"
import { date } from "../../orders/Words.js"
import { Storage } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { Actor } from "../../service/Actor.js"
import { type InvalidPass, type Pass, Passes } from "../../service/Passes.js"
import type { NotFound } from "../../service/ServiceError.js"
import * as SqlStorage from "../../sql/SqlStorage.js"
import * as Database from "../data/Database.js"
import type { Kept } from "../data/DatabaseOptions.js"
import * as ExitCode from "../ExitCode.js"
import * as Table from "../output/Table.js"
import type { Session } from "../Session.js"

/** The options of every command on passes. */
export interface PassesOptions {
  readonly place: Kept
  readonly account: string
  readonly collaborator: string
  readonly format: "table" | "json"
}

/** Runs work with the passes of a place, in the name of the user of the command. */
const work = <A>(
  session: Session,
  { place }: PassesOptions,
  task: Effect.Effect<A, InvalidPass | NotFound | StorageError, Passes>,
): Promise<A> => {
  const storage = Layer.effect(
    Storage,
    Effect.mapError(SqlStorage.make(), Database.schemaFailure(place)),
  )
  const passes = Layer.provide(Passes.layer, [SecureRandom.layerWebCrypto, storage])
  return Database.use(
    place,
    { create: false, note: (message) => session.note(`apportion: ${message}`) },
    task.pipe(
      Effect.mapError(Database.stopped(place)),
      Effect.provideService(Actor, "command line"),
      // The command prints its result, so nothing is logged.
      Effect.provide(Layer.provideMerge(passes, Logger.layer([]))),
    ),
  )
}

const timeText = (at: number | null): string => (at === null ? "" : date(at).replace(".000Z", "Z"))

const print = (
  { io }: Session,
  { format }: PassesOptions,
  { data, text }: { readonly data: unknown; readonly text: string },
): Promise<void> =>
  io.stdout.write(format === "json" ? `${JSON.stringify(inSnakeCase(data), null, 2)}\n` : text)

/** `apportion passes create` */
export const create = async (
  session: Session,
  options: PassesOptions & {
    readonly expiresAt: number | undefined
    readonly language: Language
    /** Where the page is, such as `https://shop.example/`. */
    readonly url: string
  },
): Promise<number> => {
  const { account, collaborator, expiresAt, language, url } = options
  const pass = await work(
    session,
    options,
    Effect.flatMap(Passes, (passes) =>
      passes.create(account, collaborator, { expiresAt, language }),
    ),
  )
  const link = `${url.replace(/\/$/, "")}/statement/#${pass.token}`
  await print(session, options, {
    data: { ...pass, link },
    text: `${link}\n`,
  })
  session.note(
    `apportion: pass ${pass.id} is in force until ${timeText(pass.expiresAt)}; who has the link sees what ${collaborator} may see, and it is shown only now`,
  )
  return ExitCode.success
}

const table = (passes: ReadonlyArray<Pass>): string =>
  passes.length === 0
    ? "no passes\n"
    : Table.table(
        ["pass", "language", "created", "by", "expires", "revoked", "by"].map((title) => ({
          title,
        })),
        passes.map((pass) => [
          ...[pass.id, pass.language, timeText(pass.createdAt), pass.createdBy],
          ...[timeText(pass.expiresAt), timeText(pass.revokedAt), pass.revokedBy ?? ""],
        ]),
      )

/** `apportion passes list` */
export const list = async (session: Session, options: PassesOptions): Promise<number> => {
  const { account, collaborator } = options
  const passes = await work(
    session,
    options,
    Effect.flatMap(Passes, (service) => service.list(account, collaborator)),
  )
  await print(session, options, { data: passes, text: table(passes) })
  return ExitCode.success
}

/** `apportion passes revoke` */
export const revoke = async (
  session: Session,
  options: PassesOptions & { readonly pass: string },
): Promise<number> => {
  const { account, collaborator, pass: id } = options
  const pass = await work(
    session,
    options,
    Effect.flatMap(Passes, (service) => service.revoke(account, collaborator, id)),
  )
  await print(session, options, { data: pass, text: table([pass]) })
  return ExitCode.success
}
