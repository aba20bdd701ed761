/** Faults in what stores know of links: those that look up what a link selects, and who links. */
import { type Product, ProductGroup, RuleSet } from "apportion"
import { productKeyOf, type SelectedProducts, type Stores } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

type Asked = Parameters<NonNullable<Stores["products"]["selected"]>>[0]

const everything = { after: undefined, limit: 1_000_000 }

/** What is right: the rules are asked about each product. */
const rightly = (all: ReadonlyArray<Product.Product>, { link, after, limit }: Asked) => {
  const group = ProductGroup.make({ id: "g", collaboratorId: "ada", percent: 1, link })
  const rest = all.filter((product) => after === undefined || productKeyOf(product) > after)
  const selected = rest.filter((one) => RuleSet.linkedGroups({ groups: [group] }, one).length > 0)
  const keys = selected.map(productKeyOf)
  const isLast = keys.length <= limit
  const last = keys[limit - 1]
  const behind = rest.filter((one) => isLast || (last !== undefined && productKeyOf(one) <= last))
  return { keys: keys.slice(0, limit), scanned: behind.length, isLast }
}

/** A store that looks up what links select, and is asked for something else, or says something else. */
const looksUp = (
  name: string,
  asked: (asked: Asked) => Asked,
  told: (found: SelectedProducts, asked: Asked) => SelectedProducts = (found) => found,
): Fault =>
  inStores(name, ({ stores: { products } }) => ({
    products: {
      ...products,
      selected: (options) =>
        Effect.map(products.batch(everything), (all) =>
          told(rightly(all, asked(options)), options),
        ),
    },
  }))

const asAsked = (asked: Asked): Asked => asked

/** A store that looks up what links select, as it is to be done. */
export const lookingUp: Fault = looksUp("what links select is looked up", asAsked)

export const linkingFaults: ReadonlyArray<Fault> = [
  looksUp("what is selected does not mind NOT", (asked) => ({
    ...asked,
    link: { ...asked.link, modifier: "WITH" },
  })),
  looksUp("a link without values selects everything", (asked) =>
    asked.link.values.length > 0
      ? asked
      : { ...asked, link: { type: "products.all", modifier: "WITH", values: [] } },
  ),
  looksUp("of the products of a vendor one is left out", asAsked, (found, { link }) =>
    link.type === "products.vendor" ? { ...found, keys: found.keys.slice(1) } : found,
  ),
  looksUp("what is selected begins anew each time", (asked) => ({ ...asked, after: undefined })),
  looksUp("only what is selected is counted", asAsked, (found) => ({
    ...found,
    scanned: found.keys.length,
  })),
  looksUp("there is always more", asAsked, (found) => ({
    ...found,
    isLast: found.keys.length === 0,
  })),
  inStores("nobody remembers who goes on with a job", ({ stores: { links } }) => ({
    links: { ...links, saveJob: ({ claim: _, ...job }) => links.saveJob(job) },
  })),
  {
    name: "every account that has anything is linking",
    plant: (storage) => ({ ...storage, accountsLinking: storage.accounts }),
  },
]
