/** Files that outlive a power cut: written data is synchronised to the disk. */
import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** Has the disk keep a file, or the list of a folder's files. */
export const syncPath = (path: string): void => {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Has the disk keep everything in a folder, and the folder. */
export const syncAll = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncAll(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}
