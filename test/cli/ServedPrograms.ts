/** The built program as it serves data that is kept, filled from a seed. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { join } from "node:path"
import { afterAll, afterEach } from "vitest"
import { migratedFolder } from "./DataFolders.js"
import * as Deeds from "./Deeds.js"
import { program, Served } from "./Served.js"
import { Folder } from "./world.js"

/** The programs of a file of tests: those that serve are ended after each test, and their data goes after the last. */
export class ServedPrograms {
  readonly folder = new Folder()
  readonly seed: string = Deeds.seedFile(this.folder)
  readonly #started: Array<Served> = []

  constructor() {
    afterEach(async () => {
      for (const served of this.#started.splice(0)) await served.end("SIGKILL")
    })
    afterAll(() => this.folder.remove(), 120_000)
  }

  /** Starts to serve, at any port. */
  serve(flags: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}): Served {
    const common = ["--port", "0", "--token", "paper-heron-at-dusk", "--rate", "1000000"]
    const served = new Served([...common, "--seed", this.seed, ...flags], environment)
    this.#started.push(served)
    return served
  }

  /** Starts to serve a folder. */
  serveFolder(data: string, ...flags: ReadonlyArray<string>): Served {
    return this.serve(["--data", data, ...flags])
  }

  /** A folder of a name of its own with the tables in it and nothing else. */
  emptyData(name: string): Promise<string> {
    return migratedFolder(join(this.folder.path, name))
  }
}

/** Runs the program to its end. */
export const run = (...args: ReadonlyArray<string>): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [program, ...args], { encoding: "utf8" })
