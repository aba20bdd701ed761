import * as Effect from "effect/Effect"
import type { StoredAnswer } from "../../ports/KeyStore.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractCheck, expectConflict, expectSame } from "./check.js"
import { onStage, type Stage } from "./Stage.js"
import { answer, earliest, latest, oddIds } from "./samples.js"

const insert = (stage: Stage, given: StoredAnswer) => stage.write(({ keys }) => keys.insert(given))

const get = (stage: Stage, key: string) => stage.read(({ keys }) => keys.get(key))

const longText = JSON.stringify({ text: "“Ünïcode” 🎨 \\ ' \n".repeat(5_000) })

/** What the store of idempotency keys has to do. */
export const keyChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  onStage(
    "an answer is stored under its key and read as it was, however long",
    Effect.fnUntraced(function* (stage) {
      const given = answer("k1", { answer: longText, createdAt: latest })
      yield* insert(stage, given)
      yield* insert(stage, answer("k2", { answer: "", fingerprint: "", createdAt: earliest }))
      yield* expectSame("the answer", yield* get(stage, "k1"), given)
      const empty = answer("k2", { answer: "", fingerprint: "", createdAt: earliest })
      yield* expectSame("the empty answer", yield* get(stage, "k2"), empty)
      yield* expectSame("a new key", yield* get(stage, "K1"), undefined)
    }),
  ),
  onStage(
    "a key that is there already is a conflict, and the first answer stays",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, answer("k1"))
      yield* expectConflict("the same again", insert(stage, answer("k1")))
      yield* expectConflict("another answer", insert(stage, answer("k1", { answer: "2" })))
      yield* expectSame("the answer", yield* get(stage, "k1"), answer("k1"))
    }),
  ),
  onStage(
    "it is told how many keys there are, and when the first of them was stored",
    Effect.fnUntraced(function* (stage) {
      const kept = stage.read(({ keys }) => keys.kept())
      yield* expectSame("none", yield* kept, { count: 0, oldestAt: undefined })
      for (const [key, createdAt] of [
        ["k1", 7],
        ["k2", 5],
        ["k3", 9],
      ] as const) {
        yield* insert(stage, answer(key, { createdAt }))
      }
      yield* expectSame("three", yield* kept, { count: 3, oldestAt: 5 })
      yield* stage.write(({ keys }) => keys.removeBefore(6))
      yield* expectSame("two", yield* kept, { count: 2, oldestAt: 7 })
    }),
  ),
  onStage(
    "keys that look alike are different ones",
    Effect.fnUntraced(function* (stage) {
      for (const key of oddIds) yield* insert(stage, answer(key, { answer: key }))
      for (const key of oddIds) {
        yield* expectSame(`the key ${key}`, (yield* get(stage, key))?.answer, key)
      }
    }),
  ),
  onStage(
    "what is older than a time is forgotten, and how many there were is told",
    Effect.fnUntraced(function* (stage) {
      const times = [-5, 5, 9, 10, 10, 11]
      for (const [index, createdAt] of times.entries()) {
        yield* insert(stage, answer(`k${index}`, { createdAt }))
      }
      const removeBefore = (at: number) => stage.write(({ keys }) => keys.removeBefore(at))
      yield* expectSame("how many before 10", yield* removeBefore(10), 3)
      yield* expectSame("how many the second time", yield* removeBefore(10), 0)
      for (const [index, createdAt] of times.entries()) {
        const isKept = (yield* get(stage, `k${index}`)) !== undefined
        yield* expectSame(`whether the one of ${createdAt} is kept`, isKept, createdAt >= 10)
      }
      yield* expectSame("how many in all", yield* removeBefore(latest), 3)
    }),
  ),
  onStage(
    "a key that was forgotten is new again",
    Effect.fnUntraced(function* (stage) {
      yield* insert(stage, answer("k1", { createdAt: 1 }))
      yield* stage.write(({ keys }) => keys.removeBefore(2))
      yield* expectSame("the key", yield* get(stage, "k1"), undefined)
      yield* insert(stage, answer("k1", { answer: "2" }))
      yield* expectSame("its answer", (yield* get(stage, "k1"))?.answer, "2")
    }),
  ),
]
