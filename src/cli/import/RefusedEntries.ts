/** The entries that an import refused: reported line by line, and written into files that can be imported again. */
import { type FileHandle, lstat, open, rm } from "node:fs/promises"
import { resolve } from "node:path"
import * as ExitCode from "../ExitCode.js"
import type { InputEntry } from "../input/Records.js"
import type { Source } from "../input/Sources.js"

/** The name of the file for refunds, beside that for orders. */
const refundsName = (name: string): string =>
  /\.[^./\\]+$/.test(name) ? name.replace(/(\.[^./\\]+)$/, ".refunds$1") : `${name}.refunds`

/** A file that exists only when it has lines. The file of an earlier run is replaced or removed. */
class LinesFile {
  readonly name: string
  private handle: FileHandle | undefined
  private last: InputEntry | undefined

  constructor(name: string) {
    this.name = name
  }

  async add(entry: InputEntry): Promise<void> {
    if (this.last === entry) return
    this.last = entry
    const text = entry._tag === "Record" ? JSON.stringify(entry.value) : entry.text
    if (text === undefined) return
    this.handle ??= await open(this.name, "w")
    await this.handle.writeFile(`${text}\n`)
  }

  /** Removes the file of an earlier run if this run has written no line. */
  async end(): Promise<void> {
    if (this.handle !== undefined) return
    const known = await lstat(this.name).catch(() => undefined)
    // Only a regular file, which an earlier run may have written: no device, no link.
    if (known?.isFile() === true) await rm(this.name)
  }

  async close(): Promise<void> {
    await this.handle?.close()
  }
}

const writing = async (write: () => Promise<void>): Promise<void> => {
  try {
    await write()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ExitCode.UnusableInput({ message: `--refused: can't be written: ${reason}` })
  }
}

export class RefusedEntries {
  readonly note: (message: string) => void
  private readonly orders: LinesFile | undefined
  private readonly refunds: LinesFile | undefined

  constructor(
    name: string | undefined,
    options: {
      readonly inputs: ReadonlyArray<Source | undefined>
      readonly note: (message: string) => void
    },
  ) {
    this.note = options.note
    if (name === undefined) return
    const names = [name, refundsName(name)]
    const input = options.inputs.find(
      (source) =>
        source?.isFile === true && names.some((one) => resolve(one) === resolve(source.name)),
    )
    if (input !== undefined) {
      const message = `--refused: must be another file than ${input.name}, which is read`
      throw new ExitCode.UnusableInput({ message })
    }
    this.orders = new LinesFile(name)
    this.refunds = new LinesFile(refundsName(name))
  }

  /** Reports why an entry was refused, and writes the entry into the file if it is text. */
  async add(
    kind: "orders" | "refunds",
    entry: InputEntry,
    lines: ReadonlyArray<string>,
  ): Promise<void> {
    for (const line of lines) this.note(line)
    await writing(async () => this[kind]?.add(entry))
  }

  /** Removes the files of an earlier run into which this run has written no line. */
  async end(): Promise<void> {
    await writing(async () => {
      await this.orders?.end()
      await this.refunds?.end()
    })
  }

  async close(): Promise<void> {
    await this.orders?.close()
    await this.refunds?.close()
  }
}
