import { createHash, randomUUID } from "node:crypto"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Tokens } from "apportion/ports"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { AccessTokens, makeToken, parse } from "../../../src/cli/serve/AccessTokens.js"
import { Folder, run } from "../world.js"

const folder = new Folder()
afterAll(() => folder.remove())

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex")
const accountId = "default"

const problemsOf = (text: string): string => {
  try {
    parse(text, "tokens")
    return ""
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

describe("a token file", () => {
  it("has a hash and a name in each line, and may have comments", () => {
    const [one, other, third] = ["one", "other", "third"].map(hashOf)
    const text = `# who may ask\n\n${one} alice\r\n${other?.toUpperCase()}  -\n  ${third}\tBob of Shop 2 \n`
    expect(parse(text, "tokens")).toEqual([
      { hash: one, accountId, actor: "alice" },
      { hash: other, accountId },
      { hash: third, accountId, actor: "Bob of Shop 2" },
    ])
  })

  it("says what a token may be used for, in brackets after its hash", () => {
    const one = hashOf("one")
    const owner = { hash: one, accountId }
    const read = (rest: string) => parse(`${one}${rest}`, "tokens")[0]
    expect(read(" [read, payouts] the bank")).toEqual({
      ...{ ...owner, scopes: ["read", "payouts"], actor: "the bank" },
    })
    expect(read(" [record]")).toEqual({ ...owner, scopes: ["record"] })
    expect(read("")).toEqual(owner)
    const told =
      "tokens:1: has something else than scopes between the brackets: they are read, record, manage, payouts, with commas between them"
    expect(problemsOf(`${one} [reed] alice`)).toBe(told)
    expect(problemsOf(`${one} [] alice`)).toBe(told)
    expect(problemsOf(`${one} [read alice`)).toContain("has a name that can't be one")
  })

  it("is told of what it can't have, without showing it", () => {
    const told = problemsOf(
      `secret-by-mistake\n${hashOf("a")} -n\n${hashOf("a")} ${"x".repeat(201)}`,
    )
    expect(told.split("\n").map((line) => line.split(": ", 1)[0])).toEqual([
      "tokens:1",
      "tokens:2",
      "tokens:3",
    ])
    expect(told).toContain("must begin with the SHA-256 of a token, 64 hexadecimal digits")
    expect(told).not.toContain("secret")
  })
})

/** The tokens of a file, and what was noted of them. */
const openFile = async (text: string) => {
  const file = join(folder.path, randomUUID())
  writeFileSync(file, text)
  const noted: Array<string> = []
  const tokens = await AccessTokens.open({ tokens: [], file, note: (line) => noted.push(line) })
  const find = (token: string) =>
    Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Tokens, (found) => found.find(hashOf(token))),
        tokens.layer,
      ),
    )
  return { file, tokens, noted, find }
}

describe("tokens of a file", () => {
  it("are good, and others are not", async () => {
    const { find } = await openFile(`${hashOf("one")} alice`)
    expect(await find("one")).toEqual({ hash: hashOf("one"), accountId, actor: "alice" })
    expect(await find("other")).toBeUndefined()
  })

  it("change with it, without a new start", async () => {
    const { file, find, tokens, noted } = await openFile(hashOf("one"))
    writeFileSync(file, hashOf("other"))
    await tokens.reload()
    expect(await find("one")).toBeUndefined()
    expect(await find("other")).toBeDefined()
    expect(noted).toEqual([`apportion: ${file}: read again, 1 tokens are good`])
  })

  it.each(["not a token", "", "# nobody"])(
    "stay what they were when it can't be used: %j",
    async (text) => {
      const { file, find, tokens, noted } = await openFile(hashOf("one"))
      writeFileSync(file, text)
      await tokens.reload()
      expect(await find("one")).toBeDefined()
      expect(noted.join("\n")).toContain("the tokens read before stay good")
      expect(noted.join("\n")).not.toContain("not a token")
    },
  )

  it("are read again when the run is told to", async () => {
    const { file, find, tokens } = await openFile(hashOf("one"))
    let reload = () => {}
    const stop = tokens.watch({
      onReload: (given) => {
        reload = given
        return () => {}
      },
    })
    writeFileSync(file, hashOf("other"))
    reload()
    while ((await find("other")) === undefined)
      await new Promise((resolve) => setImmediate(resolve))
    expect(await find("one")).toBeUndefined()
    stop()
  })

  it("must be there when it begins", async () => {
    const open = (file: string) => AccessTokens.open({ tokens: [], file, note: () => undefined })
    await expect(open(join(folder.path, "none"))).rejects.toThrow(
      /^--token-file: .*: there is no such file$/,
    )
    writeFileSync(join(folder.path, "empty"), "# nobody\n")
    await expect(open(join(folder.path, "empty"))).rejects.toThrow(
      /has no token; "apportion token --file/,
    )
  })
})

describe("apportion token", () => {
  it("makes a new token each time, long enough that nobody guesses it", () => {
    const made = Array.from({ length: 100 }, makeToken)
    expect(new Set(made).size).toBe(100)
    for (const token of made) expect(token).toMatch(/^apportion_[\w-]{43}$/)
  })

  it("adds its hash to a file, and tells the token alone", async () => {
    const file = join(folder.path, "made")
    const first = await run(["token", "--file", file, "--name", "alice"])
    const second = await run(["token", "--file", file])
    expect([first.code, second.code]).toEqual([0, 0])
    const [one, other] = [first.out.trimEnd(), second.out.trimEnd()]
    expect(readFileSync(file, "utf8")).toBe(`${hashOf(one)} alice\n${hashOf(other)}\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it("tells the line when there is no file, and refuses a name that can't be one", async () => {
    const { out } = await run(["token", "--name", "alice"])
    const [, token = "", line] = /^token: (\S+)\nline of the token file: (.*)\n$/.exec(out) ?? []
    expect(line).toBe(`${hashOf(token)} alice`)
    expect(await run(["token", "--name=-x"])).toMatchObject({ code: 2, out: "" })
  })
})
