/** Where a command's data is, from its flags and environment, checked. */
import * as Redacted from "effect/Redacted"
import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../Flags.js"

/** The flags as given. */
export interface Flags {
  readonly data: string | undefined
  readonly databaseUrl: string | undefined
  readonly connections: string
}

/** A folder, in which PGlite keeps its data. */
export interface Folder {
  readonly _tag: "Folder"
  readonly path: string
}

/** A database on a server of PostgreSQL. */
export interface Server {
  readonly _tag: "Server"
  readonly url: Redacted.Redacted
  /** The address without the password, for messages. */
  readonly shown: string
  readonly connections: number
}

/** A place that keeps data after a run. */
export type Kept = Folder | Server

/** A place that keeps data. */
export type StoragePlace = { readonly _tag: "Memory" } | Kept

/** The environment variable with the address, which is not visible in the process list. */
export const urlVariable = "APPORTION_DATABASE_URL"

const largestConnections = 1_000

/** The parameters allowed after the name of the database. Others would be ignored, including misspelt ones. */
const parameters = [
  ...["host", "port", "user", "password", "dbname", "application_name", "options"],
  ...["connect_timeout", "sslmode"],
]

const sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

const parameterProblem = ({ searchParams }: URL, origin: string): string | undefined => {
  const unknown = [...searchParams.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) {
    return `${origin}: has a parameter that is not known, "${unknown}": there are ${parameters.join(", ")}`
  }
  const mode = searchParams.get("sslmode")
  return mode === null || sslModes.includes(mode)
    ? undefined
    : `${origin}: sslmode must be one of ${sslModes.join(", ")}, got "${mode}"`
}

/** Messages about an address don't contain it: it may contain a password, even in the wrong place. */
const urlProblem = (text: string, origin: string): string | undefined => {
  const example = "must be an address as postgres://user:password@host:5432/database"
  if (!URL.canParse(text)) return `${origin}: ${example}`
  const url = new URL(text)
  const { protocol, pathname } = url
  if (protocol !== "postgres:" && protocol !== "postgresql:") {
    return `${origin}: ${example}, and begins with another word`
  }
  if (pathname.length <= 1) return `${origin}: names no database: ${example.slice(8)}`
  return parameterProblem(url, origin)
}

/** Whether a connection leaves this computer: a socket is a path. */
const leavesComputer = ({ hostname, searchParams }: URL): boolean => {
  const host = searchParams.get("host") ?? hostname
  const isLocal = host === "" || host.startsWith("/") || host === "localhost" || host === "[::1]"
  return !isLocal && host !== "::1" && !/^127(?:\.\d+){3}$/.test(host)
}

/** Network connections are encrypted unless the address disables that. */
const encrypted = (text: string): string => {
  const url = new URL(text)
  if (url.searchParams.has("sslmode") || !leavesComputer(url)) return text
  url.searchParams.set("sslmode", "require")
  return url.href
}

/** The address without its password and other secrets. */
export const shownUrl = (text: string): string => {
  const { username, host, pathname } = new URL(text)
  return `postgres://${username === "" ? "" : `${username}@`}${host}${pathname}`
}

interface FoundDatabase {
  readonly place: StoragePlace
  readonly problems: ReadonlyArray<string>
}

const serverOf = (text: string, origin: string, connections: string): FoundDatabase => {
  const range = { flag: "connections", least: 1, most: largestConnections }
  const problems = [urlProblem(text, origin), wholeProblem(connections, range)].filter(
    (problem) => problem !== undefined,
  )
  if (problems.length > 0) return { place: { _tag: "Memory" }, problems }
  const about = { shown: shownUrl(text), connections: Number(connections) }
  return { place: { _tag: "Server", url: Redacted.make(encrypted(text)), ...about }, problems }
}

/**
 * Finds where data is kept; a flag takes precedence over the environment. Problems are returned, for the caller to
 * report with others.
 */
export const find = (
  { data, databaseUrl, connections }: Flags,
  environment: Readonly<Record<string, string | undefined>>,
): FoundDatabase => {
  if (data !== undefined && databaseUrl !== undefined) {
    const problem = "--data and --database-url: give one of them: things are kept in one place"
    return { place: { _tag: "Memory" }, problems: [problem] }
  }
  if (data !== undefined) {
    const problems = data === "" ? ["--data: must name a folder"] : []
    return { place: { _tag: "Folder", path: data }, problems }
  }
  if (databaseUrl !== undefined) return serverOf(databaseUrl, "--database-url", connections)
  const fromEnvironment = environment[urlVariable] ?? ""
  return fromEnvironment === ""
    ? { place: { _tag: "Memory" }, problems: [] }
    : serverOf(fromEnvironment, urlVariable, connections)
}

/** The place for a command that needs one. */
export const check = (
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
): Kept => {
  const { place, problems } = find(flags, environment)
  if (problems.length > 0) throw new ExitCode.UnusableInput({ message: problems.join("\n") })
  if (place._tag !== "Memory") return place
  throw new ExitCode.UnusableInput({
    message: `--data: is missing: give a folder, or --database-url, or set ${urlVariable}`,
  })
}
