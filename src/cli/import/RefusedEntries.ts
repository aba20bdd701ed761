/** What an import refused: told line by line, and kept in files that can be imported again. */
import { type FileHandle, open } from "node:fs/promises"
import { resolve } from "node:path"
import * as ExitCode from "../ExitCode.js"
import type { Record } from "../input/Records.js"
import type { Source } from "../input/Sources.js"

/** The name of the file for refunds, beside that for orders. */
const refundsName = (name: string): string =>
  /\.[^./\\]+$/.test(name) ? name.replace(/(\.[^./\\]+)$/, ".refunds$1") : `${name}.refunds`

/** A file that is there only once there is something in it; what an earlier run left is replaced. */
class LinesFile {
  readonly name: string
  private handle: FileHandle | undefined
  private last: Record | undefined

  constructor(name: string) {
    this.name = name
  }

  async add(record: Record): Promise<void> {
    if (this.last === record) return
    this.last = record
    this.handle ??= await open(this.name, "w")
    await this.handle.writeFile(`${JSON.stringify(record.value)}\n`)
  }

  async close(): Promise<void> {
    await this.handle?.close()
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

  /** Tells why an entry was refused, and keeps it. What can't be read as JSON is told of only. */
  async add(
    kind: "orders" | "refunds",
    record: Record | undefined,
    lines: ReadonlyArray<string>,
  ): Promise<void> {
    for (const line of lines) this.note(line)
    if (record === undefined) return
    try {
      await this[kind]?.add(record)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new ExitCode.UnusableInput({ message: `--refused: can't be written: ${reason}` })
    }
  }

  async close(): Promise<void> {
    await this.orders?.close()
    await this.refunds?.close()
  }
}
