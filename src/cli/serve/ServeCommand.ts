/** `apportion serve`: the HTTP API on a storage in memory, in a folder or on a server. */
import { setTimeout } from "node:timers/promises"
import * as ExitCode from "../ExitCode.js"
import type { StopSignal } from "../Io.js"
import type { Source } from "../input/Sources.js"
import type { Session } from "../Session.js"
import { AccessTokens } from "./AccessTokens.js"
import * as ServeApi from "./ServeApi.js"
import * as ServeListener from "./ServeListener.js"
import * as ServeOptions from "./ServeOptions.js"
import * as ServeSeed from "./ServeSeed.js"
import * as ServeStorage from "./ServeStorage.js"

/** What the command works on. */
export interface ServeCommandOptions {
  readonly flags: ServeOptions.Flags
  readonly seed: Source | undefined
}

/** How long requests under way may take once the run is to end. */
const patienceMs = 10_000

type Where = Pick<ServeOptions.ServeOptions, "host" | "port" | "proxies" | "drain">

const reasons: Readonly<Record<string, (where: Where) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `--port: ${port} is in use by another program on ${host}: choose another port (0 takes a free one)`,
  EACCES: ({ port }) => `--port: ${port} may not be used (permission denied): try one above 1023`,
  EADDRNOTAVAIL: ({ host }) => `--host: this computer has no address "${host}"`,
  ENOTFOUND: ({ host }) => `--host: there is no address "${host}"`,
}

const reasonOf = (cause: unknown, where: Where): string | undefined => {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
  if (typeof code !== "string") return undefined
  return reasons[code]?.(where) ?? `can't listen on port ${where.port} of ${where.host} (${code})`
}

/** Listens, or tells the user why that is not possible. */
const listen = async (
  session: Session,
  handler: ServeListener.Handler,
  where: Where,
): Promise<ServeListener.Listener | undefined> => {
  try {
    return await ServeListener.listen(handler, where)
  } catch (cause) {
    const reason = reasonOf(cause, where)
    if (reason === undefined) throw cause
    session.note(`apportion: ${reason}`)
    return undefined
  }
}

/**
 * Goes on answering for a while after it said that it is not ready, so that whoever sends requests here hears of it and
 * stops. Somebody at the keyboard does not wait for that.
 */
const drain = async (
  signal: StopSignal,
  { drain: seconds }: Where,
  parts: { readonly api: ServeApi.ServedApi; readonly listener: ServeListener.Listener },
): Promise<void> => {
  parts.api.drain()
  parts.listener.drain()
  if (signal === "SIGTERM") await setTimeout(seconds * 1_000)
}

/** Answers requests until the run is to end. */
const serve = async (session: Session, api: ServeApi.ServedApi, where: Where): Promise<number> => {
  const { stdout, stopped } = session.io
  const listener = await listen(session, api.handler, where)
  if (listener === undefined) return ExitCode.cannotListen
  // From here on a signal is heard: whoever reads the line may send one at once.
  const end = stopped()
  try {
    await stdout.write(`apportion is listening on ${listener.url}\n`)
    await drain(await end, where, { api, listener })
  } finally {
    await listener.stop(patienceMs)
  }
  return ExitCode.success
}

/** Runs the command until it is told to end, and answers the exit code. */
export const run = async (
  session: Session,
  { flags, seed }: ServeCommandOptions,
): Promise<number> => {
  const { note, io } = session
  const options = ServeOptions.check(flags, io.environment)
  const read =
    seed === undefined ? undefined : { name: seed.name, store: await ServeSeed.read(seed, note) }
  const tokens = await AccessTokens.open({ ...options, file: options.tokenFile, note })
  const storage = ServeStorage.layer({ ...options, seed: read, note })
  const api = await ServeApi.make({ ...options, tokens: tokens.layer, storage, log: note })
  const forgetFile = tokens.watch(io)
  try {
    return await serve(session, api, options)
  } finally {
    forgetFile()
    await api.dispose()
  }
}
