/** The assumptions of questions about rules, as written on the command line. */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Analysis } from "../../index.js"
import * as Currency from "../../money/Currency.js"
import * as Percent from "../../money/Percent.js"
import { unboundedAttributes } from "../../orders/Attribute.js"
import * as Catalogue from "../../orders/Catalogue.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../Flags.js"
import * as Days from "../input/Days.js"
import * as Products from "../input/Products.js"
import type { Note } from "../input/Records.js"
import * as Problems from "../input/Records.js"
import * as Rules from "../input/Rules.js"
import type { Source } from "../input/Sources.js"
import type { Session } from "../Session.js"

/** The flags as given. */
export interface RuleFlags {
  readonly products: Option.Option<string>
  readonly policy: Option.Option<string>
  readonly currency: string
  readonly from: Option.Option<string>
  readonly mostDiscount: Option.Option<string>
  readonly mostTax: Option.Option<string>
  readonly atMost: ReadonlyArray<string>
  readonly budget: string
  readonly idsFrom: ReadonlyArray<string>
  readonly tagsFrom: ReadonlyArray<string>
}

/** The flags with their inputs opened. */
export interface Opened {
  readonly products: Source | undefined
  readonly policy: Source | undefined
  readonly currency: string
  readonly from: string | undefined
  readonly mostDiscount: string | undefined
  readonly mostTax: string | undefined
  readonly atMost: ReadonlyArray<string>
  readonly budget: string
  readonly idsFrom: ReadonlyArray<string>
  readonly tagsFrom: ReadonlyArray<string>
}

/** Opens the inputs of the flags. */
export const open = (session: Session, written: RuleFlags): Opened => ({
  products: session.openOptional("products", written.products),
  policy: session.openOptional("policy", written.policy),
  currency: written.currency,
  from: Option.getOrUndefined(written.from),
  mostDiscount: Option.getOrUndefined(written.mostDiscount),
  mostTax: Option.getOrUndefined(written.mostTax),
  atMost: written.atMost,
  budget: written.budget,
  idsFrom: written.idsFrom,
  tagsFrom: written.tagsFrom,
})

/** The complete options of an analysis. */
export type RuleInputs = Omit<Analysis.Options, "policy" | "budget"> & {
  readonly policy: SplitPolicy
  readonly budget: number
}

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

const currencyOf = ({ currency }: Opened): string =>
  Currency.isCurrency(currency)
    ? currency
    : refuse(`--currency: must be an ISO 4217 code, got "${currency}"`)

const fromOf = ({ from }: Opened, timeZone: string): number | undefined =>
  from === undefined
    ? undefined
    : (Days.startOf(from, timeZone) ?? refuse(`--from: must be ${Days.expected}, got "${from}"`))

const percentOf = (flag: string, written: string | undefined): string | undefined =>
  written === undefined || Result.isSuccess(Percent.parse(written))
    ? written
    : refuse(`--${flag}: must be ${Percent.expected}, got "${written}"`)

const limitOf = (written: string): readonly [Analysis.LimitedPlace, number] => {
  const [name = "", number = ""] = written.split("=").map((part) => part.trim())
  const place = unboundedAttributes.find((known) => known === name)
  if (place === undefined || !/^[1-9][0-9]{0,8}$/.test(number)) {
    return refuse(
      `--at-most: must be a place and a number above 0, such as referer=1, got "${written}"; the places are ${unboundedAttributes.join(", ")}`,
    )
  }
  return [place, Number(number)]
}

const limitsOf = ({ atMost }: Opened): Analysis.Options["atMost"] =>
  Object.fromEntries(
    atMost
      .flatMap((text) => text.split(","))
      .filter((text) => text.trim() !== "")
      .map(limitOf),
  )

const budgetOf = ({ budget }: Opened): number => {
  const problem = wholeProblem(budget, { flag: "budget", least: 1, most: 1_000_000_000_000 })
  return problem === undefined ? Number(budget) : refuse(problem)
}

const catalogueOf = async (
  opened: Opened,
  currency: string,
  note: Note,
): Promise<Catalogue.Catalogue | undefined> => {
  const catalogues = await Products.read(opened.products, opened, note)
  if (catalogues === undefined) return undefined
  const found = catalogues.in(currency)
  if (Result.isSuccess(found)) return Catalogue.make(found.success.products, { currency })
  const told = found.failure.problems.map(({ path, message }) => `${path}: ${message}`)
  const lines = [`--currency: the prices are not in ${currency}`, ...told]
  throw Problems.unusable(lines.map((line) => `${opened.products?.name}: ${line}`))
}

/** Reads the inputs and checks the flags. */
export const read = async (opened: Opened, note: Note): Promise<RuleInputs> => {
  const currency = currencyOf(opened)
  const mostDiscount = percentOf("most-discount", opened.mostDiscount)
  const mostTax = percentOf("most-tax", opened.mostTax)
  const atMost = limitsOf(opened)
  const budget = budgetOf(opened)
  const { policy, timeZone } = await Rules.readPolicy(opened.policy, note)
  const from = fromOf(opened, timeZone)
  const catalogue = await catalogueOf(opened, currency, note)
  return { policy, catalogue, from, mostDiscount, mostTax, atMost, budget }
}
