/** What `apportion serve` is told by its flags and surroundings, checked. */
import * as DatabaseOptions from "./DatabaseOptions.js"
import * as ExitCode from "./ExitCode.js"
import { wholeProblem } from "./WholeNumber.js"

/** The flags as they were written. */
export interface Flags extends DatabaseOptions.Flags {
  readonly host: string
  readonly port: string
  readonly tokens: ReadonlyArray<string>
  readonly rate: string
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
  /** Requests a minute for each token. */
  readonly rate: number
  /** Where everything is kept. */
  readonly place: DatabaseOptions.Place
  /** Whether the schema of a server is brought up to date. */
  readonly migrate: boolean
  /** How often payouts that are due are closed, in seconds; `undefined`: never by itself. */
  readonly closeDueEvery: number | undefined
}

/** The variable of the environment that holds a token, which nobody sees in the list of processes. */
export const tokenVariable = "APPORTION_TOKEN"

const largestPort = 65_535
const largestRate = 1_000_000
/** A year in seconds. */
const longestInterval = 31_536_000

const hostProblem = (host: string): string | undefined =>
  /^[\w.:-]+$/.test(host)
    ? undefined
    : `--host: must be the name or address of this computer, as 127.0.0.1, got "${host}"`

/** What a token may be made of, as it stands in a header. */
const tokenPattern = /^[A-Za-z0-9\-._~+/]+=*$/

/** The token itself is never told: it is a secret. */
const tokenProblem = (token: string, origin: string): string | undefined => {
  if (token === "") return `${origin}: must not be empty`
  return tokenPattern.test(token)
    ? undefined
    : `${origin}: has a character that a token can't have: it is made of the letters a to z and A to Z, digits and -._~+/ (and = at its end)`
}

const tokensOf = ({ tokens }: Flags, fromEnvironment: string | undefined) => {
  const origin = tokens.length > 0 ? "--token" : tokenVariable
  const found = tokens.length > 0 ? tokens : [fromEnvironment ?? ""].filter((token) => token !== "")
  const problems =
    found.length === 0
      ? [`--token: is missing: give one, or set ${tokenVariable}`]
      : found.map((token) => tokenProblem(token, origin))
  return { found, problems }
}

/** Checks the flags; every problem is told at once. */
export const check = (
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
): ServeOptions => {
  const { host, port, rate, migrate, closeDueEvery } = flags
  const tokens = tokensOf(flags, environment[tokenVariable])
  const { place, problems: placeProblems } = DatabaseOptions.find(flags, environment)
  const every = { flag: "close-due-every", least: 1, most: longestInterval }
  const problems = [
    hostProblem(host),
    wholeProblem(port, { flag: "port", least: 0, most: largestPort }),
    ...tokens.problems,
    wholeProblem(rate, { flag: "rate", least: 1, most: largestRate }),
    ...placeProblems,
    closeDueEvery === undefined ? undefined : wholeProblem(closeDueEvery, every),
  ].filter((problem) => problem !== undefined)
  if (problems.length > 0) throw new ExitCode.UnusableInput({ message: problems.join("\n") })
  return {
    ...{ host, port: Number(port), tokens: tokens.found, rate: Number(rate), place, migrate },
    closeDueEvery: closeDueEvery === undefined ? undefined : Number(closeDueEvery),
  }
}
