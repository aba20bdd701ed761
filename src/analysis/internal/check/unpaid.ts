import type { Steps } from "../../Steps.js"
import { unpaidProductsIn } from "../../UnpaidProducts.js"
import type { Draft, Report, Subject } from "./Subject.js"
import * as wording from "./wording.js"

/** The products of the catalogue of which nobody is paid. */
export function* unpaid({ inquiry, setting }: Subject): Steps<Report> {
  const { catalogue } = setting
  if (catalogue === undefined) return { drafts: [] }
  const { products, undecided } = yield* unpaidProductsIn(inquiry)
  const draft = (rule: Draft["rule"], found: ReadonlyArray<string>, message: string) =>
    found.length === 0 ? [] : [{ rule, groupIds: [], products: found, message }]
  const told = (found: ReadonlyArray<string>) =>
    `${wording.plural(found.length, "product")} ${wording.products(found)}`
  const drafts = [
    ...draft("unpaid-product", products, `Nobody is ever paid for ${told(products)}.`),
    ...draft(
      "undecided",
      undecided,
      `Whether anybody is ever paid for ${told(undecided)} was not decided within the budget.`,
    ),
  ]
  return drafts.length === 0 && catalogue.products.length > 0
    ? { drafts, proved: "For every product of the catalogue somebody is paid, on some order." }
    : { drafts }
}
