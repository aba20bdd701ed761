import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as reader from "../../internal/reader.js"
import * as MemoryStorage from "../../memory/MemoryStorage.js"
import * as Payout from "../../payouts/Payout.js"
import { Storage, type StorageService, type Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import * as SqlStorage from "../../sql/SqlStorage.js"
import * as WireCollaborator from "../../wire/Collaborator.js"
import * as WireGroup from "../../wire/Group.js"
import * as WirePayout from "../../wire/Payout.js"
import type { Store, StoreGroup } from "../../wire/Store.js"
import * as WireStore from "../../wire/Store.js"
import * as Database from "../data/Database.js"
import type { Kept, StoragePlace } from "../data/DatabaseOptions.js"
import * as ExitCode from "../ExitCode.js"
import * as Input from "../input/Input.js"
import type { Note, Record } from "../input/Records.js"
import * as Problems from "../input/Records.js"
import { checkFields } from "../input/Records.js"
import type { Source } from "../input/Sources.js"
import { accountId } from "./AccessTokens.js"

// Reads the initial data of `apportion serve`.

/** The object at a path of the document, as a record; locations are found on demand. */
const recordAt = (document: Record, path: string, value: unknown): Record => ({
  _tag: "Record",
  path,
  value,
  get line() {
    return document.locate(path).line
  },
  locate: (field) => document.locate(`${path}.${field}`),
})

/** The objects in the list fields of this name, in all records. */
const within = (
  document: Record,
  records: ReadonlyArray<Record>,
  name: string,
): ReadonlyArray<Record> =>
  records.flatMap((record) => {
    const list = reader.isFields(record.value) ? record.value[name] : undefined
    const path = record.path === "" ? name : `${record.path}.${name}`
    return Array.isArray(list)
      ? list.map((value, index) => recordAt(document, `${path}[${index}]`, value))
      : []
  })

/** Refuses misspelt fields of collaborators, groups and payouts, and notes unknown ones. */
const checkDocument = (name: string, document: Record, note: Note): void => {
  const list = (key: string) => within(document, [document], key)
  const payouts = list("payouts")
  const kinds = [
    [list("collaborators"), WireCollaborator.fields],
    [list("groups"), WireGroup.fields],
    [payouts, WirePayout.fields],
    [within(document, payouts, "items"), WirePayout.itemFields],
  ] as const
  for (const [records, known] of kinds) checkFields(name, records, { known, note })
}

/** Reads a store. */
export const read = async (source: Source, note: Note): Promise<WireStore.Store> => {
  const document = await Input.readWhole(source)
  const store = WireStore.read(document.value)
  if (Result.isFailure(store)) {
    throw Problems.unusable(Problems.linesOf(source.name, document, store.failure.problems))
  }
  checkDocument(source.name, document, note)
  return store.success
}

// Writes a store into an empty account.

/** Stores a group. Its products are linked in the background, as for a new group. */
const putGroup = (
  { groups, links }: Stores,
  { group, updatedAt }: StoreGroup,
  now: number,
): Effect.Effect<void, StorageError> => {
  const createdAt = group.createdAt ?? now
  return Effect.flatMap(
    groups.insert({ group: { ...group, createdAt }, updatedAt: updatedAt ?? createdAt }),
    ({ version }) =>
      links.saveJob({
        ...{ groupId: group.id, groupVersion: version, after: null, scanned: 0 },
        ...{ status: "running", startedAt: now, updatedAt: now },
      }),
  )
}

/** How many payouts are written at a time. */
const atATime = 500

const newPayout = ({ items, ...standing }: Payout.Payout) => ({
  payout: {
    ...standing,
    total: Result.getOrThrow(Payout.total({ id: standing.id, items })),
    ...{ itemsCount: items.length, paymentId: null, version: 0 },
  },
  put: items,
})

const putAll = (stores: Stores, store: Store, now: number): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    for (const collaborator of store.collaborators) {
      yield* stores.collaborators.insert({ collaborator, createdAt: now, updatedAt: now })
    }
    yield* stores.products.put(store.products)
    for (const group of store.groups) yield* putGroup(stores, group, now)
    for (let place = 0; place < store.payouts.length; place += atATime) {
      const part = store.payouts.slice(place, place + atATime)
      yield* stores.payouts.storeAll(part.map(newPayout))
    }
  })

const nothing = { offset: 0, limit: 1 }

/** Whether an account is empty. */
const isEmpty = ({ collaborators, products, payouts, sales }: Stores) =>
  Effect.map(
    Effect.all([
      collaborators.list(nothing),
      products.list({}, nothing),
      payouts.list({}, nothing),
      sales.list({}, nothing),
    ]),
    (lists) => lists.every(({ total }) => total === 0),
  )

/**
 * Writes a whole store into an account in one transaction, unless the account has data.
 */
export const seed = (
  storage: StorageService,
  accountId: string,
  store: Store,
): Effect.Effect<boolean, StorageError> =>
  Effect.flatMap(Clock.currentTimeMillis, (millis) =>
    storage.transaction(
      accountId,
      (stores) =>
        Effect.tap(isEmpty(stores), (empty) =>
          empty ? putAll(stores, store, Math.floor(millis / 1_000)) : Effect.void,
        ),
      { actor: "seed" },
    ),
  )

// The storage of `apportion serve`: in memory, in a folder or on a server.

/** The initial data of an empty account. */
export interface Seed {
  /** The name of the file. */
  readonly name: string
  readonly store: Store
}

/** Options of the storage. */
export interface StorageOptions {
  readonly place: StoragePlace
  /** Whether a server's schema is updated; a folder's schema always is. */
  readonly migrate: boolean
  readonly seed: Seed | undefined
  readonly note: (message: string) => void
}

const memoryLayer = ({ seed: source }: StorageOptions): Layer.Layer<Storage> =>
  Layer.effect(
    Storage,
    Effect.tap(MemoryStorage.make, (storage) =>
      source === undefined ? Effect.void : Effect.orDie(seed(storage, accountId, source.store)),
    ),
  )

const putSeed = Effect.fnUntraced(function* (
  storage: Storage["Service"],
  name: string,
  { seed: source, note }: StorageOptions,
) {
  if (source === undefined) return
  const isSeeded = yield* Effect.mapError(
    seed(storage, accountId, source.store),
    ({ message }) => new ExitCode.Unavailable({ message: `${name}: ${message}` }),
  )
  const told = isSeeded
    ? `was empty and is filled from ${source.name}`
    : `has data already, so ${source.name} is not used`
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

/** The storage, open until the layer is closed. */
export const layer = (options: StorageOptions): Layer.Layer<Storage, ExitCode.Stopped> =>
  options.place._tag === "Memory" ? memoryLayer(options) : keptLayer(options.place, options)
