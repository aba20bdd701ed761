import { afterAll, describe, expect, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { Folder, groups, ndjson, order, run } from "./world.js"

const folder = new Folder()
afterAll(() => folder.remove())

describe("the command line", () => {
  it("shows its help on standard output, and that is a success", async () => {
    const { code, out, err } = await run(["--help"])
    for (const said of ["split", "explain", "statement", "Exit codes"]) expect(out).toContain(said)
    expect({ code, err }).toEqual({ code: 0, err: "" })
  })

  it.each(["split", "explain", "statement"])("shows the help of %s with examples", async (name) => {
    const { code, out } = await run([name, "--help"])
    expect(out).toContain("EXAMPLES")
    expect(out).toContain(`apportion ${name} --groups`)
    expect(out).not.toContain("\u001b")
    expect(code).toBe(0)
  })

  it.each([
    ["serve", "--host", "127.0.0.1 when absent"],
    ["serve", "--port", "8080 when absent"],
    ["serve", "--rate", "60 when absent"],
    ["serve", "--proxies", "0 when absent"],
    ["serve", "--drain", "5 when absent"],
    ["migrate", "--connections", "10 when absent"],
    ["check", "--show", "5 when absent"],
    ["check", "--budget", "20000000 when absent"],
    ["split", "--jobs", "1 when absent"],
    ["backtest", "--explain", "5 when absent"],
  ])("says in the help of %s what %s is by default", async (name, flag, said) => {
    const { out } = await run([name, "--help"])
    expect(out.split("\n").find((line) => line.includes(`${flag} <`))).toContain(said)
  })

  it.each(["split", "explain", "statement", "backtest"])(
    "names in the help of %s each platform whose orders it reads",
    async (name) => {
      const { out } = await run([name, "--help"])
      const orders = out.split("\n").find((line) => line.includes("--orders <"))
      for (const platform of ["Shopify", "WooCommerce"]) expect(orders).toContain(platform)
    },
  )

  it("uses colours on a terminal only", async () => {
    expect((await run(["--help"], { isTerminal: true })).out).toContain("\u001b[")
  })

  it("tells its version", async () => {
    expect(await run(["--version"])).toEqual({
      code: 0,
      out: `apportion ${manifest.version}\n`,
      err: "",
    })
  })

  it.each(["bash", "zsh", "fish"])("completes commands and flags in %s", async (shell) => {
    const { code, out } = await run(["--completions", shell])
    for (const said of ["apportion", "statement", "collaborators"]) expect(out).toContain(said)
    expect(code).toBe(0)
  })

  it.each([
    [["splt"], "splt"],
    [["split"], "--groups"],
    [["split", "--groups"], "--groups"],
    [["split", "extra", "--groups", "g", "--orders", "o"], "extra"],
    [["statement", "--groups", "g", "--orders", "o", "--collaborators", "c"], "--until"],
  ])("ends with 2 when it is used wrongly: %j", async (args, said) => {
    const { code, out, err } = await run(args)
    expect(err).toContain(said)
    expect(err).toContain("--help")
    expect({ code, out }).toEqual({ code: 2, out: "" })
  })

  it("reads any one input from standard input", async () => {
    const file = folder.file("groups.json", groups)
    const orders = ndjson([order("1")])
    const piped = await run(["split", "--groups", file, "--orders", "-"], { stdin: orders })
    expect(piped.code).toBe(0)
    const ordersFile = folder.file("orders.ndjson", orders)
    const other = await run(["split", "--groups=-", "--orders", ordersFile], {
      stdin: JSON.stringify(groups),
    })
    expect(other).toEqual(piped)
    const empty = await run(["split", "--groups", file, "--orders", "-"], { stdin: "" })
    expect(empty).toEqual({ code: 2, out: "", err: "apportion: standard input: is empty\n" })
  })

  it("tells its own mistakes in one line, with exit code 70", async () => {
    const stdin = {
      [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
        throw new TypeError("x is not a function\nat x")
      },
    }
    const file = folder.file("groups.json", groups)
    const { code, err } = await run(["split", "--groups", file, "--orders", "-"], { stdin })
    expect(err).toBe(
      "apportion: this is a bug in apportion, please report it: TypeError: x is not a function\n",
    )
    expect(code).toBe(70)
  })

  it("names files as the user wrote them", async () => {
    const { err } = await run(["split", "--groups", "./no/../such.json", "--orders", "x"])
    expect(err).toBe("apportion: ./no/../such.json: there is no such file\n")
  })
})
