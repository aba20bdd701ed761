import { describe, expect, it } from "vitest"
import * as ServeEnvironment from "../../../src/cli/serve/ServeEnvironment.js"
import { run } from "../world.js"

const configured = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  ServeEnvironment.configured(["serve", ...args], environment).slice(1)

describe("the environment of a server", () => {
  it("sets each flag under its own name", () => {
    expect(ServeEnvironment.variableOf("close-due-every")).toBe("APPORTION_CLOSE_DUE_EVERY")
    const environment = { APPORTION_PORT: "9000", APPORTION_PUBLIC_URL: "https://a.example" }
    expect(configured(["--rate", "5"], environment)).toEqual([
      ...["--port=9000", "--public-url=https://a.example"],
      ...["--rate", "5"],
    ])
    expect(configured([], { APPORTION_MIGRATE: "true" })).toEqual(["--migrate"])
    expect(configured([], { APPORTION_PORT: "" })).toEqual([])
  })

  it("gives way to a flag", () => {
    const environment = { APPORTION_PORT: "9000", APPORTION_DATA: "shop" }
    expect(configured(["--port", "1", "--data=x"], environment)).toEqual([
      ...["--port", "1", "--data=x"],
    ])
    expect(configured(["--port=1"], environment)).toEqual(["--data=shop", "--port=1"])
    expect(configured(["--database-url", "u"], environment)).not.toContain("--data=shop")
    expect(configured(["--no-migrate"], { APPORTION_MIGRATE: "true" })).toEqual(["--no-migrate"])
  })

  it("is that of serve alone, and never puts a secret among the arguments", () => {
    expect(ServeEnvironment.configured(["audit"], { APPORTION_DATA: "shop" })).toEqual(["audit"])
    const environment = { APPORTION_TOKEN: "s3cret", APPORTION_DATABASE_URL: "postgres://u:p@h/d" }
    expect(configured([], environment)).toEqual([])
  })

  it("is told of names that are no setting, without their values", () => {
    const environment = { APPORTION_PROT: "s3cret", APPORTION_XYZZY_PLUGH: "s3cret", PATH: "/bin" }
    expect(ServeEnvironment.strangers({ ...environment, APPORTION_SHOP_SECRET: "x" })).toEqual([
      "APPORTION_PROT is no setting and is ignored: is APPORTION_PORT meant?",
      "APPORTION_XYZZY_PLUGH is no setting and is ignored: see apportion serve --help",
    ])
    expect(ServeEnvironment.strangers({ APPORTION_TOKEN: "x", APPORTION_RATE: "5" })).toEqual([])
  })

  it("says one place where everything is kept", async () => {
    const environment = {
      ...{ APPORTION_TOKEN: "paper-heron-at-dusk", APPORTION_DATA: "shop" },
      APPORTION_DATABASE_URL: "postgres://localhost/shop",
    }
    const { code, err } = await run(["serve"], { environment })
    expect(code).toBe(2)
    expect(err).toContain("APPORTION_DATA and APPORTION_DATABASE_URL: give one of them")
  })

  it("has all problems told under the names that were used", async () => {
    const environment = { APPORTION_PORT: "x", APPORTION_LOG_LEVEL: "loud" }
    const { code, err } = await run(["serve", "--rate", "0"], { environment })
    expect(code).toBe(2)
    expect(err.split("\n").map((line) => line.split(": ", 2).join(": "))).toEqual([
      "apportion: APPORTION_PORT",
      "apportion: --token",
      "apportion: --rate",
      "apportion: APPORTION_LOG_LEVEL",
      "",
    ])
  })
})
