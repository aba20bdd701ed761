import { MemoryStorage } from "apportion/memory"
import { ExchangeRates, Storage } from "apportion/ports"
import {
  Actor,
  Collaborators,
  Events,
  Passes,
  type PassWithToken,
  servicesLayer,
} from "apportion/service"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

const shop = "shop"
const start = Date.UTC(2026, 0, 5)
const now = start / 1_000
const day = 86_400

const layer = Layer.mergeAll(
  Layer.provideMerge(servicesLayer, [MemoryStorage.layer, ExchangeRates.none]),
  TestClock.layer(),
  Logger.layer([]),
)

const run = <A, E>(
  work: Effect.Effect<A, E, Collaborators | Passes | Events | Storage>,
): Promise<A> =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const collaborators = yield* Collaborators
      for (const id of ["ada", "ben"]) yield* collaborators.create(shop, { id, currency: "EUR" })
      yield* collaborators.create("other shop", { id: "ada", currency: "EUR" })
      return yield* work
    }).pipe(Effect.provide(layer)),
  )

const create = (collaboratorId = "ada") =>
  Effect.flatMap(Passes, (passes) => passes.create(shop, collaboratorId))

const open = (token: string) => Effect.flatMap(Passes, (passes) => passes.open(token))

/** A pass as it is stored. */
const stored = (passId: string) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const found = yield* storage.transaction(shop, ({ passes }) => passes.get(passId))
    return found ?? (yield* Effect.die("no such pass"))
  })

/** What a token that opens nothing is answered. */
const refusalOf = (token: string) =>
  Effect.map(Effect.flip(open(token)), ({ _tag, message }) => ({ _tag, message }))

const refused = { _tag: "PassRefused", message: "the link is not valid, or not any more" }

const partsOf = ({ token }: PassWithToken) => {
  const [account = "", id = "", secret = ""] = token.split(".")
  return { account, id, secret }
}

const base64 = (text: string) => Buffer.from(text).toString("base64url")

describe("a pass", () => {
  test("opens its collaborator of its account, for 30 days when nothing else is asked for", async () => {
    const { pass, opened } = await run(
      Effect.gen(function* () {
        const pass = yield* create()
        return { pass, opened: yield* open(pass.token) }
      }),
    )
    expect(opened).toEqual({
      ...{ accountId: shop, passId: pass.id, collaboratorId: "ada", language: "en" },
      expiresAt: now + 30 * day,
    })
    expect(pass).toMatchObject({ createdAt: now, createdBy: "system", revokedAt: null })
  })

  test("opens until the second at which it expires", async () => {
    const answers = await run(
      Effect.gen(function* () {
        const passes = yield* Passes
        const { token } = yield* passes.create(shop, "ada", { expiresAt: now + 60 })
        yield* TestClock.setTime(start + 59_999)
        const before = yield* open(token)
        yield* TestClock.setTime(start + 60_000)
        return [before.collaboratorId, yield* refusalOf(token)]
      }),
    )
    expect(answers).toEqual(["ada", refused])
  })

  test("opens nothing once it is revoked, and says who made and who revoked it", async () => {
    const { revoked, again, answer, told } = await run(
      Effect.gen(function* () {
        const passes = yield* Passes
        const by = (name: string) => Effect.provideService(Actor, name)
        const { id, token } = yield* create().pipe(by("alice"))
        yield* TestClock.setTime(start + 5_000)
        const revoked = yield* passes.revoke(shop, "ada", id).pipe(by("bob"))
        yield* TestClock.setTime(start + 9_000)
        const again = yield* passes.revoke(shop, "ada", id).pipe(by("carol"))
        const told = yield* (yield* Events).after(shop, 0)
        return { revoked, again, answer: yield* refusalOf(token), told }
      }),
    )
    expect(revoked).toMatchObject({ createdBy: "alice", revokedBy: "bob", revokedAt: now + 5 })
    expect(again).toEqual(revoked)
    expect(answer).toEqual(refused)
    const ofPasses = told.filter(({ type }) => type.startsWith("pass."))
    expect(ofPasses.map(({ type, actor }) => [type, actor])).toEqual([
      ["pass.created", "alice"],
      ["pass.revoked", "bob"],
    ])
    expect(ofPasses[0]?.data).toEqual({
      ...{ passId: revoked.id, collaboratorId: "ada", expiresAt: now + 30 * day, language: "en" },
    })
  })

  test("is listed without anything that opens it", async () => {
    const { pass, listed, text } = await run(
      Effect.gen(function* () {
        const pass = yield* create()
        const listed = yield* (yield* Passes).list(shop, "ada")
        const told = yield* (yield* Events).after(shop, 0)
        return { pass, listed, text: JSON.stringify([listed, yield* stored(pass.id), told]) }
      }),
    )
    const { token, ...rest } = pass
    expect(listed).toEqual([rest])
    expect(text).not.toContain(token)
    expect(text).not.toContain(partsOf(pass).secret)
    const hexadecimal = Buffer.from(partsOf(pass).secret, "base64url").toString("hex")
    expect(text).not.toContain(hexadecimal)
  })

  test("belongs to one collaborator: another one has no such pass", async () => {
    const answers = await run(
      Effect.gen(function* () {
        const passes = yield* Passes
        const { id } = yield* create()
        return yield* Effect.all([
          Effect.flip(passes.get(shop, "ben", id)),
          Effect.flip(passes.revoke(shop, "ben", id)),
          Effect.flip(passes.revoke("other shop", "ada", id)),
          Effect.flip(passes.list(shop, "carl")),
          Effect.flip(passes.create(shop, "carl")),
        ])
      }),
    )
    expect(answers.map(({ _tag }) => _tag)).toEqual(Array.from({ length: 5 }, () => "NotFound"))
  })
})

describe("the end and the language of a new pass", () => {
  const refusalsOf = (options: object) =>
    run(
      Effect.gen(function* () {
        const passes = yield* Passes
        const failure = yield* Effect.flip(passes.create(shop, "ada", options))
        return failure._tag === "InvalidPass" ? failure.problems : failure
      }),
    )

  test("must be a minute to 366 days from now", async () => {
    for (const expiresAt of [now + 59, now + 366 * day + 1, 0, -1, Number.NaN, now + 100.5]) {
      expect(await refusalsOf({ expiresAt })).toMatchObject([
        { path: "expiresAt", value: expiresAt },
      ])
    }
    const ends = await run(
      Effect.gen(function* () {
        const passes = yield* Passes
        const made = [now + 60, now + 366 * day].map((expiresAt) =>
          passes.create(shop, "ada", { expiresAt }),
        )
        return (yield* Effect.all(made)).map(({ expiresAt }) => expiresAt - now)
      }),
    )
    expect(ends).toEqual([60, 366 * day])
  })

  test("must be a language that there are texts in; all problems are told at once", async () => {
    const problems = await refusalsOf({ expiresAt: 0, language: "xx" })
    expect(problems).toMatchObject([
      { path: "expiresAt" },
      { path: "language", value: "xx", message: 'must be one of en, de, ar, got "xx"' },
    ])
  })
})

describe("how many passes there are", () => {
  test("a collaborator has 20 in force at most; those that are over make room", async () => {
    const { refusal, after } = await run(
      Effect.gen(function* () {
        const passes = yield* Passes
        for (let count = 0; count < 20; count += 1) yield* create()
        yield* create("ben")
        const refusal = yield* Effect.flip(create())
        const [first] = yield* passes.list(shop, "ada")
        yield* passes.revoke(shop, "ada", first?.id ?? "")
        return { refusal, after: yield* create() }
      }),
    )
    expect(refusal.message).toContain("20 passes at a time at most")
    expect(after.collaboratorId).toBe("ada")
  })

  test("of those that are over, the last 50 stay in the list", async () => {
    const { listed, all } = await run(
      Effect.gen(function* () {
        const passes = yield* Passes
        const all: Array<string> = []
        for (let count = 0; count < 60; count += 1) {
          yield* TestClock.setTime(start + count * 1_000)
          const { id } = yield* create()
          all.push(id)
          yield* passes.revoke(shop, "ada", id)
        }
        all.push((yield* create()).id)
        return { listed: yield* passes.list(shop, "ada"), all }
      }),
    )
    expect(listed.map(({ id }) => id).toSorted()).toEqual(all.slice(10).toSorted())
  })
})

describe("a token that opens nothing gets one answer, whatever is wrong with it", () => {
  test("changed in one place, or put together of two", async () => {
    await run(
      Effect.gen(function* () {
        const [ada, ben] = [yield* create(), yield* create("ben")]
        const [one, other] = [partsOf(ada), partsOf(ben)]
        const flipped = one.secret.startsWith("A") ? "B" : "A"
        const tokens = [
          ...["", ".", "..", "...", "a.b.c", ada.id, "Bearer", `${ada.token}.`, ` ${ada.token}`],
          ...[`${ada.token}=`, ada.token.toUpperCase(), ada.token.repeat(40)],
          `${one.account}.${other.id}.${one.secret}`,
          `${one.account}.${one.id}.${other.secret}`,
          `${one.account}.${one.id}.${flipped}${one.secret.slice(1)}`,
          `${one.account}.${one.id}.${"A".repeat(43)}`,
          `${base64("other shop")}.${one.id}.${one.secret}`,
          `${base64("no shop")}.${one.id}.${one.secret}`,
          `${base64("shop\u0000")}.${one.id}.${one.secret}`,
          `${base64("x".repeat(600))}.${one.id}.${one.secret}`,
          `.${one.id}.${one.secret}`,
          `_w.${one.id}.${one.secret}`,
        ]
        for (const token of tokens) expect(yield* refusalOf(token), token).toEqual(refused)
        expect((yield* open(ada.token)).collaboratorId).toBe("ada")
      }),
    )
  })

  test("whichever character of it is another one", async () => {
    await run(
      Effect.gen(function* () {
        const { token } = yield* create()
        const letters = [..."AQgw_-.zZ09"]
        for (let index = 0; index < token.length; index += 1) {
          for (const letter of letters) {
            if (token[index] === letter) continue
            const changed = `${token.slice(0, index)}${letter}${token.slice(index + 1)}`
            expect(yield* refusalOf(changed), changed).toEqual(refused)
          }
        }
      }),
    )
  })

  test("a text that is no token at all", async () => {
    await run(
      Effect.gen(function* () {
        yield* create()
        for (const text of fc.sample(fc.string({ unit: "binary", maxLength: 300 }), 200)) {
          expect(yield* refusalOf(text)).toEqual(refused)
        }
      }),
    )
  })
})

describe("what is stored of a pass", () => {
  test("can't be moved to another collaborator, end or account", async () => {
    await run(
      Effect.gen(function* () {
        const storage = yield* Storage
        const { id, token } = yield* create()
        const change = (changes: object) =>
          Effect.flatMap(stored(id), (pass) =>
            storage.transaction(shop, ({ passes }) => passes.update({ ...pass, ...changes })),
          )
        const expiresAt = now + 30 * day
        for (const changes of [{ collaboratorId: "ben" }, { expiresAt: expiresAt + 1 }]) {
          yield* change(changes)
          expect(yield* refusalOf(token)).toEqual(refused)
          yield* change({ collaboratorId: "ada", expiresAt })
          expect((yield* open(token)).collaboratorId).toBe("ada")
        }
        const copied = yield* stored(id)
        yield* storage.transaction("other shop", ({ passes }) => passes.insert(copied))
        const { id: passId, secret } = partsOf({ ...(yield* create()), token })
        const moved = `${base64("other shop")}.${passId}.${secret}`
        expect(yield* refusalOf(moved)).toEqual(refused)
      }),
    )
  })

  test("is nothing without its collaborator", async () => {
    await run(
      Effect.gen(function* () {
        const storage = yield* Storage
        const { id, token } = yield* create()
        // As a host's own storage may leave it, which removes a collaborator by hand.
        const copied = yield* stored(id)
        const bare = "bare shop"
        yield* storage.transaction(bare, ({ passes }) => passes.insert(copied))
        const { secret } = partsOf({ ...(yield* create()), token })
        expect(yield* refusalOf(`${base64(bare)}.${id}.${secret}`)).toEqual(refused)
      }),
    )
  })

  test("an account that nothing is known of is not kept because somebody asks for it", async () => {
    const accounts = await run(
      Effect.gen(function* () {
        const { id, secret } = partsOf(yield* create())
        yield* refusalOf(`${base64("nobody")}.${id}.${secret}`)
        return yield* (yield* Storage).accounts
      }),
    )
    expect(accounts).toEqual(["other shop", shop])
  })
})
