/** The inputs of every command that reads orders. */
import type * as Option from "effect/Option"
import type { Reason } from "../../internal/sales.js"
import * as ExitCode from "../ExitCode.js"
import type { Opener, Source } from "./Sources.js"

/** What counts as a sale, as it was written. */
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
export const open = (
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

const reasons: ReadonlyMap<string, Reason> = new Map([
  ["test", "test"],
  ["draft", "draft"],
  ["cancelled", "cancelled"],
  ["voided", "voided"],
  ["unpaid", "unpaid"],
  ["nothing-to-share", "nothing to share"],
])

const reasonOf = (written: string): Reason => {
  const reason = reasons.get(written)
  if (reason !== undefined) return reason
  throw new ExitCode.UnusableInput({
    message: `--include: must be ${[...reasons.keys()].join(", ")}, several with commas between them, got "${written}"`,
  })
}

/** Checks what was written. */
export const choicesOf = ({ giftCards, tips, include }: SalesFlags): SalesChoices => {
  const written = include.flatMap((text) => text.split(",")).map((text) => text.trim())
  return { giftCards, tips, include: written.filter((text) => text !== "").map(reasonOf) }
}
