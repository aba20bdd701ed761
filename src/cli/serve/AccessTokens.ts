import { createHash, randomBytes } from "node:crypto"
import { unwatchFile, watchFile } from "node:fs"
import { appendFile, readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type StoredToken, type TokenScope, Tokens, tokenScopes } from "../../ports/Tokens.js"
import * as ExitCode from "../ExitCode.js"
import type { Io, Session } from "../Session.js"

/** The account of the command line: every token opens it, and every command works on it. */
export const accountId = "default"

// The access tokens of `apportion serve`: from its flags, and from a file, which may change.

/** The sources of tokens. */
export interface Sources {
  readonly tokens: ReadonlyArray<string>
  readonly file: string | undefined
  readonly note: (message: string) => void
}

type TokensByHash = ReadonlyMap<string, StoredToken>

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex")

/** 256 random bits; the prefix identifies it as a token wherever it is found. */
export const makeToken = (): string => `apportion_${randomBytes(32).toString("base64url")}`

const longestName = 200

/**
 * A hash, scopes in brackets and a name, separated by spaces; the output of sha256sum for its standard input has
 * neither scopes nor name.
 */
const linePattern = /^([0-9a-f]{64})(?:\s+\[([^\]]*)\])?(?:\s+(\S.*))?$/i

/** The owner of a token, and its scopes; without scopes it allows everything. */
export interface TokenOwner {
  readonly name: string | undefined
  readonly scopes: ReadonlyArray<string>
}

/** The line of a token file for a token. */
export const lineOf = (token: string, { name, scopes }: TokenOwner): string =>
  [hashOf(token), scopes.length === 0 ? [] : `[${scopes.join(",")}]`, name ?? []].flat().join(" ")

/** Whether a name is allowed in a line, and in the history of payouts. */
export const isName = (name: string): boolean =>
  /^[^\s[-](?:.*\S)?$/.test(name) && [...name].length <= longestName

const isScope = (text: string): text is TokenScope => tokenScopes.some((scope) => scope === text)

/** The scopes of a line; `undefined`: one of them is unknown. */
const readScopes = (text: string): ReadonlyArray<TokenScope> | undefined => {
  const given = text.split(",").map((scope) => scope.trim())
  return given.every(isScope) ? given : undefined
}

const allScopes = tokenScopes.join(", ")

/** Reads a line; messages about it don't contain its text, which may be a token put there by mistake. */
const readLine = (line: string): StoredToken | string => {
  const [, hash, scopes, name] = linePattern.exec(line) ?? []
  if (hash === undefined) {
    return 'must begin with the SHA-256 of a token, 64 hexadecimal digits; "apportion token" writes such lines'
  }
  const read = scopes === undefined ? [] : readScopes(scopes)
  if (read === undefined) {
    return `has something else than scopes between the brackets: they are ${allScopes}, with commas between them`
  }
  const limits = scopes === undefined ? {} : { scopes: read }
  const token = { hash: hash.toLowerCase(), accountId, ...limits }
  if (name === undefined || name === "-") return token
  return isName(name)
    ? { ...token, actor: name }
    : `has a name that can't be one: it has at most ${longestName} characters and does not begin with "-" or "["`
}

const isLine = (line: string): boolean => line !== "" && !line.startsWith("#")

/** The tokens of a file; empty lines and those that begin with # are skipped. */
export const parse = (text: string, name: string): ReadonlyArray<StoredToken> => {
  const read = text
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), place: `${name}:${index + 1}` }))
    .filter(({ line }) => isLine(line))
    .map(({ line, place }) => ({ place, found: readLine(line) }))
  const problems = read.flatMap(({ place, found }) =>
    typeof found === "string" ? [`${place}: ${found}`] : [],
  )
  if (problems.length > 0) {
    throw new ExitCode.UnusableInput({ message: problems.slice(0, 20).join("\n") })
  }
  return read.flatMap(({ found }) => (typeof found === "string" ? [] : [found]))
}

const readFileOf = async (file: string): Promise<ReadonlyArray<StoredToken>> => {
  const unreadable = (cause: unknown): never => {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
    const reason = code === "ENOENT" ? "there is no such file" : `can't be read (${String(code)})`
    throw new ExitCode.UnusableInput({ message: `--token-file: ${file}: ${reason}` })
  }
  return parse(await readFile(file, "utf8").catch(unreadable), file)
}

/** Adds a token to a file; a file created here is readable by its owner only. */
export const append = async (file: string, token: string, owner: TokenOwner) => {
  try {
    await appendFile(file, `${lineOf(token, owner)}\n`, { mode: 0o600 })
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
    throw new ExitCode.UnusableInput({
      message: `--file: ${file}: can't be written (${String(code)})`,
    })
  }
}

/** How often a file is checked for changes; it may be on a volume without notifications. */
const lookMs = 2_000

/** The tokens that are valid now. */
export class AccessTokens {
  private readonly sources: Sources
  private known: TokensByHash

  private constructor(sources: Sources, known: TokensByHash) {
    this.sources = sources
    this.known = known
  }

  /** Reads all tokens; throws `UnusableInput` when the file can't be used or there is none. */
  static async open(sources: Sources): Promise<AccessTokens> {
    return new AccessTokens(sources, await AccessTokens.read(sources))
  }

  private static async read({ tokens, file }: Sources): Promise<TokensByHash> {
    const ofFlags = tokens.map((token) => ({ hash: hashOf(token), accountId }))
    const ofFile = file === undefined ? [] : await readFileOf(file)
    const all = [...ofFlags, ...ofFile]
    if (all.length === 0) {
      throw new ExitCode.UnusableInput({
        message: `--token-file: ${file}: has no token; "apportion token --file ${file}" puts one into it`,
      })
    }
    return new Map(all.map((token) => [token.hash, token]))
  }

  /** The `Tokens` port over these tokens. */
  get layer(): Layer.Layer<Tokens> {
    return Layer.succeed(Tokens, {
      find: (hash) => Effect.sync(() => this.known.get(hash)),
    })
  }

  /** Rereads the file; if it is invalid, the earlier tokens stay valid. */
  async reload(): Promise<void> {
    const { file, note } = this.sources
    try {
      this.known = await AccessTokens.read(this.sources)
      note(`apportion: ${file}: read again, ${this.known.size} tokens are good`)
    } catch (cause) {
      note(
        `apportion: ${ExitCode.stopped(cause).message}\napportion: ${file}: the tokens read before stay good`,
      )
    }
  }

  /** Rereads the file when it changes, or on a signal, until the returned function is called. */
  watch({ onReload }: Pick<Io, "onReload">): () => void {
    const { file } = this.sources
    if (file === undefined) return () => undefined
    const reload = () => void this.reload()
    watchFile(file, { interval: lookMs, persistent: false }, reload)
    const forget = onReload?.(reload)
    return () => {
      unwatchFile(file, reload)
      forget?.()
    }
  }
}

// `apportion token`: makes an access token, and the line by which `apportion serve` knows it.

/** The flags as they were written. */
export interface TokenOptions extends TokenOwner {
  readonly file: string | undefined
}

/** Makes a token and prints it, once. */
export const run = async ({ io }: Session, { file, ...owner }: TokenOptions): Promise<number> => {
  const { name, scopes } = owner
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined) {
    throw new ExitCode.UnusableInput({
      message: `--scope: must be one of ${allScopes}, got ${JSON.stringify(unknown)}`,
    })
  }
  if (name !== undefined && !isName(name)) {
    throw new ExitCode.UnusableInput({
      message: `--name: must be 1 to 200 characters that don't begin with "-" or "[" or end with space, got ${JSON.stringify(name)}`,
    })
  }
  const token = makeToken()
  if (file === undefined) {
    const line = lineOf(token, owner)
    await io.stdout.write(`token: ${token}\nline of the token file: ${line}\n`)
  } else {
    await append(file, token, owner)
    await io.stdout.write(`${token}\n`)
  }
  return ExitCode.success
}
