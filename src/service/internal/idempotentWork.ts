/** Doing a piece of work once for each key. */
import * as Effect from "effect/Effect"
import { formatPath, show } from "../../internal/problems.js"
import type { StoredAnswer } from "../../ports/KeyStore.js"
import { hashToken } from "../../ports/Tokens.js"
import type { IdempotencyService } from "../Idempotency.js"
import { KeyReused } from "../ServiceError.js"
import type { UnitOfWorkService } from "../UnitOfWork.js"
import { die } from "./Fault.js"
import { now } from "./now.js"
import { logChange } from "./transactions.js"
import type { Transactor } from "./transactor.js"

type Path = ReadonlyArray<string | number>

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** What in an answer JSON would lose or change: its path, and what is there. */
const findForeign = (
  value: unknown,
  path: Path,
  around: ReadonlyArray<unknown>,
): { readonly path: Path; readonly what: string } | undefined => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { path, what: String(value) }
  }
  if (typeof value !== "object") return { path, what: show(value) }
  if (around.includes(value)) return { path, what: "a value that holds itself" }
  const inside = [...around, value]
  if (Array.isArray(value)) {
    // Not `findMap` or `forEach`: they would pass over the holes.
    for (const [place, entry] of Array.from<unknown>(value).entries()) {
      const found = findForeign(entry, [...path, place], inside)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isPlainObject(value)) return { path, what: "an instance of a class" }
  for (const [key, entry] of Object.entries(value)) {
    const found = findForeign(entry, [...path, key], inside)
    if (found !== undefined) return found
  }
  return undefined
}

/** An answer as JSON text that gives the same answer when it is read. */
const toText = (answer: unknown): Effect.Effect<string> =>
  Effect.suspend(() => {
    const foreign = findForeign(answer, [], [])
    if (foreign === undefined) return Effect.succeed(JSON.stringify(answer))
    const where = foreign.path.length === 0 ? "" : ` at ${formatPath(foreign.path)}`
    const message = `the answer of work that is done once must be JSON, it has ${foreign.what}${where}`
    return die(message)
  })

const checkFingerprint = (
  { key, fingerprint }: StoredAnswer,
  asked: string,
): Effect.Effect<void, KeyReused> =>
  fingerprint === asked ? Effect.void : Effect.fail(KeyReused.of(key))

/** `Idempotency.once` */
export const once = (
  tools: Transactor & Pick<UnitOfWorkService, "run">,
): IdempotencyService["once"] =>
  Effect.fn("Idempotency.once")(function* (accountId, { key, request }, work) {
    yield* Effect.annotateCurrentSpan({ accountId })
    // The digest that tokens are stored under serves as well: it tells any two texts apart.
    const fingerprint = yield* hashToken(request)
    const text = yield* tools.run(
      accountId,
      Effect.gen(function* () {
        const known = yield* tools.read(accountId, ({ keys }) => keys.get(key))
        if (known !== undefined)
          return yield* Effect.as(checkFingerprint(known, fingerprint), known.answer)
        const answer = yield* Effect.flatMap(work, toText)
        const createdAt = yield* now
        yield* tools.write(accountId, ({ keys }) =>
          keys.insert({ key, fingerprint, answer, createdAt }),
        )
        return answer
      }),
    )
    // Both the first and the later ones read the text, so that they can't differ.
    return JSON.parse(text)
  })

/** `Idempotency.forgetBefore` */
export const forgetBefore = ({ write }: Transactor): IdempotencyService["forgetBefore"] =>
  Effect.fn("Idempotency.forgetBefore")(function* (accountId: string, at: number) {
    yield* Effect.annotateCurrentSpan({ accountId })
    return yield* write(
      accountId,
      Effect.fnUntraced(function* ({ keys }) {
        const count = yield* keys.removeBefore(at)
        if (count > 0) yield* logChange("idempotency keys forgotten", { count })
        return count
      }),
    )
  })
