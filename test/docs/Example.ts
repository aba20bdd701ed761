import { globSync, readFileSync } from "node:fs"

/** A fenced block of a page or of a doc comment. */
export interface Block {
  /** The file it stands in, from the repository's root. */
  readonly file: string
  /** The line of its first line of code, from 1. */
  readonly line: number
  /** The words after the fence: the language, then options. */
  readonly info: ReadonlyArray<string>
  readonly code: string
}

const fence = /^\s*(`{3,}|~{3,})\s*(.*)$/

/** The fenced blocks of a markdown text. */
export const blocksOf = (file: string, text: string, firstLine = 1): ReadonlyArray<Block> => {
  const found: Array<Block> = []
  let open: { mark: string; info: string; line: number; lines: Array<string> } | undefined
  for (const [index, line] of text.split("\n").entries()) {
    const [, mark = "", info = ""] = fence.exec(line) ?? []
    if (open === undefined) {
      if (mark !== "") open = { mark, info, line: firstLine + index + 1, lines: [] }
    } else if (mark.startsWith(open.mark) && info.trim() === "") {
      const words = open.info.trim().split(/\s+/)
      found.push({ file, line: open.line, info: words, code: open.lines.join("\n") })
      open = undefined
    } else {
      open.lines.push(line)
    }
  }
  if (open !== undefined) throw new Error(`${file}:${open.line}: a fenced block is never closed`)
  return found
}

/** The fenced blocks inside the doc comments of a source text. */
export const blocksOfComments = (file: string, text: string): ReadonlyArray<Block> =>
  [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap((comment) => {
    const firstLine = text.slice(0, comment.index).split("\n").length
    const lines = comment[0].split("\n").map((line) => line.replace(/^\s*\* ?/, ""))
    return blocksOf(file, lines.join("\n"), firstLine)
  })

const isPage = (file: string) => file.endsWith(".md")

/** Every page and every source file whose examples are run, from the repository's root. */
export const files = (): ReadonlyArray<string> =>
  [...globSync("*.md"), ...globSync("docs/**/*.md"), ...globSync("src/**/*.ts")].sort()

/** Every fenced block of the pages and of the doc comments. */
export const blocks = (): ReadonlyArray<Block> =>
  files().flatMap((file) => {
    const text = readFileSync(file, "utf8")
    return isPage(file) ? blocksOf(file, text) : blocksOfComments(file, text)
  })

/** Code that stands alone: a block, with those that it continues before it. */
export interface Example {
  readonly file: string
  readonly line: number
  /** The code as it is run. */
  readonly code: string
  /** The file's line of each line of the code. */
  readonly lines: ReadonlyArray<number>
}

const spellings = new Set(["ts", "typescript", "js", "javascript", "tsx", "jsx", "mts"])

/** Whether a block is code that has to be an example. */
export const isCode = (block: Block): boolean => spellings.has(block.info[0] ?? "")

/** What is wrong with how a block of code is marked: only `ts` and `ts continued` are run. */
export const problemOfMark = (block: Block): string | undefined => {
  const mark = block.info.join(" ")
  return mark === "ts" || mark === "ts continued"
    ? undefined
    : `${block.file}:${block.line}: a block of code is marked "ts" or "ts continued", not "${mark}"`
}

const numbersOf = (block: Block) => block.code.split("\n").map((_, index) => block.line + index)

/**
 * The examples among blocks. One marked `ts continued` runs after the block of code before it in the
 * same file, with its names in sight, as a reader takes it.
 */
export const examplesOf = (all: ReadonlyArray<Block>): ReadonlyArray<Example> => {
  const examples: Array<Example> = []
  for (const block of all.filter(isCode)) {
    const before = block.info.includes("continued") ? examples.at(-1) : undefined
    const earlier = before?.file === block.file ? before : undefined
    examples.push({
      file: block.file,
      line: block.line,
      code: earlier === undefined ? block.code : `${earlier.code}\n${block.code}`,
      lines: [...(earlier?.lines ?? []), ...numbersOf(block)],
    })
  }
  return examples
}

/** The examples that no other one continues. Each has the code of all that it continues, which needn't run by itself. */
export const wholeOnes = (examples: ReadonlyArray<Example>): ReadonlyArray<Example> =>
  examples.filter(({ file, lines }, place) => {
    const next = examples[place + 1]
    return next?.file !== file || next.lines[0] !== lines[0]
  })
