import { join } from "node:path"
import { Collaborator } from "apportion"
import { Storage } from "apportion/ports"
import { Passes } from "apportion/service"
import { FolderStorage } from "apportion/sql/folder"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { migratedFolder } from "../DataFolders.js"
import { Folder, run } from "../world.js"

const world = new Folder()
const shop = join(world.path, "shop")

/** Runs work on the folder, which no command has open meanwhile. */
const within = <A, E>(work: Effect.Effect<A, E, Storage | Passes>): Promise<A> => {
  const storage = FolderStorage.layer(shop)
  const passes = Layer.provideMerge(Passes.layer, [storage, SecureRandom.layerWebCrypto])
  return Effect.runPromise(Effect.scoped(Effect.provide(work, passes)))
}

beforeAll(async () => {
  await migratedFolder(shop)
  await within(
    Effect.flatMap(Storage, (storage) =>
      storage.transaction("default", ({ collaborators }) =>
        collaborators.insert({
          collaborator: Collaborator.make({ id: "ada", currency: "EUR" }),
          ...{ createdAt: 1, updatedAt: 1 },
        }),
      ),
    ),
  )
}, 60_000)
afterAll(() => world.remove())

const passes = (...args: ReadonlyArray<string>) => run(["passes", ...args, "--data", shop])

test("a link is made, opens what it is for, is listed and revoked, and opens nothing then", async () => {
  const url = "https://shop.example/"
  const made = await passes("create", "ada", "--language", "de", "--url", url)
  expect(made.code, made.err).toBe(0)
  expect(made.out).toMatch(/^https:\/\/shop\.example\/statement\/#[\w-]+\.[\w-]+\.[\w-]{43}\n$/)
  const token = made.out.trim().split("#")[1] ?? ""
  expect(made.err).not.toContain(token.slice(-43))
  const opened = await within(Effect.flatMap(Passes, (service) => service.open(token)))
  expect(opened).toMatchObject({ accountId: "default", collaboratorId: "ada", language: "de" })

  const listed = await passes("list", "ada", "--format", "json")
  const [pass] = JSON.parse(listed.out)
  expect(pass).toMatchObject({ id: opened.passId, created_by: "command line", revoked_at: null })
  expect(listed.out).not.toContain(token.slice(-43))

  const revoked = await passes("revoke", "ada", opened.passId)
  expect(revoked.code, revoked.err).toBe(0)
  expect((await passes("list", "ada")).out).toContain("command line")
  const refused = await within(
    Effect.flip(Effect.flatMap(Passes, (service) => service.open(token))),
  )
  expect(refused._tag).toBe("PassRefused")
})

test("what can't be used is refused with what is wrong", async () => {
  const errors = [
    await passes("create", "ben"),
    await passes("create", "ada", "--expires-at", "soon"),
    await passes("create", "ada", "--expires-at", "2001-01-01T00:00:00Z"),
    await passes("create", "ada", "--language", "xx"),
    await passes("revoke", "ada", "none"),
  ]
  expect(errors.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2])
  const said = errors.map(({ err }) => err)
  expect(said[0]).toContain("there is no collaborator with the id")
  expect(said[1]).toContain("--expires-at: must be")
  expect(said[2]).toContain("a minute to 366 days from now")
  expect(said[4]).toContain("there is no pass with the id")
})
