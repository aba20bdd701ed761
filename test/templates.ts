/** What takes seconds to make is made once in a test run, by the first test that needs it; the others copy it. */
import { existsSync, mkdirSync, renameSync, rmdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { inject } from "vitest"

/** Whether nobody else makes it. */
const isFirst = (lock: string): boolean => {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

/** The path of a file or folder that one process makes, and all of them keep. */
export const templateOf = async (
  name: string,
  make: (path: string) => Promise<void>,
): Promise<string> => {
  const path = join(inject("templates"), name)
  const lock = `${path}-lock`
  while (!existsSync(path)) {
    if (!isFirst(lock)) {
      await setTimeout(100)
      continue
    }
    try {
      await make(`${path}-new`)
      renameSync(`${path}-new`, path)
    } finally {
      rmdirSync(lock)
    }
  }
  return path
}
