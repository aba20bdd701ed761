/**
 * A folder for what the tests of a run share; see `templates.ts`. Node keeps compiled modules there too: the command line is
 * begun many times.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    readonly templates: string
  }
}

let folder: string | undefined

export const setup = (project: TestProject): void => {
  folder = mkdtempSync(join(tmpdir(), "apportion-templates-"))
  project.provide("templates", folder)
  process.env.NODE_COMPILE_CACHE = join(folder, "compiled")
}

export const teardown = (): void => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}
