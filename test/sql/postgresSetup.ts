/** One server for all tests of a run that need one. */
import type { TestProject } from "vitest/node"
import { start } from "./embeddedPostgres.js"

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresUrl: string
  }
}

/** Starts the server before the tests, and stops it after them. */
export default async function setup(project: TestProject) {
  // What is lost in a crash is of no matter here; the tests of crashes have servers of their own.
  const flags = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
  const server = await start(flags.flatMap((flag) => ["-c", flag]))
  project.provide("postgresUrl", server.url)
  return server.stop
}
