import { setTimeout } from "node:timers/promises"
import { isPublicUrl } from "../../http/HttpOptions.js"
import * as DatabaseOptions from "../data/DatabaseOptions.js"
import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../Flags.js"
import type { Source } from "../input/Sources.js"
import type { Session, StopSignal } from "../Session.js"
import { AccessTokens } from "./AccessTokens.js"
import * as ServeApi from "./ServeApi.js"
import * as ServeEnvironment from "./ServeEnvironment.js"
import type * as ServeListener from "./ServeListener.js"
import * as ServeLog from "./ServeLog.js"
import * as ServePages from "./ServePages.js"
import * as ServeReports from "./ServeReports.js"
import * as ServeSettings from "./ServeSettings.js"
import * as ServeShops from "./ServeShops.js"
import * as ServeStorage from "./ServeStorage.js"
import { targetsProblem, type WebhookTargets, webhookTargets } from "./ServeWebhooks.js"

// The options of `apportion serve` from its flags and environment, checked.

/** The flags as given. */
export interface Flags extends DatabaseOptions.Flags, ServeReports.ReportFlags {
  readonly host: string
  readonly port: string
  readonly tokens: ReadonlyArray<string>
  readonly rate: string
  readonly publicUrl: string | undefined
  readonly proxies: string
  readonly drain: string
  readonly tokenFile: string | undefined
  readonly migrate: boolean
  readonly closeDueEvery: string | undefined
  readonly noPages: boolean
  readonly webhooks: string
  readonly maturityDays: string
  readonly historyMonths: string
}

/** Where to listen, for which tokens, and the limits. */
export interface ServeOptions extends ServeReports.Reports {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** All tokens open the same account. */
  readonly tokens: ReadonlyArray<string>
  /** A file with the hashes of more tokens, which may change. */
  readonly tokenFile: string | undefined
  /** Requests a minute for each token, and for each address without a valid one. */
  readonly rate: number
  /** The public address of the API, for the links in answers; `undefined`: taken from each request. */
  readonly publicUrl: string | undefined
  /** The number of proxies that requests pass through. */
  readonly proxies: number
  /** How long it keeps serving after the signal to end, in seconds. */
  readonly drain: number
  /** The storage. */
  readonly place: DatabaseOptions.StoragePlace
  /** Whether the schema of a server is brought up to date. */
  readonly migrate: boolean
  /** How often due payouts are closed, in seconds; `undefined`: never automatically. */
  readonly closeDueEvery: number | undefined
  /** Whether the console and the playground are served as well. */
  readonly hasPages: boolean
  /** Which hosts webhooks are sent to. */
  readonly webhooks: WebhookTargets
  readonly maturityDays: number
  /** 0: everything is kept for ever. */
  readonly historyMonths: number
}

/** The environment variable with a token, which is not visible in the process list. */
export const tokenVariable = "APPORTION_TOKEN"

const largestRate = 1_000_000
const mostProxies = 10
/** In seconds. */
const longestDrain = 3_600
/** A year in seconds. */
const longestInterval = 31_536_000
const mostMaturityDays = 3_650
const mostMonths = 1_200

/** The characters allowed in a token, as in a header. */
const tokenPattern = /^[A-Za-z0-9\-._~+/]+=*$/

/** A shorter token could be guessed. */
const shortestToken = 16

/** The token itself is never printed: it is a secret. */
const tokenProblem = (token: string, origin: string): string | undefined => {
  if (token === "") return `${origin}: must not be empty`
  if (!tokenPattern.test(token)) {
    return `${origin}: has a character that a token can't have: it is made of the letters a to z and A to Z, digits and -._~+/ (and = at its end)`
  }
  return token.length >= shortestToken
    ? undefined
    : `${origin}: is too short: a token has at least ${shortestToken} characters, or it would be guessed; "apportion token" makes one`
}

const tokensOf = ({ tokens, tokenFile }: Flags, fromEnvironment: string | undefined) => {
  const origin = tokens.length > 0 ? "--token" : tokenVariable
  const found = tokens.length > 0 ? tokens : [fromEnvironment ?? ""].filter((token) => token !== "")
  const problems =
    found.length === 0 && tokenFile === undefined
      ? [`--token: is missing: give one, name a --token-file, or set ${tokenVariable}`]
      : found.map((token) => tokenProblem(token, origin))
  return { found, problems }
}

const urlProblem = (url: string | undefined): string | undefined =>
  url === undefined || isPublicUrl(url)
    ? undefined
    : `--public-url: must be an http or https URL without a query, as https://api.example.com, got "${url}"`

/** The problem of two places in the environment: data would be stored in an unexpected one. */
const placeProblem = (
  variables: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined =>
  variables.includes("data") && (environment[DatabaseOptions.urlVariable] ?? "") !== ""
    ? `APPORTION_DATA and ${DatabaseOptions.urlVariable}: give one of them and empty the other: things are kept in one place`
    : undefined

/** A problem of a value from the environment names its variable. */
const named =
  (variables: ReadonlyArray<string>) =>
  (problem: string): string => {
    const [, flag = ""] = /^--([a-z-]+):/.exec(problem) ?? []
    if (!variables.includes(flag)) return problem
    return `${ServeEnvironment.variableOf(flag)}${problem.slice(flag.length + 2)}`
  }

/** Checks the flags; all problems are reported at once. */
export const check = (
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
  variables: ReadonlyArray<string> = [],
): ServeOptions => {
  const { host, port, rate, publicUrl, proxies, drain, tokenFile, migrate, closeDueEvery } = flags
  const { problems: reportProblems, ...reports } = ServeReports.check(flags)
  const tokens = tokensOf(flags, environment[tokenVariable])
  const { place, problems: placeProblems } = DatabaseOptions.find(flags, environment)
  const targets = webhookTargets.find((one) => one === flags.webhooks)
  const every = { flag: "close-due-every", least: 1, most: longestInterval }
  const problems = [
    ServeReports.hostProblem(host),
    wholeProblem(port, { flag: "port", least: 0, most: ServeReports.largestPort }),
    ...tokens.problems,
    wholeProblem(rate, { flag: "rate", least: 1, most: largestRate }),
    urlProblem(publicUrl),
    wholeProblem(proxies, { flag: "proxies", least: 0, most: mostProxies }),
    wholeProblem(drain, { flag: "drain", least: 0, most: longestDrain }),
    ...placeProblems,
    closeDueEvery === undefined ? undefined : wholeProblem(closeDueEvery, every),
    targets === undefined ? targetsProblem(flags.webhooks) : undefined,
    wholeProblem(flags.maturityDays, { flag: "maturity-days", least: 0, most: mostMaturityDays }),
    wholeProblem(flags.historyMonths, { flag: "history-months", least: 0, most: mostMonths }),
    ...reportProblems,
    placeProblem(variables, environment),
  ].filter((problem) => problem !== undefined)
  if (problems.length > 0) {
    const message = problems.map(named(variables)).join("\n")
    throw new ExitCode.UnusableInput({ message })
  }
  return {
    ...{ host, port: Number(port), tokens: tokens.found, tokenFile, rate: Number(rate) },
    ...{ publicUrl, proxies: Number(proxies), drain: Number(drain), place, migrate },
    closeDueEvery: closeDueEvery === undefined ? undefined : Number(closeDueEvery),
    hasPages: !flags.noPages,
    webhooks: targets ?? "public",
    maturityDays: Number(flags.maturityDays),
    historyMonths: Number(flags.historyMonths),
    ...reports,
  }
}

// `apportion serve`: the HTTP API on a storage in memory, in a folder or on a server.

/** The files that flags name. */
export interface Inputs {
  readonly seed: Source | undefined
  /** The shops whose deliveries are taken. */
  readonly shops: Source | undefined
  readonly policy: Source | undefined
  readonly rates: Source | undefined
}

/** What the command works on. */
export interface ServeCommandOptions {
  readonly flags: Flags
  readonly inputs: Inputs
}

type Where = Pick<ServeOptions, "host" | "port" | "proxies" | "drain" | "hasPages">

/**
 * Keeps serving for a while after `/ready` fails, so that load balancers notice, and then stops. Ctrl-C skips that
 * wait.
 */
const drain = async (
  signal: StopSignal,
  { drain: seconds }: Pick<Where, "drain">,
  parts: { readonly api: ServeApi.ServedApi; readonly listener: ServeListener.Listener },
): Promise<void> => {
  parts.api.drain()
  parts.listener.drain()
  if (signal === "SIGTERM") await setTimeout(seconds * 1_000)
}

/** The address of the console, or why there is none. */
const consoleLine = (pages: ServePages.Pages | undefined, url: string): string =>
  pages === undefined
    ? "apportion: the console is not built, so only the API is served; --no-pages says so"
    : `apportion: the console is at ${url}/`

/** What is served, and where its notes go. */
interface Serving {
  readonly api: ServeApi.ServedApi
  readonly pages: ServePages.Pages | undefined
  readonly note: (message: string) => void
}

/** Answers requests until the run is to end. */
const serve = async (
  session: Session,
  { api, pages, note }: Serving,
  { hasPages, ...where }: Where,
): Promise<number> => {
  const { stdout, stopped } = session.io
  const handler = pages?.before(api.handler) ?? api.handler
  const listener = await ServeReports.listen(session, handler, where)
  if (listener === undefined) return ExitCode.cannotListen
  // Signals are handled before the line is printed: its reader may send one at once.
  const end = stopped()
  try {
    await stdout.write(`apportion is listening on ${listener.url}\n`)
    if (hasPages) note(consoleLine(pages, listener.url))
    await drain(await end, where, { api, listener })
  } finally {
    await listener.stop(ServeReports.patienceMs)
  }
  return ExitCode.success
}

const readSeed = async (source: Source | undefined, note: (message: string) => void) =>
  source === undefined
    ? undefined
    : { name: source.name, store: await ServeStorage.read(source, note) }

/** Runs the command until a signal ends it, and returns the exit code. */
export const run = async (
  session: Session,
  { flags, inputs }: ServeCommandOptions,
): Promise<number> => {
  const { io } = session
  const variables = ServeEnvironment.fromEnvironment(session.given, io.environment)
  const options = check(flags, io.environment, variables)
  const log = { format: options.logFormat, level: options.logLevel, write: session.note }
  const note = ServeLog.noteWith(log, session.note)
  for (const told of ServeEnvironment.strangers(io.environment)) note(`apportion: ${told}`)
  const seed = await readSeed(inputs.seed, note)
  const shops = await ServeShops.read(inputs.shops, io.environment)
  const settings = await ServeSettings.read(inputs, options, note)
  const pages = options.hasPages ? await ServePages.Pages.read(ServePages.builtPages) : undefined
  const tokens = await AccessTokens.open({ ...options, file: options.tokenFile, note })
  const storage = ServeStorage.layer({ ...options, seed, note })
  const parts = { ...settings, tokens: tokens.layer, storage, shops, log }
  const api = await ServeApi.make({ ...options, ...parts })
  const forgetFile = tokens.watch(io)
  try {
    const reported = { ...options, figures: api.metrics }
    return await ServeReports.withMetrics(session, reported, () =>
      serve(session, { api, pages, note }, options),
    )
  } finally {
    forgetFile()
    await api.dispose()
  }
}
