/** A small world for the command line: files in a folder of their own, and what a run says. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import * as Cli from "../../src/cli/Cli.js"
import type { Sink } from "../../src/cli/Session.js"
import type { Jobs } from "../../src/cli/split/Job.js"

/** What a run answered. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

const sinkInto = (texts: Array<string>, isTerminal: boolean): Sink => ({
  isTerminal,
  columns: isTerminal ? 80 : undefined,
  write: async (text) => {
    texts.push(Buffer.from(text).toString("utf8"))
  },
})

const bytesOf = (stdin: string | Buffer): AsyncIterable<Uint8Array> =>
  Readable.from([Buffer.from(stdin)])

/** Runs the command line in this process. */
export const run = async (
  args: ReadonlyArray<string>,
  options: {
    readonly stdin?: string | Buffer | AsyncIterable<Uint8Array>
    readonly isTerminal?: boolean
    readonly stdout?: Sink
    readonly jobs?: Jobs
    readonly environment?: Readonly<Record<string, string>>
    /** Ends when the run is interrupted. */
    readonly stopped?: Promise<"SIGTERM" | "SIGINT">
  } = {},
): Promise<Ran> => {
  const out: Array<string> = []
  const err: Array<string> = []
  const { stdin = "", isTerminal = false, jobs } = options
  const code = await Cli.run(args, {
    stdin: typeof stdin === "string" || Buffer.isBuffer(stdin) ? bytesOf(stdin) : stdin,
    stdout: options.stdout ?? sinkInto(out, isTerminal),
    stderr: sinkInto(err, isTerminal),
    environment: options.environment ?? {},
    stopped: () => options.stopped ?? new Promise(() => undefined),
    jobs,
  })
  return { code, out: out.join(""), err: err.join("") }
}

/** The contents of a file: a text, bytes, or a value that is written as JSON. */
export type Contents = string | Buffer | object

/** A folder of files that goes away; it is there again when it is used after that, by another file of tests. */
export class Folder {
  #path: string | undefined

  get path(): string {
    this.#path ??= mkdtempSync(join(tmpdir(), "apportion-"))
    return this.#path
  }

  /** Writes a file, and answers its path. */
  file(name: string, contents: Contents): string {
    const path = join(this.path, name)
    const isText = typeof contents === "string" || Buffer.isBuffer(contents)
    writeFileSync(path, isText ? contents : JSON.stringify(contents))
    return path
  }

  remove(): void {
    if (this.#path !== undefined) rmSync(this.#path, { recursive: true, force: true })
    this.#path = undefined
  }
}

/** Lines of JSON. */
export const ndjson = (values: ReadonlyArray<unknown>): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("")

/** Ada earns a quarter of all art, Sam a tenth of everything. */
export const groups = [
  {
    id: "g1",
    collaborator_id: "ada",
    itemType: "products.tag",
    items: ["art"],
    type: "percentage",
    percentage: "25.00",
  },
  {
    id: "g2",
    collaborator_id: "sam",
    itemType: "products.all",
    items: [],
    type: "percentage",
    percentage: "10.00",
  },
]

export const collaborators = [
  { id: "ada", currency: "USD", payout_measurement: "month", account: { name: "Ada & Co" } },
  { id: "sam", currency: "EUR", payout_measurement: "month", account: { name: "Sam" } },
]

/** An order with one item of art. 1767225599 is the last second of 2025 in UTC. */
export const order = (id: string, changes: object = {}) => ({
  id,
  currency: "USD",
  created_at: 1_735_732_800,
  items: [
    {
      external_id: `${id}-1`,
      amount: 10_000,
      quantity: 2,
      product: { id: "p1", name: "Blue Hour", tags: ["art"] },
    },
  ],
  ...changes,
})
