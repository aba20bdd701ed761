import * as Effect from "effect/Effect"
import type { StoredAnswer } from "../../ports/KeyStore.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, inContext } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame } from "./check.js"
import { answer, earliest, latest, oddIds } from "./samples.js"

const insert = (context: ContractContext, given: StoredAnswer) =>
  context.write(({ keys }) => keys.insert(given))

const get = (context: ContractContext, key: string) => context.read(({ keys }) => keys.get(key))

const longText = JSON.stringify({ text: "“Ünïcode” 🎨 \\ ' \n".repeat(5_000) })

/** What the store of idempotency keys has to do. */
export const keyChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "an answer is stored under its key and read as it was, however long",
    Effect.fnUntraced(function* (context) {
      const given = answer("k1", { answer: longText, createdAt: latest })
      yield* insert(context, given)
      yield* insert(context, answer("k2", { answer: "", fingerprint: "", createdAt: earliest }))
      yield* expectSame("the answer", yield* get(context, "k1"), given)
      const empty = answer("k2", { answer: "", fingerprint: "", createdAt: earliest })
      yield* expectSame("the empty answer", yield* get(context, "k2"), empty)
      yield* expectSame("a new key", yield* get(context, "K1"), undefined)
    }),
  ),
  inContext(
    "a key that is there already is a conflict, and the first answer stays",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, answer("k1"))
      yield* expectConflict("the same again", insert(context, answer("k1")))
      yield* expectConflict("another answer", insert(context, answer("k1", { answer: "2" })))
      yield* expectSame("the answer", yield* get(context, "k1"), answer("k1"))
    }),
  ),
  inContext(
    "it is told how many keys there are, and when the first of them was stored",
    Effect.fnUntraced(function* (context) {
      const kept = context.read(({ keys }) => keys.kept())
      yield* expectSame("none", yield* kept, { count: 0, oldestAt: undefined })
      for (const [key, createdAt] of [
        ["k1", 7],
        ["k2", 5],
        ["k3", 9],
      ] as const) {
        yield* insert(context, answer(key, { createdAt }))
      }
      yield* expectSame("three", yield* kept, { count: 3, oldestAt: 5 })
      yield* context.write(({ keys }) => keys.removeBefore(6))
      yield* expectSame("two", yield* kept, { count: 2, oldestAt: 7 })
    }),
  ),
  inContext(
    "keys that look alike are different ones",
    Effect.fnUntraced(function* (context) {
      for (const key of oddIds) yield* insert(context, answer(key, { answer: key }))
      for (const key of oddIds) {
        yield* expectSame(`the key ${key}`, (yield* get(context, key))?.answer, key)
      }
    }),
  ),
  inContext(
    "what is older than a time is forgotten, and how many there were is told",
    Effect.fnUntraced(function* (context) {
      const times = [-5, 5, 9, 10, 10, 11]
      for (const [index, createdAt] of times.entries()) {
        yield* insert(context, answer(`k${index}`, { createdAt }))
      }
      const removeBefore = (at: number) => context.write(({ keys }) => keys.removeBefore(at))
      yield* expectSame("how many before 10", yield* removeBefore(10), 3)
      yield* expectSame("how many the second time", yield* removeBefore(10), 0)
      for (const [index, createdAt] of times.entries()) {
        const isKept = (yield* get(context, `k${index}`)) !== undefined
        yield* expectSame(`whether the one of ${createdAt} is kept`, isKept, createdAt >= 10)
      }
      yield* expectSame("how many in all", yield* removeBefore(latest), 3)
    }),
  ),
  inContext(
    "a key that was forgotten is new again",
    Effect.fnUntraced(function* (context) {
      yield* insert(context, answer("k1", { createdAt: 1 }))
      yield* context.write(({ keys }) => keys.removeBefore(2))
      yield* expectSame("the key", yield* get(context, "k1"), undefined)
      yield* insert(context, answer("k1", { answer: "2" }))
      yield* expectSame("its answer", (yield* get(context, "k1"))?.answer, "2")
    }),
  ),
]
