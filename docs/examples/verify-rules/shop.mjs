import { readFileSync } from "node:fs"
import { RuleSet, SplitPolicy } from "apportion"
import { Laws } from "apportion/testing"

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"))

export const rules = RuleSet.make(read("rules.json"))

/** A law of our own: mugs are made in the house. */
const isMug = ({ id }) => id.startsWith("mug-")

export const laws = [
  Laws.atMostOfItem("30.00"),
  Laws.storeKeepsAtLeast("30.00"),
  Laws.neverOverAllocated(),
  Laws.paid("ada", { link: { type: "products.tag", values: ["art"] } }),
  // Sam brings new customers. Wholesale buyers are ours already.
  Laws.nothingWhen({ collaboratorId: "sam" }, { type: "customer.tag", values: ["wholesale"] }),
  Laws.make("nobody but ada and sam is paid for a mug", ({ order, split }) => {
    const mugs = new Set(order.items.filter(({ product }) => isMug(product)).map(({ id }) => id))
    const other = split.shares.find(
      ({ itemId, collaboratorId }) => mugs.has(itemId) && !["ada", "sam"].includes(collaboratorId),
    )
    return other && `${other.collaboratorId} is paid for item ${other.itemId}`
  }),
]

export const options = {
  policy: SplitPolicy.defaults,
  catalogue: read("catalogue.json"),
  without: ["odd sums", "free items"],
  // Orders that once broke a law are tried first, for ever.
  examples: read("examples.json"),
}
