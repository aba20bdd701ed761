/** Folders with data, as copies of ones that are made once in a test run. */
import { cpSync } from "node:fs"
import { FolderStorage } from "apportion/sql/folder"
import { Effect, Layer } from "effect"
import { templateOf } from "../templates.js"

/** Makes a folder with the tables in it and nothing else; gives its path. */
export const migratedFolder = async (path: string): Promise<string> => {
  const template = await templateOf("migrated", (own) =>
    Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(FolderStorage.layer(own))))),
  )
  cpSync(template, path, { recursive: true })
  return path
}
