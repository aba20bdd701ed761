/**
 * A storage for apportion that keeps each account in a JSON file of its own. For one process at a time.
 */
import { randomUUID } from "node:crypto"
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Conflict } from "apportion/ports"
import * as Account from "./Account.mjs"
import { storesOf } from "./stores.mjs"

const ending = ".json"

/**
 * The name of an account's file: readable where it can be, and no two accounts have the same one, not even
 * where small and capital letters are the same to the disk.
 *
 * @param {string} accountId
 */
const fileNameOf = (accountId) => {
  const escaped = (/** @type {string} */ unit) =>
    `_${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  return `${accountId.replace(/[^a-z0-9-]/g, escaped)}${ending}`
}

/** @param {string} name */
const accountIdOf = (name) =>
  name
    .slice(0, -ending.length)
    .replace(/_(....)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/**
 * The text of a file; empty when there is none.
 *
 * @param {string} path
 */
const readText = (path) =>
  readFile(path, "utf8").catch((error) => {
    if (error.code === "ENOENT") return ""
    throw error
  })

/**
 * Writes a file so that a reader, and whoever starts after a crash, finds the old text or the new one and
 * never half of it.
 *
 * @param {string} path
 * @param {string} text
 */
const replaceFile = async (path, text) => {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(temporary, "wx")
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Lets those who ask under the same name go one after the other. */
const makeTurns = () => {
  /** @type {Map<string, Promise<unknown>>} */
  const last = new Map()
  /** @type {(name: string, run: () => Promise<void>) => Promise<void>} */
  return async (name, run) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(run)
    const ended = turn.catch(() => undefined)
    last.set(name, ended)
    await ended
    if (last.get(name) === ended) last.delete(name)
    return turn
  }
}

/**
 * Makes a storage in a folder, which is made when it isn't there.
 *
 * @param {string} folder
 * @returns {Promise<import("apportion/ports").PlainStorage>}
 */
export const makeJsonFileStorage = async (folder) => {
  await mkdir(folder, { recursive: true })
  const inTurn = makeTurns()
  const pathOf = (/** @type {string} */ accountId) => join(folder, fileNameOf(accountId))

  /**
   * Keeps what a transaction did, unless another one has kept something since this one has read the file.
   *
   * @param {string} accountId
   * @param {import("./Account.mjs").Account} account
   */
  const keep = (accountId, account) =>
    inTurn(accountId, async () => {
      const path = pathOf(accountId)
      const { revision } = Account.read(await readText(path))
      if (revision !== account.revision) throw Conflict.of("account", accountId)
      await replaceFile(path, Account.write({ ...account, revision: revision + 1 }))
    })

  return {
    transaction: async (accountId, work, options) => {
      // Everything happens on a copy of the account that nobody else has: when the work rejects, the copy
      // is forgotten, and that is all there is to rolling back.
      const account = Account.read(await readText(pathOf(accountId)))
      const before = Account.write(account)
      const result = await work(storesOf(account, options?.actor ?? "unknown"))
      const isChanged = options?.mode !== "read" && Account.write(account) !== before
      if (isChanged) await keep(accountId, account)
      return result
    },
    accounts: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith(ending))
      const found = await Promise.all(
        names.map(async (name) => {
          const account = Account.read(await readText(join(folder, name)))
          return Account.isEmpty(account) ? [] : [accountIdOf(name)]
        }),
      )
      return found.flat().sort()
    },
  }
}
