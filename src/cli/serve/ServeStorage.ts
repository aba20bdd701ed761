/** The storage of `apportion serve`: in memory, in a folder or on a server. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryStorage from "../../memory/MemoryStorage.js"
import { Storage } from "../../ports/Storage.js"
import * as SqlStorage from "../../sql/SqlStorage.js"
import type { Store } from "../../wire/Store.js"
import * as Database from "../data/Database.js"
import type { Kept, StoragePlace } from "../data/DatabaseOptions.js"
import * as ExitCode from "../ExitCode.js"
import { accountId } from "./AccessTokens.js"
import * as ServeSeeding from "./ServeSeed.js"

/** What an account that has nothing yet begins with. */
export interface Seed {
  /** The name of its file. */
  readonly name: string
  readonly store: Store
}

/** How the storage is made. */
export interface StorageOptions {
  readonly place: StoragePlace
  /** Whether a server's schema is brought up to date too; that of a folder always is. */
  readonly migrate: boolean
  readonly seed: Seed | undefined
  readonly note: (message: string) => void
}

const memoryLayer = ({ seed }: StorageOptions): Layer.Layer<Storage> =>
  Layer.effect(
    Storage,
    Effect.tap(MemoryStorage.make, (storage) =>
      seed === undefined
        ? Effect.void
        : Effect.orDie(ServeSeeding.seed(storage, accountId, seed.store)),
    ),
  )

const putSeed = Effect.fnUntraced(function* (
  storage: Storage["Service"],
  name: string,
  { seed, note }: StorageOptions,
) {
  if (seed === undefined) return
  const isSeeded = yield* Effect.mapError(
    ServeSeeding.seed(storage, accountId, seed.store),
    ({ message }) => new ExitCode.Unavailable({ message: `${name}: ${message}` }),
  )
  const told = isSeeded
    ? `was empty and is filled from ${seed.name}`
    : `has data already, so ${seed.name} is not used`
  note(`apportion: ${name}: ${told}`)
})

const keptLayer = (
  place: Kept,
  options: StorageOptions,
): Layer.Layer<Storage, ExitCode.Stopped> => {
  const isFolder = place._tag === "Folder"
  const storage = Effect.gen(function* () {
    const made = yield* Effect.mapError(
      SqlStorage.make({ migrate: isFolder || options.migrate }),
      Database.schemaFailure(place, ", or start with --migrate"),
    )
    yield* putSeed(made, Database.nameOf(place), options)
    return made
  })
  const note = (message: string) => options.note(`apportion: ${message}`)
  return Layer.provide(
    Layer.effect(Storage, storage),
    Database.layer(place, { create: true, note }),
  )
}

/** The storage, open as long as the layer. */
export const layer = (options: StorageOptions): Layer.Layer<Storage, ExitCode.Stopped> =>
  options.place._tag === "Memory" ? memoryLayer(options) : keptLayer(options.place, options)
