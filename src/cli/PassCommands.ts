/** The commands of links for collaborators. A command's modules are loaded when it runs. */
import { Argument, Command, Flag } from "effect/cli"
import * as Option from "effect/Option"
import * as instant from "../internal/instant.js"
import * as DatabaseOptions from "./data/DatabaseOptions.js"
import * as ExitCode from "./ExitCode.js"
import * as Flags from "./Flags.js"
import type { Session } from "./Session.js"

const place = {
  ...Flags.kept,
  account: Flags.text(
    "account",
    "<id>",
    'The account of the collaborator; "default", that of apportion serve, when absent',
  ).pipe(Flag.withDefault("default")),
  collaborator: Argument.String("collaborator").pipe(
    Argument.withDescription("The collaborator's id"),
  ),
  format: Flags.format(["table", "json"]),
}

interface PlaceFlags {
  readonly data: Option.Option<string>
  readonly databaseUrl: Option.Option<string>
  readonly connections: string
  readonly account: string
  readonly collaborator: string
  readonly format: "table" | "json"
}

const placeOf = (session: Session, { account, collaborator, format, ...flags }: PlaceFlags) => ({
  ...{ account, collaborator, format },
  place: DatabaseOptions.check(
    {
      data: Option.getOrUndefined(flags.data),
      databaseUrl: Option.getOrUndefined(flags.databaseUrl),
      connections: flags.connections,
    },
    session.io.environment,
  ),
})

const endOf = (given: string | undefined): number | undefined => {
  if (given === undefined) return undefined
  const at = instant.parse(/^\d+$/.test(given) ? Number(given) : given)
  if (at !== undefined) return at
  throw new ExitCode.UnusableInput({
    message: `--expires-at: must be ${instant.expected}, got "${given}"`,
  })
}

const create = (session: Session) =>
  Command.make(
    "create",
    {
      ...place,
      expiresAt: Flags.text(
        "expires-at",
        "<time>",
        "From when on the link is refused, a minute to 366 days from now; 30 days from now when absent",
      ).pipe(Flag.optional),
      language: Flags.language("The language in which it is shown at first"),
      url: Flags.text(
        "url",
        "<url>",
        "Where apportion serve is reached, such as https://shop.example; the link begins with /statement/ when absent",
      ).pipe(Flag.withDefault("")),
    },
    ({ expiresAt, language, url, ...flags }) =>
      session.run(async () => {
        const { create: run } = await import("./passes/PassesCommand.js")
        const end = endOf(Option.getOrUndefined(expiresAt))
        return run(session, { ...placeOf(session, flags), expiresAt: end, language, url })
      }),
  ).pipe(
    Command.withDescription(
      "Make a link with which a collaborator reads what they may see, and print it. It is shown only now, and opens nothing once it has expired or is revoked.",
    ),
    Command.withShortDescription("Make a link for a collaborator"),
    Command.withExamples([
      {
        command:
          "apportion passes create ada --data ./shop --expires-at 2027-02-01T00:00:00Z --language de --url https://shop.example",
        description: "A link in German, until the end of January",
      },
    ]),
  )

const list = (session: Session) =>
  Command.make("list", place, (flags) =>
    session.run(async () => {
      const { list: run } = await import("./passes/PassesCommand.js")
      return run(session, placeOf(session, flags))
    }),
  ).pipe(
    Command.withDescription(
      "List the links of a collaborator: until when they are in force, and who made and revoked them.",
    ),
    Command.withShortDescription("List the links of a collaborator"),
  )

const revoke = (session: Session) =>
  Command.make(
    "revoke",
    { ...place, pass: Argument.String("pass").pipe(Argument.withDescription("The pass's id")) },
    ({ pass, ...flags }) =>
      session.run(async () => {
        const { revoke: run } = await import("./passes/PassesCommand.js")
        return run(session, { ...placeOf(session, flags), pass })
      }),
  ).pipe(
    Command.withDescription("Revoke a link: from then on it opens nothing."),
    Command.withShortDescription("Revoke a link"),
  )

/** `apportion passes`. */
export const passes = (session: Session) =>
  Command.make("passes").pipe(
    Command.withDescription(
      "Links with which collaborators read what they may see: their statements, payouts and explanations, and nothing of anyone else.",
    ),
    Command.withShortDescription("Make links for collaborators"),
    Command.withSubcommands([create(session), list(session), revoke(session)]),
  )
