/** Where input comes from: a file, or standard input under the name `-`. */
import { createReadStream } from "node:fs"
import type * as Option from "effect/Option"
import * as ExitCode from "../ExitCode.js"

/** One input: how it is called in messages, and its bytes. */
export interface Source {
  readonly name: string
  /** Whether it is a file, which others can open too. */
  readonly isFile?: boolean
  readonly chunks: () => AsyncIterable<Uint8Array>
}

/** What opens the inputs that flags name. */
export interface Opener {
  readonly open: (flag: string, path: string) => Source
  readonly openOptional: (flag: string, path: Option.Option<string>) => Source | undefined
}

const chunkBytes = 1 << 18

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "is a directory, a file is needed",
  EACCES: "may not be read (permission denied)",
  EPERM: "may not be read (permission denied)",
}

const codeOf = (cause: unknown): string | undefined => {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" ? code : undefined
}

/** The input can't be read at all. */
export const unreadable = (name: string, cause: unknown): ExitCode.UnusableInput => {
  const code = codeOf(cause)
  return new ExitCode.UnusableInput({
    message: `${name}: ${reasons[code ?? ""] ?? `could not be read (${code ?? String(cause)})`}`,
  })
}

async function* reading(name: string, chunks: AsyncIterable<Uint8Array>) {
  try {
    yield* chunks
  } catch (cause) {
    if (codeOf(cause) === undefined) throw cause
    throw unreadable(name, cause)
  }
}

/** Opens an input by the name it has on the command line. */
export const open = (io: { readonly stdin: AsyncIterable<Uint8Array> }, path: string): Source =>
  path === "-"
    ? { name: "standard input", isFile: false, chunks: () => reading("standard input", io.stdin) }
    : {
        name: path,
        isFile: true,
        chunks: () => reading(path, createReadStream(path, { highWaterMark: chunkBytes })),
      }
