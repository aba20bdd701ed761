/** What takes seconds to make is made once in a test run, by the first test that needs it; the others copy it. */
import { existsSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { threadId } from "node:worker_threads"
import { inject } from "vitest"

/** The path of a file or folder that is made at most once in each process, and kept for all of them. */
export const templateOf = async (
  name: string,
  make: (path: string) => Promise<void>,
): Promise<string> => {
  const path = join(inject("templates"), name)
  if (existsSync(path)) return path
  const own = `${path}-${process.pid}-${threadId}`
  await make(own)
  try {
    renameSync(own, path)
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(path)) throw error
    rmSync(own, { recursive: true })
  }
  return path
}
