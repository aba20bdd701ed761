import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { PlainStorage } from "apportion/ports"

export const folder = "docs/examples/json-file-store"

/** The example's own module, as a host would import it. */
export const load = async (): Promise<{
  readonly makeJsonFileStorage: (folder: string) => Promise<PlainStorage>
}> => import(/* @vite-ignore */ resolve(folder, "JsonFileStorage.mjs"))

/** Runs something with an empty folder, which is gone afterwards. */
export const withFolder = async <A>(run: (path: string) => Promise<A>): Promise<A> => {
  const path = await mkdtemp(join(tmpdir(), "json-file-store-"))
  try {
    return await run(path)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}
