/** Whatever stands in a text, it is stored and given back as it came, and nothing else changes. */
import { isDeepStrictEqual } from "node:util"
import { MemoryStorage } from "apportion/memory"
import { StorageFailure, type StorageService } from "apportion/ports"
import { SqlStorage } from "apportion/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isAll, runs } from "../generators/Runs.js"
import { open } from "../http/Shop.js"
import { anyText } from "./AnyText.js"
import { clientFor, emptyStorage, emptyTables, pglite, postgres } from "./databases.js"
import * as Copies from "./faults/Copies.js"
import { converse } from "./injection/Conversation.js"
import { placesOfIds } from "./injection/LongIds.js"
import { longTexts, payloads } from "./injection/Payloads.js"
import { type Planted, plant, readAll } from "./injection/Rows.js"

const run = Effect.runPromise

/** An account of its own for each text. */
const accountOf = ({ id, text }: Planted): string => `shop ${id} ${text.length}`

const both = (storage: StorageService, given: Planted) =>
  Effect.andThen(plant(storage, accountOf(given), given), readAll(storage, accountOf(given), given))

/** What memory, which changes no text, gives of the same. */
const inMemory = (given: Planted) =>
  Effect.flatMap(MemoryStorage.make, (storage) => both(storage, given))

/** The texts that are not given back as memory gives them back. */
const changed = (storage: StorageService, texts: ReadonlyArray<Planted>, concurrency: number) =>
  Effect.map(
    Effect.forEach(
      texts,
      Effect.fnUntraced(function* (given) {
        const [expected, found] = [yield* inMemory(given), yield* both(storage, given)]
        return isDeepStrictEqual(found, expected) ? [] : [{ given, expected, found }]
      }),
      { concurrency },
    ),
    (found) => found.flat(),
  )

const neighbour: Planted = { id: "quiet", text: "as it was" }

const asIdAndText = (text: string): Planted => ({ id: text, text })

/** A text that can't be written shorter. */
const randomText = (length: number): string =>
  fc.sample(fc.string({ minLength: length, maxLength: length }), { numRuns: 1, seed: length })[0] ??
  ""

const databases = [
  { where: "PGlite", layer: () => pglite, concurrency: 1 },
  { where: "PostgreSQL", layer: () => postgres("injection"), concurrency: 8 },
]

describe.each(databases)("in $where", ({ where, layer, concurrency }) => {
  const client = clientFor(layer)
  const prepared = () =>
    Effect.gen(function* () {
      const storage = yield* emptyStorage(client())
      yield* Copies.prepare(client())
      yield* plant(storage, "neighbour", neighbour)
      const camera = yield* Copies.camera(client(), "neighbour")
      return { storage, camera, before: yield* camera.take }
    })

  const expectUnchanged = (texts: ReadonlyArray<Planted>) =>
    run(
      Effect.gen(function* () {
        const { storage, camera, before } = yield* prepared()
        const [first, ...rest] = yield* changed(storage, texts, concurrency)
        expect(
          first?.found,
          `of ${rest.length + 1} texts: ${JSON.stringify(first?.given)}`,
        ).toEqual(first?.expected)
        expect(yield* camera.take).toBe(before)
        expect(yield* storage.accounts).toEqual(
          [...new Set([...texts.map(accountOf), "neighbour"])].sort(),
        )
      }),
    )

  test("what looks like SQL is a text in every place where texts can be", () =>
    expectUnchanged(
      payloads
        .filter((_, place) => isAll || place % 2 === 0 || where === "PostgreSQL")
        .map(asIdAndText),
    ))

  test("any text is a text in every place where texts can be", () => {
    const { numRuns } = runs(40)
    const texts = fc.sample(
      anyText.filter((text) => text !== ""),
      { numRuns, seed: 4 },
    )
    return expectUnchanged([...new Set(texts)].map(asIdAndText))
  })

  test("long texts come back as long as they were", () =>
    expectUnchanged(longTexts.map((text, index) => ({ id: `long ${index}`, text }))))

  const store = (account: string, place: string, id: string) =>
    Effect.flatMap(SqlStorage.make(), (storage) =>
      storage.transaction(account, (stores) => placesOfIds[place]?.(stores, id) ?? Effect.void),
    ).pipe(Effect.provideService(SqlClient.SqlClient, client()))

  test.each(Object.keys(placesOfIds))("an id of 500 bytes is stored: %s", (place) =>
    run(
      Effect.gen(function* () {
        yield* prepared()
        const id = randomText(500)
        yield* store(id, place, id)
      }),
    ),
  )

  test.each(Object.keys(placesOfIds))("an id of 5,000 bytes is refused in words: %s", (place) =>
    run(
      Effect.gen(function* () {
        const { storage } = yield* prepared()
        const refused = yield* Effect.flip(store("shop", place, randomText(5_000)))
        expect(refused).toBeInstanceOf(StorageFailure)
        expect(refused).toMatchObject({ isFinal: true })
        expect(refused.message).toMatch(/^storage failed: could not .*: an id is longer than /)
        expect(yield* storage.accounts).toEqual(["neighbour"])
      }),
    ),
  )

  test("an account's id of 5,000 bytes is refused in words, and the connections go on", () =>
    run(
      Effect.gen(function* () {
        const { storage } = yield* prepared()
        for (let times = 0; times < 25; times += 1) {
          const refused = yield* Effect.flip(store(randomText(5_000), "idempotency key", "k1"))
          expect(refused.message).toContain("an id is longer than the database can hold")
        }
        expect(yield* storage.accounts).toEqual(["neighbour"])
      }),
    ))

  test("the HTTP API answers as it does over memory, whatever it is told", async () => {
    const { numRuns } = runs(12)
    const step = Math.max(1, Math.floor(payloads.length / numRuns))
    const told = payloads.filter((_text, index) => index % step === step - 1)
    const { storage } = await run(prepared())
    for (const text of told) {
      const [kept, remembered] = [await open({}, () => storage), await open()]
      const [found, expected] = [await converse(kept, text), await converse(remembered, text)]
      await Promise.all([kept.close(), remembered.close()])
      await run(emptyTables(client()))
      expect(found, JSON.stringify(text)).toEqual(expected)
    }
  })
})
