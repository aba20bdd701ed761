import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { migratedFolder } from "../DataFolders.js"
import { Folder } from "../world.js"
import { serve } from "./InProcess.js"

const folder = new Folder()
afterAll(() => folder.remove())

const oneCollaborator = { collaborators: [{ id: "ada", currency: "EUR" }] }
const token = "secret-of-these-tests"
const authorized = { headers: { Authorization: `Bearer ${token}` } }

describe("serving", () => {
  it("keeps everything in a folder, which the next one goes on with", async () => {
    const data = await migratedFolder(join(folder.path, "data"))
    const args = ["--port", "0", "--token", token, "--data", data]
    const first = await serve([...args, "--seed", folder.file("one.json", oneCollaborator)])
    const path = "/api/v1/collaborators/ada/products"
    const body = { itemType: "products.all", items: [], type: "flat", amount: 5 }
    const made = await fetch(`${first.url}${path}`, {
      ...{ method: "PUT", headers: authorized.headers, body: JSON.stringify(body) },
    })
    expect(made.status).toBe(201)
    expect(await first.stop()).toBe(0)
    const second = await serve(args)
    const response = await fetch(`${second.url}${path}`, authorized)
    expect(await response.json()).toMatchObject({ data: [{ amount: 5 }], meta: { total: 1 } })
    expect(await second.stop()).toBe(0)
  }, 120_000)
})
