import { afterAll, describe, expect, it } from "vitest"
import { Folder, run } from "../world.js"
import { serve } from "./InProcess.js"

const folder = new Folder()
afterAll(() => folder.remove())

const token = "secret-of-these-tests"
const other = "another-secret-of-these"
const authorized = { headers: { Authorization: `Bearer ${token}` } }

describe("serving", () => {
  it("answers until it is stopped, says one line, and ends with 0", async () => {
    const { url, out, stop } = await serve(["--port", "0", "--token", token])
    const ready = await fetch(`${url}/ready`)
    expect(await ready.json()).toEqual({ status: "ready" })
    expect(await stop()).toBe(0)
    expect(out).toEqual([`apportion is listening on ${url}\n`])
    await expect(fetch(`${url}/ready`)).rejects.toThrow()
  })

  it("lets in whoever has one of its tokens", async () => {
    const { url } = await serve(["--port", "0", "--token", token, "--token", other])
    const status = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` }
      return (await fetch(`${url}/api/v1/payouts`, { headers })).status
    }
    expect(await Promise.all([token, other, "third"].map(status))).toEqual([200, 200, 401])
  })

  it("takes its token from the environment", async () => {
    const { url } = await serve(["--port", "0"], { APPORTION_TOKEN: token })
    expect((await fetch(`${url}/api/v1/payouts`, authorized)).status).toBe(200)
  })

  it("keeps to its rate", async () => {
    const { url } = await serve(["--port", "0", "--token", token, "--rate", "2"])
    const statuses: Array<number> = []
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await fetch(`${url}/api/v1/payouts`, authorized)).status)
    }
    expect(statuses).toEqual([200, 200, 429])
  })

  it("begins with its seed", async () => {
    const seed = folder.file("store.json", {
      collaborators: [{ id: "ada", currency: "EUR" }],
      payouts: [
        {
          ...{ id: "p", currency: "EUR", collaborator: "ada", status: "active" },
          ...{ to_be_paid_at: 5, items: [{ amount: 900, expense_name: "Workshop" }] },
        },
      ],
    })
    const { url } = await serve(["--port", "0", "--token", token, "--seed", seed])
    const response = await fetch(`${url}/v1/payouts/p`, authorized)
    expect(await response.json()).toMatchObject({ data: { total: 900, status: "active" } })
  })

  it("writes what happens to standard error, without tokens and names", async () => {
    const { url, err, stop } = await serve(["--port", "0", "--token", token])
    await (await fetch(`${url}/api/v1/payouts`, authorized)).text()
    await stop()
    expect(err.join("")).toMatch(/level=INFO .*message=request .*status=200/)
    expect(err.join("")).not.toContain(token)
  })

  it("ends with 1 when its port is taken, and with 2 when its flags can't be used", async () => {
    const { url } = await serve(["--port", "0", "--token", token])
    const { port } = new URL(url)
    expect(await run(["serve", "--port", port, "--token", token])).toEqual({
      code: 1,
      out: "",
      err: `apportion: --port: ${port} is in use by another program on 127.0.0.1: choose another port (0 takes a free one)\n`,
    })
    expect(await run(["serve", "--port", "0", "--token", token, "--host", "192.0.2.1"])).toEqual({
      code: 1,
      out: "",
      err: 'apportion: --host: this computer has no address "192.0.2.1"\n',
    })
    const wrong = await run(["serve", "--port", "x", "--rate", "0"])
    expect(wrong.code).toBe(2)
    expect(wrong.err.split("\n").map((line) => line.split(": ", 2).join(": "))).toEqual([
      "apportion: --port",
      "apportion: --token",
      "apportion: --rate",
      "",
    ])
  })

  it("closes what is due by itself when it is told to, and only then", async () => {
    const seed = folder.file("due.json", {
      collaborators: [{ id: "ada", currency: "EUR" }],
      payouts: [
        {
          ...{ id: "p", currency: "EUR", collaborator: "ada", status: "active" },
          ...{ to_be_paid_at: 5, items: [{ amount: 900, expense_name: "Workshop" }] },
        },
      ],
    })
    const args = ["--port", "0", "--token", token, "--seed", seed]
    const statusAt = async (url: string) => {
      const response = await fetch(`${url}/v1/payouts/p`, authorized)
      const { data } = (await response.json()) as { data: { status: string } }
      return data.status
    }
    const closing = await serve([...args, "--close-due-every", "3600"])
    await expect.poll(() => statusAt(closing.url), { timeout: 20_000 }).toBe("pending")
    const leaving = await serve(args)
    expect(await statusAt(leaving.url)).toBe("active")
  })

  it("ends with 2 when the seed can't be used", async () => {
    const seed = folder.file("broken.json", '{\n"payouts": [{}] }')
    const { code, err } = await run(["serve", "--port", "0", "--token", token, "--seed", seed])
    expect(code).toBe(2)
    expect(err).toContain(`apportion: ${seed}:2: payouts[0].status: is missing`)
    const missing = await run(["serve", "--port", "0", "--token", token, "--seed", "nothing"])
    expect(missing).toMatchObject({ code: 2, err: "apportion: nothing: there is no such file\n" })
  })
})
