/**
 * The inputs of commands: where an input comes from, and the inputs of every command that reads
 * orders.
 */
import { createReadStream } from "node:fs"
import type * as Option from "effect/Option"
import type { Reason } from "../../internal/sales.js"
import * as ExitCode from "../ExitCode.js"

/** One input: its name in messages, and its bytes. */
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

// The inputs of every command that reads orders.

/** What counts as a sale, as written on the command line. */
export interface SalesFlags {
  readonly giftCards: "leave-out" | "share"
  readonly tips: "leave-out" | "share"
  readonly include: ReadonlyArray<string>
}

/** What counts as a sale. */
export interface SalesChoices extends Pick<SalesFlags, "giftCards" | "tips"> {
  readonly include: ReadonlyArray<Reason>
}

/** The inputs that can be read, and the choices beside them. */
export interface OrderInputs {
  readonly groups: Source
  readonly orders: Source
  readonly products: Source | undefined
  readonly policy: Source | undefined
  readonly sales: SalesFlags
}

/** Opens the inputs of the flags. */
export const openOrders = (
  session: Opener,
  flags: SalesFlags & {
    readonly groups: string
    readonly orders: string
    readonly products: Option.Option<string>
    readonly policy: Option.Option<string>
  },
): OrderInputs => ({
  groups: session.open("groups", flags.groups),
  orders: session.open("orders", flags.orders),
  products: session.openOptional("products", flags.products),
  policy: session.openOptional("policy", flags.policy),
  sales: { giftCards: flags.giftCards, tips: flags.tips, include: flags.include },
})

const salesReasons: ReadonlyMap<string, Reason> = new Map([
  ["test", "test"],
  ["draft", "draft"],
  ["cancelled", "cancelled"],
  ["voided", "voided"],
  ["unpaid", "unpaid"],
  ["nothing-to-share", "nothing to share"],
])

const reasonOf = (written: string): Reason => {
  const reason = salesReasons.get(written)
  if (reason !== undefined) return reason
  throw new ExitCode.UnusableInput({
    message: `--include: must be ${[...salesReasons.keys()].join(", ")}, several with commas between them, got "${written}"`,
  })
}

/** Checks what was written. */
export const choicesOf = ({ giftCards, tips, include }: SalesFlags): SalesChoices => {
  const written = include.flatMap((text) => text.split(",")).map((text) => text.trim())
  return { giftCards, tips, include: written.filter((text) => text !== "").map(reasonOf) }
}
