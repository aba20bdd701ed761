import { describe, expect, it } from "vitest"
import * as ServeOptions from "../../../src/cli/serve/ServeCommand.js"

const secret = "secret-of-these-tests"
const hidden = "hidden-from-everybody"

const flags: ServeOptions.Flags = {
  ...{ host: "127.0.0.1", port: "8080", tokens: [secret], rate: "60" },
  ...{ data: undefined, databaseUrl: undefined, connections: "10" },
  ...{ migrate: false, closeDueEvery: undefined, tokenFile: undefined, webhooks: "public" },
  noPages: false,
  ...{ publicUrl: undefined, proxies: "0", drain: "5", maturityDays: "0", historyMonths: "0" },
  ...{ logFormat: "text", logLevel: "info", otlp: undefined },
  ...{ metricsPort: undefined, metricsHost: "127.0.0.1" },
}

const problemsOf = (
  changes: Partial<ServeOptions.Flags>,
  environment: Readonly<Record<string, string>> = {},
): string => {
  try {
    ServeOptions.check({ ...flags, ...changes }, environment)
    return ""
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

describe("the flags of a server", () => {
  it("say where to listen, for whom, and how much", () => {
    expect(ServeOptions.check({ ...flags, tokens: [secret, `${hidden}=`] }, {})).toEqual({
      host: "127.0.0.1",
      port: 8080,
      tokens: [secret, `${hidden}=`],
      tokenFile: undefined,
      publicUrl: undefined,
      proxies: 0,
      drain: 5,
      rate: 60,
      place: { _tag: "Memory" },
      migrate: false,
      closeDueEvery: undefined,
      hasPages: true,
      webhooks: "public",
      maturityDays: 0,
      historyMonths: 0,
      ...{ logFormat: "text", logLevel: "info", metrics: undefined, otlp: undefined },
    })
  })

  it("say where everything is kept, and how often what is due is closed", () => {
    const options = { ...flags, data: "shop", migrate: true, closeDueEvery: "60" }
    expect(ServeOptions.check(options, {})).toMatchObject({
      ...{ place: { _tag: "Folder", path: "shop" }, migrate: true, closeDueEvery: 60 },
    })
  })

  it.each(["0", "hourly", "31536001"])("refuse to close what is due every %j seconds", (every) => {
    expect(problemsOf({ closeDueEvery: every })).toBe(
      `--close-due-every: must be a whole number from 1 to 31536000, got ${JSON.stringify(every)}`,
    )
  })

  it("say where webhooks are sent to", () => {
    expect(ServeOptions.check({ ...flags, webhooks: "any" }, {}).webhooks).toBe("any")
    expect(problemsOf({ webhooks: "everywhere" })).toBe(
      '--webhooks: must be one of off, public, any, got "everywhere"',
    )
  })

  it("leave the token to the environment, when there is none among them", () => {
    const environment = { APPORTION_TOKEN: hidden }
    expect(ServeOptions.check({ ...flags, tokens: [] }, environment).tokens).toEqual([hidden])
    expect(ServeOptions.check(flags, environment).tokens).toEqual([secret])
    const missing = "--token: is missing: give one, name a --token-file, or set APPORTION_TOKEN"
    expect(problemsOf({ tokens: [] })).toBe(missing)
    expect(problemsOf({ tokens: [] }, { APPORTION_TOKEN: "" })).toBe(missing)
  })

  it.each(["", " 80", "-1", "65536", "8e3", "80.5", "http", "0x50", "٣"])(
    "refuse the port %j, and show it",
    (port) => {
      expect(problemsOf({ port })).toBe(
        `--port: must be a whole number from 0 to 65535, got ${JSON.stringify(port)}`,
      )
    },
  )

  it.each(["0", "1000001", "fast"])("refuse the rate %j, and show it", (rate) => {
    expect(problemsOf({ rate })).toBe(
      `--rate: must be a whole number from 1 to 1000000, got ${JSON.stringify(rate)}`,
    )
  })

  it.each(["", "a b", "http://here", "here/there"])("refuse the host %j, and show it", (host) => {
    expect(problemsOf({ host })).toMatch(/^--host: must be the name or address of this computer/)
    expect(problemsOf({ host })).toContain(`got ${JSON.stringify(host)}`)
  })

  it.each(["a b", "tökén", "a,b", "=", "line\nbreak", "<x>"])(
    "refuse the token %j, and don't show it",
    (token) => {
      for (const told of [
        problemsOf({ tokens: [token] }),
        problemsOf({ tokens: [] }, { APPORTION_TOKEN: token }),
      ]) {
        expect(told).toMatch(
          /^(?:--token|APPORTION_TOKEN): has a character that a token can't have/,
        )
        expect(told.includes(token) && token !== "=").toBe(false)
      }
    },
  )

  it("refuse a token that would be guessed, and don't show it", () => {
    expect(problemsOf({ tokens: ["fifteen-letters"] })).toBe(
      '--token: is too short: a token has at least 16 characters, or it would be guessed; "apportion token" makes one',
    )
    expect(problemsOf({ tokens: ["sixteen--letters"] })).toBe("")
    expect(problemsOf({ tokens: [] }, { APPORTION_TOKEN: "a" })).toMatch(/^APPORTION_TOKEN: is too/)
  })

  it("need no token beside a file of them", () => {
    const options = { ...flags, tokens: [], tokenFile: "tokens" }
    expect(ServeOptions.check(options, {})).toMatchObject({ tokens: [], tokenFile: "tokens" })
  })

  it.each(["api.example.com", "ftp://api.example.com", "https://api.example.com?a=1", ""])(
    "refuse to put %j into links",
    (publicUrl) => {
      expect(problemsOf({ publicUrl })).toBe(
        `--public-url: must be an http or https URL without a query, as https://api.example.com, got "${publicUrl}"`,
      )
    },
  )

  it("are told of all at once", () => {
    const told = problemsOf({ host: "?", port: "x", tokens: [""], rate: "0" }).split("\n")
    expect(told.map((line) => line.split(":", 1)[0])).toEqual([
      "--host",
      "--port",
      "--token",
      "--rate",
    ])
  })
})
