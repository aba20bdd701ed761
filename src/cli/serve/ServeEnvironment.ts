/**
 * The configuration of `apportion serve` by its environment: each flag has a variable; a given flag takes precedence.
 */
import { meant } from "../../internal/fieldNames.js"
import * as ServeFlags from "../ServeFlags.js"

type Environment = Readonly<Record<string, string | undefined>>

/** The prefix of all variables. */
const prefix = "APPORTION_"

/** The prefix of variables that a file of shops can name for secrets. */
const shopPrefix = "APPORTION_SHOP_"

/** `closeDueEvery` as `close-due-every`. */
const flagOf = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The flags of the server. */
export const flags: ReadonlyArray<string> = Object.keys(ServeFlags.serve).map(flagOf)

/** The variable of a flag: `APPORTION_CLOSE_DUE_EVERY` of `close-due-every`. */
export const variableOf = (flag: string): string =>
  `${prefix}${flag.toUpperCase().replaceAll("-", "_")}`

/** Flags with secrets: the command reads their variables itself and never shows them. */
const secret: ReadonlySet<string> = new Set(["token", "database-url"])

/** Flags without a value. */
const switches: ReadonlySet<string> = new Set(["migrate", "no-pages"])

/** Flags that name the storage. */
const places: ReadonlyArray<string> = ["data", "database-url"]

const isGiven = (args: ReadonlyArray<string>, flag: string): boolean =>
  args.some((arg) => arg === `--${flag}` || arg === `--no-${flag}` || arg.startsWith(`--${flag}=`))

const argOf = (flag: string, value: string): string =>
  switches.has(flag) && value === "true" ? `--${flag}` : `--${flag}=${value}`

/** The flags that the environment sets, and the command line does not. */
export const fromEnvironment = (
  args: ReadonlyArray<string>,
  environment: Environment,
): ReadonlyArray<string> =>
  flags.filter((flag) => {
    if (secret.has(flag) || (environment[variableOf(flag)] ?? "") === "") return false
    const rivals = places.includes(flag) ? places : [flag]
    return !rivals.some((rival) => isGiven(args, rival))
  })

/** The arguments of a run, completed from the environment for `serve`. */
export const configured = (
  args: ReadonlyArray<string>,
  environment: Environment,
): ReadonlyArray<string> => {
  const [command, ...rest] = args
  if (command !== "serve") return args
  const added = fromEnvironment(rest, environment).map((flag) =>
    argOf(flag, environment[variableOf(flag)] ?? ""),
  )
  return [command, ...added, ...rest]
}

/** Notes on variables that have the prefix but belong to no flag. Values are not shown, because they may be secrets. */
export const strangers = (environment: Environment): ReadonlyArray<string> => {
  const known = flags.map(variableOf)
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !name.startsWith(shopPrefix))
    .filter((name) => !known.includes(name))
    .toSorted()
    .map((name) => {
      const right = meant(name, known)
      const advice = right === undefined ? "see apportion serve --help" : `is ${right} meant?`
      return `${name} is no setting and is ignored: ${advice}`
    })
}
