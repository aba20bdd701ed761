import type { KeyStore } from "../../ports/KeyStore.js"
import { Conflict } from "../../ports/StorageError.js"
import type { MemoryAccount } from "./Account.js"
import type { Journal } from "./Journal.js"
import { sealed } from "./seal.js"
import { everything } from "./Table.js"

/** The store of idempotency keys within one transaction. */
export const make = ({ answers, answersByTime }: MemoryAccount, journal: Journal): KeyStore => ({
  get: (key) => journal.read("read an idempotency key", () => answers.get(key)),
  insert: (answer) =>
    journal.write("insert an idempotency key", () => {
      if (answers.get(answer.key) !== undefined) return Conflict.of("idempotency key", answer.key)
      answers.put(journal, sealed(answer))
    }),
  kept: () =>
    journal.read("count idempotency keys", () => {
      const byTime = answersByTime.list(everything)
      return { count: byTime?.size ?? 0, oldestAt: byTime?.slice(0, 1)[0]?.createdAt }
    }),
  removeBefore: (at) =>
    journal.write("remove old idempotency keys", () => {
      const byTime = answersByTime.list(everything)
      const old = byTime?.firstWhile(({ createdAt }) => createdAt < at, byTime.size) ?? []
      for (const { key } of old) answers.remove(journal, key)
      return old.length
    }),
})
