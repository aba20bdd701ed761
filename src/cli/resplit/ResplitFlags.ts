/** The flags of `apportion resplit`. Dates, digests and numbers are checked when the command runs. */
import { Flag } from "effect/cli"
import * as Flags from "../Flags.js"

/** Splitting stored sales again. */
export const resplit = {
  ...Flags.kept,
  groups: Flags.file(
    "groups",
    "The product groups by which sales are split again; those that are stored when absent",
  ).pipe(Flag.optional),
  policy: Flags.common.policy,
  rates: Flags.rates,
  account: Flags.pastSales.account,
  from: Flags.optionalText("from", "<date>", "Only what was sold on this day or later"),
  until: Flags.optionalText("until", "<date>", "Only what was sold on this day or earlier"),
  collaborator: Flags.optionalText("collaborator", "<id>", "Only sales of which they have a share"),
  product: Flags.optionalText("product", "<id>", "Only sales of this product"),
  order: Flags.text("order", "<id>", "Only this order; may be given more than once").pipe(
    Flag.atLeast(0),
  ),
  complete: Flags.flag(
    "complete",
    "Fill in what the recorded orders leave out of their products from the catalogue as it is now, for products that it did not know then",
  ),
  biggest: Flags.text(
    "biggest",
    "<number>",
    "How many sales with the biggest differences are explained, 0 to 1000; 3 when absent",
  ).pipe(Flag.withDefault("3")),
  book: Flags.optionalText(
    "book",
    "<digest>",
    "Book what a preview showed, by the digest that it ended with; refused when something else would change by now",
  ),
  run: Flags.optionalText(
    "run",
    "<id>",
    "The name of the run; the same run has one effect, and one that was cut off goes on. Made of the digest when absent",
  ),
  reason: Flags.optionalText("reason", "<text>", "Why, for the run"),
  format: Flags.format(["table", "json"]),
}
