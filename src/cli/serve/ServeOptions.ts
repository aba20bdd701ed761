/** What `apportion serve` is told by its flags and surroundings, checked. */
import { isPublicUrl } from "../../http/HttpOptions.js"
import * as DatabaseOptions from "../data/DatabaseOptions.js"
import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../input/WholeNumber.js"

/** The flags as they were written. */
export interface Flags extends DatabaseOptions.Flags {
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
}

/** Where to listen, for whom, and how much. */
export interface ServeOptions {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** Every one of them opens the same account. */
  readonly tokens: ReadonlyArray<string>
  /** A file with the hashes of more tokens, which may change. */
  readonly tokenFile: string | undefined
  /** Requests a minute for each token, and for each address without a good one. */
  readonly rate: number
  /** Where the world reaches the API, for the links in answers; `undefined`: as each request says. */
  readonly publicUrl: string | undefined
  /** How many proxies requests come through. */
  readonly proxies: number
  /** How long it goes on after it was told to end, in seconds. */
  readonly drain: number
  /** Where everything is kept. */
  readonly place: DatabaseOptions.StoragePlace
  /** Whether the schema of a server is brought up to date. */
  readonly migrate: boolean
  /** How often payouts that are due are closed, in seconds; `undefined`: never by itself. */
  readonly closeDueEvery: number | undefined
}

/** The variable of the environment that holds a token, which nobody sees in the list of processes. */
export const tokenVariable = "APPORTION_TOKEN"

const largestPort = 65_535
const largestRate = 1_000_000
const mostProxies = 10
/** In seconds. */
const longestDrain = 3_600
/** A year in seconds. */
const longestInterval = 31_536_000

const hostProblem = (host: string): string | undefined =>
  /^[\w.:-]+$/.test(host)
    ? undefined
    : `--host: must be the name or address of this computer, as 127.0.0.1, got "${host}"`

/** What a token may be made of, as it stands in a header. */
const tokenPattern = /^[A-Za-z0-9\-._~+/]+=*$/

/** Shorter ones are guessed. */
const shortestToken = 16

/** The token itself is never told: it is a secret. */
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

/** Checks the flags; every problem is told at once. */
export const check = (
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
): ServeOptions => {
  const { host, port, rate, publicUrl, proxies, drain, tokenFile, migrate, closeDueEvery } = flags
  const tokens = tokensOf(flags, environment[tokenVariable])
  const { place, problems: placeProblems } = DatabaseOptions.find(flags, environment)
  const every = { flag: "close-due-every", least: 1, most: longestInterval }
  const problems = [
    hostProblem(host),
    wholeProblem(port, { flag: "port", least: 0, most: largestPort }),
    ...tokens.problems,
    wholeProblem(rate, { flag: "rate", least: 1, most: largestRate }),
    urlProblem(publicUrl),
    wholeProblem(proxies, { flag: "proxies", least: 0, most: mostProxies }),
    wholeProblem(drain, { flag: "drain", least: 0, most: longestDrain }),
    ...placeProblems,
    closeDueEvery === undefined ? undefined : wholeProblem(closeDueEvery, every),
  ].filter((problem) => problem !== undefined)
  if (problems.length > 0) throw new ExitCode.UnusableInput({ message: problems.join("\n") })
  return {
    ...{ host, port: Number(port), tokens: tokens.found, tokenFile, rate: Number(rate) },
    ...{ publicUrl, proxies: Number(proxies), drain: Number(drain), place, migrate },
    closeDueEvery: closeDueEvery === undefined ? undefined : Number(closeDueEvery),
  }
}
