/** A statement in files of their own, one for each collaborator. */
import { mkdir, open, readdir } from "node:fs/promises"
import { join } from "node:path"
import * as ExitCode from "./ExitCode.js"
import { Output } from "./Output.js"
import type { Statement } from "./Statement.js"

const longestName = 60

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
  const taken = new Set<string>()
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
    if ((await readdir(folder)).length > 0) refuse(folder, "must be empty, or not there yet")
  })

/** Writes the file of each collaborator who has payouts, and answers how many there are. */
export const write = (
  folder: string,
  statement: Statement,
  options: {
    readonly extension: string
    readonly texts: (statement: Statement) => Iterable<string>
  },
): Promise<number> =>
  orRefuse(folder, async () => {
    const nameOf = namer()
    const sections = statement.sections.filter(({ payouts }) => payouts.length > 0)
    for (const section of sections) {
      const name = `${nameOf(section.collaborator.id)}.${options.extension}`
      const file = await open(join(folder, name), "wx")
      try {
        const write = async (text: string | Uint8Array) => void (await file.writeFile(text))
        const output = new Output({ isTerminal: false, columns: undefined, write })
        for (const text of options.texts({ ...statement, sections: [section] })) {
          output.add(text)
          await output.flushLarge()
        }
        await output.flush()
      } finally {
        await file.close()
      }
    }
    return sections.length
  })
