/** One server for all tests of a run that need one. */
import type { TestProject } from "vitest/node"
import { type Server, start } from "./embeddedPostgres.js"

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresUrl: string
  }
}

let server: Server | undefined

/** Starts the server before the tests. */
export const setup = async (project: TestProject): Promise<void> => {
  // What is lost in a crash is of no matter here; the tests of crashes have servers of their own.
  const flags = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
  server = await start(flags.flatMap((flag) => ["-c", flag]))
  project.provide("postgresUrl", server.url)
}

/**
 * The embedded server's package ends the process by itself once there is nothing more to do, and says that
 * all went well. What the tests made of the exit code has to stay.
 */
const keepExitCode = (): void => {
  process.prependOnceListener("beforeExit", () => process.exit())
}

/** Stops it after them. */
export const teardown = async (): Promise<void> => {
  keepExitCode()
  await server?.stop()
}
