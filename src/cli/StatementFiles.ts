/** A statement in files of their own, one for each collaborator, and a page that leads to them. */
import { mkdir, open, readdir } from "node:fs/promises"
import { join } from "node:path"
import * as ExitCode from "./ExitCode.js"
import { Output } from "./Output.js"
import type { Statement } from "./Statement.js"
import type { StatementFile } from "./StatementIndex.js"

const longestName = 60

/** The page that leads to the others. */
const indexName = "index"

/** A name that every system takes for a file: other characters are written as their code, as `%2F`. */
const fileNameOf = (id: string): string =>
  id
    .replace(
      /[^\p{L}\p{N}_-]/gu,
      (character) => `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
    )
    .slice(0, longestName)

/** Names files by ids; of names that some system takes for the same, each gets a number. */
const namer = () => {
  const taken = new Set([indexName])
  return (id: string): string => {
    const name = fileNameOf(id)
    const numbered = (count: number): string => {
      const candidate = count === 1 ? name : `${name}~${count}`
      return taken.has(candidate.toLowerCase()) ? numbered(count + 1) : candidate
    }
    const found = numbered(1)
    taken.add(found.toLowerCase())
    return found
  }
}

const refuse = (folder: string, message: string): never => {
  throw new ExitCode.UnusableInput({ message: `--output-dir: ${folder}: ${message}` })
}

const orRefuse = async <A>(folder: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (cause) {
    if (ExitCode.isStopped(cause)) throw cause
    return refuse(folder, cause instanceof Error ? cause.message : String(cause))
  }
}

/** Makes the folder. One with something in it is refused: a statement of last month is not written over. */
export const prepare = (folder: string): Promise<void> =>
  orRefuse(folder, async () => {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length > 0) refuse(folder, "must be empty or not exist yet")
  })

const writeFile = async (path: string, texts: Iterable<string>): Promise<void> => {
  const file = await open(path, "wx")
  try {
    const write = async (text: string | Uint8Array) => void (await file.writeFile(text))
    const output = new Output({ isTerminal: false, columns: undefined, write })
    for (const text of texts) {
      output.add(text)
      await output.flushLarge()
    }
    await output.flush()
  } finally {
    await file.close()
  }
}

/** Writes the file of each collaborator who has payouts, and the page; answers how many collaborators these are. */
export const write = (
  folder: string,
  statement: Statement,
  options: {
    readonly extension: string
    readonly texts: (statement: Statement) => Iterable<string>
    /** The lines that say who makes the statement out. */
    readonly issuer: ReadonlyArray<string>
  },
): Promise<number> =>
  orRefuse(folder, async () => {
    const nameOf = namer()
    const files: Array<StatementFile> = statement.sections
      .filter(({ payouts }) => payouts.length > 0)
      .map((section) => ({
        section,
        name: `${nameOf(section.collaborator.id)}.${options.extension}`,
      }))
    for (const { section, name } of files) {
      await writeFile(join(folder, name), options.texts({ ...statement, sections: [section] }))
    }
    const { text } = await import("./StatementIndex.js")
    await writeFile(join(folder, `${indexName}.html`), [text(statement, files, options.issuer)])
    return files.length
  })
