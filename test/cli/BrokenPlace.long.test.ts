import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { migratedFolder } from "./DataFolders.js"
import { Folder, run } from "./world.js"

const world = new Folder()
afterAll(() => world.remove(), 60_000)
const at = (name: string): string => join(world.path, name)

/** A folder with the tables in it and nothing else. */
const copyOf = (name: string): string => {
  cpSync(at("sound"), at(name), { recursive: true })
  return at(name)
}

beforeAll(async () => {
  await migratedFolder(at("sound"))
  mkdirSync(at("empty"))
  mkdirSync(at("photos"))
  writeFileSync(at("photos/me.jpg"), "")
  writeFileSync(at("file"), "")
  mkdirSync(at("bare"))
  writeFileSync(at("bare/PG_VERSION"), "18\n")
  writeFileSync(join(copyOf("older"), "database/PG_VERSION"), "17\n")
  rmSync(join(copyOf("holed"), "database/global/pg_control"))
  rmSync(join(copyOf("beheaded"), "database/PG_VERSION"))
  rmSync(join(copyOf("hollow"), "database"), { recursive: true })
  mkdirSync(at("hollow/database"))
  writeFileSync(at("hollow/database/PG_VERSION"), "18\n")
}, 120_000)

/** What a user did wrong, and what they are told. */
interface Broken {
  readonly title: string
  readonly args: () => ReadonlyArray<string>
  readonly says: ReadonlyArray<string>
}

const address = "postgres://me:brass-otter@127.0.0.1:1"

const broken: ReadonlyArray<Broken> = [
  {
    title: "a folder and a server at once",
    args: () => ["migrate", "--data", at("sound"), "--database-url", `${address}/shop`],
    says: ["--data and --database-url: give one of them"],
  },
  {
    title: "neither a folder nor a server",
    args: () => ["audit"],
    says: ["--data: is missing: give a folder, or --database-url, or set APPORTION_DATABASE_URL"],
  },
  {
    title: "an address that is none",
    args: () => ["migrate", "--database-url", "brass-otter"],
    says: ["--database-url: must be an address as postgres://user:password@host:5432/database"],
  },
  {
    title: "a database of which a part is missing, which PGlite would make anew",
    args: () => ["audit", "--data", at("beheaded")],
    says: [
      `${at("beheaded")}: its database is damaged (database/PG_VERSION is missing), and was left as it is`,
    ],
  },
  {
    title: "a parameter that is misspelt, so that nothing would be encrypted",
    args: () => ["migrate", "--database-url", `${address}/shop?sslmod=require`],
    says: ['--database-url: has a parameter that is not known, "sslmod": there are host, port'],
  },
  {
    title: "a way of encrypting that there is not",
    args: () => ["migrate", "--database-url", `${address}/shop?sslmode=banana`],
    says: [
      "--database-url: sslmode must be one of disable, allow, prefer, require",
      'got "banana"',
    ],
  },
  {
    title: "an address of something else",
    args: () => ["migrate", "--database-url", "mysql://me:brass-otter@host/shop"],
    says: ["--database-url: must be an address as postgres://", "begins with another word"],
  },
  {
    title: "an address without a database",
    args: () => ["migrate", "--database-url", address],
    says: ["--database-url: names no database"],
  },
  {
    title: "no connection to a server",
    args: () => ["migrate", "--database-url", `${address}/shop`, "--connections", "0"],
    says: ['--connections: must be a whole number from 1 to 1000, got "0"'],
  },
  {
    title: "a folder without a name, beside other problems",
    args: () => ["serve", "--port", "x", "--token", "token-of-these-tests", "--data", ""],
    says: ["--port: must be", "--data: must name a folder"],
  },
  {
    title: "a file where a folder should be",
    args: () => ["migrate", "--data", at("file")],
    says: [`${at("file")}: is a file, not a folder`],
  },
  {
    title: "a folder in a file",
    args: () => ["migrate", "--data", at("file/shop")],
    says: [`${at("file/shop")}: lies in a file`],
  },
  {
    title: "a folder with something else in it",
    args: () => ["migrate", "--data", at("photos")],
    says: [`${at("photos")}: holds other things (me.jpg): name an empty folder, or a new one`],
  },
  {
    title: "the folder of a database itself",
    args: () => ["migrate", "--data", at("bare")],
    says: [
      `${at("bare")}: is the folder of a database itself: apportion keeps one in a folder named database within its own`,
    ],
  },
  {
    title: "a folder of another version of PostgreSQL",
    args: () => ["serve", "--port", "0", "--token", "token-of-these-tests", "--data", at("older")],
    says: [`${at("older")}: its database can't be opened: `, "incompatible"],
  },
  {
    title: "a folder that lacks a file",
    args: () => ["audit", "--data", at("holed")],
    says: [`${at("holed")}: its database can't be opened: `],
  },
  {
    title: "a folder that lacks nearly everything",
    args: () => ["audit", "--data", at("hollow")],
    says: [`${at("hollow")}: its database can't be opened: `],
  },
  {
    title: "a folder to audit that is not there",
    args: () => ["audit", "--data", at("nowhere")],
    says: [`${at("nowhere")}: there is no such folder`],
  },
  {
    title: "a folder to back up with nothing in it",
    args: () => ["backup", "--data", at("empty"), "--to", at("backup")],
    says: [`${at("empty")}: holds no data of apportion`],
  },
  {
    title: "an account that has nothing",
    args: () => ["audit", "--data", at("sound"), "--account", "nobody"],
    says: [`--account: ${at("sound")} has nothing of an account "nobody"`],
  },
  {
    title: "a backup that is not there",
    args: () => ["restore", "--from", at("nowhere"), "--data", at("new")],
    says: [`${at("nowhere")}: there is no such file`],
  },
]

describe("what is wrong with a place is told in a message that helps", () => {
  it.each(broken)("$title", async ({ args, says }) => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => {
      throw new Error("the process was ended")
    })
    const { code, out, err } = await run(args())
    expect(exit).not.toHaveBeenCalled()
    exit.mockRestore()
    for (const said of says) expect(err).toContain(said)
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).not.toMatch(/\n\s+at |otter/)
    expect(err.length).toBeLessThan(500)
  })

  it("leaves no folder and no note behind", () => {
    const names = [...readdirSync(at("older")), ...readdirSync(at("holed")), ...readdirSync(at(""))]
    expect(names.filter((name) => name.startsWith("in-use"))).toEqual([])
    expect(names).not.toContain("new")
    expect(readdirSync(at("empty"))).toEqual([])
  })

  // Whoever may do everything is refused nothing.
  if (process.getuid?.() !== 0) {
    it("tells of a folder of somebody else", async () => {
      chmodSync(copyOf("locked"), 0o500)
      const { code, err } = await run(["audit", "--data", at("locked")])
      chmodSync(at("locked"), 0o700)
      expect({ code, err }).toEqual({
        ...{ code: 2, err: `apportion: ${at("locked")}: may not be used (permission denied)\n` },
      })
    })
  }
})

it("a damaged database is left as it is by every command", async () => {
  const before = readdirSync(at("beheaded/database"), { recursive: true })
  for (const command of [["audit"], ["migrate"], ["backup", "--to", at("beheaded.ndjson")]]) {
    const { code, err } = await run([...command, "--data", at("beheaded")])
    expect([code, err]).toEqual([2, expect.stringContaining("is damaged")])
  }
  expect(readdirSync(at("beheaded/database"), { recursive: true })).toEqual(before)
})
