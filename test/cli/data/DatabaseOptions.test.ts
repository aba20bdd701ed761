import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import * as DatabaseOptions from "../../../src/cli/data/DatabaseOptions.js"

const none = { data: undefined, databaseUrl: undefined, connections: "10" }
const url = "postgres://shop:brass-otter@db.example:5433/shop?sslmode=require&password=brass-otter"
const environment = { APPORTION_DATABASE_URL: url }

describe("where a command keeps things", () => {
  it("is in memory when nothing is said", () => {
    const memory = { place: { _tag: "Memory" }, problems: [] }
    expect(DatabaseOptions.find(none, {})).toEqual(memory)
    expect(DatabaseOptions.find(none, { APPORTION_DATABASE_URL: "" })).toEqual(memory)
  })

  it("is what a flag says, before what the environment says", () => {
    const folder = { _tag: "Folder", path: "shop" }
    expect(DatabaseOptions.check({ ...none, data: "shop" }, environment)).toEqual(folder)
    const other = "postgresql://other/shop"
    const place = DatabaseOptions.check({ ...none, databaseUrl: other }, environment)
    expect(place).toMatchObject({ _tag: "Server", shown: "postgres://other/shop", connections: 10 })
  })

  it("can be told in the environment, and is shown without the password, wherever that stands", () => {
    const place = DatabaseOptions.check(none, environment)
    expect(place).toMatchObject({ _tag: "Server", shown: "postgres://shop@db.example:5433/shop" })
    expect(JSON.stringify(place)).not.toContain("otter")
    expect(place._tag === "Server" && Redacted.value(place.url)).toBe(url)
  })

  it("is told of by the variable, when that is what can't be used", () => {
    const { problems } = DatabaseOptions.find(none, { APPORTION_DATABASE_URL: "brass-otter" })
    expect(problems).toEqual([
      "APPORTION_DATABASE_URL: must be an address as postgres://user:password@host:5432/database",
    ])
  })

  it("is encrypted where the connection leaves this computer, unless the address says otherwise", () => {
    const sslModeOf = (databaseUrl: string) => {
      const place = DatabaseOptions.check({ ...none, databaseUrl }, {})
      const used = place._tag === "Server" ? Redacted.value(place.url) : ""
      return new URL(used).searchParams.get("sslmode")
    }
    for (const host of [
      "db.example",
      "10.0.0.7",
      "[2001:db8::1]",
      "127.example",
      "localhost.example",
    ]) {
      expect(sslModeOf(`postgres://me@${host}:5432/shop`), host).toBe("require")
    }
    for (const host of ["localhost", "127.0.0.1", "127.8.8.8", "[::1]"]) {
      expect(sslModeOf(`postgres://me@${host}/shop`), host).toBe(null)
    }
    expect(sslModeOf("postgres://me@localhost/shop?host=/run/postgresql")).toBe(null)
    expect(sslModeOf("postgres://me@localhost/shop?host=db.example")).toBe("require")
    expect(sslModeOf("postgres://me@db.example/shop?sslmode=disable")).toBe("disable")
    expect(sslModeOf("postgres://me@db.example/shop?sslmode=prefer")).toBe("prefer")
  })
})
