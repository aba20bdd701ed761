/** The configuration of `apportion serve` by its environment: each flag has a variable, and a flag that is given wins. */
import { meant } from "../../internal/fieldNames.js"
import * as ServeFlags from "../ServeFlags.js"

type Environment = Readonly<Record<string, string | undefined>>

/** What a flag's variable begins with. */
const prefix = "APPORTION_"

/** Variables that a file of shops may name for secrets. */
const shopPrefix = "APPORTION_SHOP_"

/** `closeDueEvery` as `close-due-every`. */
const flagOf = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The flags of the server. */
export const flags: ReadonlyArray<string> = Object.keys(ServeFlags.serve).map(flagOf)

/** The variable of a flag: `APPORTION_CLOSE_DUE_EVERY` of `close-due-every`. */
export const variableOf = (flag: string): string =>
  `${prefix}${flag.toUpperCase().replaceAll("-", "_")}`

/** Read where they are checked, for they may hold secrets and are never shown. */
const secret: ReadonlySet<string> = new Set(["token", "database-url"])

/** Flags without a value. */
const switches: ReadonlySet<string> = new Set(["migrate"])

/** Each of these says where everything is kept. */
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

/** The arguments of a run, with those that the environment adds to `serve`. */
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

/** What is to be told of variables that begin as those of flags do and are none. Their values may be secrets. */
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
